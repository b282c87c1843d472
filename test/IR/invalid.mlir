// RUN: swizzle-opt %s -verify-diagnostics -split-input-file

// expected-error@+1 {{text is not a formula}}
#f = #swizzle.formula<"return x +", params = {}, hardware = {}>

// -----

// expected-error@+1 {{parameter 'G' of the formula has no value in `params`}}
#f = #swizzle.formula<"param G in {2, 4}; return x // G", params = {}, hardware = {}>

// -----

// expected-error@+1 {{parameter 'G' is 3, which is not in its set}}
#f = #swizzle.formula<"param G in {2, 4}; return x // G", params = {G = 3 : i64}, hardware = {}>

// -----

// expected-error@+1 {{'H' in `params` is not a parameter of the formula}}
#f = #swizzle.formula<"return x", params = {H = 3 : i64}, hardware = {}>

// -----

// expected-error@+1 {{'G' must be a 64-bit integer such as `8 : i64`, not 2 : i32}}
#f = #swizzle.formula<"param G in {2, 4}; return x // G", params = {G = 2 : i32}, hardware = {}>

// -----

// expected-error@+1 {{the formula reads 'num_xcds', which has no number in `hardware`}}
#f = #swizzle.formula<"return x % num_xcds", params = {}, hardware = {}>

// -----

// expected-error@+1 {{the formula does not read 'num_cus', given in `hardware`}}
#f = #swizzle.formula<"return x", params = {}, hardware = {num_cus = 304 : i64}>

// -----

func.func @grid(%x: index) {
  // expected-error@+1 {{expects a grid of three extents, x first; got 2}}
  %r:3 = swizzle.remap (%x, %x, %x) grid [64, 64]
      #swizzle.formula<"return x", params = {}, hardware = {}>
  return
}

// -----

func.func @extent(%x: index) {
  // expected-error@+1 {{expects each extent of the grid to be 1 to 2^31 - 1, or -1 where unknown; got 0}}
  %r:3 = swizzle.remap (%x, %x, %x) grid [64, 0, 1]
      #swizzle.formula<"return x", params = {}, hardware = {}>
  return
}

// -----

func.func @extents(%x: index) {
  // expected-error@+1 {{expects no or three `extents` values; got 2}}
  %r:3 = swizzle.remap (%x, %x, %x) extents (%x, %x) grid [64, 64, 1]
      #swizzle.formula<"return x", params = {}, hardware = {}>
  return
}

// -----

func.func @needsExtents(%x: index) {
  // expected-error@+1 {{needs `extents`, because the grid is not known}}
  %r:3 = swizzle.remap (%x, %x, %x) grid [64, -1, 1]
      #swizzle.formula<"return x", params = {}, hardware = {}>
  return
}

// -----

func.func @guardNeedsExtents(%x: index) {
  // expected-error@+1 {{needs `extents` to compare with the grid, because it is guarded}}
  %r:3 = swizzle.remap (%x, %x, %x) grid [64, 64, 1] guarded
      #swizzle.formula<"return x", params = {}, hardware = {}>
  return
}

// -----

func.func @guardOfUnknown(%x: index) {
  // expected-error@+1 {{cannot be guarded on a grid that is not known}}
  %r:3 = swizzle.remap (%x, %x, %x) extents (%x, %x, %x) grid [64, -1, 1] guarded
      #swizzle.formula<"return x", params = {}, hardware = {}>
  return
}
