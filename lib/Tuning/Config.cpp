//===- Config.cpp - One file about agents ---------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loop's own fields are a table here; those of agents are the table of
// swizzle/Agent/Core/Options.h. A value of the file goes through the same
// setter as an option's text.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Tuning/Config.h"

#include "swizzle/Hardware/Schema.h"
#include "swizzle/Records/HistoryJSON.h"
#include "swizzle/Support/Json.h"
#include "swizzle/Support/ReadFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace swizzle {

namespace {

/// \name Setters: an empty string, or what would be right
/// @{
std::string setAgents(TuningConfig &config, StringRef value) {
  config.agents = value.str();
  return value.trim().empty() ? "a name, or names in turns" : "";
}

template <unsigned TuningOptions::*Field, unsigned Least>
std::string setCount(TuningConfig &config, StringRef value) {
  unsigned number;
  if (value.getAsInteger(10, number) || number < Least)
    return ("an integer from " + Twine(Least)).str();
  config.tuning.*Field = number;
  return "";
}

std::string setEvaluations(TuningConfig &config, StringRef value) {
  return value.getAsInteger(10, config.tuning.budget.evaluations)
             ? "an integer from 0"
             : "";
}

std::string setSeconds(TuningConfig &config, StringRef value) {
  double number;
  if (value.getAsDouble(number) || !(number >= 0))
    return "a number from 0";
  config.tuning.budget.seconds = number;
  return "";
}

std::string setObjective(TuningConfig &config, StringRef value) {
  std::optional<Objective> wanted = readObjective(value);
  if (!wanted)
    return "auto, time, l2-hit-rate, dram-bytes or energy";
  config.tuning.objective = *wanted;
  return "";
}

std::string setHint(TuningConfig &config, StringRef value) {
  config.briefing.hint = value.str();
  return "";
}

std::string setContext(TuningConfig &config, StringRef value) {
  Briefing &briefing = config.briefing;
  briefing.manual.clear();
  config.manualFile.clear();
  if (value == "filtered") {
    briefing.mode = ContextMode::Filtered;
  } else if (value == "none") {
    briefing.mode = ContextMode::None;
  } else if (value.consume_front("manual:")) {
    auto manual = readWholeFile(value, kTextLimit);
    if (!manual)
      return ("a manual that can be read (cannot read the manual '" + value +
              "': " + toString(manual.takeError()) + ")")
          .str();
    briefing.mode = ContextMode::Manual;
    briefing.manual = (*manual)->getBuffer().str();
    config.manualFile = value.str();
  } else {
    return "filtered, none or manual:FILE";
  }
  return "";
}
/// @}

struct Row {
  ConfigField field;
  std::string (*set)(TuningConfig &, StringRef);
};

using T = TuningOptions;
constexpr ConfigKind Text = ConfigKind::Text, Number = ConfigKind::Number;

const Row kRows[] = {
    {{"agent", "NAME[,NAME...]", "Who proposes, in turns (default planner)",
      Text},
     setAgents},
    {{"rounds", "COUNT", "Rounds of questions, at most (default 4)", Number},
     setCount<&T::rounds, 1>},
    {{"proposals", "COUNT", "Proposals a round (default 3)", Number},
     setCount<&T::proposals, 1>},
    {{"patience", "COUNT",
      "Rounds without a gain after which it ends; 0: all (default 2)", Number},
     setCount<&T::patience, 0>},
    {{"objective", "WORD",
      "What shall improve: auto, time, l2-hit-rate, dram-bytes or energy "
      "(default auto)",
      Text},
     setObjective},
    {{"context", "WHAT",
      "What agents are told about the hardware: filtered, none or manual:FILE "
      "(default filtered)",
      Text},
     setContext},
    {{"hint", "TEXT", "Advice that agents are given", Text}, setHint},
    {{"max-evaluations", "COUNT",
      "Simulations and runs, at most; 0: no limit, in the pass 64", Number},
     setEvaluations},
    {{"max-seconds", "SECONDS", "Seconds, at most; 0: no limit", Number},
     setSeconds},
    {{"search-points", "COUNT",
      "Parameter sets of one template that are looked at cheaply (default 24)",
      Number},
     setCount<&T::searchPoints, 0>},
    {{"finalists", "COUNT",
      "How many of them are profiled carefully beside the first, and of all "
      "attempts once more before the end (default 3)",
      Number},
     setCount<&T::finalists, 1>},
};

} // namespace

static ConfigKind kindOf(StringRef operand) {
  if (operand == "COUNT" || operand == "NUMBER" || operand == "MS" ||
      operand == "BYTES")
    return ConfigKind::Number;
  return operand == "BOOL"   ? ConfigKind::Flag
         : operand == "JSON" ? ConfigKind::Object
                             : ConfigKind::Text;
}

ArrayRef<FormerName> formerNames() {
  static constexpr FormerName names[] = {{"database-miss", "on-failure"},
                                         {"iterations", "rounds"}};
  return names;
}

StringRef currentName(StringRef name) {
  for (const FormerName &one : formerNames())
    if (one.former == name)
      return one.current;
  return name;
}

std::vector<ConfigField> configFields() {
  std::vector<ConfigField> fields;
  for (const Row &row : kRows)
    fields.push_back(row.field);
  for (const AgentOptionInfo &info : agentOptionInfos())
    fields.push_back(
        {info.name, info.operand, info.help, kindOf(info.operand)});
  return fields;
}

Error setConfigField(TuningConfig &config, StringRef name, StringRef value) {
  for (const Row &row : kRows) {
    if (row.field.name != name)
      continue;
    std::string wanted = row.set(config, value);
    return wanted.empty()
               ? Error::success()
               : createStringError(name + " must be " + wanted + ", not '" +
                                   excerpt(value, 60) + "'");
  }
  return setAgentOption(config.agent, name, value);
}

/// The member's value as an option would give it; nullopt if it is of another
/// kind.
static std::optional<std::string> textOf(const json::Value &value,
                                         ConfigKind kind) {
  switch (kind) {
  case ConfigKind::Text:
    if (std::optional<StringRef> text = value.getAsString())
      return text->str();
    break;
  case ConfigKind::Number:
    if (std::optional<int64_t> number = value.getAsInteger())
      return std::to_string(*number);
    if (value.getAsNumber())
      return toText(value);
    break;
  case ConfigKind::Flag:
    if (std::optional<bool> flag = value.getAsBoolean())
      return *flag ? "true" : "false";
    break;
  case ConfigKind::Object:
    if (value.getAsObject())
      return toText(value);
    break;
  }
  return std::nullopt;
}

static StringRef nameOf(ConfigKind kind) {
  switch (kind) {
  case ConfigKind::Text:
    return "a text";
  case ConfigKind::Number:
    return "a number";
  case ConfigKind::Flag:
    return "true or false";
  case ConfigKind::Object:
    return "an object";
  }
  llvm_unreachable("unknown kind");
}

/// An unknown key, with the known one that is spelt most like it.
static Error makeUnknownKey(StringRef fileName, StringRef key) {
  std::vector<ConfigField> fields = configFields();
  std::vector<std::string> names{"schema"};
  for (const ConfigField &field : fields)
    names.push_back(field.name.str());
  std::string nearest = nearestSpelling(key, names);
  std::string message =
      (fileName + ": unknown key '" + excerpt(key, 60) + "'").str();
  if (!nearest.empty())
    message += "; did you mean '" + nearest + "'?";
  if (key.contains_insensitive("key"))
    message += "; a key itself is never in a file: 'key-variable' names the "
               "environment variable that holds it";
  return createStringError(message);
}

Expected<ConfigTexts> parseConfig(StringRef text, StringRef fileName) {
  Expected<json::Value> parsed = parseStrictJson(text);
  if (!parsed)
    return createStringError(fileName + ": " + toString(parsed.takeError()));
  const json::Object *object = parsed->getAsObject();
  if (!object)
    return createStringError(fileName + ": not a JSON object");
  if (object->getString("schema") != StringRef(kAgentsSchema))
    return createStringError(fileName + ": the key 'schema' must be \"" +
                             kAgentsSchema + "\"");
  std::vector<ConfigField> fields = configFields();
  ConfigTexts texts;
  for (const auto &[key, value] : *object) {
    if (key == "schema")
      continue;
    StringRef name = currentName(key);
    auto field = find_if(
        fields, [&](const ConfigField &known) { return known.name == name; });
    if (field == fields.end())
      return makeUnknownKey(fileName, name);
    std::optional<std::string> one = textOf(value, field->kind);
    if (!one)
      return createStringError(fileName + ": the key '" + field->name +
                               "' takes " + nameOf(field->kind));
    texts[field->name.str()] = std::move(*one);
  }
  return texts;
}

Expected<ConfigTexts> readConfigFile(StringRef path, TuningConfig &config) {
  auto buffer = readWholeFile(path, kTextLimit);
  if (!buffer)
    return createStringError("cannot read " + path + ": " +
                             toString(buffer.takeError()));
  Expected<ConfigTexts> texts = parseConfig((*buffer)->getBuffer(), path);
  if (!texts)
    return texts.takeError();
  for (const FormerName &one : formerNames())
    if ((*buffer)->getBuffer().contains(("\"" + one.former + "\"").str()))
      config.notes.push_back((path + ": the key '" + one.former +
                              "' is called '" + one.current + "' now")
                                 .str());
  for (const auto &[name, value] : *texts)
    if (Error error = setConfigField(config, name, value))
      return createStringError(path + ": " + toString(std::move(error)));
  return texts;
}

std::string printConfigReference() {
  std::string page =
      "<!-- Written by `swizzle-tune --help-config`. -->\n"
      "# The file of agents\n\n"
      "One JSON object, read by the passes (`agent-config=FILE`) and by "
      "`swizzle-tune --config=FILE`. Each key is optional but `schema`, which "
      "is `\"";
  page += kAgentsSchema;
  page += "\"`. An unknown key is an error. `swizzle-tune` has an option of "
          "the same name for each key, the passes for `agent`, `rounds`, "
          "`model`, `base-url`, `command` and `database`; an option overrides "
          "the file. A server's key is in no file: `key-variable` names the "
          "environment variable that holds it.\n\n"
          "| key | holds | meaning |\n| --- | --- | --- |\n";
  for (const ConfigField &field : configFields())
    page += ("| `" + field.name + "` | " + nameOf(field.kind) + " | " +
             field.help + " |\n")
                .str();
  return page;
}

} // namespace swizzle
