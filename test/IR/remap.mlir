// RUN: swizzle-opt %s | swizzle-opt | FileCheck %s
// RUN: swizzle-opt %s --mlir-print-op-generic | swizzle-opt | FileCheck %s

// A remap on a known grid, on one that is partly unknown, and a guarded one.

// CHECK-LABEL: func @known
func.func @known(%x: index, %y: index, %z: index) -> (index, index, index) {
  // CHECK: %{{.*}}, %{{.*}}, %{{.*}} = swizzle.remap(%{{.*}}, %{{.*}}, %{{.*}}) grid [64, 64, 1] <"return y, x", params = {}, hardware = {}>
  %r:3 = swizzle.remap (%x, %y, %z) grid [64, 64, 1]
      #swizzle.formula<"return y, x", params = {}, hardware = {}>
  return %r#0, %r#1, %r#2 : index, index, index
}

// CHECK-LABEL: func @unknown
func.func @unknown(%x: index, %y: index, %z: index) -> (index, index, index) {
  // CHECK: swizzle.remap({{.*}}) extents(%{{.*}}, %{{.*}}, %{{.*}}) grid [-1, 64, 1]
  // CHECK-SAME: params = {G = 8 : i64}, hardware = {num_xcds = 6 : i64}
  %r:3 = swizzle.remap (%x, %y, %z) extents (%x, %y, %z) grid [-1, 64, 1]
      #swizzle.formula<"param G in {4, 8}; return x // G % num_xcds, y", params = {G = 8 : i64}, hardware = {num_xcds = 6 : i64}>
  return %r#0, %r#1, %r#2 : index, index, index
}

// CHECK-LABEL: func @guarded
func.func @guarded(%x: index, %y: index, %z: index) -> (index, index, index) {
  // CHECK: swizzle.remap({{.*}}) extents({{.*}}) grid [8, 4, 2] guarded
  %r:3 = swizzle.remap (%x, %y, %z) extents (%x, %y, %z) grid [8, 4, 2] guarded
      #swizzle.formula<"return gx - 1 - x, y", params = {}, hardware = {}>
  return %r#0, %r#1, %r#2 : index, index, index
}

// The formula stays on the kernel after materialisation.

// CHECK: func @applied() attributes {swizzle.applied = #swizzle.formula<"return x", params = {}, hardware = {}>}
func.func @applied() attributes {swizzle.applied = #swizzle.formula<"return x", params = {}, hardware = {}>} {
  return
}
