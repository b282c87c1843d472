//===- swizzle-report.cpp - One page to look at ---------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thin main over the page part: reads reports and journals, writes one page.
//
//===----------------------------------------------------------------------===//

#include "../common/Range.h"
#include "../common/StandardOutput.h"
#include "swizzle/Page/Page.h"
#include "swizzle/Support/WriteFile.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace swizzle;
namespace cl = llvm::cl;

static cl::OptionCategory category("swizzle-report options");

static cl::list<std::string> files(cl::Positional, cl::OneOrMore,
                                   cl::desc("REPORT | JOURNAL | - ..."),
                                   cl::cat(category));
static cl::opt<std::string> output("o", cl::value_desc("page.html"),
                                   cl::desc("where the page goes; `-` is "
                                            "standard output"),
                                   cl::Required, cl::cat(category));

static constexpr const char *kOverview =
    "makes one page to look at of reports and journals\n\n"
    "  The page needs no network and opens from its file: per kernel the "
    "mapping\n"
    "  by die and by time, traffic, roofline, attempts, assumptions and the\n"
    "  change of the IR.\n\n"
    "  swizzle-opt kernel.mlir --hw-aware-swizzle=\"chip=mi300x "
    "report=report.json\" -o out.mlir\n"
    "  swizzle-report report.json -o page.html\n"
    "  swizzle-report before.json run.jsonl -o page.html\n\n"
    "  Exit status: 0 done, 1 the page cannot be written, 2 a file cannot be\n"
    "  read or is no report.\n";

static int fail(const llvm::Twine &message, int status) {
  llvm::errs() << "swizzle-report: " << message << '\n';
  return status;
}

int main(int argc, char **argv) {
  InitTool init(argc, argv, "swizzle-report", /*status=*/1);
  cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << "swizzle-report " SWIZZLE_VERSION "\nLLVM " LLVM_VERSION_STRING "\n";
  });
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(argc, argv, kOverview, &llvm::errs()))
    return 2;
  if (llvm::Error error = checkEmpty(argc, argv))
    return fail(llvm::toString(std::move(error)), 2);
  std::vector<PageInput> inputs;
  for (const std::string &file : files) {
    if (file != "-" && llvm::sys::fs::equivalent(file, output))
      return fail("the page would replace what it is made of: " + file, 2);
    llvm::Expected<PageInput> input = readPageInput(file);
    if (!input)
      return fail(llvm::toString(input.takeError()), 2);
    for (const std::string &problem : input->problems)
      llvm::errs() << "swizzle-report: warning: " << problem
                   << "; the line is left out\n";
    inputs.push_back(std::move(*input));
  }
  if (llvm::Error error =
          writeFileWhole(output == "-" ? "/dev/stdout" : output.getValue(),
                         makePage(std::move(inputs))))
    return fail(
        "cannot write " + output + ": " + llvm::toString(std::move(error)), 1);
  return 0;
}
