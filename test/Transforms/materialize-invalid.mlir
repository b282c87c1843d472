// RUN: swizzle-opt %s --swizzle-materialize -verify-diagnostics -split-input-file

// What is not a permutation's lowering never stands: the ids stay as they are.

func.func @undefined(%x: index, %y: index, %z: index) -> index {
  // expected-error@+1 {{the new id of axis 0 is undefined for some workgroup}}
  %r:3 = swizzle.remap (%x, %y, %z) grid [8, 1, 1]
      #swizzle.formula<"return x // (x - 3)", params = {}, hardware = {}>
  return %r#0 : index
}

// -----

func.func @outside(%x: index, %y: index, %z: index) -> index {
  // expected-error@+1 {{the new id of axis 0 leaves the grid}}
  %r:3 = swizzle.remap (%x, %y, %z) grid [8, 1, 1]
      #swizzle.formula<"return x + 1", params = {}, hardware = {}>
  return %r#0 : index
}

// -----

func.func @notNest(%x: index, %y: index, %z: index, %g: index) -> index {
  // expected-error@+1 {{the grid is not known}}
  %r:3 = swizzle.remap (%x, %y, %z) extents (%g, %g, %g) grid [-1, 1, 1]
      #swizzle.formula<"return x ^ 1", params = {}, hardware = {}>
  return %r#0 : index
}

// -----

// Every id is compared, so a map that is no permutation shows.
func.func @twice(%x: index, %y: index, %z: index) -> index {
  // expected-error@+1 {{not a permutation of the grid 8x8: workgroups (0,0) and (1,0) both map to (0,0); (4,0) is never reached}}
  %r:3 = swizzle.remap (%x, %y, %z) grid [8, 8, 1]
      #swizzle.formula<"return x // 2, y", params = {}, hardware = {}>
  return %r#0 : index
}

// -----

gpu.module @m {
  gpu.func @otherGrid() kernel attributes {known_grid_size = array<i32: 8, 8, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %z = gpu.block_id z
    // expected-error@+1 {{the remap is for the grid 16x8, but the kernel's grid is 8x8}}
    %r:3 = swizzle.remap (%x, %y, %z) grid [16, 8, 1]
        #swizzle.formula<"return x ^ 8, y", params = {}, hardware = {}>
    gpu.printf "%d", %r#0 : index
    gpu.return
  }
}
