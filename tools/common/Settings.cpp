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

Expected<ParamValues> readSettings(StringRef option,
                                   const std::vector<std::string> &texts) {
  ParamValues numbers;
  for (const std::string &text : texts) {
    auto refuse = [&](const Twine &why) {
      return createStringError("--" + option + "=" + text + ": " + why);
    };
    auto [name, number] = StringRef(text).split('=');
    int64_t value;
    if (name.trim().empty() || number.trim().getAsInteger(0, value))
      return refuse("expected name=number, a whole one of 64 bits");
    if (!numbers.try_emplace(name.trim().str(), value).second)
      return refuse("`" + name.trim() + "` is given twice");
  }
  return numbers;
}

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
