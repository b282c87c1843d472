//===- Legality.cpp - May this kernel's workgroups be renumbered? ---------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two workgroups communicate if one may write a byte that the other reads or
// writes. A kernel whose workgroups do not communicate, except by commuting
// atomics whose old value nobody uses, computes the same under every
// permutation of the ids, provided that every use of an id sees the permuted
// one. This file walks a kernel and everything that it calls, sorts each
// operation by the allow-list of Effects.cpp, collects the readings of ids, and
// asks Independence.cpp whether plain loads and stores stay apart.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Analysis/Legality.h"

#include "AccessSites.h"
#include "Effects.h"
#include "swizzle/Analysis/Independence.h"
#include "swizzle/Analysis/KernelAnalysis.h"
#include "swizzle/IR/SwizzleDialect.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace swizzle {

FunctionOpInterface resolveCallee(CallOpInterface call, bool &indirect) {
  indirect = false;
  auto symbol = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
  if (!symbol) {
    indirect = true;
    return nullptr;
  }
  return dyn_cast_or_null<FunctionOpInterface>(
      SymbolTable::lookupNearestSymbolFrom(call, symbol));
}

namespace {

/// Walks a kernel and its callees, and keeps the first reason to refuse.
class Judge {
public:
  Judge(FunctionOpInterface kernel, KernelLegality &legality)
      : kernel(kernel), legality(legality) {}

  /// Judges the body of `function`; true if it reads ids, itself or below.
  bool visit(FunctionOpInterface function);

  void refuse(Location location, StringRef code, const Twine &message) {
    if (!legality.refusal)
      legality.refusal =
          KernelRefusal{code.str(), message.str(), std::string(), location};
  }

private:
  bool visitCall(CallOpInterface call);
  void note(StringRef text) {
    if (!llvm::is_contained(legality.notes, text))
      legality.notes.push_back(text.str());
  }
  bool apply(const Effect &effect, Operation *op);
  void noteUpdate(const Effect &effect, Operation *op);
  bool isKernelArgument(Value memory);

  FunctionOpInterface kernel;
  KernelLegality &legality;
  /// Atomic updates so far: what of, and which.
  SmallVector<std::pair<Value, std::string>> updates;
  llvm::SetVector<Operation *> stack;     ///< functions being visited
  llvm::DenseMap<Operation *, bool> done; ///< function -> reads ids
};

} // namespace

/// True if `memory` is an argument of the kernel, not of a loop or of a
/// function that it calls: those may be one and the same memory.
bool Judge::isKernelArgument(Value memory) {
  auto argument = dyn_cast_or_null<BlockArgument>(memory);
  return argument &&
         argument.getOwner()->getParentOp() == kernel.getOperation() &&
         argument.getOwner()->isEntryBlock();
}

/// Updates of one kind commute with each other; those of two kinds do not,
/// unless they go to different arguments of the kernel.
void Judge::noteUpdate(const Effect &effect, Operation *op) {
  Value root = effect.memory ? rootOf(effect.memory) : Value();
  for (const auto &[other, update] : updates) {
    bool apart =
        root != other && isKernelArgument(root) && isKernelArgument(other);
    if (!apart && update != effect.update)
      refuse(op->getLoc(), "atomic-not-commutative",
             "the atomic " + effect.update + " does not commute with the " +
                 update + " of the same memory");
  }
  updates.push_back({root, effect.update});
}

/// Acts on the effect of `op`; true if it reads an id.
bool Judge::apply(const Effect &effect, Operation *op) {
  switch (effect.kind) {
  case EffectKind::Harmless:
  case EffectKind::Access:
    return false;
  case EffectKind::Atomic:
    noteUpdate(effect, op);
    return false;
  case EffectKind::FloatAtomic:
    noteUpdate(effect, op);
    note("not bit-stable: floating-point atomics add in another order");
    return false;
  case EffectKind::Prints:
    note("prints or asserts: what is printed comes in another order");
    return false;
  case EffectKind::ReadsId: {
    IdReading reading;
    reading.op = op;
    reading.axis = effect.axis;
    reading.global = effect.global;
    legality.readings.push_back(reading);
    return true;
  }
  case EffectKind::Calls:
    return visitCall(cast<CallOpInterface>(op));
  case EffectKind::Refused:
    refuse(op->getLoc(), effect.code, effect.reason);
    return false;
  }
  llvm_unreachable("all effects are handled");
}

bool Judge::visitCall(CallOpInterface call) {
  bool indirect = false;
  FunctionOpInterface callee = resolveCallee(call, indirect);
  if (indirect) {
    refuse(call.getLoc(), "indirect-call",
           "an indirect call may reach any function, and so read a workgroup "
           "id");
    return false;
  }
  if (!callee || callee.isExternal()) {
    auto symbol = cast<SymbolRefAttr>(call.getCallableForCallee());
    StringRef name = symbol.getLeafReference().getValue();
    if (!callee && SymbolTable::lookupNearestSymbolFrom(call, symbol)) {
      refuse(call.getLoc(), "indirect-call",
             "'" + name +
                 "' is another name for some function, and so may "
                 "read a workgroup id");
      return false;
    }
    // Intrinsics may be called as functions of that name.
    return apply(name.starts_with("llvm.") ? classifyIntrinsic(name, call)
                                           : classifyDeclaration(name, call),
                 call);
  }
  if (stack.contains(callee)) {
    refuse(call.getLoc(), "recursive-call",
           "'" + callee.getName() +
               "' calls itself; recursion is not followed");
    return false;
  }
  auto known = done.find(callee);
  bool reads = known != done.end() ? known->second : visit(callee);
  if (reads && !llvm::is_contained(legality.callees, callee))
    legality.callees.push_back(callee);
  return reads;
}

bool Judge::visit(FunctionOpInterface function) {
  stack.insert(function);
  bool reads = false;
  function.getFunctionBody().walk([&](Operation *op) {
    reads |= apply(classify(op), op);
    return legality.refusal ? WalkResult::interrupt() : WalkResult::advance();
  });
  stack.pop_back();
  done[function] = reads;
  return reads;
}

/// True if the attributes that `op` hands on to LLVM form clusters.
static bool passesClustersOn(Operation *op) {
  auto passthrough = op->getAttrOfType<ArrayAttr>("passthrough");
  if (!passthrough)
    return false;
  return llvm::any_of(passthrough, [](Attribute entry) {
    if (auto pair = dyn_cast<ArrayAttr>(entry); pair && !pair.empty())
      entry = pair[0];
    auto name = dyn_cast<StringAttr>(entry);
    return name && name.getValue().contains("cluster");
  });
}

/// Launches in clusters, or of a cooperative kernel, say so on the kernel or on
/// the launch.
static void judgeLaunches(FunctionOpInterface kernel, Judge &judge) {
  auto judgeAttributes = [&](Operation *op) {
    for (NamedAttribute attr : op->getAttrs()) {
      StringRef name = attr.getName().getValue();
      if (name == "operandSegmentSizes")
        continue;
      if (name.contains("cluster") && !name.contains("max_cluster"))
        judge.refuse(op->getLoc(), "cluster",
                     "'" + name +
                         "' groups workgroups into clusters, which would have "
                         "to move as a whole");
      if (name.contains("blocksareclusters"))
        judge.refuse(op->getLoc(), "cluster",
                     "'" + name + "' groups workgroups into clusters");
      if (name.contains("cooperative"))
        judge.refuse(op->getLoc(), "cooperative",
                     "'" + name +
                         "' says that workgroups may wait for each other");
    }
  };
  judgeAttributes(kernel);
  if (passesClustersOn(kernel))
    judge.refuse(kernel.getLoc(), "cluster",
                 "'passthrough' groups workgroups into clusters, which would "
                 "have to move as a whole");
  Operation *root = kernel;
  while (root->getParentOp())
    root = root->getParentOp();
  root->walk([&](gpu::LaunchFuncOp launch) {
    if (launch.getKernelName().getValue() != kernel.getName() ||
        SymbolTable::lookupNearestSymbolFrom(launch, launch.getKernelAttr()) !=
            kernel.getOperation())
      return;
    if (launch.hasClusterSize())
      judge.refuse(launch.getLoc(), "cluster",
                   "the kernel is launched in clusters of workgroups, which "
                   "would have to move as a whole");
    judgeAttributes(launch);
  });
}

SmallVector<IdReading> findIdReadings(FunctionOpInterface function) {
  SmallVector<IdReading> readings;
  function.getFunctionBody().walk([&](Operation *op) {
    Effect effect = classify(op);
    // A declaration of an intrinsic that is called like a function.
    if (effect.kind == EffectKind::Calls) {
      bool indirect = false;
      FunctionOpInterface callee =
          resolveCallee(cast<CallOpInterface>(op), indirect);
      if (indirect || (callee && !callee.isExternal()))
        return;
      StringRef name =
          cast<SymbolRefAttr>(cast<CallOpInterface>(op).getCallableForCallee())
              .getLeafReference()
              .getValue();
      if (name.starts_with("llvm."))
        effect = classifyIntrinsic(name, op);
    }
    if (effect.kind != EffectKind::ReadsId)
      return;
    IdReading reading;
    reading.op = op;
    reading.axis = effect.axis;
    reading.global = effect.global;
    readings.push_back(reading);
  });
  return readings;
}

/// Arguments that are written and might overlap others that are accessed: those
/// that do not carry `llvm.noalias`. An empty string if there are none.
static std::string assumeNoAliasing(FunctionOpInterface kernel,
                                    const KernelModel &model) {
  std::vector<bool> used(model.buffers.size()), written(model.buffers.size());
  auto note = [&](uint32_t buffer, AccessKind kind) {
    used[buffer] = true;
    written[buffer] = written[buffer] || kind != AccessKind::Read;
  };
  for (const AccessSite &site : collectAccessSites(model))
    note(site.access->buffer, site.access->kind);
  for (const NotModelled &access : model.notModelled)
    if (access.buffer >= 0)
      note(access.buffer, access.kind);
  SmallVector<StringRef> names;
  bool anyWritten = false;
  for (auto [index, buffer] : llvm::enumerate(model.buffers)) {
    if (!used[index] || buffer.argument < 0 ||
        buffer.argument >= int(kernel.getNumArguments()) ||
        kernel.getArgAttr(buffer.argument, "llvm.noalias"))
      continue;
    names.push_back(buffer.name);
    anyWritten |= written[index];
  }
  if (!anyWritten || names.size() < 2)
    return "";
  return llvm::join(names, " and ") + " do not overlap in memory";
}

KernelLegality judgeKernel(FunctionOpInterface kernel, const KernelModel &model,
                           const LegalityOptions &options) {
  KernelLegality legality;
  Judge judge(kernel, legality);
  Location location = kernel.getLoc();
  if (kernel.isExternal()) {
    judge.refuse(location, "no-body", "the kernel has no body here");
    return legality;
  }
  bool carriesRemap = kernel->hasAttr(kAppliedAttrName);
  kernel.getFunctionBody().walk([&](RemapOp) { carriesRemap = true; });
  if (carriesRemap && !options.compose) {
    judge.refuse(location, "already-remapped",
                 "the kernel carries a remap already; `compose` goes on from "
                 "it");
    return legality;
  }
  judgeLaunches(kernel, judge);
  if (legality.refusal)
    return legality;
  judge.visit(kernel);
  if (legality.refusal)
    return legality;
  if (legality.readings.empty()) {
    judge.refuse(location, "no-id",
                 "the kernel reads no workgroup id, so that all workgroups do "
                 "the same and there is nothing to remap");
    return legality;
  }

  Independence independence = judgeIndependence(model);
  if (independence.counterexample) {
    const CrossWorkgroupAccess &found = *independence.counterexample;
    bool written = found.otherKind != AccessKind::Read;
    judge.refuse(location, "cross-workgroup-write",
                 "a workgroup writes bytes of " +
                     model.buffers[found.buffer].name + " that another one " +
                     (written ? "writes" : "reads") +
                     ", so that their order matters");
    legality.refusal->counterexample = found.describe(model);
    return legality;
  }
  legality.assumptions = std::move(independence.assumptions);
  if (std::string alias = assumeNoAliasing(kernel, model); !alias.empty())
    legality.assumptions.push_back(alias);
  legality.existingRemap = findExistingRemap(model);
  if (options.strict && !legality.assumptions.empty())
    judge.refuse(location, "assumption",
                 "`strict` is given, and it is only assumed that " +
                     legality.assumptions.front());
  return legality;
}

} // namespace swizzle
