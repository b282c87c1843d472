//===- KernelHash.cpp - What a kernel is known by -------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk over the operations in their order. Values and symbols are numbered
// by first appearance, so their names do not matter; attributes and types enter
// as their text, with symbols and locations replaced. A symbol that can be
// looked up enters with what it stands for: a callee with its body, a global
// with its type and value.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Analysis/Describe/KernelHash.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"

using namespace mlir;

namespace swizzle {

namespace {
class KernelHasher {
public:
  explicit KernelHasher(FunctionOpInterface kernel);

  std::string hash(const Grid &block);

private:
  void add(const llvm::Twine &text) {
    // The line end keeps "ab", "c" and "a", "bc" apart.
    hasher.update((text + "\n").str());
  }
  void addType(Type type);
  void addAttributes(Operation *op);
  void addOperation(Operation *op);
  void addRegion(Region &region);
  unsigned numberOf(Value value) {
    return values.try_emplace(value, values.size()).first->second;
  }

  FunctionOpInterface kernel;
  llvm::BLAKE3 hasher;
  AttrTypeReplacer replacer;
  llvm::DenseMap<Value, unsigned> values;
  llvm::DenseMap<Block *, unsigned> blocks;
  /// Symbols that were met, in that order, with what they stand for.
  llvm::MapVector<Attribute, Operation *> symbols;
  Operation *user = nullptr; ///< whose symbols are looked up
};
} // namespace

/// The same without the place of the loop in the source, which compilers note
/// with debug information and for their remarks.
static LLVM::LoopAnnotationAttr withoutPlace(LLVM::LoopAnnotationAttr loop) {
  return LLVM::LoopAnnotationAttr::get(
      loop.getContext(), loop.getDisableNonforced(), loop.getVectorize(),
      loop.getInterleave(), loop.getUnroll(), loop.getUnrollAndJam(),
      loop.getLicm(), loop.getDistribute(), loop.getPipeline(),
      loop.getPeeled(), loop.getUnswitch(), loop.getMustProgress(),
      loop.getIsVectorized(), /*startLoc=*/FusedLoc(), /*endLoc=*/FusedLoc(),
      loop.getParallelAccesses());
}

KernelHasher::KernelHasher(FunctionOpInterface kernel) : kernel(kernel) {
  replacer.addReplacement(
      [&](SymbolRefAttr symbol) -> std::pair<Attribute, WalkResult> {
        Operation *target = SymbolTable::lookupNearestSymbolFrom(user, symbol);
        symbols.insert({symbol, target});
        unsigned number = unsigned(symbols.find(symbol) - symbols.begin());
        return {StringAttr::get(symbol.getContext(),
                                "symbol " + llvm::Twine(number)),
                WalkResult::skip()};
      });
  replacer.addReplacement([](LLVM::LoopAnnotationAttr loop) {
    return std::pair<Attribute, WalkResult>(withoutPlace(loop),
                                            WalkResult::advance());
  });
  replacer.addReplacement(
      [&](LocationAttr location) -> std::pair<Attribute, WalkResult> {
        return {UnknownLoc::get(location.getContext()), WalkResult::skip()};
      });
}

void KernelHasher::addType(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << replacer.replace(type);
  add(text);
}

void KernelHasher::addAttributes(Operation *op) {
  // A dictionary is sorted by name, whatever the order in the text.
  for (NamedAttribute attribute : op->getAttrDictionary()) {
    StringRef name = attribute.getName();
    // Names, and what is a key of its own or hashed by itself.
    if (name == SymbolTable::getSymbolAttrName() ||
        name == SymbolTable::getVisibilityAttrName() ||
        name.ends_with("known_grid_size") || name.ends_with("known_block_size"))
      continue;
    std::string text;
    llvm::raw_string_ostream(text) << replacer.replace(attribute.getValue());
    add("attribute " + name + " = " + text);
  }
}

void KernelHasher::addOperation(Operation *op) {
  user = op;
  add("op " + op->getName().getStringRef());
  for (Value operand : op->getOperands())
    add("operand " + llvm::Twine(numberOf(operand)));
  for (Value result : op->getResults()) {
    add("result " + llvm::Twine(numberOf(result)));
    addType(result.getType());
  }
  addAttributes(op);
  for (Block *successor : op->getSuccessors())
    add("to " +
        llvm::Twine(
            blocks.try_emplace(successor, blocks.size()).first->second));
  for (Region &region : op->getRegions())
    addRegion(region);
  add("end");
}

void KernelHasher::addRegion(Region &region) {
  add("region");
  for (Block &block : region) {
    add("block " +
        llvm::Twine(blocks.try_emplace(&block, blocks.size()).first->second));
    for (Value argument : block.getArguments()) {
      add("argument " + llvm::Twine(numberOf(argument)));
      addType(argument.getType());
    }
    for (Operation &op : block)
      addOperation(&op);
  }
}

std::string KernelHasher::hash(const Grid &block) {
  add("swizzle-kernel/1");
  for (unsigned axis = 0; axis < 3; ++axis)
    add("block " + llvm::Twine(block[axis]));
  addOperation(kernel);
  // What the symbols stand for may name further ones.
  for (size_t i = 0; i < symbols.size(); ++i) {
    Operation *target = (symbols.begin() + i)->second;
    add("symbol " + llvm::Twine(i));
    if (target && target != kernel.getOperation())
      addOperation(target);
    else if (!target) // Outside of the module its name is all there is.
      add(llvm::Twine(cast<SymbolRefAttr>((symbols.begin() + i)->first)
                          .getLeafReference()
                          .getValue()));
  }
  auto digest = hasher.final<16>();
  return llvm::toHex(digest, /*LowerCase=*/true);
}

std::string hashKernel(FunctionOpInterface kernel, const Grid &block) {
  return KernelHasher(kernel).hash(block);
}

} // namespace swizzle
