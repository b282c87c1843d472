//===- CompareWithNaive.h - Against the oracle ---------------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One check that unit tests and the fuzzer share.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_UNITTESTS_FORMULA_COMPAREWITHNAIVE_H
#define SWIZZLE_UNITTESTS_FORMULA_COMPAREWITHNAIVE_H

#include "NaiveEvaluator.h"
#include "swizzle/Formula/Proof/Proof.h"

#include <set>

namespace swizzle {
namespace naive {

/// Compares `formula` with the oracle on every id of a small grid: value or
/// fault of each id alone, of the batch, and the verdict. Empty if all agree,
/// else what does not.
inline std::string compare(const Formula &formula,
                           const Environment &environment) {
  auto describe = [&](const std::string &what) {
    return what + " on grid " + toString(environment.grid) + " for\n" +
           formula.print();
  };
  auto codeOf = [](llvm::Error error) {
    std::string code;
    llvm::handleAllErrors(std::move(error),
                          [&](const FormulaError &e) { code = e.code; });
    return code;
  };
  Verdict verdict = prove(formula, environment);
  llvm::Expected<BoundFormula> bound = BoundFormula::bind(formula, environment);
  if (!bound) {
    std::string code = codeOf(bound.takeError());
    if (verdict.legal() || verdict.refusal->code != code)
      return describe("prove and bind differ: " + code);
    return {};
  }
  Evaluator oracle(formula.ast(), environment);
  int64_t count = environment.grid.count();
  std::set<int64_t> images;
  std::string firstFault;
  std::vector<int64_t> expected(count, -1);
  for (int64_t i = 0; i < count; ++i) {
    Outcome want = oracle.run(delinearise(i, environment.grid));
    if (want.code == "too-large-for-the-oracle")
      return {};
    llvm::Expected<WorkgroupId> got =
        bound->evaluate(delinearise(i, environment.grid));
    std::string code = got ? "" : codeOf(got.takeError());
    if (code == "infeasible" && !want.code.empty()) {
      if (verdict.legal() || verdict.refusal->code != "infeasible")
        return describe("verdict of an infeasible combination");
      return {};
    }
    if (code != want.code)
      return describe("id " + std::to_string(i) + ": fault `" + code +
                      "` instead of `" + want.code + "`");
    if (code.empty()) {
      if (*got != want.id)
        return describe("id " + std::to_string(i) + ": another value");
      expected[i] = linearise(want.id, environment.grid);
      images.insert(expected[i]);
    } else if (firstFault.empty()) {
      firstFault = code;
    }
  }
  std::vector<int64_t> batch(count);
  std::string code =
      codeOf(bound->evaluate(0, llvm::MutableArrayRef<int64_t>(batch)));
  if (code != firstFault)
    return describe("batch: fault `" + code + "` instead of `" + firstFault +
                    "`");
  if (firstFault.empty() && batch != expected)
    return describe("batch: other values");
  bool legal = firstFault.empty() && int64_t(images.size()) == count;
  if (verdict.legal() != legal)
    return describe(legal ? "refused a permutation" : "accepted a bad formula");
  if (legal)
    return {};
  if (verdict.refusal->code != (firstFault.empty() ? "duplicate" : firstFault))
    return describe("refused for another reason: " + verdict.refusal->code);
  return {};
}

/// Compares `formula` with what its printed text reads as, by the oracle. Empty
/// if they agree, else what does not.
inline std::string comparePrinted(const Formula &formula,
                                  const Environment &environment) {
  std::string text = formula.print();
  auto describe = [&](const std::string &what) {
    return what + " on grid " + toString(environment.grid) + " for\n" + text;
  };
  llvm::Expected<Formula> again = Formula::parse(text);
  if (!again)
    return describe("unreadable: " + llvm::toString(again.takeError()));
  if (again->print() != text)
    return describe("printing does not round-trip");
  Evaluator before(formula.ast(), environment);
  Evaluator after(again->ast(), environment);
  int64_t count = environment.grid.count();
  for (int64_t i = 0; i < count; ++i) {
    Outcome want = before.run(delinearise(i, environment.grid));
    Outcome got = after.run(delinearise(i, environment.grid));
    if (want.code == "too-large-for-the-oracle" ||
        got.code == "too-large-for-the-oracle")
      return {};
    if (want.code.empty() != got.code.empty() ||
        (want.code.empty() && want.id != got.id))
      return describe("id " + std::to_string(i) + " differs");
  }
  return {};
}

} // namespace naive
} // namespace swizzle

#endif // SWIZZLE_UNITTESTS_FORMULA_COMPAREWITHNAIVE_H
