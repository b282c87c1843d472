//===- Jit.cpp - Machine code of a kernel ---------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Jit.h.
//
//===----------------------------------------------------------------------===//

#include "Jit.h"
#include "swizzle/Support/RunPasses.h"

#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/ThreadSafeModule.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

namespace swizzle::host {

/// `causes` is what the session told; where there is any, `error` only names
/// what is missing.
static llvm::Error unresolved(llvm::Error error, const std::string &causes) {
  std::string message =
      "cannot be linked for the CPU: " + llvm::toString(std::move(error));
  if (!causes.empty())
    message += "; " + causes;
  return llvm::make_error<UncheckedError>(std::move(message));
}

llvm::Error addEntry(llvm::Module &module, llvm::StringRef kernel) {
  llvm::Function *function = module.getFunction(kernel);
  if (!function || function->isDeclaration())
    return llvm::make_error<UncheckedError>("the kernel has no body");
  llvm::IRBuilder<> b(module.getContext());
  auto *entry = llvm::Function::Create(
      llvm::FunctionType::get(b.getVoidTy(), {b.getPtrTy()}, false),
      llvm::GlobalValue::ExternalLinkage, kEntryName, module);
  b.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "", entry));
  llvm::SmallVector<llvm::Value *> arguments;
  for (auto [index, argument] : llvm::enumerate(function->args())) {
    if (module.getDataLayout().getTypeStoreSize(argument.getType()) > 8)
      return llvm::make_error<UncheckedError>(
          "argument " + std::to_string(index) + " is wider than 64 bits");
    llvm::Value *at =
        b.CreateConstGEP1_64(b.getInt64Ty(), entry->getArg(0), index);
    arguments.push_back(b.CreateLoad(argument.getType(), at));
    function->removeParamAttr(index, llvm::Attribute::ByVal);
  }
  b.CreateCall(function, arguments);
  b.CreateRetVoid();
  return llvm::Error::success();
}

/// Adds `code` to a fresh JIT and looks up the entry and the constants.
static llvm::Error link(llvm::orc::ThreadSafeModule code,
                        llvm::ArrayRef<std::pair<std::string, int64_t>> names,
                        llvm::orc::JITTargetMachineBuilder target,
                        JitCode &result) {
  llvm::sys::DynamicLibrary::LoadLibraryPermanently(nullptr);
  auto created = llvm::orc::LLJITBuilder()
                     .setJITTargetMachineBuilder(std::move(target))
                     .create();
  if (!created)
    return created.takeError();
  llvm::orc::LLJIT &jit = **created;
  result.jit = std::move(*created);
  auto causes = std::make_shared<std::string>();
  jit.getExecutionSession().setErrorReporter([causes](llvm::Error error) {
    *causes += (causes->empty() ? "" : "; ") + llvm::toString(std::move(error));
  });
  llvm::orc::SymbolMap symbols;
  for (auto [name, address] : runtimeFunctions())
    symbols[jit.mangleAndIntern(name)] = {
        llvm::orc::ExecutorAddr::fromPtr(address),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  if (llvm::Error error = jit.getMainJITDylib().define(
          llvm::orc::absoluteSymbols(std::move(symbols))))
    return error;
  if (llvm::Error error = jit.addIRModule(std::move(code)))
    return error;
  auto found = jit.lookup(kEntryName);
  if (!found)
    return unresolved(found.takeError(), *causes);
  result.entry = found->toPtr<void (*)(uint64_t *)>();
  for (auto &[name, bytes] : names) {
    auto address = jit.lookup(name);
    if (!address)
      return unresolved(address.takeError(), *causes);
    const char *begin = address->toPtr<const char *>();
    result.constants.push_back({begin, begin + bytes});
  }
  return llvm::Error::success();
}

llvm::Expected<JitCode> compileForHost(LoweredKernel &kernel, Compilation &c,
                                       bool optimised) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto target = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!target)
    return target.takeError();
  if (!optimised)
    target->setCodeGenOptLevel(llvm::CodeGenOptLevel::None);
  auto machine = target->createTargetMachine();
  if (!machine)
    return machine.takeError();
  auto context = std::make_unique<llvm::LLVMContext>();
  std::string name = kernel.function.getName().str();
  auto translated = translate(kernel, c, *context);
  if (!translated)
    return translated.takeError();
  std::unique_ptr<llvm::Module> code = std::move(*translated);
  code->setDataLayout((*machine)->createDataLayout());
  code->setTargetTriple((*machine)->getTargetTriple());
  if (llvm::Error error = instrument(*code, c))
    return std::move(error);
  boundRuns(*code, c);
  if (llvm::Error error = addEntry(*code, name))
    return std::move(error);
  llvm::StripDebugInfo(*code);
  std::vector<std::pair<std::string, int64_t>> names;
  for (llvm::GlobalVariable &global : code->globals())
    if (global.hasExternalLinkage() && !global.isDeclaration())
      names.push_back(
          {global.getName().str(),
           code->getDataLayout().getTypeAllocSize(global.getValueType())});
  if (optimised)
    runPasses(*code, "default<O1>", machine->get());
  JitCode result;
  if (llvm::Error error =
          link(llvm::orc::ThreadSafeModule(std::move(code), std::move(context)),
               names, std::move(*target), result))
    return std::move(error);
  return std::move(result);
}

} // namespace swizzle::host
