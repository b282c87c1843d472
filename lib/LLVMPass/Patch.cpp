//===- Patch.cpp - Gives a kernel another order of workgroups -------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each remap becomes a function of its own, from ids and extents to ids, which
// is evaluated and compared with its formula. Only then the kernel calls it,
// and LLVM's inliner puts into the kernel what was compared. Several grids are
// several calls in a row: each is the identity for the grids of the others, and
// where a launch fits two of them, as 64 and any other do, the first call, of
// the grid that says more, is the only one that counts.
//
//===----------------------------------------------------------------------===//

#include "Patch.h"

#include "HiddenIds.h"
#include "Machine.h"
#include "swizzle/IR/AppliedText.h"
#include "swizzle/LLVMPass/Emit.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace swizzle::llvmpass {

static Error refuse(const PlannedFunction &planned, const Twine &why) {
  return createStringError("kernel '" + planned.function->getName() +
                           "': " + why);
}

/// The extents that the emitted operations read.
static bool readsExtents(const PlannedKernel &plan) {
  return plan.facts.gridIsGuarded() ||
         !plan.decision.remap->environment.grid.isStatic();
}

/// A function from three ids and three extents to three ids.
static Expected<Function *> emitRemap(const PlannedFunction &planned,
                                      const PlannedKernel &plan) {
  const ProvedRemap &remap = *plan.decision.remap;
  if (!remap.lowered)
    return refuse(planned, "the formula has no arithmetic of its own");
  Module &module = *planned.function->getParent();
  LLVMContext &context = module.getContext();
  Type *i32 = Type::getInt32Ty(context);
  auto *result = StructType::get(i32, i32, i32);
  auto *type = FunctionType::get(result, {i32, i32, i32, i32, i32, i32}, false);
  Function *function = Function::Create(type, GlobalValue::InternalLinkage,
                                        "swizzle.remap", module);
  IRBuilder<> builder(BasicBlock::Create(context, "entry", function));
  LaunchValues launch;
  for (unsigned axis = 0; axis < 3; ++axis)
    launch.ids[axis] = function->getArg(axis);
  if (readsExtents(plan))
    for (unsigned axis = 0; axis < 3; ++axis)
      launch.extents.push_back(function->getArg(3 + axis));
  Instruction *end = builder.CreateUnreachable();
  builder.SetInsertPoint(end);
  RemappedIds ids = emit(builder, *remap.lowered, launch);
  bool guarded = plan.facts.gridIsGuarded();
  if (guarded)
    guardGrid(builder, remap.environment.grid, launch, ids);
  Value *all = PoisonValue::get(result);
  for (unsigned axis = 0; axis < 3; ++axis)
    all = builder.CreateInsertValue(all, ids[axis], axis);
  builder.CreateRet(all);
  end->eraseFromParent();
  BitVector reached;
  Error error =
      checkEmitted(ids, launch,
                   {remap.formula, remap.environment,
                    remap.lowered->maxExtentProduct, guarded, &reached});
  if (!error && reached.all())
    return function;
  function->eraseFromParent();
  if (error)
    return refuse(planned, toString(std::move(error)));
  return refuse(planned, "the remap does not reach every workgroup");
}

namespace {
/// What launches of one grid shall run.
struct Claim {
  Grid grid;
  Function *remap = nullptr; ///< or as they came
  std::optional<Grid> block; ///< which alone is remapped
};
} // namespace

/// Those of which more is known first.
static SmallVector<Claim> claimsOf(const PlannedFunction &planned,
                                   ArrayRef<Function *> remaps) {
  SmallVector<Claim> byUnknown[4]; // extents
  auto next = remaps.begin();
  for (const PlannedKernel &plan : planned.plans) {
    Claim claim{plan.facts.sizes.grid, nullptr, std::nullopt};
    if (plan.decision.remap)
      claim.remap = *next++;
    if (plan.facts.blockIsGuarded())
      claim.block = plan.facts.blockToCompare();
    byUnknown[count(claim.grid.extent, kUnknownExtent)].push_back(claim);
  }
  SmallVector<Claim> claims;
  for (const SmallVector<Claim> &alike : byUnknown)
    append_range(claims, alike);
  return claims;
}

/// True if there are launches that fit either grid.
static bool mayFitBoth(const Grid &a, const Grid &b) {
  for (unsigned axis = 0; axis < 3; ++axis)
    if (a[axis] != kUnknownExtent && b[axis] != kUnknownExtent &&
        a[axis] != b[axis])
      return false;
  return true;
}

namespace {
/// The entry of one kernel, while it is being rewritten.
class KernelPatcher {
public:
  explicit KernelPatcher(Function &kernel)
      : kernel(kernel), amd(isForAmd(kernel)), builder(entryOf(kernel)) {}

  void run(const PlannedFunction &planned, ArrayRef<Function *> remaps);

private:
  static Instruction *entryOf(Function &kernel);
  Value *matches(const Grid &extents, function_ref<Value *(unsigned)> read);
  Value *blockIs(const Grid &block);
  Value *gridIs(const Grid &grid);
  Value *isOther(const Grid &grid);
  void call(Function *remap, std::optional<Grid> block, Value *applies);
  Value *both(Value *a, Value *b) {
    return a && b ? builder.CreateAnd(a, b) : a ? a : b;
  }
  void inlineCalls();

  Function &kernel;
  bool amd;
  IRBuilder<> builder;
  std::array<Value *, 3> ids, extents, results;
  SmallVector<CallInst *> calls;
  SmallVector<Instruction *> parts; ///< of what the calls return
};
} // namespace

/// The first instruction behind the variables on the stack, all of which are
/// put in front of it: they are only variables in the entry block.
Instruction *KernelPatcher::entryOf(Function &kernel) {
  BasicBlock &entry = kernel.getEntryBlock();
  Instruction *first = &*entry.getFirstNonPHIOrDbg();
  SmallVector<AllocaInst *> variables;
  for (Instruction &instruction : entry)
    if (auto *variable = dyn_cast<AllocaInst>(&instruction);
        variable && variable->isStaticAlloca())
      variables.push_back(variable);
  for (AllocaInst *variable : variables) {
    if (variable == first)
      first = first->getNextNode();
    else
      variable->moveBefore(first->getIterator());
  }
  // This one, too, is allowed in the entry block alone.
  while (auto *call = dyn_cast<IntrinsicInst>(first)) {
    if (call->getIntrinsicID() != Intrinsic::experimental_convergence_entry)
      break;
    first = first->getNextNode();
  }
  return first;
}

/// True at run time if what `read` yields has the extents that are known;
/// nullptr if none is.
Value *KernelPatcher::matches(const Grid &extents,
                              function_ref<Value *(unsigned)> read) {
  Value *same = nullptr;
  for (unsigned axis = 0; axis < 3; ++axis)
    if (extents[axis] != kUnknownExtent)
      same = both(same, builder.CreateICmpEQ(read(axis),
                                             builder.getInt32(extents[axis])));
  return same;
}

Value *KernelPatcher::blockIs(const Grid &block) {
  return matches(block,
                 [&](unsigned axis) { return readBlock(builder, amd, axis); });
}

Value *KernelPatcher::gridIs(const Grid &grid) {
  return matches(grid, [&](unsigned axis) { return extents[axis]; });
}

/// True at run time if the grid is not `grid`; never for one of which nothing
/// is known.
Value *KernelPatcher::isOther(const Grid &grid) {
  Value *same = gridIs(grid);
  return same ? builder.CreateNot(same) : builder.getFalse();
}

/// `applies`: false at run time where the launch is not this remap's; or
/// nullptr.
void KernelPatcher::call(Function *remap, std::optional<Grid> block,
                         Value *applies) {
  SmallVector<Value *> arguments(results.begin(), results.end());
  append_range(arguments, extents);
  CallInst *call = builder.CreateCall(remap, arguments);
  // A call to a function without a location of its own needs none either, but
  // one within a function that has one does.
  if (DISubprogram *program = kernel.getSubprogram())
    call->setDebugLoc(DILocation::get(kernel.getContext(), 0, 0, program));
  calls.push_back(call);
  Value *same = both(block ? blockIs(*block) : nullptr, applies);
  for (unsigned axis = 0; axis < 3; ++axis) {
    Value *result = builder.CreateExtractValue(call, axis);
    parts.push_back(cast<Instruction>(result));
    results[axis] =
        same ? builder.CreateSelect(same, result, results[axis]) : result;
  }
}

void KernelPatcher::inlineCalls() {
  for (CallInst *call : calls) {
    Function *remap = call->getCalledFunction();
    InlineFunctionInfo info;
    InlineResult inlined = InlineFunction(*call, info);
    assert(inlined.isSuccess() && "a remap is plain arithmetic");
    (void)inlined;
    if (remap->use_empty())
      remap->eraseFromParent();
  }
  const DataLayout &layout = kernel.getDataLayout();
  for (Instruction *part : parts)
    if (Value *value = simplifyInstruction(part, SimplifyQuery(layout)))
      part->replaceAllUsesWith(value);
}

void KernelPatcher::run(const PlannedFunction &planned,
                        ArrayRef<Function *> remaps) {
  SmallVector<std::pair<Instruction *, unsigned>> readings;
  for (Instruction &instruction : instructions(kernel))
    if (std::optional<unsigned> axis = readsId(instruction))
      readings.push_back({&instruction, *axis});
  for (unsigned axis = 0; axis < 3; ++axis) {
    ids[axis] = readId(builder, amd, axis);
    extents[axis] = readGrid(builder, amd, axis);
  }
  results = ids;
  SmallVector<Claim> claims = claimsOf(planned, remaps);
  for (size_t i = 0; i < claims.size(); ++i) {
    const Claim &claim = claims[i];
    if (!claim.remap)
      continue;
    // A whole grid is compared within the remap.
    Value *applies = claims.size() > 1 && !claim.grid.isStatic()
                         ? gridIs(claim.grid)
                         : nullptr;
    for (const Claim &other : ArrayRef(claims).take_front(i))
      if (mayFitBoth(claim.grid, other.grid))
        applies = both(applies, isOther(other.grid));
    call(claim.remap, claim.block, applies);
  }
  for (auto [reading, axis] : readings) {
    reading->replaceAllUsesWith(results[axis]);
    reading->eraseFromParent();
  }
  inlineCalls();
  SmallVector<WeakTrackingVH> unused;
  for (auto *values : {&ids, &extents, &results})
    unused.append(values->begin(), values->end());
  unused.append(parts.begin(), parts.end());
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(unused);
  allowReads(kernel);
}

/// All remaps of the kernel, and grids that keep their order although one fits.
static std::string describe(const PlannedFunction &planned) {
  auto keepsItsOrder = [&](const Grid &grid) {
    return any_of(planned.plans, [&](const PlannedKernel &other) {
      return other.decision.remap && mayFitBoth(other.facts.sizes.grid, grid);
    });
  };
  SmallVector<std::string> parts;
  for (const PlannedKernel &plan : planned.plans)
    if (const std::optional<ProvedRemap> &remap = plan.decision.remap)
      parts.push_back(printApplied(remap->formula, remap->environment));
    else if (const Grid &grid = plan.facts.sizes.grid; keepsItsOrder(grid))
      parts.push_back(toString(grid) + ": return x, y, z");
  return join(parts, "; ");
}

Error applyRemaps(const PlannedFunction &planned, bool tag) {
  Module &module = *planned.function->getParent();
  // What is added to the module stands behind it.
  Function &last = module.getFunctionList().back();
  SmallVector<Function *> remaps;
  auto fail = [&](Error error) {
    for (Function *made : remaps)
      made->eraseFromParent();
    return error;
  };
  for (const PlannedKernel &plan : planned.plans) {
    if (!plan.decision.remap)
      continue;
    Expected<Function *> remap = emitRemap(planned, plan);
    if (!remap)
      return fail(remap.takeError());
    remaps.push_back(*remap);
  }
  if (Error error = inlineReaders(*planned.function))
    return fail(std::move(error));
  KernelPatcher(*planned.function).run(planned, remaps);
  // Declarations of what is not read in the end.
  for (Function &function : make_early_inc_range(
           make_range(std::next(last.getIterator()), module.end())))
    if (function.use_empty())
      function.eraseFromParent();
  if (tag)
    planned.function->addFnAttr("swizzle.applied", describe(planned));
  return Error::success();
}

} // namespace swizzle::llvmpass
