//===- AppliedTag.cpp - What a remap leaves on its kernel -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both forms are read whatever the kernel is, as conversions carry discardable
// attributes along.
//
//===----------------------------------------------------------------------===//

#include "swizzle/IR/AppliedTag.h"
#include "swizzle/IR/CompiledFor.h"
#include "swizzle/IR/OwnDiagnostics.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace swizzle {

/// Sets such a pair, or removes it if `value` is empty.
static void writePassed(LLVM::LLVMFuncOp function, StringRef name,
                        StringRef value) {
  Builder builder(function.getContext());
  Attribute key = builder.getStringAttr(name);
  SmallVector<Attribute> entries;
  if (ArrayAttr old = function.getPassthroughAttr())
    for (Attribute entry : old) {
      auto pair = dyn_cast<ArrayAttr>(entry);
      if (!pair || pair.size() != 2 || pair[0] != key)
        entries.push_back(entry);
    }
  if (!value.empty())
    entries.push_back(
        builder.getArrayAttr({key, builder.getStringAttr(value)}));
  if (entries.empty())
    function.removePassthroughAttr();
  else
    function.setPassthroughAttr(builder.getArrayAttr(entries));
}

int64_t timesRemapped(Operation *kernel) {
  if (!kernel->hasAttr(kAppliedAttrName) &&
      readPassedThrough(kernel, kAppliedAttrName).empty())
    return 0;
  if (auto composed = kernel->getAttrOfType<IntegerAttr>(kComposedAttrName))
    return composed.getType().isInteger(64) ? composed.getInt() : 1;
  int64_t times = 1;
  StringRef text = readPassedThrough(kernel, kComposedAttrName);
  return text.getAsInteger(10, times) ? 1 : times;
}

FormulaAttr readApplied(Operation *kernel) {
  if (auto formula = kernel->getAttrOfType<FormulaAttr>(kAppliedAttrName))
    return formula;
  StringRef text = readPassedThrough(kernel, kAppliedAttrName);
  if (text.empty())
    return nullptr;
  MLIRContext *context = kernel->getContext();
  context->getOrLoadDialect<SwizzleDialect>();
  // What somebody else wrote there is no formula of ours.
  OwnDiagnostics silence(context, [](Diagnostic &) { return success(); });
  return dyn_cast_or_null<FormulaAttr>(parseAttribute(text, context));
}

StringRef readAppliedText(Operation *kernel) {
  return readApplied(kernel) ? "" : readPassedThrough(kernel, kAppliedAttrName);
}

void markApplied(Operation *kernel, FormulaAttr formula) {
  int64_t times = timesRemapped(kernel) + 1;
  if (auto function = dyn_cast<LLVM::LLVMFuncOp>(kernel)) {
    stripApplied(kernel);
    std::string text;
    llvm::raw_string_ostream(text) << Attribute(formula);
    writePassed(function, kAppliedAttrName, text);
    if (times > 1)
      writePassed(function, kComposedAttrName, std::to_string(times));
    return;
  }
  kernel->setAttr(kAppliedAttrName, formula);
  if (times > 1)
    kernel->setAttr(
        kComposedAttrName,
        IntegerAttr::get(IntegerType::get(kernel->getContext(), 64), times));
}

bool stripApplied(Operation *kernel) {
  bool any = timesRemapped(kernel) > 0;
  kernel->removeAttr(kAppliedAttrName);
  kernel->removeAttr(kComposedAttrName);
  if (auto function = dyn_cast<LLVM::LLVMFuncOp>(kernel)) {
    writePassed(function, kAppliedAttrName, "");
    writePassed(function, kComposedAttrName, "");
  }
  return any;
}

} // namespace swizzle
