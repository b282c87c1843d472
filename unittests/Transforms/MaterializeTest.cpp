//===- MaterializeTest.cpp - Emission, and the check that guards it -------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random nests and the catalogue's families are emitted and compared; then
// errors of the kinds that compilers make are planted, and each must be caught:
// the ids stay as they are, an error says why, and the IR is valid.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Transforms/Materialize.h"
#include "swizzle/Formula/Proof/Proof.h"
#include "swizzle/Formula/Syntax/Catalogue.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"

#include "gtest/gtest.h"

#include <random>

using namespace swizzle;
using namespace mlir;

namespace {

/// A function that takes ids and extents and returns remapped ids.
class MaterializeTest : public ::testing::Test {
protected:
  MaterializeTest() {
    context.loadDialect<SwizzleDialect, arith::ArithDialect, func::FuncDialect,
                        scf::SCFDialect>();
    context.getDiagEngine().registerHandler([&](Diagnostic &diagnostic) {
      messages += diagnostic.str() + "\n";
      return success();
    });
  }

  void bind(llvm::StringRef text, Grid grid, int64_t dies,
            const ParamValues &params) {
    formula = cantFail(Formula::parse(text));
    environment = {};
    environment.grid = grid;
    environment.params = params;
    for (llvm::StringRef name : knownHardwareNames())
      environment.hardware[name.str()] = 304;
    environment.hardware["num_xcds"] = dies;
  }

  RemapOp build(llvm::StringRef text, Grid grid, int64_t dies = 8,
                bool guarded = false, const ParamValues &params = {}) {
    bind(text, grid, dies, params);
    Location loc = UnknownLoc::get(&context);
    module = ModuleOp::create(loc);
    OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
    Type index = builder.getIndexType();
    llvm::SmallVector<Type> inputs(6, index), outputs(3, index);
    auto function = func::FuncOp::create(
        builder, loc, "kernel", builder.getFunctionType(inputs, outputs));
    Block *entry = function.addEntryBlock();
    builder.setInsertionPointToStart(entry);
    ValueRange arguments = entry->getArguments();
    bool needsExtents = guarded || !grid.isStatic();
    auto remap = RemapOp::create(
        builder, loc, outputs[0], outputs[1], outputs[2], arguments[0],
        arguments[1], arguments[2],
        needsExtents ? arguments.drop_front(3) : ValueRange(),
        getFormulaAttr(&context, *formula, environment),
        builder.getDenseI64ArrayAttr({grid.x(), grid.y(), grid.z()}),
        guarded ? builder.getUnitAttr() : UnitAttr(), UnitAttr());
    func::ReturnOp::create(builder, loc, remap.getResults());
    EXPECT_TRUE(succeeded(verify(*module)));
    messages.clear();
    return remap;
  }

  LoweredFormula lowered() { return cantFail(lower(*formula, environment)); }

  func::FuncOp function() {
    return *module->getBody()->getOps<func::FuncOp>().begin();
  }

  /// The formula was applied and nothing was said.
  void expectApplied(LogicalResult result) {
    EXPECT_TRUE(succeeded(result)) << messages << formula->print();
    EXPECT_TRUE(succeeded(verify(*module)));
    EXPECT_TRUE(function()->hasAttr(kAppliedAttrName));
  }

  /// The ids stay, the kernel is not marked, and the message has `part`.
  void expectKept(LogicalResult result, llvm::StringRef part) {
    EXPECT_TRUE(failed(result)) << "a planted error was not caught";
    EXPECT_NE(messages.find(part.str()), std::string::npos) << messages;
    EXPECT_TRUE(succeeded(verify(*module)));
    EXPECT_FALSE(function()->hasAttr(kAppliedAttrName));
    Block &body = function().getBody().front();
    EXPECT_EQ(body.getOperations().size(), 1u);
    for (unsigned axis = 0; axis < 3; ++axis)
      EXPECT_EQ(body.getTerminator()->getOperand(axis), body.getArgument(axis));
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::optional<Formula> formula;
  Environment environment;
  std::string messages;
};

/// XCD-contiguous shares, then groups of eight rows; ragged on 96 x 61.
constexpr const char *kGroups =
    "i = y * gx + x; n = gx * gy\n"
    "d, j = i % num_xcds, i // num_xcds\n"
    "i = d * (n // num_xcds) + min(d, n % num_xcds) + j\n"
    "w = 8 * gx; g, k = i // w, i % w; h = min(gy - g * 8, 8)\n"
    "return k // h, g * 8 + k % h";

const Grid awkwardGrids[] = {
    Grid(1),     Grid(97),      Grid(1, 13),   Grid(13, 17), Grid(64, 8),
    Grid(2, 31), Grid(3, 5, 7), Grid(4, 4, 4), Grid(96, 61), Grid(64, 64)};

TEST_F(MaterializeTest, CatalogueOnAwkwardGrids) {
  unsigned applied = 0;
  for (const CatalogueEntry &entry : catalogue())
    for (const Grid &grid : awkwardGrids) {
      bind(entry.text, grid, 8, {});
      TemplateVerdict verdict = firstLegal(*formula, environment);
      if (!verdict.verdict.legal())
        continue;
      expectApplied(
          materialize(build(entry.text, grid, 8, false, verdict.params)));
      ++applied;
    }
  EXPECT_GE(applied, catalogue().size() * 5);
}

TEST_F(MaterializeTest, GroupsOnManyGridsAndDies) {
  for (const Grid &grid : awkwardGrids)
    for (int64_t dies : {1, 3, 4, 6, 7, 8})
      if (grid.z() == 1)
        expectApplied(materialize(build(kGroups, grid, dies)));
}

TEST_F(MaterializeTest, GuardedIsIdentityOnOtherGrids) {
  // `checkEmitted` itself tries other launches.
  for (const Grid &grid : awkwardGrids)
    if (grid.z() == 1)
      expectApplied(materialize(build(kGroups, grid, 8, /*guarded=*/true)));
}

TEST_F(MaterializeTest, GuardThatIsMissingIsCaught) {
  RemapOp remap = build("return gx - 1 - x, y", Grid(8, 4), 8, true);
  Block *body = remap->getBlock();
  OpBuilder builder(remap);
  std::array<Value, 3> ids = {remap.getX(), remap.getY(), remap.getZ()};
  llvm::SmallVector<Value> extents(remap.getExtents());
  std::array<Value, 3> bare =
      emit(builder, remap.getLoc(), lowered(), ids, extents);
  llvm::Error error = checkEmitted(
      bare, ids, extents, {*formula, environment, 0, /*guarded=*/true});
  EXPECT_NE(llvm::toString(std::move(error)).find("is sent to"),
            std::string::npos);
  EXPECT_NE(body, nullptr);
}

TEST_F(MaterializeTest, CurvesAreLoops) {
  for (const char *text :
       {"i = y * gx + x\nreturn hilbert_x(i, gx, gy), hilbert_y(i, gx, gy)",
        "i = y * gx + x\nreturn morton_x(i, gx, gy), morton_y(i, gx, gy)",
        // Blocks of four rows, the last one short: a side that varies.
        "b = y // 4; h = min(4, gy - b * 4); i = y % 4 * gx + x\n"
        "return hilbert_x(i, gx, h), b * 4 + hilbert_y(i, gx, h)",
        "b = y // 4; h = min(4, gy - b * 4); i = y % 4 * gx + x\n"
        "return morton_x(i, gx, h), b * 4 + morton_y(i, gx, h)"})
    for (const Grid &grid : awkwardGrids)
      if (grid.z() == 1)
        expectApplied(materialize(build(text, grid)));
}

TEST_F(MaterializeTest, NegativeAndWideArithmetic) {
  for (const char *text :
       {"a = x - 5; return a // 3 * 3 + a % 3 + 5, y, z",
        "d = y % 5 - 2; d = d if d else 7; a = x - 4\n"
        "return a // d * d + a % d + 4, y, z",
        "b = (x + 1) * 3000000019 * (y + 1); return x + b - b, y, z",
        "r = y % 3 * (x + 1); k = x // r if r else x; return x + k - k, y, z"})
    for (const Grid &grid : awkwardGrids)
      expectApplied(materialize(build(text, grid)));
}

//===----------------------------------------------------------------------===//
// Planted errors
//===----------------------------------------------------------------------===//

/// The first operation of a kind; fails the test if there is none.
LoweredOp &find(LoweredFormula &lowered, LoweredKind kind) {
  for (LoweredOp &op : lowered.ops)
    if (op.kind == kind)
      return op;
  ADD_FAILURE() << "nothing to plant an error in\n" << lowered.print();
  return lowered.ops.front();
}

TEST_F(MaterializeTest, SwappedResultsAreCaught) {
  RemapOp remap = build(kGroups, Grid(96, 61));
  LoweredFormula planted = lowered();
  std::swap(planted.results[0], planted.results[1]);
  expectKept(materialize(remap, planted), "is sent to");
}

TEST_F(MaterializeTest, DroppedMinimumIsCaught) {
  RemapOp remap = build(kGroups, Grid(13, 17), 6);
  LoweredFormula planted = lowered();
  bool replaced = false;
  for (LoweredOp &op : planted.ops)
    for (unsigned k = 0; k < op.numOperands && !replaced; ++k) {
      const LoweredOp from = planted.ops[op.operands[k]];
      if (from.kind != LoweredKind::UMin)
        continue;
      bool firstIsConstant =
          planted.ops[from.operands[0]].kind == LoweredKind::Constant;
      op.operands[k] = from.operands[firstIsConstant ? 1 : 0];
      replaced = true;
    }
  ASSERT_TRUE(replaced);
  expectKept(materialize(remap, planted), "workgroup (");
}

TEST_F(MaterializeTest, WrongWidthIsCaught) {
  // The product needs 64 bits; cut to 32, the quotient is another.
  RemapOp remap = build("b = (x + 1) * 3000000019; q = b // 2999999000\n"
                        "return q - 1 - (q - 1 - x), y",
                        Grid(97));
  expectApplied(materialize(remap));
  remap = build("b = (x + 1) * 3000000019 * 7; return b // 3000000019 // 7 - 1",
                Grid(97));
  LoweredFormula planted = lowered();
  // Cut the id's product down at its source, wherever it survived.
  planted.ops.push_back(planted.ops[planted.results[0]]);
  LoweredOp &cut = planted.ops.back();
  cut = {};
  cut.kind = LoweredKind::And;
  cut.width = planted.ops[planted.results[0]].width;
  cut.numOperands = 2;
  LoweredOp mask;
  mask.width = cut.width;
  mask.value = mask.low = mask.high = 31;
  cut.operands[0] = planted.results[0];
  cut.operands[1] = planted.ops.size();
  cut.high = 31;
  std::swap(cut, mask);
  mask.operands[1] = planted.ops.size() - 1;
  planted.ops.push_back(mask);
  planted.results[0] = planted.ops.size() - 1;
  expectKept(materialize(remap, planted), "workgroup (32, 0, 0)");
}

TEST_F(MaterializeTest, WrongMultiplierIsCaught) {
  RemapOp remap = build(kGroups, Grid(96, 61));
  LoweredFormula planted = lowered();
  // The largest constants are the multipliers that stand for divisions.
  bool replaced = false;
  for (LoweredOp &op : planted.ops)
    if (op.kind == LoweredKind::Constant && op.value > 100000) {
      op.value /= 2;
      replaced = true;
    }
  ASSERT_TRUE(replaced) << planted.print();
  expectKept(materialize(remap, planted), "workgroup (");
}

TEST_F(MaterializeTest, SignedShiftOfALargeNumberIsCaught) {
  // Values of 2^31 and more are unsigned in 32 bits.
  RemapOp remap =
      build("b = x * 130150525; return b // 16 * 16 // 130150524 - x // 33, y",
            Grid(33));
  LoweredFormula planted = lowered();
  LoweredOp &shift = find(planted, LoweredKind::LShr);
  shift.kind = LoweredKind::AShr;
  LogicalResult result = materialize(remap, planted);
  EXPECT_TRUE(failed(result)) << lowered().print();
}

TEST_F(MaterializeTest, SpeculatedDivisionByZeroIsCaught) {
  RemapOp remap = build("r = y % 3 * (x + 1); k = x // r if r else x\n"
                        "return x + k - k, y // 1",
                        Grid(7, 9));
  expectApplied(materialize(remap));
  remap = build("r = x % 7 * (y + 1); return (0 * x // r if r else 0) + x, y",
                Grid(13, 17));
  // By hand: x / (x % 7) for all x, whatever is then chosen.
  LoweredFormula planted;
  planted.grid = environment.grid;
  auto add = [&](LoweredKind kind, int64_t value,
                 std::initializer_list<uint32_t> operands) {
    LoweredOp op;
    op.kind = kind;
    op.value = value;
    op.low = kind == LoweredKind::Constant ? value : 0;
    op.high = kind == LoweredKind::Constant ? value : 16;
    for (uint32_t operand : operands)
      op.operands[op.numOperands++] = operand;
    planted.ops.push_back(op);
    return uint32_t(planted.ops.size() - 1);
  };
  uint32_t x = add(LoweredKind::Id, 0, {}), y = add(LoweredKind::Id, 1, {});
  uint32_t seven = add(LoweredKind::Constant, 7, {});
  uint32_t rest = add(LoweredKind::URem, 0, {x, seven});
  uint32_t quotient = add(LoweredKind::UDiv, 0, {x, rest});
  uint32_t zero =
      add(LoweredKind::Mul, 0, {quotient, add(LoweredKind::Constant, 0, {})});
  planted.results[0] = add(LoweredKind::Add, 0, {x, zero});
  planted.results[1] = y;
  planted.results[2] = add(LoweredKind::Constant, 0, {});
  expectKept(materialize(remap, planted), "undefined arithmetic");
}

TEST_F(MaterializeTest, WrongPromiseIsCaught) {
  // An emitted operation that promises not to wrap, and does.
  RemapOp remap = build("return gx - 1 - x", Grid(7));
  LoweredFormula planted = lowered();
  for (LoweredOp &op : planted.ops)
    if (op.kind == LoweredKind::Constant && op.value == 6)
      op.value = 5;
  expectKept(materialize(remap, planted), "undefined arithmetic");
}

TEST_F(MaterializeTest, UnknownOperationIsNotTrusted) {
  RemapOp remap = build("return gx - 1 - x", Grid(8));
  OpBuilder builder(remap);
  Value other = func::CallOp::create(builder, remap.getLoc(), "helper",
                                     TypeRange{builder.getIndexType()},
                                     ValueRange{remap.getX()})
                    .getResult(0);
  std::array<Value, 3> ids = {remap.getX(), remap.getY(), remap.getZ()};
  std::array<Value, 3> results = {other, ids[1], ids[2]};
  llvm::Error error = checkEmitted(results, ids, {}, {*formula, environment});
  EXPECT_NE(llvm::toString(std::move(error)).find("'func.call'"),
            std::string::npos);
}

} // namespace
