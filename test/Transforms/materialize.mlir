// RUN: swizzle-opt %s --swizzle-materialize -split-input-file | FileCheck %s

// Powers of two: bit fields straight from the ids, no linear id, and the
// readings of ids say what the grid says.

// CHECK-LABEL: gpu.func @power_of_two
// CHECK-SAME: swizzle.applied = #swizzle.formula<
gpu.module @m {
  gpu.func @power_of_two(%out: memref<64x64xindex>) kernel
      attributes {known_grid_size = array<i32: 64, 64, 1>} {
    // CHECK: %[[X:.*]] = gpu.block_id x upper_bound 64
    %x = gpu.block_id x
    // CHECK: %[[Y:.*]] = gpu.block_id y upper_bound 64
    %y = gpu.block_id y
    %z = gpu.block_id z
    // CHECK: %[[XI:.*]] = arith.index_cast %[[X]] : index to i32
    // CHECK: %[[COPIES:.*]] = arith.muli %[[XI]], %c65_i32 overflow<nsw, nuw> : i32
    // CHECK: %[[MOVED:.*]] = arith.shrui %[[COPIES]], %c3_i32 : i32
    // CHECK: %[[ROW:.*]] = arith.andi %[[MOVED]], %c63_i32 : i32
    // CHECK: %[[NEWY:.*]] = arith.index_castui %[[ROW]] : i32 to index
    // CHECK-NOT: swizzle.remap
    %r:3 = swizzle.remap (%x, %y, %z) grid [64, 64, 1]
        #swizzle.formula<"i = y * gx + x; i = i % num_xcds * (gx * gy // num_xcds) + i // num_xcds; k = i % (8 * gx); return k // 8, i // (8 * gx) * 8 + k % 8", params = {}, hardware = {num_xcds = 8 : i64}>
    // CHECK: memref.store %{{.*}}, %{{.*}}[%[[NEWY]], %[[Y]]]
    %v = arith.constant 1 : index
    memref.store %v, %out[%r#1, %r#0] : memref<64x64xindex>
    gpu.return
  }
}

// -----

// A guarded remap compares the launch's grid with the assumed one; it says
// nothing about the ids, which may be beyond it.

// CHECK-LABEL: func @guarded
// CHECK-SAME: (%[[X:[a-z0-9]+]]: index, %[[Y:[a-z0-9]+]]: index, %{{[a-z0-9]+}}: index, %[[GX:[a-z0-9]+]]: index,
func.func @guarded(%x: index, %y: index, %z: index, %gx: index, %gy: index, %gz: index) -> (index, index) {
  // CHECK: arith.index_cast %[[GX]] : index to i32
  // CHECK: %[[ASSUMED:.*]] = arith.cmpi eq
  // CHECK: %[[R:.*]] = arith.select %[[ASSUMED]], %{{.*}}, %[[X]] : index
  // CHECK: return %[[R]], %[[Y]]
  %r:3 = swizzle.remap (%x, %y, %z) extents (%gx, %gy, %gz) grid [8, 4, 2] guarded
      #swizzle.formula<"return gx - 1 - x, y", params = {}, hardware = {}>
  return %r#0, %r#1 : index, index
}

// -----

// Nothing to do: nothing is touched.

// CHECK-LABEL: func @untouched
// CHECK-NOT: swizzle
func.func @untouched() {
  return
}
