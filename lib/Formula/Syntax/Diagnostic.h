//===- Diagnostic.h - Errors that point into a formula ----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One way to say where a text is wrong: file, line, column, the line itself and
// a caret. Long lines are shown as a window around the caret, and bytes that a
// terminal could act on are masked, because the text may come from anywhere.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_FORMULA_SYNTAX_DIAGNOSTIC_H
#define SWIZZLE_LIB_FORMULA_SYNTAX_DIAGNOSTIC_H

#include "swizzle/Formula/Syntax/AST.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

namespace swizzle::formula {

/// A text and the name by which messages call it.
struct SourceText {
  llvm::StringRef text;
  llvm::StringRef fileName;
};

/// `file:line:column: error: message`, then the line and a caret.
llvm::Error errorAt(const SourceText &source, SourcePosition position,
                    const llvm::Twine &message);

/// `candidates`, those most like `name` first, joined by commas.
std::string nearestFirst(llvm::StringRef name,
                         llvm::ArrayRef<std::string> candidates);

/// The candidate that `name` is probably a misspelling of, or an empty string.
std::string nearest(llvm::StringRef name,
                    llvm::ArrayRef<std::string> candidates);

} // namespace swizzle::formula

#endif // SWIZZLE_LIB_FORMULA_SYNTAX_DIAGNOSTIC_H
