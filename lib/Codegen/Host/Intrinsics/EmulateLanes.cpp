//===- EmulateLanes.cpp - Ids, barriers, exchanges between lanes ----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of the table in Intrinsics.h. Meanings are those of the PTX ISA, chapter
// 9.7.9 and 9.7.13, and of the AMDGPU usage guide and the CDNA3 ISA, chapter
// on DPP.
//
//===----------------------------------------------------------------------===//

#include "Compile/Compilation.h"
#include "Intrinsics.h"

#include <cstddef>

namespace swizzle::host {

namespace {

/// The last operand has a clamp in bits 0 to 4 and, in bits 8 to 12, those of
/// the lane that stay.
template <ShuffleMode mode> void shflSync(Workgroup &w, const Frame &frame) {
  int64_t lane = w.thread().lane & 31, by = frame.word(2) & 31;
  int64_t stay = frame.word(3) >> 8 & 31, clamp = frame.word(3) & 31;
  int64_t bound = (lane & stay) | (clamp & ~stay), from;
  bool valid;
  if (mode == ShuffleMode::Up) {
    from = lane - by;
    valid = from >= bound;
  } else {
    from = mode == ShuffleMode::Down  ? lane + by
           : mode == ShuffleMode::Xor ? lane ^ by
                                      : (lane & stay) | (by & ~stay);
    valid = from <= bound;
  }
  uint64_t value =
      w.shuffle(frame.call.site, frame.word(1), int32_t(valid ? from : lane),
                32, ShuffleMode::Index);
  std::memcpy(frame.result(), &value, 4);
  // The form with a predicate yields {value, valid}.
  if (frame.call.result.bytes > 4)
    frame.result()[4] = valid && w.thread().valid;
}

void barrier(Workgroup &w, const Frame &frame) { w.barrier(frame.call.site); }

/// All threads that there are: a barrier that counts fewer is something else.
llvm::StringRef forAll(IntrinsicCall &call, Compilation &) {
  if (call.operands.size() > 1)
    return "a barrier for some of the threads";
  if (!call.operands.empty() && call.constants[0].value_or(1) != 0)
    return "a barrier by number";
  return "";
}

void subgroupBarrier(Workgroup &w, const Frame &frame) {
  w.ballot(frame.call.site, true);
}

template <ReduceOp op> void reduceBarrier(Workgroup &w, const Frame &frame) {
  ElementFormat format;
  uint64_t predicate = frame.word(frame.call.operands.size() - 1) != 0;
  frame.giveWord(w.reduce(frame.call.site, predicate, op, format, -1, 1));
}

uint64_t activeLanes(Workgroup &w, const Frame &frame) {
  return w.ballot(frame.call.site, true);
}

void ballot(Workgroup &w, const Frame &frame) {
  unsigned last = frame.call.operands.size() - 1;
  frame.giveWord(w.ballot(frame.call.site, frame.word(last) & 1));
}

void activeMask(Workgroup &w, const Frame &frame) {
  frame.giveWord(activeLanes(w, frame));
}

/// vote.sync: whether the predicate holds in all, in any, in all or none of the
/// lanes.
template <int which> void vote(Workgroup &w, const Frame &frame) {
  ElementFormat format;
  uint64_t predicate = frame.word(1) & 1;
  // Bit 0: it holds; bit 1: it does not.
  uint64_t seen =
      w.reduce(frame.call.site, predicate ? 1 : 2, ReduceOp::Or, format, 0, 1);
  frame.give<uint8_t>(which == 0   ? seen == 1
                      : which == 1 ? (seen & 1) != 0
                                   : seen != 3);
}

template <ReduceOp op> void redux(Workgroup &w, const Frame &frame) {
  ElementFormat format;
  frame.giveWord(w.reduce(frame.call.site, frame.word(0), op, format, 0, 1));
}

/// The first lane, and whether this is it.
void electSync(Workgroup &w, const Frame &frame) {
  auto first = int32_t(__builtin_ctzll(activeLanes(w, frame)));
  std::memcpy(frame.result(), &first, 4);
  frame.result()[4] = first == w.thread().lane;
}

/// Values of any size, 8 bytes at a time.
template <typename Exchange>
void exchangeBytes(const Frame &frame, unsigned operand, Exchange exchange) {
  uint32_t bytes = frame.call.result.bytes;
  for (uint32_t done = 0; done < bytes; done += 8) {
    uint32_t part = std::min<uint32_t>(bytes - done, 8);
    uint64_t value = 0;
    std::memcpy(&value, frame.at(operand) + done, part);
    value = exchange(value);
    std::memcpy(frame.result() + done, &value, part);
  }
}

void readFirstLane(Workgroup &w, const Frame &frame) {
  exchangeBytes(frame, 0, [&](uint64_t value) {
    return w.broadcast(frame.call.site, value, -1);
  });
}

void readLane(Workgroup &w, const Frame &frame) {
  exchangeBytes(frame, 0, [&](uint64_t value) {
    return w.broadcast(frame.call.site, value, int32_t(frame.word(1)));
  });
}

/// The value of lane `from`; `otherwise` if there is none, or it takes no part.
uint64_t valueOfLane(Workgroup &w, const Frame &frame, uint64_t value,
                     int64_t from, uint64_t otherwise) {
  int64_t size = w.thread().subgroupSize;
  auto lane = int32_t(from < 0 ? size : from);
  uint64_t there = w.shuffle(frame.call.site, value, lane, int32_t(size),
                             ShuffleMode::Index);
  return w.thread().valid ? there : otherwise;
}

/// ds_bpermute: lanes by their byte, wrapping around.
void bpermute(Workgroup &w, const Frame &frame) {
  int64_t lane = frame.word(0) / 4 % uint64_t(w.thread().subgroupSize);
  frame.giveWord(valueOfLane(w, frame, frame.word(1), lane, 0));
}

/// ds_swizzle: within 32 lanes by masks, or within 4 by a list.
void dsSwizzle(Workgroup &w, const Frame &frame) {
  auto pattern = uint32_t(*frame.call.constants[1]);
  int64_t lane = w.thread().lane, from;
  if (pattern & 0x8000) {
    from = lane / 4 * 4 + (pattern >> lane % 4 * 2 & 3);
  } else {
    int64_t within = lane % 32;
    within = ((within & (pattern & 31)) | (pattern >> 5 & 31)) ^
             (pattern >> 10 & 31);
    from = lane / 32 * 32 + within;
  }
  frame.giveWord(valueOfLane(w, frame, frame.word(0), from, 0));
}

/// The lane that a DPP control reads from; -1: none.
int64_t dppLane(uint32_t control, int64_t lane, int64_t size) {
  int64_t row = lane / 16 * 16, column = lane % 16, count = control & 15;
  switch (control >> 4) {
  case 0x10:
    return column + count < 16 ? lane + count : -1;
  case 0x11:
    return column >= count ? lane - count : -1;
  case 0x12:
    return row + (column + 16 - count) % 16;
  case 0x15:
    return row + count;
  case 0x16:
    return row + (column ^ count);
  default:
    break;
  }
  switch (control) {
  case 0x130:
    return lane + 1 < size ? lane + 1 : -1;
  case 0x134:
    return (lane + 1) % size;
  case 0x138:
    return lane - 1;
  case 0x13C:
    return (lane + size - 1) % size;
  case 0x140:
    return row + 15 - column;
  case 0x141:
    return lane / 8 * 8 + 7 - lane % 8;
  case 0x142:
    return row ? row - 1 : -1;
  case 0x143:
    return lane >= 32 ? lane / 32 * 32 - 1 : -1;
  default:
    return lane / 4 * 4 + (control >> lane % 4 * 2 & 3);
  }
}

llvm::StringRef knowsDpp(IntrinsicCall &call, Compilation &) {
  auto control = uint32_t(call.constants[2].value_or(0xFFFF));
  bool quad = control < 0x100, shift = control >= 0x101 && control <= 0x12F,
       row = control >= 0x150 && control <= 0x16F;
  bool known = quad || (shift && control & 15) || row;
  for (uint32_t one : {0x130, 0x134, 0x138, 0x13C, 0x140, 0x141, 0x142, 0x143})
    known |= control == one;
  return known ? "" : "a DPP control that is not known";
}

/// update.dpp(old, value, control, rows, banks, bound): lanes that are masked
/// out, or have nobody to read from, keep `old`; with `bound` the latter get 0.
void updateDpp(Workgroup &w, const Frame &frame) {
  int64_t lane = w.thread().lane;
  bool bound = *frame.call.constants[5] & 1;
  uint64_t old = frame.word(0);
  int64_t from = dppLane(uint32_t(*frame.call.constants[2]), lane,
                         w.thread().subgroupSize);
  uint64_t read = valueOfLane(w, frame, frame.word(1), from, bound ? 0 : old);
  bool enabled = *frame.call.constants[3] >> lane / 16 % 4 & 1 &&
                 *frame.call.constants[4] >> lane % 16 / 4 & 1;
  frame.giveWord(enabled ? read : old);
}

/// Lanes of the mask below this one, and a number that is added.
template <int half> void mbcnt(Workgroup &w, const Frame &frame) {
  int64_t lane = w.thread().lane - 32 * half;
  uint64_t below = lane <= 0    ? 0
                   : lane >= 32 ? 0xFFFFFFFFu
                                : (uint64_t(1) << lane) - 1;
  frame.giveWord(__builtin_popcountll(frame.word(0) & below) + frame.word(1));
}

/// __ockl_get_local_size(axis) and its like.
template <size_t first> void sizeOf(Workgroup &w, const Frame &frame) {
  auto *state = reinterpret_cast<const char *>(&w.thread());
  int64_t number = 1;
  if (frame.word(0) < 3)
    std::memcpy(&number, state + first + 8 * frame.word(0), 8);
  frame.giveWord(number);
}
void globalSize(Workgroup &w, const Frame &frame) {
  uint64_t axis = frame.word(0);
  frame.giveWord(axis < 3 ? w.thread().blockDim[axis] * w.thread().gridDim[axis]
                          : 1);
}

constexpr int64_t field(size_t first, int axis = 0) {
  return int64_t(first) + 8 * axis;
}
constexpr size_t kThread = offsetof(ThreadState, threadId);
constexpr size_t kBlock = offsetof(ThreadState, blockId);
constexpr size_t kBlockDim = offsetof(ThreadState, blockDim);
constexpr size_t kGridDim = offsetof(ThreadState, gridDim);

const IntrinsicRow kLaneRows[] = {
    // Ids and sizes.
    {"llvm.nvvm.read.ptx.sreg.tid.x", nullptr, nullptr, field(kThread, 0)},
    {"llvm.nvvm.read.ptx.sreg.tid.y", nullptr, nullptr, field(kThread, 1)},
    {"llvm.nvvm.read.ptx.sreg.tid.z", nullptr, nullptr, field(kThread, 2)},
    {"llvm.nvvm.read.ptx.sreg.ctaid.x", nullptr, nullptr, field(kBlock, 0)},
    {"llvm.nvvm.read.ptx.sreg.ctaid.y", nullptr, nullptr, field(kBlock, 1)},
    {"llvm.nvvm.read.ptx.sreg.ctaid.z", nullptr, nullptr, field(kBlock, 2)},
    {"llvm.nvvm.read.ptx.sreg.ntid.x", nullptr, nullptr, field(kBlockDim, 0)},
    {"llvm.nvvm.read.ptx.sreg.ntid.y", nullptr, nullptr, field(kBlockDim, 1)},
    {"llvm.nvvm.read.ptx.sreg.ntid.z", nullptr, nullptr, field(kBlockDim, 2)},
    {"llvm.nvvm.read.ptx.sreg.nctaid.x", nullptr, nullptr, field(kGridDim, 0)},
    {"llvm.nvvm.read.ptx.sreg.nctaid.y", nullptr, nullptr, field(kGridDim, 1)},
    {"llvm.nvvm.read.ptx.sreg.nctaid.z", nullptr, nullptr, field(kGridDim, 2)},
    {"llvm.nvvm.read.ptx.sreg.laneid", nullptr, nullptr,
     field(offsetof(ThreadState, lane))},
    {"llvm.nvvm.read.ptx.sreg.nwarpid", nullptr, nullptr,
     field(offsetof(ThreadState, numSubgroups))},
    {"llvm.nvvm.read.ptx.sreg.warpsize", nullptr, nullptr,
     field(offsetof(ThreadState, subgroupSize))},
    {"llvm.amdgcn.workitem.id.x", nullptr, nullptr, field(kThread, 0)},
    {"llvm.amdgcn.workitem.id.y", nullptr, nullptr, field(kThread, 1)},
    {"llvm.amdgcn.workitem.id.z", nullptr, nullptr, field(kThread, 2)},
    {"llvm.amdgcn.workgroup.id.x", nullptr, nullptr, field(kBlock, 0)},
    {"llvm.amdgcn.workgroup.id.y", nullptr, nullptr, field(kBlock, 1)},
    {"llvm.amdgcn.workgroup.id.z", nullptr, nullptr, field(kBlock, 2)},
    {"llvm.amdgcn.wavefrontsize", nullptr, nullptr,
     field(offsetof(ThreadState, subgroupSize))},
    {"llvm.amdgcn.wave.id", nullptr, nullptr,
     field(offsetof(ThreadState, subgroup))},
    {"swizzle.workgroup_id.x*", nullptr, nullptr, field(kBlock, 0)},
    {"swizzle.workgroup_id.y*", nullptr, nullptr, field(kBlock, 1)},
    {"swizzle.workgroup_id.z*", nullptr, nullptr, field(kBlock, 2)},
    {"__ockl_get_local_id", sizeOf<kThread>},
    {"__ockl_get_group_id", sizeOf<kBlock>},
    {"__ockl_get_local_size", sizeOf<kBlockDim>},
    {"__ockl_get_num_groups", sizeOf<kGridDim>},
    {"__ockl_get_global_size", globalSize},
    // Barriers.
    {"llvm.nvvm.barrier0", barrier},
    {"llvm.nvvm.barrier.cta.sync.aligned.all", barrier, forAll},
    {"llvm.nvvm.barrier.cta.sync.all", barrier, forAll},
    {"llvm.nvvm.barrier.sync", barrier, forAll},
    {"llvm.nvvm.bar.warp.sync", subgroupBarrier},
    {"llvm.nvvm.barrier0.and", reduceBarrier<ReduceOp::And>},
    {"llvm.nvvm.barrier0.or", reduceBarrier<ReduceOp::Or>},
    {"llvm.nvvm.barrier0.popc", reduceBarrier<ReduceOp::Add>},
    {"llvm.nvvm.barrier.cta.red.and.aligned.all", reduceBarrier<ReduceOp::And>},
    {"llvm.nvvm.barrier.cta.red.or.aligned.all", reduceBarrier<ReduceOp::Or>},
    {"llvm.nvvm.barrier.cta.red.popc.aligned.all",
     reduceBarrier<ReduceOp::Add>},
    {"llvm.amdgcn.s.barrier", barrier},
    {"llvm.amdgcn.s.barrier.wait", barrier},
    {"llvm.amdgcn.s.barrier.signal", nullptr},
    {"llvm.amdgcn.wave.barrier", subgroupBarrier},
    // Order of memory and of instructions: there is no other here.
    {"llvm.nvvm.membar.*", nullptr},
    {"llvm.nvvm.fence.*", nullptr},
    {"llvm.nvvm.nanosleep", nullptr},
    {"llvm.amdgcn.s.waitcnt*", nullptr},
    {"llvm.amdgcn.s.wait.*", nullptr},
    {"llvm.amdgcn.s.sleep*", nullptr},
    {"llvm.amdgcn.s.setprio*", nullptr},
    {"llvm.amdgcn.sched.*", nullptr},
    {"llvm.amdgcn.iglp.opt", nullptr},
    {"llvm.amdgcn.fence.*", nullptr},
    // Exchanges.
    {"llvm.nvvm.shfl.sync.bfly.*", shflSync<ShuffleMode::Xor>},
    {"llvm.nvvm.shfl.sync.up.*", shflSync<ShuffleMode::Up>},
    {"llvm.nvvm.shfl.sync.down.*", shflSync<ShuffleMode::Down>},
    {"llvm.nvvm.shfl.sync.idx.*", shflSync<ShuffleMode::Index>},
    {"llvm.nvvm.vote.ballot.sync", ballot},
    {"llvm.nvvm.vote.all.sync", vote<0>},
    {"llvm.nvvm.vote.any.sync", vote<1>},
    {"llvm.nvvm.vote.uni.sync", vote<2>},
    {"llvm.nvvm.activemask", activeMask},
    {"llvm.nvvm.elect.sync", electSync},
    {"llvm.nvvm.redux.sync.add", redux<ReduceOp::Add>},
    {"llvm.nvvm.redux.sync.min", redux<ReduceOp::MinSigned>},
    {"llvm.nvvm.redux.sync.max", redux<ReduceOp::MaxSigned>},
    {"llvm.nvvm.redux.sync.umin", redux<ReduceOp::MinUnsigned>},
    {"llvm.nvvm.redux.sync.umax", redux<ReduceOp::MaxUnsigned>},
    {"llvm.nvvm.redux.sync.and", redux<ReduceOp::And>},
    {"llvm.nvvm.redux.sync.or", redux<ReduceOp::Or>},
    {"llvm.nvvm.redux.sync.xor", redux<ReduceOp::Xor>},
    {"llvm.amdgcn.ballot.*", ballot},
    {"llvm.amdgcn.readfirstlane*", readFirstLane},
    {"llvm.amdgcn.readlane*", readLane},
    {"llvm.amdgcn.ds.bpermute", bpermute},
    {"llvm.amdgcn.ds.swizzle", dsSwizzle},
    {"llvm.amdgcn.update.dpp.*", updateDpp, knowsDpp},
    {"llvm.amdgcn.mbcnt.lo", mbcnt<0>},
    {"llvm.amdgcn.mbcnt.hi", mbcnt<1>},
};

} // namespace

llvm::ArrayRef<IntrinsicRow> laneRows() { return kLaneRows; }

} // namespace swizzle::host
