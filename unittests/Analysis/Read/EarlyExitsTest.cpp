//===- EarlyExitsTest.cpp - Loops that are left early ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random programs of loops, conditions on what memory holds, `break`,
// `continue` and `return`, against runs of them with random decisions. What a
// model has for certain is done in every run. Whatever a run does, the model
// has for certain, or lists as not modelled; and where what may be done counts
// as done, it has each place that is touched, or lists that access.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "swizzle/Analysis/Read/KernelAnalysis.h"
#include "swizzle/Kernel/PrintModel.h"

#include <gtest/gtest.h>
#include <random>
#include <set>
#include <sstream>

using namespace mlir;
using namespace swizzle;

namespace {

struct Step {
  enum Kind { Store, If, For, Until, Break, Continue, Return };
  Kind kind = Store;
  int line = 0;
  /// If: -1 if memory decides, else of the loop whose counter is below `bound`.
  int loop = -1;
  /// For, Until: turns, at most; Until: -1 if memory alone decides.
  int64_t bound = 0;
  std::vector<int64_t> factors; ///< Store: of the id and of each counter
  std::vector<Step> body, otherwise;
};

/// Writes random programs; with `isOpen`, some of which loop as long as memory
/// says so, and longer than a model has it.
class Generator {
public:
  explicit Generator(unsigned seed, bool isOpen = false)
      : random(seed), isOpen(isOpen) {}

  std::vector<Step> steps(int depth, int loops) {
    std::vector<Step> result;
    for (int i = below(3) + 1; i > 0; --i)
      result.push_back(step(depth, loops));
    return result;
  }
  int below(int count) { return random() % count; }

private:
  Step step(int depth, int loops) {
    Step step;
    step.line = ++lines;
    int choice = depth == 0 ? 0 : below(10);
    if (choice < 3) {
      step.factors.push_back(below(2) * 1000);
      for (int i = 0; i < loops; ++i)
        step.factors.push_back(below(3) * 10);
    } else if (choice < 6) {
      step.kind = Step::If;
      if (loops > 0 && below(3) == 0) {
        step.loop = below(loops);
        step.bound = isOpen && below(2) ? 15 + below(6) : below(4);
      }
      step.body = steps(depth - 1, loops);
      if (below(2))
        step.otherwise = steps(depth - 1, loops);
    } else if (choice < 8) {
      step.kind = below(isOpen ? 2 : 3) ? Step::For : Step::Until;
      step.bound = below(4);
      if (isOpen && step.kind == Step::Until)
        step.bound = -1;
      step.body = steps(depth - 1, loops + 1);
    } else {
      step.kind = loops == 0 || below(5) == 0 ? Step::Return
                  : below(2)                  ? Step::Break
                                              : Step::Continue;
    }
    return step;
  }

  std::mt19937 random;
  bool isOpen;
  int lines = 0;
};

/// Writes a program as blocks and branches.
class Writer {
public:
  std::string write(const std::vector<Step> &program) {
    os << "gpu.module @m {\n"
          "gpu.func @k(%a: memref<100000xi32>, %f: memref<1xi1>) kernel "
          "attributes {known_grid_size = array<i32: 3, 1, 1>, "
          "known_block_size = array<i32: 1, 1, 1>} {\n"
          "  %x = gpu.block_id x\n  %c0 = arith.constant 0 : index\n"
          "  %c1 = arith.constant 1 : index\n"
          "  %true = arith.constant true\n"
          "  %v = arith.constant 7 : i32\n  %w = arith.constant 7 : i64\n"
          "  %q = memref.alloca() : memref<1xi32>\n"
          "  %r = memref.alloca() : memref<1xi64>\n";
    steps(program);
    os << "  cf.br ^end\n^end:\n  gpu.return\n}\n}\n";
    return os.str();
  }

private:
  struct Labels {
    std::string counter, latch, exit;
  };

  std::string fresh(const char *what) { return what + std::to_string(++names); }
  std::string constant(int64_t value) {
    std::string name = fresh("%n");
    os << "  " << name << " = arith.constant " << value << " : index\n";
    return name;
  }
  std::string condition(const Step &step) {
    std::string name = fresh("%b");
    if (step.loop < 0) {
      os << "  " << name << " = memref.load %f[%c0] : memref<1xi1>\n";
      return name;
    }
    std::string bound = constant(step.bound);
    os << "  " << name << " = arith.cmpi slt, " << loops[step.loop].counter
       << ", " << bound << " : index\n";
    return name;
  }
  /// Leaves by `target` where memory says so, and goes on else.
  void leave(const Step &step, const std::string &target) {
    std::string go = fresh("^go");
    std::string where = condition(step);
    os << "  cf.cond_br " << where << ", " << target << ", " << go << "\n"
       << go << ":\n";
  }

  void steps(const std::vector<Step> &program) {
    for (const Step &one : program)
      step(one);
  }
  void step(const Step &one) {
    switch (one.kind) {
    case Step::Store: {
      // No two blocks are alike, or lowering would make one of them.
      for (int bit = 0; bit < 8; ++bit)
        os << (one.line >> bit & 1
                   ? "  memref.store %w, %r[%c0] : memref<1xi64>\n"
                   : "  memref.store %v, %q[%c0] : memref<1xi32>\n");
      std::string sum = constant(one.line);
      for (size_t i = 0; i < one.factors.size(); ++i) {
        std::string factor = constant(one.factors[i]);
        std::string part = fresh("%p"), more = fresh("%s");
        os << "  " << part << " = arith.muli " << factor << ", "
           << (i == 0 ? "%x" : loops[i - 1].counter) << " : index\n  " << more
           << " = arith.addi " << sum << ", " << part << " : index\n";
        sum = more;
      }
      os << "  memref.store %v, %a[" << sum
         << "] : memref<100000xi32> loc(\"k\":" << one.line << ":1)\n";
      return;
    }
    case Step::If: {
      std::string yes = fresh("^yes"), no = fresh("^no"), meet = fresh("^meet");
      std::string where = condition(one);
      os << "  cf.cond_br " << where << ", " << yes << ", " << no << "\n"
         << yes << ":\n";
      steps(one.body);
      os << "  cf.br " << meet << "\n" << no << ":\n";
      steps(one.otherwise);
      os << "  cf.br " << meet << "\n" << meet << ":\n";
      return;
    }
    case Step::Until: {
      // do { ... } while (!(found || ++i == bound));
      std::string body = fresh("^body"), go = fresh("^go");
      Labels labels{fresh("%i"), fresh("^latch"), fresh("^exit")};
      std::string bound = constant(one.bound + 1);
      os << "  cf.br " << body << "(%c0 : index)\n"
         << body << "(" << labels.counter << ": index):\n";
      loops.push_back(labels);
      steps(one.body);
      loops.pop_back();
      std::string next = fresh("%j"), last = fresh("%t"), done = fresh("%d");
      os << "  cf.br " << labels.latch << "\n" << labels.latch << ":\n";
      std::string found = condition(one);
      if (one.bound < 0) {
        os << "  " << next << " = arith.addi " << labels.counter
           << ", %c1 : index\n  cf.cond_br " << found << ", " << labels.exit
           << ", " << body << "(" << next << " : index)\n"
           << labels.exit << ":\n";
        return;
      }
      os << "  " << next << " = arith.addi " << labels.counter
         << ", %c1 : index\n  " << last << " = arith.cmpi eq, " << next << ", "
         << bound << " : index\n  " << done << " = ";
      if (one.line % 2)
        os << "arith.ori " << last << ", " << found << " : i1\n";
      else
        os << "arith.select " << found << ", %true, " << last << " : i1\n";
      os << "  cf.cond_br " << done << ", " << labels.exit << ", " << go << "\n"
         << go << ":\n  cf.br " << body << "(" << next << " : index)\n"
         << labels.exit << ":\n";
      return;
    }
    case Step::For: {
      std::string head = fresh("^head"), body = fresh("^body");
      Labels labels{fresh("%i"), fresh("^latch"), fresh("^exit")};
      std::string bound = constant(one.bound);
      std::string test = fresh("%t"), next = fresh("%j");
      os << "  cf.br " << head << "(%c0 : index)\n"
         << head << "(" << labels.counter << ": index):\n  " << test
         << " = arith.cmpi slt, " << labels.counter << ", " << bound
         << " : index\n  cf.cond_br " << test << ", " << body << ", "
         << labels.exit << "\n"
         << body << ":\n";
      loops.push_back(labels);
      steps(one.body);
      loops.pop_back();
      os << "  cf.br " << labels.latch << "\n"
         << labels.latch << ":\n  " << next << " = arith.addi "
         << labels.counter << ", %c1 : index\n  cf.br " << head << "(" << next
         << " : index)\n"
         << labels.exit << ":\n";
      return;
    }
    case Step::Break:
      return leave(one, loops.back().exit);
    case Step::Continue:
      return leave(one, loops.back().latch);
    case Step::Return:
      return leave(one, "^end");
    }
  }

  std::ostringstream os;
  std::vector<Labels> loops;
  int names = 0;
};

/// An element that a line touches.
using Place = std::pair<int, int64_t>;

/// Runs a program, with memory that says something else each time.
class Runner {
public:
  Runner(std::mt19937 &random, int64_t id) : random(random), id(id) {}

  std::set<Place> run(const std::vector<Step> &program) {
    (void)steps(program);
    return touched;
  }

private:
  enum class Flow { Next, Break, Continue, Return };

  bool holds(const Step &step) {
    return step.loop < 0 ? random() % 2 : counters[step.loop] < step.bound;
  }
  Flow steps(const std::vector<Step> &program) {
    for (const Step &one : program)
      if (Flow flow = step(one); flow != Flow::Next)
        return flow;
    return Flow::Next;
  }
  Flow step(const Step &one) {
    switch (one.kind) {
    case Step::Store: {
      int64_t at = one.line + one.factors[0] * id;
      for (size_t i = 1; i < one.factors.size(); ++i)
        at += one.factors[i] * counters[i - 1];
      touched.insert({one.line, at});
      return Flow::Next;
    }
    case Step::If:
      return steps(holds(one) ? one.body : one.otherwise);
    case Step::For:
    case Step::Until:
      for (int64_t i = 0; one.kind == Step::Until || i < one.bound; ++i) {
        counters.push_back(i);
        Flow flow = steps(one.body);
        counters.pop_back();
        if (flow == Flow::Return)
          return flow;
        if (flow == Flow::Break)
          break;
        if (one.kind == Step::Until && one.bound < 0
                ? random() % 20 == 0
                : one.kind == Step::Until && (holds(one) || i == one.bound))
          break;
      }
      return Flow::Next;
    case Step::Break:
      return holds(one) ? Flow::Break : Flow::Next;
    case Step::Continue:
      return holds(one) ? Flow::Continue : Flow::Next;
    case Step::Return:
      return holds(one) ? Flow::Return : Flow::Next;
    }
    return Flow::Next;
  }

  std::mt19937 &random;
  int64_t id;
  std::vector<int64_t> counters;
  std::set<Place> touched;
};

int lineOf(const std::string &location) {
  return std::stoi(location.substr(location.find(':') + 1));
}

/// Without what is only assumed, or without what is certain.
void keepOnly(std::vector<Statement> &body, bool assumed) {
  std::vector<Statement> kept;
  for (Statement &statement : body) {
    if (auto *access = std::get_if<Access>(&statement.node)) {
      if (access->assumed != assumed)
        continue;
    } else if (auto *loop = std::get_if<Loop>(&statement.node)) {
      keepOnly(loop->body, assumed);
    } else if (auto *guard = std::get_if<Guard>(&statement.node)) {
      keepOnly(guard->body, assumed);
      keepOnly(guard->otherwise, assumed);
    }
    kept.push_back(std::move(statement));
  }
  body = std::move(kept);
}

/// Bytes of the program's array that `model` touches in workgroup `id`.
std::set<int64_t> placesOf(const KernelModel &model, int64_t id) {
  std::set<int64_t> places;
  for (const test::Touch &touch : test::enumerate(model, {id, 0, 0}, {0, 0, 0}))
    if (model.buffers[touch.buffer].argument == 0)
      places.insert(touch.byte);
  return places;
}

class EarlyExits : public testing::Test {
protected:
  EarlyExits() {
    DialectRegistry registry;
    registerAllDialects(registry);
    registerAllExtensions(registry);
    context.appendDialectRegistry(registry);
  }

  void check(const std::vector<Step> &program, std::mt19937 &random) {
    std::string text = Writer().write(program);
    SCOPED_TRACE(text);
    auto module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    FunctionOpInterface kernel;
    module->walk([&](gpu::GPUFuncOp func) { kernel = func; });
    LaunchSizes sizes = findLaunchSizes(kernel, std::nullopt, std::nullopt);
    KernelModel model = buildKernelModel(kernel, sizes);
    ASSERT_EQ(verify(model), "");
    KernelModel certain = model;
    keepOnly(certain.body, /*assumed=*/false);
    sizes.anyWay = true;
    KernelModel any = buildKernelModel(kernel, sizes);
    std::set<int> perhaps, unknown;
    for (const NotModelled &access : model.notModelled)
      perhaps.insert(lineOf(access.location));
    for (const NotModelled &access : any.notModelled)
      unknown.insert(lineOf(access.location));
    for (int64_t id = 0; id < 3; ++id) {
      std::set<int64_t> always = placesOf(certain, id),
                        mostly = placesOf(any, id);
      for (int run = 0; run < 8; ++run) {
        std::set<int64_t> bytes;
        for (auto [line, element] : Runner(random, id).run(program)) {
          int64_t byte = element * 4;
          bytes.insert(byte);
          EXPECT_TRUE(always.count(byte) || perhaps.count(line))
              << "line " << line << " at " << byte << " in workgroup " << id;
          EXPECT_TRUE(mostly.count(byte) || unknown.count(line))
              << "line " << line << " at " << byte << " in workgroup " << id;
          runs += 1;
          met += mostly.count(byte);
        }
        for (int64_t byte : always)
          EXPECT_TRUE(bytes.count(byte)) << "nothing touches " << byte;
      }
    }
  }

  void checkPrograms(unsigned count, bool isOpen) {
    for (unsigned seed = 0; seed < count && !HasFailure(); ++seed) {
      std::vector<Step> program = Generator(seed, isOpen).steps(4, 0);
      std::mt19937 random(seed);
      check(program, random);
    }
  }

  MLIRContext context;
  size_t runs = 0, met = 0;
};

TEST_F(EarlyExits, AreReadAsLongerLoops) {
  checkPrograms(200, /*isOpen=*/false);
  // Next to nothing is left out.
  EXPECT_GT(runs, 5000u);
  EXPECT_GT(double(met), 0.98 * double(runs));
}

/// What is done in a turn that a model does not have is listed.
TEST_F(EarlyExits, AreNotProvedByTheTurnsOfAModel) {
  checkPrograms(150, /*isOpen=*/true);
  EXPECT_GT(runs, 5000u);
}

} // namespace
