// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prices of European options after Black and Scholes in fp32, 2^24 options:
// every byte is touched once, so that no order can help. The normal distribution
// is the polynomial of Abramowitz and Stegun, 26.2.17. One option a thread, 256
// threads.
//
// passes: inline,lower-affine
// passes: func.func(scf-parallel-loop-tiling{parallel-loop-tile-sizes=256 no-min-max-bounds=true})
// passes: func.func(gpu-map-parallel-loops,convert-parallel-loops-to-gpu)

/// Cumulative normal distribution: 1 - N(-d) for positive d.
func.func private @cnd(%d: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %minus_half = arith.constant -0.5 : f32
  %slope = arith.constant 0.2316419 : f32
  %inverse_sqrt_2pi = arith.constant 0.39894228 : f32
  %a1 = arith.constant 0.31938153 : f32
  %a2 = arith.constant -0.356563782 : f32
  %a3 = arith.constant 1.781477937 : f32
  %a4 = arith.constant -1.821255978 : f32
  %a5 = arith.constant 1.330274429 : f32
  %size = math.absf %d : f32
  %denominator = math.fma %slope, %size, %one : f32
  %k = arith.divf %one, %denominator : f32
  %p4 = math.fma %k, %a5, %a4 : f32
  %p3 = math.fma %k, %p4, %a3 : f32
  %p2 = math.fma %k, %p3, %a2 : f32
  %p1 = math.fma %k, %p2, %a1 : f32
  %polynomial = arith.mulf %k, %p1 : f32
  %square = arith.mulf %d, %d : f32
  %exponent = arith.mulf %square, %minus_half : f32
  %bell = math.exp %exponent : f32
  %density = arith.mulf %bell, %inverse_sqrt_2pi : f32
  %tail = arith.mulf %density, %polynomial : f32
  %upper = arith.subf %one, %tail : f32
  %positive = arith.cmpf ogt, %d, %zero : f32
  %result = arith.select %positive, %upper, %tail : f32
  return %result : f32
}

func.func @black_scholes(%spot: memref<16777216xf32>, %strike: memref<16777216xf32>,
                         %years: memref<16777216xf32>, %call: memref<16777216xf32>,
                         %put: memref<16777216xf32>) {
  %negative_rate = arith.constant -0.02 : f32
  %volatility = arith.constant 0.3 : f32
  %drift = arith.constant 0.065 : f32 // rate + volatility^2 / 2
  %one = arith.constant 1.0 : f32
  affine.parallel (%i) = (0) to (16777216) {
    %s = affine.load %spot[%i] : memref<16777216xf32>
    %k = affine.load %strike[%i] : memref<16777216xf32>
    %t = affine.load %years[%i] : memref<16777216xf32>
    %root = math.sqrt %t : f32
    %deviation = arith.mulf %volatility, %root : f32
    %ratio = arith.divf %s, %k : f32
    %log = math.log %ratio : f32
    %drifted = math.fma %drift, %t, %log : f32
    %d1 = arith.divf %drifted, %deviation : f32
    %d2 = arith.subf %d1, %deviation : f32
    %n1 = func.call @cnd(%d1) : (f32) -> f32
    %n2 = func.call @cnd(%d2) : (f32) -> f32
    %rt = arith.mulf %negative_rate, %t : f32
    %discount = math.exp %rt : f32
    %present = arith.mulf %k, %discount : f32
    %gain = arith.mulf %s, %n1 : f32
    %cost = arith.mulf %present, %n2 : f32
    %c = arith.subf %gain, %cost : f32
    %q1 = arith.subf %one, %n1 : f32
    %q2 = arith.subf %one, %n2 : f32
    %gain_put = arith.mulf %present, %q2 : f32
    %cost_put = arith.mulf %s, %q1 : f32
    %p = arith.subf %gain_put, %cost_put : f32
    affine.store %c, %call[%i] : memref<16777216xf32>
    affine.store %p, %put[%i] : memref<16777216xf32>
  }
  return
}
