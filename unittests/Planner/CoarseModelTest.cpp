//===- CoarseModelTest.cpp - Tests of the first sieve's model -------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Planner/Footprints/CoarseModel.h"
#include "Kernels.h"
#include "swizzle/Hardware/Database.h"

#include "gtest/gtest.h"

using namespace swizzle;
using namespace swizzle::planner;
using namespace swizzle::models;

namespace {

/// Rows of tiles, in bands of `rows`.
planner::Order bands(int64_t rows) {
  LoopNest nest = LoopNest::rowMajor();
  if (rows > 1)
    nest.levels = {
        {2, 1, false}, {1, rows, false}, {0, 1, false}, {1, 1, false}};
  return {nest, CurveKind::None};
}

double dramBytes(const KernelModel &model, const planner::Order &order) {
  HardwareSpec chip = llvm::cantFail(findChip("h200"));
  CoarseModel coarse(model, chip, occupancy(model, chip));
  return coarse.evaluate(order).front().dramBytes;
}

// A workgroup of a long product takes so long to walk that not all lines that
// were picked can be followed.
TEST(CoarseModelTest, LinesThatAreFollowedStandForAll) {
  KernelModel model = gemmFp16(8192, 8192, 8192);
  double bytes = 0;
  for (const Buffer &buffer : model.buffers)
    bytes += double(buffer.bytes);
  ASSERT_GT(bytes, 0);
  for (int64_t rows : {1, 8})
    EXPECT_GT(dramBytes(model, bands(rows)), 0.9 * bytes) << rows;
}

// A wave reads what it covers once, however often it is used: in bands it
// covers about as many rows as columns of tiles, otherwise a few rows and all
// columns.
TEST(CoarseModelTest, EachWaveBeginsAllOver) {
  KernelModel model = gemmFp16(8192, 8192, 8192);
  EXPECT_LT(dramBytes(model, bands(16)), 0.75 * dramBytes(model, bands(1)));
}

} // namespace
