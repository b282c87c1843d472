//===- Secrets.h - What must not be seen ------------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keys are read from the environment right before they are used and are never
// stored in options. Text that comes from outside (a server's error message,
// the end of a program's stderr, an answer, a hint) may quote one all the same;
// whatever is shown or written down passes through here first.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_SUPPORT_SECRETS_H
#define SWIZZLE_SUPPORT_SECRETS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace swizzle {

class Secrets {
public:
  /// Nothing happens for texts of fewer than eight characters.
  void add(llvm::StringRef secret);
  /// Texts in `value` that may be keys: without white space, with a digit, and
  /// long. Other words, as "balanced", are those of any sentence, too.
  void addTexts(const llvm::json::Value &value);
  /// The values in the query of `url`.
  void addUrl(llvm::StringRef url);

  /// `text` with every secret replaced by `***`, as it is, percent- or
  /// base64-encoded, or with escapes as JSON may have them, and with the
  /// password of every URL. So is the beginning of a key, from 12 characters
  /// on.
  std::string redact(llvm::StringRef text) const;
  /// The same with all texts in `value`; the keys of objects are as they were.
  llvm::json::Value redactTexts(llvm::json::Value value) const;
  llvm::json::Object redactTexts(llvm::json::Object object) const;

private:
  /// Where secrets begin and end in `text`, in order; they may overlap.
  std::vector<std::pair<size_t, size_t>> find(llvm::StringRef text) const;

  std::vector<std::string> forms; ///< without JSON's escapes
};

} // namespace swizzle

#endif // SWIZZLE_SUPPORT_SECRETS_H
