//===- DescribeLaunchTest.cpp - From a model to a launch ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Directions follow the accesses, modelled or not, and what the model leaves
// open is said.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Kernel/DescribeLaunch.h"

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <algorithm>

using namespace swizzle;

namespace {

Statement access(uint32_t buffer, AccessKind kind) {
  Access access;
  access.buffer = buffer;
  access.kind = kind;
  return {access};
}

KernelModel sample() {
  KernelModel model = KernelModel::create({64, 32}, {256});
  model.name = "kernel";
  model.buffers = {{"a", 4096, 2, 0},
                   {"b", 1024, 4, 1},
                   {"c", -1, 4, 3},
                   {"global", 64, 4, -1}};
  Loop loop;
  loop.body = {access(0, AccessKind::Read)};
  Guard guard;
  guard.body = {access(1, AccessKind::Write)};
  guard.otherwise = {access(2, AccessKind::Atomic)};
  model.body = {{loop}, {guard}};
  model.boundSizes = {{4, -1, 77}, {0, 1, 32}};
  return model;
}

const BufferArgument &bufferOf(const LaunchDescription &launch, size_t index) {
  return std::get<BufferArgument>(launch.arguments.at(index).value);
}

TEST(DescribeLaunch, FollowsTheAccesses) {
  LaunchDescription launch = describeLaunch(sample());
  EXPECT_EQ(launch.kernel, "kernel");
  EXPECT_EQ(launch.grid, (std::array<int64_t, 3>{64, 32, 1}));
  EXPECT_EQ(launch.block, (std::array<int64_t, 3>{256, 1, 1}));
  ASSERT_EQ(launch.arguments.size(), 4u);
  EXPECT_EQ(bufferOf(launch, 0).direction, Direction::In);
  EXPECT_EQ(bufferOf(launch, 0).bytes, 4096);
  EXPECT_EQ(bufferOf(launch, 0).elementBytes, 2);
  EXPECT_EQ(bufferOf(launch, 0).fill.kind, FillKind::Random);
  EXPECT_EQ(bufferOf(launch, 1).direction, Direction::Out);
  EXPECT_EQ(bufferOf(launch, 1).fill.kind, FillKind::Zeros);
  EXPECT_EQ(bufferOf(launch, 2).direction, Direction::InOut);
  auto &scalar = std::get<ScalarArgument>(launch.arguments[3].value);
  EXPECT_EQ(std::get<int64_t>(scalar.value), 77);
}

TEST(DescribeLaunch, PassesTheWorkgroupMemoryThatIsAdded) {
  KernelModel model = sample();
  EXPECT_EQ(describeLaunch(model).dynamicWorkgroupBytes, 0);
  model.dynamicWorkgroupBytes = 4096;
  EXPECT_EQ(describeLaunch(model).dynamicWorkgroupBytes, 4096);
}

TEST(DescribeLaunch, WhatIsNotModelledMayTouchABuffer) {
  KernelModel model = sample();
  model.notModelled.push_back(
      {"store", "index is loaded", "", 0, AccessKind::Write, ""});
  EXPECT_EQ(bufferOf(describeLaunch(model), 0).direction, Direction::InOut);
  model = sample();
  model.notModelled.push_back(
      {"load", "unknown base", "", -1, AccessKind::Read, ""});
  EXPECT_EQ(bufferOf(describeLaunch(model), 1).direction, Direction::InOut);
}

TEST(DescribeLaunch, SaysWhatIsPassedTwice) {
  KernelModel model = sample();
  KernelArgument memory;
  memory.kind = KernelArgument::Kind::MemRef;
  memory.type = ElementType::F32;
  model.arguments.assign(6, memory);
  model.buffers[0].otherArguments = {5};
  std::vector<std::string> unknown;
  describeLaunch(model, &unknown);
  EXPECT_TRUE(llvm::is_contained(
      unknown,
      "arg5: it is the memory of a, which arguments of a job are not"));
}

TEST(DescribeLaunch, SaysWhatTheModelLeavesOpen) {
  KernelModel model = sample();
  model.gridKnown[1] = false;
  std::vector<std::string> unknown;
  describeLaunch(model, &unknown);
  std::vector<std::string> expected = {
      "the grid's extent in y: the model assumes 32",
      "a: the type of its elements",
      "b: the type of its elements",
      "c: the type of its elements",
      "c: its size",
      "arg4: its type; a number of 64 bits is assumed"};
  std::vector<std::string> rest(unknown);
  auto missing = std::find(
      rest.begin(), rest.end(),
      "arg2: neither a buffer that is accessed nor a number that is known");
  ASSERT_NE(missing, rest.end());
  rest.erase(missing);
  EXPECT_EQ(rest, expected);
}

TEST(DescribeLaunch, TypesAreThoseOfTheIR) {
  using Kind = KernelArgument::Kind;
  KernelModel model = sample();
  model.boundSizes.push_back({3, 0, 8});
  model.arguments = {{Kind::MemRef, ElementType::F16, {64, 32}, {32, 1}},
                     {Kind::Pointer},
                     {Kind::TensorMap},
                     {Kind::MemRef, ElementType::F32, {-1, 4}, {-1, 1}},
                     {Kind::Scalar, ElementType::I32},
                     {Kind::Pointer, ElementType::F32}};
  std::vector<std::string> unknown;
  LaunchDescription launch = describeLaunch(model, &unknown);
  ASSERT_EQ(launch.arguments.size(), 5u);
  EXPECT_EQ(bufferOf(launch, 0).type, ElementType::F16);
  EXPECT_EQ(bufferOf(launch, 0).strides, (std::vector<int64_t>{32, 1}));
  EXPECT_TRUE(bufferOf(launch, 1).sizes.empty()) << "a pointer stays one";
  EXPECT_EQ(bufferOf(launch, 1).type, ElementType::Unknown);
  EXPECT_EQ(bufferOf(launch, 2).sizes, (std::vector<int64_t>{8, 4}));
  EXPECT_EQ(bufferOf(launch, 2).strides, (std::vector<int64_t>{4, 1}));
  EXPECT_EQ(std::get<ScalarArgument>(launch.arguments[3].value).type,
            ElementType::I32);
  EXPECT_EQ(launch.arguments[4].name, "arg5");
  EXPECT_EQ(bufferOf(launch, 4).bytes, 0) << "not accessed";
  EXPECT_EQ(unknown,
            (std::vector<std::string>{
                "b: the type of its elements",
                "arg2: a tensor map, which the host makes", "c: its size"}));
}

} // namespace
