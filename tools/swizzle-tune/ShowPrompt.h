//===- ShowPrompt.h - Questions that are printed, not sent ------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `--show-prompt` runs the loop up to the first question of each kernel that no
// journal answers, prints it, and ends there. The loop itself writes the
// prompt, so that what is printed is what would be sent; where nothing would
// be, it is said why.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TOOLS_SWIZZLE_TUNE_SHOWPROMPT_H
#define SWIZZLE_TOOLS_SWIZZLE_TUNE_SHOWPROMPT_H

#include "swizzle/Agent/Core/Agent.h"
#include "swizzle/Agent/Prompt/Prompt.h"
#include "swizzle/Tuning/Report.h"

namespace swizzle {

class PromptDisplay {
public:
  /// Texts come from `directory` where it has them. With `named`, each prompt
  /// is headed by its kernel's name.
  PromptDisplay(std::string directory, bool named, llvm::raw_ostream &os)
      : directory(std::move(directory)), named(named), os(os) {}

  /// Agents called `names` that have nothing to say: the first of them that is
  /// asked about a kernel prints the question.
  std::vector<std::unique_ptr<Agent>>
  makeAgents(llvm::ArrayRef<std::string> names);

  /// The next kernel.
  void begin(llvm::StringRef kernel);
  /// Says why nothing would be sent, if the loop ends before a question.
  void note(const TuningEvent &event);
  /// Says why nothing would be sent about a kernel that is not tuned.
  void note(const KernelTuning &tuning);

  /// Prints the question of `context`, unless this kernel's stands there.
  void show(const AgentContext &context);

  /// The first prompt that could not be made.
  llvm::Error takeError();

private:
  std::string directory;
  bool named;
  llvm::raw_ostream &os;
  bool shown = false;
  std::string failure;
};

} // namespace swizzle

#endif // SWIZZLE_TOOLS_SWIZZLE_TUNE_SHOWPROMPT_H
