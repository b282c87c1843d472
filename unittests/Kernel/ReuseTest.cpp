//===- ReuseTest.cpp - Reuse read off small models ------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Footprints against plain enumeration of every thread and counter, and the
// table for the shapes that matter: shared panels, halos, grouped heads.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Kernel/Reuse.h"
#include "../../lib/Kernel/Footprint.h"

#include "gtest/gtest.h"

#include <random>
#include <set>

using namespace swizzle;
using namespace swizzle::kernel;

namespace {

using Bytes = std::vector<std::set<int64_t>>;

/// The oracle: every thread, every counter, every byte.
class Enumerator {
public:
  Enumerator(const KernelModel &model, WorkgroupId id)
      : model(model), values(model.variables.size()),
        bytes(model.buffers.size()) {
    values[0] = id.x, values[1] = id.y, values[2] = id.z;
  }
  Bytes run() {
    for (values[5] = 0; values[5] < model.block.z(); ++values[5])
      for (values[4] = 0; values[4] < model.block.y(); ++values[4])
        for (values[3] = 0; values[3] < model.block.x(); ++values[3])
          walk(model.body);
    return bytes;
  }

private:
  void walk(const std::vector<Statement> &body) {
    for (const Statement &s : body) {
      evaluateDerived(model, values);
      if (auto *access = std::get_if<Access>(&s.node))
        touch(*access, evaluate(access->address, values), 0);
      else if (auto *loop = std::get_if<Loop>(&s.node)) {
        int64_t trip = INT64_MAX;
        for (const AffineForm &form : loop->tripCounts)
          trip = std::min(trip, evaluate(form, values));
        for (int64_t i = 0; i < trip; ++i) {
          values[loop->counter] = i;
          walk(loop->body);
        }
        values[loop->counter] = 0;
      } else if (auto *guard = std::get_if<Guard>(&s.node)) {
        bool all = true;
        for (const Condition &c : guard->conditions) {
          int64_t v = evaluate(c.form, values);
          all &= c.equality ? v == 0 : v >= 0;
        }
        walk(all ? guard->body : guard->otherwise);
      }
    }
  }
  void touch(const Access &access, int64_t address, size_t dim) {
    if (dim < access.box.size()) {
      for (int64_t i = 0; i < access.box[dim].count; ++i)
        touch(access, address + i * access.box[dim].stride, dim + 1);
      return;
    }
    for (int64_t byte = address; byte < address + access.bytes; ++byte)
      bytes[access.buffer].insert(byte);
  }
  const KernelModel &model;
  std::vector<int64_t> values;
  Bytes bytes;
};

Statement read(uint32_t buffer, AffineForm address, int64_t bytes = 4) {
  Access access;
  access.buffer = buffer;
  access.address = std::move(address);
  access.bytes = bytes;
  return {access};
}

TEST(FootprintTest, RandomModelsMatchEnumeration) {
  std::mt19937 random(7);
  auto pick = [&](int64_t low, int64_t high) {
    return low + int64_t(random() % (high - low + 1));
  };
  for (int round = 0; round < 300; ++round) {
    KernelModel model =
        KernelModel::create(Grid(4, 3, 2), Grid(pick(1, 5), pick(1, 3)));
    model.buffers.resize(1);
    VariableId k = model.addLoopCounter("k"), l = model.addLoopCounter("l");
    AffineForm flat = makeVariable(3) + makeVariable(4, model.block.x());
    VariableId q =
        model.addQuotient(flat + makeVariable(k, pick(0, 1)), pick(1, 4));
    // Of the outer loop alone, of a quotient, and one that nothing reads.
    VariableId ofLoop = model.addQuotient(
        makeVariable(k, 3) + makeVariable(0, pick(0, 1)), pick(1, 4));
    VariableId ofBoth = model.addQuotient(
        makeVariable(q, 5) - makeVariable(l, pick(0, 2)), pick(2, 6));
    model.addQuotient(makeVariable(ofBoth) + makeVariable(4), 3);
    auto form = [&] {
      AffineForm f = makeConstant(pick(-9, 30));
      for (VariableId v : {0u, 1u, 3u, 4u, k, l, q, ofLoop, ofBoth})
        if (pick(0, 2))
          f = f + makeVariable(v, pick(-12, 40));
      return f;
    };
    Statement access = read(0, form(), pick(1, 8));
    if (pick(0, 1))
      std::get<Access>(access.node).box = {{pick(1, 3), pick(-20, 20)},
                                           {pick(1, 3), pick(-9, 9)}};
    Guard guard;
    guard.conditions = {{form(), pick(0, 9) == 0}};
    guard.body = {access};
    if (pick(0, 1))
      guard.otherwise = {read(0, form())};
    Loop inner{
        l,
        {makeConstant(pick(1, 4)), makeVariable(k) + makeConstant(pick(0, 2))},
        {}};
    inner.body = {pick(0, 1) ? Statement{guard} : access};
    Loop outer{k, {makeConstant(pick(0, 4))}, {Statement{inner}}};
    model.body = {Statement{outer}};
    if (pick(0, 1))
      model.body.push_back(read(0, makeVariable(0, 7) + makeVariable(q, 3)));
    ASSERT_EQ(verify(model), "");
    WorkgroupId id{pick(0, 3), pick(0, 2), pick(0, 1)};
    std::set<int64_t> expected = Enumerator(model, id).run()[0], actual;
    std::vector<BufferFootprint> prints = footprint(model, id);
    for (Interval interval : prints[0].bytes)
      for (int64_t b = interval.low; b <= interval.high; ++b)
        EXPECT_TRUE(actual.insert(b).second);
    ASSERT_EQ(actual, expected) << "round " << round;
  }
}

/// Not measured in seconds: whoever evaluates all quotients of a kernel for
/// each access does not end.
TEST(FootprintTest, AccessesCostTheirOwnQuotients) {
  constexpr int64_t many = 1000, unread = 20'000, threads = 64, trips = 64;
  KernelModel model = KernelModel::create(Grid(4), Grid(threads));
  model.buffers.resize(1);
  VariableId k = model.addLoopCounter("k");
  Loop loop;
  loop.counter = k;
  loop.tripCounts = {makeConstant(trips)};
  for (int64_t i = 0; i < many; ++i) {
    VariableId q =
        model.addQuotient(makeVariable(3) + makeVariable(k, threads), 2);
    loop.body.push_back(
        read(0, makeVariable(q, 4) + makeConstant(i * 4 * threads * trips)));
  }
  for (int64_t i = 0; i < unread; ++i)
    model.addQuotient(makeVariable(3) + makeVariable(k), 3 + i);
  model.body = {{loop}};
  std::vector<BufferFootprint> prints = footprint(model, {0, 0, 0});
  ASSERT_EQ(prints[0].bytes.size(), size_t(many));
  for (int64_t i = 0; i < many; ++i)
    EXPECT_EQ(prints[0].bytes[i].low, i * 4 * threads * trips);
}

/// C[y, x] += A[y, k] * B[k, x] in tiles of 64 x 64, two bytes an element.
KernelModel product() {
  KernelModel model = KernelModel::create(Grid(16, 8), Grid(256));
  for (const char *name : {"a", "b", "c"})
    model.buffers.push_back({name, -1, 2, -1});
  VariableId k = model.addLoopCounter("k");
  VariableId row = model.addQuotient(makeVariable(3), 4);
  AffineForm column = makeVariable(3) - makeVariable(row, 4);
  Statement a = read(0,
                     makeVariable(1, 64 * 2048) + makeVariable(row, 2048) +
                         column * 16 + makeVariable(k, 64),
                     16);
  Statement b = read(1,
                     makeVariable(0, 128) + makeVariable(k, 32 * 2048) +
                         makeVariable(3, 2048),
                     128);
  Guard half;
  half.conditions = {{makeConstant(31) - makeVariable(3)}};
  half.body = {b};
  Loop loop{k, {makeConstant(32)}, {a, Statement{half}}};
  Access c;
  c.buffer = 2;
  c.kind = AccessKind::Write;
  c.issuer = Issuer::Workgroup;
  c.address = makeVariable(1, 64 * 2048) + makeVariable(0, 128);
  c.bytes = 128;
  c.box = {{64, 2048}};
  model.body = {Statement{loop}, Statement{c}};
  EXPECT_EQ(verify(model), "");
  return model;
}

TEST(ReuseTest, ProductSharesOnePanelAlongEachAxis) {
  KernelModel model = product();
  ReuseTable table = analyseReuse(model, 128);
  ASSERT_EQ(table.buffers.size(), 3u);
  EXPECT_EQ(table.buffers[0].bytesPerWorkgroup, 64 * 2048);
  EXPECT_EQ(table.buffers[0].axis[0], AxisReuse::Shared);
  EXPECT_EQ(table.buffers[0].axis[1], AxisReuse::None);
  EXPECT_EQ(table.buffers[0].axis[2], AxisReuse::Absent);
  EXPECT_EQ(table.buffers[1].axis[0], AxisReuse::None);
  EXPECT_EQ(table.buffers[1].axis[1], AxisReuse::Shared);
  EXPECT_EQ(table.buffers[1].bytesPerWorkgroup, 1024 * 128);
  EXPECT_EQ(table.buffers[2].axis[0], AxisReuse::None);
  EXPECT_TRUE(table.buffers[2].written);
  EXPECT_FALSE(table.buffers[2].read);
  EXPECT_EQ(describe(model, table.buffers[0]),
            "a: 128.0 KiB per workgroup; shared along x");
  EXPECT_EQ(describe(model, table.buffers[2]),
            "c: 8.0 KiB per workgroup; shared along no axis");
}

TEST(ReuseTest, HaloOverlaps) {
  // 32 x 8 points a workgroup, one point of halo each side.
  KernelModel model = KernelModel::create(Grid(8, 8), Grid(32, 8));
  model.buffers.push_back({"in", -1, 4, -1});
  AffineForm centre = makeVariable(0, 128) + makeVariable(3, 4) +
                      makeVariable(1, 8 * 1024) + makeVariable(4, 1024);
  for (int64_t offset : {0, -4, 4, -1024, 1024})
    model.body.push_back(read(0, centre + makeConstant(offset)));
  ReuseTable table = analyseReuse(model, 128);
  ASSERT_EQ(table.buffers.size(), 1u);
  EXPECT_EQ(table.buffers[0].axis[0], AxisReuse::Overlap);
  EXPECT_EQ(table.buffers[0].axis[1], AxisReuse::Overlap);
  EXPECT_GT(table.buffers[0].sharedFraction[0], 0.4);
  EXPECT_EQ(describe(model, table.buffers[0]),
            "in: 3.2 KiB per workgroup; overlaps along x and y");
}

/// 32 workgroups read words of one line: of their 32 pairs with the next one,
/// 31 share it, wherever the grid begins.
TEST(ReuseTest, WordsOfALineAreSharedByAllButOnePair) {
  for (int64_t extent : {64, 128, 129}) {
    KernelModel model = KernelModel::create(Grid(extent, 4), Grid(64));
    model.buffers.push_back({"in", -1, 4, -1});
    model.body = {read(0, makeVariable(0, 4), 4)};
    ReuseTable table = analyseReuse(model, 128);
    ASSERT_EQ(table.buffers.size(), 1u);
    EXPECT_EQ(table.buffers[0].axis[0], AxisReuse::Overlap);
    EXPECT_DOUBLE_EQ(table.buffers[0].sharedFraction[0], 31.0 / 32);
  }
}

TEST(ReuseTest, GroupsOfHeadsShare) {
  for (int64_t group : {2, 3, 4, 8}) {
    KernelModel model = KernelModel::create(Grid(4, 32), Grid(64));
    model.buffers.push_back({"k", -1, 2, -1});
    VariableId head = model.addQuotient(makeVariable(1), group);
    model.body = {read(0, makeVariable(head, 65536) + makeVariable(3, 16), 16)};
    ReuseTable table = analyseReuse(model, 128);
    EXPECT_EQ(table.buffers[0].axis[0], AxisReuse::Shared);
    EXPECT_NE(table.buffers[0].axis[1], AxisReuse::None) << group;
  }
}

/// Planes that a dilated stencil skips, and the same row of the next period.
TEST(ReuseTest, WorkgroupsFarApartShare) {
  for (int64_t dilation : {2, 3, 4, 7, 16, 32}) {
    KernelModel model = KernelModel::create(Grid(8, 97), Grid(32));
    model.buffers.push_back({"in", -1, 4, -1});
    AffineForm row =
        makeVariable(1, 1024) + makeVariable(0, 128) + makeVariable(3, 4);
    model.body = {read(0, row), read(0, row + makeConstant(dilation * 1024))};
    BufferReuse reuse = analyseReuse(model, 128).buffers.at(0);
    EXPECT_EQ(reuse.axis[1], AxisReuse::None) << dilation;
    EXPECT_EQ(reuse.distance[1], dilation);
    EXPECT_EQ(reuse.distance[0], 0) << dilation;
    EXPECT_EQ(describe(model, reuse),
              "in: 256 B per workgroup; overlaps along y at a distance of " +
                  std::to_string(dilation));
  }
  for (int64_t period : {2, 5, 100, 1000, 1024}) {
    KernelModel model = KernelModel::create(Grid(8, 4097), Grid(32));
    model.buffers.push_back({"table", -1, 4, -1});
    VariableId turn = model.addQuotient(makeVariable(1, 3), 3 * period);
    model.body = {read(0, makeVariable(1, 1024) +
                              makeVariable(turn, -1024 * period) +
                              makeVariable(0, 128) + makeVariable(3, 4))};
    BufferReuse reuse = analyseReuse(model, 128).buffers.at(0);
    EXPECT_EQ(reuse.axis[1], AxisReuse::None) << period;
    EXPECT_EQ(reuse.distance[1] % period, 0) << period;
    EXPECT_GT(reuse.distance[1], 0) << period;
  }
  // However many distances there are along the first axes.
  KernelModel deep = KernelModel::create(Grid(1 << 20, 1 << 20, 97), Grid(32));
  deep.buffers.push_back({"in", -1, 4, -1});
  AffineForm plane = makeVariable(2, int64_t(1) << 50) +
                     makeVariable(1, 1 << 27) + makeVariable(0, 128) +
                     makeVariable(3, 4);
  deep.body = {read(0, plane), read(0, plane + makeConstant(int64_t(7) << 50))};
  EXPECT_EQ(analyseReuse(deep, 128).buffers.at(0).distance,
            (std::array<int64_t, 3>{0, 0, 7}));
  // Nobody shares anything.
  KernelModel model = KernelModel::create(Grid(8, 97), Grid(32));
  model.buffers.push_back({"in", -1, 4, -1});
  model.body = {read(0, makeVariable(1, 1024) + makeVariable(0, 128) +
                            makeVariable(3, 4))};
  EXPECT_EQ(analyseReuse(model, 128).buffers.at(0).distance,
            (std::array<int64_t, 3>{0, 0, 0}));
}

/// Thousands of accesses, each of which has to be gone through value by value.
TEST(FootprintTest, AllAccessesTogetherAreBounded) {
  KernelModel model = KernelModel::create({64, 64}, {1024});
  model.buffers = {{"a", 1 << 24, 4}};
  VariableId i = model.addLoopCounter("i");
  Loop loop{i, {makeConstant(128)}, {}};
  for (int64_t k = 0; k < 4096; ++k) {
    AffineForm mixed = makeVariable(kThreadIdX, 37) + makeVariable(i);
    Access access;
    access.bytes = 4;
    access.address = makeVariable(model.addQuotient(mixed, 3 + k), 4);
    loop.body.push_back({access});
  }
  model.body.push_back({loop});
  int64_t steps = 0;
  footprint(model, {1, 2, 0}, &steps);
  EXPECT_GT(steps, int64_t(1) << 22);
  EXPECT_LT(steps, (int64_t(1) << 22) + (int64_t(1) << 17) + 4096 * 1024);
}

TEST(ReuseTest, BigFootprintsAreClosedForm) {
  // 64 GiB read by one workgroup through three loops.
  KernelModel model = KernelModel::create(Grid(2), Grid(1024));
  model.buffers.push_back({"a", -1, 4, -1});
  VariableId i = model.addLoopCounter("i"), j = model.addLoopCounter("j");
  Loop inner{j,
             {makeConstant(1 << 12)},
             {read(0,
                   makeVariable(3, 16) + makeVariable(j, 1 << 14) +
                       makeVariable(i, 1 << 26),
                   16)}};
  model.body = {
      Statement{Loop{i, {makeConstant(1 << 10)}, {Statement{inner}}}}};
  ReuseTable table = analyseReuse(model, 128);
  EXPECT_EQ(table.buffers[0].bytesPerWorkgroup, int64_t(1) << 36);
  EXPECT_EQ(table.buffers[0].axis[0], AxisReuse::Shared);
}

TEST(ReuseTest, NothingAccessedIsAnEmptyTable) {
  KernelModel model = KernelModel::create(Grid(4), Grid(64));
  EXPECT_TRUE(analyseReuse(model, 128).buffers.empty());
  model.grid = Grid(0);
  EXPECT_TRUE(analyseReuse(model, 128).buffers.empty());
}

} // namespace
