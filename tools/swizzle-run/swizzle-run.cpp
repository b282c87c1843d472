//===- swizzle-run.cpp - Measures bundles on this machine -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program of its own, without LLVM: it is copied to machines that have
// nothing but a GPU and its driver, and a kernel that takes it down takes
// nobody else along.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Hardware/ChipJSON.h"
#include "swizzle/Measure/Device/DescribeDevice.h"
#include "swizzle/Measure/Probe/ProbeDispatch.h"
#include "swizzle/Measure/Run/RunBundle.h"
#include "swizzle/Support/StandardStreams.h"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>

using namespace swizzle;

namespace {

constexpr char kHelp[] =
    R"(usage: swizzle-run [options] BUNDLE
       swizzle-run --describe-device
       swizzle-run --check-device
       swizzle-run --probe-dispatch[=WORKGROUPS] [--trace=FILE]

Measures the variants of a kernel that lie in the folder BUNDLE, as its job.json
says, and appends one line for each to BUNDLE/results.jsonl. What is measured
already is not measured again. The format: docs/bundle.md.

  --api=cuda|hip        which driver; by default by the format of the variants
  --device=N            which GPU, from 0 on
  --only=NAME           this variant alone, beside the original
  --group=N             variants that one process measures in turns (16)
  --fresh               forgets the results that are there
  --counters[=PATH]     counts L2 hits and bytes of memory with ncu (AMD:
                        rocprofv3), found in $PATH or there, once for each
                        measured variant
  --once                runs and compares each variant once, without timing, for
                        a profiler that watches this program

  --check-device        ends with status 0 if there is a GPU to measure on; else
                        says why there is none
  --describe-device     prints the GPU as a file for hardware-file=, and ends
  --probe-dispatch[=N]  starts N workgroups that say where they run, prints the
                        GPU as --describe-device does with the order in which
                        compute units and dies get them, and ends
  --trace=FILE          with --probe-dispatch: writes which die and which compute
                        unit ran each workgroup, and when it began (schema
                        swizzle-dispatch/1)
  --help, --version     prints this, or the version, and ends

Drivers are opened while it runs: libcuda.so.1 or libamdhip64.so, or what
SWIZZLE_CUDA_DRIVER, SWIZZLE_HIP_DRIVER and SWIZZLE_NVML name. An AMD GPU's target
is told by the topology in /sys/class/kfd, or where SWIZZLE_KFD_TOPOLOGY says.

Exit status: 0 all measured, 1 some variant failed (its line says why), 2 wrong
usage or a wrong bundle, 3 no device, or it cannot run the original.
)";

int usage(const std::string &wrong) {
  std::fprintf(stderr, "swizzle-run: error: %s; --help shows the usage\n",
               wrong.c_str());
  return kWrongInput;
}

int fail(const std::string &wrong) {
  std::fprintf(stderr, "swizzle-run: error: %s\n", wrong.c_str());
  return kNoDevice;
}

bool readCount(const std::string &text, int64_t least, int64_t &out) {
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() &&
         out >= least && out <= 1 << 24;
}

/// The driver that was asked for; else CUDA's, else HIP's.
std::unique_ptr<GpuDriver> openDriver(const RunOptions &options,
                                      std::string &wrong) {
  if (options.api)
    return GpuDriver::open(*options.api, options.device, wrong);
  auto driver = GpuDriver::open(GpuApi::Cuda, options.device, wrong);
  if (driver)
    return driver;
  std::string other;
  driver = GpuDriver::open(GpuApi::Hip, options.device, other);
  wrong += "\n" + other;
  return driver;
}

struct CommandLine {
  RunOptions run;
  std::string ofBundle; ///< the first option that is about one
  bool check = false, describe = false, probe = false;
  int64_t workgroups = 0;
  std::string trace; ///< a file
};

/// Four workgroups for each compute unit, where no number is given: those after
/// the first round show the order in which units become free.
std::string probe(GpuDriver &driver, const CommandLine &line,
                  HardwareSpec &chip) {
  DispatchTrace trace;
  std::string wrong = probeDispatch(
      driver, line.workgroups ? line.workgroups : 4 * chip.numUnits(), trace);
  if (!wrong.empty())
    return wrong;
  if (!line.trace.empty()) {
    std::ofstream file(line.trace);
    file << writeDispatch(driver, trace) << std::flush;
    if (!file)
      return "'" + line.trace + "' cannot be written";
  }
  return takeDispatch(trace, chip);
}

int describe(const CommandLine &line) {
  std::string wrong;
  auto driver = openDriver(line.run, wrong);
  HardwareSpec chip;
  if (driver)
    wrong = describeDevice(*driver, chip);
  if (wrong.empty() && line.probe)
    wrong = probe(*driver, line, chip);
  if (!wrong.empty())
    return fail(wrong);
  std::fputs(writeHardware(chip).c_str(), stdout);
  return kAllMeasured;
}

/// One option; returns what is wrong with it.
std::string readOption(const std::string &option, CommandLine &line) {
  size_t equal = option.find('=');
  std::string name = option.substr(0, equal);
  std::string value = equal == option.npos ? "" : option.substr(equal + 1);
  bool has = equal != option.npos;
  int64_t number = 0;
  std::map<std::string, bool *> flags = {{"--fresh", &line.run.fresh},
                                         {"--once", &line.run.once},
                                         {"--check-device", &line.check},
                                         {"--describe-device", &line.describe}};
  for (const char *one :
       {"--fresh", "--once", "--counters", "--only", "--group"})
    if (name == one && line.ofBundle.empty())
      line.ofBundle = name;
  if (auto flag = flags.find(name); flag != flags.end()) {
    *flag->second = true;
    return has ? name + " takes no value" : "";
  }
  if (name == "--probe-dispatch") {
    line.probe = true;
    return !has || readCount(value, 1, line.workgroups)
               ? ""
               : name + " must be a number from 1 on, not '" + value + "'";
  }
  if (name == "--trace") {
    line.trace = value;
    return value.empty() ? "--trace needs the path of a file" : "";
  }
  if (name == "--counters") {
    line.run.profiler = value;
    return has && value.empty() ? "--counters= needs the path of a profiler"
                                : "";
  }
  if (name == "--api") {
    line.run.api = value == "hip" ? GpuApi::Hip : GpuApi::Cuda;
    return value == "hip" || value == "cuda"
               ? ""
               : "--api must be cuda or hip, not '" + value + "'";
  }
  if (name == "--only") {
    line.run.only = value;
    return value.empty() ? "--only needs the name of a variant" : "";
  }
  if (name == "--device" || name == "--group") {
    int64_t least = name == "--group" ? 1 : 0;
    if (!readCount(value, least, number))
      return name + " must be a number from " + std::to_string(least) +
             " on, not '" + value + "'";
    if (least)
      line.run.groupSize = size_t(number);
    else
      line.run.device = int(number);
    return "";
  }
  return "unknown option '" + option + "'";
}

} // namespace

/// What was printed is written, or the status says that it is not.
static int finish(int status) {
  if (std::fflush(stdout) == 0 && !std::ferror(stdout))
    return status;
  std::fprintf(stderr, "swizzle-run: error: cannot write '-': %s\n",
               std::strerror(errno));
  return kWrongInput;
}

int main(int argc, char **argv) {
  holdStandardStreams();
  CommandLine line;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    if (word == "--help" || word == "-h")
      return finish(std::fputs(kHelp, stdout) < 0);
    if (word == "--version")
      return finish(std::printf("swizzle-run %s\n", SWIZZLE_VERSION) < 0);
    if (word.size() > 1 && word[0] == '-') {
      if (std::string wrong = readOption(word, line); !wrong.empty())
        return usage(wrong);
    } else if (!line.run.folder.empty()) {
      return usage("two bundles, '" + line.run.folder + "' and '" + word + "'");
    } else {
      line.run.folder = word;
    }
  }
  if (!line.trace.empty() && !line.probe)
    return usage("--trace needs --probe-dispatch");
  if (line.check || line.describe || line.probe) {
    if (line.check && (line.describe || line.probe))
      return usage("--check-device describes nothing");
    if (!line.run.folder.empty() || !line.ofBundle.empty())
      return usage((line.ofBundle.empty() ? "a bundle" : line.ofBundle) +
                   " is about measuring, and nothing is measured here");
  }
  if (line.check) {
    std::string wrong;
    return openDriver(line.run, wrong) ? int(kAllMeasured) : fail(wrong);
  }
  if (line.describe || line.probe)
    return finish(describe(line));
  if (line.run.folder.empty())
    return usage("no bundle");
  return runBundle(line.run);
}
