//===- swizzle-lower.cpp - From linalg to GPU kernels ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thin main over scheduleForGpu().
//
//===----------------------------------------------------------------------===//

#include "../common/About.h"
#include "../common/Range.h"
#include "../common/StandardOutput.h"
#include "swizzle/Hardware/Database.h"
#include "swizzle/Schedule/Schedule.h"
#include "swizzle/Support/FileRoles.h"
#include "swizzle/Support/ReadFile.h"
#include "swizzle/Support/WriteFile.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"

using namespace swizzle;
namespace cl = llvm::cl;

static cl::OptionCategory category("swizzle-lower options");

static cl::opt<std::string> file(cl::Positional, cl::init("-"),
                                 cl::desc("FILE.mlir | -"), cl::cat(category));
static cl::opt<std::string>
    chip("chip", cl::value_desc("name"),
         cl::desc("the chip that the kernels are for: mi300x, h200; its "
                  "compiler target is noted in the output"),
         cl::cat(category));
static cl::opt<std::string>
    hardwareFile("hardware-file", cl::value_desc("path"),
                 cl::desc("a chip described by a file of your own"),
                 cl::cat(category));
static cl::opt<int64_t> threads("workgroup-threads", cl::init(256),
                                cl::desc("of a workgroup, at most (256)"),
                                cl::cat(category));
static cl::opt<std::string> output("o", cl::init("-"), cl::value_desc("file"),
                                   cl::desc("where to (default: -)"),
                                   cl::cat(category));

static constexpr const char *kOverview =
    "makes GPU kernels of linalg operations, by a generic schedule\n\n"
    "  swizzle-lower model.mlir --chip=mi300x -o kernels.mlir\n"
    "  swizzle-lower model.mlir --chip=h200 | swizzle-opt "
    "--hw-aware-swizzle=chip=h200\n\n"
    "  Exit status: 0 done; 1 an operation cannot be scheduled; 2 input or\n"
    "  options cannot be read or used.\n";

static int fail(const llvm::Twine &message) {
  llvm::errs() << "swizzle-lower: " << message << '\n';
  return 2;
}

int main(int argc, char **argv) {
  InitTool init(argc, argv, "swizzle-lower");
  About about("swizzle-lower", category);
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(argc, argv, kOverview, &llvm::errs()))
    return 2;
  if (llvm::Error error = checkEmpty(argc, argv))
    return fail(llvm::toString(std::move(error)));
  ScheduleOptions options;
  if (threads < 1 || threads > 1024)
    return fail("--workgroup-threads=" + llvm::Twine(threads) +
                ": a workgroup has 1 to 1024 threads");
  options.threads = threads;
  if (!chip.empty() && !hardwareFile.empty())
    return fail("give either --chip or --hardware-file");
  if (llvm::Error error =
          checkDistinct({{"the input", file, false},
                         {"the chip's description", hardwareFile, false},
                         {"the output", output, true}}))
    return fail(llvm::toString(std::move(error)));
  if (!chip.empty() || !hardwareFile.empty()) {
    llvm::Expected<HardwareSpec> hardware =
        chip.empty() ? readChipFile(hardwareFile) : findChip(chip);
    if (!hardware)
      return fail(llvm::toString(hardware.takeError()));
    options.waveSize = hardware->waveSize;
    options.target = hardware->target;
  }

  mlir::DialectRegistry registry;
  registerScheduleDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  auto buffer = readModuleText(file);
  if (!buffer)
    return fail(llvm::toString(buffer.takeError()));
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  mlir::SourceMgrDiagnosticHandler handler(sources, &context);
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(sources, &context);
  if (!module)
    return 2;
  if (failed(scheduleForGpu(*module, options)))
    return 1;
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream);
  stream << '\n';
  if (llvm::Error failure = writeFileWhole(
          output == "-" ? "/dev/stdout" : output.getValue(), text))
    return fail("cannot write '" + output +
                "': " + llvm::toString(std::move(failure)));
  return 0;
}
