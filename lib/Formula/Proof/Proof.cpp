//===- Proof.cpp - Is a formula a permutation of its grid? ----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A map of a finite set into itself is a permutation if and only if it reaches
// every element. So each id is evaluated, its image marked, and the marks
// counted; only when some are missing does a second walk look for the pair that
// collides.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Formula/Proof/Proof.h"
#include "NestProof.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace swizzle {

using namespace formula;

namespace {

/// Ids evaluated between two visits to the marks.
constexpr int64_t kPiece = int64_t(1) << 14;

/// Calls `visit(first, ids)` for consecutive pieces of the grid until it
/// returns false.
template <typename F>
llvm::Error forEachPiece(const BoundFormula &bound, int64_t count, F visit) {
  std::vector<uint32_t> ids(std::min(kPiece, count));
  for (int64_t first = 0; first < count; first += kPiece) {
    llvm::MutableArrayRef<uint32_t> piece(ids.data(),
                                          std::min(kPiece, count - first));
    if (llvm::Error error = bound.evaluate(first, piece))
      return error;
    if (!visit(first, llvm::ArrayRef<uint32_t>(piece)))
      break;
  }
  return llvm::Error::success();
}

/// "workgroups a and b both map to c; d is never reached". `missed` is the
/// first id that no workgroup maps to.
Verdict refuseDuplicate(const BoundFormula &bound, int64_t count,
                        int64_t missed) {
  std::vector<uint8_t> reached(count, 0);
  int64_t second = -1, target = -1, first = -1;
  // Both walks succeed: the first one over all ids did.
  llvm::cantFail(forEachPiece(bound, count, [&](int64_t start, auto ids) {
    for (size_t k = 0; k < ids.size(); ++k) {
      if (reached[ids[k]]) {
        second = start + k;
        target = ids[k];
        return false;
      }
      reached[ids[k]] = 1;
    }
    return true;
  }));
  llvm::cantFail(forEachPiece(bound, count, [&](int64_t start, auto ids) {
    const uint32_t *at = std::find(ids.begin(), ids.end(), uint32_t(target));
    if (at == ids.end())
      return true;
    first = start + (at - ids.begin());
    return false;
  }));
  const Grid &grid = bound.environment().grid;
  auto name = [&](int64_t id) { return toString(delinearise(id, grid), grid); };
  return Verdict::refuse(
      "duplicate",
      "the formula is not a permutation of the grid " + toString(grid),
      "workgroups " + name(first) + " and " + name(second) + " both map to " +
          name(target) + "; " + name(missed) + " is never reached");
}

Verdict enumerate(const BoundFormula &bound, std::vector<uint32_t> *out) {
  int64_t count = bound.environment().grid.count();
  std::vector<uint8_t> reached(count, 0);
  if (out)
    out->resize(count);
  if (llvm::Error error =
          forEachPiece(bound, count, [&](int64_t first, auto ids) {
            for (uint32_t id : ids)
              reached[id] = 1;
            if (out)
              std::copy(ids.begin(), ids.end(), out->begin() + first);
            return true;
          }))
    return Verdict::refuse(std::move(error));
  auto missed = std::find(reached.begin(), reached.end(), 0);
  if (missed != reached.end())
    return refuseDuplicate(bound, count, missed - reached.begin());
  Verdict verdict;
  verdict.proof = Proof{ProofKind::Enumerated, count, {}};
  return verdict;
}

Verdict proveImpl(const Formula &formula, const Environment &environment,
                  const ProofOptions &options, std::vector<uint32_t> *out) {
  const Grid &grid = environment.grid;
  // Images are kept in 32 bits.
  int64_t maxIds = std::min<int64_t>(options.maxIds, UINT32_MAX);
  if (!grid.isStatic() || grid.count() > maxIds)
    return proveNest(formula, environment, maxIds);
  llvm::Expected<BoundFormula> bound = BoundFormula::bind(formula, environment);
  if (!bound)
    return Verdict::refuse(bound.takeError());
  // A false requirement or a fault that every id meets ends it here.
  if (llvm::Expected<bool> feasible = bound->feasible(); !feasible)
    return Verdict::refuse(feasible.takeError());
  Verdict verdict = enumerate(*bound, out);
  if (out && !verdict.legal())
    out->clear();
  return verdict;
}

} // namespace

Verdict Verdict::refuse(llvm::StringRef code, const llvm::Twine &message,
                        std::string counterexample) {
  Verdict verdict;
  verdict.refusal =
      Refusal{code.str(), message.str(), std::move(counterexample)};
  return verdict;
}

Verdict Verdict::refuse(llvm::Error error) {
  Verdict verdict;
  llvm::handleAllErrors(std::move(error), [&](const FormulaError &reason) {
    verdict = refuse(reason.code, reason.message);
    // A fault names its workgroup: the sentence is the counterexample.
    if (reason.code == "out-of-grid" || reason.code == "overflow" ||
        reason.code == "division-by-zero" || reason.code == "bad-shift" ||
        reason.code == "bad-curve")
      verdict.refusal->counterexample = reason.message;
  });
  return verdict;
}

Verdict prove(const Formula &formula, const Environment &environment,
              const ProofOptions &options) {
  return proveImpl(formula, environment, options, nullptr);
}

Verdict prove(const Formula &formula, const Environment &environment,
              const ProofOptions &options, std::vector<uint32_t> &permutation) {
  permutation.clear();
  return proveImpl(formula, environment, options, &permutation);
}

llvm::StringRef toString(ProofKind kind) {
  switch (kind) {
  case ProofKind::Enumerated:
    return "enumerated";
  case ProofKind::Nest:
    return "nest";
  case ProofKind::Guarded:
    return "guarded";
  }
  return "";
}

} // namespace swizzle
