//===- Decision.h - What is decided about one kernel ------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What planning answers, as plain data: whoever asked rewrites the kernel by
// it, tells it in remarks and writes it into the report.
//
//   Decision decision = plan(facts, chip, options);
//   decision.outcome               Outcome::Remapped
//   decision.remap->formula        return gx - 1 - x, y
//   decision.remap->proof.kind     ProofKind::Enumerated
//   decision.prediction->after     81 % of L2 requests hit, 5.9 ms
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_PLANNING_DECISION_H
#define SWIZZLE_PLANNING_DECISION_H

#include "swizzle/Formula/Lowering/Lowering.h"
#include "swizzle/Formula/Proof/Proof.h"
#include "swizzle/Hardware/HardwareSpec.h"
#include "swizzle/Kernel/KernelFacts.h"
#include "swizzle/Kernel/Reuse.h"
#include "swizzle/Records/Answer.h"

namespace swizzle {

enum class Outcome : uint8_t {
  Remapped, ///< a remap goes in
  Kept,     ///< legal, but better or only left alone
  Refused,  ///< not legal
  Failed,   ///< asked for the impossible: an error
};

/// A formula that was proved, and what it was proved for.
struct ProvedRemap {
  Formula formula;
  Environment environment; ///< its grid is the one that is proved
  Proof proof;
  /// What will be emitted, and its estimated instructions; nullopt if the
  /// formula cannot be lowered by itself (a note of the decision says why).
  std::optional<LoweredFormula> lowered;
  std::optional<int64_t> scalarCost, vectorCost;
};

struct Decision {
  Outcome outcome = Outcome::Kept;
  std::string reasonCode; ///< stable; docs/legality.md lists all
  std::string reason;     ///< one sentence
  std::string counterexample;
  std::optional<ProvedRemap> remap; ///< exactly if `Outcome::Remapped`
  ReuseTable reuse;                 ///< empty if nobody was asked
  std::optional<Prediction> prediction;
  /// What else is worth knowing: what agents tried, what could not be told.
  std::vector<std::string> notes;
  std::vector<std::string> assumptions; ///< of the kernel's independence
  /// The remap takes the place of one that the kernel carries.
  bool replaces = false;
};

/// A remap that a kernel carries, and that was taken out of what is judged.
struct CarriedRemap {
  Formula formula;
  Environment environment;
};

/// The chip to plan for, and who says so.
struct TargetChip {
  std::optional<HardwareSpec> hardware;
  std::string source;  ///< "option", "file", "dlti", "target"
  std::string problem; ///< why the chip that was asked for cannot be used
  /// The target that the IR names, if no chip is described for it.
  std::string unknownTarget{};
  /// That the IR is compiled for chips that `hardware` is none of, if it is.
  std::string otherTarget{};
};

/// One kernel with all that was known and decided about it.
struct PlannedKernel {
  KernelFacts facts;
  TargetChip chip;
  Decision decision;
  /// What a remap changes in the kernel's IR, as `differenceOfLines` gives it;
  /// empty without a remap, or if nobody asked.
  std::vector<std::string> irDifference = {};
};

} // namespace swizzle

#endif // SWIZZLE_PLANNING_DECISION_H
