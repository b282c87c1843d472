//===- Duplicates.cpp - Two texts, one order ------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A nest is brought into canonical form by merging what is one loop in two
// pieces: `x/8, x` with nothing in between walks x from one end to the other.
//
//===----------------------------------------------------------------------===//

#include "Duplicates.h"

#include "swizzle/Formula/Orders/Nest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"

using namespace llvm;

namespace swizzle::tuning {

/// Ids that are enumerated to tell two orders apart.
static constexpr int64_t kMaxHashedIds = int64_t(1) << 26;
static constexpr int64_t kWindow = int64_t(1) << 16;

static std::string finish(BLAKE3 &hasher) {
  return "order:" + toHex(hasher.final<16>(), /*LowerCase=*/true);
}

static ArrayRef<uint8_t> bytesOf(ArrayRef<uint32_t> ids) {
  return {reinterpret_cast<const uint8_t *>(ids.data()),
          ids.size() * sizeof(uint32_t)};
}

static bool isIdentity(ArrayRef<uint32_t> ids, int64_t first) {
  for (auto [index, id] : enumerate(ids))
    if (int64_t(id) != first + int64_t(index))
      return false;
  return true;
}

static std::string keyOfPermutation(ArrayRef<uint32_t> permutation) {
  if (isIdentity(permutation, 0))
    return kIdentityKey.str();
  BLAKE3 hasher;
  hasher.update(bytesOf(permutation));
  return finish(hasher);
}

/// The key of a formula on a grid that is too large to be kept, window by
/// window.
static std::optional<std::string> keyOfLarge(const Formula &formula,
                                             const Environment &environment) {
  Expected<BoundFormula> bound = BoundFormula::bind(formula, environment);
  // Not possible for a formula that was proved, here and below.
  if (!bound) {
    consumeError(bound.takeError());
    return std::nullopt;
  }
  BLAKE3 hasher;
  bool identity = true;
  std::vector<uint32_t> window;
  int64_t count = environment.grid.count();
  for (int64_t first = 0; first < count; first += kWindow) {
    window.resize(std::min(kWindow, count - first));
    if (Error error = bound->evaluate(first, MutableArrayRef(window))) {
      // Not possible: see above.
      consumeError(std::move(error));
      return std::nullopt;
    }
    identity &= isIdentity(window, first);
    hasher.update(bytesOf(window));
  }
  return identity ? kIdentityKey.str() : finish(hasher);
}

/// One loop for two neighbours that walk the same axis, forwards.
static void mergeLoops(std::vector<NestLevel> &levels) {
  for (size_t i = 0; i + 1 < levels.size();) {
    if (levels[i].axis == levels[i + 1].axis && !levels[i].serpentine &&
        !levels[i + 1].serpentine)
      levels.erase(levels.begin() + i);
    else
      ++i;
  }
}

/// The key of a formula on a grid that is not known.
static std::string keyOfNest(const Formula &formula,
                             const Environment &environment) {
  std::optional<LoopNest> nest = recogniseNest(formula, environment);
  if (!nest)
    return "text:" + formula.print();
  mergeLoops(nest->levels);
  auto dies = environment.hardware.find("num_xcds");
  if (dies != environment.hardware.end() && dies->second == 1)
    nest->deal = Deal::None;
  LoopNest asItIs = LoopNest::rowMajor();
  mergeLoops(asItIs.levels);
  std::string text = nest->describe();
  return text == asItIs.describe() ? kIdentityKey.str() : "nest:" + text;
}

std::optional<Variant> proveVariant(const Formula &formula,
                                    const Environment &environment,
                                    const Grid &modelGrid, Refusal &refusal) {
  auto permutation = std::make_shared<std::vector<uint32_t>>();
  Verdict verdict = prove(formula, environment, {}, *permutation);
  if (!verdict.legal()) {
    refusal = *verdict.refusal;
    return std::nullopt;
  }
  Variant variant;
  variant.formula = formula;
  variant.params = environment.params;
  variant.proof = *verdict.proof;
  const Grid &grid = environment.grid;
  if (!permutation->empty()) {
    variant.key = keyOfPermutation(*permutation);
  } else if (grid.isStatic() && grid.count() <= kMaxHashedIds) {
    variant.key = keyOfLarge(formula, environment)
                      .value_or(keyOfNest(formula, environment));
  } else {
    variant.key = keyOfNest(formula, environment);
  }
  if (permutation->empty() || modelGrid != grid) {
    Environment nominal = environment;
    nominal.grid = modelGrid;
    permutation->clear();
    (void)prove(formula, nominal, {}, *permutation);
  }
  if (!permutation->empty())
    variant.permutation = std::move(permutation);
  return variant;
}

} // namespace swizzle::tuning
