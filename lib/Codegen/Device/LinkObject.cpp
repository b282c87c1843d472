//===- LinkObject.cpp - ld.lld and the ROCm device libraries --------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// AMD's loader takes a shared object. lld makes one of the object; it and the
// device libraries are found without a ROCm installation, where Debian and ROCm
// put them, and where the environment says.
//
//===----------------------------------------------------------------------===//

#include "LinkObject.h"
#include "swizzle/Support/ChildProcess.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace swizzle;
using namespace swizzle::device;
namespace sys = llvm::sys;

char MissingToolError::ID;

static std::string join(llvm::StringRef folder, llvm::StringRef rest) {
  llvm::SmallString<128> path(folder);
  sys::path::append(path, rest);
  return std::string(path);
}

/// $ROCM_PATH, and where ROCm installs itself.
static std::vector<std::string> rocmFolders() {
  std::vector<std::string> folders;
  if (auto path = sys::Process::GetEnv("ROCM_PATH"); path && !path->empty())
    folders.push_back(*path);
  folders.push_back("/opt/rocm");
  return folders;
}

/// The first of `candidates` for which `fits`, or the error that says where
/// `what` was looked for.
template <typename Fits>
static llvm::Expected<std::string>
firstOf(llvm::ArrayRef<std::string> candidates, Fits fits,
        const llvm::Twine &what) {
  std::string searched;
  for (const std::string &candidate : candidates) {
    if (fits(candidate))
      return candidate;
    searched += (searched.empty() ? "" : ", ") + candidate;
  }
  return llvm::make_error<MissingToolError>(
      (what + "; looked for it at " + searched).str());
}

llvm::Expected<std::string>
swizzle::device::findBitcodeFolder(const CompileOptions &options) {
  auto fits = [](llvm::StringRef folder) {
    return sys::fs::exists(join(folder, kOcml)) &&
           sys::fs::exists(join(folder, kOckl));
  };
  std::vector<std::string> candidates;
  if (!options.bitcodeFolder.empty()) {
    candidates.push_back(options.bitcodeFolder);
  } else {
    if (auto path = sys::Process::GetEnv("HIP_DEVICE_LIB_PATH");
        path && !path->empty())
      candidates.push_back(*path);
    for (const std::string &folder : rocmFolders())
      candidates.push_back(join(folder, "amdgcn/bitcode"));
    for (llvm::StringRef folder : {SWIZZLE_MULTIARCH_LIBRARY_DIR, "/usr/lib"})
      candidates.push_back(join(folder, "amdgcn/bitcode"));
    candidates.push_back(
        join(SWIZZLE_LLVM_LIBRARY_DIR, "clang/22/amdgcn/bitcode"));
  }
  return firstOf(candidates, fits,
                 "the kernel needs the ROCm device libraries (ocml.bc, "
                 "ockl.bc): install rocm-device-libs or name their folder with "
                 "--device-library-folder");
}

static llvm::Expected<std::string> findLinker(const CompileOptions &options) {
  std::vector<std::string> candidates;
  if (!options.linker.empty()) {
    candidates.push_back(options.linker);
  } else {
    candidates.push_back(join(SWIZZLE_LLVM_TOOLS_DIR, "ld.lld"));
    for (const char *name : {"ld.lld-22", "ld.lld"})
      if (auto path = sys::findProgramByName(name))
        candidates.push_back(*path);
    for (const std::string &folder : rocmFolders())
      candidates.push_back(join(folder, "llvm/bin/ld.lld"));
  }
  return firstOf(
      candidates,
      [](llvm::StringRef path) { return sys::fs::can_execute(path); },
      "ld.lld is needed to link a code object: install lld-22 or name it with "
      "--linker");
}

llvm::Expected<std::string>
swizzle::device::linkCodeObject(llvm::StringRef object,
                                const CompileOptions &options) {
  llvm::Expected<std::string> linker = findLinker(options);
  if (!linker)
    return linker.takeError();
  ChildOptions child;
  child.program = *linker;
  child.arguments = {"-flavor",    "gnu", "-shared", "--no-undefined",
                     "/dev/stdin", "-o",  "-"};
  child.input = object;
  ChildResult result = runChild(child);
  if (result.status == ChildResult::NotStarted)
    return llvm::make_error<MissingToolError>(result.error);
  if (result.status != ChildResult::Exited || result.code != 0)
    return llvm::createStringError(*linker + ": " + result.describe() + "\n" +
                                   result.errorTail);
  if (result.output.empty())
    return llvm::createStringError(*linker + " wrote no code object");
  return std::move(result.output);
}
