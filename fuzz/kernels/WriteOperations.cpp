//===- WriteOperations.cpp - Operations that only compute -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Puts a row of Operations.def into a kernel, and its result into memory.
//
//===----------------------------------------------------------------------===//

#include "Writer.h"

#include <cctype>
#include <map>

namespace swizzle::fuzz {

const std::vector<Operation> &operations() {
  static const std::vector<Operation> rows = {
#define OPERATION(target, type, lines) {Operation::target, type, lines},
#include "Operations.def"
  };
  return rows;
}

void KernelWriter::operation(bool everyThread) {
  std::vector<size_t> fitting;
  for (size_t i = 0; i < operations().size(); ++i) {
    Operation::Target target = operations()[i].target;
    bool fits = high() ? target == Operation::High ||
                             (target == Operation::Together && everyThread)
                       : target == Operation::Low ||
                             (everyThread && target == (isRocdl ? Operation::Rocdl
                                                                : Operation::Nvvm));
    if (fits)
      fitting.push_back(i);
  }
  size_t row = fitting[draw(0, fitting.size() - 1)];
  const Operation &chosen = operations()[row];
  kernel.operations.push_back(row);

  std::map<std::string, std::string> names;
  names["$n"] = cast(values[draw(0, values.size() - 1)], {32, false}, true).name;
  names["$x"] = data({32, true});
  std::string text;
  for (const char *at = chosen.lines; *at; ++at) {
    if (*at != '$') {
      text += *at;
      continue;
    }
    std::string &name = names[std::string(at, 2)];
    if (name.empty())
      name = fresh();
    text += name;
    ++at;
  }
  line(text);
  std::string type = chosen.type, result = names["$r"];
  if (type == "i32" || type == "f32")
    useResult(result, {32, type == "f32"});
  else
    remember(result, type, {0, true});
}

} // namespace swizzle::fuzz
