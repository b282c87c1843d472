//===- Secrets.cpp - What must not be seen --------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain search and replace. Short values are left alone: a "key" of a few
// letters, as people set for local servers that want any, is no secret, and
// replacing it would garble words.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Support/Secrets.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"

using namespace llvm;

namespace swizzle {

namespace {

constexpr size_t kShortestSecret = 8;
constexpr StringLiteral kMask = "***";

/// As in a URL: everything but letters, digits and "-._~" as %XX.
std::string percentEncode(StringRef text) {
  std::string encoded;
  for (unsigned char c : text) {
    if (isAlnum(c) || StringRef("-._~").contains(c))
      encoded += c;
    else
      encoded += "%" + utohexstr(c, /*LowerCase=*/false, /*Width=*/2);
  }
  return encoded;
}

/// "scheme://user:password@host" with "***" for user and password.
void redactUrls(std::string &text) {
  for (size_t at = text.find("://"); at != std::string::npos;
       at = text.find("://", at + 3)) {
    size_t begin = at + 3;
    size_t end = text.find_first_of("/?# \t\r\n\"'<>", begin);
    size_t user = text.substr(begin, end - begin).rfind('@');
    if (user != std::string::npos)
      text.replace(begin, user, kMask.str());
  }
}

} // namespace

void Secrets::add(StringRef secret) {
  secret = secret.trim();
  if (secret.size() < kShortestSecret)
    return;
  std::string escaped = secret.str();
  for (size_t at = escaped.find('/'); at != std::string::npos;
       at = escaped.find('/', at + 2))
    escaped.insert(at, "\\");
  for (std::string form :
       {secret.str(), percentEncode(secret), encodeBase64(secret), escaped})
    if (!is_contained(forms, form))
      forms.push_back(std::move(form));
  llvm::sort(forms, [](const std::string &a, const std::string &b) {
    return a.size() > b.size();
  });
}

std::string Secrets::redact(StringRef text) const {
  std::string result = text.str();
  for (const std::string &form : forms)
    for (size_t at = result.find(form); at != std::string::npos;
         at = result.find(form, at + kMask.size()))
      result.replace(at, form.size(), kMask.str());
  redactUrls(result);
  return result;
}

json::Object Secrets::redactTexts(json::Object object) const {
  for (auto &[key, value] : object)
    value = redactTexts(std::move(value));
  return object;
}

json::Value Secrets::redactTexts(json::Value value) const {
  if (std::optional<StringRef> text = value.getAsString())
    return redact(*text);
  if (json::Array *array = value.getAsArray())
    for (json::Value &one : *array)
      one = redactTexts(std::move(one));
  if (json::Object *object = value.getAsObject())
    value = redactTexts(std::move(*object));
  return value;
}

} // namespace swizzle
