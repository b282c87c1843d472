//===- Build.cpp - Compile and check a variant in children ----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A check that could not be run is "unchecked", never passed; one that found a
// difference, crashed, or was killed for memory has failed.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Driver/Build.h"

#include "swizzle/Support/ChildProcess.h"
#include "swizzle/Support/FindTool.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace swizzle {

bool isCompilable(const HardwareSpec &chip) {
  StringRef target = chip.target;
  return chip.vendor != "other" || target.starts_with("sm_") ||
         target.starts_with("gfx");
}

VariantBuilder::VariantBuilder(TuningSession &session, size_t kernel,
                               CompileService *service,
                               const BuildOptions &options)
    : session(session), kernel(kernel), service(service), options(options),
      checker(options.checker.empty() ? findTool("swizzle-check")
                                      : options.checker) {}

/// Writes the module as it is to a temporary file, once.
Error VariantBuilder::writeOriginal() {
  if (original)
    return Error::success();
  Expected<NewFile> file =
      NewFile::createTemporary("swizzle-original", ".mlir");
  Error error = file ? file->write(session.printOriginal()) : file.takeError();
  if (error)
    return createStringError("cannot write a temporary file: " +
                             toString(std::move(error)));
  original = std::move(*file);
  return Error::success();
}

/// False if the variant cannot be used.
bool VariantBuilder::compile(const std::string &text, BuildResult &result) {
  const KernelFacts &facts = session.kernels()[kernel].facts;
  CompileRequest request;
  request.ir = text;
  request.target = options.target;
  request.options.kernel = fullName(facts.module, facts.name);
  CompileOutcome outcome = service->compile(request);
  const CompileFailure *failure = outcome.failure();
  if (!failure) {
    result.artifact = std::make_shared<Artifact>(*outcome.artifact());
    return true;
  }
  if (failure->kind == CompileFailure::Cancelled) {
    result.status = AttemptStatus::RunFailed;
    result.code = kBudgetCode;
    result.message = "not built: cancelled";
    return false;
  }
  if (failure->kind == CompileFailure::ToolMissing &&
      !options.compilerRequired) {
    result.message = "not compiled: " + failure->message;
    return true;
  }
  result.status = AttemptStatus::BuildFailed;
  result.code = toString(failure->kind).str();
  result.message = failure->message;
  return false;
}

std::vector<std::string>
VariantBuilder::checkArguments(const Variant &variant) const {
  const PlannedKernel &planned = session.kernels()[kernel];
  const KernelFacts &facts = planned.facts;
  std::vector<std::string> arguments{
      original->path(),
      "-",
      "--json",
      "--kernel=" + fullName(facts.module, facts.name),
      "--formula=" + variant.formula->print(),
      "--budget=" + std::to_string(options.checkAccesses)};
  for (const auto &[name, value] : variant.params)
    arguments.push_back("--set=" + name + "=" + std::to_string(value));
  const PlanSettings &settings = session.planSettings();
  if (!settings.hardwareFile.empty())
    arguments.push_back("--hardware-file=" + settings.hardwareFile);
  else
    arguments.push_back("--chip=" + planned.chip.hardware->name);
  if (facts.sizes.grid.isStatic())
    arguments.push_back("--grid=" + toString(facts.sizes.grid));
  if (facts.sizes.block.isStatic())
    arguments.push_back("--block=" + toString(facts.sizes.block));
  return arguments;
}

/// The message of a `swizzle-check/1` object, with the difference that it
/// found.
static std::string readMessage(StringRef output) {
  Expected<json::Value> value = json::parse(output);
  if (!value) {
    consumeError(value.takeError()); // the caller tells by the exit status
    return "";
  }
  const json::Object *object = value->getAsObject();
  return object ? object->getString("message").value_or("").str() : "";
}

void VariantBuilder::check(const std::string &text, const Variant &variant,
                           BuildResult &result) {
  auto unchecked = [&](const Twine &why) {
    result.unchecked = true;
    result.message +=
        (result.message.empty() ? "" : "; ") + ("unchecked: " + why).str();
  };
  if (checker.empty())
    return unchecked("swizzle-check is not installed");
  if (Error error = writeOriginal())
    return unchecked(toString(std::move(error)));
  ChildOptions child;
  child.program = checker;
  child.arguments = checkArguments(variant);
  child.input = text;
  child.timeout = options.checkTimeout;
  // A sanitizer's shadow is far larger than what the program itself takes.
  child.memoryBytes =
      LLVM_ADDRESS_SANITIZER_BUILD ? 0 : options.checkMemoryBytes;
  child.cancel = options.cancel;
  auto start = std::chrono::steady_clock::now();
  ChildResult ended = runChild(child);
  result.checkSeconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  std::string message = readMessage(ended.output);
  switch (ended.status) {
  case ChildResult::Exited:
    if (ended.code == 0)
      return;
    // Without a verdict the checker itself has failed.
    if (ended.code == 1 && !message.empty()) {
      result.status = AttemptStatus::CheckFailed;
      result.code = "differs";
      result.message = message;
      return;
    }
    return unchecked(message.empty() ? StringRef(ended.errorTail).trim().str()
                                     : message);
  case ChildResult::Cancelled:
    result.status = AttemptStatus::RunFailed;
    result.code = kBudgetCode;
    result.message = "not checked: cancelled";
    return;
  // Whatever ended the checker, a limit or its own bug, says nothing about the
  // variant.
  case ChildResult::Signalled:
  case ChildResult::TimedOut:
  case ChildResult::TooMuchOutput:
    return unchecked("the check was " + ended.describe());
  case ChildResult::NotStarted:
    return unchecked(ended.error);
  }
}

BuildResult VariantBuilder::build(const Variant &variant) {
  BuildResult result;
  Expected<std::string> text =
      variant.formula ? session.printVariant(kernel, variant)
                      : Expected<std::string>(session.printOriginal());
  if (!text) {
    result.status = AttemptStatus::BuildFailed;
    result.code = "emission";
    result.message = toString(text.takeError());
    return result;
  }
  if (service && options.compile && !options.target.empty() &&
      !compile(*text, result))
    return result;
  if (options.check && variant.formula)
    check(*text, variant, result);
  return result;
}

} // namespace swizzle
