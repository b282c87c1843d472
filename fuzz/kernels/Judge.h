//===- Judge.h - The analysis against the host ------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the analysis says of a kernel, and what happens when it runs. They
// disagree if
//   - it is accepted without assumption, and two workgroups touch one byte,
//   - a workgroup touches other bytes than the model says, or
//   - the remapped kernel writes something else.
// Each is a bug of ours, whatever the kernel looks like.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_FUZZ_KERNELS_JUDGE_H
#define SWIZZLE_FUZZ_KERNELS_JUDGE_H

#include "Coverage.h"
#include "FuzzKernel.h"
#include "swizzle/Codegen/Host/Check.h"
#include "swizzle/Codegen/Host/FindRaces.h"

#include "mlir/IR/MLIRContext.h"

#include <map>
#include <optional>

namespace swizzle::fuzz {

struct JudgeOptions {
  bool compareModel = true;
  bool checkRemapped = true;
  /// Of an answer that needs no trial: nothing is run if the analysis gives it.
  std::optional<uint64_t> knownAnswer;
  bool onlyAnswer = false;      ///< nothing is run
  Coverage *coverage = nullptr; ///< counts what is met
};

struct Verdict {
  std::string invalid; ///< why the text is no kernel; a bug of the writer
  std::string code, strictCode; ///< of the refusals, "" if accepted
  std::vector<std::string> assumptions;
  uint64_t answer = 0; ///< a hash of all that the analysis says of the kernel
  RaceResult race;
  CheckStatus model = CheckStatus::Unchecked;
  std::string modelMessage;
  CheckStatus remapped = CheckStatus::Unchecked;
  std::string remappedMessage;
  /// The disagreements, in words; empty if there is none.
  std::string falseAccept, wrongModel, wrongRemap;

  bool agrees() const {
    return invalid.empty() && falseAccept.empty() && wrongModel.empty() &&
           wrongRemap.empty();
  }
};

/// Judges `kernel` by the analysis and by the host.
Verdict judgeAgainstOracle(const FuzzKernel &kernel,
                           const JudgeOptions &options = {});

/// What came out over many kernels.
struct Statistics {
  int64_t kernels = 0, racing = 0, raceFree = 0, unchecked = 0;
  int64_t unplanned = 0; ///< that race though no mistake was put in
  int64_t forbidden = 0; ///< with a row of Forbidden.def: none is run
  int64_t accepted = 0;  ///< under `strict`
  int64_t assumed = 0;   ///< accepted, but not under `strict`
  int64_t refused = 0, refusedRaceFree = 0;
  int64_t modelled = 0; ///< models that agree with the recorded trace
  int64_t remapped = 0; ///< remapped kernels that write the same
  int64_t invalid = 0, falseAccepts = 0, wrongModels = 0, wrongRemaps = 0;
  std::map<std::string, int64_t> codes;         ///< of refusals
  std::map<std::string, int64_t> raceFreeCodes; ///< of kernels without races
  std::map<std::string, int64_t> assumptions;
  std::map<std::string, int64_t> uncheckedReasons;
  int64_t hits[kNumFeatures] = {};
  /// By row of Operations.def: kernels that have it, and those of them that
  /// were accepted.
  std::map<size_t, std::pair<int64_t, int64_t>> operations;

  void add(const FuzzKernel &kernel, const Verdict &verdict);
  void print(llvm::raw_ostream &os) const;
};

} // namespace swizzle::fuzz

#endif // SWIZZLE_FUZZ_KERNELS_JUDGE_H
