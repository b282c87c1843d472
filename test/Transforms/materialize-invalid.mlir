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
