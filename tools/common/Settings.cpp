//===- Settings.cpp - Values for the parameters of a formula --------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Settings.h"

using namespace llvm;

namespace swizzle {

Error checkParams(const Formula &formula, const ParamValues &params) {
  std::string known;
  for (const ParamDecl &param : formula.params())
    known += (known.empty() ? "it has " : ", ") + param.name;
  for (const auto &setting : params)
    if (none_of(formula.params(), [&](const ParamDecl &param) {
          return param.name == setting.first;
        }))
      return createStringError("--set: the formula has no parameter `" +
                               setting.first + "`; " +
                               (known.empty() ? "it has none" : known));
  return Error::success();
}

bool isUnusable(StringRef code) {
  return code == "unbound-name" || code == "bad-param" ||
         code == "wrong-rank" || code == "bad-grid" || code == "infeasible";
}

} // namespace swizzle
