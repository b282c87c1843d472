//===- Translate.cpp - A lowered kernel as LLVM IR ------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Messages name operations of the user, but instrumentation works on LLVM IR.
// So every operation's location becomes a number before the translation, which
// is the line of the debug location there.
//
//===----------------------------------------------------------------------===//

#include "Compilation.h"

#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace mlir;

namespace swizzle::host {

std::string describe(Location location) {
  if (auto file = dyn_cast<FileLineColLoc>(location))
    return file.getFilename().str() + ":" + std::to_string(file.getLine()) +
           ":" + std::to_string(file.getColumn());
  if (auto name = dyn_cast<NameLoc>(location))
    return describe(name.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(location))
    return describe(call.getCallee());
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location part : fused.getLocations())
      if (std::string text = describe(part); text != "unknown location")
        return text;
  return "unknown location";
}

llvm::Error makeUnchecked(const Origin &origin, const llvm::Twine &why) {
  std::string text = "op " + origin.op + " at " + origin.location;
  if (std::string reason = why.str(); !reason.empty())
    text += ": " + reason;
  return llvm::make_error<UncheckedError>(text);
}

Origin Compilation::originOf(const llvm::Instruction &instruction) const {
  const llvm::DILocation *location = instruction.getDebugLoc();
  if (location && location->getLine() && location->getLine() <= origins.size())
    return origins[location->getLine() - 1];
  Origin origin;
  auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  origin.op = callee
                  ? callee->getName().str()
                  : ("llvm." + llvm::Twine(instruction.getOpcodeName())).str();
  return origin;
}

uint32_t Compilation::addSite(const llvm::Instruction &instruction,
                              AccessKind kind, int64_t bytes) {
  Origin origin = originOf(instruction);
  HostSite site;
  site.location = std::move(origin.location);
  site.op = std::move(origin.op);
  site.kind = kind;
  site.bytes = bytes;
  sites.push_back(std::move(site));
  return sites.size() - 1;
}

llvm::Constant *makeAddress(llvm::IRBuilderBase &b, const void *address) {
  return llvm::ConstantExpr::getIntToPtr(
      b.getInt64(reinterpret_cast<uintptr_t>(address)), b.getPtrTy());
}

llvm::CallInst *callRuntime(llvm::IRBuilderBase &b, const Compilation &c,
                            llvm::StringRef name,
                            llvm::ArrayRef<llvm::Value *> arguments) {
  llvm::SmallVector<llvm::Value *, 6> all{makeAddress(b, c.workgroup)};
  all.append(arguments.begin(), arguments.end());
  llvm::SmallVector<llvm::Type *, 6> types;
  for (llvm::Value *argument : all)
    types.push_back(argument->getType());
  llvm::FunctionCallee function =
      b.GetInsertBlock()->getModule()->getOrInsertFunction(
          name, llvm::FunctionType::get(b.getVoidTy(), types, false));
  return b.CreateCall(function, all);
}

/// Replaces each location by its number.
static void numberLocations(Operation *root, Compilation &c) {
  MLIRContext *context = root->getContext();
  llvm::DenseMap<std::pair<Location, StringRef>, unsigned> numbers;
  root->walk([&](Operation *op) {
    StringRef name = originalOperation(op->getLoc());
    if (name.empty())
      name = op->getName().getStringRef();
    if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op);
        call && name == op->getName().getStringRef())
      name = call.getIntrin();
    auto [found, isNew] =
        numbers.try_emplace({op->getLoc(), name}, c.origins.size() + 1);
    if (isNew)
      c.origins.push_back({describe(op->getLoc()), name.str()});
    op->setLoc(FileLineColLoc::get(context, "kernel", found->second, 1));
  });
}

llvm::Expected<std::unique_ptr<llvm::Module>>
translate(LoweredKernel &kernel, Compilation &c, llvm::LLVMContext &context) {
  Operation *module = kernel.function->getParentOp();
  numberLocations(module, c);
  std::string message;
  ScopedDiagnosticHandler handler(module->getContext(), [&](Diagnostic &d) {
    if (!message.empty() || d.getSeverity() != DiagnosticSeverity::Error)
      return success();
    message = "cannot be translated to LLVM IR: " + d.str();
    auto line = d.getLocation()->findInstanceOf<FileLineColLoc>();
    if (line && line.getLine() && line.getLine() <= c.origins.size()) {
      const Origin &origin = c.origins[line.getLine() - 1];
      message = "op " + origin.op + " at " + origin.location + ": " + message;
    }
    return success();
  });
  // Lines are kept only where functions have a scope.
  PassManager manager(module->getContext());
  manager.enableVerifier(false);
  manager.addPass(LLVM::createDIScopeForLLVMFuncOpPass());
  std::unique_ptr<llvm::Module> code;
  if (succeeded(manager.run(*kernel.holder)))
    code = translateModuleToLLVMIR(module, context, "kernel",
                                   /*disableVerification=*/true);
  if (code)
    return code;
  return llvm::make_error<UncheckedError>(
      message.empty() ? "cannot be translated to LLVM IR" : message);
}

} // namespace swizzle::host
