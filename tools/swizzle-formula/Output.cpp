//===- Output.cpp - What swizzle-formula found, and how it says it --------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text for people, JSON for programs; the same facts in both.
//
//===----------------------------------------------------------------------===//

#include "Output.h"

#include "../common/Settings.h"
#include "swizzle/Formula/Draw/Draw.h"
#include "swizzle/Support/WriteFile.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace swizzle {

namespace {

constexpr llvm::StringLiteral kSchema = "swizzle-formula/1";

std::string describe(const ParamValues &params) {
  std::string text;
  for (const auto &[name, value] : params)
    text += (text.empty() ? "" : ", ") + name + "=" + std::to_string(value);
  return text;
}

llvm::json::Array toJSON(WorkgroupId id) {
  return llvm::json::Array{id.x, id.y, id.z};
}

llvm::json::Object toJSON(const ParamValues &params) {
  llvm::json::Object object;
  for (const auto &[name, value] : params)
    object[name] = value;
  return object;
}

llvm::json::Object header() {
  return llvm::json::Object{{"schema", kSchema},
                            {"tool_version", SWIZZLE_VERSION}};
}

void printJSON(llvm::json::Object object) {
  llvm::outs() << llvm::formatv("{0:2}\n",
                                llvm::json::Value(std::move(object)));
}

/// A formula that cannot be looked at as a whole may be legal all the same.
const char *wordFor(const Refusal &refusal) {
  if (refusal.code == "too-many-ids" || refusal.code == "not-a-nest")
    return "unproved";
  return isUnusable(refusal.code) ? "unusable" : "illegal";
}

void printText(const Report &report, llvm::raw_ostream &os) {
  if (report.printed)
    os << report.formula->print();
  if (!report.judged)
    return;
  std::string with = describe(report.environment.params);
  if (!with.empty())
    with = " with " + with;
  const Verdict &verdict = report.verdict;
  std::string grid = toString(report.environment.grid);
  if (verdict.legal()) {
    os << "legal" << with << ": a permutation of " << grid;
    if (verdict.proof->kind == ProofKind::Enumerated)
      os << " (all " << verdict.proof->ids << " workgroups enumerated)\n";
    else
      os << " (a loop nest over the grid)\n";
  } else {
    os << wordFor(*verdict.refusal) << with << ": " << verdict.refusal->message
       << " [" << verdict.refusal->code << "]\n";
    if (llvm::StringRef more =
            addedTo(verdict.refusal->message, verdict.refusal->counterexample);
        !more.empty())
      os << "  " << more << '\n';
  }
  if (const auto &all = report.combinations) {
    os << all->legal + all->illegal + all->infeasible
       << " combinations: " << all->legal << " legal, " << all->illegal
       << " illegal, " << all->infeasible << " infeasible\n";
    if (!all->complete)
      os << "stopped there: combinations times workgroups is capped at "
         << all->workCap << '\n';
  }
  if (report.evaluated)
    os << toString(report.evaluated->first, report.environment.grid) << " -> "
       << toString(report.evaluated->second, report.environment.grid) << '\n';
  if (report.withTable)
    for (size_t i = 0; i < report.permutation.size(); ++i)
      os << toString(delinearise(i, report.environment.grid),
                     report.environment.grid)
         << " -> "
         << toString(
                delinearise(report.permutation[i], report.environment.grid),
                report.environment.grid)
         << '\n';
}

void printReportJSON(const Report &report) {
  llvm::json::Object object = header();
  object["formula"] = report.formula->print();
  if (!report.judged)
    return printJSON(std::move(object));
  object["grid"] = toString(report.environment.grid);
  object["chip"] = report.environment.chip.empty()
                       ? llvm::json::Value(nullptr)
                       : llvm::json::Value(report.environment.chip);
  object["params"] = toJSON(report.environment.params);
  const Verdict &verdict = report.verdict;
  object["verdict"] = verdict.legal() ? "legal" : wordFor(*verdict.refusal);
  object["proof"] = nullptr;
  object["refusal"] = nullptr;
  if (verdict.legal())
    object["proof"] = llvm::json::Object{
        {"kind", toString(verdict.proof->kind)}, {"ids", verdict.proof->ids}};
  else
    object["refusal"] =
        llvm::json::Object{{"code", verdict.refusal->code},
                           {"message", verdict.refusal->message},
                           {"counterexample", verdict.refusal->counterexample}};
  if (const auto &all = report.combinations)
    object["combinations"] = llvm::json::Object{{"legal", all->legal},
                                                {"illegal", all->illegal},
                                                {"infeasible", all->infeasible},
                                                {"complete", all->complete},
                                                {"work_cap", all->workCap}};
  if (report.evaluated)
    object["evaluated"] =
        llvm::json::Object{{"from", toJSON(report.evaluated->first)},
                           {"to", toJSON(report.evaluated->second)}};
  if (report.withTable) {
    llvm::json::Array rows;
    for (uint32_t id : report.permutation)
      rows.push_back(toJSON(delinearise(id, report.environment.grid)));
    object["table"] = std::move(rows);
  }
  printJSON(std::move(object));
}

} // namespace

int Report::exitStatus() const {
  if (!judged)
    return 0;
  if (verdict.legal())
    return 0;
  return isUnusable(verdict.refusal->code) ? 2 : 1;
}

llvm::Error judge(const Formula &formula, const ProofOptions &options,
                  Report &report) {
  report.judged = true;
  Environment &environment = report.environment;
  // A parameter that does not exist would otherwise open no combination.
  if (llvm::Error error = checkParams(formula, environment.params))
    return error;
  bool open = environment.params.size() < formula.params().size();
  if (open) {
    report.combinations = checkTemplate(formula, environment, options);
    const TemplateReport &all = *report.combinations;
    if (all.illegal) {
      environment.params = all.firstIllegal;
      report.verdict.refusal = all.refusal;
      return llvm::Error::success();
    }
    if (!all.complete) {
      report.verdict.refusal = Refusal{
          "too-many-ids",
          "not all combinations were checked: combinations times workgroups "
          "is capped at " +
              std::to_string(all.workCap) + "; fix parameters with --set",
          ""};
      return llvm::Error::success();
    }
    if (!all.legal) {
      report.verdict.refusal =
          Refusal{"infeasible",
                  "no combination of the parameters satisfies the "
                  "requirements",
                  ""};
      return llvm::Error::success();
    }
    environment.params = all.firstLegal;
  }
  report.verdict =
      report.wantsPermutation
          ? prove(formula, environment, options, report.permutation)
          : prove(formula, environment, options);
  return llvm::Error::success();
}

llvm::Error needsKnownGrid(llvm::StringRef option) {
  return llvm::createStringError(
      option + " needs a known grid of at most 2^26 workgroups");
}

llvm::Error drawReport(const Report &report, llvm::StringRef path) {
  if (report.permutation.empty())
    return needsKnownGrid("--draw");
  const HardwareConstants &hardware = report.environment.hardware;
  auto number = [&](const char *name) {
    auto found = hardware.find(name);
    return found != hardware.end() && found->second && *found->second > 0
               ? *found->second
               : 1;
  };
  Drawing drawing;
  drawing.grid = report.environment.grid;
  drawing.permutation = report.permutation;
  drawing.numDies = number("num_xcds");
  drawing.dispatchChunk = number("dispatch_chunk");
  drawing.title = "Workgroup order before and after the remap";
  std::string chip = report.environment.chip;
  drawing.subtitle = report.label + ", " + (chip.empty() ? "" : chip + ", ") +
                     std::to_string(drawing.numDies) +
                     (drawing.numDies == 1 ? " die" : " dies");
  if (!report.environment.params.empty())
    drawing.subtitle += ", " + describe(report.environment.params);
  return writeFilesWhole({{"the drawing", path.str(), drawSVG(drawing)}});
}

void printReport(const Report &report, bool json, llvm::raw_ostream &os) {
  if (json)
    printReportJSON(report);
  else
    printText(report, os);
}

void printUnusable(llvm::StringRef message, bool json) {
  llvm::errs() << message << '\n';
  if (!json)
    return;
  llvm::json::Object object = header();
  object["verdict"] = "unusable";
  object["error"] = message;
  printJSON(std::move(object));
}

int printCatalogue(bool json) {
  if (!json) {
    size_t width = 0;
    for (const CatalogueEntry &entry : catalogue())
      width = std::max(width, entry.name.size());
    for (const CatalogueEntry &entry : catalogue()) {
      llvm::outs() << '@' << llvm::left_justify(entry.name, width) << "  "
                   << entry.summary;
      if (entry.legalWhen != "1")
        llvm::outs() << " Legal when " << entry.legalWhen << '.';
      llvm::outs() << '\n';
    }
    return 0;
  }
  llvm::json::Array families;
  for (const CatalogueEntry &entry : catalogue())
    families.push_back(llvm::json::Object{{"name", entry.name},
                                          {"summary", entry.summary},
                                          {"formula", entry.text},
                                          {"legal_when", entry.legalWhen},
                                          {"source", entry.source}});
  llvm::json::Object object = header();
  object["families"] = std::move(families);
  printJSON(std::move(object));
  return 0;
}

} // namespace swizzle
