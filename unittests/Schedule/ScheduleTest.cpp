//===- ScheduleTest.cpp - Kernels of linalg compute what linalg says ------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All workgroups of a kernel run on the host; what they leave behind is
// compared with loops written down here. Inputs are small integers, so that the
// order of additions does not matter.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Schedule/Schedule.h"

#include "../Codegen/Host/HostTest.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <numeric>

using namespace swizzle;
using namespace swizzle::test;

namespace {

using Numbers = std::vector<float>;

/// Small integers that differ from place to place.
Numbers count(int64_t size, int step) {
  Numbers numbers(size);
  for (int64_t i = 0; i < size; ++i)
    numbers[i] = float(i * step % 7 - 3);
  return numbers;
}

class ScheduleTest : public HostTest {
protected:
  ScheduleTest() {
    mlir::DialectRegistry registry;
    registerScheduleDialects(registry);
    context.appendDialectRegistry(registry);
  }

  /// Schedules `text`, whose only function has `inputs` and then one result;
  /// runs its only kernel and returns the result.
  Numbers compute(const std::string &text, const std::vector<Numbers> &inputs,
                  int64_t threads = 256) {
    module = parse(text);
    ScheduleOptions schedule;
    schedule.threads = threads;
    if (!module || failed(scheduleForGpu(*module, schedule))) {
      ADD_FAILURE() << "not scheduled: " << text;
      return {};
    }
    std::vector<mlir::gpu::LaunchFuncOp> launches;
    module->walk([&](mlir::gpu::LaunchFuncOp op) { launches.push_back(op); });
    EXPECT_EQ(launches.size(), 1u) << text;
    options = HostOptions();
    unsigned result = 0;
    for (auto [index, operand] :
         llvm::enumerate(launches.at(0).getKernelOperands())) {
      auto argument = mlir::dyn_cast<mlir::BlockArgument>(operand);
      unsigned number = argument ? argument.getArgNumber() : inputs.size();
      if (number < inputs.size())
        give(index, inputs[number]);
      else
        result = index;
    }
    auto found = findKernel(*module, "");
    if (!found) {
      ADD_FAILURE() << llvm::toString(found.takeError());
      return {};
    }
    auto compiled = HostKernel::compile(*found, options);
    if (!compiled) {
      ADD_FAILURE() << llvm::toString(compiled.takeError());
      return {};
    }
    kernel = std::move(*compiled);
    Grid grid = kernel->grid();
    for (int64_t z = 0; z < grid.z(); ++z)
      for (int64_t y = 0; y < grid.y(); ++y)
        for (int64_t x = 0; x < grid.x(); ++x)
          if (llvm::Error error = kernel->run({x, y, z}, ThreadOrder::Ascending,
                                              Recording::Writes))
            ADD_FAILURE() << llvm::toString(std::move(error));
    return take<float>(result);
  }
};

std::string tensor(std::vector<int64_t> shape) {
  std::string text = "tensor<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + "f32>";
}

TEST_F(ScheduleTest, ProductsOfAwkwardSizes) {
  const int64_t sizes[][3] = {{64, 64, 16}, {20, 24, 12}, {7, 13, 11},
                              {1, 5, 9},    {132, 68, 8}, {128, 3, 1}};
  for (auto [m, n, k] : sizes)
    for (int64_t threads : {256, 32}) {
      std::string a = tensor({m, k}), b = tensor({k, n}), c = tensor({m, n});
      Numbers x = count(m * k, 3), y = count(k * n, 5);
      Numbers result =
          compute("func.func @f(%a: " + a + ", %b: " + b + ") -> " + c + R"( {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : )" +
                      c + R"(
  %start = linalg.fill ins(%zero : f32) outs(%empty : )" +
                      c + ") -> " + c +
                      R"(
  %r = linalg.matmul ins(%a, %b : )" +
                      a + ", " + b + ") outs(%start : " + c + ") -> " + c +
                      "\n  return %r : " + c + "\n}",
                  {x, y}, threads);
      Numbers expected(m * n);
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j)
          for (int64_t l = 0; l < k; ++l)
            expected[i * n + j] += x[i * k + l] * y[l * n + j];
      EXPECT_EQ(result, expected) << m << 'x' << n << 'x' << k;
    }
}

TEST_F(ScheduleTest, ProductsAndWhatIsDoneWithThem) {
  std::string a = tensor({24, 16}), b = tensor({16, 40}), c = tensor({24, 40});
  Numbers x = count(24 * 16, 3), y = count(16 * 40, 5), z = count(40, 2);
  Numbers result =
      compute("func.func @f(%a: " + a + ", %b: " + b +
                  ", %bias: " + tensor({40}) + ") -> " + c + R"( {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : )" +
                  c + R"(
  %start = linalg.fill ins(%zero : f32) outs(%empty : )" +
                  c + ") -> " + c + R"(
  %p = linalg.matmul ins(%a, %b : )" +
                  a + ", " + b + ") outs(%start : " + c + ") -> " + c + R"(
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%p, %bias : )" +
                  c + ", " + tensor({40}) + ") outs(%empty : " + c +
                  R"() {
    ^bb0(%x: f32, %y: f32, %unused: f32):
      %sum = arith.addf %x, %y : f32
      %relu = arith.maximumf %sum, %zero : f32
      linalg.yield %relu : f32
  } -> )" + c +
                  "\n  return %r : " + c + "\n}",
              {x, y, z});
  Numbers expected(24 * 40);
  for (int i = 0; i < 24; ++i)
    for (int j = 0; j < 40; ++j) {
      float sum = z[j];
      for (int l = 0; l < 16; ++l)
        sum += x[i * 16 + l] * y[l * 40 + j];
      expected[i * 40 + j] = std::max(sum, 0.0f);
    }
  EXPECT_EQ(result, expected);
}

TEST_F(ScheduleTest, Convolutions) {
  for (auto [extent, in, out] :
       {std::tuple{8, 4, 8}, std::tuple{5, 3, 7}, std::tuple{6, 8, 1}}) {
    std::string image = tensor({2, extent + 2, extent + 2, in}),
                window = tensor({3, 3, in, out}),
                result = tensor({2, extent, extent, out});
    Numbers x = count(2 * (extent + 2) * (extent + 2) * in, 3),
            w = count(9 * in * out, 5);
    Numbers computed = compute(
        "func.func @f(%a: " + image + ", %w: " + window + ") -> " + result +
            R"( {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : )" +
            result + R"(
  %start = linalg.fill ins(%zero : f32) outs(%empty : )" +
            result + ") -> " + result + R"(
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>,
                                 strides = dense<1> : tensor<2xi64>}
      ins(%a, %w : )" +
            image + ", " + window + ") outs(%start : " + result + ") -> " +
            result + "\n  return %r : " + result + "\n}",
        {x, w});
    Numbers expected(2 * extent * extent * out);
    for (int n = 0; n < 2; ++n)
      for (int i = 0; i < extent; ++i)
        for (int j = 0; j < extent; ++j)
          for (int o = 0; o < out; ++o) {
            float &sum = expected[((n * extent + i) * extent + j) * out + o];
            for (int di = 0; di < 3; ++di)
              for (int dj = 0; dj < 3; ++dj)
                for (int c = 0; c < in; ++c)
                  sum +=
                      x[((n * (extent + 2) + i + di) * (extent + 2) + j + dj) *
                            in +
                        c] *
                      w[((di * 3 + dj) * in + c) * out + o];
          }
    EXPECT_EQ(computed, expected) << extent << ' ' << in << ' ' << out;
  }
}

TEST_F(ScheduleTest, Transpositions) {
  for (auto [rows, columns] : {std::pair{64, 96}, std::pair{33, 20},
                               std::pair{7, 13}, std::pair{1, 100}}) {
    std::string from = tensor({rows, columns}), to = tensor({columns, rows});
    Numbers x(rows * columns);
    std::iota(x.begin(), x.end(), 0.0f);
    Numbers result =
        compute("func.func @f(%a: " + from + ") -> " + to + R"( {
  %empty = tensor.empty() : )" +
                    to + R"(
  %r = linalg.transpose ins(%a : )" +
                    from + ") outs(%empty : " + to +
                    ") permutation = [1, 0]\n  return %r : " + to + "\n}",
                {x});
    Numbers expected(rows * columns);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j)
        expected[j * rows + i] = x[i * columns + j];
    EXPECT_EQ(result, expected) << rows << 'x' << columns;
  }
}

TEST_F(ScheduleTest, ArithmeticOnTensors) {
  for (int64_t size : {1, 5, 1024, 1000, 4099}) {
    std::string type = tensor({size});
    Numbers x = count(size, 3), y = count(size, 5);
    Numbers result =
        compute("func.func @f(%a: " + type + ", %b: " + type + ") -> " + type +
                    " {\n  %s = arith.addf %a, " + "%b : " + type +
                    "\n  %r = arith.mulf %s, " + "%a : " + type +
                    "\n  return %r : " + type + "\n}",
                {x, y});
    Numbers expected(size);
    for (int64_t i = 0; i < size; ++i)
      expected[i] = (x[i] + y[i]) * x[i];
    EXPECT_EQ(result, expected) << size;
  }
}

TEST_F(ScheduleTest, ReductionsOverEitherDimension) {
  for (int dimension : {0, 1}) {
    const int rows = 37, columns = 24;
    std::string from = tensor({rows, columns}),
                to = tensor({dimension ? rows : columns});
    Numbers x = count(rows * columns, 3);
    Numbers result = compute(
        "func.func @f(%a: " + from + ") -> " + to + R"( {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : )" +
            to + R"(
  %start = linalg.fill ins(%zero : f32) outs(%empty : )" +
            to + ") -> " + to +
            R"(
  %r = linalg.reduce { arith.addf } ins(%a : )" +
            from + ") outs(%start : " + to + ") dimensions = [" +
            std::to_string(dimension) + "]\n  return %r : " + to + "\n}",
        {x});
    Numbers expected(dimension ? rows : columns);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j)
        expected[dimension ? i : j] += x[i * columns + j];
    EXPECT_EQ(result, expected) << dimension;
  }
}

} // namespace
