//===- Schema.h - The fields of a chip's description ------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A chip can be described in a JSON file, by `dlti` attributes on a module, or
// by a live query. All of them speak of the same fields, under the same names
// and with the same limits; this is that one list, and the checks that hold
// between fields. Meaning of each field: docs/adding-a-chip.md.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_HARDWARE_SCHEMA_H
#define SWIZZLE_HARDWARE_SCHEMA_H

#include "swizzle/Hardware/HardwareSpec.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <variant>

namespace swizzle {

/// The version of the file format, value of the key `schema`.
inline constexpr llvm::StringLiteral kChipSchema = "swizzle-chip/1";

enum class FieldKind : uint8_t {
  Count, ///< an integer
  Rate,  ///< a positive number, per second
  Word,  ///< one of a few words
};

/// One field of a chip's description that carries a number (or a word).
struct ChipField {
  llvm::StringLiteral key;
  FieldKind kind;
  bool required;
  bool powerOfTwo;
  int64_t minimum, maximum;    ///< of a Count
  llvm::StringLiteral meaning; ///< one line, with the unit
};

/// A value before it is checked.
using FieldValue = std::variant<int64_t, double, std::string>;

/// All fields, in the order in which they are set: a field that needs another
/// one to be there stands after it.
llvm::ArrayRef<ChipField> chipFields();

/// The field called `key`, or nullptr.
const ChipField *findChipField(llvm::StringRef key);

/// What values `field` takes, for messages: "an integer from 1 to 1024".
std::string describeAllowed(const ChipField &field);

/// Sets one field of `spec`. `where` opens the message: the file, or the
/// attribute. Fails with where, field, value and what is allowed.
llvm::Error setChipField(HardwareSpec &spec, const ChipField &field,
                         const FieldValue &value, llvm::StringRef where);

/// Scales the rates that are sums over compute units (first-level caches, L2s,
/// arithmetic) from a chip of `units` compute units to those that `spec` has.
void scaleToUnits(HardwareSpec &spec, int64_t units);

/// Checks what holds between fields: lines divide caches, sectors divide lines,
/// ways divide the number of lines, and so on.
llvm::Error checkChip(const HardwareSpec &spec, llvm::StringRef where);

/// The candidate that is spelt most like `word`; empty if none is close.
llvm::StringRef nearestSpelling(llvm::StringRef word,
                                llvm::ArrayRef<llvm::StringRef> candidates);

} // namespace swizzle

#endif // SWIZZLE_HARDWARE_SCHEMA_H
