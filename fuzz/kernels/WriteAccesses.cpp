//===- WriteAccesses.cpp - Loads, stores, copies --------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Statements that touch memory without atomics. Each keeps to the workgroup's
// own slot, or, once in a kernel at most, does not.
//
//===----------------------------------------------------------------------===//

#include "Writer.h"

#include <algorithm>

namespace swizzle::fuzz {

static std::string number(int64_t value) { return std::to_string(value); }

/// A value to store.
std::string KernelWriter::data(Element element) {
  Int from = values[draw(0, values.size() - 1)];
  if (!element.isFloat)
    return cast(from, {element.bits, false}, true).name;
  Int whole = cast(from, {32, false}, true);
  return define((high() ? "arith.sitofp " : "llvm.sitofp ") + whole.name +
                " : i32 to " + element.text());
}

std::string KernelWriter::dataVector(Element element, int64_t width) {
  std::string scalar = data(element),
              type = "vector<" + number(width) + "x" + element.text() + ">";
  if (high())
    return define("vector.broadcast " + scalar + " : " + element.text() +
                  " to " + type);
  std::string vector = define("llvm.mlir.poison : " + type);
  for (int64_t i = 0; i < width; ++i)
    vector = define("llvm.insertelement " + scalar + ", " + vector + "[" +
                    constant({32, false}, i).name + " : i32] : " + type);
  return vector;
}

/// Makes something of a value that was loaded, so that nobody may leave the
/// load out: private memory, and one of the values at times.
void KernelWriter::remember(const std::string &name, const std::string &type,
                            Element element) {
  if (element.text() == type && !element.isFloat &&
      use(Feature::DataDependent)) {
    Wide half = Wide(1) << (element.bits - 1);
    values.push_back({name, {element.bits, false}, -half, half - 1});
  }
  if (high()) {
    std::string memory = "memref<" + type + ">";
    line("memref.store " + name + ", " + define("memref.alloca() : " + memory) +
         "[] : " + memory);
    return;
  }
  std::string memory = isRocdl ? "!llvm.ptr<5>" : "!llvm.ptr";
  Int one = constant({64, false}, 1);
  line("llvm.store " + name + ", " +
       define("llvm.alloca " + one.name + " x " + type + " : (i64) -> " +
              memory) +
       " : " + type + ", " + memory);
}

int64_t KernelWriter::anyWidth(const Buffer &buffer) {
  int64_t width = chance(30) ? int64_t(2) << draw(0, 1) : 1;
  return buffer.size >= width ? width : 1;
}

/// A place within a slot, with room for `width` elements.
Int KernelWriter::anyOffset(const Buffer &buffer, int64_t width) {
  int64_t limit = buffer.size - width + 1;
  if (chance(20))
    return constant(indexType(), draw(0, limit - 1));
  Int from = values[draw(0, values.size() - 1)];
  return within(below(same(from), limit), limit);
}

/// A number that only memory knows.
Int KernelWriter::loadedValue() {
  Element element{32, false};
  Buffer &from =
      addBuffer(Role::Input, element, 1, threads, Feature::BufferFlat);
  Place at = place(from, constant(indexType(), 0),
                   within(below(thread, threads), threads), 1);
  Wide half = Wide(1) << 31;
  return {define((high() ? "memref.load " : "llvm.load ") + at.text() + " : " +
                 at.type + (high() ? "" : " -> i32")),
          {32, false},
          -half,
          half - 1};
}

/// A mask of `width` lanes: one truth for all of them, or another for each.
std::string KernelWriter::anyMask(int64_t width) {
  std::string type = "vector<" + number(width) + "xi1>";
  Int from = chance(50) ? loadedValue() : values[draw(0, values.size() - 1)];
  auto lane = [&] {
    return compare(chance(50) ? "slt" : "ne", from, draw(0, threads)).name;
  };
  if (high()) {
    std::string lanes = lane();
    bool same = chance(50);
    for (int64_t i = 1; i < width && !same; ++i)
      lanes += ", " + lane();
    return define((same ? "vector.broadcast " : "vector.from_elements ") +
                  lanes + " : " + (same ? "i1 to " : "") + type);
  }
  std::string vector = define("llvm.mlir.poison : " + type);
  for (int64_t i = 0; i < width; ++i)
    vector = define("llvm.insertelement " + lane() + ", " + vector + "[" +
                    constant({32, false}, i).name + " : i32] : " + type);
  return vector;
}

/// Stores `width` elements, some of them at times.
void KernelWriter::store(const Buffer &buffer, const Int &slot,
                         const Int &offset, int64_t width) {
  std::string element = buffer.element.text(),
              vector = "vector<" + number(width) + "x" + element + ">";
  if (buffer.interleaved)
    width = 1;
  if (width == 1 && isRocdl && buffer.element.bits == 32 &&
      use(Feature::AddressResource)) {
    std::string value = data(buffer.element);
    line("rocdl.raw.ptr.buffer.store " + value + ", " +
         resource(buffer, slot, offset));
    return;
  }
  Place at = place(buffer, slot, offset, width);
  if (width == 1) {
    line((high() ? "memref.store " : "llvm.store ") + data(buffer.element) +
         ", " + at.text() + " : " + (high() ? "" : element + ", ") + at.type);
    return;
  }
  Feature way = oneOf({Feature::VectorAccess, Feature::MaskedAccess,
                       Feature::GatherAccess, Feature::TransferAccess});
  std::string value = dataVector(buffer.element, width);
  std::string mask = number(width) + "xi1>";
  if (!high()) {
    if (way != Feature::MaskedAccess) {
      line("llvm.store " + value + ", " + at.memory +
           " {alignment = 1 : i64} : " + vector + ", " + at.type);
      return;
    }
    std::string which =
        chance(40) ? anyMask(width)
                   : define("llvm.mlir.constant(dense<[true" +
                            std::string(width == 2 ? ", false"
                                                   : ", false, true, false") +
                            "]> : vector<" + mask + ") : vector<" + mask);
    if (use(Feature::CompressAccess)) {
      line("\"llvm.intr.masked.compressstore\"(" + value + ", " + at.memory +
           ", " + which + ") : (" + vector + ", " + at.type + ", vector<" +
           mask + ") -> ()");
      return;
    }
    line("llvm.intr.masked.store " + value + ", " + at.memory + ", " + which +
         " {alignment = 1 : i32} : " + vector + ", vector<" + mask + " into " +
         at.type);
    return;
  }
  switch (way) {
  case Feature::MaskedAccess: {
    Int lanes = asIndex(constant(indexType(), draw(0, width)));
    std::string which =
        chance(40)
            ? anyMask(width)
            : define("vector.create_mask " + lanes.name + " : vector<" + mask);
    if (use(Feature::CompressAccess)) {
      line("vector.compressstore " + at.text() + ", " + which + ", " + value +
           " : " + at.type + ", vector<" + mask + ", " + vector);
      return;
    }
    line("vector.maskedstore " + at.text() + ", " + which + ", " + value +
         " : " + at.type + ", vector<" + mask + ", " + vector);
    return;
  }
  case Feature::GatherAccess: {
    std::string indices = width == 2 ? "[0, 1]" : "[2, 0, 3, 1]",
                type = "vector<" + number(width) + "xi32>";
    std::string lanes =
        define("arith.constant dense<" + indices + "> : " + type);
    std::string which =
        define("vector.constant_mask [" + number(width) + "] : vector<" + mask);
    line("vector.scatter " + at.memory + at.indices + " [" + lanes + "], " +
         which + ", " + value + " : " + at.type + ", " + type + ", vector<" +
         mask + ", " + vector);
    return;
  }
  case Feature::TransferAccess:
    line("vector.transfer_write " + value + ", " + at.text() +
         " {in_bounds = [true]} : " + vector + ", " + at.type);
    return;
  default:
    line("vector.store " + value + ", " + at.text() + " : " + at.type + ", " +
         vector);
  }
}

void KernelWriter::load(const Buffer &buffer, const Int &slot,
                        const Int &offset, int64_t width) {
  std::string element = buffer.element.text(),
              vector = "vector<" + number(width) + "x" + element + ">";
  if (buffer.interleaved)
    width = 1;
  if (width == 1 && isRocdl && buffer.element.bits == 32 &&
      use(Feature::AddressResource)) {
    remember(
        define("rocdl.raw.ptr.buffer.load " + resource(buffer, slot, offset)),
        element, buffer.element);
    return;
  }
  Place at = place(buffer, slot, offset, width);
  if (width == 1) {
    remember(define((high() ? "memref.load " : "llvm.load ") + at.text() +
                    " : " + at.type + (high() ? "" : " -> " + element)),
             element, buffer.element);
    return;
  }
  if (!high()) {
    remember(define("llvm.load " + at.memory +
                    " {alignment = 1 : i64} : " + at.type + " -> " + vector),
             vector, buffer.element);
    return;
  }
  std::string loaded, mask = "vector<" + number(width) + "xi1>";
  switch (oneOf({Feature::VectorAccess, Feature::MaskedAccess,
                 Feature::GatherAccess, Feature::TransferAccess})) {
  case Feature::MaskedAccess: {
    std::string which =
        chance(40) ? anyMask(width)
                   : define("vector.create_mask " +
                            asIndex(below(thread, width)).name + " : " + mask);
    std::string rest = dataVector(buffer.element, width);
    loaded = define("vector.maskedload " + at.text() + ", " + which + ", " +
                    rest + " : " + at.type + ", " + mask + ", " + vector +
                    " into " + vector);
    break;
  }
  case Feature::GatherAccess: {
    std::string indices = width == 2 ? "[1, 0]" : "[3, 0, 0, 1]",
                type = "vector<" + number(width) + "xi32>";
    std::string lanes =
        define("arith.constant dense<" + indices + "> : " + type);
    std::string which =
        define("vector.constant_mask [" + number(width) + "] : " + mask);
    std::string rest = dataVector(buffer.element, width);
    loaded = define("vector.gather " + at.memory + at.indices + " [" + lanes +
                    "], " + which + ", " + rest + " : " + at.type + ", " +
                    type + ", " + mask + ", " + vector + " into " + vector);
    break;
  }
  case Feature::TransferAccess: {
    std::string padding = data(buffer.element);
    loaded = define("vector.transfer_read " + at.text() + ", " + padding +
                    " {in_bounds = [true]} : " + at.type + ", " + vector);
    break;
  }
  default:
    loaded =
        define("vector.load " + at.text() + " : " + at.type + ", " + vector);
  }
  remember(loaded, vector, buffer.element);
}

/// Reaches what belongs to another workgroup.
void KernelWriter::storeMistaken(Buffer &buffer) {
  auto byIndex = [&](const Int &at) {
    Place to = placeAt(buffer, at);
    line((high() ? "memref.store " : "llvm.store ") + data(buffer.element) +
         ", " + to.text() + " : " +
         (high() ? "" : buffer.element.text() + ", ") + to.type);
  };
  switch (draw(0, 11)) {
  case 11:
    return storeMistakenLane();
  case 10:
    return storeMistakenFarRow();
  case 9:
    return storeMistakenPair();
  case 8:
    return storeMistakenRows();
  case 7: {
    if (high() || buffer.element.bits < 16 || buffer.interleaved)
      return storeMistaken(buffer);
    // A part of an element further, so that the last one reaches beyond.
    note(Feature::MistakeUnaligned);
    Int at =
        binary(Op::Add,
               binary(Op::Mul,
                      asIndex(elementIndex(buffer, slot, anyOffset(buffer, 1))),
                      buffer.element.bytes()),
               draw(1, buffer.element.bytes() - 1));
    line("llvm.store " + data(buffer.element) + ", " +
         pointerTo(nameOf(buffer), at, "i8") +
         " {alignment = 1 : i64} : " + buffer.element.text() + ", " + pointer);
    store(buffer, slot, anyOffset(buffer, 1), 1);
    return;
  }
  case 0: {
    note(Feature::MistakeOffset);
    int64_t by = draw(1, buffer.size);
    if (buffer.interleaved) {
      // The next slot lies one element on.
      store(buffer, within(binary(Op::Add, slot, 1), buffer.slots),
            anyOffset(buffer, 1), 1);
      store(buffer, slot, anyOffset(buffer, 1), 1);
      return;
    }
    byIndex(elementIndex(buffer, slot,
                         binary(Op::Add, asIndex(anyOffset(buffer, 1)), by)));
    byIndex(elementIndex(buffer, slot, anyOffset(buffer, 1)));
    return;
  }
  case 1: {
    note(Feature::MistakeNeighbour);
    Int other = binary(Op::Add, asIndex(slot), draw(1, 2));
    load(buffer, within(below(other, buffer.slots), buffer.slots),
         anyOffset(buffer, 1), 1);
    store(buffer, slot, anyOffset(buffer, 1), 1);
    return;
  }
  case 2: {
    note(Feature::MistakeTooLong);
    int64_t length = buffer.size + 1;
    loop(length, [&](Int turn) {
      if (!buffer.interleaved)
        byIndex(elementIndex(buffer, slot, turn));
      else
        byIndex(binary(Op::Add, asIndex(turn), asIndex(slot)));
    });
    return;
  }
  default:
    int64_t width = buffer.interleaved ? 1 : anyWidth(buffer);
    store(buffer, spoiled(slot, slots), anyOffset(buffer, width), width);
  }
}

void KernelWriter::storeOwn() {
  Buffer &to = buffer(Role::Output);
  if (mistakeNow())
    return storeMistaken(to);
  if (chance(40)) {
    loop(draw(1, to.size), [&](Int turn) {
      store(to, slot, within(below(turn, to.size), to.size), 1);
    });
    return;
  }
  int64_t width = to.interleaved ? 1 : anyWidth(to);
  store(to, slot, anyOffset(to, width), width);
}

void KernelWriter::loadOwn() {
  Buffer &from = buffer(Role::Output);
  int64_t width = from.interleaved ? 1 : anyWidth(from);
  load(from, slot, anyOffset(from, width), width);
}

void KernelWriter::loadInput() {
  Buffer &from = buffer(Role::Input);
  int64_t width = anyWidth(from);
  Int any = values[draw(0, values.size() - 1)];
  load(from, within(below(same(any), from.slots), from.slots),
       anyOffset(from, width), width);
}

/// One workgroup writes where all might.
void KernelWriter::storeOnce() {
  Buffer &to = buffer(Role::Once);
  Int condition =
      mistakeNow() ? (note(Feature::MistakeCondition), several()) : onlyOne();
  // The next one would have to be written by the same workgroup.
  to.role = Role::Closed;
  ifThen(condition, [&] {
    if (chance(70))
      store(to, constant(indexType(), draw(0, to.slots - 1)), anyOffset(to, 1),
            1);
    else
      store(to, within(below(thread, to.slots), to.slots), anyOffset(to, 1), 1);
  });
}

/// What a loop carries is another memref at each turn.
void KernelWriter::storeCarriedMemref(Buffer &buffer, bool mistake) {
  Place all = flat(buffer);
  std::string type = all.type;
  auto priv = [&] {
    if (buffer.layout == Feature::BufferOpen) {
      Int count = constant(indexType(), buffer.count());
      std::string closed = "memref<" + number(buffer.count()) + "x" +
                           buffer.element.text() + ">";
      return define("memref.cast " + define("memref.alloca() : " + closed) +
                    " : " + closed + " to " + type);
    }
    return define("memref.alloca() : " + type);
  };
  std::string first = chance(60) ? priv() : all.memory,
              second = chance(80) ? all.memory : priv();
  Int zero = constant(indexType(), 0), end = constant(indexType(), draw(1, 4)),
      step = constant(indexType(), 1);
  std::string result = fresh(), counter = fresh(), carried = fresh();
  line(result + " = scf.for " + counter + " = " + zero.name + " to " +
       end.name + " step " + step.name + " iter_args(" + carried + " = " +
       first + ") -> (" + type + ") {");
  Int at =
      mistake ? elementIndex(buffer, spoiled(slot, slots), anyOffset(buffer, 1))
              : elementIndex(buffer, slot, anyOffset(buffer, 1));
  line("memref.store " + data(buffer.element) + ", " + carried + "[" +
       asIndex(at).name + "] : " + type);
  line("scf.yield " + (chance(80) ? second : carried) + " : " + type + "\n}");
}

/// A pointer that moves on at each turn.
void KernelWriter::storeCarriedPointer(const Buffer &buffer, bool mistake) {
  std::string element = buffer.element.text(), start;
  int64_t turns = draw(1, buffer.size), by = 1;
  Int first = binary(Op::Mul, asIndex(same(slot)),
                     buffer.interleaved ? 1 : buffer.size);
  if (buffer.interleaved)
    by = buffer.slots;
  if (mistake) {
    // Over the end of the slot, or into one that is another's.
    if (chance(50) && !buffer.interleaved)
      turns = buffer.size + 1;
    else
      first = binary(Op::Mul, asIndex(spoiled(slot, slots)),
                     buffer.interleaved ? 1 : buffer.size);
  }
  start = pointerTo(nameOf(buffer), first, element);
  std::string head = label(), after = label(), carried = fresh();
  Int counter{fresh(), {32, false}, 0, turns};
  Int zero = constant({32, false}, 0);
  branch(head, zero.name + ", " + start + " : i32, " + pointer);
  line(head + "(" + counter.name + ": i32, " + carried + ": " + pointer + "):");
  line("llvm.store " + data(buffer.element) + ", " + carried + " : " + element +
       ", " + pointer);
  Int next = binary(Op::Add, counter, 1);
  std::string moved =
      pointerTo(carried, constant(indexType(), by), element, false);
  Int goesOn = compare("slt", next, turns);
  branch(goesOn,
         head + "(" + next.name + ", " + moved + " : i32, " + pointer + ")",
         after);
  line(after + ":");
}

void KernelWriter::storeCarried() {
  Buffer &to = buffer(Role::Output);
  bool mistake = mistakeNow();
  if (mistake)
    note(Feature::MistakeCarried);
  if (high())
    storeCarriedMemref(to, mistake);
  else
    storeCarriedPointer(to, mistake);
}

/// A matrix that a loop turns over each time: only its diagonal stays.
void KernelWriter::storeTransposed() {
  int64_t side = std::max<int64_t>(slots, 4);
  Buffer &to =
      addBuffer(Role::Closed, {32, true}, side, side, Feature::BufferRows);
  to.role = Role::Closed;
  std::string turned =
      "memref<" + number(side) + "x" + number(side) + "xf32, strided<[?, ?]>>";
  std::string view = define("memref.cast " + nameOf(to) + " : " +
                            memrefType(to) + " to " + turned);
  Int zero = constant(indexType(), 0), end = constant(indexType(), draw(1, 3)),
      step = constant(indexType(), 1);
  bool mistake = mistakeNow();
  if (mistake)
    note(Feature::MistakeCarried);
  Int column = mistake ? within(below(thread, side), side) : slot;
  std::string result = fresh(), counter = fresh(), carried = fresh();
  line(result + " = scf.for " + counter + " = " + zero.name + " to " +
       end.name + " step " + step.name + " iter_args(" + carried + " = " +
       view + ") -> (" + turned + ") {");
  line("memref.store " + data(to.element) + ", " + carried + "[" +
       asIndex(slot).name + ", " + asIndex(column).name + "] : " + turned);
  std::string next = define("memref.transpose " + carried +
                            " (i, j) -> (j, i) : " + turned + " to " + turned);
  line("scf.yield " + next + " : " + turned + "\n}");
}

} // namespace swizzle::fuzz
