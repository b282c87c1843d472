//===- SingleOperations.cpp - A kernel for each operation -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What random kernels draw from, one by one: a rare operation is in few of some
// thousand kernels, and whether it is in one of the first is chance.
//
//===----------------------------------------------------------------------===//

#include "FuzzKernel.h"

#include <cctype>
#include <map>

namespace swizzle::fuzz {

/// `lines` with a name of its own for each `$x`.
static std::string fillIn(const std::string &lines,
                          std::map<std::string, std::string> &names) {
  std::string text;
  for (size_t at = 0; at < lines.size(); ++at) {
    if (lines[at] != '$') {
      text += lines[at];
      continue;
    }
    std::string &name = names[lines.substr(at, 2)];
    if (name.empty())
      name = (std::isupper(lines[at + 1]) ? "^bb" : "%v") +
             std::to_string(names.size());
    text += name;
    ++at;
  }
  return text;
}

/// Blocks that form a loop with two entries: no access beside it is modelled.
static const char *const kTwoEntries =
    "\n$0 = llvm.mlir.constant(5 : i32) : i32\n"
    "$1 = llvm.icmp \"slt\" $n, $0 : i32\nllvm.cond_br $1, $X, $Y\n"
    "$X:\nllvm.br $Y\n$Y:\nllvm.cond_br $1, $X, $Z\n$Z:";

/// A kernel of `lines` that reads a workgroup id.
static std::string write(bool high, bool isRocdl, bool isForbidden,
                         const std::string &lines, const std::string &functions,
                         const std::string &attribute) {
  // Of what is refused, `$x` is a name like others.
  std::map<std::string, std::string> names{
      {"$n", "%n"}, {"$I", high ? "%n" : "%id"}, {"$U", "%n"},
      {"$p", "%p"}, {"$P", "!llvm.ptr"},         {"$$", "$"}};
  if (!isForbidden)
    names["$x"] = "%y";
  std::string body = fillIn(lines, names);
  std::string sizes = "known_grid_size = array<i32: 8, 1, 1>, "
                      "known_block_size = array<i32: 64, 1, 1>" +
                      (attribute.empty() ? "" : ", " + attribute);
  std::string text = "module {\ngpu.module @m {\n" + fillIn(functions, names);
  if (high)
    text += "\ngpu.func @k(%n: i32, %y: f32) kernel attributes {" + sizes +
            "} {\n%id = gpu.block_id x\n" + body + "\ngpu.return\n}\n}\n}\n";
  else
    text += "\nllvm.func @k(%n: i32, %y: f32, %p: !llvm.ptr) attributes {"
            "gpu.kernel, " +
            std::string(isRocdl ? "rocdl.kernel" : "nvvm.kernel") + ", " +
            sizes + "} {\n%id = " +
            (isRocdl ? "rocdl.workgroup.id.x" : "nvvm.read.ptx.sreg.ctaid.x") +
            " : i32\n" + body + "\nllvm.return\n}\n}\n}\n";
  return text;
}

std::vector<FuzzKernel> writeSingleOperations() {
  std::vector<FuzzKernel> kernels;
  auto add = [&](std::string text, const std::string &forbidden,
                 Demand demand = Demand::Refusal) {
    FuzzKernel kernel;
    kernel.text = std::move(text);
    kernel.forbidden = forbidden;
    kernel.demand = demand;
    kernels.push_back(std::move(kernel));
  };
  for (const Operation &row : operations())
    add(write(row.target == Operation::High ||
                  row.target == Operation::Together,
              row.target == Operation::Rocdl, false, row.lines, "", ""),
        "");
  for (const Forbidden &row : forbiddenOperations()) {
    bool isAttribute = row.target == Forbidden::Attribute;
    add(write(!row.isLow(), row.isRocdl(), true, isAttribute ? "" : row.lines,
              row.functions, isAttribute ? row.lines : ""),
        row.lines, row.demand);
    if (row.isLow())
      add(write(false, row.isRocdl(), true,
                row.lines + std::string(kTwoEntries), row.functions, ""),
          row.lines, row.demand);
  }
  return kernels;
}

} // namespace swizzle::fuzz
