//===- IndependenceTest.cpp - Disjointness against brute force ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random small models, with guards, loops, quotients and boxes, judged and then
// run: every byte that every workgroup touches is written down, and the verdict
// must agree in both directions. A counterexample must be one.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Analysis/Legality/Independence.h"
#include "swizzle/Analysis/Legality/Legality.h"
#include "swizzle/Kernel/ExistingRemap.h"

#include "Sites/EachWorkgroup.h"
#include "gtest/gtest.h"

#include <map>
#include <random>
#include <set>

using namespace swizzle;

namespace {

/// What each workgroup does to each byte of each buffer, by running the model.
class Runner {
public:
  explicit Runner(const KernelModel &model) : model(model) {
    std::vector<int64_t> values(model.variables.size(), 0);
    for (int64_t id = 0; id < model.grid.count(); ++id) {
      workgroup = id;
      WorkgroupId at = delinearise(id, model.grid);
      for (int64_t t = 0; t < model.block.count(); ++t) {
        WorkgroupId thread = delinearise(t, model.block);
        values[0] = at.x, values[1] = at.y, values[2] = at.z;
        values[3] = thread.x, values[4] = thread.y, values[5] = thread.z;
        evaluateDerived(model, values);
        run(model.body, values);
      }
    }
  }

  using Touches = std::map<int64_t, std::set<AccessKind>>; ///< by workgroup
  std::map<std::pair<uint32_t, int64_t>, Touches> bytes;

  /// In one buffer, or in any.
  bool conflicts(std::optional<uint32_t> buffer = std::nullopt) const {
    for (const auto &[byte, touches] : bytes)
      for (const auto &[first, kinds] : touches)
        for (const auto &[second, others] : touches)
          if (first != second && meet(kinds, others) &&
              byte.first == buffer.value_or(byte.first))
            return true;
    return false;
  }

  static bool meet(const std::set<AccessKind> &a,
                   const std::set<AccessKind> &b) {
    for (AccessKind x : a)
      for (AccessKind y : b)
        if (x != y || x == AccessKind::Write)
          return true;
    return false;
  }

private:
  void run(const std::vector<Statement> &body, std::vector<int64_t> &values) {
    for (const Statement &statement : body) {
      if (auto *access = std::get_if<Access>(&statement.node)) {
        touch(*access, evaluate(access->address, values), 0);
      } else if (auto *loop = std::get_if<Loop>(&statement.node)) {
        int64_t trip = INT64_MAX;
        for (const AffineForm &form : loop->tripCounts)
          trip = std::min(trip, evaluate(form, values));
        for (int64_t i = 0; i < trip; ++i) {
          values[loop->counter] = i;
          evaluateDerived(model, values);
          run(loop->body, values);
        }
      } else if (auto *guard = std::get_if<Guard>(&statement.node)) {
        bool holds = true;
        for (const Condition &condition : guard->conditions) {
          int64_t value = evaluate(condition.form, values);
          holds &= condition.equality ? value == 0 : value >= 0;
        }
        run(holds ? guard->body : guard->otherwise, values);
      }
    }
  }

  void touch(const Access &access, int64_t address, size_t dim) {
    if (dim < access.box.size()) {
      for (int64_t i = 0; i < access.box[dim].count; ++i)
        touch(access, address + i * access.box[dim].stride, dim + 1);
      return;
    }
    for (int64_t b = 0; b < access.bytes; ++b)
      bytes[{access.buffer, address + b}][workgroup].insert(access.kind);
  }

  const KernelModel &model;
  int64_t workgroup = 0;
};

/// Random models with a bias towards the shapes of real kernels.
class ModelMaker {
public:
  explicit ModelMaker(unsigned seed) : random(seed) {}

  KernelModel make() {
    KernelModel model = KernelModel::create(
        Grid(pick(1, pick(0, 3) ? 5 : 13), pick(1, 4), pick(1, 2)),
        Grid(pick(1, 4), pick(1, 2)));
    model.buffers.push_back({"a", -1, 4, 0});
    model.buffers.push_back({"b", -1, 4, 1});
    std::vector<VariableId> usable = {0, 1, 2, 3, 4};
    if (pick(0, 2) == 0) {
      // Rows and columns of tiles from one id, and groups of them.
      AffineForm id = makeVariable(0, pick(0, 3) ? 1 : 2);
      int64_t divisor = pick(2, 3);
      usable.push_back(model.addQuotient(id, divisor));
      if (pick(0, 1))
        usable.push_back(model.addQuotient(id, divisor * 2));
    }
    if (pick(0, 2) == 0) {
      // Rows of lanes: quotients of the linear thread id, one within another.
      AffineForm linear = makeVariable(3) + makeVariable(4, model.block.x());
      VariableId pair = model.addQuotient(linear, 2);
      usable.push_back(pair);
      if (pick(0, 1))
        usable.push_back(pick(0, 1) ? model.addQuotient(linear, 4)
                                    : model.addQuotient(makeVariable(pair), 2));
    }
    if (pick(0, 3) == 0) // rows of one number for all threads of the grid
      usable.push_back(model.addQuotient(makeVariable(0, pick(1, 4)) +
                                             makeVariable(3) +
                                             makeConstant(pick(-2, 1)),
                                         pick(2, 5)));
    bool loop = pick(0, 2) == 0;
    VariableId counter = loop ? model.addLoopCounter("k") : 0;
    if (loop)
      usable.push_back(counter);
    std::vector<Statement> body;
    for (int64_t n = pick(1, 3); n > 0; --n)
      body.push_back(statement(model, usable));
    if (loop) {
      Loop wrapped;
      wrapped.counter = counter;
      wrapped.tripCounts.push_back(makeConstant(pick(1, 3)));
      if (pick(0, 1))
        wrapped.tripCounts.push_back(makeVariable(0) +
                                     makeConstant(pick(0, 1)));
      wrapped.body = std::move(body);
      model.body.push_back({std::move(wrapped)});
    } else {
      model.body = std::move(body);
    }
    return model;
  }

private:
  int64_t pick(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }

  AffineForm form(const std::vector<VariableId> &usable, int64_t unit) {
    AffineForm result = makeConstant(unit * pick(-1, 2));
    static const int64_t kFactors[] = {0, 0, 1, 2, 3, 4, 5, 8, 12, 20, -1};
    for (VariableId variable : usable)
      result = result + makeVariable(variable) * (unit * kFactors[pick(0, 10)]);
    return result;
  }

  Statement statement(KernelModel &model,
                      const std::vector<VariableId> &usable) {
    Access access;
    access.buffer = pick(0, 3) == 0;
    access.kind = AccessKind(pick(0, 5) < 3 ? 1 : pick(0, 2));
    access.bytes = pick(0, 1) ? 4 : 2;
    access.address = form(usable, pick(0, 3) ? 4 : 1);
    if (pick(0, 3) == 0)
      access.box.push_back({pick(1, 3), 4 * pick(1, 5)});
    if (pick(0, 2))
      return {access};
    Guard guard;
    for (int64_t n = pick(1, 2); n > 0; --n)
      guard.conditions.push_back(
          {makeConstant(pick(0, 6)) - form(usable, 1), pick(0, 4) == 0});
    (pick(0, 2) ? guard.body : guard.otherwise).push_back({access});
    return {guard};
  }

  std::mt19937 random;
};

TEST(Independence, AgreesWithBruteForce) {
  int independent = 0, dependent = 0, unknown = 0;
  for (unsigned seed = 0; seed < 800; ++seed) {
    KernelModel model = ModelMaker(seed).make();
    ASSERT_EQ(verify(model), "") << "seed " << seed;
    Runner truth(model);
    Independence verdict = judgeIndependence(model);
    if (verdict.counterexample) {
      ++dependent;
      const CrossWorkgroupAccess &found = *verdict.counterexample;
      ASSERT_FALSE(found.writer == found.other) << "seed " << seed;
      auto touches = truth.bytes.find({found.writes.buffer, found.byte});
      ASSERT_NE(touches, truth.bytes.end()) << "seed " << seed;
      const auto &writer = touches->second[linearise(found.writer, model.grid)];
      const auto &other = touches->second[linearise(found.other, model.grid)];
      EXPECT_TRUE(writer.count(found.writes.kind)) << "seed " << seed;
      EXPECT_TRUE(other.count(found.touches.kind)) << "seed " << seed;
      EXPECT_NE(found.writes.kind, AccessKind::Read) << "seed " << seed;
    } else if (verdict.assumptions.empty()) {
      ++independent;
      EXPECT_FALSE(truth.conflicts()) << "seed " << seed;
    } else {
      ++unknown;
    }
  }
  // The models must be a mixture, or the test shows nothing.
  EXPECT_GT(independent, 80);
  EXPECT_GT(dependent, 80);
  EXPECT_LT(unknown, 80);
}

/// What is found apart by going through all workgroups is apart, and most of
/// what is apart is found.
TEST(EachWorkgroup, AgreesWithBruteForce) {
  int found = 0, apart = 0;
  for (unsigned seed = 10'000; seed < 14'000; ++seed) {
    KernelModel model = ModelMaker(seed).make();
    ASSERT_EQ(verify(model), "") << "seed " << seed;
    Runner truth(model);
    std::vector<analysis::AccessSite> sites =
        analysis::collectAccessSites(model);
    for (uint32_t buffer = 0; buffer < 2; ++buffer) {
      std::vector<const analysis::AccessSite *> ofBuffer;
      for (const analysis::AccessSite &site : sites)
        if (site.access->buffer == buffer)
          ofBuffer.push_back(&site);
      analysis::WorkBudget budget{1 << 20};
      bool isFound = analysis::stayApartOneByOne(model, ofBuffer, budget);
      bool isApart = !truth.conflicts(buffer);
      EXPECT_FALSE(isFound && !isApart) << "seed " << seed;
      bool isTrivial = ofBuffer.empty() || model.grid.count() == 1;
      found += isFound && !isTrivial;
      apart += isApart && !isTrivial;
    }
  }
  EXPECT_GT(apart, 400);
  EXPECT_GT(found * 10, apart * 7) << found << " of " << apart;
}

/// One store a thread: rows of `width` elements, tiles of 4 x 2.
KernelModel makeTiles(int64_t width, bool guarded) {
  KernelModel model = KernelModel::create(Grid(5, 3), Grid(4, 2));
  model.buffers.push_back({"a", -1, 4, 0});
  AffineForm column = makeVariable(0, 4) + makeVariable(3);
  AffineForm row = makeVariable(1, 2) + makeVariable(4);
  Access access;
  access.kind = AccessKind::Write;
  access.address = row * (4 * width) + column * 4;
  if (!guarded) {
    model.body.push_back({access});
    return model;
  }
  Guard guard;
  guard.conditions.push_back({makeConstant(width - 1) - column, false});
  guard.body.push_back({access});
  model.body.push_back({guard});
  return model;
}

TEST(Independence, RaggedTilesNeedTheirGuard) {
  EXPECT_FALSE(judgeIndependence(makeTiles(20, false)).counterexample);
  EXPECT_TRUE(judgeIndependence(makeTiles(18, false)).counterexample);
  Independence guarded = judgeIndependence(makeTiles(18, true));
  EXPECT_FALSE(guarded.counterexample);
  EXPECT_TRUE(guarded.assumptions.empty());
}

/// Tiles of `rows` by 512 bytes, taken in groups of 8 rows from one id, as
/// products do; a row has `pitch` bytes.
KernelModel makeGroupedTiles(int64_t rows, int64_t pitch) {
  KernelModel model = KernelModel::create(Grid(4096), Grid(128));
  model.buffers.push_back({"c", -1, 4, 0});
  AffineForm group = makeVariable(model.addQuotient(makeVariable(0), 512));
  AffineForm eighth = makeVariable(model.addQuotient(makeVariable(0), 8));
  AffineForm lane = makeVariable(model.addQuotient(makeVariable(3), 32));
  AffineForm row = group * 8 + makeVariable(0) - eighth * 8;
  AffineForm column = eighth - group * 64;
  Access access;
  access.kind = AccessKind::Write;
  access.bytes = 16;
  access.address = (row * rows + lane) * pitch + column * 512 +
                   (makeVariable(3) - lane * 32) * 16;
  model.body.push_back({access});
  return model;
}

TEST(Independence, TilesOfOneIdAreToldApart) {
  Independence apart = judgeIndependence(makeGroupedTiles(4, 64 * 512));
  EXPECT_FALSE(apart.counterexample);
  EXPECT_TRUE(apart.assumptions.empty());
  EXPECT_TRUE(judgeIndependence(makeGroupedTiles(3, 64 * 512)).counterexample);
  EXPECT_TRUE(judgeIndependence(makeGroupedTiles(4, 63 * 512)).counterexample);
}

/// Tiles of 64 x 64 elements by workgroups that are dealt out over 8 dies,
/// `each` to one, and taken row by row afterwards; row after row of `columns`
/// tiles.
KernelModel makeDealtTiles(int64_t workgroups, int64_t each, int64_t columns) {
  KernelModel model = KernelModel::create(Grid(workgroups), Grid(256));
  model.buffers.push_back({"c", -1, 4, 0});
  VariableId turn = model.addQuotient(makeVariable(0), 8);
  AffineForm id = makeVariable(0, each) - makeVariable(turn, 8 * each - 1);
  VariableId row = model.addQuotient(id, columns);
  VariableId lane = model.addQuotient(makeVariable(3), 64);
  int64_t pitch = columns * 256;
  Access access;
  access.kind = AccessKind::Write;
  access.address =
      (makeVariable(row, 64) + makeVariable(3) - makeVariable(lane, 64)) *
          pitch +
      (id - makeVariable(row, columns)) * 256 + makeVariable(lane, 4);
  model.body.push_back({access});
  return model;
}

TEST(Independence, DealtTilesAreToldApart) {
  for (int64_t workgroups : {64, 512, 4096, 65536}) {
    Independence verdict =
        judgeIndependence(makeDealtTiles(workgroups, workgroups / 8, 64));
    EXPECT_FALSE(verdict.counterexample) << workgroups;
    EXPECT_TRUE(verdict.assumptions.empty()) << workgroups;
  }
  // The last of a die is the first of the next one.
  Independence verdict = judgeIndependence(makeDealtTiles(4096, 511, 64));
  EXPECT_TRUE(verdict.counterexample || !verdict.assumptions.empty());
  // Too many to go through.
  EXPECT_FALSE(
      judgeIndependence(makeDealtTiles(int64_t(1) << 28, int64_t(1) << 25, 64))
          .counterexample);
}

TEST(Independence, UnmodelledWriteIsAnAssumption) {
  KernelModel model = makeTiles(20, false);
  model.notModelled.push_back({"memref.store of a", "loaded from memory", "", 0,
                               AccessKind::Write, ""});
  Independence verdict = judgeIndependence(model);
  EXPECT_FALSE(verdict.counterexample);
  EXPECT_EQ(verdict.assumptions.size(), 1u);
}

/// Every workgroup updates one byte; `b` is the update of a second access.
static Independence judgeUpdates(const char *a, const char *b) {
  KernelModel model = KernelModel::create(Grid(4), Grid(1));
  model.buffers.push_back({"a", 64, 4, 0});
  for (const char *update : {a, b}) {
    Access access;
    access.kind = AccessKind::Atomic;
    access.update = update;
    model.body.push_back({access});
  }
  return judgeIndependence(model);
}

TEST(Independence, UpdatesCommuteWithThemselvesOnly) {
  EXPECT_FALSE(judgeUpdates("add.i32", "add.i32").counterexample);
  for (const char *other : {"add.i64", "max.i32", "fadd.f32", ""}) {
    Independence verdict = judgeUpdates("add.i32", other);
    ASSERT_TRUE(verdict.counterexample) << other;
    EXPECT_TRUE(verdict.counterexample->updates());
  }
}

TEST(Independence, NominalSizesAreAnAssumption) {
  KernelModel model = makeTiles(18, false);
  model.assumed.push_back("dim 1 of arg0 = 18 (nominal)");
  Independence verdict = judgeIndependence(model);
  // Tiles four apart meet only because of the nominal width.
  EXPECT_FALSE(verdict.counterexample);
  ASSERT_EQ(verdict.assumptions.size(), 1u);
  EXPECT_NE(verdict.assumptions[0].find("nominal"), std::string::npos);
}

//===----------------------------------------------------------------------===//
// Remaps by hand
//===----------------------------------------------------------------------===//

/// Rows and columns of an 8 x 6 grid of tiles, addressed by two forms.
KernelModel makeOrder(const AffineForm &row, const AffineForm &column,
                      KernelModel model) {
  model.buffers.push_back({"a", -1, 4, 0});
  model.buffers.push_back({"b", -1, 4, 1});
  model.buffers.push_back({"c", -1, 4, 2});
  auto add = [&](uint32_t buffer, const AffineForm &address, AccessKind kind) {
    Access access;
    access.buffer = buffer;
    access.address = address;
    access.kind = kind;
    model.body.push_back({access});
  };
  add(0, row * 4096, AccessKind::Read);
  add(1, column * 64, AccessKind::Read);
  add(2, row * 4096 + column * 64, AccessKind::Write);
  return model;
}

TEST(ExistingRemap, RowAndColumnMajorAreNone) {
  KernelModel two = KernelModel::create(Grid(8, 6), Grid(1));
  EXPECT_EQ(findExistingRemap(makeOrder(makeVariable(1), makeVariable(0), two)),
            "");
  EXPECT_EQ(findExistingRemap(makeOrder(makeVariable(0), makeVariable(1), two)),
            "");
  KernelModel one = KernelModel::create(Grid(48), Grid(1));
  VariableId quotient = one.addQuotient(makeVariable(0), 8);
  AffineForm row = makeVariable(quotient);
  AffineForm column = makeVariable(0) - makeVariable(quotient, 8);
  EXPECT_EQ(findExistingRemap(makeOrder(row, column, one)), "");
  EXPECT_EQ(findExistingRemap(makeOrder(column, row, one)), "");
}

TEST(ExistingRemap, SuperGroupsAreFound) {
  // Groups of 2 rows over 8 columns: i -> row 2 * (i / 16) + i % 2,
  // column i % 16 / 2.
  KernelModel model = KernelModel::create(Grid(48), Grid(1));
  VariableId group = model.addQuotient(makeVariable(0), 16);
  VariableId half = model.addQuotient(makeVariable(0), 2);
  AffineForm row =
      makeVariable(group, 2) + makeVariable(0) - makeVariable(half, 2);
  AffineForm column = makeVariable(half) - makeVariable(group, 8);
  EXPECT_EQ(findExistingRemap(makeOrder(row, column, model)),
            "the tiles are walked in groups of 2 along one axis");
}

/// Workgroups of 256 threads, three of which read one element.
TEST(ExistingRemap, UnevenStepsThatRiseAreNone) {
  KernelModel model = KernelModel::create(Grid(50), Grid(1));
  AffineForm first = makeVariable(model.addQuotient(makeVariable(0, 256), 3));
  EXPECT_EQ(findExistingRemap(makeOrder(first, makeVariable(0), model)), "");
  EXPECT_EQ(findExistingRemap(makeOrder(first * -1, makeVariable(0), model)),
            "consecutive workgroups do not walk the tiles in rows or columns");
}

TEST(ExistingRemap, DealingIsFound) {
  // i -> (i % 4) * 12 + i / 4.
  KernelModel model = KernelModel::create(Grid(48), Grid(1));
  VariableId quarter = model.addQuotient(makeVariable(0), 4);
  AffineForm tile =
      (makeVariable(0) - makeVariable(quarter, 4)) * 12 + makeVariable(quarter);
  EXPECT_EQ(findExistingRemap(makeOrder(tile, makeConstant(0), model)),
            "workgroups are dealt in turn to 4 contiguous shares of the tiles");
}

} // namespace
