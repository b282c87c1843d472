//===- Statements.cpp - From readings to statements of the model ----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes accesses, arithmetic and guards into the model. Case distinctions turn
// into guards here: a chain of conditions that must all hold becomes one guard,
// anything else nested ones, with the guarded code read anew in each case (loop
// counters belong to one loop only, so code is never copied).
//
//===----------------------------------------------------------------------===//

#include "Handlers.h"
#include "KernelReader.h"

#include "swizzle/Lowering/WorkgroupIds.h"

#include "Values/Sources.h"
#include "llvm/Support/SaveAndRestore.h"

#include <utility>

using namespace mlir;

namespace swizzle::analysis {

/// The same for two entries that say the same, and for no others.
static std::string keyOf(const NotModelled &entry) {
  std::string key = std::to_string(int(entry.kind)) + ' ' +
                    std::to_string(entry.buffer) +
                    (entry.assumed ? " a" : " -");
  for (const std::string &part :
       {entry.what, entry.location, entry.update, entry.reason})
    key += ' ' + std::to_string(part.size()) + ':' + part;
  return key;
}

/// A number for what `op` is seen to write in all workgroups alike; 0 if it is
/// not. `closely`: constants are not all that is looked for.
static size_t valueNumber(KernelReader &reader, Operation *op, bool closely) {
  Attribute constant;
  auto store = dyn_cast<LLVM::StoreOp>(op);
  if (store && matchPattern(store.getValue(), m_Constant(&constant)))
    return hash_value(constant) | 1;
  if (!closely)
    return 0;
  if (store)
    return isSameForAll(reader, store.getValue())
               ? size_t(hash_value(store.getValue())) | 1
               : 0;
  bool isSame = llvm::all_of(op->getOperands(), [&](Value operand) {
    return isSameForAll(reader, operand);
  });
  return isSame ? size_t(llvm::hash_value(op)) | 1 : 0;
}

void KernelReader::notModelled(Operation *op,
                               const std::optional<AbstractValue> &view,
                               AccessKind kind, std::string why,
                               std::string update, bool assumed) {
  met.insert(op);
  // Of what is known of it on another way, nothing was judged on this one.
  if (!isTried)
    accessed.insert(accessKey(op, /*isModelled=*/false));
  if (view && view->space != MemorySpace::Global)
    return accessWorkgroup(op, *view, nullptr, kind, {});
  // Of 64 bits, it may be two updates of half of it where it is not aligned,
  // and buffer resources promise nothing.
  if (StringRef(canonicalName(op)).contains(".buffer.atomic.") &&
      bytesOf(op->getOperand(0).getType()) > 4)
    update.clear();
  NotModelled entry;
  entry.what = describe(op, view);
  entry.reason = std::move(why);
  entry.location = describeLocation(op->getLoc());
  entry.buffer = view ? int(view->buffer) : -1;
  entry.kind = kind;
  entry.update = std::move(update);
  if (auto store = dyn_cast<LLVM::StoreOp>(op);
      store && mayBeByData() && valueNumber(*this, op, /*closely=*/true) == 0)
    entry.sharedAxes = axesNotIn(*this, store.getAddr());
  if (assumed && !isTried)
    assumedOps.insert(op);
  entry.assumed = assumed || (isListed && assumedOps.contains(op));
  entry.isAssumedDone = entry.assumed && !blocked.empty();
  if (notModelledKeys.insert(keyOf(entry)).second)
    model.notModelled.push_back(std::move(entry));
}

void KernelReader::dropNotModelled(size_t count) {
  for (; model.notModelled.size() > count; model.notModelled.pop_back())
    notModelledKeys.erase(keyOf(model.notModelled.back()));
}

/// True if `op`, which reads, moves that to workgroup memory by itself: it is an
/// operation of a vendor, and yields nothing that anyone could wait for.
static bool isCopy(Operation *op) {
  if (op->getNumResults() > 0)
    return false;
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op))
    return call.getIntrin().starts_with("llvm.nvvm.") ||
           call.getIntrin().starts_with("llvm.amdgcn.");
  StringRef dialect = op->getName().getDialectNamespace();
  return dialect == "nvvm" || dialect == "rocdl";
}

Access KernelReader::makeAccess(Operation *op, uint32_t buffer,
                                const AffineForm &address,
                                const Footprint &footprint) const {
  Access access;
  access.buffer = buffer;
  access.issuer = footprint.issuer;
  access.asynchronous = isCopy(op);
  access.address = address;
  access.bytes = footprint.bytes;
  access.box = footprint.box;
  access.update = footprint.update;
  access.alignment = footprint.alignment;
  access.location = describeLocation(op->getLoc());
  access.settled =
      settled && (settled->contains(accessKey(op, buffer, address)) ||
                  settled->contains(accessKey(op, /*isModelled=*/false)) ||
                  (settlesAnywhere && settled->contains(accessKey(op))));
  return access;
}

void KernelReader::access(Operation *op, const AbstractValue &view,
                          CasesRef offset, AccessKind kind,
                          const Footprint &footprint) {
  met.insert(op);
  if (isLeftOut(op))
    return;
  if (view.space != MemorySpace::Global)
    return accessWorkgroup(op, view, offset, kind, footprint);
  bool assumed = !blocked.empty() && isAssumedDone && offset;
  if (!blocked.empty())
    notModelled(op, view, kind, blocked, footprint.update, assumed);
  else if (!offset)
    notModelled(op, view, kind, scalars.reason, footprint.update);
  if (!offset || (!blocked.empty() && !assumed))
    return;
  if (!assumed)
    modelled.insert(op);
  forEachCase(offset, [&](const AffineForm &address) {
    Access access = makeAccess(op, view.buffer, address, footprint);
    access.kind = kind;
    access.assumed = assumed;
    access.byData = assumed && isByData ? dataDecision : 0;
    if (kind == AccessKind::Write)
      access.sameValue = valueNumber(*this, op, access.byData != 0);
    if (!isTried) {
      accessed.insert(accessKey(op));
      accessed.insert(accessKey(op, view.buffer, address));
    }
    emit({std::move(access)});
    return AbstractValues();
  });
}

/// The axes of the grid that `form` depends on, as bits.
static unsigned axesOf(const KernelModel &model, const AffineForm &form) {
  unsigned axes = 0;
  for (const Term &term : form.terms) {
    const Variable &variable = model.variables[term.variable];
    if (variable.kind == VariableKind::WorkgroupId)
      axes |= 1u << variable.axis;
    else if (isDerived(variable.kind))
      axes |= axesOf(model, variable.numerator);
  }
  return axes;
}

size_t KernelReader::accessKey(Operation *op, bool isModelled) const {
  return llvm::hash_combine(op, currentCalls(), isModelled);
}

size_t KernelReader::accessKey(Operation *op, uint32_t buffer,
                               const AffineForm &address) const {
  return llvm::hash_combine(accessKey(op),
                            StringRef(model.buffers[buffer].name),
                            axesOf(model, address));
}

void KernelReader::accessWorkgroup(Operation *op, const AbstractValue &view,
                                   const CasesRef &offset, AccessKind kind,
                                   const Footprint &footprint) {
  if (view.space != MemorySpace::Workgroup || !isCounted())
    return;
  WorkgroupAccess access;
  access.kind = kind;
  access.issuer = footprint.issuer;
  access.bytes = footprint.bytes;
  access.box = footprint.box;
  access.lanes = footprint.lanes;
  access.location = describeLocation(op->getLoc());
  if (view.buffer != kNoBuffer) {
    access.buffer = view.buffer;
    // One that depends on conditions is several, or none.
    if (offset && offset->isLeaf() && footprint.bytes > 0)
      access.address = offset->form;
  }
  emit({std::move(access)});
}

void KernelReader::accessAt(Operation *op, Value pointed, AccessKind kind,
                            const Footprint &footprint) {
  auto view = pointer(pointed);
  std::string why = view ? view->reason : reason;
  if (view && view->single())
    return access(op, *view, view->single(), kind, footprint);
  auto read = [&] { return get(pointed); };
  bool assumed = (!view || view->isGlobal()) &&
                 assumeAccess(*this, op, {pointed, read}, kind, footprint);
  notModelled(op, view, kind, blocked.empty() ? why : blocked, footprint.update,
              assumed);
}

void KernelReader::barrier() {
  if (isCounted())
    emit({Barrier()});
}

void KernelReader::compute(double flops, bool tensor, Issuer issuer) {
  if (flops <= 0 || !isCounted())
    return;
  for (Statement &before : llvm::reverse(*out)) {
    if (isQuiet(before))
      continue;
    auto *last = std::get_if<Compute>(&before.node);
    if (!last || last->tensor != tensor || last->issuer != issuer)
      break;
    last->flops += flops;
    return;
  }
  Compute step;
  step.flops = flops;
  step.tensor = tensor;
  step.issuer = issuer;
  emit({step});
}

void KernelReader::unmodelled(const std::string &why,
                              llvm::function_ref<void()> body) {
  if (sizes.anyWay)
    return body();
  llvm::SaveAndRestore before(blocked, blocked.empty() ? why : blocked);
  llvm::SaveAndRestore assumed(isAssumedDone, false);
  llvm::SaveAndRestore decided(isByData, false);
  body();
}

void KernelReader::assumeDone(const std::string &why,
                              llvm::function_ref<void()> body, bool ways) {
  if (sizes.anyWay)
    return body();
  llvm::SaveAndRestore assumed(isAssumedDone, isStated());
  llvm::SaveAndRestore perhaps(isOneOfWays, isOneOfWays || ways);
  llvm::SaveAndRestore reason(blocked, blocked.empty() ? why : blocked);
  body();
}

void KernelReader::dryRun(llvm::function_ref<void()> body) {
  size_t skipped = model.notModelled.size();
  std::vector<Statement> scratch;
  llvm::SaveAndRestore target(out, &scratch);
  llvm::SaveAndRestore paused(issued.paused, issued.paused + 1);
  llvm::SaveAndRestore tried(isTried, true);
  // What is only tried has not been met: a loop may turn out to have no turn.
  auto before = std::exchange(met, {});
  body();
  met = std::move(before);
  dropNotModelled(skipped);
}

AbstractValue KernelReader::join(const CasesRef &condition,
                                 const AbstractValue &yes,
                                 const AbstractValue &no) {
  using Kind = AbstractValue::Kind;
  auto isPlace = [](const AbstractValue &value) {
    return value.isPointer() || value.kind == Kind::Choice;
  };
  auto select = [&](const CasesRef &a, const CasesRef &b) -> CasesRef {
    if (!a || !b || sameCases(a, b))
      return a && b ? a : nullptr;
    return condition ? scalars.select(condition, a, b) : nullptr;
  };
  AbstractValue joined = yes.isUnknown() ? yes : no;
  if (yes.isUnknown() || no.isUnknown()) {
  } else if (condition && isPlace(yes) && isPlace(no) && !sameMemory(yes, no)) {
    joined = AbstractValue::choice(condition, yes, no);
  } else if (yes.kind != no.kind) {
    joined = AbstractValue::unknown("two kinds of value meet");
  } else if (isPlace(yes) && !sameMemory(yes, no)) {
    joined =
        AbstractValue::unknown("which buffer is meant depends on a condition");
  } else if (yes.lanes.size() != no.lanes.size() || yes.buffer != no.buffer) {
    joined = yes.isPointer() // in memory of the workgroup's own
                 ? AbstractValue::local(yes.space)
                 : AbstractValue::unknown("vectors of different length meet");
  } else {
    joined.members = join(condition, yes.members, no.members);
    for (auto [lane, a, b] : llvm::zip(joined.lanes, yes.lanes, no.lanes))
      lane = select(a, b);
    joined.reason = "its value depends on a condition that is not affine";
    if (joined.isNumber() && joined.lanes.size() == 1 && !joined.single())
      joined = AbstractValue::unknown(joined.reason);
  }
  joined.maybePoison = yes.maybePoison || no.maybePoison;
  return joined;
}

AbstractValues KernelReader::join(const CasesRef &condition,
                                  const AbstractValues &yes,
                                  const AbstractValues &no) {
  AbstractValues joined;
  for (auto [a, b] : llvm::zip(yes, no))
    joined.push_back(join(condition, a, b));
  return joined;
}

/// The boolean tree that is `condition` as such.
static CasesRef truthOf(Scalars &scalars, const Condition &condition) {
  return makeBranch(condition, scalars.constant(1), scalars.constant(0));
}

AbstractValues KernelReader::forEachCase(
    const CasesRef &tree,
    llvm::function_ref<AbstractValues(const AffineForm &)> body) {
  if (tree->isLeaf())
    return body(tree->form);
  if (std::optional<bool> decided = domain.decide(tree->condition))
    return forEachCase(*decided ? tree->yes : tree->no, body);
  return guarded(
      truthOf(scalars, tree->condition),
      [&] { return forEachCase(tree->yes, body); },
      [&] { return forEachCase(tree->no, body); });
}

static bool isTruth(const CasesRef &tree, int64_t value) {
  return tree->isLeaf() && tree->form.terms.empty() &&
         tree->form.constant == value;
}

/// The conditions whose conjunction is `tree` (or, if `negated`, its
/// complement); nothing if it is no conjunction.
static std::optional<std::vector<Condition>> asConjunction(CasesRef tree,
                                                           bool negated) {
  std::vector<Condition> conditions;
  int64_t held = negated ? 0 : 1, failed = 1 - held;
  while (!tree->isLeaf()) {
    if (isTruth(tree->no, failed)) {
      conditions.push_back(tree->condition);
      tree = tree->yes;
      continue;
    }
    std::optional<Condition> opposite = negate(tree->condition);
    if (!isTruth(tree->yes, failed) || !opposite)
      return std::nullopt;
    conditions.push_back(*opposite);
    tree = tree->no;
  }
  if (!isTruth(tree, held))
    return std::nullopt;
  return conditions;
}

AbstractValues KernelReader::guarded(const CasesRef &condition,
                                     llvm::function_ref<AbstractValues()> yes,
                                     llvm::function_ref<AbstractValues()> no) {
  if (std::optional<int64_t> truth = scalars.constantOf(condition))
    return *truth ? yes() : no();
  for (bool negated : {false, true}) {
    auto conditions = asConjunction(condition, negated);
    if (!conditions)
      continue;
    Guard guard;
    guard.conditions = *conditions;
    auto side = [&](bool holds, std::vector<Statement> &body) {
      Domain::Scope scope(domain);
      for (const Condition &one : *conditions)
        if (holds || conditions->size() == 1)
          domain.assume(one, holds);
      AbstractValues values;
      inBody(body, std::nullopt,
             [&] { values = holds != negated ? yes() : no(); });
      return values;
    };
    AbstractValues held = side(true, guard.body);
    AbstractValues failed = side(false, guard.otherwise);
    if (!guard.body.empty() || !guard.otherwise.empty())
      emit({std::move(guard)});
    if (negated)
      std::swap(held, failed);
    return join(condition, held, failed);
  }
  if (condition->isLeaf()) // a truth value in a variable
    return guarded(truthOf(scalars, {condition->form - makeConstant(1), true}),
                   yes, no);
  return guarded(
      truthOf(scalars, condition->condition),
      [&] { return guarded(condition->yes, yes, no); },
      [&] { return guarded(condition->no, yes, no); });
}

} // namespace swizzle::analysis
