//===- PipelinesTest.cpp - What loops carry with a delay ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random loops that carry what grows, what another value was a turn ago, what
// follows from the counter, and what follows from itself, executed and read:
// the model has each access as it is, or lists it.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "swizzle/Analysis/Read/KernelAnalysis.h"
#include "swizzle/Kernel/PrintModel.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <sstream>

using namespace mlir;
using namespace swizzle;

namespace {

/// Writes random kernels. Each loop has an array for each value that it
/// carries, which it reads there.
class Writer {
public:
  explicit Writer(unsigned seed) : random(seed) {}

  std::string write() {
    loop({"%x", "%t"}, 2);
    std::string text = "gpu.module @m {\ngpu.func @k(";
    for (int i = 0; i < arrays; ++i)
      text += (i ? ", %a" : "%a") + std::to_string(i) + ": memref<9999xi32>";
    return text +
           ") kernel attributes {known_grid_size = array<i32: 3, 1, 1>, "
           "known_block_size = array<i32: 2, 1, 1>} {\n"
           "  %x = gpu.block_id x\n  %t = gpu.thread_id x\n"
           "  %q = memref.alloca() : memref<i32>\n" +
           os.str() + "  gpu.return\n}\n}\n";
  }

private:
  int below(int count) { return random() % count; }
  std::string fresh(const char *what) { return what + std::to_string(++names); }
  std::string constant(int64_t value) {
    std::string name = fresh("%n");
    os << "  " << name << " = arith.constant " << value << " : index\n";
    return name;
  }
  std::string compute(const char *op, const std::string &a,
                      const std::string &b) {
    std::string name = fresh("%v");
    os << "  " << name << " = arith." << op << " " << a << ", " << b
       << " : index\n";
    return name;
  }
  /// Something that `known` makes.
  std::string derived(const std::vector<std::string> &known) {
    const std::string &one = known[below(known.size())];
    switch (below(5)) {
    case 0:
      return constant(below(9));
    case 1:
      return compute("minsi", one, constant(below(5)));
    case 2: {
      std::string is = fresh("%b"), name = fresh("%v"), other = constant(7);
      std::string bound = constant(below(4));
      os << "  " << is << " = arith.cmpi slt, " << one << ", " << bound
         << " : index\n  " << name << " = arith.select " << is << ", " << other
         << ", " << known[below(known.size())] << " : index\n";
      return name;
    }
    default:
      return compute("addi", one, constant(below(3)));
    }
  }

  void loop(std::vector<std::string> known, int depth) {
    int count = below(4) + 1;
    std::vector<std::string> carried, results;
    std::string low = constant(0), step = constant(1),
                high = below(3) ? constant(below(6)) : known[below(2)];
    std::string counter = fresh("%i"), head;
    for (int i = 0; i < count; ++i) {
      carried.push_back(fresh("%c"));
      head += (i ? ", " : "") + carried.back() + " = " +
              (below(2) ? known[below(known.size())] : constant(below(50)));
    }
    std::string result = fresh("%r");
    os << "  " << result << ":" << count << " = scf.for " << counter << " = "
       << low << " to " << high << " step " << step << " iter_args(" << head
       << ") -> (";
    for (int i = 0; i < count; ++i)
      os << (i ? ", index" : "index");
    os << ") {\n";
    std::vector<std::string> inside = known;
    inside.push_back(counter);
    for (const std::string &value : carried)
      read(value);
    if (depth > 1 && below(2)) {
      std::vector<std::string> both = inside;
      both.insert(both.end(), carried.begin(), carried.end());
      loop(both, depth - 1);
    }
    std::vector<std::string> next;
    for (int i = 0; i < count; ++i)
      switch (below(6)) {
      case 0:
        next.push_back(compute("addi", carried[i], constant(below(3))));
        break;
      case 1:
        next.push_back(derived(inside));
        break;
      case 2:
        next.push_back(derived(carried));
        break;
      case 3:
        next.push_back(compute("addi", carried[i], counter));
        break;
      default:
        next.push_back(carried[below(count)]);
      }
    os << "  scf.yield ";
    for (int i = 0; i < count; ++i)
      os << (i ? ", " : "") << next[i];
    os << " : ";
    for (int i = 0; i < count; ++i)
      os << (i ? ", index" : "index");
    os << "\n  }\n";
    for (int i = 0; i < count; ++i)
      read(result + "#" + std::to_string(i));
  }

  void read(const std::string &index) {
    std::string loaded = fresh("%l");
    os << "  " << loaded << " = memref.load %a" << arrays++ << "[" << index
       << "] : memref<9999xi32>\n  memref.store " << loaded
       << ", %q[] : memref<i32>\n";
  }

  std::mt19937 random;
  std::ostringstream os;
  int names = 0, arrays = 0;
};

/// What is touched of each array, in order.
std::map<int, std::vector<int64_t>>
byArray(const std::vector<swizzle::test::Touch> &touches,
        llvm::function_ref<int(int)> arrayOf) {
  std::map<int, std::vector<int64_t>> result;
  for (const swizzle::test::Touch &touch : touches)
    result[arrayOf(touch.buffer)].push_back(touch.byte);
  return result;
}

class Pipelines : public testing::Test {
protected:
  Pipelines() {
    DialectRegistry registry;
    registerAllDialects(registry);
    registerAllExtensions(registry);
    context.appendDialectRegistry(registry);
  }

  void check(unsigned seed) {
    std::string text = Writer(seed).write();
    SCOPED_TRACE(text);
    auto module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    FunctionOpInterface kernel;
    module->walk([&](gpu::GPUFuncOp func) { kernel = func; });
    KernelModel model = buildKernelModel(
        kernel, findLaunchSizes(kernel, std::nullopt, std::nullopt));
    ASSERT_EQ(verify(model), "");
    std::string printed;
    llvm::raw_string_ostream os(printed);
    printModel(model, os);
    std::set<int> listed;
    for (const NotModelled &access : model.notModelled)
      listed.insert(
          access.buffer < 0 ? -1 : int(model.buffers[access.buffer].argument));
    swizzle::test::Interpreter interpreter(kernel, model.grid, model.block, 1);
    auto itself = [](int buffer) { return buffer; };
    auto argument = [&](int buffer) {
      return int(model.buffers[buffer].argument);
    };
    for (int64_t x = 0; x < 3; ++x)
      for (int64_t t = 0; t < 2; ++t) {
        auto run = byArray(interpreter.run({x, 0, 0}, {t, 0, 0}), itself);
        ASSERT_EQ(interpreter.error, "");
        auto read = byArray(
            swizzle::test::enumerate(model, {x, 0, 0}, {t, 0, 0}), argument);
        for (auto &[array, bytes] : run) {
          ++met;
          if (listed.count(array))
            continue;
          ++modelled;
          EXPECT_EQ(read[array], bytes) << "arg" << array << " of thread " << t
                                        << " of workgroup " << x << "\n"
                                        << printed;
        }
        for (auto &[array, bytes] : read)
          EXPECT_TRUE(listed.count(array) || run.count(array))
              << "nothing touches arg" << array << "\n"
              << printed;
      }
  }

  MLIRContext context;
  size_t met = 0, modelled = 0;
};

TEST_F(Pipelines, AreReadAsTheyRun) {
  for (unsigned seed = 0; seed < 400 && !HasFailure(); ++seed)
    check(seed);
  // What follows from itself, other than by a constant, is not followed.
  EXPECT_GT(met, 5000u);
  EXPECT_GT(double(modelled), 0.6 * double(met));
}

} // namespace
