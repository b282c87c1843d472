//===- KernelModel.cpp - What a kernel touches, as plain data -------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Affine arithmetic on models, evaluation, printing and the well-formedness
// check that every producer of models is tested with.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Kernel/KernelModel.h"
#include "swizzle/Support/IntegerMath.h"
#include "llvm/ADT/bit.h"

#include <algorithm>
#include <set>

namespace swizzle {

bool KernelArgument::isOpen() const {
  auto isUnknown = [](int64_t number) { return number < 0; };
  return std::any_of(sizes.begin(), sizes.end(), isUnknown) ||
         std::any_of(strides.begin(), strides.end(), isUnknown);
}

namespace {

/// a + factor * b, keeping terms sorted and without zeros.
AffineForm combine(const AffineForm &a, const AffineForm &b, int64_t factor) {
  AffineForm sum;
  sum.constant = a.constant + factor * b.constant;
  sum.terms.reserve(a.terms.size() + b.terms.size());
  auto i = a.terms.begin(), j = b.terms.begin();
  auto push = [&](VariableId variable, int64_t coefficient) {
    if (coefficient != 0)
      sum.terms.push_back({variable, coefficient});
  };
  while (i != a.terms.end() || j != b.terms.end()) {
    if (j == b.terms.end() ||
        (i != a.terms.end() && i->variable < j->variable)) {
      push(i->variable, i->coefficient);
      ++i;
    } else if (i == a.terms.end() || j->variable < i->variable) {
      push(j->variable, factor * j->coefficient);
      ++j;
    } else {
      push(i->variable, i->coefficient + factor * j->coefficient);
      ++i;
      ++j;
    }
  }
  return sum;
}

/// Walks the statements and collects what is wrong with them.
class Verifier {
public:
  explicit Verifier(const KernelModel &model) : model(model) {}

  std::string run() {
    if (model.variables.size() < kFirstFreeVariable)
      return "the six fixed variables are missing";
    for (VariableId id = 0; id < model.variables.size(); ++id) {
      const Variable &variable = model.variables[id];
      bool workgroup = variable.kind == VariableKind::WorkgroupId;
      bool thread = variable.kind == VariableKind::ThreadId;
      if (workgroup != (id < kThreadIdX) ||
          thread != (id >= kThreadIdX && id < kFirstFreeVariable))
        return "variable " + std::to_string(id) + " is of the wrong kind";
      if (!isDerived(variable.kind))
        continue;
      if (variable.divisor <= 0)
        return "quotient " + variable.name + " has a divisor below 1";
      if (variable.extent <= 0 || (variable.extent & (variable.extent - 1)))
        return "the extent of " + variable.name + " is no power of two";
      if (variable.kind == VariableKind::Loaded &&
          variable.buffer >= model.buffers.size())
        return variable.name + " is loaded from a buffer that is not there";
      if (std::string error = checkForm(variable.numerator, id); !error.empty())
        return error;
      if (variable.kind == VariableKind::Loaded || isLoaded(variable.numerator))
        loaded.insert(id);
    }
    return checkBody(model.body);
  }

private:
  std::string checkForm(const AffineForm &form, VariableId limit) {
    for (size_t i = 0; i < form.terms.size(); ++i) {
      if (form.terms[i].variable >= limit)
        return "a form uses variable " +
               std::to_string(form.terms[i].variable) + " before it is defined";
      if (form.terms[i].coefficient == 0)
        return "a form has a zero coefficient";
      if (i > 0 && form.terms[i - 1].variable >= form.terms[i].variable)
        return "the terms of a form are not sorted";
    }
    return {};
  }

  /// True if the form depends on what is loaded, of which nothing is known for
  /// sure: good enough for an access that says so, never for a proof.
  bool isLoaded(const AffineForm &form) const {
    return std::any_of(
        form.terms.begin(), form.terms.end(),
        [&](const Term &term) { return loaded.count(term.variable) > 0; });
  }
  /// As checkForm, of a form that proofs rest on.
  std::string checkCertain(const AffineForm &form) {
    std::string error = checkForm(form, model.variables.size());
    return error.empty() && isLoaded(form)
               ? "what is taken for certain depends on a number that is loaded"
               : error;
  }

  std::string checkBody(const std::vector<Statement> &body) {
    for (const Statement &statement : body) {
      std::string error = std::visit(
          [&](const auto &node) { return check(node); }, statement.node);
      if (!error.empty())
        return error;
    }
    return {};
  }

  std::string check(const Access &access) {
    if (access.buffer >= model.buffers.size())
      return "an access names a buffer that does not exist";
    if (access.bytes <= 0)
      return "an access to " + model.buffers[access.buffer].name +
             " touches no bytes";
    for (const BoxDim &dim : access.box)
      if (dim.count <= 0)
        return "an access to " + model.buffers[access.buffer].name +
               " has an empty box";
    return access.assumed ? checkForm(access.address, model.variables.size())
                          : checkCertain(access.address);
  }
  std::string check(const WorkgroupAccess &access) {
    if (access.buffer >= int(model.workgroupBuffers.size()))
      return "an access names workgroup memory that does not exist";
    if (access.bytes < 0 || access.lanes < 0 ||
        (access.address && (access.buffer < 0 || access.bytes == 0)))
      return "an access to workgroup memory has an address and no extent";
    for (const BoxDim &dim : access.box)
      if (dim.count <= 0)
        return "an access to workgroup memory has an empty box";
    return access.address ? checkCertain(*access.address) : std::string();
  }
  std::string check(const Issue &issue) {
    return issue.instructions > 0 ? "" : "a body issues no instructions";
  }
  std::string check(const Compute &) { return {}; }
  std::string check(const Barrier &) { return {}; }
  std::string check(const Loop &loop) {
    if (loop.counter >= model.variables.size() ||
        model.variables[loop.counter].kind != VariableKind::LoopCounter)
      return "a loop's counter is not a loop counter";
    if (!counters.insert(loop.counter).second)
      return "counter " + model.variables[loop.counter].name +
             " belongs to two loops";
    if (loop.tripCounts.empty())
      return "a loop has no trip count";
    for (const AffineForm &trip : loop.tripCounts)
      if (std::string error = checkCertain(trip); !error.empty())
        return error;
    return checkBody(loop.body);
  }
  std::string check(const Guard &guard) {
    bool assumed = isAssumed(guard.body) && isAssumed(guard.otherwise);
    for (const Condition &condition : guard.conditions)
      if (std::string error =
              assumed ? checkForm(condition.form, model.variables.size())
                      : checkCertain(condition.form);
          !error.empty())
        return error;
    std::string error = checkBody(guard.body);
    return error.empty() ? checkBody(guard.otherwise) : error;
  }
  /// True if no proof rests on what `body` does, nor on whether it does it.
  static bool isAssumed(const std::vector<Statement> &body) {
    return std::all_of(
        body.begin(), body.end(), [](const Statement &statement) {
          const auto *guard = std::get_if<Guard>(&statement.node);
          const auto *access = std::get_if<Access>(&statement.node);
          return guard ? isAssumed(guard->body) && isAssumed(guard->otherwise)
                       : access && access->assumed;
        });
  }

  const KernelModel &model;
  std::set<VariableId> counters;
  std::set<VariableId> loaded; ///< and what is derived of such
};

} // namespace

AffineForm operator+(const AffineForm &a, const AffineForm &b) {
  return combine(a, b, 1);
}
AffineForm operator-(const AffineForm &a, const AffineForm &b) {
  return combine(a, b, -1);
}
AffineForm operator*(const AffineForm &a, int64_t factor) {
  return combine({}, a, factor);
}

bool operator==(const AffineForm &a, const AffineForm &b) {
  return a.constant == b.constant &&
         std::equal(a.terms.begin(), a.terms.end(), b.terms.begin(),
                    b.terms.end(), [](const Term &s, const Term &t) {
                      return s.variable == t.variable &&
                             s.coefficient == t.coefficient;
                    });
}

AffineForm makeConstant(int64_t value) { return {value, {}}; }

AffineForm makeVariable(VariableId variable, int64_t coefficient) {
  AffineForm form;
  if (coefficient != 0)
    form.terms.push_back({variable, coefficient});
  return form;
}

KernelModel KernelModel::create(Grid grid, Grid block) {
  KernelModel model;
  model.grid = grid;
  model.block = block;
  const char *names[] = {"x", "y", "z", "tx", "ty", "tz"};
  for (uint8_t i = 0; i < kFirstFreeVariable; ++i) {
    Variable variable;
    variable.kind =
        i < kThreadIdX ? VariableKind::WorkgroupId : VariableKind::ThreadId;
    variable.axis = i % 3;
    variable.name = names[i];
    model.variables.push_back(std::move(variable));
  }
  return model;
}

VariableId KernelModel::addLoopCounter(std::string name) {
  Variable variable;
  variable.kind = VariableKind::LoopCounter;
  variable.name = std::move(name);
  variables.push_back(std::move(variable));
  return variables.size() - 1;
}

VariableId KernelModel::addQuotient(AffineForm numerator, int64_t divisor) {
  for (VariableId id = kFirstFreeVariable; id < variables.size(); ++id)
    if (variables[id].kind == VariableKind::Quotient &&
        variables[id].divisor == divisor &&
        variables[id].numerator == numerator)
      return id;
  Variable variable;
  variable.kind = VariableKind::Quotient;
  variable.name = "q" + std::to_string(variables.size());
  variable.numerator = std::move(numerator);
  variable.divisor = divisor;
  variables.push_back(std::move(variable));
  return variables.size() - 1;
}

VariableId KernelModel::addLoaded(uint32_t buffer, AffineForm offset,
                                  int64_t bytes, int64_t extent) {
  for (VariableId id = kFirstFreeVariable; id < variables.size(); ++id)
    if (variables[id].kind == VariableKind::Loaded &&
        variables[id].buffer == buffer && variables[id].divisor == bytes &&
        variables[id].extent == extent && variables[id].numerator == offset)
      return id;
  Variable variable;
  variable.kind = VariableKind::Loaded;
  variable.name = "m" + std::to_string(variables.size());
  variable.buffer = buffer;
  variable.numerator = std::move(offset);
  variable.divisor = bytes;
  variable.extent = extent;
  variables.push_back(std::move(variable));
  return variables.size() - 1;
}

std::vector<const NotModelled *> KernelModel::unseen() const {
  std::vector<const NotModelled *> result;
  for (const NotModelled &access : notModelled)
    if (!access.assumed)
      result.push_back(&access);
  return result;
}

std::array<bool, 3> KernelModel::loadedAxes() const {
  std::array<bool, 3> axes{};
  std::vector<bool> behind(variables.size());
  for (VariableId id = variables.size(); id-- > 0;) {
    const Variable &variable = variables[id];
    if (behind[id] && id < kThreadIdX)
      axes[id] = true;
    if (behind[id] || variable.kind == VariableKind::Loaded)
      for (const Term &term : variable.numerator.terms)
        behind[term.variable] = true;
  }
  return axes;
}

int64_t evaluate(const AffineForm &form, const std::vector<int64_t> &values) {
  uint64_t sum = static_cast<uint64_t>(form.constant);
  for (const Term &term : form.terms)
    sum += static_cast<uint64_t>(term.coefficient) *
           static_cast<uint64_t>(values[term.variable]);
  return static_cast<int64_t>(sum);
}

int64_t scatter(int64_t index, int64_t extent) {
  // Each step is a permutation of 0 .. extent - 1: a product with an odd
  // number, and adding the upper half of the bits to the lower one. Of the next
  // `extent` indices it is another one.
  uint64_t mask = static_cast<uint64_t>(extent) - 1;
  unsigned width = llvm::bit_width(mask), half = (width + 1) / 2;
  uint64_t value = static_cast<uint64_t>(index) & mask;
  uint64_t round = (static_cast<uint64_t>(index) & INT64_MAX) >> width;
  uint64_t turned = round * 0x9e3779b97f4a7c15;
  value = value * ((turned ^ turned >> 32) << 1 | 1) & mask;
  for (uint64_t factor : {0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9}) {
    value ^= value >> half;
    value = value * factor & mask;
  }
  return static_cast<int64_t>(value ^ value >> half);
}

int64_t derive(const Variable &variable, int64_t numerator) {
  int64_t quotient = floorDiv(numerator, variable.divisor);
  return variable.kind == VariableKind::Loaded
             ? scatter(quotient, variable.extent)
             : quotient;
}

void evaluateDerived(const KernelModel &model, std::vector<int64_t> &values) {
  for (VariableId id = kFirstFreeVariable; id < model.variables.size(); ++id) {
    const Variable &variable = model.variables[id];
    if (isDerived(variable.kind))
      values[id] = derive(variable, evaluate(variable.numerator, values));
  }
}

std::vector<VariableId>
derivedOf(const KernelModel &model,
          const std::vector<const AffineForm *> &forms) {
  std::vector<bool> needed(model.variables.size(), false);
  auto need = [&](const AffineForm &form) {
    for (const Term &term : form.terms)
      needed[term.variable] = true;
  };
  for (const AffineForm *form : forms)
    need(*form);
  // A numerator has variables before its own alone.
  std::vector<VariableId> derived;
  for (VariableId id = needed.size(); id-- > kFirstFreeVariable;)
    if (needed[id] && isDerived(model.variables[id].kind)) {
      derived.push_back(id);
      need(model.variables[id].numerator);
    }
  std::reverse(derived.begin(), derived.end());
  return derived;
}

void evaluateDerived(const KernelModel &model,
                     const std::vector<VariableId> &derived,
                     std::vector<int64_t> &values) {
  for (VariableId id : derived)
    values[id] = derive(model.variables[id],
                        evaluate(model.variables[id].numerator, values));
}

std::vector<std::string> describeAssumptions(const KernelModel &model) {
  std::vector<std::string> lines = model.assumed;
  std::set<uint32_t> tables;
  for (const Variable &variable : model.variables)
    if (variable.kind == VariableKind::Loaded)
      tables.insert(variable.buffer);
  for (uint32_t table : tables)
    lines.push_back("what " + model.buffers[table].name +
                    " holds, which says where to go: numbers spread evenly");
  for (uint32_t table : model.rowTables)
    lines.push_back("what " + model.buffers[table].name +
                    " holds, which says where rows begin: one after the other");
  std::vector<const NotModelled *> perhaps;
  for (const NotModelled &access : model.notModelled)
    if (access.isAssumedDone)
      perhaps.push_back(&access);
  if (!perhaps.empty())
    lines.push_back(
        "what may or may not be done is done: " + perhaps.front()->what + " (" +
        perhaps.front()->reason + ")" +
        (perhaps.size() > 1
             ? " and " + std::to_string(perhaps.size() - 1) + " more"
             : ""));
  return lines;
}

/// `depth`: of how many quotients within one another numerators are written;
/// `left`: of how many in all.
static std::string print(const KernelModel &model, const AffineForm &form,
                         unsigned depth, unsigned &left) {
  std::string text;
  for (const Term &term : form.terms) {
    int64_t coefficient = term.coefficient;
    if (!text.empty()) {
      text += coefficient < 0 ? " - " : " + ";
      coefficient = coefficient < 0 ? -coefficient : coefficient;
    }
    const Variable &variable = model.variables[term.variable];
    std::string name = variable.name;
    bool isWritten = depth > 0 && left > 0 && isDerived(variable.kind);
    if (isWritten) {
      --left;
      std::string inner = print(model, variable.numerator, depth - 1, left);
      name =
          variable.kind == VariableKind::Quotient
              ? "((" + inner + ") // " + std::to_string(variable.divisor) + ")"
              : model.buffers[variable.buffer].name + "[" + inner + "]";
    }
    if (coefficient == -1)
      text += "-" + name;
    else
      text +=
          coefficient == 1 ? name : std::to_string(coefficient) + "*" + name;
  }
  if (text.empty())
    return std::to_string(form.constant);
  if (form.constant < 0)
    text += " - " + std::to_string(-form.constant);
  else if (form.constant > 0)
    text += " + " + std::to_string(form.constant);
  return text;
}

std::string toString(const KernelModel &model, const AffineForm &form) {
  // Each level may multiply the text.
  constexpr unsigned deepest = 8;
  unsigned most = 256;
  return print(model, form, deepest, most);
}

bool isQuiet(const Statement &statement) {
  if (const auto *loop = std::get_if<Loop>(&statement.node))
    return isQuiet(loop->body);
  if (const auto *guard = std::get_if<Guard>(&statement.node))
    return isQuiet(guard->body) && isQuiet(guard->otherwise);
  return std::holds_alternative<WorkgroupAccess>(statement.node) ||
         std::holds_alternative<Issue>(statement.node);
}

bool isQuiet(const std::vector<Statement> &body) {
  return std::all_of(body.begin(), body.end(), [](const Statement &statement) {
    return isQuiet(statement);
  });
}

size_t countAccesses(const std::vector<Statement> &body) {
  size_t count = 0;
  for (const Statement &statement : body) {
    if (const auto *loop = std::get_if<Loop>(&statement.node))
      count += countAccesses(loop->body);
    else if (const auto *guard = std::get_if<Guard>(&statement.node))
      count += countAccesses(guard->body) + countAccesses(guard->otherwise);
    else
      count += std::holds_alternative<Access>(statement.node);
  }
  return count;
}

std::string verify(const KernelModel &model) { return Verifier(model).run(); }

} // namespace swizzle
