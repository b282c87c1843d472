//===- TargetNames.cpp - What a compiler target is called -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The form of a target's name. Whether a back end knows it is found out where
// something is compiled.
//
//===----------------------------------------------------------------------===//

#include "TargetNames.h"

#include <algorithm>

namespace swizzle {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLower(char c) { return c >= 'a' && c <= 'z'; }

bool areDigits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), isDigit);
}

bool consumeFront(std::string_view &text, std::string_view front) {
  if (text.substr(0, front.size()) != front)
    return false;
  text.remove_prefix(front.size());
  return true;
}

bool consumeBack(std::string_view &text, std::string_view back) {
  if (text.size() < back.size() ||
      text.substr(text.size() - back.size()) != back)
    return false;
  text.remove_suffix(back.size());
  return true;
}

/// "gfx942", "gfx90a", "gfx9-4-generic": digits of LLVM's processor names.
bool isAmdTarget(std::string_view target) {
  if (!consumeFront(target, "gfx"))
    return false;
  auto isSmallHexDigit = [](char c) {
    return isDigit(c) || (c >= 'a' && c <= 'f');
  };
  if (consumeBack(target, "-generic")) {
    for (;;) {
      std::string_view part = target.substr(0, target.find('-'));
      if (part.empty() || part.size() > 2 || !areDigits(part))
        return false;
      if (part.size() == target.size())
        return true;
      target.remove_prefix(part.size() + 1);
    }
  }
  // The version, and one digit each for minor version and stepping.
  return (target.size() == 3 || target.size() == 4) &&
         std::all_of(target.begin(), target.end(), isSmallHexDigit) &&
         areDigits(target.substr(0, target.size() - 2));
}

/// "sm_90", "sm_90a", "sm_120f".
bool isNvidiaTarget(std::string_view target) {
  if (!consumeFront(target, "sm_"))
    return false;
  if (!target.empty() && (target.back() == 'a' || target.back() == 'f'))
    target.remove_suffix(1);
  return (target.size() == 2 || target.size() == 3) && areDigits(target);
}

} // namespace

bool isName(std::string_view text, std::string_view others) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return isLower(c) || isDigit(c) || others.find(c) != others.npos;
  });
}

std::string targetsOf(std::string_view vendor, std::string_view target) {
  const std::string amd =
      "gfx and digits as LLVM names the processor, such as \"gfx942\" or "
      "\"gfx90a\"";
  const std::string nvidia = "sm_ and digits, such as \"sm_90\" or \"sm_90a\"";
  if (vendor == "amd")
    return isAmdTarget(target) ? "" : amd;
  if (vendor == "nvidia")
    return isNvidiaTarget(target) ? "" : nvidia;
  // Names of other back ends are not checked here.
  if ((target.substr(0, 3) == "gfx" && !isAmdTarget(target)) ||
      (target.substr(0, 3) == "sm_" && !isNvidiaTarget(target)))
    return amd + ", or " + nvidia;
  return "";
}

} // namespace swizzle
