//===- EmulateMemory.cpp - Copies, buffers and fragments in memory --------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of the table in Intrinsics.h. Asynchronous copies happen at once: who
// waits for them sees no difference. A buffer resource is the address of a
// record of its base and size, which 64 bits could not hold.
//
//===----------------------------------------------------------------------===//

#include "Compile/Compilation.h"
#include "Inputs/Numbers.h"
#include "Intrinsics.h"

namespace swizzle::host {

namespace {

void read(Workgroup &w, const Frame &frame, char *from, int64_t bytes) {
  w.accessBytes(from, bytes, AccessKind::Read, frame.call.site);
}

void write(Workgroup &w, const Frame &frame, char *to, int64_t bytes) {
  w.accessBytes(to, bytes, AccessKind::Write, frame.call.writeSite);
}

/// The bytes that a name ends with: "...shared.global.16".
llvm::StringRef bytesInName(IntrinsicCall &call, Compilation &) {
  llvm::StringRef name = call.name;
  name.consume_back(".s");
  return name.rsplit('.').second.getAsInteger(10, call.parameter)
             ? "a size that is not known"
             : "";
}

/// (to, from) or (to, from, bytes); what is not copied becomes zero.
void copyAsync(Workgroup &w, const Frame &frame) {
  auto *to = frame.get<char *>(0), *from = frame.get<char *>(1);
  int64_t bytes = frame.call.parameter, copied = bytes;
  if (frame.call.operands.size() > 2)
    copied = std::min<int64_t>(bytes, frame.word(2));
  if (copied)
    read(w, frame, from, copied);
  write(w, frame, to, bytes);
  std::memcpy(to, from, copied);
  std::memset(to + copied, 0, bytes - copied);
}

//===----------------------------------------------------------------------===//
// Fragments of matrices
//===----------------------------------------------------------------------===//

/// Each lane has the address of a row of 8 numbers of 16 bits, and gets two
/// numbers of each matrix: of one row, or, transposed, of one column.
void loadMatrix(Workgroup &w, const Frame &frame) {
  auto mine = frame.get<uint64_t>(0);
  int64_t matrices = frame.call.result.bytes / 4;
  bool transposed = llvm::StringRef(frame.call.name).contains(".trans.");
  int64_t lane = w.thread().lane;
  auto rowAt = [&](int64_t row) {
    return reinterpret_cast<char *>(
        w.shuffle(frame.call.site, mine, int32_t(row), 32, ShuffleMode::Index));
  };
  for (int64_t matrix = 0; matrix < matrices; ++matrix) {
    char *to = frame.result() + matrix * 4;
    if (!transposed) {
      char *from = rowAt(matrix * 8 + lane / 4) + lane % 4 * 4;
      read(w, frame, from, 4);
      std::memcpy(to, from, 4);
      continue;
    }
    for (int64_t half = 0; half < 2; ++half) {
      char *from = rowAt(matrix * 8 + lane % 4 * 2 + half) + lane / 4 * 2;
      read(w, frame, from, 2);
      std::memcpy(to + half * 2, from, 2);
    }
  }
}

/// The inverse: from registers to rows.
void storeMatrix(Workgroup &w, const Frame &frame) {
  auto mine = frame.get<uint64_t>(0);
  int64_t matrices = frame.call.operands.size() - 1;
  bool transposed = llvm::StringRef(frame.call.name).contains(".trans.");
  int64_t lane = w.thread().lane;
  auto rowAt = [&](int64_t row) {
    return reinterpret_cast<char *>(
        w.shuffle(frame.call.site, mine, int32_t(row), 32, ShuffleMode::Index));
  };
  for (int64_t matrix = 0; matrix < matrices; ++matrix)
    for (int64_t half = 0; half < 2; ++half) {
      int64_t row = transposed ? lane % 4 * 2 + half : lane / 4;
      int64_t column = transposed ? lane / 4 : lane % 4 * 2 + half;
      char *to = rowAt(matrix * 8 + row) + column * 2;
      write(w, frame, to, 2);
      std::memcpy(to, frame.at(1 + matrix) + half * 2, 2);
    }
}

llvm::StringRef for32Lanes(IntrinsicCall &, Compilation &c) {
  return c.subgroupSize == 32 ? "" : "a subgroup that has not 32 lanes";
}

/// "llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p3": rows and columns of the
/// fragment, bits of an element, whether memory has it by columns.
llvm::StringRef prepareMove(IntrinsicCall &call, Compilation &c) {
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(call.name).split(parts, '.');
  MatrixShape &shape = call.shape;
  if (c.subgroupSize != 32 || parts.size() < 8 ||
      !readGeometry(parts[3], shape))
    return "a shape that is not known";
  bool load = parts[4] == "load", hasStride = parts[7] == "stride";
  unsigned bits = bitsOfType(parts[hasStride ? 8 : 7]);
  if (bits < 8)
    return "elements of less than a byte";
  call.parameter = parts[6] == "col";
  uint32_t site = load ? call.site : call.writeSite;
  c.sites[site].bytes = bits / 8;
  // Rows and columns of what is moved, in m and n.
  if (parts[5] == "a")
    shape.n = shape.k;
  else if (parts[5] == "b")
    shape.m = shape.k;
  shape.aPerLane = hasStride;
  return "";
}

template <bool load> void moveFragment(Workgroup &w, const Frame &frame) {
  const MatrixShape &shape = frame.call.shape;
  bool byColumns = frame.call.parameter, hasStride = shape.aPerLane;
  unsigned last = frame.call.operands.size() - 1;
  int64_t lead = hasStride   ? int64_t(int32_t(frame.word(last)))
                 : byColumns ? shape.m
                             : shape.n;
  w.moveMatrix(load ? frame.call.site : frame.call.writeSite, shape,
               frame.get<char *>(0), lead, byColumns,
               load ? frame.result() : frame.at(1));
}

//===----------------------------------------------------------------------===//
// Buffer resources
//===----------------------------------------------------------------------===//

void makeResource(Workgroup &w, const Frame &frame) {
  frame.give(w.resource(frame.get<char *>(0), frame.word(2)));
}

/// Where an access through a resource leads; null beyond its end.
char *inBuffer(const Frame &frame, unsigned resource, unsigned offset,
               int64_t bytes) {
  auto *buffer = frame.get<const Workgroup::Resource *>(resource);
  // The scalar offset is not part of the check of bounds.
  uint64_t at = uint32_t(frame.word(offset));
  if (at + bytes > buffer->bytes)
    return nullptr;
  return buffer->base + at + uint32_t(frame.word(offset + 1));
}

void bufferLoad(Workgroup &w, const Frame &frame) {
  uint32_t bytes = frame.call.result.bytes;
  char *from = inBuffer(frame, 0, 1, bytes);
  if (!from) {
    std::memset(frame.result(), 0, bytes);
    return;
  }
  read(w, frame, from, bytes);
  std::memcpy(frame.result(), from, bytes);
}

void bufferStore(Workgroup &w, const Frame &frame) {
  uint32_t bytes = frame.call.operands[0].bytes;
  if (char *to = inBuffer(frame, 1, 2, bytes)) {
    write(w, frame, to, bytes);
    std::memcpy(to, frame.at(0), bytes);
  }
}

template <ReduceOp op, bool isFloat>
void bufferAtomic(Workgroup &w, const Frame &frame) {
  uint32_t bytes = frame.call.operands[0].bytes;
  char *at = inBuffer(frame, 1, 2, bytes);
  uint64_t old = 0;
  if (at) {
    w.accessBytes(at, bytes, AccessKind::Atomic, frame.call.site);
    std::memcpy(&old, at, bytes);
    ElementFormat format;
    format.bits = bytes * 8;
    if (isFloat) {
      format.kind = ElementFormat::Kind::Float;
      format.semantics = bytes == 8 ? kDouble : kSingle;
    }
    uint64_t updated = combine(old, frame.word(0), op, format);
    std::memcpy(at, &updated, bytes);
  }
  frame.giveWord(old);
}

llvm::StringRef prepareAtomic(IntrinsicCall &call, Compilation &c) {
  uint32_t bytes = call.operands[0].bytes;
  c.sites[call.site].bytes = bytes;
  c.sites[call.site].floatAtomic =
      llvm::StringRef(call.name).contains("atomic.fadd");
  c.sites[call.site].compares =
      llvm::StringRef(call.name).contains("atomic.cmpswap");
  bool packed = llvm::StringRef(call.name).contains(".v2");
  return packed || (bytes != 4 && bytes != 8) ? "an update of another width"
                                              : "";
}

void bufferSwap(Workgroup &w, const Frame &frame) {
  uint32_t bytes = frame.call.operands[0].bytes;
  bool compares = llvm::StringRef(frame.call.name).contains(".cmpswap");
  uint64_t old = 0;
  if (char *at = inBuffer(frame, compares ? 2 : 1, compares ? 3 : 2, bytes)) {
    w.accessBytes(at, bytes, AccessKind::Atomic, frame.call.site);
    std::memcpy(&old, at, bytes);
    if (!compares || old == frame.word(1))
      std::memcpy(at, frame.at(0), bytes);
  }
  frame.giveWord(old);
}

/// Each lane copies to its place behind the common one.
void copyToShared(Workgroup &w, const Frame &frame, char *from, char *to,
                  int64_t bytes) {
  to += w.thread().lane * bytes;
  if (from)
    read(w, frame, from, bytes);
  write(w, frame, to, bytes);
  if (from)
    std::memcpy(to, from, bytes);
  else
    std::memset(to, 0, bytes);
}

void globalToShared(Workgroup &w, const Frame &frame) {
  copyToShared(w, frame, frame.get<char *>(0) + int32_t(frame.word(3)),
               frame.get<char *>(1) + int32_t(frame.word(3)), frame.word(2));
}

void bufferToShared(Workgroup &w, const Frame &frame) {
  int64_t bytes = frame.word(2), constant = frame.word(5);
  char *from = inBuffer(frame, 0, 3, bytes + constant);
  copyToShared(w, frame, from ? from + constant : nullptr,
               frame.get<char *>(1) + constant, bytes);
}

using Touches = IntrinsicRow::Touches;
constexpr auto kReads = Touches::Reads, kWrites = Touches::Writes,
               kBoth = Touches::Both, kUpdates = Touches::Updates;
#define SWIZZLE_ATOMIC(name, op, isFloat)                                      \
  {"llvm.amdgcn.raw.ptr.buffer.atomic." name ".*",                             \
   bufferAtomic<ReduceOp::op, isFloat>, prepareAtomic, -1, kUpdates}
const IntrinsicRow kMemoryRows[] = {
    {"llvm.nvvm.cp.async.ca.shared.global.*", copyAsync, bytesInName, -1,
     kBoth},
    {"llvm.nvvm.cp.async.cg.shared.global.*", copyAsync, bytesInName, -1,
     kBoth},
    {"llvm.nvvm.cp.async.commit.group", nullptr},
    {"llvm.nvvm.cp.async.wait.group", nullptr},
    {"llvm.nvvm.cp.async.wait.all", nullptr},
    {"llvm.nvvm.ldmatrix.sync.aligned.m8n8.*", loadMatrix, for32Lanes, -1,
     kReads},
    {"llvm.nvvm.stmatrix.sync.aligned.m8n8.*", storeMatrix, for32Lanes, -1,
     kWrites},
    {"llvm.nvvm.wmma.m16n16k16.load.*", moveFragment<true>, prepareMove, -1,
     kReads},
    {"llvm.nvvm.wmma.m32n8k16.load.*", moveFragment<true>, prepareMove, -1,
     kReads},
    {"llvm.nvvm.wmma.m8n32k16.load.*", moveFragment<true>, prepareMove, -1,
     kReads},
    {"llvm.nvvm.wmma.m16n16k8.load.*", moveFragment<true>, prepareMove, -1,
     kReads},
    {"llvm.nvvm.wmma.m16n16k16.store.*", moveFragment<false>, prepareMove, -1,
     kWrites},
    {"llvm.nvvm.wmma.m32n8k16.store.*", moveFragment<false>, prepareMove, -1,
     kWrites},
    {"llvm.nvvm.wmma.m8n32k16.store.*", moveFragment<false>, prepareMove, -1,
     kWrites},
    {"llvm.nvvm.wmma.m16n16k8.store.*", moveFragment<false>, prepareMove, -1,
     kWrites},
    {"llvm.amdgcn.make.buffer.rsrc.*", makeResource},
    {"llvm.amdgcn.raw.ptr.buffer.load.lds", bufferToShared, nullptr, -1, kBoth},
    {"llvm.amdgcn.global.load.lds*", globalToShared, nullptr, -1, kBoth},
    {"llvm.amdgcn.raw.ptr.buffer.load.*", bufferLoad, nullptr, -1, kReads},
    {"llvm.amdgcn.raw.ptr.buffer.store.*", bufferStore, nullptr, -1, kWrites},
    SWIZZLE_ATOMIC("add", Add, false),
    SWIZZLE_ATOMIC("fadd", Add, true),
    SWIZZLE_ATOMIC("smin", MinSigned, false),
    SWIZZLE_ATOMIC("smax", MaxSigned, false),
    SWIZZLE_ATOMIC("umin", MinUnsigned, false),
    SWIZZLE_ATOMIC("umax", MaxUnsigned, false),
    SWIZZLE_ATOMIC("fmin", MinNum, true),
    SWIZZLE_ATOMIC("fmax", MaxNum, true),
    SWIZZLE_ATOMIC("and", And, false),
    SWIZZLE_ATOMIC("or", Or, false),
    SWIZZLE_ATOMIC("xor", Xor, false),
    {"llvm.amdgcn.raw.ptr.buffer.atomic.swap.*", bufferSwap, prepareAtomic, -1,
     Touches::Exchanges},
    {"llvm.amdgcn.raw.ptr.buffer.atomic.cmpswap.*", bufferSwap, prepareAtomic,
     -1, Touches::Exchanges},
};
#undef SWIZZLE_ATOMIC

} // namespace

llvm::ArrayRef<IntrinsicRow> memoryRows() { return kMemoryRows; }

} // namespace swizzle::host
