//===- ReadModule.cpp - LLVM IR that may be invalid -----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Debug information is brought up to date last: LLVM takes it for granted there
// that the module is valid. It reads such a module from a file alone.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Support/ReadModule.h"
#include "swizzle/Support/NewFile.h"
#include "swizzle/Support/ReadFile.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/AutoUpgrade.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ModuleSummaryIndex.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;

namespace swizzle {

/// The module in the text file `path`, which messages call `name`.
static std::unique_ptr<Module> readText(StringRef path, StringRef name,
                                        SMDiagnostic &problem,
                                        LLVMContext &context) {
  ParsedModuleAndIndex parsed = parseAssemblyFileWithIndexNoUpgradeDebugInfo(
      path, problem, context, /*Slots=*/nullptr,
      [](StringRef, StringRef) { return std::nullopt; });
  if (!parsed.Mod)
    return nullptr;
  std::string why;
  raw_string_ostream os(why);
  bool hasBrokenDebugInfo = false; // is no reason to refuse a module
  if (verifyModule(*parsed.Mod, &os, &hasBrokenDebugInfo)) {
    // What is wrong, and with what; it may be wrong many times.
    auto [what, others] = StringRef(why).trim().split('\n');
    problem = SMDiagnostic(
        name, SourceMgr::DK_Error,
        ("no valid LLVM IR: " + what + " " + others.split('\n').first.trim())
            .str());
    return nullptr;
  }
  parsed.Mod->setModuleIdentifier(name);
  if (parsed.Mod->getSourceFileName() == path)
    parsed.Mod->setSourceFileName(name);
  UpgradeDebugInfo(*parsed.Mod);
  return std::move(parsed.Mod);
}

std::unique_ptr<Module> readModule(MemoryBufferRef buffer,
                                   SMDiagnostic &problem,
                                   LLVMContext &context) {
  StringRef text = buffer.getBuffer();
  if (isBitcode(text.bytes_begin(), text.bytes_end()))
    return parseIR(buffer, problem, context);
  Expected<NewFile> file = NewFile::createTemporary("swizzle", ".ll");
  Error error = file ? file->write(text) : file.takeError();
  if (error) {
    // It is in memory still; invalid modules alone are told of less well.
    consumeError(std::move(error));
    return parseIR(buffer, problem, context);
  }
  return readText(file->path(), buffer.getBufferIdentifier(), problem, context);
}

std::unique_ptr<Module> readModuleFile(StringRef path, SMDiagnostic &problem,
                                       LLVMContext &context) {
  Expected<std::unique_ptr<MemoryBuffer>> file =
      readWholeInput(path, kDataLimit);
  if (!file) {
    problem = SMDiagnostic(path, SourceMgr::DK_Error,
                           "Could not open input file: " +
                               toString(file.takeError()));
    return nullptr;
  }
  StringRef text = (*file)->getBuffer();
  if (!sys::fs::is_regular_file(path) ||
      isBitcode(text.bytes_begin(), text.bytes_end()))
    return readModule((*file)->getMemBufferRef(), problem, context);
  return readText(path, path, problem, context);
}

} // namespace swizzle
