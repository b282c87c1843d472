//===- TargetTest.cpp - What a kernel is compiled for ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which names there are is up to LLVM; what is tested is how they are read, and
// that every chip of the database names one.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Codegen/Device/Target.h"
#include "swizzle/Hardware/Database.h"

#include "gtest/gtest.h"

using namespace swizzle;

static std::string errorOf(llvm::StringRef text) {
  llvm::Expected<Target> target = parseTarget(text);
  return target ? "" : llvm::toString(target.takeError());
}

TEST(Target, ReadsBothVendors) {
  llvm::Expected<Target> nvidia = parseTarget("sm_90");
  ASSERT_TRUE(bool(nvidia));
  EXPECT_EQ(nvidia->vendor, GpuVendor::NVIDIA);
  EXPECT_EQ(nvidia->triple, "nvptx64-nvidia-cuda");
  EXPECT_EQ(nvidia->waveSize, 32u);
  llvm::Expected<Target> amd = parseTarget("gfx942");
  ASSERT_TRUE(bool(amd));
  EXPECT_EQ(amd->vendor, GpuVendor::AMD);
  EXPECT_EQ(amd->waveSize, 64u);
  llvm::Expected<Target> rdna = parseTarget("gfx1100");
  ASSERT_TRUE(bool(rdna));
  EXPECT_EQ(rdna->waveSize, 32u);
}

TEST(Target, ReadsFeatures) {
  llvm::Expected<Target> target = parseTarget("gfx942:sramecc+:xnack-");
  ASSERT_TRUE(bool(target));
  EXPECT_EQ(target->arch, "gfx942");
  EXPECT_EQ(target->features, "+sramecc,-xnack");
  EXPECT_EQ(target->str(), "gfx942:sramecc+:xnack-");
}

TEST(Target, ErrorsNameWhatWouldBeRight) {
  EXPECT_NE(errorOf("gfx943").find("near it: gfx942"), std::string::npos);
  EXPECT_NE(errorOf("sm_91").find("sm_90"), std::string::npos);
  EXPECT_NE(errorOf("mi300x").find("as in sm_90 or gfx942"), std::string::npos);
  EXPECT_NE(errorOf("").find("unknown target ''"), std::string::npos);
  EXPECT_NE(errorOf("gfx942:xnack").find("ends with + or -"),
            std::string::npos);
  EXPECT_NE(errorOf("gfx942:warp+").find("no feature 'warp'"),
            std::string::npos);
  EXPECT_NE(errorOf("sm_90:xnack+").find("only AMD"), std::string::npos);
}

TEST(Target, EveryChipNamesOne) {
  for (const std::string &name : listChips()) {
    llvm::Expected<HardwareSpec> hardware = findChip(name);
    ASSERT_TRUE(bool(hardware)) << name;
    llvm::Expected<Target> target = targetOf(*hardware);
    ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
    EXPECT_EQ(int64_t(target->waveSize), hardware->waveSize) << name;
  }
}

TEST(Target, AChipWithAnUnknownOneIsNamed) {
  HardwareSpec hardware;
  hardware.name = "mine";
  hardware.target = "gfx9999";
  llvm::Expected<Target> target = targetOf(hardware);
  ASSERT_FALSE(bool(target));
  EXPECT_EQ(llvm::toString(target.takeError()).find("chip mine: "), 0u);
}
