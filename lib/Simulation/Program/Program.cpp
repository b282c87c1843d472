//===- Program.cpp - A kernel model compiled for simulation ---------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compilation of a model into a flat program.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include <algorithm>
#include <set>

namespace swizzle::simulation {

Program::Program(const KernelModel &model, const Machine &machine)
    : model(model), machine(machine),
      stores(model, machine.joinedLines ? machine.lineBytes : 0) {
  while ((int64_t(1) << lineShift) != machine.lineBytes)
    lineShift = machine.lineBytes > (int64_t(1) << lineShift) ? lineShift + 1
                                                              : lineShift - 1;
  waves = (model.threads() + machine.waveSize - 1) / machine.waveSize;
  slotCount = model.variables.size();
  derived.resize(slotCount);
  derivedRanges.resize(slotCount);
  findChanging();
  for (VariableId id = kFirstFreeVariable; id < model.variables.size(); ++id) {
    const Variable &variable = model.variables[id];
    if (!isDerived(variable.kind))
      continue;
    CompiledDerived compiled{compile(variable.numerator), &variable};
    // What threads add to the quotient: for a residue from 0 to divisor - 1.
    ThreadRange threads = compiled.numerator.threads;
    ThreadRange range;
    if (!threads.uniform() && compiled.isLoaded()) {
      range = {1 - variable.extent, variable.extent - 1};
    } else if (!threads.uniform()) {
      bool fixed = true; // the numerator is 0 at thread 0, always
      for (const Term &term : variable.numerator.terms)
        fixed &= model.variables[term.variable].kind == VariableKind::ThreadId;
      int64_t residue = floorDiv(variable.numerator.constant, variable.divisor);
      residue = variable.numerator.constant - residue * variable.divisor;
      int64_t least = fixed ? residue : 0;
      int64_t most = fixed ? residue : variable.divisor - 1;
      range.low = floorDiv(least + threads.low, variable.divisor);
      range.high = floorDiv(most + threads.high, variable.divisor);
    }
    derivedRanges[id] = range;
    if (!changes[id])
      fixed.push_back({compiled.numerator.terms, compiled.numerator.constant,
                       &variable, id});
    derived[id] = std::move(compiled);
  }
  placeBuffers();
  compileBody(model.body);
  code.push_back({Opcode::End, 0, 0});
  findWaits();
  findHotLines();
  for (Site &site : sites) {
    site.plain.assign(machine.lineBytes, nullptr);
    site.known.assign(machine.lineBytes, nullptr);
  }
}

/// Finds what waits for the access before it, and leaves barriers out, whose
/// work is done then.
void Program::findWaits() {
  for (size_t pc = code.size() - 1; pc-- > 0;) {
    const Instruction &next = code[pc + 1];
    code[pc].waits = next.opcode == Opcode::Barrier ||
                     next.opcode == Opcode::LoopEnd ||
                     next.opcode == Opcode::End ||
                     (next.opcode == Opcode::Compute && next.waits);
  }
  numberWaits();
  std::vector<uint32_t> moved;
  std::vector<Instruction> rest;
  for (const Instruction &instruction : code) {
    moved.push_back(rest.size());
    if (instruction.opcode != Opcode::Barrier)
      rest.push_back(instruction);
  }
  for (Instruction &instruction : rest)
    instruction.target = moved[instruction.target];
  code = std::move(rest);
}

/// Numbers the places where something waits for what was read.
void Program::numberWaits() {
  for (auto access = code.begin(); access != code.end(); ++access) {
    if (access->opcode != Opcode::Access || !access->waits)
      continue;
    auto next =
        std::find_if(access + 1, code.end(), [](const Instruction &one) {
          return one.opcode != Opcode::Compute;
        });
    places.push_back({next->opcode == Opcode::LoopEnd});
    access->wait = places.size();
  }
  for (CompiledLoop &loop : loops) {
    places.push_back({true});
    loop.wait = places.size();
  }
  places.push_back({false});
}

/// Finds the variables that loops change: their counters, and derived ones that
/// depend on these. A derived variable depends on variables before it.
void Program::findChanging() {
  changes.resize(model.variables.size());
  for (VariableId id = 0; id < model.variables.size(); ++id) {
    const Variable &variable = model.variables[id];
    changes[id] = variable.kind == VariableKind::LoopCounter;
    if (isDerived(variable.kind))
      for (const Term &term : variable.numerator.terms)
        changes[id] = changes[id] || changes[term.variable];
  }
}

/// Bounds of what threads add to `form`, whatever thread 0 has: exact, by
/// enumeration, where only thread ids and what derives from them matter; else
/// by interval arithmetic.
ThreadRange Program::threadRange(const AffineForm &form) {
  std::set<VariableId> reached;
  std::vector<VariableId> open;
  bool threadsOnly = true, anyDerived = false;
  for (const Term &term : form.terms)
    open.push_back(term.variable);
  bool thread = false;
  while (!open.empty()) {
    VariableId id = open.back();
    open.pop_back();
    if (!reached.insert(id).second)
      continue;
    const Variable &variable = model.variables[id];
    thread |= variable.kind == VariableKind::ThreadId;
    if (!isDerived(variable.kind))
      continue;
    anyDerived = true;
    bool hasThread = false, hasOther = false;
    for (const Term &term : variable.numerator.terms) {
      open.push_back(term.variable);
      VariableKind kind = model.variables[term.variable].kind;
      bool isThread = kind == VariableKind::ThreadId;
      if (isDerived(kind))
        isThread = !derivedRanges[term.variable].uniform();
      (isThread ? hasThread : hasOther) = true;
    }
    threadsOnly &= !(hasThread && hasOther);
  }
  ThreadRange range;
  if (!thread)
    return range;
  if (anyDerived && threadsOnly) {
    std::vector<int64_t> values(model.variables.size(), 0);
    const std::vector<VariableId> derived = derivedOf(model, {&form});
    evaluateDerived(model, derived, values);
    int64_t first = evaluate(form, values);
    for (int64_t id = 0; id < model.threads(); ++id) {
      WorkgroupId at = delinearise(id, model.block);
      values[kThreadIdX] = at.x;
      values[kThreadIdX + 1] = at.y;
      values[kThreadIdX + 2] = at.z;
      evaluateDerived(model, derived, values);
      int64_t difference = evaluate(form, values) - first;
      range.low = std::min(range.low, difference);
      range.high = std::max(range.high, difference);
    }
    return range;
  }
  for (const Term &term : form.terms) {
    ThreadRange one;
    const Variable &variable = model.variables[term.variable];
    if (variable.kind == VariableKind::ThreadId)
      one.high = model.block[variable.axis] - 1;
    else if (isDerived(variable.kind))
      one = derivedRanges[term.variable];
    range.addScaled(one, term.coefficient);
  }
  return range;
}

/// Finds what tells more of the threads once the values at thread 0 are known:
/// where a quotient lies between two steps.
void Program::findQuotients(const AffineForm &form, UniformForm &compiled) {
  for (const Term &term : form.terms) {
    const Variable &variable = model.variables[term.variable];
    ThreadRange one;
    if (variable.kind == VariableKind::ThreadId)
      one.high = model.block[variable.axis] - 1;
    else if (isDerived(variable.kind))
      one = derivedRanges[term.variable];
    if (one.uniform())
      continue;
    const CompiledDerived &needs = derived[term.variable];
    if (isDerived(variable.kind) && !needs.isLoaded() &&
        !needs.numerator.terms.empty())
      compiled.quotients.push_back({term.variable, term.coefficient});
    else
      compiled.others.addScaled(one, term.coefficient);
  }
}

UniformForm Program::compile(const AffineForm &form) {
  UniformForm compiled;
  compiled.constant = form.constant;
  compiled.threads = threadRange(form);
  if (!compiled.threads.uniform())
    findQuotients(form, compiled);
  std::set<VariableId> needed;
  std::vector<VariableId> open;
  for (const Term &term : form.terms) {
    VariableKind kind = model.variables[term.variable].kind;
    if (kind == VariableKind::ThreadId)
      continue; // 0 at thread 0
    compiled.terms.push_back({term.variable, term.coefficient});
    if (isDerived(kind))
      open.push_back(term.variable);
  }
  while (!open.empty()) {
    VariableId id = open.back();
    open.pop_back();
    if (!needed.insert(id).second)
      continue;
    for (const Term &term : model.variables[id].numerator.terms)
      if (isDerived(model.variables[term.variable].kind))
        open.push_back(term.variable);
  }
  compiled.derived.assign(needed.begin(), needed.end());
  for (VariableId id : compiled.derived)
    if (changes[id])
      compiled.changing.push_back(id);
  hoist(compiled);
  return compiled;
}

/// Replaces terms that no loop changes by one term of their sum.
void Program::hoist(UniformForm &form) {
  std::vector<std::pair<uint32_t, int64_t>> same, others;
  for (auto term : form.terms)
    (changes[term.first] ? others : same).push_back(term);
  if (same.size() < 2)
    return;
  auto found = std::find_if(fixed.begin(), fixed.end(), [&](const Fixed &sum) {
    return sum.terms == same && sum.constant == 0 && !sum.variable;
  });
  uint32_t slot =
      found != fixed.end() ? found->slot : static_cast<uint32_t>(slotCount++);
  if (found == fixed.end())
    fixed.push_back({same, 0, nullptr, slot});
  others.push_back({slot, 1});
  form.terms = std::move(others);
}

void Program::compileBody(const std::vector<Statement> &body) {
  for (const Statement &statement : body)
    std::visit([&](const auto &node) { emit(node); }, statement.node);
}

void Program::emit(const Access &access) {
  if (stores.isTakenAlong(access))
    return;
  Site site;
  site.joined = stores.offsetsOf(access);
  site.access = &access;
  site.kind = access.kind;
  site.isWaitedFor = machine.loadedLatency > 0 &&
                     access.kind == AccessKind::Read && !access.asynchronous &&
                     access.issuer != Issuer::Workgroup;
  site.address = compile(access.address);
  site.address.constant += bufferBase[access.buffer];
  site.guards = openGuards;
  std::set<VariableId> all(site.address.derived.begin(),
                           site.address.derived.end());
  for (auto [guard, otherwise] : openGuards) {
    site.guardMask |= uint64_t(1) << (guards[guard].depth % 64);
    for (const CompiledCondition &condition : guards[guard].conditions)
      all.insert(condition.form.derived.begin(), condition.form.derived.end());
  }
  site.derived.assign(all.begin(), all.end());
  for (VariableId id : all)
    if (!derived[id].numerator.threads.uniform() &&
        !derived[id].numerator.terms.empty())
      site.residues.push_back(id);
  code.push_back({Opcode::Access, static_cast<uint32_t>(sites.size()), 0});
  sites.push_back(std::move(site));
}

void Program::emit(const Compute &compute) {
  code.push_back({Opcode::Compute, static_cast<uint32_t>(computes.size()), 0});
  Compute whole = compute;
  if (compute.issuer == Issuer::Thread)
    whole.flops *= model.threads();
  else if (compute.issuer == Issuer::Subgroup)
    whole.flops *= waves;
  computes.push_back(whole);
}

void Program::emit(const Loop &loop) {
  if (isQuiet(loop.body))
    return;
  uint32_t index = loops.size();
  CompiledLoop compiled;
  compiled.counter = loop.counter;
  compiled.tripSlot = slotCount++;
  CompiledGuard guard;
  for (const AffineForm &trip : loop.tripCounts) {
    compiled.trips.push_back(compile(trip));
    if (compiled.trips.back().threads.uniform())
      continue;
    // counter < trip, thread by thread.
    Condition condition;
    condition.form = trip - makeVariable(loop.counter) - makeConstant(1);
    guard.conditions.push_back({compile(condition.form), false});
    guard.source.push_back(condition);
  }
  if (!guard.conditions.empty()) {
    compiled.guard = guards.size();
    guard.depth = openGuards.size();
    openGuards.push_back({static_cast<uint32_t>(guards.size()), false});
    guards.push_back(std::move(guard));
  }
  bool guarded = compiled.guard >= 0;
  loops.push_back(std::move(compiled));
  uint32_t begin = code.size();
  code.push_back({Opcode::LoopBegin, index, 0});
  compileBody(loop.body);
  noteArithmetic(loops[index], begin + 1);
  code.push_back({Opcode::LoopEnd, index, begin + 1});
  code[begin].target = code.size();
  if (guarded)
    openGuards.pop_back();
}

/// Adds up what an iteration of `loop`, whose body begins at `begin` and ends
/// the code, computes, if it does nothing else.
void Program::noteArithmetic(CompiledLoop &loop, uint32_t begin) {
  for (uint32_t pc = begin; pc < code.size(); ++pc) {
    if (code[pc].opcode != Opcode::Compute &&
        code[pc].opcode != Opcode::Barrier)
      return;
    if (code[pc].opcode == Opcode::Barrier)
      continue;
    const Compute &compute = computes[code[pc].index];
    (compute.tensor ? loop.tensorFlops : loop.flops) += compute.flops;
  }
  loop.isArithmetic = true;
}

/// The value at thread 0 of what nothing but thread ids go into; nullopt if
/// something else does.
static std::optional<int64_t> ofFirstThread(const KernelModel &model,
                                            const AffineForm &form) {
  int64_t value = form.constant;
  for (const Term &term : form.terms) {
    const Variable &variable = model.variables[term.variable];
    if (variable.kind == VariableKind::ThreadId)
      continue;
    std::optional<int64_t> numerator;
    if (variable.kind == VariableKind::Quotient)
      numerator = ofFirstThread(model, variable.numerator);
    if (!numerator)
      return std::nullopt;
    value += term.coefficient * floorDiv(*numerator, variable.divisor);
  }
  return value;
}

bool Program::isFixed(const Condition &condition,
                      const CompiledCondition &compiled) const {
  std::optional<int64_t> value = ofFirstThread(model, condition.form);
  if (!value)
    return false;
  int64_t low = *value + compiled.form.threads.low;
  int64_t high = *value + compiled.form.threads.high;
  return high >= 0 && (!condition.equality || low <= 0);
}

void Program::emit(const Guard &node) {
  if (isQuiet(node.body) && isQuiet(node.otherwise))
    return;
  uint32_t index = guards.size();
  CompiledGuard guard;
  guard.source = node.conditions;
  guard.depth = openGuards.size();
  for (const Condition &condition : node.conditions) {
    CompiledCondition compiled{compile(condition.form), condition.equality};
    // What other threads do has patterns of its own.
    compiled.isFixed = isQuiet(node.otherwise) && isFixed(condition, compiled);
    guard.conditions.push_back(std::move(compiled));
  }
  guards.push_back(std::move(guard));
  uint32_t begin = code.size();
  code.push_back({Opcode::Guard, index, 0});
  openGuards.push_back({index, false});
  compileBody(node.body);
  // Reached after the body; threads for which the guard did not hold go on in
  // the other part. The guard jumps behind this instruction if it holds for
  // none.
  uint32_t middle = code.size();
  code.push_back({Opcode::Otherwise, index, 0});
  code[begin].target = code.size();
  openGuards.back().second = true;
  compileBody(node.otherwise);
  openGuards.pop_back();
  code[middle].target = code.size();
}

} // namespace swizzle::simulation
