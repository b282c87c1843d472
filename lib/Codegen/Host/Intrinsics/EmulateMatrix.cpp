//===- EmulateMatrix.cpp - Products of matrices by a subgroup -------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of the table in Intrinsics.h. Which lane holds which element is public
// for mma.sync (PTX ISA, 9.7.14.5), mfma (CDNA3 ISA, 7.1) and AMD's wmma (RDNA3
// and RDNA4 ISA, 7.9), and is followed. That of NVIDIA's wmma is not: any will
// do, and it is the one of `moveMatrix`.
//
//===----------------------------------------------------------------------===//

#include "Compile/Compilation.h"
#include "Inputs/Numbers.h"
#include "Intrinsics.h"

namespace swizzle::host {

bool readGeometry(llvm::StringRef text, MatrixShape &shape) {
  return text.consume_front("m") && !text.consumeInteger(10, shape.m) &&
         text.consume_front("n") && !text.consumeInteger(10, shape.n) &&
         text.consume_front("k") && !text.getAsInteger(10, shape.k);
}

unsigned bitsOfType(llvm::StringRef type) {
  if (type == "tf32")
    return 32;
  unsigned bits = 0;
  return type.drop_while([](char c) {
               return !isdigit(c);
             }).getAsInteger(10, bits)
             ? 0
             : bits;
}

namespace {

using Operand = MatrixShape::Operand;

ElementFormat formatOf(llvm::StringRef type) {
  ElementFormat format;
  format.bits = bitsOfType(type);
  if (type.starts_with("u")) {
    format.kind = ElementFormat::Kind::Unsigned;
  } else if (!type.starts_with("s") && !type.starts_with("i")) {
    format.kind = ElementFormat::Kind::Float;
    format.semantics = type == "bf16"      ? kBFloat
                       : type == "f16"     ? kHalf
                       : format.bits == 64 ? kDouble
                                           : kSingle;
  }
  return format;
}

/// The bytes of operands `first` to `last`, both included: one array.
int64_t bytesOf(const IntrinsicCall &call, unsigned first, unsigned last) {
  return call.operands[last].offset + call.operands[last].bytes -
         call.operands[first].offset;
}

/// Splits the operands of a product into A, B and C by the number of their
/// registers; fills in how many elements a lane holds.
llvm::StringRef split(IntrinsicCall &call, unsigned a, unsigned b) {
  MatrixShape &shape = call.shape;
  if (call.operands.size() <= a + b)
    return "operands that are not known";
  shape.aPerLane = bytesOf(call, 0, a - 1) * 8 / shape.ab.bits;
  shape.bPerLane = bytesOf(call, a, a + b - 1) * 8 / shape.ab.bits;
  shape.cPerLane = int64_t(call.result.bytes) * 8 / shape.cd.bits;
  call.parameter = a | int64_t(a + b) << 16;
  return "";
}

void product(Workgroup &w, const Frame &frame) {
  unsigned b = frame.call.parameter & 0xFFFF, c = frame.call.parameter >> 16;
  w.multiply(frame.call.site, frame.call.shape, frame.at(0), frame.at(b),
             frame.at(c), frame.result());
}

/// llvm.nvvm.wmma.m16n16k16.mma.row.col.f32.f32, or ....bf16, ....tf32, ....s8.
llvm::StringRef prepareWmma(IntrinsicCall &call, Compilation &c) {
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(call.name).split(parts, '.');
  MatrixShape &shape = call.shape;
  if (c.subgroupSize != 32 || parts.size() < 8 || parts.back() == "satfinite" ||
      !readGeometry(parts[3], shape))
    return "a shape that is not known";
  llvm::StringRef type = parts[7];
  bool half = type == "f16" || type == "f32";
  bool known =
      half || type == "bf16" || type == "tf32" || type == "s8" || type == "u8";
  if (!known || (half && parts.size() != 9) || (half && parts[7] != parts[8]))
    return "types that are not known";
  shape.ab = formatOf(half ? "f16" : type);
  shape.cd = formatOf(half                           ? type
                      : type == "s8" || type == "u8" ? "s32"
                                                     : "f32");
  // Registers of 32 bits; fragments of f16 are handed over twice.
  auto registers = [&](int64_t elements) {
    return half ? 8 : unsigned(elements * shape.ab.bits / 32 / 32);
  };
  llvm::StringRef wrong =
      split(call, registers(shape.m * shape.k), registers(shape.k * shape.n));
  if (wrong.empty())
    shape.place(32);
  return wrong;
}

/// llvm.nvvm.mma.m16n8k16.row.col.f32.f32 and its like. Lane 4g + t holds, in
/// register r of A, E elements of row g + 8 (r mod 2) from column
/// E t + 4 E (r div 2) on; of B, of column g from row E t + 4 E r on; of C two
/// neighbours of row g + 8 (r div 2).
llvm::StringRef prepareMma(IntrinsicCall &call, Compilation &c) {
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(call.name).split(parts, '.');
  MatrixShape &shape = call.shape;
  if (c.subgroupSize != 32 || parts.size() < 7 ||
      !readGeometry(parts[3], shape) || shape.m != 16 || shape.n != 8 ||
      parts[4] != "row" || parts[5] != "col")
    return "a shape that is not known";
  llvm::StringRef type = parts[6];
  bool half =
      parts.size() == 8 && type == parts[7] && (type == "f16" || type == "f32");
  bool integer = type == "s8" || type == "u8";
  if (!half &&
      !(parts.size() == 7 && (integer || type == "bf16" || type == "tf32")))
    return "types that are not known";
  shape.ab = formatOf(half ? "f16" : type);
  shape.cd = formatOf(half ? type : integer ? "s32" : "f32");
  int64_t perRegister = 32 / shape.ab.bits;
  unsigned a = shape.m * shape.k / 32 / perRegister,
           b = shape.k * shape.n / 32 / perRegister;
  if (llvm::StringRef wrong = split(call, a, b); !wrong.empty())
    return wrong;
  for (int64_t lane = 0; lane < 32; ++lane) {
    int64_t group = lane / 4, within = lane % 4;
    for (int64_t slot = 0; slot < shape.aPerLane; ++slot) {
      int64_t r = slot / perRegister, j = slot % perRegister;
      int64_t column = within * perRegister + j + r / 2 * 4 * perRegister;
      shape.places[0].push_back((group + 8 * (r % 2)) * shape.k + column);
    }
    for (int64_t slot = 0; slot < shape.bPerLane; ++slot) {
      int64_t r = slot / perRegister, j = slot % perRegister;
      int64_t row = within * perRegister + j + r * 4 * perRegister;
      shape.places[1].push_back(row * shape.n + group);
    }
    for (int64_t slot = 0; slot < shape.cPerLane; ++slot)
      shape.places[2].push_back((group + 8 * (slot / 2)) * shape.n +
                                within * 2 + slot % 2);
  }
  return "";
}

/// llvm.nvvm.mma.m8n8k4.row.col.f64.
llvm::StringRef prepareMmaDouble(IntrinsicCall &call, Compilation &c) {
  MatrixShape &shape = call.shape;
  if (c.subgroupSize != 32)
    return "a subgroup that has not 32 lanes";
  shape.m = shape.n = 8;
  shape.k = 4;
  shape.ab = shape.cd = formatOf("f64");
  for (int32_t lane = 0; lane < 32; ++lane) {
    shape.places[0].push_back(lane);
    shape.places[1].push_back(lane % 4 * 8 + lane / 4);
    for (int32_t slot = 0; slot < 2; ++slot)
      shape.places[2].push_back(lane / 4 * 8 + lane % 4 * 2 + slot);
  }
  return split(call, 1, 1);
}

/// llvm.amdgcn.mfma.f32.16x16x16f16, ....32x32x8bf16.1k, i32.16x16x32.i8: one
/// block, no modifiers.
llvm::StringRef prepareMfma(IntrinsicCall &call, Compilation &c) {
  llvm::StringRef name = call.name;
  name.consume_front("llvm.amdgcn.mfma.");
  name.consume_back(".1k");
  auto [result, rest] = name.split('.');
  MatrixShape &shape = call.shape;
  shape.layout = MatrixShape::Layout::MFMA;
  if (rest.consumeInteger(10, shape.m) || !rest.consume_front("x") ||
      rest.consumeInteger(10, shape.n) || !rest.consume_front("x") ||
      rest.consumeInteger(10, shape.k) || call.operands.size() != 6)
    return "a shape that is not known";
  rest.consume_front(".");
  if (rest != "f16" && rest != "bf16" && rest != "f32" && rest != "i8")
    return "types that are not known";
  shape.ab = formatOf(rest);
  shape.cd = formatOf(result);
  for (unsigned modifier = 3; modifier < 6; ++modifier)
    if (call.constants[modifier].value_or(1))
      return "modifiers";
  if (llvm::StringRef wrong = split(call, 1, 1); !wrong.empty())
    return wrong;
  if (c.subgroupSize != 64 || shape.m != shape.n ||
      (shape.m != 16 && shape.m != 32) ||
      shape.aPerLane * 64 != shape.m * shape.k ||
      shape.cPerLane * 64 != shape.m * shape.n || shape.cd.bits != 32)
    return "only one block of 16x16 or 32x32, by 64 lanes";
  shape.place(64);
  return "";
}

/// llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v16f16 by 32 lanes. A lane holds a
/// row of A: all of it, twice in a subgroup, on RDNA3; half of it on RDNA4.
llvm::StringRef prepareAmdWmma(IntrinsicCall &call, Compilation &c) {
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(call.name).split(parts, '.');
  MatrixShape &shape = call.shape;
  if (parts.size() < 6 || parts[3] != "f32" || parts[4] != "16x16x16" ||
      (parts[5] != "f16" && parts[5] != "bf16") || call.operands.size() != 3)
    return "a shape that is not known";
  shape.m = shape.n = shape.k = 16;
  shape.ab = formatOf(parts[5]);
  shape.cd = formatOf("f32");
  if (llvm::StringRef wrong = split(call, 1, 1); !wrong.empty())
    return wrong;
  bool whole = shape.aPerLane == 16;
  if (c.subgroupSize != 32 || shape.cPerLane != 8 ||
      (!whole && shape.aPerLane != 8))
    return "only by 32 lanes";
  for (int32_t lane = 0; lane < 32; ++lane) {
    int32_t line = lane % 16, upper = lane / 16;
    for (int32_t slot = 0; slot < shape.aPerLane; ++slot) {
      int32_t k = whole ? slot : upper * 8 + slot;
      shape.places[0].push_back(line * 16 + k);
      shape.places[1].push_back(k * 16 + line);
    }
    for (int32_t slot = 0; slot < 8; ++slot) {
      int32_t row = whole ? 2 * slot + upper : slot + 8 * upper;
      shape.places[2].push_back(row * 16 + line);
    }
  }
  return "";
}

const IntrinsicRow kMatrixRows[] = {
    {"llvm.nvvm.wmma.m16n16k16.mma.*", product, prepareWmma},
    {"llvm.nvvm.wmma.m32n8k16.mma.*", product, prepareWmma},
    {"llvm.nvvm.wmma.m8n32k16.mma.*", product, prepareWmma},
    {"llvm.nvvm.wmma.m16n16k8.mma.*", product, prepareWmma},
    {"llvm.nvvm.mma.m16n8k*", product, prepareMma},
    {"llvm.nvvm.mma.m8n8k4.row.col.f64", product, prepareMmaDouble},
    {"llvm.amdgcn.mfma.f32.*", product, prepareMfma},
    {"llvm.amdgcn.mfma.i32.*", product, prepareMfma},
    {"llvm.amdgcn.wmma.f32.*", product, prepareAmdWmma},
};

} // namespace

llvm::ArrayRef<IntrinsicRow> matrixRows() { return kMatrixRows; }

} // namespace swizzle::host
