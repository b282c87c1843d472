//===- MeasureBundle.h - Compiled variants to a GPU and back ----*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes a bundle, has it measured, and reads the results: on this machine by
// `swizzle-run`, on another one by a program of the user's (ssh, a queue), or
// by whoever finds the folder.
//
//   Place place{Place::Program, "bundle", {"swizzle-run", "--api=cuda"}};
//   auto rows = measureBundle(job, {original, variant}, place);
//   rows->at(1).metrics.timeUs
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_PROFILING_MEASUREBUNDLE_H
#define SWIZZLE_PROFILING_MEASUREBUNDLE_H

#include "swizzle/Bundle/Artifact.h"
#include "swizzle/Bundle/Job.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <atomic>
#include <memory>

namespace swizzle {

/// Where bundles are measured.
struct Place {
  enum How : uint8_t {
    Program, ///< `command` with the folder as its last argument
    Shell,   ///< the same, where `command` is one line for /bin/sh
    Wait,    ///< nobody is called: the results are there, or not yet
  };
  How how = Program;
  std::string folder;
  std::vector<std::string> command;
  const std::atomic<bool> *cancel = nullptr;
};

/// Nobody has measured the bundle yet.
class ResultsMissing : public llvm::ErrorInfo<ResultsMissing> {
public:
  static char ID;
  explicit ResultsMissing(std::string folder) : folder(std::move(folder)) {}
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }
  const std::string folder;
};

/// The word by which a job calls the format of an artifact; empty for one that
/// no driver loads.
llvm::StringRef formatOf(ArtifactKind kind);

/// Fails if a bundle in `folder` would replace a job.json that is somebody
/// else's.
llvm::Error checkBundle(llvm::StringRef folder);

/// Writes `job` with one artifact for each of its variants into the folder, has
/// it measured unless all results are there, and returns them in the order of
/// the variants. A file of the job is left out: this function names them.
llvm::Expected<std::vector<JobResult>>
measureBundle(Job job,
              llvm::ArrayRef<std::shared_ptr<const Artifact>> artifacts,
              const Place &place);

} // namespace swizzle

#endif // SWIZZLE_PROFILING_MEASUREBUNDLE_H
