//===- WriteControl.cpp - Loops, branches and calls -----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every loop makes a number of turns that is known here, and hands its body the
// number of the turn, whatever its bounds and steps. Blocks are written where
// no region lies around: `scf` bodies have one block.
//
//===----------------------------------------------------------------------===//

#include "Writer.h"

#include <algorithm>

namespace swizzle::fuzz {

void KernelWriter::inRegion(const Body &body) {
  size_t seen = values.size();
  ++regions;
  body();
  --regions;
  values.resize(seen);
}

void KernelWriter::branch(const std::string &to, const std::string &operands) {
  line((high() ? "cf.br " : "llvm.br ") + to +
       (operands.empty() ? "" : "(" + operands + ")"));
}

void KernelWriter::branch(const Int &condition, const std::string &yes,
                          const std::string &no) {
  line((high() ? "cf.cond_br " : "llvm.cond_br ") + condition.name + ", " +
       yes + ", " + no);
}

void KernelWriter::ifThen(const Int &condition, const Body &yes,
                          const Body &no) {
  ++conditional;
  if (high() && (!blocksAllowed() || chance(60))) {
    line("scf.if " + condition.name + " {");
    inRegion(yes);
    if (no) {
      line("} else {");
      inRegion(no);
    }
    line("}");
  } else {
    size_t seen = values.size();
    std::string then = label(), otherwise = label(), after = label();
    branch(condition, then, no ? otherwise : after);
    line(then + ":");
    yes();
    values.resize(seen);
    branch(after);
    if (no) {
      line(otherwise + ":");
      no();
      values.resize(seen);
      branch(after);
    }
    line(after + ":");
  }
  --conditional;
}

/// `scf.for`, signed or unsigned.
void KernelWriter::loopFor(Feature kind, int64_t turns,
                           const CountedBody &body) {
  IntType type = indexType();
  Wide low = draw(0, 3), step = draw(1, 3), high = 0;
  if (kind == Feature::LoopUnsignedHigh) {
    // From below the sign bit to above it.
    static const unsigned widths[] = {8, 16, 32, 64};
    type = {widths[draw(0, 3)], false};
    Wide quarter = Wide(1) << (type.bits - 2);
    low = quarter;
    step = 2 * quarter / (turns ? turns : 1);
    high = low + turns * step - (Wide(1) << type.bits);
    if (!turns)
      high = low;
  } else {
    if (chance(40))
      type = {chance(50) ? 32u : 16u, false};
    if (kind == Feature::LoopSigned && chance(20))
      low -= 5;
    high = low + turns * step;
    if (turns)
      high -= draw(0, int64_t(step) - 1);
  }
  Int from = constant(type, low), to = constant(type, high),
      by = constant(type, step);
  Int counter{fresh(), type, low, high};
  bool isUnsigned = kind != Feature::LoopSigned;
  if (kind == Feature::LoopUnsignedHigh) {
    counter.lo = -(Wide(1) << (type.bits - 1));
    counter.hi = -counter.lo - 1;
  }
  line(std::string("scf.for ") + (isUnsigned ? "unsigned " : "") +
       counter.name + " = " + from.name + " to " + to.name + " step " +
       by.name + (type.index ? "" : " : " + type.text()) + " {");
  inRegion([&] {
    Int turn = counter;
    if (low != 0)
      turn = binary(Op::Sub, turn, from);
    if (step != 1)
      turn = binary(Op::UDiv, turn, by);
    body(within(turn, std::max<int64_t>(turns, 1)));
  });
  line("}");
}

void KernelWriter::loopParallel(int64_t turns, bool inReduction,
                                const CountedBody &body) {
  Int zero = constant(indexType(), 0), end = constant(indexType(), turns),
      step = constant(indexType(), 1);
  Int counter{fresh(), indexType(), 0, std::max<int64_t>(turns - 1, 0)};
  std::string loop = "scf.parallel (" + counter.name + ") = (" + zero.name +
                     ") to (" + end.name + ") step (" + step.name + ")";
  if (!inReduction) {
    line(loop + " {");
    inRegion([&] { body(counter); });
    line("scf.reduce\n}");
    return;
  }
  Int start = constant({32, false}, 1);
  std::string result = fresh(), left = fresh(), right = fresh();
  line(result + " = " + loop + " init (" + start.name + ") -> i32 {");
  inRegion([&] {
    line("scf.reduce(" + start.name + " : i32) {\n^bb0(" + left + ": i32, " +
         right + ": i32):");
    inRegion([&] { body(counter); });
    line("scf.reduce.return " + left + " : i32\n}");
  });
  line("}");
}

void KernelWriter::loopWhile(int64_t turns, const CountedBody &body) {
  IntType type = anyType(0, 40);
  Int zero = constant(type, 0), end = constant(type, turns),
      step = constant(type, 1);
  std::string result = fresh(), before = fresh(), name = type.text();
  Int counter{fresh(), type, 0, std::max<int64_t>(turns - 1, 0)};
  line(result + " = scf.while (" + before + " = " + zero.name + ") : (" + name +
       ") -> " + name + " {");
  Int goesOn =
      compare(chance(50) ? "slt" : "ne", Int{before, type, 0, turns}, end);
  line("scf.condition(" + goesOn.name + ") " + before + " : " + name +
       "\n} do {\n^bb0(" + counter.name + ": " + name + "):");
  inRegion([&] { body(counter); });
  std::string next =
      define("arith.addi " + counter.name + ", " + step.name + " : " + name);
  line("scf.yield " + next + " : " + name + "\n}");
}

void KernelWriter::loop(int64_t turns, const CountedBody &body) {
  auto counted = [&](Int turn) {
    size_t seen = values.size();
    values.push_back(turn);
    body(turn);
    values.resize(seen);
  };
  ++conditional;
  if (!high() || (blocksAllowed() && chance(30)))
    switch (Feature kind = oneOf({Feature::LoopBlocks, Feature::LoopRotated,
                                  Feature::LoopDown, Feature::LoopWrapping,
                                  Feature::LoopBreak, Feature::LoopUntested,
                                  Feature::LoopTwoEntries})) {
    case Feature::LoopWrapping:
      loopWrapping(turns, counted);
      break;
    case Feature::LoopBreak:
    case Feature::LoopUntested:
    case Feature::LoopTwoEntries:
      loopExits(kind, turns, counted);
      break;
    default:
      loopBlocks(kind, turns, counted);
    }
  else
    switch (Feature kind =
                oneOf({Feature::LoopSigned, Feature::LoopUnsigned,
                       Feature::LoopUnsignedHigh, Feature::LoopWhile,
                       Feature::LoopParallel, Feature::LoopReduce})) {
    case Feature::LoopWhile:
      loopWhile(turns, counted);
      break;
    case Feature::LoopParallel:
    case Feature::LoopReduce:
      loopParallel(turns, kind == Feature::LoopReduce, counted);
      break;
    default:
      loopFor(kind, turns, counted);
    }
  --conditional;
}

/// `body` once for each case, with the value that leads to it.
void KernelWriter::switchOn(const Int &value, int64_t cases,
                            const CountedBody &body) {
  ++conditional;
  size_t seen = values.size();
  auto caseBody = [&](int64_t i) {
    body(constant(indexType(), i));
    values.resize(seen);
  };
  if (high() && !blocksAllowed()) {
    Int by = convert(value, indexType());
    line("scf.index_switch " + by.name);
    for (int64_t i = 0; i < cases; ++i) {
      line("case " + std::to_string(i) + " {");
      inRegion([&] { caseBody(i); });
      line("scf.yield\n}");
    }
    line("default {\n}");
  } else {
    Int by = convert(value, {32, false});
    std::string after = label(), targets;
    std::vector<std::string> blocks;
    for (int64_t i = 0; i < cases; ++i) {
      blocks.push_back(label());
      targets += (i ? ", " : "") + std::to_string(i) + ": " + blocks[i];
    }
    line(high() ? "cf.switch " + by.name + " : i32, [default: " + after + ", " +
                      targets + "]"
                : "llvm.switch " + by.name + " : i32, " + after + " [" +
                      targets + "]");
    for (int64_t i = 0; i < cases; ++i) {
      line(blocks[i] + ":");
      caseBody(i);
      branch(after);
    }
    line(after + ":");
  }
  --conditional;
}

/// Writes `body` into a function, and a call of it, through several others at
/// times.
void KernelWriter::call(const Body &body) {
  std::string text;
  std::string *outside = std::exchange(out, &text);
  Frame inner;
  inner.caller = std::exchange(frame, &inner);
  std::vector<Int> outerValues = std::exchange(values, {});
  Int outerGroup = group, outerThread = thread, outerSlot = slot;
  int outerRegions = std::exchange(regions, 0);
  auto pass = [&](Int &value) {
    std::string name = fresh(), type = value.type.text();
    inner.parameters +=
        (inner.parameters.empty() ? "" : ", ") + name + ": " + type;
    inner.operands += (inner.operands.empty() ? "" : ", ") + value.name;
    inner.types += (inner.types.empty() ? "" : ", ") + type;
    value.name = name;
  };
  ++conditional;
  if (!strided && use(Feature::CallReadsId)) {
    readIds();
  } else {
    pass(group);
    pass(thread);
    pass(slot);
    values = {group, thread, slot};
  }
  body();
  --conditional;
  out = outside;
  frame = inner.caller;
  values = std::move(outerValues);
  group = outerGroup;
  thread = outerThread;
  slot = outerSlot;
  regions = outerRegions;

  std::string callee = "@f" + std::to_string(++numFunctions);
  std::string begin = high() ? "func.func private " : "llvm.func internal ",
              end = high() ? "return\n}\n" : "llvm.return\n}\n",
              callOp = high() ? "func.call " : "llvm.call ";
  auto callText = [&](const std::string &name, const std::string &operands) {
    return callOp + name + "(" + operands + ") : (" + inner.types + ") -> ()\n";
  };
  functions += begin + callee + "(" + inner.parameters + ") {\n" + text + end;
  // The parameters' own names are what a function in between passes on.
  std::string names;
  for (size_t at = 0; at < inner.parameters.size();) {
    size_t colon = inner.parameters.find(": ", at);
    names +=
        (names.empty() ? "" : ", ") + inner.parameters.substr(at, colon - at);
    size_t next = inner.parameters.find(", %", colon);
    at = next == std::string::npos ? inner.parameters.size() : next + 2;
  }
  if (use(Feature::CallDeep))
    // Deeper than the analysis follows, at times.
    for (int64_t i = use(Feature::CallTooDeep) ? 260 : draw(2, 20); i; --i) {
      std::string outer = "@f" + std::to_string(++numFunctions);
      functions += begin + outer + "(" + inner.parameters + ") {\n" +
                   callText(callee, names) + end;
      callee = outer;
    }
  *out += callText(callee, inner.operands);
}

/// Statements within a loop, a branch or a function.
void KernelWriter::control(int depth) {
  auto inner = [=] { statements(depth + 1); };
  switch (draw(0, 6)) {
  case 0:
  case 1:
    loop(draw(0, 4), [=](Int) { inner(); });
    break;
  case 2:
    note(Feature::If);
    ifThen(chance(50) ? several() : compare("slt", thread, draw(0, threads)),
           inner);
    break;
  case 3:
    note(Feature::IfElse);
    ifThen(several(), inner, inner);
    break;
  case 4:
    note(Feature::Switch);
    switchOn(chance(50) ? thread : group, draw(1, 3), [=](Int) { inner(); });
    break;
  case 5:
    if (use(Feature::DeadCode) || chance(20)) {
      note(Feature::DeadCode);
      Int never = chance(50) ? compare("sge", group, groups)
                             : compare("slt", thread, 0);
      ifThen(sameCondition(never), inner);
      break;
    }
    [[fallthrough]];
  default:
    note(Feature::Call);
    call(inner);
  }
}

void KernelWriter::statements(int depth) {
  for (int64_t i = draw(1, depth || obscurity < 10 ? 2 : 4); i; --i)
    statement(depth);
}

void KernelWriter::statement(int depth) {
  if (depth < 3 && use(Feature::Control))
    return control(depth);
  bool everyThread = !conditional && !frame->caller && !regions;
  switch (oneOf({Feature::StoreOwn, Feature::LoadOwn, Feature::LoadInput,
                 Feature::StoreOnce, Feature::StoreCarried,
                 Feature::StoreTransposed, Feature::StoreIfWide,
                 Feature::StoreIfOneBit, Feature::Update, Feature::CopyOwn,
                 Feature::Exchange, Feature::AsyncCopy, Feature::Operation,
                 Feature::Derive})) {
  case Feature::LoadOwn:
    return loadOwn();
  case Feature::LoadInput:
    return loadInput();
  case Feature::StoreOnce:
    return storeOnce();
  case Feature::StoreCarried:
    return storeCarried();
  case Feature::StoreTransposed:
    return high() ? storeTransposed() : storeOwn();
  case Feature::StoreIfWide:
    return storeIfWide();
  case Feature::StoreIfOneBit:
    return storeIfOneBit();
  case Feature::Update:
    return updateCounter();
  case Feature::CopyOwn:
    return copyOwn();
  case Feature::Exchange:
    return everyThread ? exchange() : storeOwn();
  case Feature::Derive:
    derive();
    return mistakeLeft && chance(30) ? storeOwn() : storeDerived();
  case Feature::Operation:
    return operation(everyThread);
  case Feature::AsyncCopy:
    return high() && !frame->caller ? asyncCopy() : loadInput();
  default:
    return storeOwn();
  }
}

} // namespace swizzle::fuzz
