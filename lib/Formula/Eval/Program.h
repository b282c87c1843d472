//===- Program.h - A bound formula as a graph -------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a formula becomes once grid, chip and parameters are known: a graph of
// instructions without branches, operands first, equal ones shared. Proofs run
// it over columns of workgroup ids, and lowering starts from it.
//
// Example, `return x // 2 if y else 8 // x, y` on a grid of 4 x 4:
//   c = NotEqual Y, 0        0..1
//   a = Div X, 2             0..1
//   CheckZero X              counts where c does not hold
//   b = Div 8, X             0..8, and 0 where X is
//   r = Select c, a, b       0..8
//   CheckBelow r, 4
//
// Laziness without branches: values are total (an overflow wraps, a division by
// zero gives 0), so both sides of a conditional may be computed for every id.
// Whether something went wrong is a matter of *checks*, which stand in
// evaluation order and count only for the ids whose guard, the conjunction of
// the conditions around them, holds. The first check that fires for an id is
// the fault that lazy evaluation would have met. Ranges prove most checks
// unnecessary before anything runs, and decide whether 32-bit columns suffice.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_FORMULA_EVAL_PROGRAM_H
#define SWIZZLE_LIB_FORMULA_EVAL_PROGRAM_H

#include "swizzle/Formula/Formula.h"

namespace swizzle::formula {

/// Index of an instruction; also names the column that it fills.
using Slot = uint32_t;
constexpr Slot kNoSlot = ~Slot(0);

enum class Op : uint8_t {
  Constant, ///< `low` == `high`
  X,
  Y,
  Z,
  Extent, ///< of axis `imm`, where it is not known
  Linear, ///< the linear id
  Add,
  Sub,
  Mul,
  Div,
  Mod, ///< floor; a divisor of 0 gives 0
  Min,
  Max,
  And,
  Or,
  Xor,
  Shl,
  Shr, ///< amounts outside 0..63 count modulo 64
  Less,
  LessEqual,
  Equal,
  NotEqual,
  Select, ///< a != 0 ? b : c
  HilbertX,
  HilbertY,
  MortonX,
  MortonY, ///< a, b, c; 0 outside the curve
  // Checks: fault where the condition holds and so does the guard `c`.
  CheckAlways,
  CheckZero,       ///< a == 0
  CheckMinByMinus, ///< a == INT64_MIN and b == -1
  CheckAdd,
  CheckSub,
  CheckMul,
  CheckShl,   ///< a op b overflows
  CheckShift, ///< a outside 0..63
  CheckBelow, ///< a outside 0 .. imm-1
  CheckCurve, ///< (a, b, imm as a slot) is no point of a curve
};

inline bool isCheck(Op op) { return op >= Op::CheckAlways; }
/// Of a curve's operation.
inline bool isHilbert(Op op) { return op <= Op::HilbertY; }
inline bool givesX(Op op) { return op == Op::HilbertX || op == Op::MortonX; }

struct Instruction {
  Op op = Op::Constant;
  Slot a = kNoSlot, b = kNoSlot, c = kNoSlot;
  int64_t imm = 0;
  int64_t low = 0, high = 0; ///< range of the result
  SourcePosition position;   ///< checks

  Slot operand(unsigned i) const { return i == 0 ? a : i == 1 ? b : c; }
  unsigned numOperands() const {
    return (a != kNoSlot) + (b != kNoSlot) + (c != kNoSlot);
  }
};

inline Instruction constantInstruction(int64_t value) {
  return {Op::Constant, kNoSlot, kNoSlot, kNoSlot, value, value, value, {}};
}

/// A fault by its code of `Refusal`.
enum class Fault : uint8_t {
  None,
  Overflow,
  DivisionByZero,
  BadShift,
  BadCurve,
  OutOfGrid
};
llvm::StringRef codeOf(Fault fault);

/// What a check that fires means.
Fault faultOf(const Instruction &check);

} // namespace swizzle::formula

namespace swizzle {

struct BoundFormula::Program {
  std::optional<Formula> formula;
  Environment environment;
  std::vector<formula::Instruction> code;
  /// A value and a check that tells where it is undefined: there it is whatever
  /// its column holds. Without checks of its own a value is undefined where one
  /// of its operands is; a `Select` looks at the operand that it takes only.
  std::vector<std::pair<formula::Slot, formula::Slot>> undefined;
  formula::Slot results[3] = {0, 0, 0};
  formula::Slot linear = 0; ///< the new linear id
  bool feasible = true; ///< of what stands before the first failing `require`
  unsigned failedRequirement = 0; ///< if not feasible
  bool narrow = false;            ///< all values fit in 32 bits
  /// Physical column of each instruction; values that are dead share columns.
  std::vector<uint32_t> columns;
  uint32_t numColumns = 0;
};

} // namespace swizzle

namespace swizzle::formula {

/// Ids per block: a few dozen columns of one block fit in a first-level cache.
constexpr unsigned kBlock = 512;

/// The first fault of a range of ids.
struct FaultAt {
  int64_t id = -1; ///< -1: none
  Slot check = kNoSlot;
};

/// Runs `program` for ids `first .. first + count - 1` and hands each block's
/// column of new linear ids to `out`, as T. Stops after the block with a fault.
template <typename Out>
FaultAt runProgram(const BoundFormula::Program &program, int64_t first,
                   int64_t count, Out *out);

/// As above for one id, giving x, y, z apart.
FaultAt runProgram(const BoundFormula::Program &program, int64_t id,
                   WorkgroupId &out);

/// The message for a fault; names the workgroup.
std::string describe(const BoundFormula::Program &program, FaultAt fault);

/// Fails if one value is returned for a grid that has several rows, as far as
/// its extents are known.
llvm::Error checkRank(const Grid &grid, unsigned numResults);

/// Fills the rest of a program whose formula and environment are set and sound;
/// for a reader as `compileGraph` says.
void compile(BoundFormula::Program &program, bool forReader = false);
/// The last step of that: columns.
void completeForReader(BoundFormula::Program &program);

/// `formula` for a reader of the graph: extents may be unknown, no value is the
/// linear id, results are not checked, and each instruction has a column of its
/// own. Fails as `BoundFormula::bind`, or if a requirement does not hold.
llvm::Expected<BoundFormula::Program>
compileGraph(const Formula &formula, const Environment &environment);

/// The slot of a constant, which may be a new instruction.
Slot constantIn(BoundFormula::Program &program, int64_t value);

/// The constant that an instruction is, if it is one.
inline std::optional<int64_t> asConstant(const BoundFormula::Program &program,
                                         Slot slot) {
  if (program.code[slot].op == Op::Constant)
    return program.code[slot].low;
  return std::nullopt;
}

} // namespace swizzle::formula

#endif // SWIZZLE_LIB_FORMULA_EVAL_PROGRAM_H
