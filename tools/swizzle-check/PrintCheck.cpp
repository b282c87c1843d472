//===- PrintCheck.cpp - What a check found --------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See PrintCheck.h.
//
//===----------------------------------------------------------------------===//

#include "PrintCheck.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace swizzle;

static llvm::json::Array toJSON(const Grid &grid) {
  return llvm::json::Array{grid.x(), grid.y(), grid.z()};
}

static llvm::json::Array toJSON(WorkgroupId id) {
  return llvm::json::Array{id.x, id.y, id.z};
}

static llvm::json::Object toJSON(const CheckResult &result,
                                 const CheckedFormula &formula,
                                 double tolerance) {
  llvm::json::Object object{{"schema", "swizzle-check/1"},
                            {"tool_version", SWIZZLE_VERSION},
                            {"status", toString(result.status)},
                            {"message", llvm::json::fixUTF8(result.message)},
                            {"grid", toJSON(result.grid)},
                            {"block", toJSON(result.block)},
                            {"workgroups", result.workgroups},
                            {"complete", result.complete},
                            {"float_atomics", result.atomics},
                            {"seed", int64_t(result.seed)},
                            {"seconds", result.seconds},
                            {"formula", formula.text},
                            {"formula_from", formula.source}};
  llvm::json::Array notes;
  for (const std::string &note : result.notes)
    notes.push_back(note);
  object["notes"] = std::move(notes);
  if (result.atomics)
    object["tolerance"] = tolerance;
  if (const auto &difference = result.difference)
    object["difference"] =
        llvm::json::Object{{"variant_workgroup", toJSON(difference->variant)},
                           {"original_workgroup", toJSON(difference->original)},
                           {"buffer", llvm::json::fixUTF8(difference->buffer)},
                           {"element", difference->element},
                           {"original", difference->originalValue},
                           {"variant", difference->variantValue}};
  return object;
}

static void printText(const CheckResult &result, const CheckedFormula &formula,
                      double tolerance) {
  llvm::outs() << toString(result.status);
  if (!result.message.empty())
    llvm::outs() << ": " << result.message;
  llvm::outs() << '\n';
  if (!result.workgroups && result.status == CheckStatus::Unchecked)
    return;
  llvm::outs() << llvm::formatv(
      "  {0} of {1} workgroups run and compared, block {2}, seed {3}, "
      "formula from {4}\n",
      result.complete ? "all" : std::to_string(result.workgroups),
      result.grid.count(), toString(result.block), result.seed, formula.source);
  if (result.atomics)
    llvm::outs() << "  floating-point atomics: compared with a tolerance of "
                 << llvm::format("%g", tolerance) << '\n';
  for (const std::string &note : result.notes)
    llvm::outs() << "  " << note << '\n';
}

void swizzle::printCheck(const CheckResult &result,
                         const CheckedFormula &formula, double tolerance,
                         bool json) {
  if (json)
    llvm::outs() << llvm::formatv(
        "{0:2}\n", llvm::json::Value(toJSON(result, formula, tolerance)));
  else
    printText(result, formula, tolerance);
}

void swizzle::printComparison(const ModelComparison &result, uint64_t seed,
                              bool json) {
  if (json) {
    llvm::json::Object object{{"schema", "swizzle-check-model/1"},
                              {"tool_version", SWIZZLE_VERSION},
                              {"status", toString(result.status)},
                              {"message", llvm::json::fixUTF8(result.message)},
                              {"workgroups", result.workgroups},
                              {"accesses", result.accesses},
                              {"seed", int64_t(seed)}};
    llvm::outs() << llvm::formatv("{0:2}\n",
                                  llvm::json::Value(std::move(object)));
    return;
  }
  llvm::outs() << toString(result.status);
  if (!result.message.empty())
    llvm::outs() << ": " << result.message;
  llvm::outs() << llvm::formatv(
      "\n  {0} workgroups recorded, {1} accesses, seed {2}\n",
      result.workgroups, result.accesses, seed);
}
