//===- Swizzle.cpp - The C API --------------------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module in a context of its own, `remapModule`, and everything that this
// says collected: what LLVM would print goes into the result.
//
//===----------------------------------------------------------------------===//

#include "swizzle-c/Swizzle.h"

#include "swizzle/LLVMPass/RemapModule.h"
#include "swizzle/Planning/Report.h"
#include "swizzle/Planning/Summary.h"
#include "swizzle/Support/ReadModule.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"

#include <cstdlib>
#include <cstring>

using namespace llvm;
using namespace swizzle;
using namespace swizzle::llvmpass;

struct SwizzleResult {
  std::string error, warnings, summary, report;
  std::optional<std::string> module;
  bool changed = false;
};

static void addLine(std::string &lines, const std::string &line) {
  lines += (lines.empty() ? "" : "\n") + line;
}

namespace {
/// Keeps errors and warnings; remarks are in the report already.
struct Collector : DiagnosticHandler {
  explicit Collector(SwizzleResult &result) : result(result) {}

  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (info.getSeverity() > DS_Warning)
      return true;
    std::string text;
    raw_string_ostream os(text);
    DiagnosticPrinterRawOStream printer(os);
    info.print(printer);
    addLine(info.getSeverity() == DS_Error ? result.error : result.warnings,
            text);
    return true;
  }

  SwizzleResult &result;
};
} // namespace

/// The module in `input`; null after an error.
static std::unique_ptr<Module> readModule(const std::string &input,
                                          LLVMContext &context,
                                          SwizzleResult &result) {
  SMDiagnostic problem;
  std::unique_ptr<Module> module =
      swizzle::readModule(MemoryBufferRef(input, "module"), problem, context);
  if (!module) {
    bool isWhole = problem.getLineNo() <= 0;
    addLine(result.error,
            "the module is " +
                (isWhole ? ""
                         : "no LLVM IR: line " +
                               std::to_string(problem.getLineNo()) + ": ") +
                problem.getMessage().str());
    return nullptr;
  }
  std::string text;
  raw_string_ostream os(text);
  if (!verifyModule(*module, &os))
    return module;
  addLine(result.error,
          "the module is no valid LLVM IR: " + StringRef(text).trim().str());
  return nullptr;
}

/// Why a module has no kernel that could be remapped.
static std::string whyNoKernels(const Module &module) {
  for (const Function &function : module)
    if (function.getCallingConv() == CallingConv::SPIR_KERNEL)
      return "no kernel was found: '" + function.getName().str() +
             "' is one for SPIR-V, which is not read; compile it for NVIDIA "
             "or AMD";
  return "no kernel was found: no function is marked as one, for NVIDIA or AMD";
}

static void remap(const std::string &input, StringRef optionText,
                  SwizzleResult &result) {
  Expected<PassSettings> settings = parseOptions(optionText);
  if (!settings)
    return addLine(result.error, toString(settings.takeError()));
  if (!settings->report.empty())
    return addLine(result.error, "swizzle: option 'report' is for the pass; "
                                 "here the report is part of the result");
  LLVMContext context;
  context.setDiagnosticHandler(std::make_unique<Collector>(result));
  std::unique_ptr<Module> module = readModule(input, context, result);
  if (!module)
    return;
  ModuleOutcome outcome = remapModule(*module, "", *settings, true);
  if (outcome.kernels.empty() && result.error.empty())
    addLine(result.warnings, whyNoKernels(*module));
  result.report = printReport(outcome.kernels, outcome.inputHash);
  for (const std::string &line : summariseAll(outcome.kernels))
    addLine(result.summary, line);
  result.changed = outcome.changed;
  auto *bytes = reinterpret_cast<const unsigned char *>(input.data());
  if (!outcome.changed && !isBitcode(bytes, bytes + input.size())) {
    result.module = input;
    return;
  }
  result.module.emplace();
  raw_string_ostream os(*result.module);
  module->print(os, nullptr);
}

static const char *textOrNull(const std::string &text) {
  return text.empty() ? nullptr : text.c_str();
}

extern "C" {

SwizzleResult *swizzle_remap_module(const char *module, size_t size,
                                    const char *options) {
  auto *result = new SwizzleResult;
  if (!module || !size)
    addLine(result->error, "the module is empty");
  else
    remap(std::string(module, size), options ? options : "", *result);
  return result;
}

char *swizzle_check_files(const char *options, const char *input,
                          const char *output, const char *report) {
  auto textOf = [](const char *text) { return std::string(text ? text : ""); };
  std::vector<FileRole> all{{"the input", textOf(input), false},
                            {"the output", textOf(output), true},
                            {"the report", textOf(report), true}};
  std::string problem;
  auto check = [&](ArrayRef<FileRole> files) {
    append_range(all, files);
    if (Error error = checkDistinct(all))
      problem = toString(std::move(error));
    return createStringError("the files are all that was asked for");
  };
  Expected<PassSettings> settings = parseOptions(textOf(options), check);
  if (!settings)
    consumeError(settings.takeError()); // `swizzle_remap_module` tells it
  return problem.empty() ? nullptr : strdup(problem.c_str());
}

void swizzle_result_destroy(SwizzleResult *result) { delete result; }

const char *swizzle_result_error(const SwizzleResult *result) {
  return textOrNull(result->error);
}

const char *swizzle_result_warnings(const SwizzleResult *result) {
  return textOrNull(result->warnings);
}

const char *swizzle_result_summary(const SwizzleResult *result) {
  return textOrNull(result->summary);
}

int swizzle_result_is_changed(const SwizzleResult *result) {
  return result->changed;
}

const char *swizzle_result_module(const SwizzleResult *result) {
  return result->module ? result->module->c_str() : nullptr;
}

const char *swizzle_result_report(const SwizzleResult *result) {
  return textOrNull(result->report);
}

const char *swizzle_version(void) { return SWIZZLE_VERSION; }

const char *swizzle_llvm_version(void) { return LLVM_VERSION_STRING; }

char *swizzle_describe_options(void) { return strdup(printOptions().c_str()); }

void swizzle_string_destroy(char *string) { free(string); }
}
