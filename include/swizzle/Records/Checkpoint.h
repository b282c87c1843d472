//===- Checkpoint.h - A named state to go on from ---------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As a commit in git: what had been tried and what was best, under a name.
// Another run, with other agents, options or budgets, can go on from it. Its
// figures are not believed: formulas are proved again and the best is measured
// again.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_RECORDS_CHECKPOINT_H
#define SWIZZLE_RECORDS_CHECKPOINT_H

#include "swizzle/Records/History.h"
#include "swizzle/Support/Secrets.h"
#include "llvm/Support/Error.h"

namespace swizzle {

struct KernelCheckpoint {
  std::vector<Attempt> attempts;
  unsigned best = 0; ///< number of the best attempt, 0: the kernel as it is
};

struct Checkpoint {
  std::string toolVersion, inputHash, chip, chipHash;
  std::map<std::string, KernelCheckpoint> kernels; ///< by "module::kernel"
};

/// The file of a checkpoint: `.swizzle/checkpoints/NAME.json` below the current
/// folder; a name with a slash is a path itself. Fails on an empty name.
llvm::Expected<std::string> checkpointPath(llvm::StringRef name);

/// Written beside and renamed, without any of `secrets`; folders are made.
llvm::Error writeCheckpoint(llvm::StringRef path, const Checkpoint &checkpoint,
                            const Secrets &secrets = {});

/// Fails if there is none, listing those that there are beside it, or if the
/// file cannot be read.
llvm::Expected<Checkpoint> readCheckpoint(llvm::StringRef path);

/// Keeps the file of a checkpoint up to date while kernels are tuned.
class CheckpointKeeper {
public:
  CheckpointKeeper(std::string path, Checkpoint start, Secrets secrets)
      : path(std::move(path)), state(std::move(start)),
        secrets(std::move(secrets)) {}

  /// Writes what is now known of one kernel.
  void note(llvm::StringRef kernel, KernelCheckpoint now);
  /// The first error of writing, success if there was none.
  llvm::Error takeError();

private:
  std::string path;
  Checkpoint state;
  Secrets secrets;
  std::string failure;
};

/// Success if `checkpoint` is about the input and chip that `now` names; else
/// the error says what differs.
llvm::Error compareCheckpoint(const Checkpoint &checkpoint,
                              const Checkpoint &now);

} // namespace swizzle

#endif // SWIZZLE_RECORDS_CHECKPOINT_H
