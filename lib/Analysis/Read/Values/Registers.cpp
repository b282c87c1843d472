//===- Registers.cpp - Workgroup, thread and lane ids -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ids and extents of a launch, as the lowered kernel reads them. Threads
// are numbered x fastest, and subgroups are runs of that numbering.
//
//===----------------------------------------------------------------------===//

#include "../Handlers.h"
#include "Sources.h"

#include "swizzle/IR/HardwareAttr.h"
#include "swizzle/Lowering/KernelMark.h"
#include "swizzle/Lowering/WorkgroupIds.h"

using namespace mlir;

namespace swizzle::analysis {

CasesRef KernelReader::linearThreadId() {
  AffineForm id;
  int64_t stride = 1;
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (model.block[axis] > 1)
      id = id + makeVariable(kThreadIdX + axis, stride);
    stride *= model.block[axis];
  }
  return scalars.leaf(id);
}

int64_t KernelReader::subgroupSize() {
  if (knownSubgroupSize)
    return knownSubgroupSize;
  const char *why = "";
  if (std::optional<ChipChoice> chip = knownChip(kernel)) {
    knownSubgroupSize = chip->hardware.waveSize;
    if (!allTargetsHaveWaves(kernel, knownSubgroupSize))
      assume("subgroup size = " + std::to_string(knownSubgroupSize) +
             " (the module has targets of other chips)");
    return knownSubgroupSize;
  }
  if (std::optional<int64_t> compiled = waveSizeOfTargets(kernel))
    return knownSubgroupSize = *compiled;
  if (std::optional<int64_t> stated = statedWaveSize(kernel))
    return knownSubgroupSize = *stated;
  // All of NVIDIA's chips have subgroups of 32.
  if (vendorOfMark(kernel) == GpuVendor::NVIDIA)
    return knownSubgroupSize = 32;
  if (sizes.subgroup) {
    knownSubgroupSize = sizes.subgroup;
    why = " (of the chip that was named)";
  } else {
    bool amd = chooseVendor(kernel, std::nullopt) == GpuVendor::AMD;
    knownSubgroupSize = amd ? 64 : 32;
    why = " (the module names no target)";
  }
  assume("subgroup size = " + std::to_string(knownSubgroupSize) + why,
         /*isLaunched=*/sizes.subgroup != 0);
  return knownSubgroupSize;
}

/// The axis that the name of a register ends with.
static unsigned axisOf(StringRef name) { return name.back() - 'x'; }

void readWorkgroupId(KernelReader &reader, Operation *op) {
  reader.set(op->getResult(0), reader.variable(kWorkgroupIdX + *axisOfId(op)));
}

void readThreadId(KernelReader &reader, Operation *op) {
  reader.set(op->getResult(0),
             reader.variable(kThreadIdX + axisOf(canonicalName(op))));
}

void readExtent(KernelReader &reader, Operation *op) {
  std::string text = canonicalName(op);
  StringRef name = text;
  bool grid = name.contains("nctaid") || name.contains("grid.dim");
  // One that is claimed is compared with the launch's at run time.
  if (grid && reader.sizes.everyGrid && !reader.sizes.grid.isStatic())
    return reader.set(op->getResult(0),
                      AbstractValue::unknown("the grid is not known"));
  const Grid &extents = grid ? reader.model.grid : reader.model.block;
  reader.set(op->getResult(0), reader.scalars.constant(extents[axisOf(name)]));
}

CasesRef laneOf(KernelReader &reader) {
  return reader.scalars.floorRemainder(
      reader.linearThreadId(), reader.scalars.constant(reader.subgroupSize()));
}

void readLane(KernelReader &reader, Operation *op) {
  reader.set(op->getResult(0), laneOf(reader));
}

void readSubgroupSize(KernelReader &reader, Operation *op) {
  reader.set(op->getResult(0), reader.scalars.constant(reader.subgroupSize()));
}

/// True if all threads of a kernel for AMD come to `op`: in the entry block.
static bool isReachedByAll(Operation *op) {
  auto function = dyn_cast<LLVM::LLVMFuncOp>(op->getParentOp());
  return function && op->getBlock()->isEntryBlock() &&
         function.getCConv() == LLVM::CConv::AMDGPU_KERNEL;
}

/// What the first active lane of a wavefront has, where that is its lane 0. For
/// the thread's id along x, in wavefronts of 64:
///
///   readfirstlane(tx) = tx - tx mod 64, which is tx for lane 0
///
/// So for `tx & 255`, which is tx in a block of 256 threads.
void readFirstLane(KernelReader &reader, Operation *op) {
  CasesRef id = reader.scalar(op->getOperand(0));
  CasesRef thread = reader.scalars.leaf(makeVariable(kThreadIdX));
  const Grid &block = reader.model.block;
  int64_t size = reader.subgroupSize();
  bool inRows = block.x() % size == 0 || (block.y() == 1 && block.z() == 1);
  if (!id || !sameCases(id, thread) || !inRows || !isReachedByAll(op))
    return reader.setUnknown(op, "what the first active lane has");
  Scalars &scalars = reader.scalars;
  reader.set(
      op->getResult(0),
      scalars.subtract(id, scalars.floorRemainder(id, scalars.constant(size))));
}

/// One lane of a whole subgroup, the same one whenever it is asked for; NVIDIA
/// does not say which. The value is a predicate, of the intrinsic the lane and
/// the predicate.
void readElected(KernelReader &reader, Operation *op) {
  Scalars &scalars = reader.scalars;
  if (op->getNumOperands() > 0 &&
      scalars.constantOf(reader.scalar(op->getOperand(0))) != -1)
    return reader.setUnknown(op, "which lane of some is elected");
  CasesRef isFirst =
      scalars.compare(Comparison::Equal, laneOf(reader), scalars.constant(0));
  if (!isFirst)
    return reader.setUnknown(op, "which lane is elected");
  reader.assume("'elect.sync' elects the first lane of a subgroup",
                /*isLaunched=*/true);
  AbstractValue predicate = AbstractValue::of({isFirst});
  if (isa<LLVM::LLVMStructType>(op->getResult(0).getType())) {
    AbstractValue both;
    both.kind = AbstractValue::Kind::Aggregate;
    both.members = {AbstractValue::of({scalars.constant(0)}), predicate};
    predicate = both;
  }
  reader.set(op->getResult(0), predicate);
}

bool dependsOnThread(const Domain &domain, const CasesRef &value) {
  auto depends = [&](const AffineForm &form) {
    return domain.dependsOn(form, kThreadIdX) ||
           domain.dependsOn(form, kThreadIdX + 1) ||
           domain.dependsOn(form, kThreadIdX + 2);
  };
  if (value->isLeaf())
    return depends(value->form);
  return depends(value->condition.form) ||
         dependsOnThread(domain, value->yes) ||
         dependsOnThread(domain, value->no);
}

/// True if all that `form` is made of are ids of the workgroup.
static bool isOfWorkgroup(const KernelModel &model, const AffineForm &form) {
  return llvm::all_of(form.terms, [&](const Term &term) {
    const Variable &variable = model.variables[term.variable];
    return variable.kind == VariableKind::WorkgroupId ||
           (variable.kind == VariableKind::Quotient &&
            isOfWorkgroup(model, variable.numerator));
  });
}

static bool isOfWorkgroup(const KernelModel &model, const CasesRef &value) {
  if (value->isLeaf())
    return isOfWorkgroup(model, value->form);
  return isOfWorkgroup(model, value->condition.form) &&
         isOfWorkgroup(model, value->yes) && isOfWorkgroup(model, value->no);
}

/// What one lane has, where all lanes of a subgroup have the same: what is made
/// of ids of the workgroup, and the number of the subgroup. Counters of loops
/// do not count: lanes that came there by different iterations may meet.
void readShuffledLane(KernelReader &reader, Operation *op) {
  constexpr int64_t kWholeSubgroup = 31;
  Scalars &scalars = reader.scalars;
  auto constant = [&](unsigned index) {
    return scalars.constantOf(reader.scalar(op->getOperand(index)));
  };
  CasesRef value = reader.scalar(op->getOperand(1));
  std::optional<int64_t> lane = constant(2);
  if (!value || op->getResult(0).getType() != op->getOperand(1).getType() ||
      constant(0) != -1 || !lane || *lane < 0 || *lane > kWholeSubgroup ||
      constant(3) != kWholeSubgroup || reader.subgroupSize() != 32)
    return reader.setUnknown(op, "what another lane has");
  CasesRef subgroup = scalars.floorDivide(
      reader.linearThreadId(), scalars.constant(reader.subgroupSize()));
  if (!sameCases(value, subgroup) && !isOfWorkgroup(reader.model, value))
    return reader.setUnknown(op, "what another lane has");
  reader.set(op->getResult(0), value);
}

/// The lane id of AMD's wavefronts: the number of lower lanes in a full mask.
void readLanesBelow(KernelReader &reader, Operation *op) {
  auto constant = [&](Value value) {
    return reader.scalars.constantOf(reader.scalar(value));
  };
  Operation *low =
      op->getNumOperands() == 2 ? op->getOperand(1).getDefiningOp() : nullptr;
  bool whole = low && canonicalName(low) == "rocdl.mbcnt.lo" &&
               constant(op->getOperand(0)) == -1 &&
               constant(low->getOperand(0)) == -1 &&
               constant(low->getOperand(1)) == 0;
  if (whole)
    reader.set(op->getResult(0), laneOf(reader));
  else
    reader.setUnknown(op, "the number of some lanes below");
}

} // namespace swizzle::analysis
