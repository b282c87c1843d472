//===- KfdTopologyTest.cpp - The chip of a machine, from recorded trees ---===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inputs/kfd-* have the shape of the driver's tree on a machine with 8 dies, in
// CPX with four memory partitions, with a harvested part, of RDNA with its two
// caches of level 1, with a target nobody has described, and without a GPU.
//
//===----------------------------------------------------------------------===//

#include "../TemporaryFolder.h"
#include "swizzle/Hardware/Database.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace swizzle;

namespace {

std::string tree(const char *name) {
  return std::string(SWIZZLE_SOURCE_DIR "/unittests/Hardware/Inputs/kfd-") +
         name;
}

HardwareSpec read(const char *name, int node = -1) {
  return cantFail(readKfdTopology(tree(name), node));
}

std::string errorOf(const std::string &root, int node = -1) {
  Expected<HardwareSpec> spec = readKfdTopology(root, node);
  return spec ? "accepted" : toString(spec.takeError());
}

TEST(KfdTopologyTest, eightDies) {
  HardwareSpec spec = read("8xcd");
  EXPECT_EQ(spec.name, "native");
  EXPECT_EQ(spec.target, "gfx942");
  EXPECT_FALSE(spec.defaultForTarget);
  EXPECT_EQ(spec.numDies, 8);
  EXPECT_EQ(spec.unitsPerDie, 38);
  EXPECT_EQ(spec.waveSize, 64);
  EXPECT_EQ(spec.workgroupMemoryPerUnit, 64 << 10);
  EXPECT_EQ(spec.threadsPerUnit, 2048);
  EXPECT_EQ(spec.find("l1")->bytes, 32 << 10) << "not the instruction cache";
  EXPECT_EQ(spec.find("l2")->bytes, 4 << 20);
  EXPECT_EQ(spec.find("l2")->lineBytes, 128);
  EXPECT_EQ(spec.find("llc")->bytes, 256 << 20);
  EXPECT_EQ(spec.clockHz, 2.1e9);
  EXPECT_EQ(spec.sources.at("num_xcds"), "KFD topology");
  // What the driver does not tell is that of the built-in chip, and it says so.
  HardwareSpec base = cantFail(findChip("mi300x"));
  EXPECT_EQ(spec.dramBandwidth, base.dramBandwidth);
  EXPECT_EQ(spec.find("l2")->bandwidth, base.find("l2")->bandwidth);
  EXPECT_EQ(spec.find("l2")->ways, base.find("l2")->ways);
  EXPECT_NE(spec.description.find("taken from mi300x"), std::string::npos)
      << spec.description;
}

TEST(KfdTopologyTest, kernelsThatReportTheSumOfAllL2s) {
  EXPECT_EQ(read("8xcd-summed-l2").find("l2")->bytes, 4 << 20);
}

TEST(KfdTopologyTest, partitionIsOneDie) {
  HardwareSpec spec = read("cpx-nps4");
  EXPECT_EQ(spec.numDies, 1);
  EXPECT_EQ(spec.unitsPerDie, 38);
  EXPECT_EQ(spec.find("l2")->bytes, 4 << 20);
  EXPECT_EQ(spec.find("llc")->bytes, 64 << 20)
      << "a quarter, with four memory partitions";
  EXPECT_NE(spec.description.find("taken from mi300x-cpx"), std::string::npos)
      << spec.description;
  EXPECT_EQ(spec.formulaConstants().at("num_xcds"), 1);
}

TEST(KfdTopologyTest, everyPartitionIsANodeOfItsOwn) {
  EXPECT_NE(read("cpx-nps4", 2).description.find("node 2"), std::string::npos);
  EXPECT_EQ(errorOf(tree("cpx-nps4"), 0),
            tree("cpx-nps4") + "/nodes/0: node 0 is not a GPU");
  EXPECT_EQ(errorOf(tree("cpx-nps4"), 9),
            tree("cpx-nps4") + "/nodes: there is no node 9");
}

TEST(KfdTopologyTest, harvestedPart) {
  HardwareSpec spec = read("harvested");
  EXPECT_EQ(spec.numDies, 4);
  EXPECT_EQ(spec.unitsPerDie, 20);
  HardwareSpec base = cantFail(findChip("mi300x"));
  EXPECT_DOUBLE_EQ(*spec.vectorFlops, *base.vectorFlops * 80 / 304);
  EXPECT_DOUBLE_EQ(*spec.find("l2")->bandwidth,
                   *base.find("l2")->bandwidth * 80 / 304);
  EXPECT_EQ(spec.dramBandwidth, base.dramBandwidth);
}

TEST(KfdTopologyTest, nearestCacheOfALevelIsTheFirst) {
  // RDNA's second cache of level 1 is larger, and shared by a shader array.
  HardwareSpec spec = read("rdna");
  EXPECT_EQ(spec.target, "gfx1100");
  EXPECT_EQ(spec.numUnits(), 96);
  EXPECT_EQ(spec.find("l1")->bytes, 32 << 10);
  EXPECT_EQ(spec.find("l1")->lineBytes, 128) << "not the scalar cache";
  EXPECT_EQ(spec.find("l2")->bytes, 6 << 20);
  EXPECT_EQ(spec.find("llc")->bytes, 96 << 20);
  EXPECT_NE(spec.description.find("a cache of 256 KiB for 8 compute units"),
            std::string::npos)
      << spec.description;
  EXPECT_EQ(read("8xcd").description.find("is left out"), std::string::npos);
}

TEST(KfdTopologyTest, unevenDiesAreSaid) {
  HardwareSpec spec = read("uneven");
  EXPECT_EQ(spec.numDies, 6);
  EXPECT_EQ(spec.unitsPerDie, 37);
  EXPECT_NE(spec.description.find("227 compute units on 6 dies are uneven"),
            std::string::npos)
      << spec.description;
}

TEST(KfdTopologyTest, unknownTargetHasWhatTheDriverTells) {
  HardwareSpec spec = read("unknown-target");
  EXPECT_EQ(spec.target, "gfx90c");
  EXPECT_EQ(spec.numDies, 1) << "older drivers do not tell num_xcc";
  EXPECT_EQ(spec.find("l2")->bytes, 1 << 20);
  EXPECT_EQ(spec.dramBandwidth, std::nullopt);
  EXPECT_FALSE(spec.find("llc"));
}

TEST(KfdTopologyTest, withoutGpuItSaysSo) {
  std::string message = errorOf(tree("no-gpu"));
  EXPECT_NE(message.find("none of the 1 nodes is a GPU"), std::string::npos)
      << message;
  EXPECT_NE(message.find("chip=mi300x"), std::string::npos) << message;
  message = errorOf("/nowhere");
  EXPECT_EQ(message.find("/nowhere/nodes: no such topology"), 0u) << message;
}

TEST(KfdTopologyTest, nodesThatCannotBeReadAreNamed) {
  TemporaryFolder folder;
  ASSERT_FALSE(llvm::sys::fs::create_directories(folder.file("nodes/3")));
  std::string message = errorOf(folder.path);
  EXPECT_NE(message.find("none of the 1 nodes is a GPU; "), std::string::npos)
      << message;
  EXPECT_NE(message.find("nodes/3/properties: "), std::string::npos) << message;
}

TEST(KfdTopologyTest, nonsenseIsRefused) {
  EXPECT_EQ(errorOf(tree("nonsense")),
            tree("nonsense") +
                "/nodes/1/properties: num_xcc: 0 is not allowed; it must be at "
                "least 1");
  std::string message = errorOf(tree("absurd"));
  EXPECT_NE(message.find("is not allowed; it must be"), std::string::npos)
      << message;
}

} // namespace
