//===- HardwareAttr.cpp - Hardware as DLTI attributes ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Target descriptions in the IR win over everything that could be guessed from
// a compiler target, because they can say what a target cannot: how many dies a
// partition has, how many compute units were harvested. The keys are those of
// the chip files, so that one list of fields (Hardware/Schema.h) serves both; a
// level of the caches by any name is told by its row's fields:
//
//   "swizzle.chip" = "mi300x", "swizzle.num_xcds" = 4 : i64,
//   "swizzle.gl1.scope" = "cluster", "swizzle.gl1.policy" = "write_through",
//   "swizzle.gl1.cus_per_cluster" = 8 : i64, "swizzle.gl1.bytes" = 131072 : i64
//
//===----------------------------------------------------------------------===//

#include "swizzle/IR/HardwareAttr.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "swizzle/Hardware/Database.h"
#include "swizzle/Hardware/FittedConstants.h"
#include "swizzle/Hardware/Schema.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace swizzle {

namespace {

constexpr StringLiteral kDevice = "GPU";
constexpr StringLiteral kPrefix = "swizzle.";
constexpr StringLiteral kChipKey = "chip";
constexpr StringLiteral kFittedPrefix = "fitted.";
constexpr StringLiteral kWhere = "dlti.target_system_spec";

/// The entries of one device, by key without the prefix.
using Entries = MapVector<StringRef, mlir::Attribute>;

/// Keys of ours on the GPU device of the nearest description around `op`.
Entries findEntries(mlir::Operation *op) {
  for (; op; op = op->getParentOp()) {
    auto system = op->getAttrOfType<mlir::TargetSystemSpecAttr>(
        mlir::DLTIDialect::kTargetSystemDescAttrName);
    if (!system)
      continue;
    Entries entries;
    auto device = system.getDeviceSpecForDeviceID(
        mlir::StringAttr::get(op->getContext(), kDevice));
    if (!device)
      continue;
    for (mlir::DataLayoutEntryInterface entry : device->getEntries())
      if (auto key = dyn_cast<mlir::StringAttr>(entry.getKey()))
        if (StringRef name = key.getValue(); name.consume_front(kPrefix))
          entries[name] = entry.getValue();
    if (!entries.empty())
      return entries;
  }
  return {};
}

std::string show(mlir::Attribute attribute) {
  std::string text;
  raw_string_ostream(text) << attribute;
  return text;
}

Error refuse(StringRef key, const Twine &what) {
  return createStringError(Twine(kWhere) + ": " + kPrefix + key + ": " + what);
}

/// A message of the schema, which names the field, as one that names the key.
Error withPrefix(const std::string &wrong) {
  if (wrong.empty())
    return Error::success();
  return createStringError(Twine(kWhere) + ": " + kPrefix + wrong);
}

/// An attribute as a value that the schema checks.
Expected<FieldValue> readValue(StringRef key, mlir::Attribute attribute) {
  if (auto word = dyn_cast_or_null<mlir::StringAttr>(attribute))
    return FieldValue(word.str());
  if (auto number = dyn_cast_or_null<mlir::FloatAttr>(attribute))
    return FieldValue(number.getValueAsDouble());
  auto integer = dyn_cast_or_null<mlir::IntegerAttr>(attribute);
  if (integer && !integer.getType().isInteger(1)) {
    bool isUnsigned = integer.getType().isUnsignedInteger();
    APSInt value(integer.getValue(), isUnsigned);
    if (std::optional<int64_t> fits = value.tryExtValue())
      return FieldValue(*fits);
  }
  const ChipField *field = findChipField(key);
  return refuse(key, show(attribute) + " is not allowed; it must be " +
                         (field ? describeAllowed(*field) : "a number"));
}

/// "gl1", "bytes" of "gl1.bytes"; empty if `key` is no field of a level.
std::pair<StringRef, StringRef> splitLevelKey(StringRef key) {
  auto [level, field] = key.split('.');
  bool isField = field == "scope" || field == "policy";
  for (const ChipField &one : levelFields())
    isField |= StringRef(one.key) == field;
  return isField && !level.empty() ? std::pair(level, field)
                                   : std::pair<StringRef, StringRef>();
}

/// Refuses keys that are no field.
Error checkKeys(const Entries &entries) {
  std::vector<std::string> known = {kChipKey.str()};
  for (const ChipField &field : chipFields())
    known.emplace_back(field.key);
  for (auto &[key, value] : entries) {
    if (is_contained(known, key.str()) || key.starts_with(kFittedPrefix) ||
        !splitLevelKey(key).first.empty())
      continue;
    std::string near = nearestSpelling(key, known);
    if (!near.empty())
      return refuse(key, "unknown key; did you mean " + kPrefix + near + "?");
    return refuse(key, "unknown key; after \"" + kPrefix + "\" stands one of " +
                           join(known, ", ") +
                           ", a level's LEVEL.FIELD, or fitted.NAME");
  }
  return Error::success();
}

/// The chip to start from: the one that `swizzle.chip` names, else nothing, and
/// then the fields without which there is no chip must be given.
Expected<HardwareSpec> startFrom(const Entries &entries) {
  if (mlir::Attribute chip = entries.lookup(kChipKey)) {
    auto name = dyn_cast<mlir::StringAttr>(chip);
    if (!name)
      return refuse(kChipKey,
                    show(chip) +
                        " is not allowed; it must be the name of a chip");
    Expected<HardwareSpec> spec = findChip(name.getValue());
    if (!spec)
      return refuse(kChipKey, toString(spec.takeError()));
    return spec;
  }
  std::vector<std::string> missing;
  for (const ChipField &field : chipFields())
    if (field.required && !entries.contains(field.key))
      missing.push_back((kPrefix + StringRef(field.key)).str());
  if (!missing.empty())
    return createStringError(Twine(kWhere) +
                             ": missing: " + join(missing, ", ") +
                             "; give them, or start from a chip with \"" +
                             kPrefix + kChipKey + "\"");
  HardwareSpec spec;
  spec.name = "dlti";
  spec.vendor = "other";
  spec.description = "described in the module";
  return spec;
}

/// A level that the chip does not have yet: before the first of a wider scope.
Expected<CacheLevel *> addLevel(HardwareSpec &spec, StringRef name,
                                const Entries &entries) {
  CacheLevel level;
  level.name = name.str();
  auto word = [&](StringRef field) {
    auto text = dyn_cast_or_null<mlir::StringAttr>(
        entries.lookup((name + "." + field).str()));
    return text ? text.getValue() : StringRef();
  };
  std::optional<CacheScope> scope = readScope(word("scope"));
  std::optional<CachePolicy> policy = readPolicy(word("policy"));
  if (!scope || !policy)
    return refuse(
        (name + (scope ? ".policy" : ".scope")).str(),
        "missing or unknown: a level that the chip does not have "
        "needs a scope (compute_unit, cluster, die or device) and a policy "
        "(write_through or write_back)");
  level.scope = *scope;
  level.policy = *policy;
  auto behind = find_if(spec.levels, [&](const CacheLevel &other) {
    return other.scope > level.scope;
  });
  return &*spec.levels.insert(behind, std::move(level));
}

/// Fields of levels, by the names of their rows.
Error readLevels(HardwareSpec &spec, const Entries &entries) {
  for (auto &[key, attribute] : entries) {
    auto [name, fieldName] = splitLevelKey(key);
    if (name.empty())
      continue;
    CacheLevel *level = spec.find(std::string_view(name));
    if (!level) {
      Expected<CacheLevel *> added = addLevel(spec, name, entries);
      if (!added)
        return added.takeError();
      level = *added;
    }
    for (const ChipField &field : levelFields()) {
      if (StringRef(field.key) != fieldName)
        continue;
      Expected<FieldValue> value = readValue(key, attribute);
      if (!value)
        return value.takeError();
      if (Error error = withPrefix(setLevelField(*level, field, *value)))
        return error;
    }
    spec.sources[key.str()] = "dlti attribute";
  }
  return Error::success();
}

/// A reported size that is replaced takes the fitted one along.
void forgetEffective(HardwareSpec &spec, const Entries &entries) {
  for (CacheLevel &level : spec.levels)
    if (entries.contains(flatKey(level.name, "bytes")) ||
        entries.contains(level.name + ".bytes"))
      level.effectiveBytes.reset();
}

Expected<HardwareSpec> readEntries(const Entries &entries) {
  if (Error error = checkKeys(entries))
    return std::move(error);
  Expected<HardwareSpec> spec = startFrom(entries);
  if (!spec)
    return spec;
  bool overridden = entries.contains(kChipKey) && entries.size() > 1;
  forgetEffective(*spec, entries);
  if (entries.contains("num_xcds") || entries.contains("cus_per_xcd"))
    forgetDispatchOrder(*spec);
  int64_t units = spec->numUnits();
  bool scaled = false;
  for (const ChipField &field : chipFields()) {
    // Rates come after the fields that say how many units there are; those that
    // are given are not scaled.
    if (!scaled && field.kind == FieldKind::Rate) {
      if (entries.contains(kChipKey))
        scaleToUnits(*spec, units);
      scaled = true;
    }
    auto it = entries.find(field.key);
    if (it == entries.end())
      continue;
    Expected<FieldValue> value = readValue(field.key, it->second);
    if (!value)
      return value.takeError();
    if (Error error = withPrefix(setChipField(*spec, field, *value)))
      return std::move(error);
    spec->sources[sourceKey(field)] = "dlti attribute";
  }
  if (Error error = readLevels(*spec, entries))
    return std::move(error);
  for (auto &[key, attribute] : entries) {
    StringRef name = key;
    if (!name.consume_front(kFittedPrefix))
      continue;
    Expected<FieldValue> value = readValue(key, attribute);
    if (!value)
      return value.takeError();
    std::optional<double> number;
    if (auto *integer = std::get_if<int64_t>(&*value))
      number = double(*integer);
    else if (auto *real = std::get_if<double>(&*value))
      number = *real;
    if (std::string wrong =
            setFittedConstant(*spec, name.str(), number, show(attribute));
        !wrong.empty())
      return refuse(key, wrong);
  }
  if (Error error = withPrefix(checkChip(*spec, Spelling::Flat)))
    return std::move(error);
  if (overridden) {
    spec->description =
        spec->name + " with changes from the module's attributes";
    spec->name += "+dlti";
  }
  return spec;
}

/// The targets of the gpu.module around `op`.
llvm::ArrayRef<mlir::Attribute> targetsOf(mlir::Operation *op) {
  auto module = dyn_cast<mlir::gpu::GPUModuleOp>(op);
  if (!module)
    module = op->getParentOfType<mlir::gpu::GPUModuleOp>();
  if (!module || !module.getTargetsAttr())
    return {};
  return module.getTargetsAttr().getValue();
}

/// The compiler targets that the gpu.module around `op` names.
std::vector<StringRef> targetNames(mlir::Operation *op) {
  std::vector<StringRef> names;
  for (mlir::Attribute target : targetsOf(op))
    if (auto rocdl = dyn_cast<mlir::ROCDL::ROCDLTargetAttr>(target))
      names.push_back(rocdl.getChip());
    else if (auto nvvm = dyn_cast<mlir::NVVM::NVVMTargetAttr>(target))
      names.push_back(nvvm.getChip());
  return names;
}

/// The chip that the targets of the gpu.module around `op` stand for; nothing
/// if there is none, none is known, or they stand for different chips.
std::optional<HardwareSpec> readTargets(mlir::Operation *op) {
  std::optional<HardwareSpec> chip;
  for (StringRef name : targetNames(op)) {
    std::optional<HardwareSpec> found = findChipForTarget(name);
    if (!found)
      continue;
    if (chip && chip->name != found->name)
      return std::nullopt;
    chip = std::move(found);
  }
  return chip;
}

/// Of features that contradict each other.
constexpr int64_t kContradiction = -1;

/// The size of waves that a list of features asks for: "+wavefrontsize64". 0:
/// none.
int64_t waveSizeIn(StringRef features) {
  llvm::SmallVector<StringRef> list;
  features.split(list, ',');
  int64_t found = 0, size = 0;
  for (StringRef feature : list) {
    feature = feature.trim();
    if (feature.consume_front("+wavefrontsize") &&
        !feature.getAsInteger(10, size))
      found = found == 0 || found == size ? size : kContradiction;
  }
  return found;
}

/// What each target of `op`, and the function itself, asks for.
llvm::SmallVector<int64_t> waveSizesOf(mlir::Operation *op) {
  llvm::SmallVector<int64_t> sizes;
  for (mlir::Attribute target : targetsOf(op))
    if (auto rocdl = dyn_cast<mlir::ROCDL::ROCDLTargetAttr>(target))
      sizes.push_back(waveSizeIn(rocdl.getFeatures()));
  auto function = dyn_cast<mlir::LLVM::LLVMFuncOp>(op);
  if (!function)
    return sizes;
  if (mlir::LLVM::TargetFeaturesAttr of = function.getTargetFeaturesAttr())
    sizes.push_back(waveSizeIn(of.getFeaturesString()));
  if (mlir::ArrayAttr passed = function.getPassthroughAttr())
    for (mlir::Attribute entry : passed)
      if (auto pair = dyn_cast<mlir::ArrayAttr>(entry);
          pair && pair.size() == 2 && isa<mlir::StringAttr>(pair[1]) &&
          pair[0] == mlir::StringAttr::get(op->getContext(), "target-features"))
        sizes.push_back(waveSizeIn(cast<mlir::StringAttr>(pair[1])));
  return sizes;
}

} // namespace

std::optional<int64_t> statedWaveSize(mlir::Operation *op) {
  llvm::SmallVector<int64_t> sizes = waveSizesOf(op);
  if (sizes.empty() || sizes[0] <= 0 || !llvm::all_equal(sizes))
    return std::nullopt;
  return sizes[0];
}

/// Lanes of a wave of code for `target`, where `stated` is what the module asks
/// for. nullopt: the target leaves it open, and nobody asks.
static std::optional<int64_t> waveSizeOf(mlir::Attribute target,
                                         std::optional<int64_t> stated) {
  if (isa<mlir::NVVM::NVVMTargetAttr>(target))
    return 32;
  auto rocdl = dyn_cast<mlir::ROCDL::ROCDLTargetAttr>(target);
  if (!rocdl || stated)
    return rocdl ? stated : std::nullopt;
  if (std::optional<HardwareSpec> chip = findChipForTarget(rocdl.getChip()))
    return chip->waveSize;
  return waveSizeOfTarget(rocdl.getChip());
}

/// True if what is asked for, by targets and the function, does not differ.
static bool agreeOnWaves(mlir::Operation *op) {
  llvm::SmallVector<int64_t> sizes = waveSizesOf(op);
  return llvm::all_equal(sizes) && !llvm::is_contained(sizes, kContradiction);
}

bool allTargetsHaveWaves(mlir::Operation *op, int64_t size) {
  return targetsOf(op).empty() || waveSizeOfTargets(op) == size;
}

std::optional<int64_t> waveSizeOfTargets(mlir::Operation *op) {
  std::optional<int64_t> stated = statedWaveSize(op), size;
  if (!agreeOnWaves(op))
    return std::nullopt;
  for (mlir::Attribute target : targetsOf(op)) {
    std::optional<int64_t> one = waveSizeOf(target, stated);
    if (!one || (size && size != one))
      return std::nullopt;
    size = one;
  }
  return size;
}

std::string describeOtherTarget(mlir::Operation *op,
                                const HardwareSpec &hardware) {
  std::optional<int64_t> stated = statedWaveSize(op);
  for (mlir::Attribute target : targetsOf(op)) {
    bool isNVIDIA = isa<mlir::NVVM::NVVMTargetAttr>(target);
    if (!isNVIDIA && !isa<mlir::ROCDL::ROCDLTargetAttr>(target))
      return "";
    bool isOfVendor = hardware.vendor == (isNVIDIA ? "nvidia" : "amd");
    if (isOfVendor && waveSizeOf(target, stated).value_or(hardware.waveSize) ==
                          hardware.waveSize)
      return "";
  }
  std::vector<StringRef> names = targetNames(op);
  if (names.empty())
    return "";
  return ("the module is compiled for '" + names.front() + "', which " +
          hardware.name + " does not run: figures are of its accesses there")
      .str();
}

Expected<std::optional<ChipChoice>> readChip(mlir::Operation *op) {
  // Targets of one chip with waves of different sizes are different chips.
  const bool agree = agreeOnWaves(op);
  auto chosen = [op](HardwareSpec spec, const char *source) {
    spec.waveSize = statedWaveSize(op).value_or(spec.waveSize);
    return ChipChoice{std::move(spec), source};
  };
  Entries entries = findEntries(op);
  if (!entries.empty()) {
    Expected<HardwareSpec> spec = readEntries(entries);
    if (!spec)
      return spec.takeError();
    if (!agree)
      return createStringError(
          "the targets of the module have wavefronts of different sizes; "
          "describe one chip for one of them");
    return chosen(std::move(*spec), "dlti");
  }
  if (std::optional<HardwareSpec> spec = agree ? readTargets(op) : std::nullopt)
    return chosen(std::move(*spec), "target");
  return std::nullopt;
}

std::optional<ChipChoice> knownChip(mlir::Operation *op) {
  Expected<std::optional<ChipChoice>> chip = readChip(op);
  if (chip)
    return std::move(*chip);
  // `chooseChip` says what is wrong with it, where a kernel is planned.
  llvm::consumeError(chip.takeError());
  return std::nullopt;
}

std::string unknownTarget(mlir::Operation *op) {
  if (!findEntries(op).empty())
    return "";
  std::vector<StringRef> names = targetNames(op);
  bool known = any_of(names, [](StringRef name) {
    return findChipForTarget(name).has_value();
  });
  return known || names.empty() ? "" : names.front().str();
}

Expected<std::optional<ChipChoice>>
chooseChip(StringRef chip, StringRef hardwareFile, mlir::Operation *op) {
  if (!chip.empty() && !hardwareFile.empty())
    return createStringError("chip=" + chip +
                             " and hardware-file=" + hardwareFile +
                             " exclude each other; give one of them");
  if (chip.empty() && hardwareFile.empty())
    return readChip(op);
  Expected<HardwareSpec> spec =
      chip.empty() ? readChipFile(hardwareFile) : findChip(chip);
  if (!spec)
    return spec.takeError();
  return ChipChoice{std::move(*spec), chip.empty() ? "file" : "option"};
}

} // namespace swizzle
