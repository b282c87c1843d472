//===- ReadAnswer.cpp - From an answer to proposals -----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The shape of an answer, judged after its JSON was found (AnswerText.h). What
// can mean only one thing is taken: a single proposal without its wrapper, one
// parameter set without its list, `8.0` or `"8"` for 8, an answer within
// {"answer": ...}, "code" for "formula". What could mean two things is refused,
// in words that tell a model what to write instead.
//
//===----------------------------------------------------------------------===//

#include "AnswerText.h"
#include "swizzle/Agent/Prompt/Prompt.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;

namespace swizzle {

using namespace agent;

namespace {
constexpr size_t kMaxProposals = 64, kMaxSets = 4096, kMaxParams = 64;
constexpr size_t kMaxProse = 4096;
constexpr size_t kMaxProblems = 5;

/// Reads one value as an answer; collects what is wrong with it.
class AnswerReader {
public:
  explicit AnswerReader(const AgentContext &context) : context(context) {}

  /// True if `value` looks like an answer at all.
  static bool looksRight(const json::Value &value);
  /// True if `value` is one proposal, not a list of them.
  static bool isProposal(const json::Value &value);
  /// True if `value` proposes anything at all.
  static bool proposes(const json::Value &value);

  void read(const json::Value &value);

  Answer answer;
  std::vector<std::string> problems;

private:
  void problem(const Twine &where, const Twine &what) {
    if (problems.size() < kMaxProblems)
      problems.push_back((where + " " + what).str());
  }
  void readProposals(const json::Array &list, const std::string &critique);
  void readProposal(const json::Value &value, const std::string &where,
                    const std::string &critique);
  std::string readProse(const json::Object &object, ArrayRef<StringRef> names,
                        const std::string &where);
  std::string readFormula(const json::Value &value, const std::string &where);
  std::vector<ParamValues> readSets(const json::Value &value,
                                    const std::string &where);
  ParamValues readSet(const json::Value &value, const std::string &where);
  void readPair(const json::Object &pair, ParamValues &set,
                const std::string &where);
  std::optional<int64_t> readInteger(const json::Value &value,
                                     const std::string &where);

  const AgentContext &context;
};
} // namespace

/// What a value is, for messages.
static StringRef kindOf(const json::Value &value) {
  switch (value.kind()) {
  case json::Value::Null:
    return "null";
  case json::Value::Boolean:
    return "a boolean";
  case json::Value::Number:
    return "a number";
  case json::Value::String:
    return "a text";
  case json::Value::Array:
    return "a list";
  case json::Value::Object:
    return "an object";
  }
  return "something else";
}

/// The first of `names` that `object` has.
static const json::Value *findAny(const json::Object &object,
                                  ArrayRef<StringRef> names) {
  for (StringRef name : names)
    if (const json::Value *value = object.get(name))
      return value;
  return nullptr;
}

/// A pair {"name": "G", "value": 8} of a parameter set.
static bool isPair(const json::Value &value) {
  const json::Object *object = value.getAsObject();
  return object && object->size() == 2 && object->getString("name") &&
         object->get("value");
}

/// The formula of a proposal, by either of its names; null if there is none.
static const json::Value *findFormula(const json::Object &object) {
  return findAny(object, {"formula", "code"});
}

bool AnswerReader::isProposal(const json::Value &value) {
  const json::Object *object = value.getAsObject();
  return object && findFormula(*object);
}

bool AnswerReader::looksRight(const json::Value &value) {
  if (const json::Object *object = value.getAsObject())
    return object->get("proposals") || isProposal(value) ||
           object->get("finished");
  const json::Array *list = value.getAsArray();
  return list && !list->empty() && any_of(*list, isProposal);
}

bool AnswerReader::proposes(const json::Value &value) {
  const json::Object *object = value.getAsObject();
  if (!object || isProposal(value))
    return looksRight(value);
  const json::Value *proposals = object->get("proposals");
  if (!proposals)
    return false;
  const json::Array *list = proposals->getAsArray();
  return list ? !list->empty() : isProposal(*proposals);
}

void AnswerReader::read(const json::Value &value) {
  if (const json::Array *list = value.getAsArray())
    return readProposals(*list, "");
  const json::Object &object = *value.getAsObject();
  std::string critique = readProse(object, {"critique"}, "critique");
  const json::Value *finished = object.get("finished");
  const json::Value *proposals = object.get("proposals");
  if (proposals) {
    if (const json::Array *list = proposals->getAsArray())
      readProposals(*list, critique);
    else if (isProposal(*proposals))
      readProposal(*proposals, "proposals", critique);
    else if (!proposals->getAsNull())
      problem("proposals",
              "is " + kindOf(*proposals) + "; it takes a list of objects");
  } else if (isProposal(value)) {
    readProposal(value, "the proposal", critique);
  }
  if (!answer.proposals.empty() || !problems.empty())
    return;
  answer.finished = true;
  if (finished && finished->getAsString())
    answer.reason = finished->getAsString()->take_front(kMaxProse + 3).str();
  else if (!critique.empty())
    answer.reason = critique;
}

void AnswerReader::readProposals(const json::Array &list,
                                 const std::string &critique) {
  for (size_t i = 0; i < std::min(list.size(), kMaxProposals); ++i)
    readProposal(list[i], "proposals[" + std::to_string(i) + "]", critique);
  // Best first: what exceeds the number asked for is the least promising.
  size_t asked = std::max(context.proposals, 1u);
  size_t most = std::min(asked, kMaxProposals);
  if (!problems.empty() || list.size() <= most)
    return;
  answer.proposals.resize(most);
  answer.reason =
      (Twine(most) + " of " + Twine(list.size()) + " proposals are read: " +
       (most == asked ? "so many were asked for" : "there may not be more"))
          .str();
}

std::string AnswerReader::readProse(const json::Object &object,
                                    ArrayRef<StringRef> names,
                                    const std::string &where) {
  const json::Value *value = findAny(object, names);
  if (!value || value->getAsNull())
    return "";
  if (std::optional<StringRef> text = value->getAsString()) {
    if (text->size() <= kMaxProse + 3)
      return text->str();
    // Never within a character.
    size_t end = kMaxProse;
    while (end && ((*text)[end] & 0xc0) == 0x80)
      --end;
    return text->take_front(end).str() + "...";
  }
  problem(where, "is " + kindOf(*value) + "; it takes a text");
  return "";
}

/// The formula's text; a list of its lines and a fence around it are taken.
std::string AnswerReader::readFormula(const json::Value &value,
                                      const std::string &where) {
  std::string text;
  if (std::optional<StringRef> whole = value.getAsString()) {
    text = whole->str();
  } else if (const json::Array *lines = value.getAsArray()) {
    for (const json::Value &line : *lines) {
      if (!line.getAsString()) {
        problem(where, "has a line that is " + kindOf(line) +
                           "; it takes the formula's text");
        return "";
      }
      text += line.getAsString()->str() + "\n";
    }
  } else {
    problem(where, "is " + kindOf(value) + "; it takes the formula's text");
    return "";
  }
  StringRef trimmed = StringRef(text).trim();
  while (trimmed.starts_with("```") && trimmed.ends_with("```") &&
         trimmed.size() >= 6) {
    trimmed = trimmed.drop_front(3).drop_back(3);
    // The fence's language.
    trimmed =
        trimmed.substr(std::min(trimmed.size(), trimmed.find('\n'))).trim();
  }
  if (trimmed.empty())
    problem(where, "is empty; write a formula that ends in `return`");
  // The parser says that it is too long; nobody needs all of it for that.
  return trimmed.take_front(Formula::maxTextBytes + 1).str();
}

std::optional<int64_t> AnswerReader::readInteger(const json::Value &value,
                                                 const std::string &where) {
  if (std::optional<int64_t> integer = value.getAsInteger())
    return integer;
  if (std::optional<StringRef> text = value.getAsString()) {
    int64_t integer;
    if (!text->trim().getAsInteger(10, integer))
      return integer;
    problem(where, "is a text that is no integer");
    return std::nullopt;
  }
  if (value.getAsNumber())
    problem(where, "is not an integer");
  else
    problem(where, "is " + kindOf(value) + "; it takes an integer");
  return std::nullopt;
}

void AnswerReader::readPair(const json::Object &pair, ParamValues &set,
                            const std::string &where) {
  std::string name = pair.getString("name")->str();
  std::optional<int64_t> value =
      readInteger(*pair.get("value"), where + "." + name);
  if (value && !set.emplace(name, *value).second)
    problem(where, "has '" + name + "' twice");
}

ParamValues AnswerReader::readSet(const json::Value &value,
                                  const std::string &where) {
  ParamValues set;
  if (isPair(value)) {
    readPair(*value.getAsObject(), set, where);
  } else if (const json::Array *pairs = value.getAsArray()) {
    if (pairs->size() > kMaxParams)
      problem(where, "has more than " + Twine(kMaxParams) + " parameters");
    else
      for (const json::Value &pair : *pairs)
        if (isPair(pair))
          readPair(*pair.getAsObject(), set, where);
        else
          problem(where, "holds " + kindOf(pair) +
                             "; it takes objects like {\"name\": \"G\", "
                             "\"value\": 8}");
  } else if (const json::Object *object = value.getAsObject()) {
    if (object->size() > kMaxParams)
      problem(where, "has more than " + Twine(kMaxParams) + " parameters");
    else
      for (const auto &[key, number] : *object)
        if (std::optional<int64_t> integer =
                readInteger(number, where + "." + StringRef(key).str()))
          set.emplace(StringRef(key).str(), *integer);
  } else {
    problem(where, "is " + kindOf(value) +
                       "; a parameter set is a list of objects like "
                       "{\"name\": \"G\", \"value\": 8}");
  }
  return set;
}

std::vector<ParamValues> AnswerReader::readSets(const json::Value &value,
                                                const std::string &where) {
  std::vector<ParamValues> sets;
  if (value.getAsNull())
    return sets;
  if (value.getAsObject()) {
    sets.push_back(readSet(value, where));
  } else if (const json::Array *list = value.getAsArray()) {
    if (list->size() > kMaxSets) {
      problem(where, "has more than " + Twine(kMaxSets) + " sets");
      return sets;
    }
    // Pairs without a list around each set: one set, if no name comes twice;
    // else one set each, if there is only one name.
    if (list->size() > 1 && all_of(*list, isPair)) {
      std::map<StringRef, unsigned> names;
      for (const json::Value &pair : *list)
        ++names[*pair.getAsObject()->getString("name")];
      if (names.size() == list->size()) {
        sets.push_back(readSet(value, where));
        return sets;
      }
      if (names.size() > 1) {
        problem(where, "mixes parameters of several sets; give each set a list "
                       "of its own");
        return sets;
      }
    }
    for (size_t i = 0; i < list->size(); ++i)
      sets.push_back(
          readSet((*list)[i], where + "[" + std::to_string(i) + "]"));
  } else {
    problem(where, "is " + kindOf(value) +
                       "; it takes a list of parameter sets, empty if the "
                       "formula has no `param`");
  }
  // An empty set says nothing.
  erase_if(sets, [](const ParamValues &set) { return set.empty(); });
  return sets;
}

void AnswerReader::readProposal(const json::Value &value,
                                const std::string &where,
                                const std::string &critique) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return problem(where, "is " + kindOf(value) +
                              "; it takes an object with \"formula\"");
  const json::Value *formula = findFormula(*object);
  if (!formula)
    return problem(where, "has no \"formula\"");
  Proposal proposal;
  proposal.formula = readFormula(*formula, where + ".formula");
  if (const json::Value *params =
          findAny(*object, {"params", "parameters", "param_sets"}))
    proposal.params = readSets(*params, where + ".params");
  proposal.critique = readProse(*object, {"critique"}, where + ".critique");
  if (proposal.critique.empty())
    proposal.critique = critique;
  proposal.limits = readProse(*object, {"limits"}, where + ".limits");
  proposal.change = readProse(*object, {"change"}, where + ".change");
  proposal.expectation =
      readProse(*object, {"expect", "expectation"}, where + ".expect");
  answer.proposals.push_back(std::move(proposal));
}

static Error refuse(const Twine &message) {
  return make_error<AgentError>(AgentErrorKind::Schema, message.str());
}

/// Puts what stands within {"answer": ...}, which may be text that holds JSON,
/// in its place.
static void unwrap(FoundValues &found) {
  std::vector<json::Value> values;
  for (json::Value &value : found.values) {
    const json::Object *object = value.getAsObject();
    const json::Value *answer = object ? object->get("answer") : nullptr;
    if (!answer || AnswerReader::looksRight(value)) {
      values.push_back(std::move(value));
    } else if (std::optional<StringRef> text = answer->getAsString()) {
      FoundValues inner = findValues(*text);
      append_range(values, inner.values);
      if (!inner.repeatedKey.empty())
        found.repeatedKey = inner.repeatedKey;
    } else {
      values.push_back(*answer);
    }
  }
  found.values = std::move(values);
}

/// The value that was meant: the one that proposes anything, of which proposals
/// that stand between sentences one by one are gathered; else the last that
/// looks like an answer. An empty answer behind one with proposals takes
/// nothing back: models close with it what they have answered already. Fails if
/// there are several, and they are not the same.
static Expected<std::optional<json::Value>>
chooseValue(const FoundValues &found) {
  std::optional<json::Value> whole, empty;
  json::Array loose;
  bool differ = false;
  for (const json::Value &value : found.values) {
    if (!AnswerReader::looksRight(value))
      continue;
    if (!AnswerReader::proposes(value)) {
      empty = value;
    } else if (AnswerReader::isProposal(value)) {
      loose.push_back(value);
    } else {
      differ |= whole && *whole != value;
      whole = value;
    }
  }
  if (differ || (whole && !loose.empty()))
    return refuse(
        "the answer proposes in several JSON values that differ; write "
        "one JSON object with one list \"proposals\"");
  if (loose.size() == 1)
    return loose.front();
  if (!loose.empty())
    return json::Value(std::move(loose));
  return whole ? whole : empty;
}

/// Where `text` stops to be UTF-8, for messages; empty if it does not.
static std::string describeBadByte(StringRef text) {
  size_t at = 0;
  if (json::isUTF8(text, &at))
    return "";
  return formatv("; byte {0} of the answer, {1:X}, is no UTF-8", at + 1,
                 unsigned(uint8_t(text[at])));
}

/// Why `found` has no answer in it.
static std::string describeMissing(const FoundValues &found, bool isJson) {
  if (isJson)
    return "the answer's JSON has neither \"proposals\" nor \"formula\"; write "
           "one object with a list \"proposals\", each with a \"formula\"";
  if (!found.problem.empty())
    return "the answer's JSON cannot be read: " + found.problem +
           "; write one complete JSON object";
  return "the answer holds no JSON; write one JSON object with a list "
         "\"proposals\"";
}

Expected<Answer> readAnswer(StringRef text, const AgentContext &context) {
  if (text.size() > kMaxAnswerBytes)
    return make_error<AgentError>(
        AgentErrorKind::TooLarge,
        "the answer has " + std::to_string(text.size()) + " bytes; at most " +
            std::to_string(kMaxAnswerBytes) + " are read");
  std::string valid = json::isUTF8(text) ? text.str() : json::fixUTF8(text);
  StringRef rest = dropThoughts(valid);
  if (rest.trim().empty())
    return refuse("the answer is empty; write one JSON object with a list "
                  "\"proposals\"");

  FoundValues found = findValues(rest);
  bool isJson = !found.values.empty();
  unwrap(found);
  if (!found.repeatedKey.empty())
    return refuse("the answer's JSON has the key \"" + found.repeatedKey +
                  "\" twice in one object; write it once");
  Expected<std::optional<json::Value>> choice = chooseValue(found);
  if (!choice)
    return choice.takeError();
  std::optional<json::Value> chosen = std::move(*choice);
  if (!chosen && found.values.size() == 1 && found.values[0].getAsArray() &&
      found.values[0].getAsArray()->empty() && rest.trim() == "[]")
    chosen = found.values[0];
  if (!chosen)
    return refuse(describeMissing(found, isJson) + describeBadByte(text));
  AnswerReader reader(context);
  reader.read(*chosen);
  if (!reader.problems.empty())
    return refuse(join(reader.problems, "; ") + describeBadByte(text));
  if (reader.answer.finished && reader.answer.reason.empty())
    reader.answer.reason = "the agent proposes nothing more";
  if (chosen->getAsArray() && reader.answer.proposals.empty()) {
    reader.answer.finished = true;
    reader.answer.reason = "the agent proposes nothing more";
  }
  return std::move(reader.answer);
}

} // namespace swizzle
