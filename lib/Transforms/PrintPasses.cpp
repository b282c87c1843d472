//===- PrintPasses.cpp - What the analysis makes of a kernel --------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//
// One shell around three functions that print a kernel.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Transforms/PrintPasses.h"

#include "swizzle/Analysis/Describe/KernelHash.h"
#include "swizzle/Analysis/Describe/KernelText.h"
#include "swizzle/Analysis/Read/KernelAnalysis.h"
#include "swizzle/Kernel/JoinReads.h"
#include "swizzle/Kernel/PrintModel.h"
#include "swizzle/Lowering/LowerModule.h"

#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace swizzle {

namespace {
/// Calls `Derived::print` for each kernel of the module.
template <typename Derived>
struct PrintPass : public PassWrapper<Derived, OperationPass<ModuleOp>> {
  PrintPass() = default;
  PrintPass(const PrintPass &other)
      : PassWrapper<Derived, OperationPass<ModuleOp>>(other) {}

  StringRef getArgument() const final { return Derived::kArgument; }
  StringRef getDescription() const final { return Derived::kDescription; }
  void getDependentDialects(DialectRegistry &registry) const final {
    registerLoweringDialects(registry);
  }
  void runOnOperation() final {
    for (FunctionOpInterface kernel : findKernels(this->getOperation()))
      static_cast<Derived *>(this)->print(
          kernel, findLaunchSizes(kernel, std::nullopt, std::nullopt));
    this->markAllAnalysesPreserved();
  }
};

struct PrintModelPass : public PrintPass<PrintModelPass> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrintModelPass)
  static constexpr StringLiteral
      kArgument = "swizzle-print-model",
      kDescription = "Print what the analysis reads from each kernel";

  void print(FunctionOpInterface kernel, const LaunchSizes &sizes) {
    KernelModel model = buildKernelModel(kernel, sizes);
    joinReads(model);
    printModel(model, llvm::outs());
    for (const std::string &note : {sizes.note, sizes.contradiction})
      if (!note.empty())
        llvm::outs() << "  note: " << note << "\n";
    if (std::string wrong = verify(model); !wrong.empty()) {
      kernel->emitError("the model of this kernel is malformed: ") << wrong;
      signalPassFailure();
    }
  }
};

struct PrintLoweredPass : public PrintPass<PrintLoweredPass> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrintLoweredPass)
  static constexpr StringLiteral
      kArgument = "swizzle-print-lowered",
      kDescription = "Print each kernel as the analysis reads it, in the llvm "
                     "dialect";

  void print(FunctionOpInterface kernel, const LaunchSizes &sizes) {
    if (kernel.isExternal())
      return;
    llvm::Expected<LoweredKernel> lowered =
        lowerKernel(kernel, howToLower(kernel, sizes));
    if (lowered)
      llvm::outs() << **lowered->holder << "\n";
    else
      llvm::outs() << "// not lowered: " << llvm::toString(lowered.takeError())
                   << "\n";
  }
};

struct PrintKernelPass : public PrintPass<PrintKernelPass> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrintKernelPass)
  static constexpr StringLiteral
      kArgument = "swizzle-print-kernel",
      kDescription = "Print what an agent is shown of each kernel, and its "
                     "hash";

  PrintKernelPass() = default;
  PrintKernelPass(const PrintKernelPass &other) : PrintPass(other) {}

  void print(FunctionOpInterface kernel, const LaunchSizes &sizes) {
    llvm::outs() << "hash " << hashKernel(kernel, sizes.block) << "\n"
                 << kernelText(kernel, cap);
  }

  Option<unsigned> cap{*this, "cap",
                       llvm::cl::desc("Longest text of a kernel, in bytes"),
                       llvm::cl::init(16 * 1024)};
};
} // namespace

void registerPrintPasses() {
  PassRegistration<PrintModelPass>();
  PassRegistration<PrintLoweredPass>();
  PassRegistration<PrintKernelPass>();
}

} // namespace swizzle
