//===- PtxMachine.cpp - Copies, barriers and matrix units of PTX ----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What Hopper and Blackwell brought: barriers in workgroup memory, copies by
// the hardware, tensor memory. And what there was from the beginning: textures
// and surfaces. All but these belongs to one workgroup as long as no
// word of the opcode names another one of its cluster.
//
//===----------------------------------------------------------------------===//

#include "PtxMeaning.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <algorithm>

using namespace llvm;

namespace swizzle::importing {

using Effect = PtxMeaning::Effect;

namespace {
/// An opcode begins with these words.
struct Row {
  StringLiteral words;
  Effect effect;
  bool takesAddress = false;
};
} // namespace

/// The first that fits counts.
static constexpr Row kRows[] = {
    {"mbarrier.init", Effect::Nothing},
    {"mbarrier.inval", Effect::Nothing},
    {"mbarrier.expect_tx", Effect::Nothing},
    {"mbarrier.complete_tx", Effect::Nothing},
    {"mbarrier.arrive", Effect::Value, true},
    {"mbarrier.arrive_drop", Effect::Value, true},
    {"mbarrier.test_wait", Effect::Value, true},
    {"mbarrier.try_wait", Effect::Value, true},
    {"mbarrier.pending_count", Effect::Value},
    {"cp.async.commit_group", Effect::Nothing},
    {"cp.async.wait_group", Effect::Nothing},
    {"cp.async.wait_all", Effect::Nothing},
    {"cp.async.mbarrier.arrive", Effect::Nothing},
    {"cp.async.bulk.commit_group", Effect::Nothing},
    {"cp.async.bulk.wait_group", Effect::Nothing},
    {"cp.async.bulk.prefetch", Effect::Nothing},
    {"wgmma.fence", Effect::Nothing},
    {"wgmma.wait_group", Effect::Nothing},
    {"wgmma.commit_group", Effect::Nothing},
    {"tcgen05.alloc", Effect::Fill},
    {"tcgen05.dealloc", Effect::Nothing},
    {"tcgen05.relinquish_alloc_permit", Effect::Nothing},
    {"tcgen05.commit", Effect::Nothing},
    {"tcgen05.wait", Effect::Nothing},
    {"tcgen05.fence", Effect::Nothing},
    {"tcgen05.cp", Effect::Nothing},
    {"tcgen05.shift", Effect::Nothing},
    {"tcgen05.st", Effect::Nothing},
    {"tcgen05.ld", Effect::Value, true},
    {"tcgen05.mma", Effect::Matrix},
    {"tensormap.replace", Effect::Fill},
    {"bar.sync", Effect::Nothing},
    {"bar.arrive", Effect::Nothing},
    {"bar.warp", Effect::Nothing},
    {"bar.red", Effect::Value},
    {"barrier.sync", Effect::Nothing},
    {"barrier.arrive", Effect::Nothing},
    {"barrier.red", Effect::Value},
    {"barrier.cta.sync", Effect::Nothing},
    {"barrier.cta.arrive", Effect::Nothing},
    {"barrier.cta.red", Effect::Value},
    {"fence.proxy", Effect::Nothing},
    {"fence.mbarrier_init", Effect::Nothing},
    {"fence", Effect::Fence},
    {"membar", Effect::Fence},
    {"setmaxnreg", Effect::Nothing},
    {"nanosleep", Effect::Nothing},
    {"prefetch", Effect::Nothing},
    {"prefetchu", Effect::Nothing},
    {"applypriority", Effect::Nothing},
    {"createpolicy", Effect::Value},
    {"movmatrix", Effect::Value},
    {"txq", Effect::Value, true},
    {"suq", Effect::Value, true},
    {"istypep", Effect::Value},
    {"bra", Effect::Branch},
};

/// Where a copy goes to or comes from; that of a cluster is the workgroup's own
/// where its address is.
static std::optional<unsigned> spaceOfCopy(StringRef word) {
  return word == "shared::cluster" ? 3 : spaceOfPtx(word);
}

/// "tcgen05.wait::ld.sync" begins with "tcgen05.wait".
static bool beginsWith(ArrayRef<StringRef> words, StringRef row) {
  while (!row.empty()) {
    auto [word, after] = row.split('.');
    if (words.empty() || words.front().split("::").first != word)
      return false;
    words = words.drop_front();
    row = after;
  }
  return true;
}

/// "16x128x16" of a word "m64n128k16", where so many subgroups do a product
/// together.
static std::string productOfSubgroup(ArrayRef<StringRef> words,
                                     unsigned subgroups) {
  for (StringRef shape : words) {
    unsigned m, n, k;
    if (shape.consume_front("m") && !shape.consumeInteger(10, m) &&
        shape.consume_front("n") && !shape.consumeInteger(10, n) &&
        shape.consume_front("k") && !shape.consumeInteger(10, k) &&
        shape.empty() && m % subgroups == 0)
      return std::to_string(m / subgroups) + "x" + std::to_string(n) + "x" +
             std::to_string(k);
  }
  return "";
}

/// ldmatrix.sync.aligned.SHAPE.xCOUNT[.trans][.shared].TYPE, in any order; LLVM's
/// name. Where no memory is stated, the address is a generic one.
static PtxMeaning meaningOfMatrixRows(ArrayRef<StringRef> words) {
  PtxMeaning meaning;
  StringRef shape, count, transposed;
  std::string type;
  for (StringRef word : words.drop_front()) {
    if (spaceOfPtx(word) == 3u)
      meaning.space = 3;
    else if (word.starts_with("m") && shape.empty())
      shape = word;
    else if (word == "x1" || word == "x2" || word == "x4")
      count = word;
    else if (word == "trans")
      transposed = ".trans";
    else if (word.starts_with("b"))
      type += ("." + word).str();
    else if (word != "sync" && word != "aligned")
      return {};
  }
  meaning.intrinsic = ("llvm.nvvm." + words.front() + ".sync.aligned." + shape +
                       "." + count + transposed + type)
                          .str();
  meaning.effect = Effect::Call;
  return meaning;
}

/// cp.async.bulk.tensor.DIMd[.tile].TO.FROM.COMPLETION, with cp.reduce for cp
/// an update by the operation that stands behind FROM.
static PtxMeaning meaningOfTensorCopy(ArrayRef<StringRef> words) {
  PtxMeaning meaning;
  bool reduces = words[1] == "reduce";
  words = words.drop_front(reduces ? 5 : 4);
  if (words.size() < 4)
    return meaning;
  StringRef dimensions = words.front();
  std::string mode = "tile", update;
  SmallVector<unsigned, 2> spaces;
  for (StringRef word : words.drop_front()) {
    if (std::optional<unsigned> space = spaceOfCopy(word))
      spaces.push_back(*space);
    else if (word == "L2::cache_hint")
      meaning.hasPolicy = true;
    else if (is_contained(
                 {"add", "min", "max", "inc", "dec", "and", "or", "xor"},
                 word) &&
             reduces && update.empty())
      update = word;
    else if (word == "tile::gather4" || word == "tile::scatter4")
      mode = join_items(".", "tile", word.drop_front(6));
    else if (word == "im2col" || word == "im2col_no_offs")
      mode = "im2col";
    else if (!is_contained({"tile", "bulk_group", "cta_group::1",
                            "mbarrier::complete_tx::bytes"},
                           word))
      return {};
  }
  if (spaces.size() != 2 || (spaces[0] == spaces[1]) ||
      reduces == update.empty())
    return {};
  meaning.space = spaces[0];
  meaning.from = spaces[1];
  if (meaning.space != 1 && (meaning.from != 1 || reduces))
    return {};
  meaning.intrinsic = (Twine("llvm.nvvm.cp.async.bulk.tensor.") +
                       (reduces              ? "reduce." + update
                        : meaning.space == 1 ? "s2g"
                                             : "g2s.cta") +
                       "." + mode + "." + dimensions)
                          .str();
  meaning.effect = Effect::Tensor;
  return meaning;
}

/// cp.async.ca.TO.FROM or cp.async.bulk.TO.FROM.COMPLETION, or the copy of a
/// tensor map that was made in workgroup memory.
static PtxMeaning meaningOfCopy(ArrayRef<StringRef> words) {
  PtxMeaning meaning;
  SmallVector<unsigned, 2> spaces;
  for (StringRef word : words.drop_front(2)) {
    if (std::optional<unsigned> space = spaceOfCopy(word))
      spaces.push_back(*space);
    else if (word == "L2::cache_hint")
      meaning.hasPolicy = true;
    else if (!is_contained({"ca", "cg", "bulk", "bulk_group", "L2::64B",
                            "L2::128B", "L2::256B",
                            "mbarrier::complete_tx::bytes",
                            "tensormap::generic", "release", "acq_rel", "cta",
                            "gpu", "sync", "aligned"},
                           word))
      return {};
  }
  // Within a cluster alone are both in workgroup memory.
  if (spaces.size() != 2 || spaces[0] == spaces[1])
    return {};
  meaning.space = spaces[0];
  meaning.from = spaces[1];
  meaning.effect = Effect::Copy;
  return meaning;
}

/// The same but for `ofCluster`.
static PtxMeaning meaningWithinWorkgroup(ArrayRef<StringRef> words) {
  // Other workgroups, or memory of other devices.
  if (is_contained(words, "multicast::cluster") ||
      is_contained(words, "cta_group::2"))
    return {};
  if (beginsWith(words, "cp.async.bulk.tensor") ||
      beginsWith(words, "cp.reduce.async.bulk.tensor"))
    return meaningOfTensorCopy(words);
  PtxMeaning meaning;
  if (beginsWith(words, "wgmma.mma_async") || words.front() == "mma") {
    // A group of four subgroups, or one.
    meaning.product = productOfSubgroup(words, words.front() == "mma" ? 1 : 4);
    meaning.effect = meaning.product.empty() ? Effect::Unknown : Effect::Matrix;
    return meaning;
  }
  StringRef image = StringSwitch<StringRef>(words.front())
                        .Cases({"tex", "tld4"}, "texture.read")
                        .Case("suld", "surface.read")
                        .Case("sust", "surface.write")
                        .Default("");
  if (!image.empty()) {
    meaning.intrinsic = image.str();
    meaning.effect = Effect::Image;
    return meaning;
  }
  if (words.front() == "ldmatrix" || words.front() == "stmatrix")
    return meaningOfMatrixRows(words);
  if (words.size() == 1 && (words[0] == "trap" || words[0] == "exit")) {
    meaning.intrinsic = words[0] == "trap" ? "llvm.trap" : "llvm.nvvm.exit";
    meaning.effect = Effect::Call;
    return meaning;
  }
  // It refuses the kernel, for a reason of its own.
  if (words.front() == "griddepcontrol" ||
      beginsWith(words, "barrier.cluster")) {
    meaning.intrinsic = "llvm.nvvm." + join(words, ".");
    std::replace(meaning.intrinsic.begin(), meaning.intrinsic.end(), '_', '.');
    meaning.effect = Effect::Call;
    return meaning;
  }
  for (const Row &row : kRows)
    if (beginsWith(words, row.words)) {
      meaning.effect = row.effect;
      meaning.takesAddress = row.takesAddress;
      break;
    }
  if (meaning.effect == Effect::Unknown &&
      (beginsWith(words, "cp.async") ||
       beginsWith(words, "tensormap.cp_fenceproxy")))
    return meaningOfCopy(words);
  if (meaning.effect == Effect::Fill) {
    for (StringRef word : words)
      if (std::optional<unsigned> space = spaceOfPtx(word))
        meaning.space = *space;
    meaning.bits = words.front() == "tcgen05" ? 32 : 1024;
  }
  // What was least or greatest is a result of its own.
  if (beginsWith(words, "tcgen05.ld") && is_contained(words, "red"))
    return {};
  // A barrier of another workgroup.
  if (words.front() == "mbarrier" && is_contained(words, "shared::cluster"))
    return {};
  return meaning;
}

PtxMeaning meaningOfMachine(ArrayRef<StringRef> words) {
  PtxMeaning meaning = meaningWithinWorkgroup(words);
  meaning.ofCluster = is_contained(words, "shared::cluster");
  return meaning;
}

} // namespace swizzle::importing
