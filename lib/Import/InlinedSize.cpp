//===- InlinedSize.cpp - How large a module is once it is inlined ---------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that are marked always_inline are inlined before a module is read,
// whatever that costs. Where each calls the next one twice, 22 of them are four
// million copies of the last one:
//
//   c21              3 instructions
//   c20 = 3 + 2*3    9
//   c19 = 3 + 2*9    21, ...
//
// So sizes are added up first, callees before callers, which takes as long as
// the module is now.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace swizzle::importing {

/// Instructions that one function may become: of it, a second is spent here.
static constexpr uint64_t kMostInstructions = 1'000'000;

Error checkInlinedSizes(Module &module) {
  CallGraph graph(module);
  DenseMap<const Function *, uint64_t> sizes; // with what is inlined
  SmallPtrSet<const CallGraphNode *, 32> seen;
  for (Function &first : module)
    for (const CallGraphNode *node :
         post_order_ext(static_cast<const CallGraph &>(graph)[&first], seen)) {
      const Function *function = node->getFunction();
      if (!function || function->isDeclaration())
        continue;
      uint64_t size = function->getInstructionCount();
      for (const auto &[call, callee] : *node)
        if (auto *marked = call ? dyn_cast_or_null<CallBase>(&**call) : nullptr;
            marked && marked->hasFnAttr(Attribute::AlwaysInline))
          // Of a function that calls itself, one copy: none is inlined in it.
          size += sizes.lookup(callee->getFunction());
      if (size > kMostInstructions)
        return createStringError(
            "'" + function->getName() + "' would be more than " +
            Twine(kMostInstructions) +
            " instructions, with all that it calls and that is marked "
            "always_inline");
      sizes[function] = size;
    }
  return Error::success();
}

} // namespace swizzle::importing
