//===- WriteOverlaps.cpp - Stores that few rules tell apart ---------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Statements of which one rule of the judge decides what is said: stores whose
// last bytes reach a neighbour, scattered stores of which only the second row
// does, or of which one lane wraps around, and stores under a condition that
// hangs on the sign of what was widened, or of one bit.
//
//===----------------------------------------------------------------------===//

#include "Writer.h"

#include <algorithm>

namespace swizzle::fuzz {

static std::string number(int64_t value) { return std::to_string(value); }

/// A word at the begin of each slot, and two words at its end, of which the
/// second is the word of the next slot.
void KernelWriter::storeMistakenPair() {
  note(Feature::MistakePair);
  Buffer &words =
      addBuffer(Role::Closed, {32, false}, slots + 1, 4, Feature::BufferFlat);
  auto write = [&](int64_t width) {
    Int first = binary(Op::Mul, asIndex(slot), 4);
    Place at = placeAt(words, width == 1 ? first : binary(Op::Add, first, 3));
    std::string vector = "vector<" + number(width) + "xi32>",
                value = width == 1 ? data(words.element)
                                   : dataVector(words.element, width);
    if (high())
      line((width == 1 ? "memref.store " : "vector.store ") + value + ", " +
           at.text() + " : " + at.type + (width == 1 ? "" : ", " + vector));
    else
      line("llvm.store " + value + ", " + at.memory +
           " {alignment = 4 : i64} : " + (width == 1 ? "i32" : vector) + ", " +
           at.type);
  };
  int64_t width = draw(1, 2);
  write(width);
  write(3 - width);
}

/// Each slot has an element; another one, some elements on, is another's.
void KernelWriter::storeMistakenRows() {
  if (!high())
    return storeMistakenPair();
  note(Feature::MistakeRows);
  int64_t distance = draw(2, std::max<int64_t>(slots - 1, 2));
  Buffer &rows = addBuffer(Role::Closed, {32, false}, 1, slots + distance,
                           Feature::BufferFlat);
  Place at = placeAt(rows, slot);
  std::string value = dataVector(rows.element, 2);
  std::string lanes = define("arith.constant dense<[0, " + number(distance) +
                             "]> : vector<2xi32>");
  std::string mask = define("vector.constant_mask [2] : vector<2xi1>");
  line("vector.scatter " + at.text() + " [" + lanes + "], " + mask + ", " +
       value + " : " + at.type +
       ", vector<2xi32>, vector<2xi1>, vector<2xi32>");
}

/// Each slot has two elements, so far apart that slots do not meet; another
/// store reaches the second one of the next slot.
void KernelWriter::storeMistakenFarRow() {
  if (!high())
    return storeMistakenLane();
  note(Feature::MistakeFarRow);
  int64_t distance = slots + draw(0, 3);
  Buffer &rows = addBuffer(Role::Closed, {32, false}, 1, slots + distance + 1,
                           Feature::BufferFlat);
  auto one = [&] {
    Place at = placeAt(rows, binary(Op::Add, asIndex(slot), distance + 1));
    line("memref.store " + data(rows.element) + ", " + at.text() + " : " +
         at.type);
  };
  bool before = chance(30);
  if (before)
    one();
  Place at = placeAt(rows, slot);
  std::string value = dataVector(rows.element, 2);
  std::string lanes = define("arith.constant dense<[0, " + number(distance) +
                             "]> : vector<2xi32>");
  std::string mask = define("vector.constant_mask [2] : vector<2xi1>");
  line("vector.scatter " + at.text() + " [" + lanes + "], " + mask + ", " +
       value + " : " + at.type +
       ", vector<2xi32>, vector<2xi1>, vector<2xi32>");
  if (!before)
    one();
}

/// Each slot has an element. The product that switches the next one on is that
/// of no slot but 0, or one that has wrapped around: of every fourth slot.
void KernelWriter::storeMistakenLane() {
  note(Feature::MistakeLane);
  Buffer &words =
      addBuffer(Role::Closed, {32, false}, slots + 1, 1, Feature::BufferFlat);
  std::string vector = "vector<2xi32>", mask = "vector<2xi1>",
              first = cast(slot, {32, false}, false).name, lanes;
  auto numbers = [&](const std::string &list) {
    return define(high() ? "arith.constant dense<" + list + "> : " + vector
                         : "llvm.mlir.constant(dense<" + list +
                               "> : " + vector + ") : " + vector);
  };
  std::string factors = numbers("[1, 1073741825]"),
              end = numbers(number(slots));
  if (high()) {
    lanes = define("vector.broadcast " + first + " : i32 to " + vector);
  } else {
    lanes = define("llvm.mlir.poison : " + vector);
    for (int64_t i = 0; i < 2; ++i)
      lanes = define("llvm.insertelement " + first + ", " + lanes + "[" +
                     constant({32, false}, i).name + " : i32] : " + vector);
  }
  std::string product = define((high() ? "arith.muli " : "llvm.mul ") + lanes +
                               ", " + factors + " : " + vector);
  std::string on = define((high() ? "arith.cmpi ult, " : "llvm.icmp \"ult\" ") +
                          product + ", " + end + " : " + vector);
  Place at = placeAt(words, slot);
  std::string value = dataVector(words.element, 2);
  if (high())
    line("vector.maskedstore " + at.text() + ", " + on + ", " + value + " : " +
         at.type + ", " + mask + ", " + vector);
  else
    line("llvm.intr.masked.store " + value + ", " + at.memory + ", " + on +
         " {alignment = 4 : i32} : " + vector + ", " + mask + " into " +
         at.type);
}

/// Widened by zeros, a negative number is a large one.
void KernelWriter::storeIfWide() {
  Int any = cast(chance(50) ? thread : slot, {32, false}, true);
  Int wide = cast(binary(Op::Sub, any, draw(0, 2)), {64, false}, false);
  Buffer &to = buffer(Role::Output);
  ifThen(compare("slt", wide, draw(1, threads)),
         [&] { store(to, slot, anyOffset(to, 1), 1); });
}

/// The least and the greatest of two truths, with a sign and without.
void KernelWriter::storeIfOneBit() {
  Int first = compare("slt", thread, draw(0, threads)),
      second = compare("ne", slot, draw(0, slots - 1));
  static const Op ops[] = {Op::SMax, Op::SMin, Op::UMax, Op::UMin};
  Buffer &to = buffer(Role::Output);
  ifThen(binary(ops[draw(0, 3)], first, second),
         [&] { store(to, slot, anyOffset(to, 1), 1); });
}

} // namespace swizzle::fuzz
