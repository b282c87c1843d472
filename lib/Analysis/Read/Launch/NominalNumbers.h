//===- NominalNumbers.h - Sizes that fit together ---------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers that nobody gave stand for sizes, and all cannot be large: a volume of
// 4096 points along each axis has more than 32 bits count. Where addresses wrap
// around under nominal numbers, some of these are smaller: a few that help, the
// last ones first, since the axes that threads run along come before others in
// most parameter lists.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_READ_LAUNCH_NOMINALNUMBERS_H
#define SWIZZLE_LIB_ANALYSIS_READ_LAUNCH_NOMINALNUMBERS_H

#include "SharedTests.h"

#include "mlir/IR/Value.h"
#include "swizzle/Kernel/KernelModel.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSet.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace swizzle::analysis {

/// What a kernel does with a number: a size, unless it is part of a division by
/// multiplication (MagicNumbers.cpp).
enum class NumberUse : uint8_t {
  Size,
  Shift,       ///< how many bits something is shifted by
  Factor,      ///< of a product of which the upper half is used
  AddedFactor, ///< of one whose upper half the other factor is added to
};

/// What `number`, an argument or a member that was loaded, is for: by the first
/// shift, or else by a product.
NumberUse useOf(mlir::Value number);

/// The number that says which way a kernel goes, if `number` is compared with
/// constants and nothing else: the least of these.
std::optional<int64_t> wayOf(mlir::Value number);

/// True if `number` is no size: it is stored or compared with constants, if it
/// is used at all, so that no workgroup touches anything else for it.
bool placesNothing(mlir::Value number);

/// What a number of `bits` bits is that `number` was said to be, signed or not;
/// nullopt if it has more bits.
std::optional<int64_t> heldIn(int64_t number, unsigned bits);

/// A member of a structure that was passed, by its name, and a load of it.
using NamedNumber = std::pair<std::string, mlir::Value>;

/// One reading of a kernel under nominal numbers.
struct NominalReading {
  KernelModel model;
  std::vector<std::string> numbers;      ///< that are nominal, by name
  uint64_t work = 0;                     ///< operations read
  llvm::DenseSet<mlir::Operation *> met; ///< of these, what touches memory
  std::vector<NamedNumber> members;      ///< that were loaded
  llvm::StringSet<> small;               ///< of the numbers
  llvm::MapVector<OpInCalls, SharedTests::Test> tests;
  llvm::DenseSet<mlir::Operation *> loops;    ///< whose turns were counted
  llvm::DenseSet<mlir::Operation *> modelled; ///< of these, all is known
  llvm::DenseSet<size_t> accessed;            ///< by `KernelReader::accessKey`
};

struct FittedModel {
  NominalReading reading;
  bool hasSmall = false; ///< not all of the nominal numbers are large
};

/// Reads with as few of the nominal numbers small as are found that let
/// addresses fit. `read` is told which are.
FittedModel readWithNumbersThatFit(
    llvm::function_ref<NominalReading(const llvm::StringSet<> &small)> read);

} // namespace swizzle::analysis

#endif // SWIZZLE_LIB_ANALYSIS_READ_LAUNCH_NOMINALNUMBERS_H
