//===- FormulaText.cpp - Formulas taken apart as text ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormulaText.h"

#include "llvm/ADT/StringExtras.h"

namespace swizzle::planner {

FormulaText splitReturn(llvm::StringRef text) {
  FormulaText parts;
  size_t at = text.rfind("return ");
  parts.before = text.substr(0, at).str();
  int depth = 0;
  std::string result;
  auto end = [&] {
    parts.results.push_back(llvm::StringRef(result).trim().str());
  };
  for (char c :
       text.substr(at).drop_front(llvm::StringRef("return ").size()).rtrim()) {
    depth += (c == '(') - (c == ')');
    if (c == ',' && depth == 0) {
      end();
      result.clear();
    } else {
      result += c;
    }
  }
  end();
  return parts;
}

std::string renamed(llvm::StringRef text,
                    const std::map<std::string, std::string> &names) {
  auto isOfName = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  std::string result;
  while (!text.empty()) {
    llvm::StringRef word = text.take_while(isOfName);
    if (word.empty()) {
      result += text.front();
      text = text.drop_front();
      continue;
    }
    auto found = names.find(word.str());
    result += found == names.end() ? word.str() : found->second;
    text = text.drop_front(word.size());
  }
  return result;
}

} // namespace swizzle::planner
