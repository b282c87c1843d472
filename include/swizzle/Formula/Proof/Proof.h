//===- Proof.h - Is a formula a permutation of its grid? --------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A remap is applied only if its formula is a permutation of the grid. A known
// grid is enumerated; an unknown or huge one needs a formula that is recognised
// as a loop nest over the grid, which is a permutation for every extent.
//
//   prove(flip, environment).legal();        // return gx - 1 - x, y: true
//   prove(fold, environment).refusal;        // return x // 2, y:
//     "duplicate", "workgroups (0,0) and (1,0) both map to (0,0)"
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_FORMULA_PROOF_PROOF_H
#define SWIZZLE_FORMULA_PROOF_PROOF_H

#include "swizzle/Formula/Formula.h"

namespace swizzle {

enum class ProofKind : uint8_t {
  Enumerated, ///< every id was evaluated and each is reached once
  Nest,       ///< the text is a loop nest over the grid
  Guarded,    ///< as the others, under a run-time test with identity fallback
};

struct Proof {
  ProofKind kind = ProofKind::Enumerated;
  int64_t ids = 0; ///< ids enumerated, 0 for a nest
  std::vector<std::string> assumptions;
};

/// Why a formula was refused. `code` is stable and short: "duplicate",
/// "out-of-grid", "overflow", "division-by-zero", "bad-shift", "bad-curve" (no
/// such point), "infeasible", "unbound-name", "bad-param", "wrong-rank" (one
/// value on a grid of several rows), "bad-grid", "too-many-ids", "not-a-nest".
struct Refusal {
  std::string code;
  std::string message;        ///< one sentence
  std::string counterexample; ///< "workgroups (0,0) and (8,0) both map to ..."
};

/// What a counterexample adds for a reader of the message: nothing if the
/// message says it already, as that of a fault in one workgroup does.
inline llvm::StringRef addedTo(llvm::StringRef message,
                               llvm::StringRef counterexample) {
  return message.contains(counterexample) ? llvm::StringRef() : counterexample;
}

/// Exactly one of the two is set.
struct Verdict {
  std::optional<Proof> proof;
  std::optional<Refusal> refusal;
  bool legal() const { return proof.has_value(); }

  static Verdict refuse(llvm::StringRef code, const llvm::Twine &message,
                        std::string counterexample = {});
  /// By the `FormulaError` that `error` is.
  static Verdict refuse(llvm::Error error);
};

/// Workgroups of the largest grid that is enumerated.
inline constexpr int64_t kMostEnumerated = int64_t(1) << 22;

struct ProofOptions {
  int64_t maxIds = kMostEnumerated; ///< of the largest grid to enumerate
  /// Cap on combinations x ids when a template is checked.
  int64_t maxTemplateWork = int64_t(1) << 28;
};

/// Proves or refuses `formula` in `environment`, whose `params` are complete.
/// A static grid up to `maxIds` is enumerated; any other grid must be a nest.
Verdict prove(const Formula &formula, const Environment &environment,
              const ProofOptions &options = {});

/// As above; on success `permutation` holds the new linear id of each workgroup
/// (only for an enumerated proof).
Verdict prove(const Formula &formula, const Environment &environment,
              const ProofOptions &options, std::vector<uint32_t> &permutation);

/// What checking every combination of a template found.
struct TemplateReport {
  uint64_t legal = 0, illegal = 0, infeasible = 0;
  ParamValues firstLegal;         ///< meaningful if `legal`
  ParamValues firstIllegal;       ///< meaningful if `illegal`
  std::optional<Refusal> refusal; ///< of `firstIllegal`
  /// False if combinations x ids reached `workCap` before the end.
  bool complete = true;
  int64_t workCap = 0;
};

/// Checks each combination of the parameters that `environment.params` leaves
/// open, up to `options.maxTemplateWork`.
TemplateReport checkTemplate(const Formula &formula,
                             const Environment &environment,
                             const ProofOptions &options = {});

/// The first combination, in declaration order, that is feasible and legal.
/// `environment.params` may fix some of the parameters. If there is none, the
/// refusal is that of the last feasible combination tried (of the first
/// infeasible one if none is feasible, or "too-many-ids" at the work cap).
struct TemplateVerdict {
  Verdict verdict;
  ParamValues params;
  uint64_t tried = 0, infeasible = 0;
};
TemplateVerdict firstLegal(const Formula &formula,
                           const Environment &environment,
                           const ProofOptions &options = {});

/// "enumerated", "nest", "guarded".
llvm::StringRef toString(ProofKind kind);

} // namespace swizzle

#endif // SWIZZLE_FORMULA_PROOF_PROOF_H
