//===- WriteLoops.cpp - Loops of blocks -----------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops that `scf` cannot say: tested below, left in two places, tested in some
// turns only, entered in two places, or counted in eight bits past their end.
//
//===----------------------------------------------------------------------===//

#include "Writer.h"

#include <algorithm>

namespace swizzle::fuzz {

static std::string with(const std::string &block, const Int &value) {
  return block + "(" + value.name + " : " + value.type.text() + ")";
}

/// A loop of blocks: tested above, tested below, or counting down.
void KernelWriter::loopBlocks(Feature kind, int64_t turns,
                              const CountedBody &body) {
  IntType type = anyType(-1, 40);
  std::string head = label(), inside = label(), after = label();
  bool down = kind == Feature::LoopDown;
  Int start = constant(type, down ? turns : 0), step = constant(type, 1),
      end = constant(type, down ? 0 : turns);
  Int counter{fresh(), type, 0, turns};
  size_t seen = values.size();
  branch(with(head, start));
  line(head + "(" + counter.name + ": " + type.text() + "):");
  if (kind == Feature::LoopRotated && turns) {
    body(within(counter, turns));
    Int next = binary(Op::Add, counter, step);
    branch(compare(chance(50) ? "slt" : "ult", next, end), with(head, next),
           after);
  } else {
    branch(compare(down ? "sgt" : "slt", counter, end), inside, after);
    line(inside + ":");
    Int turn = down ? binary(Op::Sub, counter, step) : counter;
    body(within(turn, std::max<int64_t>(turns, 1)));
    branch(with(head, down ? turn : binary(Op::Add, counter, step)));
  }
  line(after + ":");
  values.resize(seen);
}

/// A loop with another way out, or with a turn that is not tested.
void KernelWriter::loopExits(Feature kind, int64_t turns,
                             const CountedBody &body) {
  turns = std::max<int64_t>(turns, 1);
  IntType type{32, false};
  std::string head = label(), inside = label(), after = label(), rest = label();
  Int start = constant(type, 0), counter{fresh(), type, 0, turns};
  size_t seen = values.size();
  auto next = [&](const Int &from) {
    return with(head, binary(Op::Add, from, 1));
  };
  if (kind == Feature::LoopTwoEntries)
    branch(compare("slt", thread, draw(0, threads)), with(head, start),
           with(rest, start));
  else
    branch(with(head, start));
  line(head + "(" + counter.name + ": i32):");
  switch (kind) {
  case Feature::LoopBreak:
    branch(compare("slt", counter, turns), inside, after);
    line(inside + ":");
    branch(chance(50) ? compare("sge", counter, draw(0, turns))
                      : compare("sgt", counter, convert(thread, type)),
           after, rest);
    line(rest + ":");
    body(within(counter, turns));
    branch(next(counter));
    break;
  case Feature::LoopUntested: {
    // Even turns are not tested.
    branch(compare("eq", binary(Op::And, counter, 1), 0), inside, rest);
    line(inside + ":");
    body(within(below(counter, turns), turns));
    branch(next(counter));
    line(rest + ":");
    std::string again = label();
    branch(compare("slt", counter, turns), again, after);
    line(again + ":");
    body(within(counter, turns));
    branch(next(counter));
    break;
  }
  default: {
    body(within(below(counter, turns), turns));
    branch(with(rest, binary(Op::Add, counter, 1)));
    Int other{fresh(), type, 0, turns + 1};
    line(rest + "(" + other.name + ": i32):");
    std::string again = label();
    branch(compare("slt", other, turns), again, after);
    line(again + ":");
    branch(next(other));
  }
  }
  line(after + ":");
  values.resize(seen);
}

/// `body` in each of `turns`, with what it carries; hands on what it returns.
void KernelWriter::loopCarrying(int64_t turns, const Int &start,
                                const std::function<Int(const Int &)> &body) {
  std::string head = label(), after = label(), type = start.type.text();
  Int counter{fresh(), {32, false}, 0, turns};
  Int carried = start, zero = constant({32, false}, 0);
  carried.name = fresh();
  carried.lo = -(Wide(1) << (start.type.bits - 1));
  carried.hi = -carried.lo - 1;
  branch(head, zero.name + ", " + start.name + " : i32, " + type);
  line(head + "(" + counter.name + ": i32, " + carried.name + ": " + type +
       "):");
  Int following = body(carried), next = binary(Op::Add, counter, 1);
  branch(compare("slt", next, turns),
         head + "(" + next.name + ", " + following.name + " : i32, " + type +
             ")",
         after);
  line(after + ":");
}

/// A loop of no turn, or of three: the counter goes over the end of its type,
/// and meets a number that does not lie ahead. In eighths of all numbers:
///
///   0, 3, 6, 9 = 1      0, 2, 4, 6 = -2
void KernelWriter::loopPastEnd(const CountedBody &body) {
  note(Feature::LoopPastEnd);
  constexpr int64_t eighth = int64_t(1) << 29;
  IntType type{32, false};
  bool below = chance(50);
  Int odd = binary(Op::And, cast(chance(50) ? thread : slot, type, false), 1);
  Int last = binary(Op::Mul, odd, below ? -2 * eighth : eighth);
  Int by = constant(type, below ? 2 * eighth : 3 * eighth),
      zero = constant(type, 0);
  std::string head = label(), inside = label(), after = label();
  Int counter{fresh(), type, -4 * eighth, 4 * eighth - 1},
      turn{fresh(), type, 0, 3};
  size_t seen = values.size();
  branch(head, zero.name + ", " + zero.name + " : i32, i32");
  line(head + "(" + counter.name + ": i32, " + turn.name + ": i32):");
  branch(compare("ne", counter, last), inside, after);
  line(inside + ":");
  body(within(turn, 3));
  Int next = binary(Op::Add, counter, by), following = binary(Op::Add, turn, 1);
  branch(head, next.name + ", " + following.name + " : i32, i32");
  line(after + ":");
  values.resize(seen);
}

/// A counter of 8 or 32 bits that goes on until it equals a number: over the
/// end of the type and on from below, where the steps do not divide the way.
void KernelWriter::loopWrapping(int64_t turns, const CountedBody &body) {
  if (turns >= 3 && chance(weightOf(Feature::LoopPastEnd)))
    return loopPastEnd(body);
  IntType type{chance(30) ? 8u : 32u, false};
  auto wrapped = [&](int64_t value) {
    return type.bits == 8 ? int64_t(int8_t(value)) : int64_t(int32_t(value));
  };
  // Steps of up to half of all numbers, so that few turns lead round.
  int64_t half = int64_t(1) << (type.bits - 1), first = draw(-100, 100),
          step = draw(half / 4, half - half / 64 - 1);
  if (turns == 3 && chance(40))
    step = half / 2;
  bool equal = turns <= 1 && chance(30);
  int64_t last = equal ? (turns ? first : wrapped(first + step))
                       : wrapped(first + turns * step);
  std::string head = label(), inside = label(), after = label(),
              name = type.text();
  Int from = constant(type, first), by = constant(type, wrapped(step)),
      zero = constant({32, false}, 0);
  Int counter{fresh(), type, -half, half - 1},
      turn{fresh(), {32, false}, 0, turns};
  size_t seen = values.size();
  branch(head, from.name + ", " + zero.name + " : " + name + ", i32");
  line(head + "(" + counter.name + ": " + name + ", " + turn.name + ": i32):");
  branch(compare(equal ? "eq" : "ne", counter, last), inside, after);
  line(inside + ":");
  body(within(turn, std::max<int64_t>(turns, 1)));
  Int next = binary(Op::Add, counter, by), following = binary(Op::Add, turn, 1);
  branch(head, next.name + ", " + following.name + " : " + name + ", i32");
  line(after + ":");
  values.resize(seen);
}

} // namespace swizzle::fuzz
