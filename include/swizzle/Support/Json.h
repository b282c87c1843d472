//===- Json.h - Reading untrusted JSON --------------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's JSON reader recurses, so a body of a million brackets would overflow
// the stack; this bounds the nesting first. Also the few shorthands that our
// formats share.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_SUPPORT_JSON_H
#define SWIZZLE_SUPPORT_JSON_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/JSON.h"

namespace swizzle {

/// Visits the characters of JSON text that stand outside of strings, with their
/// places, from the first on and until `visit` is false. Returns the place
/// where it ended, `text.size()` at most.
size_t walkOutsideStrings(llvm::StringRef text,
                          llvm::function_ref<bool(size_t, char)> visit);

/// True if lists and objects nest deeper than `most`.
bool isTooDeep(llvm::StringRef text, unsigned most);

/// A key that an object of valid JSON has twice, as it is written; LLVM's
/// reader takes the last.
std::optional<std::string> findRepeatedKey(llvm::StringRef text);

/// Parses `text`; the error is one line without the text itself.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text);

/// As `parseJson`, for what people write by hand: a key that stands twice in an
/// object is an error, too.
llvm::Expected<llvm::json::Value> parseStrictJson(llvm::StringRef text);

/// A text as a list of its lines, so that a changed line is a changed line in a
/// diff. `joinLines` is the inverse.
llvm::json::Value splitLines(llvm::StringRef text);
std::optional<std::string> joinLines(const llvm::json::Value *lines);

/// One line, object members sorted by name.
std::string toText(const llvm::json::Value &value);

/// As `toText`, with the JSON text `schema` in place of each member `schema` or
/// `answer_schema` that is null. A schema's properties have an order, in which
/// models write them, and LLVM's objects have none.
std::string toText(const llvm::json::Value &value, llvm::StringRef schema);

/// `text` as valid UTF-8 in one line of at most `limit` bytes, for messages:
/// control characters become spaces.
std::string excerpt(llvm::StringRef text, size_t limit = 200);

} // namespace swizzle

#endif // SWIZZLE_SUPPORT_JSON_H
