// A template takes the first legal numbers where nothing can be searched, and
// those that are fastest by simulation where a chip is known. A formula from
// the catalogue reads the chip's numbers. Simulated figures go into the report.
// RUN: swizzle-opt %s --swizzle-plan="formula='param G in {3, 5, 8}; require gx % G == 0; return x // G + x % G * (gx // G)'" | FileCheck %s --check-prefix=FIRST
// RUN: swizzle-opt %s --swizzle-plan="chip=mi300x formula='param G in {3, 5, 8, 16}; require gx % G == 0; return x // G + x % G * (gx // G)' report=%t.json" | FileCheck %s --check-prefix=SEARCHED
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// RUN: swizzle-opt %s --swizzle-plan="chip=mi300x simulate=fast formula=@xcd-balanced" --remarks-filter=swizzle --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=FAMILY
// FIRST: swizzle.remap{{.*}}params = {G = 8 : i64}
// SEARCHED: swizzle.remap{{.*}}params = {G = {{8|16}} : i64}
// REPORT: "chip": "mi300x"
// REPORT: "bottleneck": "{{.+}}"
// REPORT: "reuse": [
// REPORT: "simulated": {
// REPORT: "before": {
// REPORT: "l2_hit_rate":
// REPORT: "after": {
// FAMILY: Chip="mi300x (from option)"
// FAMILY: Passed{{.*}}SimulatedTime=
// FAMILY: hardware = {num_xcds = 8 : i64}
gpu.module @m {
  gpu.func @k(%a: memref<16384xf32>, %b: memref<16384xf32>) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 256, 1, 1>} {
    %i = gpu.global_id x
    %v = memref.load %a[%i] : memref<16384xf32>
    memref.store %v, %b[%i] : memref<16384xf32>
    gpu.return
  }
}
