//===- WriteCopies.cpp - Copies, and memory of a workgroup ----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Statements that move several elements at once, or by way of workgroup memory.
//
//===----------------------------------------------------------------------===//

#include "Writer.h"

namespace swizzle::fuzz {

static std::string number(int64_t value) { return std::to_string(value); }

/// Copies a slot, or fills it.
void KernelWriter::copyOwn() {
  Buffer &to = buffer(Role::Output);
  if (to.interleaved || (high() && mistakeLeft))
    return storeOwn();
  if (high()) {
    Buffer &from = addBuffer(Role::Input, to.element, to.slots, to.size,
                             Feature::BufferFlat);
    std::string row = "memref<" + number(to.size) + "x" + to.element.text() +
                      ", strided<[1], offset: ?>>";
    auto view = [&](const Buffer &buffer) {
      Place all = flat(buffer);
      Int at = asIndex(binary(Op::Mul, asIndex(same(slot)), buffer.size));
      return define("memref.subview " + all.memory + "[" + at.name + "] [" +
                    number(buffer.size) + "] [1] : " + all.type + " to " + row);
    };
    std::string source = view(from), target = view(to);
    line("memref.copy " + source + ", " + target + " : " + row + " to " + row);
    return;
  }
  Int at = asIndex(binary(Op::Mul, asIndex(same(slot)), to.size));
  std::string target = pointerTo(nameOf(to), at, to.element.text());
  int64_t most = to.size;
  if (mistakeNow()) {
    note(Feature::MistakeTooLong);
    most = to.size * 2;
  }
  Int bytes = constant({64, false}, most * to.element.bytes());
  if (chance(40)) {
    Int from = chance(50) ? loadedValue() : values[draw(0, values.size() - 1)];
    bytes = binary(Op::Mul, asIndex(below(from, most + 1)), to.element.bytes());
  }
  if (chance(50)) {
    Int byte = cast(thread, {8, false}, true);
    line("\"llvm.intr.memset\"(" + target + ", " + byte.name + ", " +
         bytes.name + ") <{isVolatile = false}> : (" + pointer +
         ", i8, i64) -> ()");
    return;
  }
  Buffer &from = addBuffer(Role::Input, to.element, to.slots, to.size,
                           Feature::BufferFlat);
  std::string source = pointerTo(nameOf(from), at, to.element.text());
  line(std::string("\"llvm.intr.mem") + (chance(50) ? "cpy" : "move") + "\"(" +
       target + ", " + source + ", " + bytes.name +
       ") <{isVolatile = false}> : (" + pointer + ", " + pointer +
       ", i64) -> ()");
}

/// The type of the kernel's workgroup memory `%w`.
std::string KernelWriter::workgroupMemory() {
  std::string type =
      "memref<" + number(threads) + "xi32, #gpu.address_space<workgroup>>";
  shared = " workgroup(%w: " + type + ")";
  return type;
}

/// Copies an element to workgroup memory without waiting for it.
void KernelWriter::asyncCopy() {
  Buffer &from = addBuffer(Role::Input, {32, false}, slots + 1, draw(1, 6),
                           Feature::BufferFlat);
  std::string type = workgroupMemory();
  Int at = asIndex(elementIndex(from, slot, anyOffset(from, 1)));
  std::string token = define("nvgpu.device_async_copy " + nameOf(from) + "[" +
                             at.name + "], %w[" + asIndex(thread).name +
                             "], 1 : " + memrefType(from) + " to " + type);
  std::string group = define("nvgpu.device_async_create_group " + token);
  line("nvgpu.device_async_wait " + group);
}

/// Each thread leaves a value in workgroup memory and takes another's.
void KernelWriter::exchange() {
  std::string count = number(threads);
  std::string barrier = high()    ? "gpu.barrier"
                        : isRocdl ? "rocdl.barrier"
                                  : "nvvm.barrier0";
  Int mine = cast(thread, {32, false}, true),
      theirs =
          within(below(binary(Op::Add, asIndex(thread), draw(0, 3)), threads),
                 threads);
  if (high()) {
    bool again = !shared.empty();
    std::string type = workgroupMemory();
    if (again)
      line(barrier);
    line("memref.store " + mine.name + ", %w[" + asIndex(thread).name +
         "] : " + type);
    line(barrier);
    remember(define("memref.load %w[" + asIndex(theirs).name + "] : " + type),
             "i32", {32, false});
    return;
  }
  if (shared.empty()) {
    shared = "@w";
    globals += "llvm.mlir.global internal @w() {addr_space = 3 : i32} : "
               "!llvm.array<" +
               count + " x i32>\n";
  } else {
    line(barrier);
  }
  std::string base = define("llvm.mlir.addressof @w : !llvm.ptr<3>");
  auto at = [&](const Int &index) {
    return define("llvm.getelementptr " + base + "[" + asIndex(index).name +
                  "] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i32");
  };
  line("llvm.store " + mine.name + ", " + at(thread) + " : i32, !llvm.ptr<3>");
  line(barrier);
  remember(define("llvm.load " + at(theirs) + " : !llvm.ptr<3> -> i32"), "i32",
           {32, false});
}

} // namespace swizzle::fuzz
