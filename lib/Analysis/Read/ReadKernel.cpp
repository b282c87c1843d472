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
#include "Launch/Elsewhere.h"
#include "Launch/NominalNumbers.h"

#include "swizzle/IR/HardwareAttr.h"
#include "swizzle/Lowering/WorkgroupIds.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace swizzle {

using namespace analysis;

namespace {
/// Judges what a lowered kernel and its callees do; keeps the first reason to
/// refuse.
struct EffectJudge {
  void judge(Operation *op);
  void judgeCall(CallOpInterface call);
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
};
} // namespace

/// The beginning of assembly, on one line.
static std::string quoteAssembly(LLVM::InlineAsmOp assembly) {
  constexpr size_t kShown = 60;
  std::string text;
  for (char c : assembly.getAsmString().trim())
    text += llvm::isSpace(c) ? ' ' : c;
  bool isLong = text.size() > kShown;
  return " (\"" + text.substr(0, kShown) + (isLong ? "...\")" : "\")");
}

void EffectJudge::judge(Operation *op) {
  if (reading.refusal)
    return;
  OperationEffect effect = classify(op);
  if (effect.kind == OperationKind::Calls)
    return judgeCall(cast<CallOpInterface>(op));
  if (effect.kind == OperationKind::Prints)
    note("prints or asserts: what is printed comes in another order");
  if (effect.kind == OperationKind::Atomic && !effect.bitStable)
    note("not bit-stable: floating-point atomics add in another order");
  if (effect.kind != OperationKind::Refused)
    return;
  // Say it of the operation that the user wrote.
  StringRef user = originalOperation(op->getLoc());
  bool renamed = !user.empty() && user != op->getName().getStringRef();
  std::string prefix;
  if (renamed)
    prefix =
        ("'" + user + "' is lowered to '" + canonicalName(op) + "': ").str();
  std::string quoted;
  if (auto assembly = dyn_cast<LLVM::InlineAsmOp>(op))
    quoted = quoteAssembly(assembly);
  refuse(op, effect.code, prefix + effect.reason + quoted);
}

/// True if what is linked to the module may bring another body for `function`.
/// Those by which device libraries report failures are weak, and known.
static bool isReplaceable(FunctionOpInterface function) {
  auto lowered = dyn_cast<LLVM::LLVMFuncOp>(function.getOperation());
  return lowered &&
         (lowered.getLinkage() == LLVM::Linkage::Weak ||
          lowered.getLinkage() == LLVM::Linkage::Linkonce) &&
         lowered.getName() != "__assert_fail" &&
         lowered.getName() != "__assertfail";
}

void EffectJudge::judgeCall(CallOpInterface call) {
  bool indirect = false;
  FunctionOpInterface callee = resolveCallee(call, indirect);
  if (indirect)
    return refuse(call, "indirect-call",
                  "an indirect call may reach any function, and so read a "
                  "workgroup id");
  if (!callee || callee.isExternal())
    return refuse(call, "indirect-call",
                  "'" +
                      cast<SymbolRefAttr>(call.getCallableForCallee())
                          .getLeafReference()
                          .getValue() +
                      "' is another name for some function, and so may read a "
                      "workgroup id");
  if (isReplaceable(callee))
    return refuse(call, "unknown-callee",
                  "'" + callee.getName() +
                      "' is weak: another definition, which may read a "
                      "workgroup id or touch any memory, can take its place "
                      "when it is linked");
  if (llvm::is_contained(reachableFunctions(callee),
                         call->getParentOfType<FunctionOpInterface>()))
    refuse(call, "recursive-call",
           "'" + callee.getName() +
               "' calls itself; recursion is not followed");
}

/// True if a launch says the same of a kernel as another: of each argument the
/// memory or the number, and of grid and block the extents. These need be read
/// once.
static bool saysTheSame(gpu::LaunchFuncOp a, gpu::LaunchFuncOp b,
                        HostValues &host) {
  if (a.getNumKernelOperands() != b.getNumKernelOperands())
    return false;
  auto isSame = [&](Value p, Value q) {
    if (p == q)
      return true;
    std::optional<HostValue> m = host.evaluate(p), n = host.evaluate(q);
    return m && n && m->value == n->value && !m->nominal && !n->nominal;
  };
  auto haveSame = [&](gpu::KernelDim3 p, gpu::KernelDim3 q) {
    return isSame(p.x, q.x) && isSame(p.y, q.y) && isSame(p.z, q.z);
  };
  if (!haveSame(a.getGridSizeOperandValues(), b.getGridSizeOperandValues()) ||
      !haveSame(a.getBlockSizeOperandValues(), b.getBlockSizeOperandValues()))
    return false;
  for (unsigned i = 0; i < a.getNumKernelOperands(); ++i)
    if (!isSame(a.getKernelOperand(i), b.getKernelOperand(i)))
      return false;
  return true;
}

/// Those of `launches` that say something of their own, in their order; one
/// more than are read, if there are as many.
static SmallVector<gpu::LaunchFuncOp>
distinctLaunches(ArrayRef<gpu::LaunchFuncOp> launches) {
  SmallVector<gpu::LaunchFuncOp> distinct;
  HostValues host;
  for (gpu::LaunchFuncOp launch : launches) {
    if (distinct.size() > kMostLaunches)
      break;
    if (llvm::none_of(distinct, [&](gpu::LaunchFuncOp other) {
          return saysTheSame(launch, other, host);
        }))
      distinct.push_back(launch);
  }
  return distinct;
}

KernelLoweringOptions howToLower(FunctionOpInterface kernel,
                                 const LaunchSizes &sizes) {
  KernelLoweringOptions options;
  options.waveSize = sizes.subgroup;
  if (std::optional<ChipChoice> chip = knownChip(kernel)) {
    const HardwareSpec &hardware = chip->hardware;
    options.vendor =
        hardware.vendor == "amd" ? GpuVendor::AMD : GpuVendor::NVIDIA;
    options.waveSize = hardware.waveSize;
    options.architecture = hardware.target;
  }
  return options;
}

/// Operations whose lowering has the size of a subgroup written in.
static bool dependsOnSubgroupSize(FunctionOpInterface kernel) {
  auto isSuch = [](Operation *op) {
    return isa<gpu::SubgroupSizeOp, gpu::SubgroupIdOp, gpu::NumSubgroupsOp,
               gpu::SubgroupReduceOp>(op)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  };
  return llvm::any_of(reachableFunctions(kernel),
                      [&](FunctionOpInterface function) {
                        return function->walk(isSuch).wasInterrupted();
                      });
}

/// The model of a kernel of which nothing was read: all that it does to memory
/// is unknown.
static KernelModel unreadModel(FunctionOpInterface kernel,
                               const LaunchSizes &sizes) {
  HostValues host;
  KernelModel model = createModel(kernel, nullptr, sizes, host, nullptr);
  NotModelled everything;
  everything.what = kernel->getName().getStringRef().str();
  everything.reason = "the kernel was not read";
  everything.location = describeLocation(kernel.getLoc());
  everything.kind = AccessKind::Write;
  model.notModelled.push_back(everything);
  return model;
}

KernelReading readKernel(FunctionOpInterface kernel, const LaunchSizes &sizes) {
  return readKernel(kernel, sizes, ModuleFacts(kernel));
}

KernelReading readKernel(FunctionOpInterface kernel, const LaunchSizes &sizes,
                         const ModuleFacts &module) {
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
    reading.refusal = KernelRefusal{
        "unknown-effect", llvm::toString(std::move(error)), "", where};
    return reading;
  }
  EffectJudge judge{reading};
  auto functions = reachableFunctions(lowered->function);
  WaitingLoops waiting(functions);
  for (FunctionOpInterface function : functions) {
    function.getFunctionBody().walk([&](Operation *op) { judge.judge(op); });
    if (Operation *load = waiting.findIn(function))
      judge.refuse(load, "waiting-loop",
                   "a loop goes on until another thread writes what '" +
                       canonicalName(load) +
                       "' reads: it may wait for another workgroup");
  }
  SmallVector<gpu::LaunchFuncOp> launches;
  if (!sizes.everyGrid)
    launches = distinctLaunches(module.launchesOf(kernel));
  bool more = launches.size() > kMostLaunches;
  launches.resize(std::clamp<size_t>(launches.size(), 1, kMostLaunches));
  bool isAboutSubgroups = dependsOnSubgroupSize(kernel);
  for (size_t index = 0; index < launches.size(); ++index) {
    gpu::LaunchFuncOp launch = launches[index];
    FittedModel fitted =
        readWithNumbersThatFit([&](const llvm::StringSet<> &small) {
          KernelReader reader(kernel, *lowered, sizes, launch);
          reader.smallNumbers = small;
          if (isAboutSubgroups)
            reader.subgroupSize();
          if (more)
            reader.assume("launches after the eighth are like those before it");
          KernelModel model = reader.run();
          if (!sizes.fitNumbers)
            reader.nominalNumbers.clear();
          return NominalReading{std::move(model),
                                reader.nominalNumbers,
                                reader.workDone(),
                                std::move(reader.met),
                                std::move(reader.loadedMembers),
                                small,
                                reader.tests.all(),
                                reader.countedLoops(),
                                std::move(reader.modelled),
                                std::move(reader.accessed)};
        });
    reading.hasFittedNumbers |= fitted.hasSmall;
    auto make = [&] { return KernelReader(kernel, *lowered, sizes, launch); };
    if (index == 0 && !sizes.everyGrid) {
      readElsewhere(reading, *lowered, fitted.reading, make);
      if (sizes.grid.isStatic() && sizes.block.isStatic())
        readOtherSizes(reading, fitted.reading, make);
    }
    if (index == 0)
      reading.model = std::move(fitted.reading.model);
    else
      reading.others.push_back(std::move(fitted.reading.model));
  }
  return reading;
}

KernelModel buildKernelModel(FunctionOpInterface kernel,
                             const LaunchSizes &sizes) {
  return readKernel(kernel, sizes).model;
}

} // namespace swizzle
