//===- Signature.cpp - The pattern of a kernel's accesses -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sets of sets of variables, printed in a fixed order. Unrolled copies of one
// access, and halos of different width, fall together.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Kernel/Signature.h"

#include <map>
#include <set>

namespace swizzle {

namespace {
/// What is known of one buffer.
struct Uses {
  bool read = false, written = false, atomic = false;
  std::set<std::string> patterns;
};

class SignatureReader {
public:
  explicit SignatureReader(const KernelModel &model) : model(model) {}

  void read(const std::vector<Statement> &body);
  std::map<uint32_t, Uses> uses;

private:
  /// `depth`: of how many quotients within one another numerators count.
  std::string nameOf(VariableId id, unsigned depth) const;
  std::string patternOf(const AffineForm &form, unsigned depth = 8) const;

  const KernelModel &model;
  /// Numerators that one access may still name: each level may multiply them.
  mutable unsigned left = 0;
  static constexpr unsigned mostNumerators = 4096;
};
} // namespace

std::string SignatureReader::nameOf(VariableId id, unsigned depth) const {
  const Variable &variable = model.variables[id];
  switch (variable.kind) {
  case VariableKind::WorkgroupId:
    return std::string(1, "xyz"[variable.axis]);
  case VariableKind::ThreadId:
    return "t";
  case VariableKind::LoopCounter:
    return "l";
  case VariableKind::Quotient:
    return "q(" + patternOf(variable.numerator, depth - 1) + ")";
  case VariableKind::Loaded:
    return "m(" + patternOf(variable.numerator, depth - 1) + ")";
  }
  return "";
}

std::string SignatureReader::patternOf(const AffineForm &form,
                                       unsigned depth) const {
  if (depth == 0 || left == 0)
    return "";
  --left;
  std::set<std::string> names;
  for (const Term &term : form.terms)
    if (term.coefficient != 0)
      names.insert(nameOf(term.variable, depth));
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : "+") + name;
  return text;
}

void SignatureReader::read(const std::vector<Statement> &body) {
  for (const Statement &statement : body) {
    if (const auto *access = std::get_if<Access>(&statement.node)) {
      Uses &use = uses[access->buffer];
      use.read |= access->kind == AccessKind::Read;
      use.written |= access->kind == AccessKind::Write;
      use.atomic |= access->kind == AccessKind::Atomic;
      left = mostNumerators;
      use.patterns.insert(patternOf(access->address));
    } else if (const auto *loop = std::get_if<Loop>(&statement.node)) {
      read(loop->body);
    } else if (const auto *guard = std::get_if<Guard>(&statement.node)) {
      read(guard->body);
      read(guard->otherwise);
    }
  }
}

std::string accessSignature(const KernelModel &model) {
  SignatureReader reader(model);
  reader.read(model.body);
  std::string text;
  for (const auto &[buffer, use] : reader.uses) {
    text += text.empty() ? "" : " ";
    text += use.read ? "r" : "";
    text += use.written ? "w" : "";
    text += use.atomic ? "a" : "";
    text += std::to_string(model.buffers[buffer].elementBytes) + "[";
    bool first = true;
    for (const std::string &pattern : use.patterns) {
      text += (first ? "" : "|") + pattern;
      first = false;
    }
    text += "]";
  }
  return text.empty() ? "n/a" : text;
}

} // namespace swizzle
