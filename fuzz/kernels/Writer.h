//===- Writer.h - Draws a kernel ---------------------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One class, in files by what is written: WriteIntegers (values, conditions),
// WriteValues (others), WriteControl (loops, branches, calls), WriteLoops (of
// blocks), WriteAddresses (views, pointers), WriteAccesses (loads, stores),
// WriteCopies, WriteAtomics, WriteOperations (all others), WriteEveryGrid
// (kernels for sizes that nobody knows), WriteKernel (the whole).
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_FUZZ_KERNELS_WRITER_H
#define SWIZZLE_FUZZ_KERNELS_WRITER_H

#include "Text.h"

#include <deque>
#include <functional>
#include <map>
#include <utility>

namespace swizzle::fuzz {

/// Of a buffer.
struct Element {
  unsigned bits = 32;
  bool isFloat = false;

  std::string text() const {
    return (isFloat ? "f" : "i") + std::to_string(bits);
  }
  int64_t bytes() const { return bits / 8; }
};

enum class Role : uint8_t {
  Input,   ///< read only
  Output,  ///< each workgroup has a slot
  Once,    ///< written by one workgroup
  Counter, ///< updated atomically
  Closed,  ///< nobody else may use it
};

/// `slots` times `size` elements. Element `offset` of a slot lies at
/// slot * size + offset or, interleaved, at offset * slots + slot.
struct Buffer {
  unsigned number = 0;
  Role role = Role::Output;
  Feature layout = Feature::BufferFlat;
  bool interleaved = false;
  Element element;
  int64_t slots = 1, size = 1;
  std::string update; ///< of a counter

  int64_t count() const { return slots * size; }
};

/// A memref and indices into it, or a pointer.
struct Place {
  std::string memory, type, indices;

  std::string text() const { return memory + indices; }
};

class KernelWriter : public Text {
public:
  KernelWriter(Choices &choices, FuzzKernel &kernel) : Text(choices, kernel) {}

  void write();

private:
  using Body = std::function<void()>;
  using CountedBody = std::function<void(Int)>;

  /// A function that is being written.
  struct Frame {
    Frame *caller = nullptr;
    std::string parameters; ///< of the function, with types
    std::string operands;   ///< that the caller passes
    std::string types;
    std::vector<std::string> buffers; ///< names, by number; "" if unknown here
  };

  // WriteIntegers.cpp
  Int same(Int value);
  Int sameOnce(const Int &value);
  Int sameByMemory(const Int &value);
  Int sameByCall(const Int &value);
  Int sameByVector(const Int &value);
  void drawMap();
  Int applyMap(Int group);
  Int spoiled(const Int &slot, int64_t slots);
  Int within(Int value, int64_t limit);
  Int below(const Int &value, int64_t limit);
  Int sameCondition(Int condition);
  Int onlyOne();
  Int several();

  // WriteControl.cpp
  void inRegion(const Body &body);
  void branch(const std::string &to, const std::string &operands = "");
  void branch(const Int &condition, const std::string &yes,
              const std::string &no);
  void ifThen(const Int &condition, const Body &yes, const Body &no = nullptr);
  void loop(int64_t turns, const CountedBody &body);
  void loopFor(Feature kind, int64_t turns, const CountedBody &body);
  void loopParallel(int64_t turns, bool inReduction, const CountedBody &body);
  void loopWhile(int64_t turns, const CountedBody &body);
  void switchOn(const Int &value, int64_t cases, const CountedBody &body);
  void call(const Body &body);
  void control(int depth);
  void statements(int depth);
  void statement(int depth);
  bool blocksAllowed() const { return !regions; }

  // WriteLoops.cpp
  void loopBlocks(Feature kind, int64_t turns, const CountedBody &body);
  void loopExits(Feature kind, int64_t turns, const CountedBody &body);
  void loopWrapping(int64_t turns, const CountedBody &body);
  void loopPastEnd(const CountedBody &body);
  void loopCarrying(int64_t turns, const Int &start,
                    const std::function<Int(const Int &)> &body);

  // WriteValues.cpp
  Int anyValue();
  Int followRecipe(Int value);
  Int counted();
  void countDown();
  Int rounded();
  Int quotientTwice();
  Int chosenByData();
  Int frozen();
  void frozenInLoop();
  void overflowing();
  void storeDerived();
  void derive();

  // WriteAddresses.cpp
  Buffer &buffer(Role role);
  Buffer &addBuffer(Role role, Element element, int64_t slots, int64_t size,
                    Feature layout);
  Buffer *otherBuffer(const Buffer &buffer);
  std::string nameOf(const Buffer &buffer);
  std::string memrefType(const Buffer &buffer) const;
  Int elementIndex(const Buffer &buffer, const Int &slot, const Int &offset);
  Int asIndex(const Int &value) { return convert(value, indexType()); }
  Place flat(const Buffer &buffer);
  Place place(const Buffer &buffer, const Int &slot, const Int &offset,
              int64_t width);
  Place placeHigh(const Buffer &buffer, const Int &slot, const Int &offset,
                  int64_t width);
  Place placeLow(const Buffer &buffer, const Int &slot, const Int &offset);
  Place placeAt(const Buffer &buffer, const Int &index);
  Place matrix(const Buffer &buffer, const Int &slot, const Int &offset,
               bool transposed);
  std::string pointerTo(const std::string &base, const Int &index,
                        const std::string &element, bool inbounds = true);

  std::string resource(const Buffer &buffer, const Int &slot,
                       const Int &offset);

  // WriteAccesses.cpp
  std::string data(Element element);
  std::string dataVector(Element element, int64_t width);
  Int anyOffset(const Buffer &buffer, int64_t width);
  int64_t anyWidth(const Buffer &buffer);
  void store(const Buffer &buffer, const Int &slot, const Int &offset,
             int64_t width);
  Int loadedValue();
  std::string anyMask(int64_t width);
  void load(const Buffer &buffer, const Int &slot, const Int &offset,
            int64_t width);
  void storeOwn();
  void loadOwn();
  void loadInput();
  void storeOnce();
  void storeCarried();
  void storeMistaken(Buffer &buffer);
  void storeCarriedPointer(const Buffer &buffer, bool mistake);
  void storeCarriedMemref(Buffer &buffer, bool mistake);
  void storeTransposed();

  // WriteOverlaps.cpp
  void storeMistakenPair();
  void storeMistakenRows();
  void storeMistakenFarRow();
  void storeMistakenLane();
  void storeIfWide();
  void storeIfOneBit();
  void remember(const std::string &name, const std::string &type,
                Element element);

  // WriteCopies.cpp
  void copyOwn();
  void exchange();
  void asyncCopy();
  std::string workgroupMemory();

  // WriteAtomics.cpp
  std::string drawUpdate(Element element);
  std::string update(const std::string &operation, const Place &place,
                     Element element);
  void updateCounter();
  void exchangeOwn();
  void compareExchange(const Place &place, Element element);
  void spoilUpdate(Buffer &buffer);
  void useResult(const std::string &name, Element element);

  // WriteOperations.cpp
  std::string filledIn(const std::string &lines,
                       std::map<std::string, std::string> &names);
  void operation(bool everyThread);
  void forbid(const Forbidden &row);

  // WriteEveryGrid.cpp
  void everyGrid();
  Int gridExtent();
  Place own(const Buffer &buffer);
  void storeWord(const Place &place);
  Int loadWord(const Place &place);
  void storeByExtent();
  void storeForExtent();
  void storeTwice();
  void storeOnSmallGrids();
  void loopFrom(const Int &start, int64_t end, const Body &body);
  void updateOnSmallGrids();
  void updateOneOf();
  void storeOnLargeGrids();
  void storeToTheSame();

  // WriteKernel.cpp
  const Forbidden *drawLevel();
  void drawSizes();
  Int extentOf(const char *what, int axis, int64_t extent, IntType type);
  Int readId(const char *what, int axis, int64_t extent);
  Int readLinear(const char *what, const Grid &sizes);
  void readIds();
  std::string arguments();
  std::string launches();
  void statements();
  void drawLaunch();
  std::string moduleText(const std::string &body);
  bool mistakeNow();

  Grid grid, block;
  int obscurity = 0; ///< percentage of values that are computed in more steps
  int64_t groups = 1, threads = 1, slots = 1;
  bool isRocdl = false;
  std::string pointer;     ///< the type of pointers to global memory
  Int group, thread, slot; ///< of the function that is being written
  /// One step of the map from group to slot.
  struct MapStep {
    Feature kind;
    int64_t a, b; ///< of the step; values before it are below `a`
  };
  std::vector<MapStep> map;
  std::vector<Int> values;                    ///< that can be seen here
  std::vector<std::pair<Op, int64_t>> recipe; ///< of the latest derived value
  std::deque<Buffer> buffers;
  std::string globals, functions, shared, attributes;
  Frame *frame = nullptr;
  int regions = 0;     ///< that lie around this line and forbid blocks
  int conditional = 0; ///< not all threads come here
  int numFunctions = 0;
  bool mistakeLeft = false, mistakeForced = false;
  bool launched = false, aliased = false, strided = false;
  bool overlapping = false;   ///< arguments are, perhaps
  bool passesUnknown = false; ///< an i32 that no launch knows, `%u`
  bool unknownGrid = false;   ///< launched with a grid that is not known
  const Forbidden *forbidden = nullptr; ///< to be put in, if any
  bool gridMistake = false, strideMistake = false;
  bool secondGrid = false; ///< the mistake is one of the second launch only
  int64_t launchCount = 1;
};

} // namespace swizzle::fuzz

#endif // SWIZZLE_FUZZ_KERNELS_WRITER_H
