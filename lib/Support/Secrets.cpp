//===- Secrets.cpp - What must not be seen --------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Search and replace, in the text as it reads once the escapes of JSON are
// gone: what is written down may be a part of JSON, or be read as JSON later.
// Short values are left alone: a "key" of a few letters, as people set for
// local servers that want any, is no secret, and replacing it would garble
// words.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Support/Secrets.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/ConvertUTF.h"

using namespace llvm;

namespace swizzle {

namespace {

constexpr size_t kShortestSecret = 8;
/// How much of a key shows that it is one, where the rest is cut off.
constexpr size_t kShortestPrefix = 12;
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

bool looksLikeKey(StringRef text) {
  return text.size() >= kShortestPrefix && none_of(text, isSpace) &&
         any_of(text, isDigit) && any_of(text, isAlpha);
}

/// The inverse of `percentEncode`; what is no %XX stays.
std::string percentDecode(StringRef text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    uint8_t byte;
    if (text[i] == '%' && i + 2 < text.size() &&
        !text.substr(i + 1, 2).getAsInteger(16, byte)) {
      decoded += char(byte);
      i += 2;
    } else {
      decoded += text[i];
    }
  }
  return decoded;
}

/// A text without the escapes of JSON, in however many layers, and where each
/// of its bytes begins in the text as it was; one more place is its end.
struct Unescaped {
  std::string text;
  std::vector<size_t> places;

  explicit Unescaped(StringRef escaped);
};

Unescaped::Unescaped(StringRef escaped) {
  for (size_t i = 0; i < escaped.size();) {
    size_t begin = i;
    i = std::min(escaped.find_first_not_of('\\', i), escaped.size());
    char c = i < escaped.size() ? escaped[i++] : '\\';
    char utf8[UNI_MAX_UTF8_BYTES_PER_CODE_POINT], *end = utf8;
    uint16_t code;
    size_t kind = StringRef("bfnrt").find(c);
    if (i - begin > 1 && c == 'u' && i + 4 <= escaped.size() &&
        !escaped.substr(i, 4).getAsInteger(16, code) &&
        ConvertCodePointToUTF8(code, end))
      i += 4;
    else if (i - begin > 1 && kind != StringRef::npos)
      *end++ = "\b\f\n\r\t"[kind];
    else
      *end++ = c;
    text.append(utf8, end);
    places.insert(places.end(), end - utf8, begin);
  }
  places.push_back(escaped.size());
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
  for (const std::string &form :
       {secret.str(), percentEncode(secret), encodeBase64(secret)}) {
    std::string text = Unescaped(form).text;
    if (!is_contained(forms, text))
      forms.push_back(std::move(text));
  }
}

void Secrets::addTexts(const json::Value &value) {
  if (std::optional<StringRef> text = value.getAsString())
    if (looksLikeKey(*text))
      add(*text);
  if (const json::Array *array = value.getAsArray())
    for (const json::Value &one : *array)
      addTexts(one);
  if (const json::Object *object = value.getAsObject())
    for (const auto &[key, member] : *object)
      addTexts(member);
}

void Secrets::addUrl(StringRef url) {
  SmallVector<StringRef> parameters;
  url.split('?').second.split('#').first.split(parameters, '&');
  for (StringRef parameter : parameters) {
    StringRef value = parameter.split('=').second;
    add(value);
    add(percentDecode(value));
  }
}

std::vector<std::pair<size_t, size_t>> Secrets::find(StringRef text) const {
  std::vector<std::pair<size_t, size_t>> found;
  if (forms.empty())
    return found;
  const Unescaped plain(text);
  for (StringRef form : forms) {
    // Messages cut keys off; sentences begin like others.
    bool isKey = form.find_first_of(" \t\r\n") == StringRef::npos;
    StringRef least = isKey ? form.take_front(kShortestPrefix) : form;
    for (size_t at = plain.text.find(least); at != std::string::npos;) {
      size_t end = at + least.size();
      while (end < plain.text.size() && end - at < form.size() &&
             plain.text[end] == form[end - at])
        ++end;
      found.push_back({plain.places[at], plain.places[end]});
      at = plain.text.find(least, end);
    }
  }
  llvm::sort(found);
  return found;
}

std::string Secrets::redact(StringRef text) const {
  std::string result;
  size_t done = 0;
  for (auto [begin, end] : find(text)) {
    if (begin >= done)
      result += (text.slice(done, begin) + kMask).str();
    done = std::max(done, end);
  }
  result += text.drop_front(done);
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
