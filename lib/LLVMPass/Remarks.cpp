//===- Remarks.cpp - What was decided, in LLVM's remarks ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A remark belongs to the kernel's line, a refusal to the line of what is
// refused, as far as the compilation keeps lines. Its message is short;
// formula, proof and figures are arguments, which a file of remarks has and a
// terminal does not:
//
//   mm.cu:3:1: remark: kernel 'mm': remapped for mi300x, simulated 15.1 % faster
//
//===----------------------------------------------------------------------===//

#include "Remarks.h"

#include "swizzle/Planning/Remarks.h"
#include "swizzle/Planning/Summary.h"

#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace swizzle::llvmpass {

static constexpr char kPassName[] = "swizzle";

/// The kernel's line, or that of what was refused in it, if it is given.
static DiagnosticLocation locate(const PlannedFunction &planned,
                                 const SourcePlace *refused) {
  DISubprogram *program = planned.function->getSubprogram();
  if (!program)
    return {};
  if (!refused || !refused->line)
    return DiagnosticLocation(program);
  LLVMContext &context = planned.function->getContext();
  DILocalScope *scope = program;
  // What is called may stand in a header.
  if (refused->file != program->getFilename())
    scope = DILexicalBlockFile::get(
        context, program,
        DIFile::get(context, refused->file, program->getDirectory()), 0);
  DebugLoc place =
      DILocation::get(context, refused->line, refused->column, scope);
  return DiagnosticLocation(place);
}

/// What stands on the terminal.
static std::string messageOf(const RemarkText &text) {
  if (!text.message.empty())
    return text.message;
  const auto &[key, value] = text.values.front();
  return shorten(key + ": " + value);
}

/// Which of several grids a remark is about; empty if there is one.
static std::string gridOf(const PlannedFunction &planned,
                          const PlannedKernel &plan) {
  return planned.plans.size() > 1 && plan.facts.sizes.grid.isStatic()
             ? ", grid " + toString(plan.facts.sizes.grid)
             : "";
}

template <typename Remark>
static void emit(OptimizationRemarkEmitter &emitter,
                 const PlannedFunction &planned, const SourcePlace &refused,
                 const std::string &grid, const RemarkText &text) {
  emitter.emit([&] {
    bool isExact = text.kind == RemarkText::Missed;
    Remark remark(kPassName, text.name,
                  locate(planned, isExact ? &refused : nullptr),
                  &planned.function->getEntryBlock());
    remark << "kernel '" << planned.function->getName() << "'" << grid << ": "
           << messageOf(text) << DiagnosticInfoOptimizationBase::setExtraArgs();
    for (const auto &[key, value] : text.values)
      remark << ore::NV(key, value);
    return remark;
  });
}

void emitRemarks(const PlannedFunction &planned) {
  OptimizationRemarkEmitter emitter(planned.function);
  if (!emitter.enabled())
    return; // nobody listens, and to explain an order takes a while
  for (auto [plan, refused] : zip_equal(planned.plans, planned.places)) {
    std::string grid = gridOf(planned, plan);
    for (const RemarkText &text : describeInRemarks(plan))
      switch (text.kind) {
      case RemarkText::Passed:
        emit<OptimizationRemark>(emitter, planned, refused, grid, text);
        break;
      case RemarkText::Missed:
        emit<OptimizationRemarkMissed>(emitter, planned, refused, grid, text);
        break;
      case RemarkText::Analysis:
        emit<OptimizationRemarkAnalysis>(emitter, planned, refused, grid, text);
        break;
      }
  }
}

static void say(const PlannedFunction &planned, DiagnosticSeverity severity,
                const Twine &text) {
  planned.function->getContext().diagnose(DiagnosticInfoGeneric(
      "swizzle: kernel '" + planned.function->getName() + "': " + text,
      severity));
}

bool emitDiagnostics(const PlannedFunction &planned) {
  bool good = true;
  for (const std::string &problem : planned.claimProblems)
    say(planned, DS_Warning, "'args': " + problem + "; it is left out");
  for (const PlannedKernel &plan : planned.plans) {
    const Decision &decision = plan.decision;
    if (!plan.facts.sizes.ignoredOption.empty())
      say(planned, DS_Warning, plan.facts.sizes.ignoredOption);
    if (decision.outcome != Outcome::Failed)
      continue;
    StringRef more = addedTo(decision.reason, decision.counterexample);
    say(planned, DS_Error, decision.reason + (more.empty() ? "" : ": ") + more);
    good = false;
  }
  return good;
}

void diagnose(Module &module, DiagnosticSeverity severity, const Twine &text) {
  module.getContext().diagnose(DiagnosticInfoGeneric(text, severity));
}

} // namespace swizzle::llvmpass
