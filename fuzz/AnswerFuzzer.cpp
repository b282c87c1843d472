//===- AnswerFuzzer.cpp - Answers of any shape ----------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever a model or a server sends is either refused with a message or gives
// proposals within bounds; proposals written out again are read as they were.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Agent/Prompt/Prompt.h"

#include "llvm/Support/JSON.h"
#include <cstdio>
#include <cstdlib>

using namespace swizzle;

static void require(bool holds, const char *what) {
  if (holds)
    return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

/// The answer in the form that is asked for.
static std::string write(const Answer &answer) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os);
  json.object([&] {
    json.attributeArray("proposals", [&] {
      for (const Proposal &proposal : answer.proposals)
        json.object([&] {
          json.attribute("formula", proposal.formula);
          json.attribute("expect", proposal.expectation);
          json.attributeArray("params", [&] {
            for (const ParamValues &set : proposal.params)
              json.array([&] {
                for (const auto &entry : set)
                  json.object([&] {
                    json.attribute("name", entry.first);
                    json.attribute("value", entry.second);
                  });
              });
          });
        });
    });
  });
  return text;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  AgentContext context;
  context.proposals = 3;
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  llvm::Expected<Answer> answer = readAnswer(text, context);
  if (!answer) {
    std::string message = llvm::toString(answer.takeError());
    require(!message.empty(), "a refusal without a message");
    require(message.size() < 64 * 1024, "an endless message");
    return 0;
  }
  require(answer->finished == answer->proposals.empty(),
          "an answer with nothing in it");
  require(answer->proposals.size() <= 3, "more than asked for");
  for (const Proposal &proposal : answer->proposals) {
    require(!proposal.formula.empty() &&
                proposal.formula.size() <= Formula::maxTextBytes + 1,
            "a formula out of bounds");
    for (const std::string *prose : {&proposal.critique, &proposal.limits,
                                     &proposal.change, &proposal.expectation})
      require(prose->size() < 8 * 1024 && llvm::json::isUTF8(*prose),
              "prose out of bounds");
  }
  if (answer->proposals.empty())
    return 0;
  std::string once = write(*answer);
  llvm::Expected<Answer> again = readAnswer(once, context);
  if (!again) {
    std::fprintf(stderr, "%s\n", llvm::toString(again.takeError()).c_str());
    require(false, once.c_str());
  }
  require(write(*again) == once, "written out and read again, it differs");
  return 0;
}
