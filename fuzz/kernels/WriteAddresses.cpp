//===- WriteAddresses.cpp - Buffers, views and pointers -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One element of a buffer, reached in many ways: all of them come to
// `elementIndex`.
//
//===----------------------------------------------------------------------===//

#include "Writer.h"

#include <algorithm>

namespace swizzle::fuzz {

static std::string number(int64_t value) { return std::to_string(value); }

Buffer &KernelWriter::addBuffer(Role role, Element element, int64_t slots,
                                int64_t size, Feature layout) {
  Buffer buffer;
  buffer.number = buffers.size();
  buffer.role = role;
  buffer.element = element;
  buffer.slots = slots;
  buffer.size = size;
  buffer.layout = layout;
  if (!high() && layout != Feature::BufferGlobal)
    buffer.layout = Feature::BufferFlat;
  // Extents that are left open are bound to few elements.
  if (layout == Feature::BufferOpen && buffer.count() > 200)
    buffer.layout = Feature::BufferFlat;
  note(buffer.layout);
  std::string count = number(buffer.count()), type = element.text(),
              name = "@g" + number(buffer.number);
  if (buffer.layout == Feature::BufferGlobal)
    globals += high() ? "memref.global \"private\" " + name + " : memref<" +
                            count + "x" + type + "> = uninitialized\n"
                      : "llvm.mlir.global external " + name +
                            "() {addr_space = "
                            "1 : i32} : !llvm.array<" +
                            count + " x " + type + ">\n";
  buffers.push_back(buffer);
  return buffers.back();
}

/// One of the buffers that there are, or a new one.
Buffer &KernelWriter::buffer(Role role) {
  std::vector<Buffer *> fitting;
  for (Buffer &buffer : buffers)
    if (buffer.role == role)
      fitting.push_back(&buffer);
  if (!fitting.empty() && (chance(60) || buffers.size() > 5))
    return *fitting[draw(0, fitting.size() - 1)];
  static const Element elements[] = {{32, true},  {32, false}, {32, false},
                                     {64, false}, {16, false}, {8, false},
                                     {64, true},  {32, true}};
  Element element = elements[draw(0, std::size(elements) - 1)];
  if (role == Role::Counter && element.bits < 32 && chance(50))
    element = elements[0];
  Feature layout =
      oneOf({Feature::BufferFlat, Feature::BufferRows, Feature::BufferBytes,
             Feature::BufferOpen, Feature::BufferGlobal});
  // One slot more than there are, for those who reach too far.
  int64_t size = chance(30) ? threads : draw(1, 8);
  Buffer &added = addBuffer(role, element, slots + 1, size, layout);
  added.interleaved = role == Role::Output && use(Feature::Interleaved);
  return added;
}

std::string KernelWriter::memrefType(const Buffer &buffer) const {
  std::string element = "x" + buffer.element.text() + ">";
  switch (buffer.layout) {
  case Feature::BufferRows:
    return "memref<" + number(buffer.interleaved ? buffer.size : buffer.slots) +
           "x" + number(buffer.interleaved ? buffer.slots : buffer.size) +
           element;
  case Feature::BufferBytes:
    return "memref<" + number(buffer.count() * buffer.element.bytes()) + "xi8>";
  case Feature::BufferOpen:
    return "memref<?" + element;
  default:
    return "memref<" + number(buffer.count()) + element;
  }
}

std::string KernelWriter::nameOf(const Buffer &buffer) {
  if (buffer.layout == Feature::BufferGlobal) {
    std::string symbol = "@g" + number(buffer.number);
    if (high())
      return define("memref.get_global " + symbol + " : " + memrefType(buffer));
    std::string name =
        define("llvm.mlir.addressof " + symbol + " : !llvm.ptr<1>");
    return pointer == "!llvm.ptr<1>" ? name
                                     : define("llvm.addrspacecast " + name +
                                              " : !llvm.ptr<1> to " + pointer);
  }
  if (!frame->caller)
    return "%a" + number(buffer.number);
  frame->buffers.resize(
      std::max<size_t>(frame->buffers.size(), buffers.size()));
  std::string &name = frame->buffers[buffer.number];
  if (!name.empty())
    return name;
  name = fresh();
  std::string type = high() ? memrefType(buffer) : pointer;
  Frame *inner = std::exchange(frame, frame->caller);
  std::string outer = nameOf(buffer);
  frame = inner;
  auto append = [](std::string &list, const std::string &item) {
    list += (list.empty() ? "" : ", ") + item;
  };
  append(inner->parameters, name + ": " + type);
  append(inner->operands, outer);
  append(inner->types, type);
  return name;
}

/// Where the element lies, counted from the start of the buffer.
Int KernelWriter::elementIndex(const Buffer &buffer, const Int &slot,
                               const Int &offset) {
  IntType type = anyType(0, 2 * buffer.count() + 64);
  const Int &major = buffer.interleaved ? offset : slot,
            &minor = buffer.interleaved ? slot : offset;
  Int scaled = binary(Op::Mul, same(convert(major, type)),
                      buffer.interleaved ? buffer.slots : buffer.size);
  Int at = convert(minor, type);
  return same(chance(50) ? binary(Op::Add, scaled, at)
                         : binary(Op::Add, at, scaled));
}

/// The whole buffer as one row of its elements.
Place KernelWriter::flat(const Buffer &buffer) {
  std::string name = nameOf(buffer), type = memrefType(buffer),
              row = "memref<" + number(buffer.count()) + "x" +
                    buffer.element.text() + ">";
  if (buffer.layout == Feature::BufferRows)
    return {define("memref.collapse_shape " + name + " [[0, 1]] : " + type +
                   " into " + row),
            row, ""};
  if (buffer.layout == Feature::BufferBytes) {
    Int zero = constant(indexType(), 0);
    return {define("memref.view " + name + "[" + zero.name + "][] : " + type +
                   " to " + row),
            row, ""};
  }
  return {name, type, ""};
}

/// The buffer as a matrix of slots and offsets, maybe transposed.
Place KernelWriter::matrix(const Buffer &buffer, const Int &slot,
                           const Int &offset, bool transposed) {
  Place row = flat(buffer);
  std::string element = "x" + buffer.element.text();
  int64_t rows = buffer.interleaved ? buffer.size : buffer.slots,
          columns = buffer.interleaved ? buffer.slots : buffer.size;
  std::string first = asIndex(buffer.interleaved ? offset : slot).name,
              second = asIndex(buffer.interleaved ? slot : offset).name;
  auto extents = [&](int64_t a, int64_t b) {
    return "memref<" + number(a) + "x" + number(b) + element;
  };
  std::string type =
      extents(rows, columns) + ", strided<[" + number(columns) + ", 1]>>";
  std::string view = define(
      "memref.reinterpret_cast " + row.memory + " to offset: [0], sizes: [" +
      number(rows) + ", " + number(columns) + "], strides: [" +
      number(columns) + ", 1] : " + row.type + " to " + type);
  if (!transposed)
    return {view, type, "[" + first + ", " + second + "]"};
  std::string turned =
      extents(columns, rows) + ", strided<[1, " + number(columns) + "]>>";
  return {define("memref.transpose " + view + " (i, j) -> (j, i) : " + type +
                 " to " + turned),
          turned, "[" + second + ", " + first + "]"};
}

Place KernelWriter::placeHigh(const Buffer &buffer, const Int &slot,
                              const Int &offset, int64_t width) {
  Feature way =
      oneOf({Feature::AddressDirect, Feature::AddressSubview,
             Feature::AddressSubviewTwice, Feature::AddressReinterpret,
             Feature::AddressMatrix, Feature::AddressTransposed,
             Feature::AddressExpanded, Feature::AddressShiftedView});
  std::string element = "x" + buffer.element.text();
  bool contiguous = !buffer.interleaved;
  if (way == Feature::AddressTransposed && width == 1)
    return matrix(buffer, slot, offset, true);
  if (way == Feature::AddressMatrix)
    return matrix(buffer, slot, offset, false);
  std::string row =
      "memref<" + number(buffer.size) + element + ", strided<[1], offset: ?>>";
  auto times = [&](int64_t factor) {
    return asIndex(binary(Op::Mul, asIndex(same(slot)), factor)).name;
  };
  auto at = [&] { return "[" + asIndex(offset).name + "]"; };
  Place all;
  switch (way) {
  case Feature::AddressSubview: {
    if (!contiguous && width > 1)
      break;
    all = flat(buffer);
    if (contiguous)
      return {define("memref.subview " + all.memory + "[" + times(buffer.size) +
                     "] [" + number(buffer.size) + "] [1] : " + all.type +
                     " to " + row),
              row, at()};
    std::string strided = "memref<" + number(buffer.size) + element +
                          ", strided<[" + number(buffer.slots) +
                          "], offset: ?>>";
    return {define("memref.subview " + all.memory + "[" + times(1) + "] [" +
                   number(buffer.size) + "] [" + number(buffer.slots) +
                   "] : " + all.type + " to " + strided),
            strided, at()};
  }
  case Feature::AddressSubviewTwice: {
    if (!contiguous)
      break;
    // slot * size = slot + slot * (size - 1)
    all = flat(buffer);
    int64_t left = buffer.count() - buffer.slots + 1;
    std::string outer =
        "memref<" + number(left) + element + ", strided<[1], offset: ?>>";
    std::string view =
        define("memref.subview " + all.memory + "[" + times(1) + "] [" +
               number(left) + "] [1] : " + all.type + " to " + outer);
    return {define("memref.subview " + view + "[" + times(buffer.size - 1) +
                   "] [" + number(buffer.size) + "] [1] : " + outer + " to " +
                   row),
            row, at()};
  }
  case Feature::AddressReinterpret:
    if (!contiguous)
      break;
    all = flat(buffer);
    return {define("memref.reinterpret_cast " + all.memory + " to offset: [" +
                   times(buffer.size) + "], sizes: [" + number(buffer.size) +
                   "], strides: [1] : " + all.type + " to " + row),
            row, at()};
  case Feature::AddressExpanded: {
    if (!contiguous || buffer.layout == Feature::BufferOpen)
      break;
    all = flat(buffer);
    std::string type =
        "memref<" + number(buffer.slots) + "x" + number(buffer.size) + element;
    return {define("memref.expand_shape " + all.memory +
                   " [[0, 1]] output_shape [" + number(buffer.slots) + ", " +
                   number(buffer.size) + "] : " + all.type + " into " + type +
                   ">"),
            type + ">",
            "[" + asIndex(slot).name + ", " + asIndex(offset).name + "]"};
  }
  case Feature::AddressShiftedView: {
    if (!contiguous || buffer.layout != Feature::BufferBytes)
      break;
    // A part of the way in bytes, the rest in elements.
    int64_t part = draw(0, buffer.size),
            left = buffer.count() - (buffer.slots - 1) * part;
    std::string view = "memref<" + number(left) + element + ">";
    std::string shifted = define("memref.view " + nameOf(buffer) + "[" +
                                 times(part * buffer.element.bytes()) +
                                 "][] : " + memrefType(buffer) + " to " + view);
    return {define("memref.reinterpret_cast " + shifted + " to offset: [" +
                   times(buffer.size - part) + "], sizes: [" +
                   number(buffer.size) + "], strides: [1] : " + view + " to " +
                   row),
            row, at()};
  }
  default:
    break;
  }
  if (buffer.layout == Feature::BufferRows) {
    std::string first = asIndex(buffer.interleaved ? offset : slot).name,
                second = asIndex(buffer.interleaved ? slot : offset).name;
    return {nameOf(buffer), memrefType(buffer),
            "[" + first + ", " + second + "]"};
  }
  all = flat(buffer);
  all.indices = "[" + asIndex(elementIndex(buffer, slot, offset)).name + "]";
  return all;
}

std::string KernelWriter::pointerTo(const std::string &base, const Int &index,
                                    const std::string &element, bool inbounds) {
  return define("llvm.getelementptr " +
                std::string(inbounds && chance(30) ? "inbounds " : "") + base +
                "[" + index.name + "] : (" + pointer + ", " +
                index.type.text() + ") -> " + pointer + ", " + element);
}

/// Another buffer of workgroups' slots, of the same shape.
Buffer *KernelWriter::otherBuffer(const Buffer &buffer) {
  for (Buffer &other : buffers)
    if (other.number != buffer.number && other.role == Role::Output &&
        buffer.role == Role::Output && other.slots == buffer.slots &&
        other.size == buffer.size && other.interleaved == buffer.interleaved &&
        other.element.text() == buffer.element.text())
      return &other;
  if (buffer.role != Role::Output || buffers.size() > 6)
    return nullptr;
  Buffer &added = addBuffer(Role::Output, buffer.element, buffer.slots,
                            buffer.size, Feature::BufferFlat);
  added.interleaved = buffer.interleaved;
  return &added;
}

Place KernelWriter::placeLow(const Buffer &buffer, const Int &slot,
                             const Int &offset) {
  std::string base = nameOf(buffer), element = buffer.element.text();
  auto index = [&] {
    Int at = elementIndex(buffer, slot, offset);
    return chance(50) ? asIndex(at) : at;
  };
  Place place{"", pointer, ""};
  switch (oneOf({Feature::AddressDirect, Feature::AddressBytes,
                 Feature::AddressBit, Feature::AddressPacked,
                 Feature::AddressTwoSteps, Feature::AddressArray,
                 Feature::AddressBackwards, Feature::AddressSelected,
                 Feature::AddressInteger, Feature::AddressGeneric})) {
  case Feature::AddressBytes:
    place.memory = pointerTo(
        base, binary(Op::Mul, asIndex(index()), buffer.element.bytes()), "i8");
    break;
  case Feature::AddressBit: {
    // The true of one bit is -1.
    Int back = compare("slt", thread, draw(0, threads + 1));
    Int one = select(back, constant(indexType(), 1), constant(indexType(), 0));
    std::string far =
        pointerTo(base, binary(Op::Add, asIndex(index()), one), element, false);
    place.memory = pointerTo(far, back, element, false);
    break;
  }
  case Feature::AddressPacked:
    if (chance(40)) {
      // Members that are aligned, so that structs lie 16 bytes apart.
      Int at = asIndex(index());
      std::string far = pointerTo(base, at, "!llvm.struct<(i32, i64)>", false);
      place.memory = pointerTo(
          far, binary(Op::Mul, at, buffer.element.bytes() - 16), "i8", false);
      break;
    }
    // Lanes of less than a byte.
    place.memory = pointerTo(
        base, binary(Op::Mul, asIndex(index()), buffer.element.bytes()),
        chance(50) ? "vector<8xi1>" : "!llvm.struct<(vector<2xi4>)>");
    break;
  case Feature::AddressTwoSteps: {
    Int first = binary(Op::Mul, asIndex(same(slot)),
                       buffer.interleaved ? 1 : buffer.size),
        second = binary(Op::Mul, asIndex(offset),
                        buffer.interleaved ? buffer.slots : 1);
    place.memory = pointerTo(pointerTo(base, first, element), second, element);
    break;
  }
  case Feature::AddressArray: {
    Int first = asIndex(buffer.interleaved ? offset : slot),
        second = asIndex(buffer.interleaved ? slot : offset);
    place.memory = define(
        "llvm.getelementptr " + base + "[" + first.name + ", " + second.name +
        "] : (" + pointer + ", i64, i64) -> " + pointer + ", !llvm.array<" +
        number(buffer.interleaved ? buffer.slots : buffer.size) + " x " +
        element + ">");
    break;
  }
  case Feature::AddressBackwards: {
    int64_t by = draw(1, 30);
    std::string far =
        pointerTo(base, binary(Op::Add, asIndex(index()), by), element, false);
    place.memory = pointerTo(far, constant(indexType(), -by), element, false);
    break;
  }
  case Feature::AddressSelected: {
    std::string one = pointerTo(base, index(), element), other;
    Buffer *second = chance(50) ? otherBuffer(buffer) : nullptr;
    other = second ? pointerTo(nameOf(*second), index(), element)
                   : pointerTo(base, index(), element);
    Int from = chance(60) ? thread : loadedValue();
    Int which = compare("slt", from, draw(0, threads));
    place.memory = define("llvm.select " + which.name + ", " + one + ", " +
                          other + " : i1, " + pointer);
    break;
  }
  case Feature::AddressInteger: {
    std::string whole =
        define("llvm.ptrtoint " + base + " : " + pointer + " to i64");
    Int bytes = binary(Op::Mul, asIndex(index()), buffer.element.bytes());
    whole = define("llvm.add " + whole + ", " + bytes.name + " : i64");
    place.memory = define("llvm.inttoptr " + whole + " : i64 to " + pointer);
    break;
  }
  case Feature::AddressGeneric:
    place.memory = pointerTo(base, index(), element);
    if (pointer != "!llvm.ptr") {
      place.memory = define("llvm.addrspacecast " + place.memory + " : " +
                            pointer + " to !llvm.ptr");
      place.type = "!llvm.ptr";
    }
    break;
  default:
    place.memory = pointerTo(base, index(), element);
  }
  return place;
}

Place KernelWriter::place(const Buffer &buffer, const Int &slot,
                          const Int &offset, int64_t width) {
  return high() ? placeHigh(buffer, slot, offset, width)
                : placeLow(buffer, slot, offset);
}

/// The operands of an access through a buffer resource, which ends before the
/// buffer at times: what lies beyond it is not touched, nor what lies before.
std::string KernelWriter::resource(const Buffer &buffer, const Int &slot,
                                   const Int &offset) {
  int64_t bytes = buffer.element.bytes(),
          records = chance(70) ? buffer.count() : draw(0, buffer.count());
  Int stride = constant({16, false}, 0),
      most = constant({64, false}, records * bytes),
      flags = constant({32, false}, 159744), zero = constant({32, false}, 0);
  Int at = binary(
      Op::Mul, convert(elementIndex(buffer, slot, offset), {32, false}), bytes);
  if (buffer.role == Role::Input && chance(30))
    at = binary(Op::Sub, at, draw(1, 3) * bytes);
  // A part that is not compared with the size.
  Int further = zero;
  if (chance(30)) {
    int64_t by = draw(0, 3) * bytes;
    further = constant({32, false}, by);
    at = binary(Op::Sub, at, by);
  }
  std::string base = define("rocdl.make.buffer.rsrc " + nameOf(buffer) + ", " +
                            stride.name + ", " + most.name + ", " + flags.name +
                            " : " + pointer + " to !llvm.ptr<8>");
  return base + ", " + at.name + ", " + further.name + ", " + zero.name +
         " : " + buffer.element.text();
}

/// An element that may lie beyond the slot, but not beyond the buffer.
Place KernelWriter::placeAt(const Buffer &buffer, const Int &index) {
  if (!high())
    return {pointerTo(nameOf(buffer), asIndex(index), buffer.element.text()),
            pointer, ""};
  Place all = flat(buffer);
  all.indices = "[" + asIndex(index).name + "]";
  return all;
}

} // namespace swizzle::fuzz
