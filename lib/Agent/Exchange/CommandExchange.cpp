//===- CommandExchange.cpp - Any program as an agent ----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `agent=command`: the request goes to a program's standard input as JSON, and
// what the program prints is the answer, read like a language model's: it may
// carry chatter, and one that does not fit the schema gets one repair turn (the
// program is run again with `repair` in the request).
//
//===----------------------------------------------------------------------===//

#include "Exchange.h"
#include "swizzle/Support/Json.h"

#include "swizzle/Support/ChildProcess.h"

#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace llvm;

namespace swizzle::agent {

namespace {

class CommandExchange : public Exchange {
public:
  explicit CommandExchange(const AgentOptions &options)
      : options(options), secrets(findSecrets(options)) {}

  Expected<Reply> send(const Conversation &conversation) override {
    std::string request = toText(json::Value(toRequestJson(conversation)),
                                 conversation.prompt.schema) +
                          "\n";
    int64_t limitMs = conversation.answerMs(options.totalTimeoutMs);
    ChildOptions child;
    child.program = "/bin/sh";
    child.arguments = {"-c", options.command};
    child.input = request;
    if (limitMs)
      child.timeout = std::chrono::milliseconds(limitMs);
    child.outputBytes = options.maxBodyBytes;
    child.errorBytes = 2000;
    child.cancel = options.cancel;
    ChildResult result = runChild(child);
    Reply reply;
    // 127: the shell found no such program.
    bool started =
        result.status != ChildResult::NotStarted &&
        !(result.status == ChildResult::Exited && result.code == 127);
    reply.usage.requests = started;
    if (Error error = judge(result, reply.usage, conversation))
      return std::move(error);
    reply.text = std::move(result.output);
    return reply;
  }

private:
  /// What went wrong, with the end of what the program wrote to stderr.
  Error judge(const ChildResult &result, Usage usage,
              const Conversation &conversation) const {
    std::string tail;
    StringRef written = StringRef(result.errorTail).trim();
    if (!written.empty())
      tail = "; it wrote: " + secrets.redact(excerpt(written, 2000));
    auto fail = [&](AgentErrorKind kind, const Twine &what) {
      return makeAgentError(kind, "the agent's command " + what + tail, usage);
    };
    switch (result.status) {
    case ChildResult::Exited:
      if (result.code == 127)
        return fail(AgentErrorKind::Program,
                    "could not be run (exit status 127: no such program)");
      if (result.code)
        return fail(AgentErrorKind::Program,
                    "failed with exit status " + Twine(result.code));
      if (StringRef(result.output).trim().empty())
        return fail(AgentErrorKind::Program,
                    "printed nothing; it shall print its answer as JSON");
      return Error::success();
    case ChildResult::Signalled:
      return fail(AgentErrorKind::Program, "was ended by signal " +
                                               Twine(result.code) + " (" +
                                               ::strsignal(result.code) + ")");
    case ChildResult::TimedOut:
      return fail(AgentErrorKind::Timeout,
                  "ran longer than " +
                      Twine(conversation.answerMs(options.totalTimeoutMs)) +
                      " ms and was killed (" +
                      conversation.answerLimit(options.totalTimeoutMs) + ")");
    case ChildResult::TooMuchOutput:
      return fail(AgentErrorKind::TooLarge,
                  "printed more than " + Twine(options.maxBodyBytes) +
                      " bytes and was killed (max-body-bytes)");
    case ChildResult::NotStarted:
      return makeAgentError(AgentErrorKind::Program, result.error, usage);
    case ChildResult::Cancelled:
      return makeAgentError(AgentErrorKind::Cancelled,
                            "the agent's command was cancelled", usage);
    }
    llvm_unreachable("unknown end of a process");
  }

  AgentOptions options;
  Secrets secrets;
};

} // namespace

Expected<std::unique_ptr<Exchange>>
makeCommandExchange(const AgentOptions &options) {
  if (StringRef(options.command).trim().empty())
    return makeAgentError(AgentErrorKind::Configuration,
                          "agent 'command' needs the program to run: "
                          "command='PROGRAM ARGUMENTS...'");
  return std::make_unique<CommandExchange>(options);
}

} // namespace swizzle::agent
