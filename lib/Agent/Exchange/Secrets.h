//===- Secrets.h - What must not be seen ------------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keys are read from the environment right before they are used and are never
// stored in options. Text that comes from outside (a server's error message,
// the end of a program's stderr, an answer that is recorded) may quote one all
// the same; it passes through here first.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_AGENT_EXCHANGE_SECRETS_H
#define SWIZZLE_LIB_AGENT_EXCHANGE_SECRETS_H

#include "swizzle/Agent/Core/Options.h"

namespace swizzle::agent {

class Secrets {
public:
  /// Knows the keys of all dialects, and of `options.keyVariable`, that are
  /// set.
  explicit Secrets(const AgentOptions &options);

  void add(llvm::StringRef secret);

  /// `text` with every key replaced by `***`, as it is and percent- or
  /// base64-encoded, and with the password of every URL.
  std::string redact(llvm::StringRef text) const;

private:
  std::vector<std::string> forms; ///< longest first
};

} // namespace swizzle::agent

#endif // SWIZZLE_LIB_AGENT_EXCHANGE_SECRETS_H
