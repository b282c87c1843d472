//===- swizzle-compile.cpp - Compile one kernel for a GPU -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thin main over compileForDevice(). With limits, with another compiler or
// with a cache it compiles as swizzle-tune does: in a child process.
//
//===----------------------------------------------------------------------===//

#include "../common/About.h"
#include "../common/Range.h"
#include "../common/StandardOutput.h"
#include "swizzle/Codegen/Device/CompileService.h"
#include "swizzle/Codegen/Device/DeviceCompiler.h"
#include "swizzle/Hardware/Database.h"
#include "swizzle/Import/ImportModule.h"
#include "swizzle/Support/FileRoles.h"
#include "swizzle/Support/ReadFile.h"
#include "swizzle/Support/WriteFile.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"

using namespace swizzle;
namespace cl = llvm::cl;

static cl::OptionCategory category("swizzle-compile options");

static cl::opt<std::string> file(cl::Positional, cl::init("-"),
                                 cl::desc("FILE.mlir | FILE.ll | FILE.bc | -"),
                                 cl::cat(category));
static cl::opt<std::string>
    targetName("target", cl::value_desc("arch"),
               cl::desc("what to compile for: sm_90, gfx942, gfx942:xnack-"),
               cl::cat(category));
static cl::opt<std::string> chip("chip", cl::value_desc("name"),
                                 cl::desc("the target of this chip: mi300x"),
                                 cl::cat(category));
static cl::opt<std::string>
    hardwareFile("hardware-file", cl::value_desc("path"),
                 cl::desc("the target of a chip described by a file of your "
                          "own"),
                 cl::cat(category));
static cl::opt<std::string>
    kernel("kernel", cl::value_desc("name"),
           cl::desc("only this kernel (`k`, or `module::k`)"),
           cl::cat(category));
static cl::opt<ArtifactKind> emitKind(
    "emit", cl::desc("what to write; by default ptx or hsaco"),
    cl::values(clEnumValN(ArtifactKind::PTX, "ptx", "NVIDIA: PTX"),
               clEnumValN(ArtifactKind::HSACO, "hsaco", "AMD: a code object"),
               clEnumValN(ArtifactKind::Assembly, "asm", "AMD: assembly"),
               clEnumValN(ArtifactKind::LLVM, "llvm", "optimised LLVM IR")),
    cl::cat(category));
static cl::opt<std::string> output("o", cl::init("-"), cl::value_desc("file"),
                                   cl::desc("where to (default: -)"),
                                   cl::cat(category));
static cl::opt<std::string> json(
    "json", cl::ValueOptional, cl::value_desc("file"),
    cl::desc("describes what was made (schema swizzle-compile/1) there, by "
             "default on standard output"),
    cl::cat(category));
static cl::opt<unsigned> optimisation("optimisation", cl::init(3),
                                      cl::value_desc("0-3"),
                                      cl::desc("LLVM's -O level (default: 3)"),
                                      cl::cat(category));
static cl::alias optimisationAlias("O", cl::Prefix, cl::aliasopt(optimisation),
                                   cl::desc("the same"), cl::cat(category));
static cl::opt<unsigned>
    pointerAlignment("pointer-alignment", cl::init(16), cl::value_desc("bytes"),
                     cl::desc("what buffers are aligned to; 1 assumes nothing "
                              "(default: 16)"),
                     cl::cat(category));
static cl::opt<bool> alignedVectors(
    "aligned-vectors",
    cl::desc("vector accesses are aligned to their whole size, always"),
    cl::cat(category));
static cl::list<std::string>
    deviceLibraries("device-library", cl::value_desc("file"),
                    cl::desc("bitcode or LLVM IR with functions that kernels "
                             "call, libdevice.10.bc for one"),
                    cl::cat(category));
static cl::opt<std::string>
    features("features", cl::value_desc("list"),
             cl::desc("further features of the back end: +ptx80"),
             cl::cat(category));
static cl::opt<std::string> linker("linker", cl::value_desc("file"),
                                   cl::desc("ld.lld, where it is not found"),
                                   cl::cat(category));
static cl::opt<std::string> bitcodeFolder(
    "device-library-folder", cl::value_desc("folder"),
    cl::desc("the ROCm device libraries, where they are not found"),
    cl::cat(category));

static cl::OptionCategory childCategory("in a child process");
static cl::opt<double>
    timeout("timeout", cl::value_desc("seconds"),
            cl::desc("compiles in a child process that is killed after this"),
            cl::cat(childCategory));
static cl::opt<unsigned>
    memoryLimit("memory-limit", cl::value_desc("MiB"),
                cl::desc("compiles in a child process with so much memory"),
                cl::cat(childCategory));
static cl::opt<std::string>
    compiler("compiler", cl::value_desc("program"),
             cl::desc("the program to run instead of swizzle-compile itself"),
             cl::cat(childCategory));
static cl::opt<std::string>
    cacheFolder("cache", cl::ValueOptional, cl::value_desc("folder"),
                cl::desc("keeps what was compiled there, by default in "
                         "$XDG_CACHE_HOME/swizzle; says so in --json"),
                cl::cat(childCategory));
static cl::opt<unsigned>
    cacheSize("cache-size", cl::init(1024), cl::value_desc("MiB"),
              cl::desc("the cache's limit (default: 1024)"),
              cl::cat(childCategory));

static constexpr const char *kOverview =
    "compiles a GPU kernel in MLIR or LLVM IR to what a driver loads\n\n"
    "  swizzle-compile kernel.mlir --target=sm_90 -o kernel.ptx\n"
    "  swizzle-compile kernel.mlir --target=gfx942 -o kernel.hsaco --json\n\n"
    "  Exit status: 0 done; 1 the kernel cannot be compiled; 2 input or "
    "options\n"
    "  cannot be read or used; 3 a program or a library is not installed; 4 "
    "the\n"
    "  child process crashed, ran out of time or of memory.\n";

enum Status { Done, Refused, Unusable, Missing, Died };

static int fail(const llvm::Twine &message, Status status) {
  llvm::errs() << "swizzle-compile: " << message << '\n';
  return status;
}

/// Where --json goes: to standard output without a file.
static llvm::StringRef jsonPath() {
  if (!json.getNumOccurrences())
    return "";
  return json.empty() ? "-" : llvm::StringRef(json);
}

static int write(const Artifact &artifact, llvm::json::Object description) {
  std::vector<WholeFile> files{
      {"", output, std::string(artifact.bytes.data(), artifact.bytes.size())}};
  if (llvm::StringRef path = jsonPath(); !path.empty())
    files.push_back(
        {"", path.str(),
         llvm::formatv("{0}\n", llvm::json::Value(std::move(description)))});
  if (llvm::Error error = writeFilesWhole(files))
    return fail(llvm::toString(std::move(error)), Unusable);
  return Done;
}

static llvm::Expected<Target> chooseTarget() {
  if (!targetName.empty())
    return parseTarget(targetName);
  llvm::Expected<HardwareSpec> hardware =
      chip.empty() ? readChipFile(hardwareFile) : findChip(chip);
  if (!hardware)
    return hardware.takeError();
  return targetOf(*hardware);
}

static CompileOptions readOptions() {
  CompileOptions options;
  if (emitKind.getNumOccurrences())
    options.emit = emitKind;
  options.kernel = kernel;
  options.optimisation = optimisation;
  options.pointerAlignment = pointerAlignment;
  options.alignedVectors = alignedVectors;
  options.deviceLibraries = deviceLibraries;
  options.features = features;
  options.linker = linker;
  options.bitcodeFolder = bitcodeFolder;
  return options;
}

static int write(llvm::Expected<Artifact> artifact) {
  if (artifact)
    return write(*artifact, toJSON(*artifact));
  Status status = artifact.errorIsA<MissingToolError>()     ? Missing
                  : artifact.errorIsA<UnknownKernelError>() ? Unusable
                                                            : Refused;
  return fail(llvm::toString(artifact.takeError()), status);
}

/// In this process; what MLIR says of a malformed file is printed by its
/// parser.
static int compileHere(const Target &target) {
  mlir::DialectRegistry registry;
  registerDeviceDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto buffer = readModuleText(file);
  if (!buffer)
    return fail(llvm::toString(buffer.takeError()), Unusable);
  if (isLLVMFile(file))
    return write(compileForDevice((*buffer)->getMemBufferRef(), context, target,
                                  readOptions()));
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  mlir::OwningOpRef<mlir::ModuleOp> module;
  {
    mlir::SourceMgrDiagnosticHandler handler(sources, &context);
    module = mlir::parseSourceFile<mlir::ModuleOp>(sources, &context);
  }
  if (!module)
    return Unusable;
  return write(compileForDevice(*module, target, readOptions()));
}

/// In a child process, through the cache.
static int compileInChild(const Target &target) {
  auto buffer = readWholeInput(file, kDataLimit);
  if (!buffer)
    return fail(file + ": " + llvm::toString(buffer.takeError()), Unusable);
  CompileServiceOptions limits;
  limits.compiler = compiler;
  if (timeout.getNumOccurrences())
    limits.timeout =
        std::chrono::milliseconds(int64_t(timeout.getValue() * 1000));
  if (memoryLimit.getNumOccurrences())
    limits.memoryBytes = uint64_t(memoryLimit) << 20;
  if (!cacheFolder.getNumOccurrences())
    limits.cacheFolder = "";
  else if (!cacheFolder.empty())
    limits.cacheFolder = cacheFolder;
  limits.cacheBytes = uint64_t(cacheSize) << 20;
  CompileService service(limits);
  CompileRequest request;
  request.ir = (*buffer)->getBuffer().str();
  request.target = target.str();
  request.options = readOptions();
  CompileOutcome outcome = service.compile(request);
  CacheStatistics statistics = service.cacheStatistics();
  if (statistics.notStored)
    llvm::errs() << "swizzle-compile: warning: not kept in the cache: "
                 << statistics.whyNotStored << '\n';
  if (const Artifact *artifact = outcome.artifact()) {
    llvm::json::Object description = toJSON(*artifact);
    description["cached"] = outcome.cached;
    return write(*artifact, std::move(description));
  }
  const CompileFailure &failure = *outcome.failure();
  std::string text = (toString(failure.kind) + ": " + failure.message).str();
  switch (failure.kind) {
  case CompileFailure::Error:
    return fail(text, Refused);
  case CompileFailure::Unusable:
    return fail(text, Unusable);
  case CompileFailure::ToolMissing:
    return fail(text, Missing);
  default:
    llvm::errs() << failure.stderrTail;
    return fail(text, Died);
  }
}

int main(int argc, char **argv) {
  InitTool init(argc, argv, "swizzle-compile");
  About about("swizzle-compile", category);
  cl::HideUnrelatedOptions({&category, &childCategory});
  if (!cl::ParseCommandLineOptions(argc, argv, kOverview, &llvm::errs()))
    return Unusable;
  if (llvm::Error error = checkEmpty(argc, argv))
    return fail(llvm::toString(std::move(error)), Unusable);
  if (int(!targetName.empty()) + int(!chip.empty()) +
          int(!hardwareFile.empty()) !=
      1)
    return fail("give one of --target=ARCH (sm_90, gfx942), --chip=NAME and "
                "--hardware-file=PATH",
                Unusable);
  if (optimisation > 3)
    return fail("--optimisation must be 0 to 3", Unusable);
  if (!llvm::isPowerOf2_32(pointerAlignment))
    return fail("--pointer-alignment must be a power of two", Unusable);
  if (cacheSize.getNumOccurrences() && !cacheFolder.getNumOccurrences())
    return fail("--cache-size needs --cache", Unusable);
  if (timeout.getNumOccurrences() && !(timeout > 0))
    return fail("--timeout must be more than 0 seconds", Unusable);
  if (llvm::Error error =
          checkRanges({{"timeout", timeout, 0, kLongestSeconds}}))
    return fail(llvm::toString(std::move(error)), Unusable);
  if (llvm::Error error =
          checkDistinct({{"the input", file, false},
                         {"the chip's description", hardwareFile, false},
                         {"the output", output, true},
                         {"the description of --json", json, true}}))
    return fail(llvm::toString(std::move(error)), Unusable);
  if (isStandardOutput(output) && isStandardOutput(jsonPath()))
    return fail("only one of --json and -o - can have standard output; name a "
                "file for one (--json=FILE, -o FILE)",
                Unusable);
  llvm::Expected<Target> target = chooseTarget();
  if (!target)
    return fail(llvm::toString(target.takeError()), Unusable);
  bool child = timeout.getNumOccurrences() || memoryLimit.getNumOccurrences() ||
               compiler.getNumOccurrences() || cacheFolder.getNumOccurrences();
  if (child && isLLVMFile(file))
    return fail(file + ": LLVM IR is compiled in this process; drop --timeout, "
                       "--memory-limit, --compiler and --cache",
                Unusable);
  return child ? compileInChild(*target) : compileHere(*target);
}
