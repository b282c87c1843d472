//===- Options.cpp - Options of agents as text ----------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One table: name, operand, help, and how the text becomes a value. What the
// pass, the tuner and the documentation show comes from it.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Agent/Core/Options.h"
#include "swizzle/Support/Json.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace swizzle {

namespace {

/// \name Setters: an empty string, or what would be right
/// @{
template <std::string AgentOptions::*Field>
std::string setText(AgentOptions &options, StringRef value) {
  options.*Field = value.str();
  return "";
}

template <int64_t AgentOptions::*Field, int64_t Least>
std::string setInteger(AgentOptions &options, StringRef value) {
  int64_t number;
  if (value.getAsInteger(10, number) || number < Least)
    return ("an integer from " + Twine(Least)).str();
  options.*Field = number;
  return "";
}

template <double AgentOptions::*Field>
std::string setNumber(AgentOptions &options, StringRef value) {
  double number;
  if (value.getAsDouble(number) || !(number >= 0) || number > 1e15)
    return "a number from 0";
  options.*Field = number;
  return "";
}

std::string setTemperature(AgentOptions &options, StringRef value) {
  double number;
  if (value.getAsDouble(number) || !(number >= 0 && number <= 2))
    return "a number from 0 to 2";
  options.temperature = number;
  return "";
}

std::string setRetries(AgentOptions &options, StringRef value) {
  if (value.getAsInteger(10, options.retries) || options.retries > 100)
    return "an integer from 0 to 100";
  return "";
}

/// A key given in place of the variable's name must not be repeated in the
/// message; `setAgentOption` leaves the value out.
std::string setKeyVariable(AgentOptions &options, StringRef value) {
  if (value.empty() || isDigit(value.front()) || !all_of(value, [](char c) {
        return isUpper(c) || isDigit(c) || c == '_';
      }))
    return "the name of an environment variable, in capitals, never the key "
           "itself";
  options.keyVariable = value.str();
  return "";
}

std::string setAnswerTokensField(AgentOptions &options, StringRef value) {
  if (value != "max_tokens" && value != "max_completion_tokens")
    return "max_tokens or max_completion_tokens";
  options.answerTokensField = value.str();
  return "";
}

std::string setStructuredOutput(AgentOptions &options, StringRef value) {
  if (value == "schema")
    options.structuredOutput = StructuredOutput::Schema;
  else if (value == "json")
    options.structuredOutput = StructuredOutput::Json;
  else if (value == "none")
    options.structuredOutput = StructuredOutput::None;
  else
    return "schema, json or none";
  return "";
}

std::string setExtraBody(AgentOptions &options, StringRef value) {
  Expected<json::Value> parsed = parseJson(value);
  if (!parsed)
    return "a JSON object (" + toString(parsed.takeError()) + ")";
  if (!parsed->getAsObject())
    return "a JSON object";
  options.extraBody = value.str();
  return "";
}

std::string setAttachPicture(AgentOptions &options, StringRef value) {
  if (value != "true" && value != "false" && !value.empty())
    return "true or false";
  options.attachPicture = value != "false";
  return "";
}

std::string setDatabaseMiss(AgentOptions &options, StringRef value) {
  if (value != "keep" && value != "planner" && value != "error")
    return "keep, planner or error";
  options.databaseMiss = value.str();
  return "";
}
/// @}

using O = AgentOptions;
using Setter = std::string (*)(AgentOptions &, StringRef);

/// In step with `kSetters`.
constexpr AgentOptionInfo kInfos[] = {
    {"base-url", "URL",
     "Where the language model is served, e.g. http://localhost:8080/v1"},
    {"model", "NAME", "Model that the server shall use"},
    {"key-variable", "VARIABLE",
     "Environment variable that holds the server's key"},
    {"temperature", "NUMBER", "Sampling temperature, sent only if given"},
    {"answer-tokens", "COUNT", "Longest answer of a language model, in tokens"},
    {"answer-tokens-field", "FIELD",
     "What the server calls it: max_tokens or max_completion_tokens"},
    {"structured-output", "KIND",
     "What the server is asked to enforce: schema, json or none"},
    {"extra-body", "JSON", "Object whose members are added to each request"},
    {"connect-timeout-ms", "MS", "Longest wait for a connection"},
    {"idle-timeout-ms", "MS", "Longest time in which next to nothing arrives"},
    {"total-timeout-ms", "MS",
     "Longest time for one question, with all its attempts"},
    {"max-body-bytes", "BYTES", "Longest answer, in bytes"},
    {"retries", "COUNT", "Attempts after the first one that failed"},
    {"agent-seed", "NUMBER", "Seed of the jitter between attempts"},
    {"input-price", "NUMBER", "Price of a million input tokens"},
    {"output-price", "NUMBER", "Price of a million output tokens"},
    {"max-tokens", "COUNT",
     "Tokens that all agents together may use; 0: no limit"},
    {"max-money", "NUMBER",
     "Money that all agents together may spend; 0: no limit"},
    {"prompt-dir", "FOLDER", "Prompt texts that replace the built-in ones"},
    {"attach-picture", "BOOL", "Attach the mapping as a picture"},
    {"record", "PATH", "Write each exchange to this folder or .jsonl file"},
    {"replay", "PATH", "Take the answers from this folder or .jsonl file"},
    {"command", "COMMAND", "Program that agent 'command' runs"},
    {"database", "FILE", "Tuning database of agent 'database'"},
    {"on-failure", "WHAT",
     "What to do about a kernel of which the database has no record: keep, "
     "planner or error"},
};

std::string setSeed(AgentOptions &options, StringRef value) {
  return value.getAsInteger(10, options.seed) ? "a positive integer" : "";
}

constexpr Setter kSetters[] = {
    setText<&O::baseUrl>,
    setText<&O::model>,
    setKeyVariable,
    setTemperature,
    setInteger<&O::answerTokens, 1>,
    setAnswerTokensField,
    setStructuredOutput,
    setExtraBody,
    setInteger<&O::connectTimeoutMs, 1>,
    setInteger<&O::idleTimeoutMs, 1>,
    setInteger<&O::totalTimeoutMs, 1>,
    setInteger<&O::maxBodyBytes, 1>,
    setRetries,
    setSeed,
    setNumber<&O::inputPrice>,
    setNumber<&O::outputPrice>,
    setInteger<&O::tokenBudget, 0>,
    setNumber<&O::moneyBudget>,
    setText<&O::promptDirectory>,
    setAttachPicture,
    setText<&O::recordPath>,
    setText<&O::replayPath>,
    setText<&O::command>,
    setText<&O::database>,
    setDatabaseMiss,
};
static_assert(std::size(kInfos) == std::size(kSetters));

} // namespace

std::optional<std::string> AgentOptions::lookUp(StringRef variable) const {
  return environment ? environment(variable) : sys::Process::GetEnv(variable);
}

Secrets findSecrets(const AgentOptions &options) {
  Secrets secrets;
  for (StringRef variable :
       {StringRef("OPENAI_API_KEY"), StringRef("ANTHROPIC_API_KEY"),
        StringRef(options.keyVariable)})
    if (!variable.empty())
      if (std::optional<std::string> value = options.lookUp(variable))
        secrets.add(*value);
  secrets.addUrl(options.baseUrl);
  for (StringRef variable : {"OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"})
    secrets.addUrl(options.lookUp(variable).value_or(""));
  if (Expected<json::Value> extra = parseJson(options.extraBody))
    secrets.addTexts(*extra);
  else
    consumeError(extra.takeError()); // there is none: `set` has checked it
  return secrets;
}

ArrayRef<AgentOptionInfo> agentOptionInfos() { return kInfos; }

Error setAgentOption(AgentOptions &options, StringRef name, StringRef value) {
  for (auto [info, set] : zip_equal(kInfos, kSetters)) {
    if (info.name != name)
      continue;
    std::string wanted = set(options, value);
    if (wanted.empty())
      return Error::success();
    // A mistyped variable name may be a key.
    std::string given =
        name == "key-variable" ? "" : ", not '" + excerpt(value, 60) + "'";
    return make_error<AgentError>(AgentErrorKind::Configuration,
                                  (name + " must be " + wanted + given).str());
  }
  auto names =
      map_range(kInfos, [](const AgentOptionInfo &info) { return info.name; });
  return make_error<AgentError>(
      AgentErrorKind::Configuration,
      ("agents have no option '" + name + "'; they have: " + join(names, ", "))
          .str());
}

} // namespace swizzle
