//===- SwizzleDialect.cpp - The swizzle dialect ---------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registration, verification, and the bridge to the formula library.
//
//===----------------------------------------------------------------------===//

#include "swizzle/IR/SwizzleDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "swizzle/IR/SwizzleDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "swizzle/IR/SwizzleAttributes.cpp.inc"

#define GET_OP_CLASSES
#include "swizzle/IR/SwizzleOps.cpp.inc"

namespace swizzle {

void SwizzleDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "swizzle/IR/SwizzleAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "swizzle/IR/SwizzleOps.cpp.inc"
      >();
}

llvm::LogicalResult
FormulaAttr::verify(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
                    llvm::StringRef text, mlir::DictionaryAttr params,
                    mlir::DictionaryAttr hardware) {
  return llvm::success();
}

llvm::LogicalResult RemapOp::verify() { return llvm::success(); }

} // namespace swizzle
