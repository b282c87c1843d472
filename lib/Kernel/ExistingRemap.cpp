//===- ExistingRemap.cpp - A remap that a kernel has already --------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a workgroup works shows in the addresses that it starts from. As a
// function of the linear workgroup id, those of a plain kernel count like the
// digits of a number: the first digit steps through one axis of the tiles, the
// next through another. A remap by hand shows in one of three ways: one axis is
// cut into two digits with another one between them (super-groups), or into two
// digits of which the later is the finer (dealing to dies), or the addresses do
// not count in digits at all. Those that rise with the id all the same are no
// remap: workgroups of 256 threads, three of
// which read one element, do not start evenly apart.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Kernel/ExistingRemap.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

namespace swizzle {

/// Addresses that are evaluated at most; larger kernels are not looked at.
static constexpr int64_t kMaxAddresses = int64_t(1) << 21;

namespace {
/// The addresses from which each workgroup starts, one row a workgroup.
struct StartTable {
  int64_t workgroups = 0;
  size_t width = 0;
  std::vector<int64_t> addresses;

  int64_t at(int64_t workgroup, size_t k) const {
    return addresses[workgroup * width + k];
  }
};

/// One digit of the linear id: `count` values, `step` bytes apart.
struct TileDigit {
  int64_t count = 1;
  std::vector<int64_t> step;
};
} // namespace

static void collectAddresses(const std::vector<Statement> &body,
                             std::vector<const AffineForm *> &addresses) {
  for (const Statement &statement : body) {
    if (auto *access = std::get_if<Access>(&statement.node)) {
      if (!access->assumed)
        addresses.push_back(&access->address);
    } else if (auto *loop = std::get_if<Loop>(&statement.node)) {
      collectAddresses(loop->body, addresses);
    } else if (auto *guard = std::get_if<Guard>(&statement.node)) {
      collectAddresses(guard->body, addresses);
      collectAddresses(guard->otherwise, addresses);
    }
  }
}

static std::optional<StartTable> tabulate(const KernelModel &model) {
  std::set<std::vector<std::pair<VariableId, int64_t>>> seen;
  std::vector<const AffineForm *> addresses, forms;
  collectAddresses(model.body, addresses);
  for (const AffineForm *address : addresses) {
    // Constants, threads and loops do not matter: only what the workgroup adds.
    std::vector<std::pair<VariableId, int64_t>> key;
    for (const Term &term : address->terms)
      if (VariableKind kind = model.variables[term.variable].kind;
          kind != VariableKind::ThreadId && kind != VariableKind::LoopCounter)
        key.push_back({term.variable, term.coefficient});
    if (seen.insert(std::move(key)).second)
      forms.push_back(address);
  }
  StartTable table;
  table.workgroups = model.grid.count();
  table.width = forms.size();
  if (forms.empty() || table.workgroups < 2 ||
      table.workgroups > kMaxAddresses / int64_t(forms.size()))
    return std::nullopt;
  table.addresses.reserve(table.workgroups * table.width);
  std::vector<int64_t> values(model.variables.size(), 0);
  for (int64_t id = 0; id < table.workgroups; ++id) {
    WorkgroupId workgroup = delinearise(id, model.grid);
    values[kWorkgroupIdX] = workgroup.x;
    values[kWorkgroupIdX + 1] = workgroup.y;
    values[kWorkgroupIdX + 2] = workgroup.z;
    evaluateDerived(model, values);
    for (const AffineForm *form : forms)
      table.addresses.push_back(evaluate(*form, values));
  }
  return table;
}

/// The digits in which the rows of `table` count; nullopt if they do not.
static std::optional<std::vector<TileDigit>>
findDigits(const StartTable &table) {
  std::vector<TileDigit> digits;
  for (int64_t stride = 1; stride < table.workgroups;) {
    TileDigit digit;
    for (size_t k = 0; k < table.width; ++k)
      digit.step.push_back(table.at(stride, k) - table.at(0, k));
    auto follows = [&](int64_t base, int64_t count) {
      for (size_t k = 0; k < table.width; ++k)
        if (table.at(base + count * stride, k) !=
            table.at(base, k) + count * digit.step[k])
          return false;
      return true;
    };
    int64_t left = table.workgroups / stride;
    while (digit.count < left && follows(0, digit.count))
      ++digit.count;
    if (left % digit.count != 0)
      return std::nullopt;
    int64_t span = stride * digit.count;
    for (int64_t base = 0; base < table.workgroups; base += span)
      for (int64_t count = 1; count < digit.count; ++count)
        if (!follows(base, count))
          return std::nullopt;
    digits.push_back(std::move(digit));
    stride = span;
  }
  return digits;
}

/// True if `fine`, run through once, comes to one step of `coarse`.
static bool continues(const TileDigit &fine, const TileDigit &coarse) {
  bool any = false;
  for (auto [small, large] : llvm::zip(fine.step, coarse.step)) {
    if (large != small * fine.count)
      return false;
    any |= small != 0;
  }
  return any;
}

static bool isStill(const TileDigit &digit) {
  return llvm::all_of(digit.step, [](int64_t step) { return step == 0; });
}

/// True if no address falls from one workgroup to the next.
static bool rises(const StartTable &table) {
  for (size_t i = table.width; i < table.addresses.size(); ++i)
    if (table.addresses[i] < table.addresses[i - table.width])
      return false;
  return true;
}

std::string findExistingRemap(const KernelModel &model) {
  std::optional<StartTable> table = tabulate(model);
  if (!table)
    return "";
  std::optional<std::vector<TileDigit>> digits = findDigits(*table);
  if (!digits && rises(*table))
    return "";
  if (!digits)
    return "consecutive workgroups do not walk the tiles in rows or columns";
  int64_t stride = 1;
  for (size_t i = 0; i < digits->size(); ++i) {
    const TileDigit &digit = (*digits)[i];
    stride *= digit.count;
    bool between = false;
    for (size_t j = i + 1; j < digits->size(); ++j) {
      const TileDigit &later = (*digits)[j];
      if (between && continues(digit, later))
        return "the tiles are walked in groups of " +
               std::to_string(digit.count) + " along one axis";
      // The boundary of a grid axis is where a column-major order turns.
      bool axisBoundary =
          stride == model.grid.x() || stride == model.grid.x() * model.grid.y();
      if (j == i + 1 && !axisBoundary && continues(later, digit))
        return "workgroups are dealt in turn to " +
               std::to_string(digit.count) + " contiguous shares of the tiles";
      between |= !isStill(later);
    }
  }
  return "";
}

} // namespace swizzle
