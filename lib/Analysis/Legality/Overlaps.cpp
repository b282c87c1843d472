//===- Overlaps.cpp - Which buffers must not overlap ----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Accesses of one buffer are compared; those of two buffers that may be one
// memory are not. That these stay apart is assumed, and said, unless the IR
// promises it: arguments by `noalias`, variables of the module by being others,
// constants by not being written.
//
//===----------------------------------------------------------------------===//

#include "Overlaps.h"

#include "../Sites/AccessSites.h"

#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace swizzle::analysis {

std::vector<std::string> assumeNoAliasing(FunctionOpInterface kernel,
                                          const KernelModel &model,
                                          bool isVisible) {
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
  auto isArgument = [&](const Buffer &buffer) {
    return buffer.argument >= 0 &&
           buffer.argument < int(kernel.getNumArguments());
  };
  // Module globals are buffers like arguments, but apart from each other.
  auto mayOverlap = [&](const Buffer &a, const Buffer &b) {
    if (!isArgument(a) && !isArgument(b) && !a.isClaimed && !b.isClaimed)
      return false;
    for (const Buffer *buffer : {&a, &b})
      // Of a tensor map, the attribute would say nothing of the tensor.
      if (isArgument(*buffer) &&
          isa<LLVM::LLVMPointerType, BaseMemRefType>(
              kernel.getArgumentTypes()[buffer->argument]) &&
          kernel.getArgAttr(buffer->argument, "llvm.noalias"))
        return false;
    return true;
  };
  std::vector<std::string> phrases;
  for (size_t i = 0; i < used.size(); ++i) {
    SmallVector<StringRef> others;
    for (size_t j = 0; j < used.size(); ++j) {
      // Two written ones are asked once.
      if (i == j || !written[i] || !used[j] || (written[j] && j < i) ||
          (model.buffers[j].isConstant && !written[j]))
        continue;
      if (mayOverlap(model.buffers[i], model.buffers[j]))
        others.push_back(model.buffers[j].name);
    }
    if (others.size() == 1)
      phrases.push_back(others[0].str() + " and " + model.buffers[i].name +
                        " do not overlap in memory");
    else if (!others.empty())
      phrases.push_back(model.buffers[i].name + " overlaps none of " +
                        llvm::join(others, ", ") + " in memory");
    // What one launch passes twice, another one may pass shifted.
    for (int other : model.buffers[i].otherArguments)
      if (isVisible && written[i] && !model.buffers[i].noAlias &&
          !kernel.getArgAttr(other, "llvm.noalias"))
        phrases.push_back(model.buffers[i].name + " and arg" +
                          std::to_string(other) +
                          " lie in all launches as in those that are seen, or "
                          "do not overlap in memory");
  }
  return phrases;
}

} // namespace swizzle::analysis
