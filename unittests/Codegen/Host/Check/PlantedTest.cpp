//===- PlantedTest.cpp - Wrong variants that a check must catch -----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two classes. Kernels whose workgroups race, remapped by hand: each workgroup
// alone does what it should, and the order matters all the same. And variants
// that are wrong for some numbers only: negative, zero, equal, extreme ones.
//
//===----------------------------------------------------------------------===//

#include "Codegen/Host/HostTest.h"

#include "llvm/ADT/StringRef.h"

using namespace swizzle;
using namespace swizzle::test;

namespace {

struct Kernel {
  const char *name;
  const char *signature;
  const char *body;
};

/// A kernel of 8 workgroups of 16 threads; %w is the workgroup's id, reversed
/// in the variant.
std::string textOf(const Kernel &kernel, bool reversed,
                   llvm::StringRef from = "", llvm::StringRef to = "") {
  std::string body = kernel.body;
  if (size_t at = body.find(from.str());
      !from.empty() && at != std::string::npos)
    body.replace(at, from.size(), to.str());
  return R"(gpu.module @m { gpu.func @k)" + std::string(kernel.signature) +
         R"( kernel attributes {known_block_size = array<i32: 16, 1, 1>,
            known_grid_size = array<i32: 8, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c16 = arith.constant 16 : index
    %id = gpu.block_id x
    %t = gpu.thread_id x
    %w = )" +
         (reversed ? "arith.subi %c7, %id : index"
                   : "arith.addi %c0, %id : index") +
         R"(
    %base = arith.muli %w, %c16 : index
    %i = arith.addi %base, %t : index
    )" + body +
         "\ngpu.return\n} }";
}

class PlantedTest : public HostTest {
protected:
  CheckResult judge(const std::string &original, const std::string &variant,
                    const char *formula = "return gx - 1 - x, y, z") {
    auto before = parse(original), after = parse(variant);
    if (!before || !after)
      return {};
    llvm::Expected<Formula> parsed = Formula::parse(formula);
    EXPECT_TRUE(bool(parsed));
    Environment environment;
    environment.grid = Grid(8);
    auto bound = BoundFormula::bind(*parsed, environment);
    EXPECT_TRUE(bool(bound));
    return check(*before, *after, "", *bound, checkOptions);
  }

  CheckOptions checkOptions;
};

//===----------------------------------------------------------------------===//
// The order of workgroups matters
//===----------------------------------------------------------------------===//

const Kernel racing[] = {
    {"halo from the left", "(%a: memref<128xf32>)", R"(
      %p = arith.cmpi ugt, %i, %c0 : index
      scf.if %p {
        %j = arith.subi %i, %c1 : index
        %v = memref.load %a[%j] : memref<128xf32>
        memref.store %v, %a[%i] : memref<128xf32>
      })"},
    {"average with the right, in place", "(%a: memref<129xf32>)", R"(
      %j = arith.addi %i, %c1 : index
      %v = memref.load %a[%j] : memref<129xf32>
      %u = memref.load %a[%i] : memref<129xf32>
      %s = arith.addf %u, %v : f32
      memref.store %s, %a[%i] : memref<129xf32>)"},
    {"transposition in place", "(%a: memref<8x16x8x16xf32>)", R"(
      scf.for %y = %c0 to %w step %c1 {
        %u = memref.load %a[%w, %t, %y, %t] : memref<8x16x8x16xf32>
        %v = memref.load %a[%y, %t, %w, %t] : memref<8x16x8x16xf32>
        memref.store %u, %a[%y, %t, %w, %t] : memref<8x16x8x16xf32>
        memref.store %v, %a[%w, %t, %y, %t] : memref<8x16x8x16xf32>
        %z = arith.addf %u, %v : f32
        memref.store %z, %a[%c0, %t, %c0, %t] : memref<8x16x8x16xf32>
      })"},
    {"the last one wins", "(%a: memref<16xindex>)",
     "memref.store %w, %a[%t] : memref<16xindex>"},
    {"a running sum without atomics",
     "(%a: memref<16xf32>, %b: memref<128xf32>)",
     R"(
      %v = memref.load %b[%i] : memref<128xf32>
      %s = memref.load %a[%t] : memref<16xf32>
      %n = arith.addf %s, %v : f32
      memref.store %n, %a[%t] : memref<16xf32>)"},
    {"tickets", "(%n: memref<1xi32>, %b: memref<128xi32>)", R"(
      %one = arith.constant 1 : i32
      %mine = memref.atomic_rmw addi %one, %n[%c0] : (i32, memref<1xi32>) -> i32
      memref.store %mine, %b[%i] : memref<128xi32>)"},
};

TEST_F(PlantedTest, RacesThatAreRemappedByHand) {
  for (const Kernel &kernel : racing) {
    CheckResult result = judge(textOf(kernel, false), textOf(kernel, true));
    EXPECT_EQ(result.status, CheckStatus::Failed) << kernel.name;
    EXPECT_TRUE(llvm::StringRef(result.message)
                    .starts_with("workgroups of the original race"))
        << kernel.name << ": " << result.message;
    // Who keeps the order keeps the result.
    result =
        judge(textOf(kernel, false), textOf(kernel, false), "return x, y, z");
    EXPECT_EQ(result.status, CheckStatus::Passed)
        << kernel.name << ": " << result.message;
  }
}

TEST_F(PlantedTest, OneBufferThatALaunchPassesTwice) {
  Kernel copy{"", "(%a: memref<128xf32>, %b: memref<128xf32>)", R"(
      %j = arith.subi %c7, %w : index
      %at = arith.muli %j, %c16 : index
      %k = arith.addi %at, %t : index
      %v = memref.load %a[%k] : memref<128xf32>
      memref.store %v, %b[%i] : memref<128xf32>)"};
  auto launched = [&](const char *second) {
    return "module attributes {gpu.container_module} {\n" +
           textOf(copy, false) + R"(
      func.func @host(%x: memref<128xf32>, %y: memref<128xf32>) {
        %c1 = arith.constant 1 : index
        %c8 = arith.constant 8 : index
        %c16 = arith.constant 16 : index
        gpu.launch_func @m::@k blocks in (%c8, %c1, %c1) threads in (%c16, %c1, %c1)
          args(%x : memref<128xf32>, )" +
           second + R"( : memref<128xf32>)
        return
      } })";
  };
  EXPECT_EQ(judge(launched("%y"), textOf(copy, true)).status,
            CheckStatus::Passed);
  CheckResult result = judge(launched("%x"), textOf(copy, true));
  EXPECT_EQ(result.status, CheckStatus::Failed) << result.message;
}

TEST_F(PlantedTest, WritesOfTheSameValueAreSaid) {
  Kernel flag{"", "(%a: memref<1xi32>, %b: memref<128xindex>)", R"(
      %one = arith.constant 1 : i32
      memref.store %one, %a[%c0] : memref<1xi32>
      memref.store %i, %b[%i] : memref<128xindex>)"};
  CheckResult result = judge(textOf(flag, false), textOf(flag, true));
  EXPECT_EQ(result.status, CheckStatus::Passed) << result.message;
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_TRUE(
      llvm::StringRef(result.notes[0]).ends_with("both leave the same value"));
}

TEST_F(PlantedTest, InventedIndicesAreNoVerdict) {
  Kernel scatter{"", "(%p: memref<128xi32>, %a: memref<128xindex>)", R"(
      %n = memref.load %p[%i] : memref<128xi32>
      %at = arith.index_cast %n : i32 to index
      memref.store %i, %a[%at] : memref<128xindex>)"};
  CheckResult result = judge(textOf(scatter, false), textOf(scatter, true));
  EXPECT_EQ(result.status, CheckStatus::Unchecked);
  EXPECT_NE(result.message.find("--argument=0=@FILE"), std::string::npos)
      << result.message;
  // A permutation, given, does not race.
  std::vector<int32_t> places;
  for (int i = 0; i < 128; ++i)
    places.push_back(i * 5 % 128);
  auto *first = reinterpret_cast<const char *>(places.data());
  checkOptions.host.arguments[0].bytes.assign(first, first + 512);
  result = judge(textOf(scatter, false), textOf(scatter, true));
  EXPECT_EQ(result.status, CheckStatus::Passed) << result.message;
}

//===----------------------------------------------------------------------===//
// Wrong for some numbers
//===----------------------------------------------------------------------===//

struct Planted {
  const char *name;
  const char *type;
  const char *compute;   ///< %r from %v, and %u, the number beside it
  const char *from, *to; ///< the mistake
};

const Planted planted[] = {
    // Signs
    {"negative numbers become 99", "f32", R"(
      %zero = arith.constant 0.0 : f32
      %bad = arith.constant 99.0 : f32
      %is = arith.cmpf false, %v, %zero : f32
      %r = arith.select %is, %bad, %v : f32)",
     "cmpf false", "cmpf olt"},
    {"the absolute value", "f32", "%r = math.copysign %v, %v : f32",
     "math.copysign %v, %v : f32", "math.absf %v : f32"},
    {"a shift for a division", "i32", R"(
      %three = arith.constant 8 : i32
      %sh = arith.constant 3 : i32
      %r = arith.divsi %v, %three : i32)",
     "arith.divsi %v, %three", "arith.shrsi %v, %sh"},
    {"unsigned for signed", "i32", "%r = arith.maxsi %v, %u : i32", "maxsi",
     "maxui"},
    {"zeros for signs when widened", "i8", R"(
      %wide = arith.extsi %v : i8 to i32
      %five = arith.constant 5 : i32
      %low = arith.shrui %wide, %five : i32
      %r = arith.trunci %low : i32 to i8)",
     "extsi", "extui"},
    // Zeros
    {"minus zero becomes zero", "f32", R"(
      %zero = arith.constant 0.0 : f32
      %r = arith.subf %v, %zero : f32)",
     "arith.subf", "arith.addf"},
    {"zero counts as positive", "f64", R"(
      %zero = arith.constant 0.0 : f64
      %one = arith.constant 1.0 : f64
      %p = arith.cmpf ogt, %v, %zero : f64
      %r = arith.select %p, %one, %v : f64)",
     "ogt", "oge"},
    {"the reciprocal of zero", "f32", R"(
      %zero = arith.constant 0.0 : f32
      %one = arith.constant 1.0 : f32
      %q = arith.divf %one, %v : f32
      %p = arith.cmpf false, %v, %zero : f32
      %r = arith.select %p, %zero, %q : f32)",
     "cmpf false", "cmpf oeq"},
    // Equal numbers
    {"the later of two that are equal", "i32", R"(
      %one = arith.constant 1 : i32
      %two = arith.constant 2 : i32
      %p = arith.cmpi sgt, %v, %u : i32
      %r = arith.select %p, %one, %two : i32)",
     "sgt", "sge"},
    {"ties between floats", "f32", R"(
      %one = arith.constant 1.0 : f32
      %two = arith.constant 2.0 : f32
      %p = arith.cmpf olt, %v, %u : f32
      %r = arith.select %p, %one, %two : f32)",
     "olt", "ole"},
    {"a difference that is never zero", "f16", R"(
      %d = arith.subf %v, %u : f16
      %zero = arith.constant 0.0 : f16
      %one = arith.constant 1.0 : f16
      %p = arith.cmpf false, %d, %zero : f16
      %r = arith.select %p, %one, %d : f16)",
     "cmpf false", "cmpf oeq"},
    // Denormals
    {"denormals are flushed", "f32", R"(
      %small = arith.constant 1.0e-38 : f32
      %zero = arith.constant 0.0 : f32
      %m = math.absf %v : f32
      %p = arith.cmpf false, %m, %small : f32
      %r = arith.select %p, %zero, %v : f32)",
     "cmpf false", "cmpf olt"},
    {"flushed, and added", "f64", R"(
      %small = arith.constant 1.0e-307 : f64
      %zero = arith.constant 0.0 : f64
      %m = math.absf %v : f64
      %p = arith.cmpf olt, %m, %small : f64
      %s = arith.select %p, %zero, %v : f64
      %r = arith.addf %v, %v : f64)",
     "%v, %v", "%s, %s"},
    {"by way of a narrower format", "f32", R"(
      %n = arith.truncf %v : f32 to bf16
      %w16 = arith.extf %n : bf16 to f32
      %half = arith.constant 1.0e-45 : f32
      %m = math.absf %v : f32
      %p = arith.cmpf ole, %m, %half : f32
      %r = arith.select %p, %v, %w16 : f32)",
     "%p, %v, %w16", "%p, %w16, %w16"},
    // Infinities and no numbers
    {"infinity less infinity", "f32", R"(
      %d = arith.subf %v, %v : f32
      %r = arith.addf %d, %v : f32)",
     "arith.addf %d, %v", "arith.addf %v, %z"},
    {"no number is ignored", "f32", "%r = arith.maximumf %v, %u : f32",
     "maximumf", "maxnumf"},
    {"clamped to what is finite", "f32", R"(
      %large = arith.constant 1.0e38 : f32
      %r = arith.minimumf %v, %v : f32)",
     "minimumf %v, %v", "minimumf %v, %large"},
    {"ordered for unordered", "f64", R"(
      %one = arith.constant 1.0 : f64
      %two = arith.constant 2.0 : f64
      %p = arith.cmpf ult, %v, %u : f64
      %r = arith.select %p, %one, %two : f64)",
     "ult", "olt"},
    // Ends of integers
    {"the least number negated", "i32", R"(
      %zero = arith.constant 0 : i32
      %most = arith.constant 2147483647 : i32
      %n = arith.subi %zero, %v : i32
      %p = arith.cmpi sle, %v, %zero : i32
      %q = arith.cmpi slt, %n, %zero : i32
      %both = arith.andi %p, %q : i1
      %r = arith.select %both, %v, %n : i32)",
     "%both, %v, %n", "%both, %most, %n"},
    {"a sum that wraps", "i64", R"(
      %r = arith.addi %v, %u : i64)",
     "%r = arith.addi %v, %u : i64", R"(
      %max = arith.constant 9223372036854775807 : i64
      %e = arith.cmpi eq, %v, %max : i64
      %s = arith.addi %v, %u : i64
      %r = arith.select %e, %max, %s : i64)"},
    {"all ones", "i16", R"(
      %ones = arith.constant -1 : i16
      %zero = arith.constant 0 : i16
      %p = arith.cmpi eq, %v, %ones : i16
      %r = arith.select %p, %v, %v : i16)",
     "%p, %v, %v", "%p, %zero, %v"},
};

TEST_F(PlantedTest, MistakesForSomeNumbers) {
  for (const Planted &one : planted) {
    std::string type = one.type;
    std::string memref = "memref<128x" + type + ">";
    // A constant that some of the mistakes use.
    std::string zero =
        type[0] == 'f' ? "%z = arith.constant -0.0 : " + type + "\n" : "";
    std::string body =
        zero + "%v = memref.load %a[%i] : " + memref +
        "\n%c127 = arith.constant 127 : index\n"
        "%next = arith.addi %i, %c1 : index\n"
        "%j = arith.minui %next, %c127 : index\n%u = memref.load %a[%j] : " +
        memref + "\n" + one.compute + "\nmemref.store %r, %o[%i] : " + memref;
    std::string signature = "(%a: " + memref + ", %o: " + memref + ")";
    Kernel kernel{one.name, signature.c_str(), body.c_str()};
    CheckResult right = judge(textOf(kernel, false), textOf(kernel, true));
    EXPECT_EQ(right.status, CheckStatus::Passed)
        << one.name << ": " << right.message;
    CheckResult wrong =
        judge(textOf(kernel, false), textOf(kernel, true, one.from, one.to));
    EXPECT_EQ(wrong.status, CheckStatus::Failed)
        << one.name << ": " << wrong.message;
  }
}

/// A factor that is a number of the kernel, not of a buffer.
TEST_F(PlantedTest, MistakesForSomeFactors) {
  Kernel scale{"", "(%f: f32, %a: memref<128xf32>, %o: memref<128xf32>)", R"(
      %zero = arith.constant 0.0 : f32
      %one = arith.constant 1.0 : f32
      %v = memref.load %a[%i] : memref<128xf32>
      %p = arith.cmpf false, %f, %zero : f32
      %s = arith.mulf %f, %v : f32
      %r = arith.select %p, %one, %s : f32
      memref.store %r, %o[%i] : memref<128xf32>)"};
  for (const char *mistake : {"cmpf olt", "cmpf oeq"})
    EXPECT_EQ(
        judge(textOf(scale, false), textOf(scale, true, "cmpf false", mistake))
            .status,
        CheckStatus::Failed)
        << mistake;
}

/// Numbers that the kernel indexes with stay in range, whatever else they are.
TEST_F(PlantedTest, IndicesStayInRange) {
  Kernel gather{
      "", "(%p: memref<128xi32>, %a: memref<40xf32>, %o: memref<128xf32>)",
      R"(
      %n = memref.load %p[%i] : memref<128xi32>
      %at = arith.index_cast %n : i32 to index
      %v = memref.load %a[%at] : memref<40xf32>
      memref.store %v, %o[%i] : memref<128xf32>)"};
  CheckResult result = judge(textOf(gather, false), textOf(gather, true));
  EXPECT_EQ(result.status, CheckStatus::Passed) << result.message;
  EXPECT_TRUE(result.notes.empty()) << result.notes.front();
  // The last element is read, which a variant may get wrong.
  result = judge(textOf(gather, false),
                 textOf(gather, true, "%v = memref.load %a[%at]", R"(
      %c38 = arith.constant 38 : index
      %bad = arith.minui %at, %c38 : index
      %v = memref.load %a[%bad])"));
  EXPECT_EQ(result.status, CheckStatus::Failed) << result.message;
}

/// What a CPU traps at is no crash of the check.
TEST_F(PlantedTest, DivisionsByZeroAndOverflow) {
  for (const char *op : {"divsi", "divui", "remsi", "remui"}) {
    std::string body =
        "%v = memref.load %a[%i] : memref<128xi32>\n"
        "%u = memref.load %b[%i] : memref<128xi32>\n%r = arith." +
        std::string(op) +
        " %v, %u : i32\n"
        "memref.store %r, %o[%i] : memref<128xi32>";
    Kernel kernel{op,
                  "(%a: memref<128xi32>, %b: memref<128xi32>, "
                  "%o: memref<128xi32>)",
                  body.c_str()};
    CheckResult result = judge(textOf(kernel, false), textOf(kernel, true));
    EXPECT_EQ(result.status, CheckStatus::Passed) << op << result.message;
  }
}

} // namespace
