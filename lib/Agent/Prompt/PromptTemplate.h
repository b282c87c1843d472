//===- PromptTemplate.h - Texts with placeholders ------------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The wording of prompts lives in text files. `{{name}}` stands for a value;
// lines between `{{#name}}` and `{{/name}}` stay only where the value is not
// empty, those between `{{^name}}` and `{{/name}}` only where it is. Values are
// never looked at again: whatever they contain stays text.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_AGENT_PROMPT_PROMPTTEMPLATE_H
#define SWIZZLE_LIB_AGENT_PROMPT_PROMPTTEMPLATE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>

namespace swizzle::agent {

/// The embedded file `name` ("user.txt"), or, if `directory` holds a file of
/// that name, its text. Fails on an unreadable file; `fileName` becomes what
/// messages call it.
llvm::Expected<std::string> readPromptFile(llvm::StringRef name,
                                           llvm::StringRef directory,
                                           std::string &fileName);

/// Fills in `text`. The error names file, line and the known names.
llvm::Expected<std::string>
fillIn(llvm::StringRef text, llvm::StringRef fileName,
       const std::map<std::string, std::string> &values);

} // namespace swizzle::agent

#endif // SWIZZLE_LIB_AGENT_PROMPT_PROMPTTEMPLATE_H
