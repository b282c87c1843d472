//===- TemplateProof.cpp - Which parameters make a formula legal? ---------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes through the combinations of a template's parameters. What the caller has
// fixed stays fixed.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Formula/Proof/Proof.h"

#include "llvm/ADT/STLExtras.h"

namespace swizzle {

namespace {

/// Ids that one combination costs.
int64_t workOf(const Grid &grid, const ProofOptions &options) {
  return grid.isStatic() && grid.count() <= options.maxIds ? grid.count() : 1;
}

bool isInfeasible(const Verdict &verdict) {
  return !verdict.legal() && verdict.refusal->code == "infeasible";
}

/// Proves one combination after the other; without enumerating any more once
/// that has cost as much as it may.
class Prover {
public:
  Prover(const Formula &formula, const Environment &environment,
         const ProofOptions &options)
      : formula(formula), bound(environment), options(options),
        cost(workOf(environment.grid, options)) {}

  /// Calls `visit(params, verdict)` for each combination that agrees with what
  /// is fixed, in declaration order, the last parameter fastest, until it
  /// returns false. False if the cap ended it.
  template <typename F> bool forEachCombination(F visit) {
    const ParamValues fixed = bound.params;
    llvm::SmallVector<const ParamDecl *> open;
    uint64_t count = 1;
    for (const ParamDecl &param : formula.params())
      if (!fixed.count(param.name)) {
        open.push_back(&param);
        count *= param.values.size();
      }
    for (uint64_t index = 0; index < count; ++index) {
      ParamValues params = fixed;
      uint64_t rest = index;
      for (const ParamDecl *param : llvm::reverse(open)) {
        params[param->name] = param->values[rest % param->values.size()];
        rest /= param->values.size();
      }
      std::optional<Verdict> verdict = prove(params);
      if (!verdict)
        return false;
      if (!visit(params, std::move(*verdict)))
        return true;
    }
    return true;
  }

private:
  /// nullopt: it cannot be told within the cap.
  std::optional<Verdict> prove(const ParamValues &params) {
    bound.params = params;
    bool spent = work && work > options.maxTemplateWork - cost;
    ProofOptions now = options;
    if (spent) {
      if (cost == 1) // nothing was enumerated before either
        return std::nullopt;
      now.maxIds = 0;
    }
    Verdict verdict = swizzle::prove(formula, bound, now);
    if (spent && !verdict.legal() && verdict.refusal->code == "too-many-ids")
      return std::nullopt;
    if (!spent && !isInfeasible(verdict)) // those cost nothing
      work += cost;
    return verdict;
  }

  const Formula &formula;
  Environment bound;
  const ProofOptions &options;
  int64_t work = 0, cost;
};

} // namespace

TemplateVerdict firstLegal(const Formula &formula,
                           const Environment &environment,
                           const ProofOptions &options) {
  TemplateVerdict result;
  Prover prover(formula, environment, options);
  bool complete = prover.forEachCombination(
      [&](const ParamValues &params, Verdict verdict) {
        result.params = params;
        ++result.tried;
        // Infeasible combinations are reported only if there is nothing else to
        // say.
        bool infeasible = isInfeasible(verdict);
        result.infeasible += infeasible;
        if (!infeasible || !result.verdict.refusal)
          result.verdict = std::move(verdict);
        return !result.verdict.legal();
      });
  if (!complete)
    result.verdict = Verdict::refuse(
        "too-many-ids",
        "checking stopped after " + llvm::Twine(result.tried) +
            " combinations: combinations times ids is capped at " +
            llvm::Twine(options.maxTemplateWork));
  return result;
}

TemplateReport checkTemplate(const Formula &formula,
                             const Environment &environment,
                             const ProofOptions &options) {
  TemplateReport report;
  report.workCap = options.maxTemplateWork;
  Prover prover(formula, environment, options);
  report.complete = prover.forEachCombination(
      [&](const ParamValues &params, Verdict verdict) {
        if (verdict.legal()) {
          if (!report.legal++)
            report.firstLegal = params;
        } else if (isInfeasible(verdict)) {
          ++report.infeasible;
        } else if (!report.illegal++) {
          report.firstIllegal = params;
          report.refusal = std::move(verdict.refusal);
        }
        return true;
      });
  return report;
}

} // namespace swizzle
