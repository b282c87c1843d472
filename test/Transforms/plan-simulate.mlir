// An explicit formula and a record are not simulated unless somebody asks; then
// remark and report claim no speed-up.
// RUN: swizzle-opt %s --swizzle-plan="chip=mi300x formula=@xcd-balanced report=%t.none.json" --remarks-filter=swizzle --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: FileCheck %s --check-prefix=NULL < %t.none.json
// RUN: swizzle-opt %s --swizzle-plan="chip=mi300x simulate=off formula=@xcd-balanced" --remarks-filter=swizzle --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: Note="nothing was simulated, so no speed-up is claimed
// NONE: Passed{{.*}}Simulated="no, so no speed-up is claimed"
// NONE-NOT: SimulatedTime
// NULL: "simulated": null
// RUN: swizzle-opt %s --swizzle-plan="chip=mi300x simulate=fast formula=@xcd-balanced report=%t.fast.json" --remarks-filter=swizzle --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=FAST
// RUN: FileCheck %s --check-prefix=MODE < %t.fast.json
// RUN: swizzle-opt %s --swizzle-plan="chip=mi300x simulate=full formula=@xcd-balanced report=%t.full.json" -o /dev/null
// RUN: FileCheck %s --check-prefix=MODE < %t.full.json
// FAST: Passed{{.*}}SimulatedTime=
// MODE: "mode": "full"

// A template whose parameters are open is searched, unless that is forbidden.
// RUN: swizzle-opt %s --swizzle-plan="chip=mi300x simulate=off formula='param G in {4, 8}; return x // G + x % G * (gx // G)'" --remarks-filter=swizzle --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=OPEN
// OPEN: Note="the parameters are the first legal ones: nothing is simulated (simulate=off)"
// OPEN: params = {G = 4 : i64}

// RUN: sh %S/Inputs/make_record.sh %s '"return gx - 1 - x"' > %t.db
// RUN: swizzle-opt %s --swizzle-plan="agent=database database=%t.db chip=mi300x simulate=off report=%t.db.json" -o /dev/null
// RUN: FileCheck %s --check-prefix=NULL < %t.db.json

// Without time nothing is planned, and the remark says why.
// RUN: swizzle-opt %s --swizzle-plan="chip=mi300x max-seconds=0.000001" --remarks-filter=swizzle --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=SHORT
// SHORT: Missed{{.*}}Code=interrupted{{.*}}the time was up before the kernel was simulated as it is
// With enough of it, the result is the one without a limit.
// RUN: swizzle-opt %s --swizzle-plan="chip=mi300x max-seconds=3600" -o %t.long
// RUN: swizzle-opt %s --swizzle-plan="chip=mi300x" | diff %t.long -
gpu.module @m {
  gpu.func @k(%a: memref<16384xf32>, %b: memref<16640xf32>) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 256, 1, 1>} {
    %i = gpu.global_id x
    %c1 = arith.constant 1 : index
    %j = arith.addi %i, %c1 : index
    %v = memref.load %b[%j] : memref<16640xf32>
    memref.store %v, %a[%i] : memref<16384xf32>
    gpu.return
  }
}
