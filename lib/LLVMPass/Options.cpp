//===- Options.cpp - Options of the pass on LLVM IR -----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row of the table is an option. Claims about launches are read here; all
// that is not particular to LLVM IR is left to swizzle/Tuning.
//
//===----------------------------------------------------------------------===//

#include "swizzle/LLVMPass/Options.h"

#include "swizzle/Hardware/Schema.h"
#include "swizzle/Support/Json.h"
#include "swizzle/Support/ReadFile.h"
#include "swizzle/Tuning/PassOptions.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace swizzle::llvmpass {

namespace {
/// The options as they were typed.
struct Texts {
  PassOptionTexts pass;
  std::string chip, target, grid, block, registers, args, launches;
  std::string dynamicWorkgroupBytes;
  std::string strict, tag = "on";
};

struct Row {
  StringLiteral name;
  std::string &(*field)(Texts &);
  StringLiteral help;
};
} // namespace

#define ROW(name, member, help)                                                \
  {name, [](Texts &texts) -> std::string & { return texts.member; }, help}

static constexpr Row kRows[] = {
    ROW("chip", chip, "chip to plan for; else the compilation's target says"),
    ROW("target", target, "compiler target of kernels that name none: sm_90"),
    ROW("hardware-file", pass.hardwareFile, "JSON description of the chip"),
    ROW("formula", pass.formula, "explicit formula, or @name of the catalogue"),
    ROW("formula-file", pass.formulaFile, "explicit formula from a file"),
    ROW("agent", pass.agent, "who proposes formulas, joined by +"),
    ROW("model", pass.model, "model that the server shall use"),
    ROW("base-url", pass.baseUrl, "where the language model is served"),
    ROW("command", pass.command, "program that agent 'command' runs"),
    ROW("database", pass.database, "tuning database of agent 'database'"),
    ROW("rounds", pass.rounds, "rounds of proposals and simulation"),
    ROW("agent-config", pass.agentConfig, "JSON file about agents"),
    ROW("grid", grid, "grids to plan for, up to four, joined by +"),
    ROW("block", block, "workgroup size to plan for"),
    ROW("registers", registers, "registers of a thread, as assembled"),
    ROW("dynamic-workgroup-bytes", dynamicWorkgroupBytes,
        "workgroup memory that launches add"),
    ROW("args", args,
        "sizes, map:... or {...}, that are passed, one an argument, joined by "
        "+; ?"),
    ROW("launches", launches, "JSON file with grids and block of each kernel"),
    ROW("strict", strict, "refuse kernels whose independence is assumed"),
    ROW("tag", tag, "off: do not note on kernels what was done"),
    ROW("on-failure", pass.onFailure, "keep, planner or error"),
    ROW("simulate", pass.simulate, "off, fast or full"),
    ROW("max-seconds", pass.maxSeconds, "seconds for each kernel, at most"),
    ROW("report", pass.report, "write a JSON report, to a file or a folder"),
};
#undef ROW

static Error refuse(const Twine &message) {
  return createStringError("swizzle: " + message);
}

static Expected<Grid> readSize(const Twine &what, StringRef text) {
  Expected<Grid> grid = parseGrid(text);
  if (!grid)
    return refuse(what + ": " + toString(grid.takeError()));
  return *grid;
}

static Error addGrids(const Twine &what, ArrayRef<StringRef> texts,
                      LaunchClaim &claim) {
  for (StringRef text : texts) {
    Expected<Grid> grid = readSize(what, text);
    if (!grid)
      return grid.takeError();
    if (!is_contained(claim.grids, *grid))
      claim.grids.push_back(*grid);
  }
  if (claim.grids.size() > kMostGrids)
    return refuse(what + " has " + Twine(claim.grids.size()) +
                  " grids; a kernel is remapped for at most " +
                  Twine(kMostGrids));
  return Error::success();
}

static Error setBlock(const Twine &what, StringRef text, LaunchClaim &claim) {
  Expected<Grid> block = readSize(what, text);
  if (!block)
    return block.takeError();
  claim.block = *block;
  return Error::success();
}

static Error setRegisters(const Twine &what, StringRef text,
                          LaunchClaim &claim) {
  Expected<int64_t> registers = readRegisters(text);
  if (!registers)
    return refuse(what + ": " + toString(registers.takeError()));
  claim.registers = *registers;
  return Error::success();
}

static Error setDynamicBytes(const Twine &what, StringRef text,
                             LaunchClaim &claim) {
  Expected<int64_t> bytes = readDynamicWorkgroupBytes(text);
  if (!bytes)
    return refuse(what + ": " + toString(bytes.takeError()));
  claim.dynamicWorkgroupBytes = *bytes;
  return Error::success();
}

/// Reads "?+4096+map:...+{?:4096}".
static Error setArgs(const Twine &what, StringRef text, LaunchClaim &claim) {
  Expected<ArgumentClaims> args = readArgumentClaims(text);
  if (!args)
    return refuse(what + ": " + toString(args.takeError()));
  claim.args = std::move(*args);
  return Error::success();
}

/// The keys of `object` in an order that is the same in every run.
static SmallVector<StringRef> sortedKeys(const json::Object &object) {
  SmallVector<StringRef> keys;
  for (const auto &[key, value] : object)
    keys.push_back(key);
  sort(keys);
  return keys;
}

/// One kernel of the file of launches.
static Error readClaim(StringRef kernel, const json::Object &entry,
                       LaunchClaim &claim) {
  for (StringRef key : sortedKeys(entry))
    if (key != "grids" && key != "block" && key != "args" &&
        key != "registers" && key != "dynamic_workgroup_bytes")
      return refuse("option 'launches': kernel '" + kernel +
                    "' has an unknown key '" + key +
                    "'; known are grids, block, args, registers and "
                    "dynamic_workgroup_bytes");
  // What has another type than the one that is asked for.
  auto isNo = [&](StringRef key, StringRef type) {
    return refuse("option 'launches': '" + key + "' of kernel '" + kernel +
                  "' must be " + type);
  };
  std::string what = ("option 'launches': kernel '" + kernel + "'").str();
  if (const json::Value *told = entry.get("grids")) {
    const json::Array *grids = told->getAsArray();
    if (!grids)
      return isNo("grids", "a list of texts such as \"64x64\"");
    SmallVector<StringRef> texts;
    for (const json::Value &grid : *grids) {
      if (!grid.getAsString())
        return isNo("grids", "a list of texts such as \"64x64\"");
      texts.push_back(*grid.getAsString());
    }
    if (Error error = addGrids(what, texts, claim))
      return error;
  }
  if (const json::Value *told = entry.get("args")) {
    std::optional<StringRef> args = told->getAsString();
    if (!args)
      return isNo("args", "a text such as \"?+?+4096\"");
    if (Error error = setArgs(what, *args, claim))
      return error;
  }
  for (auto [key, set] :
       {std::pair("registers", &setRegisters),
        std::pair("dynamic_workgroup_bytes", &setDynamicBytes)})
    if (const json::Value *told = entry.get(key)) {
      std::optional<int64_t> number = told->getAsInteger();
      if (!number)
        return isNo(key, "a whole number");
      if (Error error = set(what, std::to_string(*number), claim))
        return error;
    }
  if (const json::Value *told = entry.get("block")) {
    std::optional<StringRef> block = told->getAsString();
    if (!block)
      return isNo("block", "a text such as \"16x16\"");
    return setBlock(what, *block, claim);
  }
  return Error::success();
}

/// Reads {"schema": "swizzle-launches/1",
///        "kernels": {"mm": {"grids": ["64x64"], "block": "16x16"}}}.
static Error readLaunches(StringRef path, StringMap<LaunchClaim> &claims) {
  auto buffer = readWholeFile(path, kTextLimit);
  if (!buffer)
    return refuse("option 'launches': cannot read '" + path +
                  "': " + toString(buffer.takeError()));
  Expected<json::Value> value = parseStrictJson((*buffer)->getBuffer());
  if (!value)
    return refuse("option 'launches': '" + path +
                  "' cannot be used: " + toString(value.takeError()));
  const json::Object *root = value->getAsObject();
  const json::Object *kernels = root ? root->getObject("kernels") : nullptr;
  if (!kernels || root->getString("schema") != "swizzle-launches/1")
    return refuse("option 'launches': '" + path +
                  "' must hold {\"schema\": \"swizzle-launches/1\", "
                  "\"kernels\": {...}}");
  for (StringRef kernel : sortedKeys(*kernels)) {
    const json::Object *object = kernels->getObject(kernel);
    if (!object)
      return refuse("option 'launches': kernel '" + kernel +
                    "' must have an object");
    if (Error error = readClaim(kernel, *object, claims[kernel]))
      return error;
  }
  return Error::success();
}

static Expected<bool> readSwitch(StringRef name, StringRef text) {
  if (text.empty() || text == "off" || text == "false")
    return false;
  if (text == "on" || text == "true")
    return true;
  return refuse("option '" + name + "' is '" + text + "'; it takes on or off");
}

static Error refuseName(StringRef name) {
  std::vector<std::string> names;
  for (const Row &row : kRows)
    names.push_back(row.name.str());
  std::string near = nearestSpelling(name, names);
  return refuse("no such option '" + name + "'" +
                (near.empty() ? "; there are "
                              : "; did you mean " + near + "? There are ") +
                join(names, ", "));
}

/// Fails if options stand within the value of another one, as where blanks
/// separate them.
static Error checkApart(StringRef name, StringRef value) {
  for (const Row &row : kRows)
    if (size_t at = value.find((" " + row.name + "=").str());
        at != StringRef::npos)
      return refuse("option '" + name + "' is '" + value +
                    "'; options are separated by ';': " + name + "=" +
                    value.take_front(at).rtrim() + ";" +
                    value.drop_front(at + 1));
  return Error::success();
}

/// Splits "a=b;c" into the fields of `texts`.
static Error readTexts(StringRef text, Texts &texts) {
  SmallVector<StringRef> parts;
  text.split(parts, ';', -1, /*KeepEmpty=*/false);
  StringSet<> given;
  for (StringRef part : parts) {
    part = part.trim();
    auto [name, value] = part.split('=');
    name = name.rtrim();
    value = value.trim();
    if (name.empty())
      continue;
    const Row *row = find_if(
        kRows, [&, name = name](const Row &row) { return row.name == name; });
    if (row == std::end(kRows))
      return refuseName(name);
    if (Error error = checkApart(name, value))
      return error;
    bool isSwitch = name == "strict" || name == "tag";
    if (value.empty() && (part.contains('=') || !isSwitch))
      return refuse("option '" + name + "' wants a value, " + name +
                    "=...: " + row->help);
    if (!given.insert(name).second)
      return refuse("option '" + name + "' is given twice");
    row->field(texts) = part.contains('=') ? value.str() : "on";
  }
  return Error::success();
}

Expected<PassSettings> parseOptions(StringRef text, FileCheck check) {
  Texts texts;
  PassSettings settings;
  if (Error error = readTexts(text, texts))
    return std::move(error);
  std::replace(texts.pass.agent.begin(), texts.pass.agent.end(), '+', ',');
  Expected<bool> strict = readSwitch("strict", texts.strict);
  if (!strict)
    return strict.takeError();
  Expected<bool> tag = readSwitch("tag", texts.tag);
  if (!tag)
    return tag.takeError();
  texts.pass.strict = *strict;
  auto checkFiles = [&](std::vector<FileRole> files) {
    files.push_back({"the file of launches", texts.launches, false});
    settings.files = files;
    return check ? check(std::move(files)) : checkDistinct(files);
  };
  Expected<PassOptions> read = readPassOptions(texts.pass, checkFiles);
  if (!read)
    return refuse(toString(read.takeError()));
  SmallVector<StringRef> grids;
  StringRef(texts.grid).split(grids, '+', -1, /*KeepEmpty=*/false);
  if (Error error = addGrids("option 'grid'", grids, settings.claim))
    return std::move(error);
  if (!texts.block.empty())
    if (Error error = setBlock("option 'block'", texts.block, settings.claim))
      return std::move(error);
  if (!texts.registers.empty())
    if (Error error =
            setRegisters("option 'registers'", texts.registers, settings.claim))
      return std::move(error);
  if (!texts.dynamicWorkgroupBytes.empty())
    if (Error error =
            setDynamicBytes("option 'dynamic-workgroup-bytes'",
                            texts.dynamicWorkgroupBytes, settings.claim))
      return std::move(error);
  if (!texts.args.empty())
    if (Error error = setArgs("option 'args'", texts.args, settings.claim))
      return std::move(error);
  if (!texts.launches.empty())
    if (Error error = readLaunches(texts.launches, settings.claims))
      return std::move(error);
  settings.chip = texts.chip;
  settings.target = texts.target;
  settings.hardwareFile = texts.pass.hardwareFile;
  settings.report = texts.pass.report;
  settings.planning = std::move(read->planning);
  settings.planning.figuresOfKept = settings.planning.simulate.has_value();
  settings.tag = *tag;
  settings.warnings = std::move(read->warnings);
  return std::move(settings);
}

std::string printOptions() {
  std::string text;
  for (const Row &row : kRows)
    text += (row.name + ": " + row.help + "\n").str();
  return text;
}

} // namespace swizzle::llvmpass
