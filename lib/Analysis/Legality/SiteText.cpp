//===- SiteText.cpp - Accesses of several readings, compared --------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See SiteText.h.
//
//===----------------------------------------------------------------------===//

#include "SiteText.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/raw_ostream.h"

namespace swizzle::analysis {

namespace {
class Writer {
public:
  Writer(const KernelModel &model, llvm::raw_ostream &os)
      : model(model), os(os) {}

  void write(const Access &access) {
    os << model.buffers[access.buffer].name << ' ' << unsigned(access.kind)
       << ' ' << unsigned(access.issuer) << ' ' << access.update << ' '
       << access.bytes << ' ' << access.alignment
       << (access.byData ? " by data " : " ");
    for (const BoxDim &dim : access.box)
      os << dim.count << '*' << dim.stride << ' ';
    write(access.address);
  }

  void writeConditions(const AccessSite &site) {
    write(site.conditions);
    for (const Guard *guard : site.notAll) {
      os << " not";
      write(guard->conditions);
    }
  }

private:
  void write(const std::vector<Condition> &conditions) {
    for (const Condition &condition : conditions) {
      os << (condition.equality ? " = " : " >= ");
      write(condition.form);
    }
  }

  void write(const AffineForm &form) {
    os << '(' << form.constant;
    for (const Term &term : form.terms) {
      os << '+' << term.coefficient << '*';
      write(term.variable);
    }
    os << ')';
  }

  /// A variable that follows from others is written out once.
  void write(VariableId id) {
    auto [number, isNew] = numbers.try_emplace(id, numbers.size());
    const Variable &variable = model.variables[id];
    os << unsigned(variable.kind) << '.' << unsigned(variable.axis) << '.';
    if (variable.kind == VariableKind::WorkgroupId ||
        variable.kind == VariableKind::ThreadId)
      return;
    os << number->second;
    if (!isNew || !isDerived(variable.kind))
      return;
    write(variable.numerator);
    os << '/' << variable.divisor;
    if (variable.kind == VariableKind::Loaded)
      os << model.buffers[variable.buffer].name << variable.extent;
  }

  const KernelModel &model;
  llvm::raw_ostream &os;
  llvm::DenseMap<VariableId, size_t> numbers; ///< as they occur
};
} // namespace

std::string describeSite(const KernelModel &model, const AccessSite &site) {
  std::string text;
  llvm::raw_string_ostream os(text);
  Writer writer(model, os);
  writer.write(*site.access);
  writer.writeConditions(site);
  return text;
}

std::string describePlace(const KernelModel &model, const AccessSite &site) {
  std::string text;
  llvm::raw_string_ostream os(text);
  Writer(model, os).write(*site.access);
  return text;
}

} // namespace swizzle::analysis
