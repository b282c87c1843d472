//===- CompileService.cpp - Compile, whatever happens ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The child reads the IR from its standard input, writes the bytes to standard
// output and their description to descriptor 3; its exit status says what kind
// of failure it was (tools/swizzle-compile).
//
//===----------------------------------------------------------------------===//

#include "swizzle/Codegen/Device/CompileService.h"
#include "LinkObject.h"
#include "swizzle/Support/ChildProcess.h"
#include "swizzle/Support/Json.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace swizzle;
namespace fs = llvm::sys::fs;

static constexpr const char *kCompilerName = "swizzle-compile";
/// Exit status of the compiler if what it is asked for cannot be, and if a tool
/// or a library is not installed.
static constexpr int kUnusable = 2, kToolMissing = 3;

std::vector<std::string> swizzle::toArguments(const CompileOptions &options) {
  CompileOptions defaults;
  std::vector<std::string> arguments;
  auto add = [&](llvm::StringRef name, const llvm::Twine &value) {
    arguments.push_back(("--" + name + "=" + value).str());
  };
  if (options.emit)
    add("emit", toString(*options.emit));
  if (!options.kernel.empty())
    add("kernel", options.kernel);
  if (options.optimisation != defaults.optimisation)
    add("optimisation", llvm::Twine(options.optimisation));
  if (options.pointerAlignment != defaults.pointerAlignment)
    add("pointer-alignment", llvm::Twine(options.pointerAlignment));
  if (options.alignedVectors)
    arguments.push_back("--aligned-vectors");
  for (const std::string &library : options.deviceLibraries)
    add("device-library", library);
  if (!options.features.empty())
    add("features", options.features);
  if (!options.linker.empty())
    add("linker", options.linker);
  if (!options.bitcodeFolder.empty())
    add("device-library-folder", options.bitcodeFolder);
  return arguments;
}

llvm::StringRef swizzle::toString(CompileFailure::Kind kind) {
  switch (kind) {
  case CompileFailure::Error:
    return "error";
  case CompileFailure::Unusable:
    return "unusable";
  case CompileFailure::Crash:
    return "crash";
  case CompileFailure::Timeout:
    return "timeout";
  case CompileFailure::ToolMissing:
    return "tool-missing";
  case CompileFailure::Cancelled:
    return "cancelled";
  }
  llvm_unreachable("all kinds are listed");
}

/// The compiler beside the running program, or in $PATH; empty if it is
/// nowhere.
static std::string findCompiler() {
  static int anchor;
  std::string self = fs::getMainExecutable(kCompilerName, &anchor);
  llvm::SmallString<128> path(llvm::sys::path::parent_path(self));
  llvm::sys::path::append(path, kCompilerName);
  if (fs::can_execute(path))
    return std::string(path);
  auto found = llvm::sys::findProgramByName(kCompilerName);
  return found ? *found : "";
}

/// Path, size and time of a file: changes when the file does.
static std::string identityOf(llvm::StringRef path) {
  fs::file_status status;
  if (fs::status(path, status))
    return (path + " missing").str();
  return llvm::formatv(
      "{0} {1} {2}", path, status.getSize(),
      status.getLastModificationTime().time_since_epoch().count());
}

CompileService::CompileService(CompileServiceOptions given)
    : options(std::move(given)),
      compiler(options.compiler.empty() ? findCompiler() : options.compiler),
      cache(options.cacheFolder ? *options.cacheFolder
                                : CompileCache::defaultFolder(),
            options.cacheBytes) {
  if (LLVM_ADDRESS_SANITIZER_BUILD)
    options.memoryBytes = 0; // its shadow takes terabytes of address space
}

/// Everything that decides the bytes. Libraries that are named count by their
/// contents; of ROCm's and of the compiler, which they come with, the files.
std::string CompileService::keyOf(const CompileRequest &request) const {
  std::vector<std::string> parts = {withoutLocations(request.ir),
                                    request.target, SWIZZLE_VERSION,
                                    LLVM_VERSION_STRING, identityOf(compiler)};
  for (const std::string &argument : toArguments(request.options))
    parts.push_back(argument);
  for (const std::string &path : request.options.deviceLibraries)
    if (auto library = llvm::MemoryBuffer::getFile(path))
      parts.push_back((*library)->getBuffer().str());
  for (const char *name : {"ROCM_PATH", "HIP_DEVICE_LIB_PATH"})
    parts.push_back(llvm::sys::Process::GetEnv(name).value_or(""));
  auto rocm = device::findBitcodeFolder(request.options);
  if (!rocm)
    llvm::consumeError(rocm.takeError()); // whoever needs them says so
  else
    for (const char *name : {device::kOcml, device::kOckl})
      parts.push_back(identityOf(*rocm + "/" + name));
  std::vector<llvm::StringRef> views(parts.begin(), parts.end());
  return CompileCache::key(views);
}

/// An entry of the cache: the description, a line end, the bytes.
static std::string pack(llvm::StringRef description, llvm::StringRef bytes) {
  return (description.trim() + "\n" + bytes).str();
}

static llvm::Expected<Artifact> unpack(llvm::StringRef entry) {
  auto [description, bytes] = entry.split('\n');
  llvm::Expected<llvm::json::Value> value = parseJson(description);
  if (!value)
    return value.takeError();
  llvm::Expected<Artifact> artifact = artifactFromJSON(*value);
  if (artifact)
    artifact->bytes = bytes.str();
  return artifact;
}

/// What the compiler says went wrong, without its name in front.
static std::string messageOf(const ChildResult &result) {
  llvm::StringRef text = llvm::StringRef(result.errorTail).trim();
  text.consume_front(std::string(kCompilerName) + ": ");
  return text.empty() ? "the compiler says nothing, " + result.describe()
                      : text.str();
}

static CompileFailure failureOf(const ChildResult &result) {
  CompileFailure failure;
  failure.stderrTail = result.errorTail;
  switch (result.status) {
  case ChildResult::Exited:
    failure.kind = result.code == kToolMissing ? CompileFailure::ToolMissing
                   : result.code == kUnusable  ? CompileFailure::Unusable
                                               : CompileFailure::Error;
    failure.message = messageOf(result);
    break;
  case ChildResult::Signalled:
    failure.kind = CompileFailure::Crash;
    failure.message = "the compiler crashed: " + result.describe();
    break;
  case ChildResult::TimedOut:
    failure.kind = CompileFailure::Timeout;
    failure.message = "the compiler was " + result.describe();
    break;
  case ChildResult::TooMuchOutput:
    failure.kind = CompileFailure::Error;
    failure.message = "the compiler was " + result.describe();
    break;
  case ChildResult::Cancelled:
    failure.kind = CompileFailure::Cancelled;
    failure.message = "cancelled";
    break;
  case ChildResult::NotStarted:
    failure.kind =
        result.missing ? CompileFailure::ToolMissing : CompileFailure::Error;
    failure.message = result.error;
    break;
  }
  return failure;
}

CompileOutcome CompileService::compile(const CompileRequest &request) {
  if (compiler.empty())
    return {CompileFailure{CompileFailure::ToolMissing,
                           std::string(kCompilerName) +
                               " is neither beside this program nor in $PATH",
                           ""}};
  std::string key = keyOf(request);
  if (std::optional<std::string> entry = cache.lookup(key)) {
    if (llvm::Expected<Artifact> artifact = unpack(*entry))
      return {std::move(*artifact), /*cached=*/true};
    else // a damaged entry: what is compiled now takes its place
      llvm::consumeError(artifact.takeError());
  }

  ChildOptions child;
  child.program = compiler;
  child.arguments = {"-", "--target=" + request.target, "-o", "-",
                     "--json=/dev/fd/3"};
  for (std::string &argument : toArguments(request.options))
    child.arguments.push_back(std::move(argument));
  child.input = request.ir;
  child.timeout = options.timeout;
  child.memoryBytes = options.memoryBytes;
  child.cancel = options.cancel;
  ChildResult result = runChild(child);
  if (result.status != ChildResult::Exited || result.code != 0)
    return {failureOf(result)};
  std::string entry = pack(result.sideOutput, result.output);
  llvm::Expected<Artifact> artifact = unpack(entry);
  if (!artifact)
    return {
        CompileFailure{CompileFailure::Error,
                       compiler + ": " + llvm::toString(artifact.takeError()),
                       result.errorTail}};
  cache.store(key, entry);
  return {std::move(*artifact)};
}
