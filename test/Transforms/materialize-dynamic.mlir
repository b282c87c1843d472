// RUN: swizzle-opt %s --swizzle-materialize -split-input-file | FileCheck %s

// One condition, which reads nothing but extents; 32 bits after it; divisors
// that are never zero, whatever the extents are; the identity where it fails.

// CHECK-LABEL: func @groups
// CHECK-SAME: (%[[X:[a-z0-9]+]]: index, %[[Y:[a-z0-9]+]]: index,
func.func @groups(%x: index, %y: index, %z: index, %gx: index, %gy: index, %gz: index) -> (index, index) {
  // CHECK-NOT: i64
  // CHECK: %[[FITS:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : i32
  // The group follows from y alone, without a division by a variable.
  // CHECK-NOT: arith.divui
  // CHECK: %[[HEIGHT:.*]] = arith.maxui %{{.*}}, %{{.*}} : i32
  // CHECK: arith.divui %{{.*}}, %[[HEIGHT]] : i32
  // CHECK: arith.select %[[FITS]], %{{.*}}, %{{.*}} : i32
  // CHECK: arith.select %[[FITS]], %{{.*}}, %{{.*}} : i32
  %r:3 = swizzle.remap (%x, %y, %z) extents (%gx, %gy, %gz) grid [-1, -1, 1]
      #swizzle.formula<"i = y * gx + x; w = 8 * gx; g = i // w; k = i % w; h = min(gy - g * 8, 8); return k // h, g * 8 + k % h", params = {}, hardware = {}>
  return %r#0, %r#1 : index, index
}

// -----

// A permutation by construction that is no plain loop nest.

// CHECK-LABEL: func @mirror
func.func @mirror(%x: index, %y: index, %z: index, %gx: index, %gy: index, %gz: index) -> index {
  // CHECK: arith.subi
  // CHECK-NOT: arith.divui
  %r:3 = swizzle.remap (%x, %y, %z) extents (%gx, %gy, %gz) grid [-1, -1, -1]
      #swizzle.formula<"return gx - 1 - x, y, z", params = {}, hardware = {}>
  return %r#0 : index
}
