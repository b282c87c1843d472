//===- KernelText.cpp - The slice of a kernel that matters ----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A backward slice: from accesses, ids, barriers and control flow to whatever
// integers, buffers and pointers they need. Values of other types are data, and
// the slice stops at them.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Analysis/Describe/KernelText.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "swizzle/Lowering/WorkgroupIds.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace swizzle {

static bool isBuffer(Type type) {
  return isa<BaseMemRefType, LLVM::LLVMPointerType>(type);
}

/// Integers, vectors of them, and buffers: what addresses are made of.
static bool isIndexLike(Type type) {
  return getElementTypeOrSelf(type).isIntOrIndex() || isBuffer(type);
}

/// An operation that reads or writes memory through one of its operands.
static bool isAccess(Operation *op) {
  if (isMemoryEffectFree(op) || isa<CallOpInterface>(op))
    return false;
  return llvm::any_of(op->getOperandTypes(), isBuffer);
}

namespace {
/// The wanted operations of one function.
class Slice {
public:
  explicit Slice(FunctionOpInterface function) {
    for (const IdReading &reading : findIdReadings(function))
      want(reading.op);
    function->walk([&](Operation *op) {
      bool branches =
          op->hasTrait<OpTrait::IsTerminator>() && op->getNumSuccessors() > 0;
      if (isAccess(op) || branches || isa<CallOpInterface, gpu::BarrierOp>(op))
        want(op);
    });
    while (!work.empty())
      follow(work.pop_back_val());
  }

  bool contains(Operation *op) const { return wanted.contains(op); }

private:
  void want(Operation *op) {
    if (wanted.insert(op).second)
      work.push_back(op);
  }
  void follow(Operation *op);

  llvm::DenseSet<Operation *> wanted;
  SmallVector<Operation *> work;
};
} // namespace

/// Wants what `op` needs: where it stands, and what its indices are made of.
void Slice::follow(Operation *op) {
  Operation *parent = op->getParentOp();
  if (parent && !isa<FunctionOpInterface>(parent))
    want(parent);
  // An integer that is stored is data, not an address.
  bool writes = isAccess(op) && op->getNumResults() == 0;
  for (Value operand : op->getOperands()) {
    Type type = operand.getType();
    if (!isIndexLike(type) ||
        (writes && !isBuffer(type) && !getElementTypeOrSelf(type).isIndex()))
      continue;
    if (Operation *defining = operand.getDefiningOp())
      want(defining);
  }
  // What a loop hands on, or a choice yields.
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (!block.empty() && block.back().hasTrait<OpTrait::IsTerminator>() &&
          llvm::any_of(block.back().getOperandTypes(), isIndexLike))
        want(&block.back());
}

namespace {
/// Prints slices, line by line, up to a cap.
class SlicePrinter {
public:
  explicit SlicePrinter(size_t cap) : cap(cap) {}

  void print(FunctionOpInterface function);
  std::string finish();

private:
  void printRegion(Region &region, const Slice &slice, AsmState &state,
                   unsigned depth);
  void printOp(Operation *op, const Slice &slice, AsmState &state,
               unsigned depth);
  void line(unsigned depth, StringRef content, bool access = false);

  size_t cap;
  std::string text;
  size_t cutLines = 0, cutAccesses = 0;
};
} // namespace

static OpPrintingFlags lineFlags() {
  return OpPrintingFlags()
      .skipRegions()
      .useLocalScope()
      .elideLargeElementsAttrs(8)
      .elideLargeResourceString(64);
}

void SlicePrinter::line(unsigned depth, StringRef content, bool access) {
  if (cutLines || text.size() + content.size() + 2 * depth + 1 > cap) {
    ++cutLines;
    cutAccesses += access;
    return;
  }
  text.append(2 * depth, ' ');
  text += content;
  text += '\n';
}

void SlicePrinter::printOp(Operation *op, const Slice &slice, AsmState &state,
                           unsigned depth) {
  std::string header;
  llvm::raw_string_ostream os(header);
  os << OpWithState(op, state);
  // Regions are printed as `{...}`; those with something in them are opened.
  StringRef rest = header;
  SmallVector<StringRef> pieces;
  for (size_t at; (at = rest.find("{...}")) != StringRef::npos;
       rest = rest.drop_front(at + 5))
    pieces.push_back(rest.take_front(at));
  SmallVector<Region *> regions;
  for (Region &region : op->getRegions())
    if (!region.empty())
      regions.push_back(&region);
  bool inside = false;
  for (Region *region : regions)
    for (Operation &nested : region->getOps())
      inside |= slice.contains(&nested);
  if (!inside || pieces.size() != regions.size()) {
    line(depth, header, isAccess(op));
    if (!inside)
      return;
    for (Region *region : regions) {
      line(depth, "{");
      printRegion(*region, slice, state, depth + 1);
      line(depth, "}");
    }
    return;
  }
  for (auto [piece, region] : llvm::zip(pieces, regions)) {
    line(depth, (region == regions.front() ? "" : "}") + piece.str() + "{");
    printRegion(*region, slice, state, depth + 1);
  }
  line(depth, "}" + rest.str());
}

void SlicePrinter::printRegion(Region &region, const Slice &slice,
                               AsmState &state, unsigned depth) {
  for (Block &block : region) {
    if (!block.isEntryBlock()) {
      std::string label;
      llvm::raw_string_ostream os(label);
      block.printAsOperand(os, state);
      if (block.getNumArguments()) {
        os << "(";
        llvm::interleaveComma(block.getArguments(), os, [&](Value argument) {
          argument.printAsOperand(os, state);
          os << ": " << argument.getType();
        });
        os << ")";
      }
      os << ":";
      line(depth - 1, label);
    }
    for (Operation &op : block)
      if (slice.contains(&op))
        printOp(&op, slice, state, depth);
  }
}

void SlicePrinter::print(FunctionOpInterface function) {
  Slice slice(function);
  AsmState state(function, lineFlags());
  std::string header = "function \"";
  llvm::raw_string_ostream os(header);
  llvm::printEscapedString(function.getName(), os);
  os << "\"(";
  llvm::interleaveComma(function.getArguments(), os, [&](Value argument) {
    argument.printAsOperand(os, state);
    os << ": " << argument.getType();
  });
  os << ") {";
  line(0, header);
  printRegion(function.getFunctionBody(), slice, state, 1);
  line(0, "}");
}

std::string SlicePrinter::finish() {
  if (cutLines)
    text += "(cut: " + std::to_string(cutLines) + " more lines, " +
            std::to_string(cutAccesses) + " of them accesses)\n";
  return std::move(text);
}

std::string kernelText(FunctionOpInterface kernel, size_t cap) {
  SlicePrinter printer(cap);
  for (FunctionOpInterface function : reachableFunctions(kernel))
    if (!function.isExternal())
      printer.print(function);
  return printer.finish();
}

} // namespace swizzle
