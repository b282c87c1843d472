//===- ReadIds.cpp - Workgroup, thread and lane ids -----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ids and extents of a launch in the spellings of the gpu, nvvm and rocdl
// dialects. Threads are numbered x fastest, and subgroups are runs of that
// numbering.
//
//===----------------------------------------------------------------------===//

#include "KernelReader.h"

#include "swizzle/IR/HardwareAttr.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace swizzle {

namespace {
enum class Register {
  None,
  WorkgroupId,
  ThreadId,
  GridSize,
  BlockSize,
  GlobalId,
  Lane,
  Subgroup,
  SubgroupCount,
  SubgroupSize
};
} // namespace

static std::pair<Register, unsigned> registerOf(Operation *op) {
  auto with = [](Register kind, gpu::Dimension axis) {
    return std::make_pair(kind, unsigned(axis));
  };
  if (auto id = dyn_cast<gpu::BlockIdOp>(op))
    return with(Register::WorkgroupId, id.getDimension());
  if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
    return with(Register::ThreadId, id.getDimension());
  if (auto id = dyn_cast<gpu::GridDimOp>(op))
    return with(Register::GridSize, id.getDimension());
  if (auto id = dyn_cast<gpu::BlockDimOp>(op))
    return with(Register::BlockSize, id.getDimension());
  if (auto id = dyn_cast<gpu::GlobalIdOp>(op))
    return with(Register::GlobalId, id.getDimension());
  StringRef name = op->getName().getStringRef();
  Register whole =
      llvm::StringSwitch<Register>(name)
          .Cases({"gpu.lane_id", "nvvm.read.ptx.sreg.laneid"}, Register::Lane)
          .Cases({"gpu.subgroup_id", "nvvm.read.ptx.sreg.warpid"},
                 Register::Subgroup)
          .Cases({"gpu.num_subgroups", "nvvm.read.ptx.sreg.nwarpid"},
                 Register::SubgroupCount)
          .Cases({"gpu.subgroup_size", "nvvm.read.ptx.sreg.warpsize",
                  "rocdl.wavefrontsize"},
                 Register::SubgroupSize)
          .Default(Register::None);
  if (whole != Register::None)
    return {whole, 0};
  if (name.size() < 2 || name[name.size() - 2] != '.' || name.back() < 'x' ||
      name.back() > 'z')
    return {Register::None, 0};
  unsigned axis = name.back() - 'x';
  Register kind = llvm::StringSwitch<Register>(name.drop_back(2))
                      .Cases({"nvvm.read.ptx.sreg.ctaid", "rocdl.workgroup.id"},
                             Register::WorkgroupId)
                      .Cases({"nvvm.read.ptx.sreg.tid", "rocdl.workitem.id"},
                             Register::ThreadId)
                      .Cases({"nvvm.read.ptx.sreg.nctaid", "rocdl.grid.dim"},
                             Register::GridSize)
                      .Cases({"nvvm.read.ptx.sreg.ntid", "rocdl.workgroup.dim"},
                             Register::BlockSize)
                      .Default(Register::None);
  return {kind, axis};
}

CasesRef KernelReader::linearThreadId() {
  AffineForm id =
      makeVariable(kThreadIdX) + makeVariable(kThreadIdX + 1, model.block.x()) +
      makeVariable(kThreadIdX + 2, model.block.x() * model.block.y());
  return scalars_.leaf(id);
}

int64_t KernelReader::subgroupSize() {
  if (knownSubgroupSize)
    return knownSubgroupSize;
  if (llvm::Expected<std::optional<ChipChoice>> chip = readChip(kernel)) {
    if (*chip)
      return knownSubgroupSize = (*chip)->hardware.waveSize;
  } else {
    // Whoever needs the chip reports what is wrong with its description.
    llvm::consumeError(chip.takeError());
  }
  if (sizes.subgroup) {
    knownSubgroupSize = sizes.subgroup;
    assume("subgroup size = " + std::to_string(knownSubgroupSize) +
           " (of the chip that was named)");
    return knownSubgroupSize;
  }
  // Nominal: of the matrix units that the vendor's own operations drive.
  bool vendorOperations = kernel
                              ->walk([](Operation *op) {
                                StringRef dialect =
                                    op->getName().getDialectNamespace();
                                return dialect == "rocdl" || dialect == "amdgpu"
                                           ? WalkResult::interrupt()
                                           : WalkResult::advance();
                              })
                              .wasInterrupted();
  knownSubgroupSize = vendorOperations ? 64 : 32;
  assume("subgroup size = " + std::to_string(knownSubgroupSize) +
         " (the module names no target)");
  return knownSubgroupSize;
}

bool KernelReader::readId(Operation *op) {
  if (op->getNumResults() != 1)
    return false;
  Register kind;
  unsigned axis;
  std::tie(kind, axis) = registerOf(op);
  Value result = op->getResult(0);
  auto variable = [&](VariableId first) {
    return scalars_.leaf(makeVariable(first + axis));
  };
  switch (kind) {
  case Register::None:
    break;
  case Register::WorkgroupId:
    set(result, variable(kWorkgroupIdX));
    return true;
  case Register::ThreadId:
    set(result, variable(kThreadIdX));
    return true;
  case Register::GridSize:
    set(result, scalars_.constant(model.grid[axis]));
    return true;
  case Register::BlockSize:
    set(result, scalars_.constant(model.block[axis]));
    return true;
  case Register::GlobalId:
    set(result,
        scalars_.add(scalars_.scale(variable(kWorkgroupIdX), model.block[axis]),
                     variable(kThreadIdX)));
    return true;
  case Register::Lane:
    set(result, scalars_.floorRemainder(linearThreadId(),
                                        scalars_.constant(subgroupSize())));
    return true;
  case Register::Subgroup:
    set(result, scalars_.floorDivide(linearThreadId(),
                                     scalars_.constant(subgroupSize())));
    return true;
  case Register::SubgroupCount:
    set(result, scalars_.constant((model.threads() + subgroupSize() - 1) /
                                  subgroupSize()));
    return true;
  case Register::SubgroupSize:
    set(result, scalars_.constant(subgroupSize()));
    return true;
  }
  // The lane id of AMD's wavefronts: the number of lower lanes in a full mask.
  if (op->getName().getStringRef() == "rocdl.mbcnt.hi") {
    Operation *low = op->getOperand(1).getDefiningOp();
    if (low && low->getName().getStringRef() == "rocdl.mbcnt.lo" &&
        matchPattern(op->getOperand(0), m_Constant()) &&
        scalars_.constantOf(scalar(op->getOperand(0))) == -1 &&
        scalars_.constantOf(scalar(low->getOperand(0))) == -1 &&
        scalars_.constantOf(scalar(low->getOperand(1))) == 0) {
      set(result, scalars_.floorRemainder(linearThreadId(),
                                          scalars_.constant(subgroupSize())));
      return true;
    }
  }
  return false;
}

} // namespace swizzle
