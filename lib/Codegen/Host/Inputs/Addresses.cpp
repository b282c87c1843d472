//===- Addresses.cpp - Addresses in a lowered kernel ----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Addresses.h.
//
//===----------------------------------------------------------------------===//

#include "Addresses.h"

#include "swizzle/Lowering/WorkgroupIds.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;

namespace swizzle::host {

/// Operations that one sum is followed through.
static constexpr int kBudget = 256;

/// Sums and products end where no memory is.
static int64_t clamp(__int128 number) {
  constexpr __int128 kFar = __int128(1) << 60;
  return int64_t(std::clamp(number, -kFar, kFar));
}
static int64_t plus(int64_t a, int64_t b) { return clamp(__int128(a) + b); }
static int64_t times(int64_t a, int64_t b) { return clamp(__int128(a) * b); }

Addresses::Addresses(const LoweredLaunch &launch)
    : launch(launch),
      layout(DataLayout::closest(LLVM::LLVMFuncOp(launch.function))) {}

Value Addresses::strip(Value value) const {
  while (Operation *op = value.getDefiningOp()) {
    if (isa<LLVM::ZExtOp, LLVM::SExtOp, LLVM::TruncOp, LLVM::FreezeOp,
            LLVM::AddrSpaceCastOp, LLVM::BitcastOp, ROCDL::MakeBufferRsrcOp>(
            op)) {
      value = op->getOperand(0);
      continue;
    }
    auto extract = dyn_cast<LLVM::ExtractValueOp>(op);
    if (!extract)
      break;
    // What was put there last.
    Value from = extract.getContainer(), found;
    while (auto insert = from.getDefiningOp<LLVM::InsertValueOp>()) {
      if (insert.getPosition() == extract.getPosition()) {
        found = insert.getValue();
        break;
      }
      from = insert.getContainer();
    }
    if (!found)
      break;
    value = found;
  }
  return value;
}

int Addresses::argumentOf(Value root) const {
  auto argument = dyn_cast<BlockArgument>(root);
  return argument && argument.getOwner()->isEntryBlock() &&
                 argument.getOwner()->getParentOp() == launch.function
             ? int(argument.getArgNumber())
             : -1;
}

SmallVector<Value> Addresses::incoming(BlockArgument argument) const {
  SmallVector<Value> values;
  Block *block = argument.getOwner();
  unsigned number = argument.getArgNumber();
  if (block->isEntryBlock()) {
    auto function = dyn_cast<LLVM::LLVMFuncOp>(block->getParentOp());
    if (!function || function == launch.function)
      return values;
    function->getParentOp()->walk([&](LLVM::CallOp call) {
      if (call.getCallee() == function.getName() &&
          number < call.getArgOperands().size())
        values.push_back(call.getArgOperands()[number]);
    });
    return values;
  }
  for (auto it = block->pred_begin(); it != block->pred_end(); ++it)
    if (auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator()))
      if (Value operand =
              branch.getSuccessorOperands(it.getSuccessorIndex())[number])
        values.push_back(operand);
  return values;
}

void Addresses::add(Value value, int64_t factor, LinearForm &form,
                    int &budget) const {
  value = strip(value);
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)) &&
      constant.getSignificantBits() <= 62) {
    form.constant = plus(form.constant, times(factor, constant.getSExtValue()));
    return;
  }
  if (int index = argumentOf(value); index >= 0 && launch.values[index]) {
    form.constant = plus(form.constant, times(factor, *launch.values[index]));
    return;
  }
  Operation *op = --budget > 0 ? value.getDefiningOp() : nullptr;
  if (isa_and_nonnull<LLVM::AddOp, LLVM::SubOp>(op)) {
    add(op->getOperand(0), factor, form, budget);
    return add(op->getOperand(1), isa<LLVM::AddOp>(op) ? factor : -factor, form,
               budget);
  }
  if (isa_and_nonnull<LLVM::MulOp, LLVM::ShlOp>(op)) {
    LinearForm left, right;
    add(op->getOperand(0), 1, left, budget);
    add(op->getOperand(1), 1, right, budget);
    if (isa<LLVM::MulOp>(op) && left.terms.empty())
      std::swap(left, right);
    if (right.terms.empty()) {
      int64_t by = right.constant;
      if (isa<LLVM::ShlOp>(op))
        by = by >= 0 && by < 62 ? int64_t(1) << by : 0;
      by = times(by, factor);
      form.constant = plus(form.constant, times(by, left.constant));
      for (LinearForm::Term term : left.terms)
        form.terms.push_back({term.value, times(by, term.factor)});
      return;
    }
  }
  for (LinearForm::Term &term : form.terms)
    if (term.value == value) {
      term.factor = plus(term.factor, factor);
      return;
    }
  form.terms.push_back({value, factor});
}

LinearForm Addresses::formOf(Value value) const {
  LinearForm form;
  int budget = kBudget;
  add(value, 1, form, budget);
  return form;
}

LinearAddress Addresses::addressOf(Value pointer) const {
  LinearAddress address;
  int budget = kBudget;
  int64_t &constant = address.offset.constant;
  address.root = strip(pointer);
  while (auto gep = address.root.getDefiningOp<LLVM::GEPOp>()) {
    Type type = gep.getElemType();
    for (auto [position, index] : llvm::enumerate(gep.getIndices())) {
      if (position) {
        if (auto structure = dyn_cast<LLVM::LLVMStructType>(type)) {
          auto member = dyn_cast<IntegerAttr>(index);
          if (!member)
            break;
          for (int64_t i = 0; i < member.getInt(); ++i)
            constant =
                plus(constant, layout.getTypeSize(structure.getBody()[i]));
          type = structure.getBody()[member.getInt()];
          continue;
        }
        if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
          type = array.getElementType();
        else if (auto vector = dyn_cast<VectorType>(type))
          type = vector.getElementType();
        else
          break;
      }
      int64_t bytes = layout.getTypeSize(type);
      if (auto number = dyn_cast<IntegerAttr>(index))
        constant = plus(constant, times(bytes, number.getInt()));
      else
        add(cast<Value>(index), bytes, address.offset, budget);
    }
    address.root = strip(gep.getBase());
  }
  return address;
}

std::optional<Interval> Addresses::rangeOf(const LinearForm &form) const {
  Interval sum{form.constant, form.constant};
  for (const LinearForm::Term &term : form.terms) {
    std::optional<Interval> one = rangeOf(term.value);
    if (!one)
      return std::nullopt;
    int64_t ends[2] = {times(one->low, term.factor),
                       times(one->high, term.factor)};
    sum.low = plus(sum.low, std::min(ends[0], ends[1]));
    sum.high = plus(sum.high, std::max(ends[0], ends[1]));
  }
  return sum;
}

/// The intrinsics of both vendors, and the calls that stand for workgroup ids.
std::optional<Interval> Addresses::rangeOfId(Operation *op) const {
  std::string name = canonicalName(op);
  StringRef text = name;
  auto axisOf = [&](StringRef prefix) -> int {
    StringRef rest = text;
    if (!rest.consume_front(prefix) || rest.empty())
      return -1;
    int axis = rest.front() - 'x';
    return axis >= 0 && axis < 3 ? axis : -1;
  };
  for (StringRef thread : {"nvvm.read.ptx.sreg.tid.", "rocdl.workitem.id."})
    if (int axis = axisOf(thread); axis >= 0)
      return Interval{0, launch.block[axis] - 1};
  for (StringRef group :
       {StringRef("nvvm.read.ptx.sreg.ctaid."),
        StringRef("rocdl.workgroup.id."), StringRef(kIdMarker)})
    if (int axis = axisOf(group); axis >= 0)
      return Interval{0, launch.grid[axis] - 1};
  if (int axis = axisOf("nvvm.read.ptx.sreg.ntid."); axis >= 0)
    return Interval{launch.block[axis], launch.block[axis]};
  if (int axis = axisOf("nvvm.read.ptx.sreg.nctaid."); axis >= 0)
    return Interval{launch.grid[axis], launch.grid[axis]};
  if (text == "nvvm.read.ptx.sreg.laneid")
    return Interval{0, launch.subgroupSize - 1};
  bool size = text == "__ockl_get_local_size",
       count = text == "__ockl_get_num_groups";
  APInt axis;
  if ((size || count) && op->getNumOperands() == 1 &&
      matchPattern(op->getOperand(0), m_ConstantInt(&axis)) && axis.ult(3)) {
    int64_t extent = (size ? launch.block : launch.grid)[axis.getZExtValue()];
    return Interval{extent, extent};
  }
  return std::nullopt;
}

bool Addresses::isCounter(BlockArgument argument) const {
  return llvm::any_of(incoming(argument), [&](Value value) {
    auto sum = strip(value).getDefiningOp<LLVM::AddOp>();
    return sum &&
           (strip(sum.getLhs()) == argument || strip(sum.getRhs()) == argument);
  });
}

/// From where it begins up to what it is compared with.
std::optional<Interval>
Addresses::rangeOfCounter(BlockArgument argument) const {
  if (!isCounter(argument))
    return std::nullopt;
  std::optional<Interval> start, end;
  for (Value value : incoming(argument)) {
    LinearForm form = formOf(value);
    if (llvm::any_of(form.terms, [&](const LinearForm::Term &term) {
          return term.value == argument;
        }))
      continue;
    start = rangeOf(value);
    if (!start)
      return std::nullopt;
  }
  for (Operation *user : argument.getUsers())
    if (auto compare = dyn_cast<LLVM::ICmpOp>(user))
      end = rangeOf(compare.getLhs() == argument ? compare.getRhs()
                                                 : compare.getLhs());
  if (!start || !end)
    return std::nullopt;
  return Interval{start->low, std::max(start->low, end->high - 1)};
}

std::optional<Interval> Addresses::rangeOfResult(Operation *op) const {
  APInt constant;
  bool byConstant =
      op->getNumOperands() == 2 && op->getNumResults() == 1 &&
      matchPattern(strip(op->getOperand(1)), m_ConstantInt(&constant)) &&
      constant.isStrictlyPositive() && constant.getSignificantBits() <= 62;
  int64_t number = byConstant ? constant.getSExtValue() : 0;
  if (byConstant && isa<LLVM::AndOp>(op))
    return Interval{0, number};
  if (byConstant && isa<LLVM::URemOp>(op))
    return Interval{0, number - 1};
  bool divides = isa<LLVM::UDivOp, LLVM::SDivOp>(op),
       shifts = isa<LLVM::LShrOp, LLVM::AShrOp>(op);
  if (byConstant && (divides || (shifts && number < 62))) {
    std::optional<Interval> from = rangeOf(op->getOperand(0));
    int64_t by = divides ? number : int64_t(1) << number;
    if (from && from->low >= 0)
      return Interval{from->low / by, from->high / by};
  }
  if (auto select = dyn_cast<LLVM::SelectOp>(op)) {
    std::optional<Interval> a = rangeOf(select.getTrueValue()),
                            b = rangeOf(select.getFalseValue());
    if (a && b)
      return Interval{std::min(a->low, b->low), std::max(a->high, b->high)};
  }
  return std::nullopt;
}

std::optional<Interval> Addresses::computeRange(Value value) const {
  LinearForm form = formOf(value);
  if (form.terms.size() != 1 || form.terms[0].value != value)
    return rangeOf(form);
  if (auto argument = dyn_cast<BlockArgument>(value))
    return rangeOfCounter(argument);
  Operation *op = value.getDefiningOp();
  if (std::optional<Interval> id = rangeOfId(op))
    return id;
  return rangeOfResult(op);
}

std::optional<Interval> Addresses::rangeOf(Value value) const {
  value = strip(value);
  if (auto [found, isNew] = known.try_emplace(value, std::nullopt); !isNew)
    return found->second;
  std::optional<Interval> range = computeRange(value);
  known[value] = range;
  return range;
}

} // namespace swizzle::host
