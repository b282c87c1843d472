//===- PlainJson.h - JSON without LLVM --------------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What readers of JSON need that must not link LLVM: descriptions of devices,
// metrics and bundles are read by a program that is copied to GPU machines.
// Like every reader of these files, the functions return what is wrong, and ""
// if nothing is.
//
//   nlohmann::json root;
//   if (std::string wrong = plain::parse(text, root); !wrong.empty())
//     ... "line 3, column 7: malformed JSON: ...", "name: given twice; ..."
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_SUPPORT_PLAINJSON_H
#define SWIZZLE_SUPPORT_PLAINJSON_H

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace swizzle::plain {

/// Text to tree. Malformed text is an error, and so is a key that is given
/// twice, which JSON libraries accept in silence.
std::string parse(std::string_view text, nlohmann::json &root);

/// A value as a message shows it: short, and never the inside of a container.
std::string show(const nlohmann::json &value);

/// The tree as text with a line for each member, and a newline at the end. Text
/// that is not UTF-8 is repaired.
std::string print(const nlohmann::ordered_json &value);
/// The same on one line, without a newline.
std::string printLine(const nlohmann::ordered_json &value);

} // namespace swizzle::plain

#endif // SWIZZLE_SUPPORT_PLAINJSON_H
