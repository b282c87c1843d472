//===- WriteAtomics.cpp - Updates that commute, and those that do not -----===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All workgroups update the same counters, by one operation a counter. What
// does not commute keeps to the workgroup's own slot.
//
//===----------------------------------------------------------------------===//

#include "Writer.h"

namespace swizzle::fuzz {

/// An operation on `element` that commutes with itself.
std::string KernelWriter::drawUpdate(Element element) {
  auto any = [&](std::initializer_list<const char *> names) {
    return std::string(*(names.begin() + draw(0, names.size() - 1)));
  };
  if (element.isFloat)
    switch (oneOf({Feature::AtomicFloat, Feature::AtomicMinMaxFloat})) {
    case Feature::AtomicFloat:
      return high() ? "addf" : "fadd";
    default:
      return high() ? any({"maximumf", "minimumf"}) : any({"fmax", "fmin"});
    }
  switch (oneOf({Feature::AtomicAdd, Feature::AtomicBits, Feature::AtomicMinMax,
                 Feature::AtomicRegion})) {
  case Feature::AtomicAdd:
    return high() ? "addi" : any({"add", "sub"});
  case Feature::AtomicBits:
    return high() ? any({"andi", "ori"}) : any({"_and", "_or", "_xor"});
  case Feature::AtomicRegion:
    return high() ? "region" : "_or";
  default:
    return high() ? any({"maxs", "maxu", "mins", "minu"})
                  : any({"max", "umax", "min", "umin"});
  }
}

/// Writes one update; the name of the old value.
std::string KernelWriter::update(const std::string &operation,
                                 const Place &place, Element element) {
  std::string value = data(element), type = element.text();
  if (operation == "region") {
    std::string result = fresh(), old = fresh();
    line(result + " = memref.generic_atomic_rmw " + place.text() + " : " +
         place.type + " {\n^bb0(" + old + ": " + type + "):");
    std::string sum = define("arith.addi " + old + ", " + value + " : " + type);
    line("memref.atomic_yield " + sum + " : " + type + "\n}");
    return result;
  }
  if (high())
    return define("memref.atomic_rmw " + operation + " " + value + ", " +
                  place.text() + " : (" + type + ", " + place.type + ") -> " +
                  type);
  static const char *orders[] = {"monotonic", "acq_rel", "seq_cst"};
  std::string scope;
  if (use(Feature::AtomicNarrowScope))
    scope = "syncscope(\"workgroup\") ";
  else if (chance(30))
    scope = "syncscope(\"agent\") ";
  return define("llvm.atomicrmw " + operation + " " + place.memory + ", " +
                value + " " + scope + orders[draw(0, 2)] + " : " + place.type +
                ", " + type);
}

void KernelWriter::compareExchange(const Place &place, Element element) {
  std::string expected = data(element), value = data(element),
              type = element.text();
  std::string pair =
      define("llvm.cmpxchg " + place.memory + ", " + expected + ", " + value +
             " acq_rel monotonic : " + place.type + ", " + type);
  if (chance(50))
    useResult(define("llvm.extractvalue " + pair + "[0] : !llvm.struct<(" +
                     type + ", i1)>"),
              element);
}

/// An update that does not commute, of what is the workgroup's own.
void KernelWriter::exchangeOwn() {
  Buffer &to = buffer(Role::Output);
  if (to.element.bits < 32)
    return storeOwn();
  Place at = place(to, slot, anyOffset(to, 1), 1);
  if (!high() && !to.element.isFloat && use(Feature::AtomicCompareExchange))
    return compareExchange(at, to.element);
  note(Feature::AtomicExchange);
  std::string old = update(high() ? "assign" : "xchg", at, to.element);
  if (chance(50))
    useResult(old, to.element);
}

/// Stores `name` where it makes a difference.
void KernelWriter::useResult(const std::string &name, Element element) {
  Buffer &to =
      addBuffer(Role::Closed, element, slots + 1, 1, Feature::BufferFlat);
  Place at = place(to, slot, constant(indexType(), 0), 1);
  line((high() ? "memref.store " : "llvm.store ") + name + ", " + at.text() +
       " : " + (high() ? "" : element.text() + ", ") + at.type);
}

/// Two accesses of one counter that do not commute.
void KernelWriter::spoilUpdate(Buffer &buffer) {
  Element element = buffer.element;
  Int first = constant(indexType(), 0);
  auto at = [&] { return place(buffer, first, first, 1); };
  switch (oneOf({Feature::MistakeAtomicKinds, Feature::MistakeAtomicWidths,
                 Feature::MistakeAtomicAndPlain, Feature::MistakeAtomicExchange,
                 Feature::MistakeAtomicResult})) {
  case Feature::MistakeAtomicKinds: {
    std::string other = drawUpdate(element);
    update(buffer.update, at(), element);
    update(other, at(), element);
    return;
  }
  case Feature::MistakeAtomicWidths: {
    Element narrow{32, false}, wide{64, false};
    Buffer &bytes = addBuffer(Role::Closed, wide, 2, 2, Feature::BufferBytes);
    auto as = [&](Element element) {
      if (!high())
        return Place{nameOf(bytes), pointer, ""};
      std::string type = "memref<2x" + element.text() + ">";
      return Place{define("memref.view " + nameOf(bytes) + "[" + first.name +
                          "][] : " + memrefType(bytes) + " to " + type),
                   type, "[" + first.name + "]"};
    };
    std::string operation = high() ? "addi" : "add";
    ifThen(
        several(), [&] { update(operation, as(narrow), narrow); },
        [&] { update(operation, as(wide), wide); });
    return;
  }
  case Feature::MistakeAtomicExchange:
    // Of the last one, or of the first.
    if (!high() && !element.isFloat && chance(50))
      return compareExchange(at(), element);
    update(high() ? "assign" : "xchg", at(), element);
    return;
  case Feature::MistakeAtomicAndPlain:
    update(buffer.update, at(), element);
    if (chance(50))
      load(buffer, first, first, 1);
    else
      store(buffer, first, first, 1);
    return;
  default:
    useResult(update(buffer.update, at(), element), element);
  }
}

void KernelWriter::updateCounter() {
  if (chance(15))
    return exchangeOwn();
  Buffer &counter = buffer(Role::Counter);
  if (counter.update.empty())
    counter.update = drawUpdate(counter.element);
  if (mistakeNow())
    return spoilUpdate(counter);
  Int any = values[draw(0, values.size() - 1)];
  Place at =
      place(counter, within(below(same(any), counter.slots), counter.slots),
            anyOffset(counter, 1), 1);
  std::string old = update(counter.update, at, counter.element);
  // A result that comes to nothing is not used.
  if (chance(10) && !counter.element.isFloat)
    binary(Op::And, Int{old, {counter.element.bits, false}, 0, 0}, 0);
}

} // namespace swizzle::fuzz
