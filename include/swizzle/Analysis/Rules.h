//===- Rules.h - The rules of legality, one by one --------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tests switch a rule off to see that something notices: a rule whose absence
// nothing notices is not tested, or not needed. Nothing but a test does so.
//
//   if (holds(Rule::Wrap) && mayWrap(...)) return unknown("may wrap around");
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_ANALYSIS_RULES_H
#define SWIZZLE_ANALYSIS_RULES_H

#include <cstdint>

namespace swizzle {

enum class Rule : uint8_t {
#define RULE(name, text) name,
#include "swizzle/Analysis/Rules.def"
  None,
};

/// The one that is switched off. By tests, and only while nothing is analysed.
inline Rule ruleSwitchedOff = Rule::None;

/// True unless a test has switched `rule` off.
inline bool holds(Rule rule) { return rule != ruleSwitchedOff; }

} // namespace swizzle

#endif // SWIZZLE_ANALYSIS_RULES_H
