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
// and with the same limits; these are the lists, and the checks that hold
// between fields. Meaning of each field: docs/adding-a-chip.md. Functions that
// judge return what is wrong, with the field first, and "" if nothing is.
//
// A field of a cache level has two spellings: "l2.ways" in the rows of a file,
// and flat, "l2_ways", in attributes, in what a driver tells and in files of
// the first version; the flat ones speak of the levels l1, l2 and llc alone.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_HARDWARE_SCHEMA_H
#define SWIZZLE_HARDWARE_SCHEMA_H

#include "swizzle/Hardware/HardwareSpec.h"
#include <variant>

namespace swizzle {

/// The version of the file format, value of the key `schema`.
inline constexpr std::string_view kHardwareSchema = "swizzle-hardware/2";
/// The version before, with three fixed levels; still read.
inline constexpr std::string_view kChipSchema = "swizzle-chip/1";

/// The list of compute units beside the fields: {"value": [1, 0], "source":
/// ...}.
inline constexpr std::string_view kDispatchOrder = "dispatch_order";

/// Levels that a chip can have.
inline constexpr size_t kMaxLevels = 8;

enum class FieldKind : uint8_t {
  Count, ///< an integer
  Rate,  ///< a positive number, per second
  Word,  ///< one of a few words
};

/// One field of a chip's description that carries a number (or a word).
struct ChipField {
  std::string_view key;
  FieldKind kind;
  bool required;
  bool powerOfTwo;
  int64_t minimum, maximum; ///< of a Count
  std::string_view meaning; ///< one line, with the unit
};

/// A value before it is checked.
using FieldValue = std::variant<int64_t, double, std::string>;

/// All fields in their flat spelling, in the order in which they are set: a
/// field that needs another one to be there stands after it.
const std::vector<ChipField> &chipFields();

/// The fields of a row of `levels` that carry a number.
const std::vector<ChipField> &levelFields();

/// The field called `key`, or nullptr.
const ChipField *findChipField(std::string_view key);

/// "l2", "ways" to "l2_ways".
std::string flatKey(std::string_view level, std::string_view field);
/// The level that a flat field speaks of; "" if it is one of the chip.
std::string_view levelOf(const ChipField &field);

/// The key of a flat field in `HardwareSpec::sources`: "l2.ways".
std::string sourceKey(const ChipField &field);

/// "compute_unit", "cluster", "die", "device".
std::string_view toString(CacheScope scope);
std::optional<CacheScope> readScope(std::string_view word);
/// "write_through", "write_back".
std::string_view toString(CachePolicy policy);
std::optional<CachePolicy> readPolicy(std::string_view word);
/// "in_flight_is_hit", "both_partitions".
std::string_view toString(HitDefinition definition);

/// The level `llc`, put behind the others if the chip has none.
CacheLevel &addLastLevel(HardwareSpec &spec);

/// What values `field` takes, for messages: "an integer from 1 to 1024".
std::string describeAllowed(const ChipField &field);

/// Sets one field in its flat spelling.
std::string setChipField(HardwareSpec &spec, const ChipField &field,
                         const FieldValue &value);

/// Sets one of `levelFields()`.
std::string setLevelField(CacheLevel &level, const ChipField &field,
                          const FieldValue &value);

/// The value of a field, in either spelling; nullopt if it is not known.
std::optional<FieldValue> getChipField(const HardwareSpec &spec,
                                       const ChipField &field);
std::optional<FieldValue> getLevelField(const CacheLevel &level,
                                        const ChipField &field);

/// Scales the rates that are sums over compute units (all caches but those of
/// the whole device, arithmetic) from a chip of `units` compute units to those
/// that `spec` has.
void scaleToUnits(HardwareSpec &spec, int64_t units);

/// The folder where the amdgpu driver shows its GPUs; $SWIZZLE_KFD_TOPOLOGY
/// names another one.
std::string kfdTopologyFolder();

/// Forgets an order that was measured on another chip.
void forgetDispatchOrder(HardwareSpec &spec);

/// How a message spells the fields of a level.
enum class Spelling : uint8_t { Flat, Rows };

/// Checks what holds between fields: lines divide caches, sectors divide lines,
/// ways divide the number of lines, levels are listed from the compute units to
/// memory, and so on.
std::string checkChip(const HardwareSpec &spec, Spelling keys);

/// The candidate that is spelt most like `word`; empty if none is close.
std::string nearestSpelling(std::string_view word,
                            const std::vector<std::string> &candidates);

} // namespace swizzle

#endif // SWIZZLE_HARDWARE_SCHEMA_H
