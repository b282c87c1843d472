//===- HardwareAttrTest.cpp - Hardware as DLTI attributes -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which chip a module says it is for, and what ill-formed descriptions are
// told.
//
//===----------------------------------------------------------------------===//

#include "swizzle/IR/HardwareAttr.h"
#include "swizzle/Hardware/Database.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace swizzle;

namespace {

class HardwareAttrTest : public ::testing::Test {
protected:
  HardwareAttrTest() {
    context.loadDialect<mlir::DLTIDialect, mlir::gpu::GPUDialect,
                        mlir::NVVM::NVVMDialect, mlir::ROCDL::ROCDLDialect>();
  }

  /// Reads the chip of the innermost gpu.func of `text`, or of the module.
  Expected<std::optional<ChipChoice>> choose(const std::string &text) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    mlir::Operation *op = module.get();
    module->walk([&](mlir::gpu::GPUFuncOp kernel) { op = kernel; });
    return readChip(op);
  }

  /// A kernel in a gpu.module with `targets`, in a module whose GPU device has
  /// `entries`.
  static std::string kernel(const std::string &entries,
                            const std::string &targets = "") {
    std::string attributes = entries.empty()
                                 ? ""
                                 : "attributes {dlti.target_system_spec = "
                                   "#dlti.target_system_spec<\"GPU\" = "
                                   "#dlti.target_device_spec<" +
                                       entries + ">>}";
    return "module " + attributes + " { gpu.module @m " + targets +
           " { gpu.func @k() kernel { gpu.return } } }";
  }

  HardwareSpec spec(const std::string &text, const char *source) {
    std::optional<ChipChoice> choice = cantFail(choose(text));
    EXPECT_TRUE(choice) << text;
    if (!choice)
      return {};
    EXPECT_EQ(choice->source, source);
    return choice->hardware;
  }

  std::string errorOf(const std::string &entries) {
    auto choice = choose(kernel(entries));
    return choice ? "accepted" : toString(choice.takeError());
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

TEST_F(HardwareAttrTest, nothingSaid) {
  EXPECT_FALSE(cantFail(choose(kernel(""))));
  EXPECT_FALSE(cantFail(choose("module {}")));
  EXPECT_FALSE(cantFail(choose(kernel("\"other.key\" = 1 : i64"))));
}

TEST_F(HardwareAttrTest, target) {
  EXPECT_EQ(
      spec(kernel("", "[#rocdl.target<chip = \"gfx942\">]"), "target").name,
      "mi300x");
  EXPECT_EQ(
      spec(kernel("", "[#nvvm.target<chip = \"sm_90a\">]"), "target").name,
      "h100");
  EXPECT_FALSE(
      cantFail(choose(kernel("", "[#rocdl.target<chip = \"gfx803\">]"))));
}

TEST_F(HardwareAttrTest, severalTargetsAreNoAnswerUnlessTheyAgree) {
  EXPECT_FALSE(cantFail(choose(kernel("", "[#rocdl.target<chip = \"gfx942\">, "
                                          "#nvvm.target<chip = \"sm_90\">]"))));
  EXPECT_EQ(spec(kernel("", "[#nvvm.target<chip = \"sm_90\">, "
                            "#nvvm.target<chip = \"sm_90a\">]"),
                 "target")
                .name,
            "h100");
}

TEST_F(HardwareAttrTest, namedChip) {
  EXPECT_EQ(spec(kernel("\"swizzle.chip\" = \"mi300a\""), "dlti").name,
            "mi300a");
}

TEST_F(HardwareAttrTest, levelsByAnyName) {
  HardwareSpec chip = spec(kernel("\"swizzle.chip\" = \"mi300x\", "
                                  "\"swizzle.gl1.scope\" = \"cluster\", "
                                  "\"swizzle.gl1.policy\" = \"write_through\", "
                                  "\"swizzle.gl1.cus_per_cluster\" = 2 : i64, "
                                  "\"swizzle.gl1.bytes\" = 131072 : i64, "
                                  "\"swizzle.gl1.line_bytes\" = 128 : i64, "
                                  "\"swizzle.l2.ways\" = 8 : i64"),
                           "dlti");
  ASSERT_EQ(chip.levels.size(), 4u);
  EXPECT_EQ(chip.levels[1].name, "gl1") << "between its neighbours in scope";
  EXPECT_EQ(chip.levels[1].bytes, 131072);
  EXPECT_EQ(chip.levels[1].unitsPerCluster, 2);
  EXPECT_EQ(chip.find("l2")->ways, 8);
  std::string error = errorOf("\"swizzle.chip\" = \"mi300x\", "
                              "\"swizzle.gl1.bytes\" = 131072 : i64");
  EXPECT_NE(error.find("swizzle.gl1.scope: missing"), std::string::npos)
      << error;
}

TEST_F(HardwareAttrTest, attributesWinOverTheTarget) {
  HardwareSpec chip = spec(kernel("\"swizzle.chip\" = \"mi300a\"",
                                  "[#rocdl.target<chip = \"gfx942\">]"),
                           "dlti");
  EXPECT_EQ(chip.numDies, 6);
}

TEST_F(HardwareAttrTest, keysChangeTheNamedChip) {
  HardwareSpec base = cantFail(findChip("mi300x"));
  HardwareSpec chip = spec(kernel("\"swizzle.chip\" = \"mi300x\", "
                                  "\"swizzle.num_xcds\" = 4 : i64, "
                                  "\"swizzle.dram_bandwidth\" = 1.0e12 : f64"),
                           "dlti");
  EXPECT_EQ(chip.name, "mi300x+dlti");
  EXPECT_EQ(chip.numDies, 4);
  EXPECT_EQ(chip.unitsPerDie, 38);
  EXPECT_EQ(chip.find("l2")->bytes, base.find("l2")->bytes);
  EXPECT_EQ(chip.dramBandwidth, 1e12);
  EXPECT_DOUBLE_EQ(*chip.find("l2")->bandwidth,
                   *base.find("l2")->bandwidth / 2);
  EXPECT_DOUBLE_EQ(*chip.vectorFlops, *base.vectorFlops / 2);
  EXPECT_EQ(chip.sources.at("num_xcds"), "dlti attribute");
}

TEST_F(HardwareAttrTest, aNewSizeForgetsTheFittedOne) {
  HardwareSpec chip = spec(kernel("\"swizzle.chip\" = \"h200\", "
                                  "\"swizzle.l2_bytes\" = 33554432 : i64"),
                           "dlti");
  EXPECT_EQ(chip.find("l2")->capacity(), 33554432);
}

TEST_F(HardwareAttrTest, describedFromNothing) {
  for (int64_t dies : {1, 3, 4, 6, 7, 8}) {
    HardwareSpec chip =
        spec(kernel("\"swizzle.num_xcds\" = " + std::to_string(dies) +
                    " : i32, \"swizzle.cus_per_xcd\" = 10 : i32, "
                    "\"swizzle.wave_size\" = 64 : i32, "
                    "\"swizzle.fitted.younger_wait\" = 2 : i32"),
             "dlti");
    EXPECT_EQ(chip.name, "dlti");
    EXPECT_EQ(chip.formulaConstants().at("num_cus"), dies * 10);
    EXPECT_EQ(chip.fitted.at("younger_wait"), 2.0);
  }
}

TEST_F(HardwareAttrTest, theNearestDescriptionWins) {
  std::string text =
      "module attributes {dlti.target_system_spec = #dlti.target_system_spec<"
      "\"GPU\" = #dlti.target_device_spec<\"swizzle.chip\" = \"h200\">>} {" +
      kernel("\"swizzle.chip\" = \"mi300x\"") + "}";
  EXPECT_EQ(spec(text, "dlti").name, "mi300x");
}

TEST_F(HardwareAttrTest, refusals) {
  const std::pair<const char *, const char *> refusals[] = {
      {"\"swizzle.chip\" = \"mi300y\"",
       "dlti.target_system_spec: swizzle.chip: unknown chip \"mi300y\""},
      {"\"swizzle.chip\" = 3 : i64",
       "swizzle.chip: 3 : i64 is not allowed; it must be the name of a chip"},
      {"\"swizzle.num_xcd\" = 4 : i64",
       "swizzle.num_xcd: unknown key; did you mean swizzle.num_xcds?"},
      {"\"swizzle.colour\" = 4 : i64", "swizzle.colour: unknown key; after"},
      {"\"swizzle.num_xcds\" = 4 : i64",
       "missing: swizzle.cus_per_xcd, swizzle.wave_size; give them, or start"},
      {"\"swizzle.chip\" = \"mi300x\", \"swizzle.num_xcds\" = 0 : i64",
       "dlti.target_system_spec: swizzle.num_xcds: 0 is not allowed; it must "
       "be "
       "an integer from 1 to 1024"},
      {"\"swizzle.chip\" = \"mi300x\", \"swizzle.num_xcds\" = -1 : i64",
       "swizzle.num_xcds: -1 is not allowed"},
      {"\"swizzle.chip\" = \"mi300x\", \"swizzle.num_xcds\" = true",
       "swizzle.num_xcds: true is not allowed; it must be an integer"},
      {"\"swizzle.chip\" = \"mi300x\", \"swizzle.num_xcds\" = 4.0 : f32",
       "swizzle.num_xcds: 4.0 is not allowed; it must be an integer"},
      {"\"swizzle.chip\" = \"mi300x\", \"swizzle.num_xcds\" = [4]",
       "swizzle.num_xcds: [4] is not allowed; it must be an integer"},
      {"\"swizzle.chip\" = \"mi300x\", \"swizzle.num_xcds\" = "
       "340282366920938463463374607431768211455 : i128",
       "swizzle.num_xcds: -1"},
      {"\"swizzle.chip\" = \"mi300x\", \"swizzle.num_xcds\" = "
       "18446744073709551616 : i128",
       "swizzle.num_xcds: 18446744073709551616 : i128 is not allowed"},
      {"\"swizzle.chip\" = \"mi300x\", \"swizzle.l2_ways\" = 7 : i64",
       "swizzle.l2_ways: 7 does not divide the 32768 lines"},
      {"\"swizzle.chip\" = \"mi300x\", \"swizzle.fitted.younger_wait\" = \"x\"",
       "swizzle.fitted.younger_wait: \"x\" is not allowed; it must be a number "
       "from 0 to "
       "10"},
      {"\"swizzle.chip\" = \"h200\", \"swizzle.llc_ways\" = 4 : i64",
       "swizzle.llc_ways: 4 is given, but the chip has no last-level cache"},
  };
  for (auto &[entries, says] : refusals) {
    std::string message = errorOf(entries);
    EXPECT_EQ(message.find("dlti.target_system_spec: "), 0u) << message;
    EXPECT_NE(message.find(says), std::string::npos)
        << message << "\nlacks: " << says;
  }
}

TEST_F(HardwareAttrTest, optionsWinOverTheModule) {
  module = mlir::parseSourceString<mlir::ModuleOp>(
      kernel("\"swizzle.chip\" = \"mi300a\""), &context);
  auto choose = [&](StringRef chip, StringRef file) {
    return chooseChip(chip, file, &*module->getBodyRegion().op_begin());
  };
  EXPECT_EQ(cantFail(choose("", ""))->source, "dlti");
  std::optional<ChipChoice> option = cantFail(choose("h200", ""));
  EXPECT_EQ(option->hardware.name, "h200");
  EXPECT_EQ(option->source, "option");
  std::optional<ChipChoice> file =
      cantFail(choose("", SWIZZLE_SOURCE_DIR "/hardware/b200.json"));
  EXPECT_EQ(file->hardware.name, "b200");
  EXPECT_EQ(file->source, "file");
}

TEST_F(HardwareAttrTest, wrongOptionsAreRefused) {
  module = mlir::parseSourceString<mlir::ModuleOp>("module {}", &context);
  auto errorOf = [&](StringRef chip, StringRef file) {
    auto choice = chooseChip(chip, file, module.get());
    return choice ? "accepted" : toString(choice.takeError());
  };
  EXPECT_EQ(
      errorOf("h200", "a.json"),
      "chip=h200 and hardware-file=a.json exclude each other; give one of "
      "them");
  EXPECT_NE(errorOf("h2000", "").find("unknown chip \"h2000\""),
            std::string::npos);
  EXPECT_NE(errorOf("", "/nowhere.json").find("/nowhere.json: cannot be read"),
            std::string::npos);
}

TEST_F(HardwareAttrTest, theErrorForNoChipListsTheChips) {
  std::string message = toString(makeNoChipError("the planner"));
  EXPECT_EQ(message.find("the planner needs to know the chip; give chip=NAME"),
            0u);
  for (const std::string &name : listChips())
    EXPECT_NE(message.find(name), std::string::npos) << message;
}

} // namespace
