//===- Pipelines.cpp - hw-aware-swizzle -----------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pipeline that most people run: plan, then materialise. Its options are
// those of `swizzle-plan`.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Agent/Core/Options.h"
#include "swizzle/IR/SwizzleDialect.h"
#include "swizzle/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace swizzle {

/// What the agents' own table says about the option `name`.
static llvm::StringRef helpOf(llvm::StringRef name) {
  for (const AgentOptionInfo &info : agentOptionInfos())
    if (info.name == name)
      return info.help;
  return "";
}

namespace {
/// The options of `swizzle-plan`, once more, as a pipeline wants them.
struct HwAwareSwizzleOptions : PassPipelineOptions<HwAwareSwizzleOptions> {
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("Chip to plan for: a name from the hardware database, or "
                     "native")};
  Option<std::string> hardwareFile{
      *this, "hardware-file",
      llvm::cl::desc("JSON description of the chip to plan for")};
  Option<std::string> formula{
      *this, "formula",
      llvm::cl::desc("Formula to apply: its text, or @name from the "
                     "catalogue")};
  Option<std::string> formulaFile{
      *this, "formula-file",
      llvm::cl::desc("File with the formula to apply; - is standard input")};
  Option<std::string> agent{
      *this, "agent",
      llvm::cl::desc("Who proposes formulas where none is given: planner, "
                     "database, command, openai, ...; a list takes turns"),
      llvm::cl::init("planner")};
  Option<unsigned> iterations{
      *this, "iterations", llvm::cl::desc("Rounds of proposals and simulation"),
      llvm::cl::init(4)};
  Option<unsigned> proposals{*this, "proposals",
                             llvm::cl::desc("Proposals asked for in a round"),
                             llvm::cl::init(3)};
  Option<std::string> objective{
      *this, "objective",
      llvm::cl::desc("What shall improve: auto, time, l2-hit-rate or "
                     "dram-bytes"),
      llvm::cl::init("auto")};
  Option<std::string> context{
      *this, "context",
      llvm::cl::desc("What agents are told about the hardware: filtered, none "
                     "or manual:FILE"),
      llvm::cl::init("filtered")};
  Option<std::string> hint{*this, "hint",
                           llvm::cl::desc("Words of yours for the agents")};
#define SWIZZLE_AGENT_OPTION(NAME, FIELD)                                      \
  Option<std::string> FIELD{*this, NAME, llvm::cl::desc(helpOf(NAME))};
#include "AgentOptions.def"
  Option<std::string> grid{
      *this, "grid",
      llvm::cl::desc("Grid to assume where the IR does not say, such as 64x64; "
                     "compared at run time")};
  Option<std::string> block{
      *this, "block",
      llvm::cl::desc("Workgroup size to assume where the IR does not say")};
  Option<bool> strict{
      *this, "strict",
      llvm::cl::desc(
          "Refuse kernels whose independence rests on an assumption"),
      llvm::cl::init(false)};
  Option<bool> compose{
      *this, "compose",
      llvm::cl::desc("Go on from a remap that a kernel already carries"),
      llvm::cl::init(false)};
  Option<std::string> onFailure{
      *this, "on-failure",
      llvm::cl::desc("When an agent fails, or the database has no record: keep "
                     "(leave the kernel), planner (ask it instead), or error"),
      llvm::cl::init("keep")};
  Option<std::string> report{
      *this, "report",
      llvm::cl::desc(
          "Write a JSON report to this file; /dev/stdout if -o takes "
          "the module elsewhere")};
};
} // namespace

void buildHwAwareSwizzle(OpPassManager &manager,
                         const SwizzlePlanPassOptions &options) {
  manager.addPass(createSwizzlePlanPass(options));
  manager.addPass(createSwizzleMaterializePass());
}

void registerPipelines() {
  PassPipelineRegistration<HwAwareSwizzleOptions>(
      "hw-aware-swizzle",
      "Give each GPU kernel a better order of its workgroups: judge, plan, "
      "prove, rewrite",
      [](OpPassManager &manager, const HwAwareSwizzleOptions &given) {
        SwizzlePlanPassOptions options;
        options.chip = given.chip;
        options.hardwareFile = given.hardwareFile;
        options.formula = given.formula;
        options.formulaFile = given.formulaFile;
        options.agent = given.agent;
        options.iterations = given.iterations;
        options.proposals = given.proposals;
        options.objective = given.objective;
        options.context = given.context;
        options.hint = given.hint;
#define SWIZZLE_AGENT_OPTION(NAME, FIELD) options.FIELD = given.FIELD;
#include "AgentOptions.def"
        options.grid = given.grid;
        options.block = given.block;
        options.strict = given.strict;
        options.compose = given.compose;
        options.onFailure = given.onFailure;
        options.report = given.report;
        buildHwAwareSwizzle(manager, options);
      });
}

} // namespace swizzle
