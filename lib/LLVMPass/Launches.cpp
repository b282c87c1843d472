//===- Launches.cpp - What LLVM IR says of a kernel's launches ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A claim costs nothing but its comparison: where it does not hold, the kernel
// runs in its own order. So guesses are welcome here.
//
//   %x = call range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
//   "amdgpu-flat-work-group-size"="1,256", thread ids along x only
//     grid 64x1x1, block 256x1x1
//
//===----------------------------------------------------------------------===//

#include "Launches.h"

#include "Machine.h"
#include "PlanFunctions.h"
#include "swizzle/LLVMPass/RemapModule.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace swizzle::llvmpass {

/// Integers of a node, at least 1 each; empty if it has anything else.
static SmallVector<int64_t> readNumbers(const MDNode &node) {
  SmallVector<int64_t> numbers;
  for (const MDOperand &operand : node.operands()) {
    auto *number = mdconst::dyn_extract_or_null<ConstantInt>(operand);
    if (!number || !number->getValue().isStrictlyPositive() ||
        number->getValue().getActiveBits() > 31)
      return {};
    numbers.push_back(number->getSExtValue());
  }
  return numbers;
}

/// The grids of `!swizzle.grid !{i32 64, i32 64, i32 1}`, one a node.
static std::vector<Grid> gridsOfMetadata(const Function &kernel) {
  std::vector<Grid> grids;
  SmallVector<MDNode *> nodes;
  kernel.getMetadata("swizzle.grid", nodes);
  for (MDNode *node : nodes) {
    SmallVector<int64_t> numbers = readNumbers(*node);
    if (numbers.empty() || numbers.size() > 3 || grids.size() == kMostGrids)
      continue;
    numbers.resize(3, 1);
    if (Grid grid(numbers[0], numbers[1], numbers[2]);
        !is_contained(grids, grid))
      grids.push_back(grid);
  }
  return grids;
}

/// The grid of which all ids are below the ranges on the calls that read them,
/// as far as these say more than the intrinsics themselves do.
static std::optional<Grid> gridOfRanges(const Function &kernel) {
  Grid grid;
  bool any = false;
  for (const Instruction &instruction : instructions(kernel)) {
    std::optional<unsigned> axis = readsId(instruction);
    if (!axis)
      continue;
    auto &call = cast<CallInst>(instruction);
    Attribute own = call.getAttributes().getRetAttr(Attribute::Range);
    Attribute usual =
        call.getCalledFunction()->getAttributes().getRetAttr(Attribute::Range);
    if (!own.isValid() || (usual.isValid() && own == usual) ||
        !own.getRange().getLower().isZero() ||
        own.getRange().getUpper().getActiveBits() > 31)
      return std::nullopt;
    grid[*axis] =
        std::max(grid[*axis], own.getRange().getUpper().getSExtValue());
    any = true;
  }
  return any ? std::optional<Grid>(grid) : std::nullopt;
}

/// Threads that a workgroup has at most, if the kernel says; 0 if it does not,
/// or more than any chip runs.
static int64_t mostThreads(const Function &kernel) {
  // Of all of NVIDIA's and AMD's chips, see `whyNoBlock` of the analysis.
  constexpr int64_t largest = 1024;
  int64_t most = 0;
  auto read = [&](StringRef attribute) -> SmallVector<int64_t> {
    SmallVector<StringRef> parts;
    SmallVector<int64_t> numbers;
    kernel.getFnAttribute(attribute).getValueAsString().split(parts, ',');
    for (StringRef part : parts) {
      int64_t number = 0;
      if (part.trim().getAsInteger(10, number) || number < 1 ||
          number > largest)
        return {};
      numbers.push_back(number);
    }
    return numbers;
  };
  // Without bounds, clang says 1,1024 on AMD: that is no bound.
  if (SmallVector<int64_t> flat = read("amdgpu-flat-work-group-size");
      flat.size() == 2 && (flat[0] != 1 || flat[1] != 1024))
    most = flat[1];
  if (SmallVector<int64_t> threads = read("nvvm.maxntid");
      !threads.empty() && threads.size() <= 3) {
    most = 1;
    for (int64_t extent : threads)
      most *= extent;
  }
  return most <= largest ? most : 0;
}

/// A guess: kernels that read thread ids along x only are launched in rows of
/// as many threads as they allow.
static std::optional<Grid> guessBlock(const Function &kernel) {
  int64_t most = mostThreads(kernel);
  if (most < 1 || kernel.hasFnAttribute("nvvm.reqntid") ||
      kernel.hasMetadata("reqd_work_group_size"))
    return std::nullopt;
  for (const Instruction &instruction : instructions(kernel))
    if (std::optional<unsigned> axis = readsThread(instruction); axis && *axis)
      return std::nullopt;
  return Grid(most);
}

std::optional<Grid> guessBlock(Module &module) {
  std::optional<Grid> block;
  for (const Function *kernel : findKernels(module)) {
    std::optional<Grid> own = guessBlock(*kernel);
    if (!own || (block && *block != *own))
      return std::nullopt;
    block = own;
  }
  return block;
}

/// What a kernel is called in its source, without namespaces and types: `mm` of
/// `_Z2mmPKfS0_Pfi`. Empty if its name is not mangled.
static std::string sourceNameOf(const Function &kernel) {
  ItaniumPartialDemangler demangler;
  StringRef name = kernel.getName();
  // What clang appends to static kernels that other objects may launch.
  for (StringRef mark : {".intern.", "__intern__"})
    name = name.take_front(name.rfind(mark));
  std::string mangled = name.str();
  if (demangler.partialDemangle(mangled.c_str()) || !demangler.isFunction())
    return "";
  char *base = demangler.getFunctionBaseName(nullptr, nullptr);
  std::string text = base ? base : "";
  std::free(base);
  return text;
}

KernelNames::KernelNames(Module &module) {
  for (Function *kernel : findKernels(module)) {
    byName[kernel->getName()] = {kernel};
    bySource[sourceNameOf(*kernel)].push_back(kernel);
  }
}

ArrayRef<Function *> KernelNames::find(StringRef name) const {
  for (const StringMap<SmallVector<Function *, 1>> *names :
       {&byName, &bySource})
    if (auto named = names->find(name); named != names->end())
      return named->second;
  return {};
}

std::vector<std::string> findAmbiguous(const KernelNames &names,
                                       const PassSettings &settings) {
  std::vector<std::string> messages;
  for (StringRef name : settings.claims.keys()) {
    ArrayRef<Function *> named = names.find(name);
    if (named.size() < 2)
      continue;
    auto nameOf = [](Function *kernel) { return kernel->getName(); };
    std::string all = join(map_range(named, nameOf), ", ");
    messages.push_back(("option 'launches': '" + name + "' may be each of " +
                        all + " and is taken for none; give their own names")
                           .str());
  }
  sort(messages); // a map has no order
  return messages;
}

/// The entry of `launches` about `kernel`; null if there is none.
static const LaunchClaim *findEntry(Function &kernel, const KernelNames &names,
                                    const PassSettings &settings) {
  for (const std::string &name :
       {kernel.getName().str(), sourceNameOf(kernel)}) {
    auto entry = settings.claims.find(name);
    if (entry != settings.claims.end() && names.find(name).equals({&kernel}))
      return &entry->second;
  }
  return nullptr;
}

LaunchClaim findClaim(Function &kernel, const KernelNames &names,
                      const PassSettings &settings) {
  const LaunchClaim *own = findEntry(kernel, names, settings);
  LaunchClaim claim = own ? *own : settings.claim;
  if (claim.grids.empty())
    claim.grids = gridsOfMetadata(kernel);
  if (claim.grids.empty())
    if (std::optional<Grid> grid = gridOfRanges(kernel))
      claim.grids.push_back(*grid);
  if (!claim.block)
    claim.block = guessBlock(kernel);
  return claim;
}

/// A function that calls `kernel` as one, by whatever name; nullptr if none
/// does.
static const Function *findCaller(const Function &kernel) {
  SmallVector<const User *> work(kernel.users());
  SmallPtrSet<const User *, 8> seen;
  while (!work.empty()) {
    const User *user = work.pop_back_val();
    auto *call = dyn_cast<CallBase>(user);
    if (call &&
        call->getCalledOperand()->stripPointerCastsAndAliases() == &kernel)
      return call->getFunction();
    // Other names, and casts of them.
    if ((isa<GlobalAlias>(user) || isa<ConstantExpr>(user)) &&
        seen.insert(user).second)
      append_range(work, user->users());
  }
  return nullptr;
}

std::pair<std::string, std::string> whyNotRemappable(const Function &kernel) {
  if (kernel.hasFnAttribute("swizzle.applied"))
    return {"already-remapped",
            "the kernel carries the attribute 'swizzle.applied': it has been "
            "remapped before"};
  if (const Function *caller = findCaller(kernel); caller && caller != &kernel)
    return {"called", "'" + caller->getName().str() +
                          "' calls it as a function, too, and it computes with "
                          "the workgroup ids of its caller there"};
  if (!isForAmd(kernel))
    return {};
  // The last workgroup along an axis may then be smaller: it has to stay last.
  Attribute uniform = kernel.getFnAttribute("uniform-work-group-size");
  if (!uniform.isValid() || uniform.getValueAsString() == "false")
    return {"uneven-workgroups",
            "workgroups may differ in size ('uniform-work-group-size' is not "
            "true); compile with -cl-uniform-work-group-size, or as HIP"};
  return {};
}

} // namespace swizzle::llvmpass
