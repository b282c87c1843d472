//===- Reader.h - Members of a JSON object, each judged ---------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes members of one object by name. The first that does not fit is kept in
// `wrong`, with the path of the field and what is allowed.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_BUNDLE_READER_H
#define SWIZZLE_LIB_BUNDLE_READER_H

#include "swizzle/Support/PlainJson.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

namespace swizzle::bundle {

using nlohmann::json;

/// Takes members of one object by name; `finish` refuses those that nobody
/// took.
class Reader {
public:
  Reader(const json &tree, std::string path)
      : tree(tree), path(std::move(path)) {
    if (!tree.is_object())
      wrong = (this->path.empty() ? "the file" : this->path) + ": " +
              plain::show(tree) + " is not allowed; it must be an object";
  }

  std::string at(const std::string &key) const {
    return path.empty() ? key : path + "." + key;
  }
  void fail(const std::string &key, const json &value,
            const std::string &allowed) {
    if (wrong.empty())
      wrong = at(key) + ": " + plain::show(value) +
              " is not allowed; it must be " + allowed;
  }

  /// The member, or nullptr; one that is required and missing is an error.
  const json *take(const std::string &key, bool required = true) {
    taken.insert(key);
    if (!wrong.empty())
      return nullptr;
    auto it = tree.find(key);
    if (it != tree.end())
      return &*it;
    if (required)
      wrong = at(key) + ": missing";
    return nullptr;
  }

  void text(const char *key, std::string &out, bool required = true) {
    const json *value = take(key, required);
    if (value && !value->is_string())
      fail(key, *value, "a text");
    else if (value)
      out = value->get<std::string>();
  }
  void name(const char *key, std::string &out) {
    text(key, out);
    if (wrong.empty() && out.empty())
      fail(key, out, "a text that is not empty");
  }
  static bool isInteger(const json &value, int64_t least, int64_t most) {
    bool tooLarge = value.is_number_unsigned() &&
                    value.get<uint64_t>() > uint64_t(INT64_MAX);
    return value.is_number_integer() && !tooLarge &&
           value.get<int64_t>() >= least && value.get<int64_t>() <= most;
  }
  void integer(const char *key, int64_t &out, int64_t least, int64_t most,
               bool required = true) {
    const json *value = take(key, required);
    if (value && !isInteger(*value, least, most))
      fail(key, *value,
           "an integer from " + std::to_string(least) + " to " +
               std::to_string(most));
    else if (value)
      out = value->get<int64_t>();
  }
  void number(const char *key, double &out) {
    const json *value = take(key, false);
    if (value && !(value->is_number() && value->get<double>() >= 0))
      fail(key, *value, "a number from 0 on");
    else if (value)
      out = value->get<double>();
  }
  /// The same, with an end.
  void number(const char *key, double &out, double most) {
    const json *value = take(key, false);
    if (value && !(value->is_number() && value->get<double>() >= 0 &&
                   value->get<double>() <= most))
      fail(key, *value,
           "a number from 0 to " +
               (most < 1 ? json(most) : json(int64_t(most))).dump());
    else if (value)
      out = value->get<double>();
  }
  /// One that has to be there, finite and more than 0.
  void positive(const char *key, double &out) {
    const json *value = take(key);
    if (value && !(value->is_number() && value->get<double>() > 0 &&
                   std::isfinite(value->get<double>())))
      fail(key, *value, "a finite number above 0");
    else if (value)
      out = value->get<double>();
  }
  void truth(const char *key, bool &out) {
    const json *value = take(key, false);
    if (value && !value->is_boolean())
      fail(key, *value, "true or false");
    else if (value)
      out = value->get<bool>();
  }
  /// One of the words of an enumeration, which `read` knows.
  template <typename Enum, typename Read>
  void word(const char *key, Enum &out, Read read, const char *allowed) {
    std::string spelt;
    text(key, spelt);
    if (!wrong.empty())
      return;
    if (auto value = read(spelt))
      out = *value;
    else
      fail(key, spelt, allowed);
  }
  /// Calls `readOne(element, path)` for each element of a list that is not
  /// empty; it returns what is wrong.
  template <typename Fn>
  void list(const char *key, size_t least, Fn readOne, bool required = true) {
    const json *value = take(key, required);
    if (!value)
      return;
    if (!value->is_array() || value->size() < least)
      return fail(key, *value, least ? "a list that is not empty" : "a list");
    for (size_t i = 0; i < value->size() && wrong.empty(); ++i)
      wrong = readOne((*value)[i], at(key) + "[" + std::to_string(i) + "]");
  }

  std::string finish() {
    for (auto it = tree.begin(); wrong.empty() && it != tree.end(); ++it)
      if (!taken.count(it.key()))
        wrong = at(it.key()) + ": unknown field";
    return wrong;
  }

  std::string wrong;

private:
  const json &tree;
  std::string path;
  std::set<std::string> taken;
};

} // namespace swizzle::bundle

#endif // SWIZZLE_LIB_BUNDLE_READER_H
