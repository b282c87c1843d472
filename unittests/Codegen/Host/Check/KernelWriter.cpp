//===- KernelWriter.cpp - Draws a kernel from a seed ----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The writer emits a line of MLIR and the step that does the same side by side.
// Floats stay in a range where nothing overflows and no NaN appears: their bits
// are compared.
//
//===----------------------------------------------------------------------===//

#include "RandomKernel.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/bit.h"

#include <algorithm>
#include <random>

namespace swizzle::test {

static uint32_t bitsOf(float value) { return llvm::bit_cast<uint32_t>(value); }

static float floatOf(uint64_t bits) {
  return llvm::bit_cast<float>(uint32_t(bits));
}

class KernelWriter {
public:
  KernelWriter(RandomKernel &kernel, uint64_t seed)
      : kernel(kernel), random(seed) {}

  void write();

private:
  using Thread = RandomKernel::Thread;
  using Workgroup = RandomKernel::Workgroup;
  using Step = RandomKernel::Step;
  enum Type { Index, Int, Float };
  /// An argument of the kernel.
  struct Buffer {
    Type type;
    int64_t rows, columns;
    int number;
    std::string typeText() const {
      return "memref<" + std::to_string(rows) + "x" + std::to_string(columns) +
             (type == Float ? "xf32>" : "xi32>");
    }
  };

  int64_t draw(int64_t low, int64_t high) {
    // Not a distribution of the library: these differ between libraries.
    return low + int64_t(random() % uint64_t(high - low + 1));
  }
  bool coin() { return draw(0, 1); }
  static std::string name(int reg) { return "%v" + std::to_string(reg); }
  static const char *nameOf(Type type) {
    return type == Index ? "index" : type == Int ? "i32" : "f32";
  }

  /// A new register: the line that defines it, and what it becomes.
  template <typename Function>
  int define(const std::string &right, Function value) {
    int reg = int(kernel.registers++);
    *text += name(reg) + " = " + right + "\n";
    into->push_back({[=](Workgroup &workgroup, Thread &thread) {
                       thread.registers[reg] = value(workgroup, thread);
                     },
                     condition});
    return reg;
  }
  void act(const std::string &line, RandomKernel::Action action) {
    *text += line + "\n";
    into->push_back({std::move(action), condition});
  }
  int keep(Type type, int reg) {
    (type == Float ? floats : ints).push_back(reg);
    return reg;
  }
  int pick(Type type) {
    std::vector<int> &from = type == Float ? floats : ints;
    return from[draw(0, int64_t(from.size()) - 1)];
  }

  int constant(Type type, int64_t value);
  int binary(const std::string &op, Type type, int left, int right,
             uint64_t (*apply)(uint64_t, uint64_t));
  int indexSum(int scale, int by, int64_t offset, int64_t extent);
  int anyPlace(int64_t extent);
  void readIds();
  void addBuffers();
  void load(const Buffer &buffer);
  void computeInt();
  void computeFloat();
  void choose();
  void loop();
  void exchange();
  int gather(Type type);
  void writeOutputs();

  RandomKernel &kernel;
  std::mt19937_64 random;
  std::string *text = nullptr;
  std::vector<Step> *into = nullptr;
  int condition = -1;
  std::vector<int> ints, floats, indices;
  std::vector<Buffer> inputs, outputs, counters;
  int globalX = 0, globalY = 0, linear = 0;
  int64_t width = 0, height = 0;
};

int KernelWriter::constant(Type type, int64_t value) {
  if (type == Float) {
    float number = float(value) / 8;
    return define("arith.constant " + std::to_string(number) + " : f32",
                  [=](Workgroup &, Thread &) { return bitsOf(number); });
  }
  uint64_t bits = type == Int ? uint32_t(value) : uint64_t(value);
  return define("arith.constant " + std::to_string(value) + " : " +
                    nameOf(type),
                [=](Workgroup &, Thread &) { return bits; });
}

int KernelWriter::binary(const std::string &op, Type type, int left, int right,
                         uint64_t (*apply)(uint64_t, uint64_t)) {
  return define("arith." + op + " " + name(left) + ", " + name(right) + " : " +
                    nameOf(type),
                [=](Workgroup &, Thread &thread) {
                  uint64_t value =
                      apply(thread.registers[left], thread.registers[right]);
                  return type == Int ? uint32_t(value) : value;
                });
}

/// (scale * by + offset) modulo extent.
int KernelWriter::indexSum(int scale, int by, int64_t offset, int64_t extent) {
  int factor = constant(Index, scale), added = constant(Index, offset);
  int product = binary("muli", Index, by, factor,
                       [](uint64_t a, uint64_t b) { return a * b; });
  int sum = binary("addi", Index, product, added,
                   [](uint64_t a, uint64_t b) { return a + b; });
  return binary("remui", Index, sum, constant(Index, extent),
                [](uint64_t a, uint64_t b) { return a % b; });
}

/// A place below `extent`: by an id, or by what was loaded.
int KernelWriter::anyPlace(int64_t extent) {
  if (draw(0, 3)) {
    int by = indices[draw(0, int64_t(indices.size()) - 1)];
    return indexSum(int(draw(0, 5)), by, draw(0, 9), extent);
  }
  int from = pick(Int);
  int wide = define("arith.index_castui " + name(from) + " : i32 to index",
                    [=](Workgroup &, Thread &thread) {
                      return uint64_t(uint32_t(thread.registers[from]));
                    });
  return indexSum(1, wide, 0, extent);
}

void KernelWriter::readIds() {
  int tx = define("gpu.thread_id x",
                  [](Workgroup &, Thread &thread) { return thread.x; });
  int ty = define("gpu.thread_id y",
                  [](Workgroup &, Thread &thread) { return thread.y; });
  // The id's own lines come from outside.
  int bx = define("arith.addi %bx, %zero : index",
                  [](Workgroup &group, Thread &) { return group.id.x; });
  int by = define("arith.addi %by, %zero : index",
                  [](Workgroup &group, Thread &) { return group.id.y; });
  auto dimension = [&](const char *axis, int64_t extent) {
    if (coin())
      return constant(Index, extent);
    return define(std::string("gpu.block_dim ") + axis,
                  [=](Workgroup &, Thread &) { return extent; });
  };
  auto times = [](uint64_t a, uint64_t b) { return a * b; };
  auto plus = [](uint64_t a, uint64_t b) { return a + b; };
  int dimX = dimension("x", kernel.block.x());
  int dimY = dimension("y", kernel.block.y());
  globalX =
      binary("addi", Index, binary("muli", Index, bx, dimX, times), tx, plus);
  globalY =
      binary("addi", Index, binary("muli", Index, by, dimY, times), ty, plus);
  linear =
      binary("addi", Index, binary("muli", Index, ty, dimX, times), tx, plus);
  indices = {tx, ty, bx, by, globalX, globalY, linear};
  for (int index : {globalX, globalY, linear})
    keep(Int, define("arith.index_cast " + name(index) + " : index to i32",
                     [=](Workgroup &, Thread &thread) {
                       return uint32_t(thread.registers[index]);
                     }));
  keep(Float, constant(Float, draw(1, 12)));
}

void KernelWriter::addBuffers() {
  auto add = [&](std::vector<Buffer> &list, Type type, int64_t rows,
                 int64_t columns) {
    int number = int(inputs.size() + outputs.size() + counters.size());
    list.push_back({type, rows, columns, number});
    kernel.arguments += (number ? ", %a" : "%a") + std::to_string(number) +
                        ": " + list.back().typeText();
  };
  for (int64_t i = draw(1, 3); i; --i)
    add(inputs, coin() ? Float : Int, draw(1, 9), draw(1, 40));
  add(outputs, Int, height, width);
  add(outputs, Float, height, width);
  for (int64_t i = draw(0, 2); i; --i)
    add(counters, Int, 1, draw(1, 12));
}

void KernelWriter::load(const Buffer &buffer) {
  int row = anyPlace(buffer.rows), column = anyPlace(buffer.columns);
  int64_t columns = buffer.columns;
  int number = buffer.number;
  keep(
      buffer.type,
      define("memref.load %a" + std::to_string(number) + "[" + name(row) +
                 ", " + name(column) + "] : " + buffer.typeText(),
             [=](Workgroup &workgroup, Thread &thread) {
               return workgroup.memory[number][thread.registers[row] * columns +
                                               thread.registers[column]];
             }));
}

void KernelWriter::computeInt() {
  struct Operation {
    const char *name;
    uint64_t (*apply)(uint64_t, uint64_t);
  };
  static const Operation operations[] = {
      {"addi", [](uint64_t a, uint64_t b) { return a + b; }},
      {"subi", [](uint64_t a, uint64_t b) { return a - b; }},
      {"muli", [](uint64_t a, uint64_t b) { return a * b; }},
      {"andi", [](uint64_t a, uint64_t b) { return a & b; }},
      {"ori", [](uint64_t a, uint64_t b) { return a | b; }},
      {"xori", [](uint64_t a, uint64_t b) { return a ^ b; }},
      {"minsi",
       [](uint64_t a, uint64_t b) {
         return uint64_t(std::min(int32_t(a), int32_t(b)));
       }},
      {"maxui", [](uint64_t a, uint64_t b) { return std::max(a, b); }},
      // The second operand is a small constant.
      {"shli", [](uint64_t a, uint64_t b) { return a << b; }},
      {"shrui", [](uint64_t a, uint64_t b) { return a >> b; }},
      {"shrsi",
       [](uint64_t a, uint64_t b) { return uint64_t(int32_t(a) >> b); }},
      {"divui", [](uint64_t a, uint64_t b) { return a / b; }},
      {"remsi", [](uint64_t a,
                   uint64_t b) { return uint64_t(int32_t(a) % int32_t(b)); }},
  };
  int64_t which = draw(0, std::size(operations) - 1);
  int left = pick(Int);
  int right = which >= 8 ? constant(Int, draw(1, 20)) : pick(Int);
  keep(Int, binary(operations[which].name, Int, left, right,
                   operations[which].apply));
}

void KernelWriter::computeFloat() {
  struct Operation {
    const char *name;
    float (*apply)(float, float);
  };
  static const Operation operations[] = {
      {"addf", [](float a, float b) { return a + b; }},
      {"subf", [](float a, float b) { return a - b; }},
      {"minimumf", [](float a, float b) { return std::min(a, b); }},
      {"maximumf", [](float a, float b) { return std::max(a, b); }},
      // By a constant only: no product grows beyond all bounds.
      {"mulf", [](float a, float b) { return a * b; }},
  };
  int64_t which = draw(0, std::size(operations) - 1);
  int left = pick(Float);
  int right = which == 4 ? constant(Float, draw(1, 12)) : pick(Float);
  auto apply = operations[which].apply;
  keep(Float, define(std::string("arith.") + operations[which].name + " " +
                         name(left) + ", " + name(right) + " : f32",
                     [=](Workgroup &, Thread &thread) {
                       return bitsOf(apply(floatOf(thread.registers[left]),
                                           floatOf(thread.registers[right])));
                     }));
}

/// One of two values, by a comparison.
void KernelWriter::choose() {
  int a = pick(Int), b = pick(Int);
  int less = define("arith.cmpi slt, " + name(a) + ", " + name(b) + " : i32",
                    [=](Workgroup &, Thread &thread) {
                      return uint64_t(int32_t(thread.registers[a]) <
                                      int32_t(thread.registers[b]));
                    });
  Type type = coin() ? Int : Float;
  int yes = pick(type), no = pick(type);
  keep(type, define("arith.select " + name(less) + ", " + name(yes) + ", " +
                        name(no) + " : " + nameOf(type),
                    [=](Workgroup &, Thread &thread) {
                      return thread.registers[less] ? thread.registers[yes]
                                                    : thread.registers[no];
                    }));
}

/// A loop that carries one integer from turn to turn.
void KernelWriter::loop() {
  int64_t turns = draw(0, 5);
  int low = constant(Index, 0), high = constant(Index, turns),
      one = constant(Index, 1), start = pick(Int);
  // The loop's result has the register that its turns hand on.
  int result = int(kernel.registers++), counter = int(kernel.registers++),
      carried = int(kernel.registers++);
  into->push_back({[=](Workgroup &, Thread &thread) {
    thread.registers[result] = thread.registers[start];
  }});
  *text += name(result) + " = scf.for " + name(counter) + " = " + name(low) +
           " to " + name(high) + " step " + name(one) + " iter_args(" +
           name(carried) + " = " + name(start) + ") -> (i32) {\n";
  Step step;
  step.turns = turns;
  step.counter = counter;
  step.carried = carried;
  step.next = result;
  std::vector<Step> *outside = into;
  std::vector<int> hereInts = ints, hereFloats = floats, hereIndices = indices;
  into = &step.body;
  ints.push_back(carried);
  indices.push_back(counter);
  for (int64_t i = draw(1, 4); i; --i)
    coin() ? load(inputs[draw(0, int64_t(inputs.size()) - 1)]) : computeInt();
  int last = pick(Int);
  int handed = binary("addi", Int, carried, last,
                      [](uint64_t a, uint64_t b) { return a + b; });
  act("scf.yield " + name(handed) + " : i32", [=](Workgroup &, Thread &thread) {
    thread.registers[result] = thread.registers[handed];
  });
  *text += "}\n";
  // What was defined within is not seen outside.
  ints = std::move(hereInts);
  floats = std::move(hereFloats);
  indices = std::move(hereIndices);
  into = outside;
  into->push_back(std::move(step));
  keep(Int, result);
}

/// Each thread leaves a value in workgroup memory and takes another's.
void KernelWriter::exchange() {
  int64_t threads = kernel.block.count();
  std::string type = "memref<" + std::to_string(threads) + "xi32, 3>";
  if (!kernel.sharedElements) {
    kernel.sharedElements = threads;
    kernel.shared = " workgroup(%w: " + type + ")";
  } else {
    // Not before all have taken what was left the last time.
    act("gpu.barrier", [](Workgroup &, Thread &) {});
  }
  int value = pick(Int), slot = linear;
  act("memref.store " + name(value) + ", %w[" + name(slot) + "] : " + type,
      [=](Workgroup &workgroup, Thread &thread) {
        workgroup.shared[thread.registers[slot]] =
            uint32_t(thread.registers[value]);
      });
  act("gpu.barrier", [](Workgroup &, Thread &) {});
  int place = indexSum(int(draw(0, 3)), linear, draw(0, threads), threads);
  keep(Int, define("memref.load %w[" + name(place) + "] : " + type,
                   [=](Workgroup &workgroup, Thread &thread) {
                     return workgroup.shared[thread.registers[place]];
                   }));
}

/// One value that each of this type has a part in, so that none is computed in
/// vain: a slip anywhere shows in what is stored.
int KernelWriter::gather(Type type) {
  if (type == Int) {
    int all = ints.front(), three = constant(Int, 3);
    for (int value : llvm::ArrayRef(ints).drop_front())
      all = binary("xori", Int,
                   binary("muli", Int, all, three,
                          [](uint64_t a, uint64_t b) { return a * b; }),
                   value, [](uint64_t a, uint64_t b) { return a ^ b; });
    return all;
  }
  int all = floats.front();
  for (int value : llvm::ArrayRef(floats).drop_front()) {
    int before = all;
    all = define("arith.addf " + name(before) + ", " + name(value) + " : f32",
                 [=](Workgroup &, Thread &thread) {
                   return bitsOf(floatOf(thread.registers[before]) +
                                 floatOf(thread.registers[value]));
                 });
  }
  return all;
}

/// Stores and counts, for the elements that there are.
void KernelWriter::writeOutputs() {
  bool even = width == kernel.grid.x() * kernel.block.x() &&
              height == kernel.grid.y() * kernel.block.y();
  if (!even) {
    auto below = [](uint64_t a, uint64_t b) { return uint64_t(a < b); };
    int inX =
        binary("cmpi ult,", Index, globalX, constant(Index, width), below);
    int inY =
        binary("cmpi ult,", Index, globalY, constant(Index, height), below);
    condition = define("arith.andi " + name(inX) + ", " + name(inY) + " : i1",
                       [=](Workgroup &, Thread &thread) {
                         return thread.registers[inX] & thread.registers[inY];
                       });
    *text += "scf.if " + name(condition) + " {\n";
  }
  int x = globalX, y = globalY;
  for (const Buffer &buffer : outputs) {
    int value = gather(buffer.type), number = buffer.number;
    int64_t columns = width;
    act("memref.store " + name(value) + ", %a" + std::to_string(number) + "[" +
            name(y) + ", " + name(x) + "] : " + buffer.typeText(),
        [=](Workgroup &workgroup, Thread &thread) {
          workgroup.memory[number][thread.registers[y] * columns +
                                   thread.registers[x]] =
              uint32_t(thread.registers[value]);
        });
  }
  // One kind of operation a buffer: they commute with themselves.
  struct Operation {
    const char *name;
    uint32_t (*apply)(uint32_t, uint32_t);
  };
  static const Operation operations[] = {
      {"addi", [](uint32_t a, uint32_t b) { return a + b; }},
      {"andi", [](uint32_t a, uint32_t b) { return a & b; }},
      {"ori", [](uint32_t a, uint32_t b) { return a | b; }},
      {"maxs",
       [](uint32_t a, uint32_t b) {
         return uint32_t(std::max(int32_t(a), int32_t(b)));
       }},
      {"minu", [](uint32_t a, uint32_t b) { return std::min(a, b); }},
  };
  for (const Buffer &buffer : counters) {
    const Operation &op = operations[draw(0, std::size(operations) - 1)];
    int value = pick(Int), place = anyPlace(buffer.columns),
        row = constant(Index, 0), number = buffer.number;
    auto apply = op.apply;
    define(std::string("memref.atomic_rmw ") + op.name + " " + name(value) +
               ", %a" + std::to_string(number) + "[" + name(row) + ", " +
               name(place) + "] : (i32, " + buffer.typeText() + ") -> i32",
           [=](Workgroup &workgroup, Thread &thread) {
             uint32_t &at = workgroup.memory[number][thread.registers[place]];
             uint32_t before = at;
             at = apply(at, uint32_t(thread.registers[value]));
             return before;
           });
  }
  if (!even)
    *text += "}\n";
}

void KernelWriter::write() {
  // Two workgroups along x at least, so that there is something to mistake.
  kernel.grid = Grid(draw(2, 6), draw(1, 5));
  kernel.block = Grid(draw(1, 12), draw(1, 4));
  // The last workgroups keep an element at least.
  auto cut = [&](int64_t groups, int64_t threads) {
    return groups * threads - (coin() ? draw(0, threads - 1) : 0);
  };
  width = cut(kernel.grid.x(), kernel.block.x());
  height = cut(kernel.grid.y(), kernel.block.y());
  text = &kernel.body;
  into = &kernel.steps;
  addBuffers();
  readIds();
  load(inputs[0]);
  for (int64_t i = draw(4, 16); i; --i)
    switch (draw(0, 7)) {
    case 0:
      exchange();
      break;
    case 1:
      loop();
      break;
    case 2:
      choose();
      break;
    case 3:
    case 4:
      load(inputs[draw(0, int64_t(inputs.size()) - 1)]);
      break;
    case 5:
      computeFloat();
      break;
    default:
      computeInt();
    }
  writeOutputs();
}

RandomKernel::RandomKernel(uint64_t seed) { KernelWriter(*this, seed).write(); }

} // namespace swizzle::test
