//===- Ptx.h - The PTX that stands in inline assembly --------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Triton and CUTLASS write what the compiler has no name for as inline
// assembly. A strict grammar reads it: what is not in it is an error, never a
// guess.
//
//   text         statement*
//   statement    "{" statement* "}" | declaration | label? instruction
//   declaration  ".reg" "." type name ("<" digits ">")? ("," ...)* ";"
//   label        name ":"
//   instruction  ("@" "!"? register)? opcode (operand ("," operand)*)? ";"
//   opcode       word ("." word)*             word: letters, digits, "_", "::"
//   operand      register ("|" register)? | number | fraction | list | label
//                | "WARP_SZ"                 the number 32
//                | "[" register ("+" number)? ("," list)? "]"
//   list         "{" register ("," register)* "}"
//   register     "$" digits                   an operand of the assembly
//                | name                       one that the text declares;
//                                             "$$" in it stands for a dollar
//                | "%" name ("." name)?       one of the machine
//                | "_"                        a result that nobody wants
//   number       ("-"? digits | "0x" hexadecimal digits) "U"?
//   fraction     "-"? digits "." digits | ("0f" | "0d") hexadecimal digits
//
// "0X", "0F" and "0D" are the same as "0x", "0f" and "0d".
//
// Between them stand blanks, and comments from "//" to the end of a line. What
// a block declares ends with it.
//
//   in   "@$2 ld.global.b32 $0, [ $1 + 16 ];"
//   out  predicate 2, opcode {ld, global, b32}, register 0, address 1 + 16
//
// Source of the instructions: NVIDIA, "Parallel Thread Execution ISA".
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_IMPORT_PTX_H
#define SWIZZLE_IMPORT_PTX_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace swizzle {

/// A register that is no operand of the assembly.
struct PtxRegister {
  std::string name;       ///< "p"; of the machine "tid.x"
  unsigned bits = 0;      ///< 1 of a predicate; 0 of the machine
  bool ofMachine = false; ///< can be read alone
};

/// Registers have numbers: operands of the assembly those by which it calls
/// them, others this and their place among `PtxText::registers`.
inline constexpr unsigned kFirstPtxRegister = 1 << 16;

struct PtxOperand {
  enum Kind : uint8_t { Register, Number, Fraction, List, Address, Label };
  Kind kind = Register;
  /// Numbers of registers: one, those of the list, or the base of the address
  /// and what stands in its list.
  llvm::SmallVector<unsigned, 4> registers;
  int64_t number = 0;      ///< of a number, or what is added to the base
  bool hasNumbers = false; ///< beside the registers of a list
  llvm::StringRef label = "";
};

struct PtxStatement {
  bool isLabelled = false;           ///< somebody may go here
  std::optional<unsigned> predicate; ///< a register
  bool negated = false;              ///< runs where the predicate is false
  llvm::SmallVector<llvm::StringRef, 8> opcode; ///< words, into the text
  llvm::SmallVector<PtxOperand, 4> operands;
};

struct PtxText {
  llvm::SmallVector<PtxStatement, 4> statements;
  llvm::SmallVector<PtxRegister, 4>
      registers; ///< all that are declared or named
};

/// Reads `text`; the error names the place that the grammar does not know.
llvm::Expected<PtxText> parsePtx(llvm::StringRef text);

} // namespace swizzle

#endif // SWIZZLE_IMPORT_PTX_H
