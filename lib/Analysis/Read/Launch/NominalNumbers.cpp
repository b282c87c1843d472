//===- NominalNumbers.cpp - Sizes that fit together -----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NominalNumbers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace swizzle::analysis {

/// Operations that all readings together take, beside the first and the last.
static constexpr uint64_t kMaxWork = 250'000;

/// Accesses that are not modelled because a number may be too large.
static size_t countWrapping(const KernelModel &model) {
  return llvm::count_if(model.notModelled, [](const NotModelled &access) {
    return llvm::StringRef(access.reason).contains("may wrap around");
  });
}

KernelModel readWithNumbersThatFit(
    llvm::function_ref<NominalReading(const llvm::StringSet<> &small)> read) {
  llvm::StringSet<> small;
  NominalReading best = read(small);
  size_t wrapping = countWrapping(best.model);
  std::vector<std::string> large = best.numbers;
  uint64_t work = 0;
  while (wrapping > 0 && !large.empty()) {
    // Of those that help as much, the last one; if none does, it takes several.
    size_t chosen = large.size() - 1;
    for (size_t i = large.size(); i-- > 0 && work < kMaxWork;) {
      llvm::StringSet<> more = small;
      more.insert(large[i]);
      NominalReading tried = read(more);
      work += tried.work;
      if (size_t left = countWrapping(tried.model); left < wrapping) {
        wrapping = left;
        best = std::move(tried);
        chosen = i;
      }
    }
    if (work >= kMaxWork)
      break;
    small.insert(large[chosen]);
    large.erase(large.begin() + chosen);
  }
  return std::move(best.model);
}

} // namespace swizzle::analysis
