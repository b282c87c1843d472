//===- Ptx.h - The PTX that stands in inline assembly --------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Triton writes its accesses as inline assembly. A strict grammar reads it: what
// is not in it is an error, never a guess.
//
//   text       statement*
//   statement  ("@" "!"? register)? opcode (operand ("," operand)*)? ";"
//   opcode     word ("." word)*               word: letters, digits, "_", "::"
//   operand    register | number | fraction | "{" register ("," register)* "}"
//              | "[" register ("+" number)? "]"
//   register   "$" digits                    an operand of the assembly
//   number     "-"? digits | "0x" hexadecimal digits
//   fraction   "-"? digits "." digits | ("0f" | "0d") hexadecimal digits
//
// Between them stand blanks, and comments from "//" to the end of a line.
//
//   in   "@$2 ld.global.b32 $0, [ $1 + 16 ];"
//   out  predicate 2, opcode {ld, global, b32}, register 0, address 1 + 16
//
// Labels, declarations and special registers (%ctaid) have no place in it.
// Source of the instructions: NVIDIA, "Parallel Thread Execution ISA".
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_IMPORT_PTX_H
#define SWIZZLE_IMPORT_PTX_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace swizzle {

struct PtxOperand {
  enum Kind : uint8_t { Register, Number, Fraction, List, Address };
  Kind kind = Register;
  /// Numbers of registers: one, those of the list, or the base of the address.
  llvm::SmallVector<unsigned, 4> registers;
  int64_t number = 0; ///< of a number, or what is added to the base
};

struct PtxStatement {
  std::optional<unsigned> predicate; ///< a register
  bool negated = false;              ///< runs where the predicate is false
  llvm::SmallVector<llvm::StringRef, 8> opcode; ///< words, into the text
  llvm::SmallVector<PtxOperand, 4> operands;
};

/// Reads `text`; the error names the place that the grammar does not know.
llvm::Expected<llvm::SmallVector<PtxStatement, 4>> parsePtx(llvm::StringRef text);

} // namespace swizzle

#endif // SWIZZLE_IMPORT_PTX_H
