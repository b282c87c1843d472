//===- Prompt.cpp - From a context to text --------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gathers the values of all placeholders and fills in the texts. With
// `ContextMode::None` nothing in the result depends on the chip: not the
// constants that formulas may use, not the size of a line in the reuse table,
// not a device's name in somebody's message, and no record of another run.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Agent/Prompt/Prompt.h"

#include "PromptTemplate.h"
#include "PromptText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>

using namespace llvm;

namespace swizzle {

using namespace agent;

/// From the second round on an agent is asked for a critique first.
static bool wantsCritique(const AgentContext &context) {
  return context.round > 1 && !context.history.empty();
}

/// What the text says to lower or raise, and by what it is judged.
static std::string describeObjective(const AgentContext &context) {
  switch (context.objective) {
  case Objective::L2HitRate:
    return "Raise the L2 hit rate.";
  case Objective::DramBytes:
    return "Lower the bytes read from and written to DRAM.";
  case Objective::Energy:
    return "Lower the energy that one run takes.";
  case Objective::Auto:
  case Objective::Time:
    break;
  }
  return "Lower the time of the kernel. Of times that cannot be told apart, "
         "the one with fewer bytes of DRAM counts as lower.";
}

/// "64 x 64", "?" where the launch decides.
static std::string describeExtents(const Grid &grid) {
  std::string text;
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (axis)
      text += ", ";
    text += std::string(1, "xyz"[axis]) + " = ";
    text += grid[axis] == kUnknownExtent ? "unknown until the launch"
                                         : std::to_string(grid[axis]);
  }
  return text;
}

static bool isWordCharacter(char c) { return isAlnum(c) || c == '_'; }

/// Replaces each occurrence of `word` that is no part of a longer one.
static std::string replaceWord(StringRef text, StringRef word,
                               StringRef replacement) {
  std::string result;
  size_t from = 0;
  for (;;) {
    size_t at = word.empty() ? StringRef::npos : text.find(word, from);
    if (at == StringRef::npos)
      return result + text.drop_front(from).str();
    size_t end = at + word.size();
    bool whole = (at == 0 || !isWordCharacter(text[at - 1])) &&
                 (end == text.size() || !isWordCharacter(text[end]));
    result += text.slice(from, at);
    result += whole ? replacement : word;
    from = end;
  }
}

namespace {
/// Values of one prompt.
class PromptValues {
public:
  explicit PromptValues(const AgentContext &context) : context(context) {}

  /// Fills `values`, without the parts that are texts of their own.
  void collect();
  std::map<std::string, std::string> values;

private:
  void set(StringRef name, std::string value) {
    values[name.str()] = std::move(value);
  }
  /// A value that quotes somebody: without the chip where that is asked for.
  void setTold(StringRef name, std::string value);
  std::string describeBaseline() const;

  const AgentContext &context;
};
} // namespace

void PromptValues::setTold(StringRef name, std::string value) {
  if (context.mode == ContextMode::None) {
    const HardwareSpec &hardware = context.hardware;
    for (StringRef word :
         {StringRef(hardware.description), StringRef(hardware.name),
          StringRef(hardware.target)})
      value = replaceWord(value, word, "the chip");
  }
  set(name, std::move(value));
}

std::string PromptValues::describeBaseline() const {
  std::string figures = describeMetrics(context.baseline);
  if (figures.empty())
    return figures;
  bool named = context.mode != ContextMode::None;
  return figures + "\n(" + describeOrigin(context.baseline, named) +
         describeError(context.baseline) + ")";
}

void PromptValues::collect() {
  bool filtered = context.mode == ContextMode::Filtered;
  bool none = context.mode == ContextMode::None;
  set("proposals", std::to_string(std::max(context.proposals, 1u)));
  set("round", std::to_string(context.round));
  set("rounds", std::to_string(std::max(context.rounds, context.round)));
  set("objective", describeObjective(context));
  setTold("objective_reason", context.objectiveReason);
  set("kernel_name", quoteInline(context.kernel));
  set("grid", describeExtents(context.environment.grid));
  set("block", describeExtents(context.model.block));
  setTold("kernel_text", context.kernelText.empty()
                             ? std::string()
                             : quoteBlock(context.kernelText, 64 * 1024));
  setTold("kernel_notes", describeModelNotes(context.model));
  if (none && !context.reuse.buffers.empty())
    // The table counts whole lines, whose size is a fact about the hardware.
    set("reuse", describeReuse(context.model, analyseReuse(context.model, 1)));
  else
    set("reuse", describeReuse(context.model, context.reuse));
  set("idle", describeIdle(context.model));
  set("least_traffic", describeLeastTraffic(context));
  set("time_parts", describeTimeParts(context));
  set("hardware", filtered ? describeHardware(context) : "");
  set("hardware_names", none ? "" : describeHardwareNames(context));
  set("manual", context.mode == ContextMode::Manual
                    ? quoteBlock(context.manual, context.manual.size())
                    : "");
  set("baseline", describeBaseline());
  setTold("bottleneck", context.bottleneck);
  setTold("search", context.searchReason.empty()
                        ? std::string()
                        : quoteBlock(context.searchReason, 1024));
  // What helped elsewhere was found with facts about hardware.
  set("nearest", none ? "" : describeNearest(context.nearest));
  set("hint", context.hint.empty()
                  ? std::string()
                  : quoteBlock(context.hint, context.hint.size()));
  set("picture", context.picture.empty() ? "" : "attached");
  setTold("best", describeBest(context));
  setTold("history", describeHistory(context));
  set("critique_wanted", wantsCritique(context) ? "wanted" : "");
}

namespace {
/// One property of an object of the schema, written when its turn comes.
using Property = std::pair<StringRef, std::function<void(json::OStream &)>>;
} // namespace

/// Every property is required and none else allowed: the strict dialect of
/// structured output takes nothing less.
static void writeObject(json::OStream &os, ArrayRef<Property> properties) {
  os.object([&] {
    os.attribute("type", "object");
    os.attributeObject("properties", [&] {
      for (const auto &[name, write] : properties) {
        os.attributeBegin(name);
        write(os);
        os.attributeEnd();
      }
    });
    os.attributeArray("required", [&] {
      for (const auto &[name, write] : properties)
        os.value(name);
    });
    os.attribute("additionalProperties", false);
  });
}

static std::function<void(json::OStream &)> textProperty(StringRef what) {
  return [what](json::OStream &os) {
    os.object([&] {
      os.attribute("type", "string");
      os.attribute("description", what);
    });
  };
}

static std::function<void(json::OStream &)>
listProperty(std::function<void(json::OStream &)> items) {
  return [items = std::move(items)](json::OStream &os) {
    os.object([&] {
      os.attribute("type", "array");
      os.attributeBegin("items");
      items(os);
      os.attributeEnd();
    });
  };
}

std::string answerSchema(const AgentContext &context) {
  // The order of the properties is the order in which a model writes them:
  // reasons come before formulas. A parameter set is a list of pairs because an
  // object's keys could not be named in advance.
  auto pair = [](json::OStream &os) {
    writeObject(os, {{"name", textProperty("of a param")},
                     {"value", [](json::OStream &os) {
                        os.object([&] { os.attribute("type", "integer"); });
                      }}});
  };
  auto proposal = [&](json::OStream &os) {
    writeObject(
        os,
        {{"limits", textProperty("what limits the kernel now")},
         {"change", textProperty("what the formula does")},
         {"expect", textProperty("what to expect of the metrics, in numbers")},
         {"formula", textProperty("the formula's text")},
         {"params", listProperty(listProperty(pair))}});
  };
  std::vector<Property> properties;
  if (wantsCritique(context))
    properties.push_back(
        {"critique",
         textProperty("which earlier expectations failed, and why")});
  properties.push_back({"proposals", listProperty(proposal)});
  properties.push_back(
      {"finished", textProperty("empty, or why no order can do better")});
  std::string result;
  raw_string_ostream stream(result);
  json::OStream os(stream, 2);
  writeObject(os, properties);
  return result;
}

/// Reads one text and fills it in, without the line end at its end.
static Expected<std::string>
render(StringRef name, StringRef directory,
       const std::map<std::string, std::string> &values) {
  std::string fileName;
  Expected<std::string> text = readPromptFile(name, directory, fileName);
  if (!text)
    return text.takeError();
  Expected<std::string> filled = fillIn(*text, fileName, values);
  if (!filled)
    return filled.takeError();
  return StringRef(*filled).rtrim('\n').str();
}

static Error refuse(Error error) {
  return make_error<AgentError>(AgentErrorKind::Configuration,
                                toString(std::move(error)));
}

Expected<Prompt> renderPrompt(const AgentContext &context,
                              StringRef directory) {
  if (Error error = checkPromptDirectory(directory))
    return refuse(std::move(error));
  PromptValues collected(context);
  collected.collect();
  std::map<std::string, std::string> &values = collected.values;
  // Texts that others take in; each sees what was rendered before it.
  for (auto [name, file] :
       {std::pair("formula_language", "formula-language.txt"),
        std::pair("answer_format", "answer.txt")}) {
    Expected<std::string> part = render(file, directory, values);
    if (!part)
      return refuse(part.takeError());
    values[name] = std::move(*part);
  }
  Prompt prompt;
  for (auto [into, file] : {std::pair(&prompt.system, "system.txt"),
                            std::pair(&prompt.user, "user.txt")}) {
    Expected<std::string> part = render(file, directory, values);
    if (!part)
      return refuse(part.takeError());
    *into = std::move(*part);
  }
  prompt.schema = answerSchema(context);
  prompt.picture = context.picture;
  return prompt;
}

Expected<std::string> renderRepair(StringRef problem, StringRef schema,
                                   StringRef directory) {
  Expected<std::string> text = render(
      "repair.txt", directory,
      {{"problem", quoteBlock(problem, 4096)}, {"schema", schema.str()}});
  if (!text)
    return refuse(text.takeError());
  return text;
}

std::string showPrompt(const Prompt &prompt) {
  std::string text;
  raw_string_ostream os(text);
  os << "=== system ===\n"
     << prompt.system << "\n=== user ===\n"
     << prompt.user << "\n=== schema of the answer ===\n"
     << prompt.schema << "\n";
  if (!prompt.picture.empty())
    os << "=== picture ===\nPNG, " << prompt.picture.size() << " bytes\n";
  return text;
}

} // namespace swizzle
