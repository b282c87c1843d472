//===- HardwareAttr.h - Hardware as DLTI attributes -------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module can describe its chip with `dlti` attributes: keys `swizzle.<field>`
// on the device "GPU", with the fields of the chip files. `swizzle.chip` names
// a chip to start from, which the other keys change.
//
//   module attributes {dlti.target_system_spec = #dlti.target_system_spec<
//     "GPU" = #dlti.target_device_spec<"swizzle.chip" = "mi300x",
//                                      "swizzle.num_xcds" = 4 : i64>>} { ... }
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_IR_HARDWAREATTR_H
#define SWIZZLE_IR_HARDWAREATTR_H

#include "swizzle/Hardware/HardwareSpec.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace mlir {
class Operation;
} // namespace mlir

namespace swizzle {

/// What chip a kernel is compiled for, and how that was decided.
struct ChipChoice {
  HardwareSpec hardware;
  /// "option", "file", "dlti", "target"
  std::string source;
};

/// The chip of `op` (a kernel, or anything around it): the `dlti` attributes of
/// the module around it (which may start from a named chip, key
/// `swizzle.chip`), else the target of its gpu.module, if it stands for one
/// chip. nullopt: neither says. An ill-formed description is an error that
/// names the key, the value and what is allowed. Sizes that a description
/// changes take fitted ones along; rates that are sums over compute units are
/// scaled to their number. Its wave size is the one that `statedWaveSize`
/// finds.
llvm::Expected<std::optional<ChipChoice>> readChip(mlir::Operation *op);

/// The same for those whom a chip helps and who can do without: nullopt also if
/// the description is wrong, which `chooseChip` reports.
std::optional<ChipChoice> knownChip(mlir::Operation *op);

/// True if whatever the gpu.module around `op` is compiled for has waves of
/// `size` lanes: false where a target leaves that open.
bool allTargetsHaveWaves(mlir::Operation *op, int64_t size);

/// Lanes of a wave of whatever the gpu.module around `op` is compiled for;
/// nullopt: it names no target, or they differ, or one leaves it open.
std::optional<int64_t> waveSizeOfTargets(mlir::Operation *op);

/// Where the gpu.module around `op` is compiled for another vendor's chips or
/// for waves of another size than `hardware` has, a sentence that says so; else
/// empty. Other chips of one vendor are taken for the same.
std::string describeOtherTarget(mlir::Operation *op,
                                const HardwareSpec &hardware);

/// The lanes of a wave that the features of `op`, a kernel, or of the target of
/// its gpu.module ask for, on a chip that has waves of either size:
///
///   #rocdl.target<chip = "gfx1100", features = "+wavefrontsize64">     64
///
/// nullopt: nothing is asked for, or not the same by all.
std::optional<int64_t> statedWaveSize(mlir::Operation *op);

/// The target that the gpu.module around `op` names, if no chip is described
/// for it: "sm_75". Empty if there is none, or if `dlti` attributes say more.
std::string unknownTarget(mlir::Operation *op);

/// The chip to plan `op` for: the one that the option `chip` names, else the
/// one that `hardwareFile` describes, else what `readChip` finds. Empty options
/// are not given; giving both is an error.
llvm::Expected<std::optional<ChipChoice>>
chooseChip(llvm::StringRef chip, llvm::StringRef hardwareFile,
           mlir::Operation *op);

} // namespace swizzle

#endif // SWIZZLE_IR_HARDWAREATTR_H
