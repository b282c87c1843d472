//===- swizzle-llvm.cpp - Remaps the kernels of an LLVM module ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C API as a program, for whoever would rather not have LLVM in his process:
// python/swizzle/triton calls it.
//
//===----------------------------------------------------------------------===//

#include "swizzle-c/Swizzle.h"
#include "swizzle/Support/WriteFile.h"

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>
#include <system_error>

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
    "  -o FILE         where the module goes, as text (default: -); if no kernel\n"
    "                  is remapped, text leaves as it came\n"
    "  --version       which program this is\n"
    "  --help          this text\n\n"
    "  Exit status: 0 done, whether kernels were remapped or not; 1 the module,\n"
    "  an option or a formula cannot be used; 2 a file or the command line\n"
    "  cannot.\n\n"
    "What stands in --options:\n";

namespace {
struct CommandLine {
  std::string input = "-", output = "-", options, report;
};
} // namespace

static int fail(const std::string &message, int status = 2) {
  std::cerr << "swizzle-llvm: " << message << '\n';
  return status;
}

static int printHelp() {
  char *options = swizzle_describe_options();
  std::string text = options;
  swizzle_string_destroy(options);
  std::cout << kHelp;
  for (size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos;
       at = end + 1)
    std::cout << "  " << text.substr(at, end - at) << '\n';
  return 0;
}

/// What follows `name` in `argument`; null if it does not begin so.
static const char *valueOf(const char *argument, const char *name) {
  size_t length = std::strlen(name);
  return std::strncmp(argument, name, length) ? nullptr : argument + length;
}

/// Reads the command line; an exit status if there is nothing more to do.
static std::optional<int> read(int argc, char **argv, CommandLine &line) {
  bool named = false;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (argument == "--help" || argument == "-h")
      return printHelp();
    if (argument == "--version") {
      std::cout << "swizzle-llvm " << swizzle_version() << "\nLLVM "
                << swizzle_llvm_version() << '\n';
      return 0;
    }
    if (const char *value = valueOf(argv[i], "--options=")) {
      line.options = value;
    } else if (const char *value = valueOf(argv[i], "--report=")) {
      line.report = value;
    } else if (argument == "-o") {
      if (++i == argc)
        return fail("-o wants the name of a file");
      line.output = argv[i];
    } else if (argument.size() > 1 && argument[0] == '-') {
      return fail("no such option '" + argument +
                  "'; there are --options=TEXT, --report=FILE, -o FILE, "
                  "--version, --help");
    } else if (named) {
      return fail("one module at a time; '" + argument + "' is another");
    } else {
      line.input = argument;
      named = true;
    }
  }
  if (!line.report.empty() &&
      (line.report == line.output || line.report == "-"))
    return fail("--report=" + line.report +
                ": the report wants a file of its own");
  return std::nullopt;
}

static std::optional<std::string> readAll(const std::string &path) {
  if (path == "-")
    return std::string(std::istreambuf_iterator<char>(std::cin), {});
  // A folder is opened like a file, and throws when it is read.
  std::error_code error;
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path, error))
    return std::nullopt;
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (file.bad())
    return std::nullopt;
  return text;
}

/// Fails before anything is read if the files cannot be what they shall.
static std::optional<int> checkFiles(const CommandLine &line) {
  char *problem =
      swizzle_check_files(line.options.c_str(), line.input.c_str(),
                          line.output.c_str(), line.report.c_str());
  if (!problem)
    return std::nullopt;
  std::string text = problem;
  swizzle_string_destroy(problem);
  return fail(text);
}

int main(int argc, char **argv) {
  CommandLine line;
  if (std::optional<int> status = read(argc, argv, line))
    return *status;
  if (std::optional<int> status = checkFiles(line))
    return *status;
  std::optional<std::string> input = readAll(line.input);
  if (!input)
    return fail("cannot read '" + line.input + "'");
  SwizzleResult *result = swizzle_remap_module(input->data(), input->size(),
                                               line.options.c_str());
  if (const char *warnings = swizzle_result_warnings(result))
    fail(warnings);
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
