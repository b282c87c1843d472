//===- JudgeRaces.h - May the order of workgroups change? -------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What races between workgroups of the original mean for a variant that moves
// workgroups.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_CODEGEN_HOST_CHECK_JUDGERACES_H
#define SWIZZLE_LIB_CODEGEN_HOST_CHECK_JUDGERACES_H

#include "swizzle/Codegen/Host/Check.h"

namespace swizzle::host {

/// The kernel whose workgroups may race.
enum class Whose : uint8_t { Original, Variant };

struct RaceVerdict {
  enum class Kind : uint8_t {
    Harmless,
    Note,      ///< worth saying
    Unchecked, ///< other contents may tell
    Race,      ///< the result depends on the order
  };
  Kind kind = Kind::Harmless;
  std::string text;
};

/// Looks for races in `kernel`, which was run as `host`.
RaceVerdict judgeRaces(mlir::FunctionOpInterface kernel, const HostKernel &host,
                       const CheckOptions &options,
                       Whose whose = Whose::Original);

} // namespace swizzle::host

#endif // SWIZZLE_LIB_CODEGEN_HOST_CHECK_JUDGERACES_H
