//===- Fragments.cpp - Loads and stores of the fragments of matrices ------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A subgroup of NVIDIA's loads a fragment of a matrix, rows or columns that lie
// one leading dimension apart. MLIR has operations for that; LLVM has an
// intrinsic for each shape, with everything in its name, and they are what clang
// makes of CUDA's wmma.h:
//
//   nvvm.wmma.load                                     {m = 16, n = 16, ...}
//   nvvm.wmma.m16n16k16.load.a.row.stride.f16.p0       (pointer, stride)
//   nvvm.wmma.m16n16k16.store.d.col.f32.p0             (pointer, numbers...)
//
//===----------------------------------------------------------------------===//

#include "../Handlers.h"
#include "../Operations/Operations.h"
#include "swizzle/Lowering/WorkgroupIds.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace swizzle::analysis {

namespace {
/// A fragment of a matrix: `rows` runs of `columns` elements, one leading
/// dimension apart.
struct Fragment {
  int64_t rows = 0, columns = 0;
  int64_t element = 0; ///< bytes; 0 for what has no number of whole bytes
  bool hasStride = true;
};
} // namespace

/// 2 for "bf16"; 0 for what is no number of whole bytes.
static int64_t bytesOfType(StringRef name) {
  int64_t bits = 0;
  return name.ltrim("bfsut").getAsInteger(10, bits) ? 0 : bits / 8;
}

/// Of the part "a", "b", or "c" and "d", of a product of m by k by n elements.
static Fragment fragmentOf(char part, bool byColumns, int64_t m, int64_t n,
                           int64_t k, StringRef type) {
  Fragment fragment;
  fragment.rows = part == 'b' ? k : m;
  fragment.columns = part == 'a' ? k : n;
  if (byColumns)
    std::swap(fragment.rows, fragment.columns);
  fragment.element = bytesOfType(type);
  return fragment;
}

/// Of the intrinsic "nvvm.wmma.mMnNkK.ACCESS.PART.LAYOUT[.stride].TYPE.pN".
static std::optional<Fragment> fragmentInName(StringRef name) {
  SmallVector<StringRef> words;
  name.split(words, '.');
  if (words.size() < 7)
    return std::nullopt;
  StringRef shape = words[2];
  int64_t m, n, k;
  if (!shape.consume_front("m") || shape.consumeInteger(10, m) ||
      !shape.consume_front("n") || shape.consumeInteger(10, n) ||
      !shape.consume_front("k") || shape.getAsInteger(10, k) ||
      words[4].size() != 1 || (words[5] != "row" && words[5] != "col"))
    return std::nullopt;
  bool hasStride = words[6] == "stride";
  if (words.size() < (hasStride ? 8u : 7u))
    return std::nullopt;
  Fragment fragment = fragmentOf(words[4].front(), words[5] == "col", m, n, k,
                                 words[hasStride ? 7 : 6]);
  fragment.hasStride = hasStride;
  return fragment;
}

static std::optional<Fragment> fragmentOf(Operation *op) {
  auto partOf = [](NVVM::MMAFrag part) {
    return part == NVVM::MMAFrag::a   ? 'a'
           : part == NVVM::MMAFrag::b ? 'b'
                                      : 'c';
  };
  if (auto load = dyn_cast<NVVM::WMMALoadOp>(op))
    return fragmentOf(partOf(load.getFrag()),
                      load.getLayout() == NVVM::MMALayout::col, load.getM(),
                      load.getN(), load.getK(),
                      NVVM::stringifyMMATypes(load.getEltype()));
  if (auto store = dyn_cast<NVVM::WMMAStoreOp>(op))
    return fragmentOf('d', store.getLayout() == NVVM::MMALayout::col,
                      store.getM(), store.getN(), store.getK(),
                      NVVM::stringifyMMATypes(store.getEltype()));
  return fragmentInName(canonicalName(op));
}

void readFragment(KernelReader &reader, Operation *op) {
  AccessKind kind = classify(op).access;
  if (op->getNumOperands() == 0) {
    reader.setUnknown(op, kLoaded);
    return reader.notModelled(op, {}, kind, "an intrinsic that is not known");
  }
  auto view = reader.pointer(op->getOperand(0));
  std::optional<Fragment> fragment = fragmentOf(op);
  std::optional<int64_t> lead;
  if (fragment && fragment->hasStride)
    lead = reader.scalars.constantOf(
        reader.scalar(op->getOperand(op->getNumOperands() - 1)));
  else if (fragment)
    lead = fragment->columns;
  reader.setUnknown(op, kLoaded);
  if (!fragment || !fragment->element || !lead)
    return reader.notModelled(op, view, kind,
                              fragment && fragment->element
                                  ? "a stride that is not constant"
                                  : "a matrix of another type");
  KernelReader::Footprint footprint;
  footprint.issuer = Issuer::Subgroup;
  footprint.bytes = fragment->columns * fragment->element;
  if (fragment->rows > 1)
    footprint.box.push_back({fragment->rows, *lead * fragment->element});
  reader.accessAt(op, op->getOperand(0), kind, footprint);
}

} // namespace swizzle::analysis
