//===- FuzzKernel.h - A random kernel ---------------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module with one kernel `k`, drawn from a stream of choices. It is built so
// that each workgroup has a slot of every buffer to itself, through an
// injective map that is more or less obscure:
//
//   slot = (gx - 1 - x) ^ 5        out[slot * 4 + t] = ...
//
// and then, often, with one mistake by which two workgroups meet. Whether they
// do is for an oracle to say: the mistake may lie in code that never runs.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_FUZZ_KERNELS_FUZZKERNEL_H
#define SWIZZLE_FUZZ_KERNELS_FUZZKERNEL_H

#include "Choices.h"
#include "swizzle/Support/Grid.h"

#include <bitset>
#include <string>
#include <vector>

namespace swizzle::fuzz {

enum class Feature : uint8_t {
#define FEATURE(name, weight) name,
#include "Features.def"
  Count
};

inline constexpr size_t kNumFeatures = size_t(Feature::Count);

using Features = std::bitset<kNumFeatures>;

/// "SlotReversed".
const char *nameOf(Feature feature);
int weightOf(Feature feature);
/// "HighLevel GridOfTwoDimensions ...".
std::string toString(const Features &features);

/// A row of Operations.def.
struct Operation {
  enum Target : uint8_t { High, Together, Low, Nvvm, Rocdl } target;
  const char *type, *lines;
};
const std::vector<Operation> &operations();

/// What the analysis has to say of a row of Forbidden.def.
enum class Demand : uint8_t {
  Refusal, ///< whatever stands around it
  Race,    ///< a refusal; where it is not modelled, an assumption
  NoProof, ///< a refusal under `strict`
};

/// A row of Forbidden.def.
struct Forbidden {
  enum Target : uint8_t {
    Any,
    High,
    Low,
    Nvvm,
    LargeGrid,
    Rocdl,
    Gfx942,
    Gfx1100,
    Attribute
  } target;
  const char *lines, *functions;
  Demand demand;

  bool isRocdl() const { return target >= Rocdl && target <= Gfx1100; }
  bool isLow() const { return target >= Low && target <= Gfx1100; }
};

/// The rows of Forbidden.def.
const std::vector<Forbidden> &forbiddenOperations();

struct FuzzKernel {
  std::string text; ///< of the module
  Features features;
  std::vector<size_t> operations; ///< rows that it contains
  /// True if the feature called `name` is in it.
  bool has(const std::string &name) const;
  bool planted = false; ///< a mistake was put in
  /// Of Forbidden.def: the kernel is not run, but judged by `demand`. Else
  /// empty.
  std::string forbidden;
  Demand demand = Demand::Refusal;
  Grid grid, block; ///< that are launched
  /// The module says neither; `claimed`: an option does.
  bool unsized = false, claimed = false;
  bool onlyBlock = false; ///< of what is claimed
  /// Of the first argument, where it is open; 0: the one that is assumed.
  int64_t extent = 0;
};

/// Draws a kernel. Equal choices give equal kernels.
FuzzKernel writeKernel(Choices choices);

/// A kernel for each row of Operations.def and of Forbidden.def. They have no
/// other content.
std::vector<FuzzKernel> writeSingleOperations();

} // namespace swizzle::fuzz

#endif // SWIZZLE_FUZZ_KERNELS_FUZZKERNEL_H
