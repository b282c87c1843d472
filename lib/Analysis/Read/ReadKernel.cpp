//===- ReadKernel.cpp - What a kernel does ------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowers a clone of the kernel, judges the effects of all operations in it, and
// executes it symbolically, once for each way in which the module launches it.
//
//===----------------------------------------------------------------------===//

#include "KernelReader.h"

#include "swizzle/IR/HardwareAttr.h"
#include "swizzle/Lowering/WorkgroupIds.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace swizzle {

/// Launches that are read at most; the rest is assumed to be like them.
static constexpr size_t kMaxLaunches = 8;

namespace {
/// Walks a lowered kernel and its callees, and keeps the first reason to refuse.
class EffectJudge {
public:
  explicit EffectJudge(KernelReading &reading) : reading(reading) {}

  void visit(FunctionOpInterface function);

private:
  void visitCall(CallOpInterface call);
  void apply(Operation *op);
  void refuse(Operation *op, StringRef code, const Twine &message) {
    if (!reading.refusal)
      reading.refusal = KernelRefusal{code.str(), message.str(), "",
                                      originalLocation(op->getLoc())};
  }
  void note(StringRef text) {
    if (!llvm::is_contained(reading.notes, text))
      reading.notes.push_back(text.str());
  }

  KernelReading &reading;
  llvm::SetVector<Operation *> stack; ///< functions being visited
  llvm::SmallPtrSet<Operation *, 8> done;
};
} // namespace

void EffectJudge::apply(Operation *op) {
  OperationEffect effect = classify(op);
  switch (effect.kind) {
  case OperationKind::Pure:
  case OperationKind::Local:
  case OperationKind::Access:
    return;
  case OperationKind::Atomic:
    if (!effect.bitStable)
      note("not bit-stable: floating-point atomics add in another order");
    return;
  case OperationKind::Prints:
    return note("prints or asserts: what is printed comes in another order");
  case OperationKind::Calls:
    return visitCall(cast<CallOpInterface>(op));
  case OperationKind::Refused: {
    // Say it of the operation that the user wrote.
    StringRef user = originalOperation(op->getLoc());
    std::string name = canonicalName(op);
    bool renamed = !user.empty() && user != op->getName().getStringRef();
    refuse(op, effect.code,
           renamed ? "'" + user + "' is lowered to '" + name + "': " +
                         effect.reason
                   : Twine(effect.reason));
  }
  }
}

void EffectJudge::visitCall(CallOpInterface call) {
  bool indirect = false;
  FunctionOpInterface callee = resolveCallee(call, indirect);
  if (indirect)
    return refuse(call, "indirect-call",
                  "an indirect call may reach any function, and so read a "
                  "workgroup id");
  if (!callee || callee.isExternal()) {
    StringRef name = cast<SymbolRefAttr>(call.getCallableForCallee())
                         .getLeafReference()
                         .getValue();
    return refuse(call, "indirect-call",
                  "'" + name +
                      "' is another name for some function, and so may read a "
                      "workgroup id");
  }
  if (stack.contains(callee))
    return refuse(call, "recursive-call",
                  "'" + callee.getName() +
                      "' calls itself; recursion is not followed");
  if (!done.contains(callee))
    visit(callee);
}

void EffectJudge::visit(FunctionOpInterface function) {
  stack.insert(function);
  function.getFunctionBody().walk([&](Operation *op) {
    apply(op);
    return reading.refusal ? WalkResult::interrupt() : WalkResult::advance();
  });
  stack.pop_back();
  done.insert(function);
}

/// What an operand of a launch says of a kernel's argument: the memory, or the
/// number. Launches that say the same need be read once.
static bool sameArguments(gpu::LaunchFuncOp a, gpu::LaunchFuncOp b) {
  if (a.getNumKernelOperands() != b.getNumKernelOperands())
    return false;
  HostValues host;
  for (unsigned i = 0; i < a.getNumKernelOperands(); ++i) {
    Value p = a.getKernelOperand(i), q = b.getKernelOperand(i);
    if (p == q)
      continue;
    std::optional<HostValue> m = host.evaluate(p), n = host.evaluate(q);
    if (!m || !n || m->value != n->value || m->nominal || n->nominal)
      return false;
  }
  return true;
}

static SmallVector<gpu::LaunchFuncOp>
distinctLaunches(FunctionOpInterface kernel) {
  SmallVector<gpu::LaunchFuncOp> distinct;
  for (gpu::LaunchFuncOp launch : findLaunches(kernel))
    if (llvm::none_of(distinct, [&](gpu::LaunchFuncOp other) {
          return sameArguments(launch, other);
        }))
      distinct.push_back(launch);
  return distinct;
}

KernelLoweringOptions howToLower(FunctionOpInterface kernel,
                                 const LaunchSizes &sizes) {
  KernelLoweringOptions options;
  options.waveSize = sizes.subgroup;
  if (llvm::Expected<std::optional<ChipChoice>> chip = readChip(kernel)) {
    if (*chip) {
      options.vendor = (*chip)->hardware.vendor == "amd" ? GpuVendor::AMD
                                                         : GpuVendor::NVIDIA;
      options.waveSize = (*chip)->hardware.waveSize;
      options.architecture = (*chip)->hardware.target;
    }
  } else {
    // Whoever needs the chip reports what is wrong with its description.
    llvm::consumeError(chip.takeError());
  }
  return options;
}

/// Operations whose lowering has the size of a subgroup written in.
static bool dependsOnSubgroupSize(FunctionOpInterface kernel) {
  return kernel
      ->walk([](Operation *op) {
        return isa<gpu::SubgroupSizeOp, gpu::SubgroupIdOp, gpu::NumSubgroupsOp,
                   gpu::SubgroupReduceOp>(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The model of a kernel of which nothing was read: all that it does to memory
/// is unknown.
static KernelModel unreadModel(FunctionOpInterface kernel,
                               const LaunchSizes &sizes) {
  auto known = [](Grid extents, const char *what,
                  std::vector<std::string> &assumed) {
    for (unsigned axis = 0; axis < 3; ++axis)
      if (extents[axis] == kUnknownExtent) {
        extents[axis] = 1;
        assumed.push_back(std::string(what) + " " + "xyz"[axis] +
                          " = 1 (nominal)");
      }
    return extents;
  };
  std::vector<std::string> assumed;
  Grid grid = known(sizes.grid, "grid", assumed);
  Grid block = known(sizes.block, "block", assumed);
  KernelModel model = KernelModel::create(grid, block);
  for (unsigned axis = 0; axis < 3; ++axis)
    model.gridKnown[axis] = sizes.grid[axis] != kUnknownExtent;
  model.assumed = std::move(assumed);
  model.name = kernel.getName().str();
  if (auto module = kernel->getParentOfType<gpu::GPUModuleOp>())
    model.module = module.getName().str();
  NotModelled everything;
  everything.what = kernel->getName().getStringRef().str();
  everything.reason = "the kernel was not read";
  everything.location = describeLocation(kernel.getLoc());
  everything.kind = AccessKind::Write;
  model.notModelled.push_back(everything);
  return model;
}

KernelReading readKernel(FunctionOpInterface kernel, const LaunchSizes &sizes) {
  KernelReading reading;
  reading.model = unreadModel(kernel, sizes);
  if (kernel.isExternal())
    return reading;
  llvm::Expected<LoweredKernel> lowered =
      lowerKernel(kernel, howToLower(kernel, sizes));
  if (!lowered) {
    Location where = kernel.getLoc();
    llvm::Error error = llvm::handleErrors(
        lowered.takeError(),
        [&](std::unique_ptr<LoweringError> failed) -> llvm::Error {
          where = originalLocation(failed->where());
          return llvm::Error(std::move(failed));
        });
    reading.refusal = KernelRefusal{"unknown-effect",
                                    llvm::toString(std::move(error)), "", where};
    return reading;
  }
  EffectJudge(reading).visit(lowered->function);
  SmallVector<gpu::LaunchFuncOp> launches = distinctLaunches(kernel);
  bool more = launches.size() > kMaxLaunches;
  launches.resize(std::clamp<size_t>(launches.size(), 1, kMaxLaunches));
  for (auto [index, launch] : llvm::enumerate(launches)) {
    KernelReader reader(kernel, *lowered, sizes, launch);
    if (dependsOnSubgroupSize(kernel))
      reader.subgroupSize();
    if (more)
      reader.assume("launches after the eighth are like those before it");
    KernelModel model = reader.run();
    if (index == 0)
      reading.model = std::move(model);
    else
      reading.others.push_back(std::move(model));
  }
  return reading;
}

KernelModel buildKernelModel(FunctionOpInterface kernel,
                             const LaunchSizes &sizes) {
  return readKernel(kernel, sizes).model;
}

} // namespace swizzle
