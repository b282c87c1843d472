//===- swizzle-llvm.cpp - Remaps the kernels of an LLVM module ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C API as a program, for whoever would rather not have LLVM in his
// process: python/swizzle/triton calls it.
//
//===----------------------------------------------------------------------===//

#include "../common/About.h"
#include "../common/StandardOutput.h"
#include "swizzle-c/Swizzle.h"
#include "swizzle/Support/ReadFile.h"
#include "swizzle/Support/WriteFile.h"

#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>

using llvm::StringRef;

static const char kHelp[] =
    "swizzle-llvm: gives GPU kernels in LLVM IR a better order of their "
    "workgroups\n\n"
    "  swizzle-llvm kernel.ll --options='chip=h200;grid=64x64' -o remapped.ll\n"
    "  swizzle-llvm kernel.bc --options='chip=mi300x' --report=report.json\n"
    "  swizzle-llvm - --options='chip=h200;formula=@super-group;grid=32x32' "
    "< kernel.ll\n\n"
    "USAGE: swizzle-llvm [options] FILE.ll|FILE.bc|-\n\n"
    "  --options=TEXT  name=value;... as below\n"
    "  --report=FILE   where the report goes, JSON\n"
    "  -o FILE         where the module goes, as text (default: -); if no "
    "kernel\n"
    "                  is remapped, text leaves as it came\n"
    "  --list-chips    the chips that chip=NAME takes\n"
    "  --version       which program this is\n"
    "  --help          this text\n\n"
    "  Exit status: 0 done, whether kernels were remapped or not; 1 the "
    "module,\n"
    "  an option or a formula cannot be used; 2 a file or the command line\n"
    "  cannot.\n\n"
    "What stands in --options:\n";

namespace {
struct CommandLine {
  std::string input = "-", output = "-", options, report;
};
} // namespace

static void warn(const llvm::Twine &message) {
  llvm::errs() << "swizzle-llvm: " << message << '\n';
}

static int fail(const llvm::Twine &message, int status = 2) {
  warn(message);
  return status;
}

static int printHelp() {
  char *options = swizzle_describe_options();
  llvm::outs() << kHelp;
  llvm::SmallVector<StringRef> lines;
  StringRef(options).split(lines, '\n', -1, /*KeepEmpty=*/false);
  // The report is an option of its own here.
  for (StringRef line : lines)
    if (!line.starts_with("report:"))
      llvm::outs() << "  " << line << '\n';
  swizzle_string_destroy(options);
  return 0;
}

static int printVersion() {
  llvm::outs() << "swizzle-llvm " << swizzle_version() << "\nLLVM "
               << swizzle_llvm_version() << '\n';
  return 0;
}

static int listChips() {
  swizzle::printChips(llvm::outs());
  return 0;
}

/// How an option is given that other tools have; empty for others.
static std::string hintFor(StringRef argument) {
  StringRef name = argument.ltrim('-').split('=').first;
  char *options = swizzle_describe_options();
  llvm::SmallVector<StringRef> lines;
  StringRef(options).split(lines, '\n');
  bool isOne = llvm::any_of(
      lines, [&](StringRef line) { return line.split(':').first == name; });
  swizzle_string_destroy(options);
  if (argument == "--options")
    return "write --options='...' in one word; ";
  return isOne ? "what concerns kernels stands in --options='" +
                     argument.ltrim('-').str() + ";...'; "
               : "";
}

/// Reads the command line; an exit status if there is nothing more to do.
static std::optional<int> read(int argc, char **argv, CommandLine &line) {
  bool named = false;
  for (int i = 1; i < argc; ++i) {
    StringRef argument = argv[i];
    if (argument == "--help" || argument == "-h")
      return printHelp();
    if (argument == "--version")
      return printVersion();
    if (argument == "--list-chips")
      return listChips();
    if (argument.consume_front("--options=")) {
      line.options = argument.str();
    } else if (argument.consume_front("--report=")) {
      line.report = argument.str();
      if (line.report.empty())
        return fail("--report= wants a value");
    } else if (argument == "-o") {
      if (++i == argc)
        return fail("-o wants the name of a file");
      line.output = argv[i];
    } else if (argument.size() > 1 && argument[0] == '-') {
      return fail("no such option '" + argument + "'; " + hintFor(argument) +
                  "there are --options=TEXT, --report=FILE, -o FILE, "
                  "--list-chips, --version, --help");
    } else if (named) {
      return fail("one module at a time; '" + argument + "' is another");
    } else {
      line.input = argument.str();
      named = true;
    }
  }
  if (!line.report.empty() &&
      (line.report == line.output || line.report == "-"))
    return fail("--report=" + line.report +
                ": the report wants a file of its own");
  return std::nullopt;
}

/// Fails before anything is read if the files cannot be what they shall.
static std::optional<int> checkFiles(const CommandLine &line) {
  char *problem = swizzle_check_files(line.options.c_str(), line.input.c_str(),
                                      line.output.c_str(), line.report.c_str());
  if (!problem)
    return std::nullopt;
  std::string text = problem;
  swizzle_string_destroy(problem);
  return fail(text);
}

int main(int argc, char **argv) {
  swizzle::watchStandardOutput("swizzle-llvm");
  CommandLine line;
  if (std::optional<int> status = read(argc, argv, line))
    return *status;
  if (std::optional<int> status = checkFiles(line))
    return *status;
  auto input = swizzle::readWholeInput(line.input, swizzle::kDataLimit);
  if (!input)
    return fail("cannot read '" + line.input +
                "': " + llvm::toString(input.takeError()));
  StringRef text = (*input)->getBuffer();
  SwizzleResult *result =
      swizzle_remap_module(text.data(), text.size(), line.options.c_str());
  if (const char *warnings = swizzle_result_warnings(result))
    warn(warnings);
  if (const char *summary = swizzle_result_summary(result))
    llvm::errs() << summary << '\n';
  const char *error = swizzle_result_error(result);
  int status = error ? fail(error, 1) : 0;
  std::vector<swizzle::WholeFile> files;
  if (!error)
    files.push_back({"", line.output, swizzle_result_module(result)});
  // Of a formula that is refused, it says why.
  const char *report = swizzle_result_report(result);
  if (!line.report.empty() && report)
    files.push_back({"", line.report, report});
  if (llvm::Error failure = writeFilesWhole(files))
    status = fail(llvm::toString(std::move(failure)));
  swizzle_result_destroy(result);
  return status;
}
