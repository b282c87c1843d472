//===- WriteOperations.cpp - Operations that only compute -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Puts a row of Operations.def into a kernel, and its result into memory; or
// one of Forbidden.def.
//
//===----------------------------------------------------------------------===//

#include "Writer.h"

#include <cctype>

namespace swizzle::fuzz {

const std::vector<Operation> &operations() {
  static const std::vector<Operation> rows = {
#define OPERATION(target, type, lines) {Operation::target, type, lines},
#include "Operations.def"
  };
  return rows;
}

/// `lines` with a name for each `$x`, or a block's for `$X`; `$$` stands for
/// itself.
std::string KernelWriter::filledIn(const std::string &lines,
                                   std::map<std::string, std::string> &names) {
  names["$$"] = "$";
  std::string text;
  for (size_t at = 0; at < lines.size(); ++at) {
    if (lines[at] != '$') {
      text += lines[at];
      continue;
    }
    std::string &name = names[lines.substr(at, 2)];
    if (name.empty())
      name = std::isupper(lines[at + 1]) ? label() : fresh();
    text += name;
    ++at;
  }
  return text;
}

void KernelWriter::operation(bool everyThread) {
  std::vector<size_t> fitting;
  for (size_t i = 0; i < operations().size(); ++i) {
    Operation::Target target = operations()[i].target;
    bool fits =
        high() ? target == Operation::High ||
                     (target == Operation::Together && everyThread)
               : target == Operation::Low ||
                     (everyThread &&
                      target == (isRocdl ? Operation::Rocdl : Operation::Nvvm));
    if (fits)
      fitting.push_back(i);
  }
  size_t row = fitting[draw(0, fitting.size() - 1)];
  const Operation &chosen = operations()[row];
  kernel.operations.push_back(row);

  std::map<std::string, std::string> names;
  names["$n"] =
      cast(values[draw(0, values.size() - 1)], {32, false}, true).name;
  names["$x"] = data({32, true});
  line(filledIn(chosen.lines, names));
  std::string type = chosen.type, result = names["$r"];
  if (type == "i32" || type == "f32")
    useResult(result, {32, type == "f32"});
  else
    remember(result, type, {0, true});
}

const std::vector<Forbidden> &forbiddenOperations() {
  static const std::vector<Forbidden> rows = {
#define FORBIDDEN(target, lines, functions)                                    \
  {Forbidden::target, lines, functions, Demand::Refusal},
#define RACE(target, lines, functions)                                         \
  {Forbidden::target, lines, functions, Demand::Race},
#define UNPROVED(target, lines, functions)                                     \
  {Forbidden::target, lines, functions, Demand::NoProof},
#include "Forbidden.def"
  };
  return rows;
}

/// Writes what a kernel must be refused for, into a function at times.
void KernelWriter::forbid(const Forbidden &row) {
  kernel.forbidden = row.lines;
  kernel.demand = row.demand;
  if (row.target == Forbidden::Attribute) {
    attributes = row.lines;
    return;
  }
  auto write = [&] {
    std::map<std::string, std::string> names;
    names["$n"] =
        cast(values[draw(0, values.size() - 1)], {32, false}, true).name;
    names["$I"] = cast(group, {32, false}, true).name;
    names["$P"] = pointer;
    names["$U"] = "%u";
    if (kernel.forbidden.find("$p") != std::string::npos) {
      Buffer &own = addBuffer(Role::Closed, {32, false}, slots + 1, 1,
                              Feature::BufferFlat);
      Place at = place(own, slot, constant(indexType(), 0), 1);
      names["$p"] = at.text();
      names["$P"] = at.type;
    }
    line(filledIn(row.lines, names));
    functions += filledIn(row.functions, names) + "\n";
  };
  passesUnknown = kernel.forbidden.find("$U") != std::string::npos;
  bool blocks = kernel.forbidden.find("$A") != std::string::npos;
  if (chance(70) || blocks || passesUnknown)
    write();
  else
    call(write);
}

} // namespace swizzle::fuzz
