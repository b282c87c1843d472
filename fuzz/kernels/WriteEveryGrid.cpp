//===- WriteEveryGrid.cpp - Kernels for sizes that nobody knows -----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whole kernels of which only the block is claimed. Each of them is apart on
// the grid and for the extents that stand in for those that nobody knows, and
// on the largest grid, and is not where it runs:
//
//   a[x / max(64 - gx, 1)] = ...       gx = 64: x. gx = 2^31: x. gx = 12: 0
//   if (gx < 50) a[0] = ...            not reached on 64 workgroups, nor
//   for (i = gx; i < 50; ++i) ...      this, nor what is masked so
//   if (1 < n && n < 500) a[0] = ...   nor for n = 4096, nor for n = 1
//   a[x] += 1                          twice, where there are two along y
//   if (x >= 64) b[x + 1] = a[x]       where a and b are one
//
//===----------------------------------------------------------------------===//

#include "Writer.h"

namespace swizzle::fuzz {

static constexpr Element kWord{32, false};

/// How many workgroups there are along x.
Int KernelWriter::gridExtent() {
  if (high())
    return {define("gpu.grid_dim x"), indexType(), grid.x(), grid.x()};
  Int extent{define("nvvm.read.ptx.sreg.nctaid.x : i32"),
             {32, false},
             grid.x(),
             grid.x()};
  return cast(extent, indexType(), false);
}

/// The word of this thread alone.
Place KernelWriter::own(const Buffer &buffer) {
  return placeAt(buffer,
                 binary(Op::Add, binary(Op::Mul, asIndex(slot), threads),
                        asIndex(thread)));
}

void KernelWriter::storeWord(const Place &place) {
  line((high() ? "memref.store " : "llvm.store ") + data(kWord) + ", " +
       place.text() + " : " + (high() ? "" : "i32, ") + place.type);
}

Int KernelWriter::loadWord(const Place &place) {
  Wide half = Wide(1) << 31;
  return {define((high() ? "memref.load " : "llvm.load ") + place.text() +
                 " : " + place.type + (high() ? "" : " -> i32")),
          {32, false},
          -half,
          half - 1};
}

/// Each workgroup has a place of its own on a grid of 64 and more, and all have
/// one place on a small one.
void KernelWriter::storeByExtent() {
  Buffer &to =
      addBuffer(Role::Closed, kWord, groups, threads, Feature::BufferFlat);
  Int left = binary(Op::Sub, constant(indexType(), 64), gridExtent());
  left = binary(Op::SMax, left, 1);
  slot = binary(Op::UDiv, asIndex(slot), left);
  storeWord(own(to));
}

/// All store to one place, unless the extent of a memref is the one that stands
/// in for any.
void KernelWriter::storeForExtent() {
  Buffer &to =
      addBuffer(Role::Closed, kWord, 1, draw(2, 60), Feature::BufferOpen);
  kernel.extent = to.count();
  remember(loadWord(own(addBuffer(Role::Input, kWord, groups, threads,
                                  Feature::BufferFlat)))
               .name,
           "i32", kWord);
  Int zero = constant(indexType(), 0);
  Int extent{define("memref.dim " + nameOf(to) + ", " + zero.name + " : " +
                    memrefType(to)),
             indexType(), to.count(), to.count()};
  Int open = compare("sgt", extent, 1);
  ifThen(open, [&] {
    ifThen(compare("slt", extent, 500), [&] { storeWord(placeAt(to, zero)); });
  });
}

/// Workgroups that differ along y only do the same, one after the other.
void KernelWriter::storeTwice() {
  Buffer &to =
      addBuffer(Role::Closed, kWord, groups, threads, Feature::BufferFlat);
  Int next = binary(Op::Add, loadWord(own(to)), draw(1, 9));
  values = {next};
  storeWord(own(to));
}

/// All store to one place where there are few of them: by a branch, in a loop
/// that has no turn on other grids, under a mask, or with a size.
void KernelWriter::storeOnSmallGrids() {
  Buffer &from =
      addBuffer(Role::Input, kWord, groups, threads, Feature::BufferFlat);
  Buffer &to = addBuffer(Role::Closed, kWord, 1, 4, Feature::BufferFlat);
  remember(loadWord(own(from)).name, "i32", kWord);
  Int extent = gridExtent(), zero = constant(indexType(), 0);
  switch (draw(0, high() ? 2 : 3)) {
  case 0:
    return ifThen(compare("slt", extent, 50),
                  [&] { storeWord(placeAt(to, zero)); });
  case 1:
    return loopFrom(extent, 50, [&] { storeWord(placeAt(to, zero)); });
  case 2: {
    Place at = placeAt(to, zero);
    std::string value = dataVector(kWord, 2), mask = "vector<2xi1>",
                on = compare("slt", extent, 50).name;
    if (high()) {
      on = define("vector.broadcast " + on + " : i1 to " + mask);
      return line("vector.maskedstore " + at.text() + ", " + on + ", " + value +
                  " : " + at.type + ", " + mask + ", vector<2xi32>");
    }
    std::string lanes = define("llvm.mlir.poison : " + mask);
    for (int64_t i = 0; i < 2; ++i)
      lanes = define("llvm.insertelement " + on + ", " + lanes + "[" +
                     constant({32, false}, i).name + " : i32] : " + mask);
    return line("llvm.intr.masked.store " + value + ", " + at.memory + ", " +
                lanes + " {alignment = 4 : i32} : vector<2xi32>, " + mask +
                " into " + at.type);
  }
  default:
    Int bytes = select(compare("slt", extent, 50), constant({64, false}, 4),
                       constant({64, false}, 0));
    Int byte = constant({8, false}, draw(0, 9));
    Place at = placeAt(to, zero);
    line("\"llvm.intr.memset\"(" + at.memory + ", " + byte.name + ", " +
         bytes.name + ") <{isVolatile = false}> : (" + at.type +
         ", i8, i64) -> ()");
  }
}

/// A loop from a number on, up to another one.
void KernelWriter::loopFrom(const Int &start, int64_t end, const Body &body) {
  Int last = constant(start.type, end), one = constant(start.type, 1);
  std::string type = start.type.text(), counter = fresh();
  if (high()) {
    line("scf.for " + counter + " = " + start.name + " to " + last.name +
         " step " + one.name + " {");
    inRegion(body);
    return line("}");
  }
  std::string head = label(), inside = label(), after = label();
  Int at{counter, start.type, 0, end};
  branch(head, start.name + " : " + type);
  line(head + "(" + counter + ": " + type + "):");
  branch(compare("slt", at, last), inside, after);
  line(inside + ":");
  body();
  branch(head, binary(Op::Add, at, one).name + " : " + type);
  line(after + ":");
}

/// Adds to a word that nobody reads, or, on small grids, to one that is read.
void KernelWriter::updateOneOf() {
  Buffer &read =
      addBuffer(Role::Closed, kWord, groups, threads, Feature::BufferFlat);
  Buffer &counter =
      addBuffer(Role::Closed, kWord, groups, threads, Feature::BufferFlat);
  Int loaded = loadWord(own(read));
  Int few = compare("slt", gridExtent(), 50);
  std::string type = high() ? memrefType(read) : pointer, yes = nameOf(read),
              no = nameOf(counter), chosen;
  if (chance(50)) {
    chosen =
        define((high() ? "arith.select " : "llvm.select ") + few.name + ", " +
               yes + ", " + no + " : " + (high() ? "" : "i1, ") + type);
  } else {
    std::string meet = label();
    chosen = fresh();
    branch(few, meet + "(" + yes + " : " + type + ")",
           meet + "(" + no + " : " + type + ")");
    line(meet + "(" + chosen + ": " + type + "):");
  }
  if (high())
    define("memref.atomic_rmw addi " + loaded.name + ", " + chosen + "[" +
           constant(indexType(), 0).name + "] : (i32, " + type + ") -> i32");
  else
    define("llvm.atomicrmw add " + chosen + ", " + loaded.name +
           " monotonic : " + type + ", i32");
}

/// Reads its own word, and stores it to that of the next workgroup of another
/// buffer, beyond the grid that is assumed.
void KernelWriter::storeOnLargeGrids() {
  Buffer &from =
      addBuffer(Role::Closed, kWord, groups + 1, threads, Feature::BufferFlat);
  Buffer &to =
      addBuffer(Role::Closed, kWord, groups + 1, threads, Feature::BufferFlat);
  values = {loadWord(own(from))};
  overlapping = chance(70);
  ifThen(compare("sge", asIndex(slot), 64), [&] {
    slot = binary(Op::Add, asIndex(slot), 1);
    storeWord(own(to));
  });
}

/// Reads its own word, and stores it to that of a later workgroup. The launch
/// passes one buffer for both.
void KernelWriter::storeToTheSame() {
  Buffer &from =
      addBuffer(Role::Closed, kWord, groups + 5, threads, Feature::BufferFlat);
  Buffer &to =
      addBuffer(Role::Closed, kWord, groups + 5, threads, Feature::BufferFlat);
  values = {loadWord(own(from))};
  slot = binary(Op::Add, asIndex(slot), draw(1, 5));
  storeWord(own(to));
  unknownGrid = true;
  kernel.forbidden = "a buffer that is passed twice";
  kernel.demand = Demand::NoProof;
}

/// A function that adds to a word, or does not: first to one that nobody reads,
/// then, on small grids, to one that is read.
void KernelWriter::updateOnSmallGrids() {
  Buffer &read =
      addBuffer(Role::Closed, kWord, groups, threads, Feature::BufferFlat);
  Buffer &counter =
      addBuffer(Role::Closed, kWord, groups, threads, Feature::BufferFlat);
  remember(loadWord(own(read)).name, "i32", kWord);
  std::string type = high() ? memrefType(read) : pointer;
  std::string parameters = "(%p: " + type + ", %on: i1) {\n";
  if (high())
    functions +=
        "func.func private @update" + parameters +
        "%one = arith.constant 1 : i32\n"
        "%zero = arith.constant 0 : index\n"
        "scf.if %on {\n%old = memref.atomic_rmw addi %one, %p[%zero] : "
        "(i32, " +
        type + ") -> i32\n}\nreturn\n}\n";
  else
    functions += "llvm.func internal @update" + parameters +
                 "%one = llvm.mlir.constant(1 : i32) : i32\n"
                 "llvm.cond_br %on, ^add, ^end\n^add:\n"
                 "%old = llvm.atomicrmw add %p, %one monotonic : " +
                 type + ", i32\nllvm.br ^end\n^end:\nllvm.return\n}\n";
  auto call = [&](const Buffer &buffer, const Int &on) {
    line((high() ? "func.call @update(" : "llvm.call @update(") +
         nameOf(buffer) + ", " + on.name + ") : (" + type + ", i1) -> ()");
  };
  call(counter, boolean(true));
  Int few = compare("slt", gridExtent(), 50);
  if (chance(50))
    call(read, few);
  else
    ifThen(few, [&] { call(read, boolean(true)); });
}

void KernelWriter::everyGrid() {
  bool large = grid.y() == 1 && grid.z() == 1 && chance(20);
  if (large)
    grid = Grid(groups = draw(66, 80), 1, 1);
  group = readId("block", 0, grid.x());
  thread = readLinear("thread", block);
  slot = group;
  values = {group, thread};
  // On all other grids, workgroups with the same x would do the same.
  if (grid.y() > 1 || grid.z() > 1)
    return storeTwice();
  if (large)
    return storeOnLargeGrids();
  switch (draw(0, high() ? 7 : 6)) {
  case 0:
    return storeByExtent();
  case 1:
  case 2:
    return storeOnSmallGrids();
  case 3:
    return updateOnSmallGrids();
  case 4:
    return updateOneOf();
  case 5:
  case 6:
    return storeToTheSame();
  default:
    return storeForExtent();
  }
}

} // namespace swizzle::fuzz
