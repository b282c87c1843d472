//===- Judge.cpp - The analysis against the host --------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only place that calls the analysis is `analyse`.
//
//===----------------------------------------------------------------------===//

#include "Judge.h"

#include "swizzle/Analysis/Legality/Legality.h"
#include "swizzle/Analysis/Read/KernelAnalysis.h"
#include "swizzle/Codegen/Host/CompareModel.h"
#include "swizzle/IR/SwizzleDialect.h"
#include "swizzle/Kernel/PrintModel.h"
#include "swizzle/Transforms/InsertRemap.h"
#include "swizzle/Transforms/Materialize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;

namespace swizzle::fuzz {

namespace {

struct Analysis {
  KernelModel model;
  KernelLegality legality, strict;
  uint64_t hash = 0; ///< of all of it
};

std::string codeOf(const KernelLegality &legality) {
  return legality.refusal ? legality.refusal->code : std::string();
}

uint64_t hashOf(const Analysis &analysis) {
  std::string text = codeOf(analysis.legality) + codeOf(analysis.strict);
  for (const std::string &assumption : analysis.legality.assumptions)
    text += assumption + "\n";
  llvm::raw_string_ostream os(text);
  printModel(analysis.model, os);
  return llvm::xxh3_64bits(text);
}

Analysis analyse(FunctionOpInterface kernel, std::optional<Grid> grid,
                 std::optional<Grid> block) {
  Analysis analysis;
  LaunchSizes sizes = findLaunchSizes(kernel, grid, block);
  KernelReading reading = readKernel(kernel, sizes);
  analysis.legality = judgeKernel(kernel, reading, sizes);
  LegalityOptions options;
  options.strict = true;
  analysis.strict = judgeKernel(kernel, reading, sizes, options);
  analysis.model = std::move(reading.model);
  analysis.hash = hashOf(analysis);
  return analysis;
}

const DialectRegistry &registry() {
  static const DialectRegistry *all = [] {
    auto *registry = new DialectRegistry;
    registerAllDialects(*registry);
    registerAllExtensions(*registry);
    registry->insert<SwizzleDialect>();
    return registry;
  }();
  return *all;
}

/// Orders to try: the grid's own extents decide which are permutations.
std::string formulaFor(const Grid &grid, uint64_t seed) {
  static const char *const formulas[] = {
      "return gx - 1 - x, y, z",
      "return (x + 1) % gx, y, z",
      "i = y * gx + x\nreturn i // gy, i % gy, z",
      "return x, gy - 1 - y, gz - 1 - z",
      ("i = x + gx * (y + gy * z)\nj = gx * gy * gz - 1 - i\n"
       "return j % gx, j // gx % gy, j // (gx * gy)"),
  };
  return formulas[seed % std::size(formulas)];
}

/// `text` for `grid`; nullopt if it is no permutation there.
std::optional<BoundFormula> bindTo(llvm::StringRef text, const Grid &grid) {
  Environment environment;
  environment.grid = grid;
  auto bound = BoundFormula::bind(llvm::cantFail(Formula::parse(text.str())),
                                  environment);
  if (bound)
    return std::move(*bound);
  llvm::consumeError(bound.takeError());
  return std::nullopt;
}

/// Remaps a copy of `module` and compares what it writes. Claimed sizes are
/// guarded: the kernel is run with another block, too, where nothing may
/// change.
void checkRemapped(ModuleOp module, const FuzzKernel &fuzzed,
                   const KernelModel &model, uint64_t seed, Verdict &verdict) {
  OwningOpRef<ModuleOp> variant(cast<ModuleOp>(module->clone()));
  FunctionOpInterface kernel = findKernels(*variant).front();
  std::string text = formulaFor(model.grid, seed);
  std::optional<BoundFormula> bound = bindTo(text, model.grid);
  if (!bound) {
    verdict.remappedMessage = text + " is no permutation here";
    return;
  }
  Environment environment;
  environment.grid = model.grid;
  FormulaAttr attribute = getFormulaAttr(
      module.getContext(), llvm::cantFail(Formula::parse(text)), environment);
  RemapOp remap = insertRemap(kernel, attribute, model.grid, fuzzed.claimed,
                              fuzzed.claimed ? std::optional<Grid>(fuzzed.block)
                                             : std::nullopt);
  if (codeOf(judgeKernel(kernel, {}, {})) != "already-remapped")
    verdict.wrongRemap = "might be remapped again";
  if (failed(materialize(remap)))
    verdict.wrongRemap = "cannot be materialised: " + text;
  if (!verdict.wrongRemap.empty())
    return;
  CheckOptions options;
  options.host.seed = seed;
  options.host.optimise = false;
  options.host.unknownBytes = 1 << 14;
  auto compare = [&](const BoundFormula &formula, const std::string &what) {
    CheckResult result = check(module, *variant, "", formula, options);
    verdict.remapped = result.status;
    verdict.remappedMessage = result.message;
    if (result.status == CheckStatus::Failed)
      verdict.wrongRemap = result.message + " (" + what + ")";
  };
  if (!fuzzed.claimed)
    return compare(*bound, text);
  options.host.grid = fuzzed.grid;
  options.host.block = fuzzed.block;
  compare(*bound, text);
  Grid block = fuzzed.block;
  if (!verdict.wrongRemap.empty() || block.x() < 2)
    return;
  options.host.block = Grid(block.x() - 1, block.y(), block.z());
  compare(*bindTo("return x, y, z", fuzzed.grid), "another block");
}

/// An update that is lowered to a loop of exchanges commutes as a whole, with
/// itself and with others of its kind (all of them add); the oracle sees its
/// parts, and cannot tell.
void tolerateExchangeLoops(llvm::StringRef text, RaceResult &result) {
  if (result.outcome != RaceOutcome::Race)
    return;
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  auto isAt = [&](const RaceAccess &access, llvm::StringRef what) {
    unsigned line = 0;
    auto [file, place] = llvm::StringRef(access.location).split(':');
    return !place.split(':').first.getAsInteger(10, line) && line &&
           line <= lines.size() && lines[line - 1].contains(what);
  };
  const RaceAccess &first = result.race->first, &second = result.race->second;
  bool firstIsLoop = isAt(first, "generic_atomic_rmw"),
       secondIsLoop = isAt(second, "generic_atomic_rmw");
  if (!(firstIsLoop && (secondIsLoop || isAt(second, "atomic_rmw addi"))) &&
      !(secondIsLoop && isAt(first, "atomic_rmw addi")))
    return;
  result.outcome = RaceOutcome::Unchecked;
  result.reason = "a loop of exchanges";
}

/// Gives two buffers that may overlap one memory; false if there are none.
bool letOverlap(FunctionOpInterface kernel, uint64_t seed,
                RaceOptions &options) {
  llvm::SmallVector<unsigned> free;
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes()))
    if (isa<MemRefType, LLVM::LLVMPointerType>(type) &&
        !kernel.getArgAttr(index, LLVM::LLVMDialect::getNoAliasAttrName()))
      free.push_back(index);
  if (free.size() < 2)
    return false;
  size_t first = seed % (free.size() - 1);
  options.host.arguments[free[first + 1]].sameAs = free[first];
  return true;
}

std::string describe(const Race &race, const Grid &grid) {
  auto text = [&](const RaceAccess &access) {
    return llvm::formatv("workgroup {0} {1} by {2} at {3}",
                         swizzle::toString(access.workgroup, grid),
                         access.kind == AccessKind::Read    ? "reads"
                         : access.kind == AccessKind::Write ? "writes"
                                                            : "updates",
                         access.op, access.location)
        .str();
  };
  return llvm::formatv("byte {0} of {1}: {2}, {3}{4}", race.byte, race.buffer,
                       text(race.first), text(race.second),
                       race.sameValue ? ", the same value" : "");
}

} // namespace

/// True if the answer falls short of what is demanded. A race is excused by the
/// assumption that what is not modelled does not race, or that workgroups,
/// which meet for some sizes, do not for those of the launch.
static bool misses(Demand demand, const Verdict &verdict) {
  if (demand == Demand::Refusal)
    return verdict.code.empty();
  if (verdict.strictCode.empty())
    return true;
  return demand == Demand::Race && verdict.code.empty() &&
         llvm::none_of(verdict.assumptions, [](llvm::StringRef text) {
           return text.ends_with("do not race between workgroups") ||
                  text.starts_with("the sizes that are launched keep");
         });
}

Verdict judgeAgainstOracle(const FuzzKernel &kernel,
                           const JudgeOptions &options) {
  Verdict verdict;
  // A context of its own: attributes of one are never freed.
  MLIRContext context(registry(), MLIRContext::Threading::DISABLED);
  context.loadDialect<SwizzleDialect, arith::ArithDialect, gpu::GPUDialect>();
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (message.empty())
      message = diagnostic.str();
  });
  auto module = parseSourceString<ModuleOp>(kernel.text, &context, "k.mlir");
  auto kernels =
      module ? findKernels(*module) : llvm::SmallVector<FunctionOpInterface>();
  if (kernels.size() != 1) {
    verdict.invalid = message.empty() ? "not one kernel" : message;
    return verdict;
  }
  FunctionOpInterface function = kernels.front();
  std::optional<Grid> grid, block;
  if (kernel.claimed) {
    if (!kernel.onlyBlock)
      grid = kernel.grid;
    block = kernel.block;
  }
  Analysis analysis = analyse(function, grid, block);
  verdict.code = codeOf(analysis.legality);
  verdict.strictCode = codeOf(analysis.strict);
  verdict.assumptions = analysis.legality.assumptions;
  verdict.answer = analysis.hash;
  if (!kernel.forbidden.empty()) {
    verdict.race.reason = "is refused for an operation of it";
    if (misses(kernel.demand, verdict))
      verdict.falseAccept = "accepted with " + kernel.forbidden;
  }
  if (options.coverage) {
    options.coverage->add(function);
    if (!verdict.code.empty())
      options.coverage->add(verdict.code);
    if (!verdict.strictCode.empty())
      options.coverage->add(verdict.strictCode);
  }
  if (options.onlyAnswer || options.knownAnswer == analysis.hash ||
      !kernel.forbidden.empty())
    return verdict;
  uint64_t seed = std::hash<std::string>()(kernel.text);

  RaceOptions races;
  races.host.optimise = false;
  races.host.seed = seed;
  races.host.unknownBytes = 1 << 14;
  if (kernel.unsized) {
    races.host.grid = kernel.grid;
    races.host.block = kernel.block;
  }
  if (kernel.extent)
    races.host.arguments[0].shape = {kernel.extent};
  races.maxSteps = 1 << 22;
  verdict.race = findRaces(function, races);
  tolerateExchangeLoops(kernel.text, verdict.race);
  bool accepted = verdict.code.empty() && verdict.assumptions.empty();
  // A launch that contradicts the kernel cannot be run.
  bool contradicts =
      verdict.race.reason.find("contradicts") != std::string::npos;
  // A race between memory that is kept apart is not excused by the assumption
  // that it is.
  bool apart = verdict.code.empty() &&
               llvm::all_of(verdict.assumptions, [](llvm::StringRef text) {
                 return text.ends_with("in memory");
               });
  // What `strict` accepts is proved.
  apart |= verdict.strictCode.empty();
  if (apart && verdict.race.outcome == RaceOutcome::Race)
    verdict.falseAccept = describe(*verdict.race.race, verdict.race.grid);
  else if (accepted && contradicts)
    verdict.falseAccept = verdict.race.reason;
  else if ((accepted || verdict.strictCode.empty()) &&
           letOverlap(function, seed, races)) {
    RaceResult overlapping = findRaces(function, races);
    if (overlapping.outcome == RaceOutcome::Race)
      verdict.falseAccept = "if two arguments overlap, " +
                            describe(*overlapping.race, overlapping.grid);
  }

  // Of other sizes than are run there is nothing to compare.
  bool sizesAgree = !kernel.unsized || (kernel.claimed && !kernel.onlyBlock),
       sameSizes = sizesAgree;
  // Nor of a loop of exchanges that is modelled as the update that it is.
  sameSizes &= !kernel.features[size_t(Feature::AtomicRegion)];
  // Nor of a launch that passes a buffer twice: the comparison runs no launch.
  sameSizes &= !kernel.features[size_t(Feature::AliasedLaunch)];
  verdict.wrongModel = verify(analysis.model);
  if (options.compareModel && sameSizes && verdict.wrongModel.empty() &&
      analysis.model.notModelled.empty()) {
    CheckOptions check;
    check.host.optimise = false;
    check.host.seed = seed;
    check.host.grid = grid;
    check.host.block = block;
    check.host.unknownBytes = 1 << 14;
    ModelComparison comparison = compareWithModel(*module, "", check);
    verdict.model = comparison.status;
    verdict.modelMessage = comparison.message;
    if (comparison.status == CheckStatus::Failed)
      verdict.wrongModel = comparison.message;
  }
  if (options.checkRemapped && accepted && sizesAgree)
    checkRemapped(*module, kernel, analysis.model, seed, verdict);
  return verdict;
}

/// One text for all that differ in numbers only.
static std::string withoutNumbers(llvm::StringRef text) {
  std::string result;
  for (char c : text.take_front(120)) {
    bool digit = c >= '0' && c <= '9';
    if (!digit || result.empty() || result.back() != '#')
      result += digit ? '#' : c;
  }
  return result;
}

void Statistics::add(const FuzzKernel &kernel, const Verdict &verdict) {
  ++kernels;
  if (!verdict.invalid.empty()) {
    ++invalid;
    ++uncheckedReasons["invalid: " + verdict.invalid];
    return;
  }
  for (size_t i = 0; i < kNumFeatures; ++i)
    hits[i] += kernel.features[i];
  for (size_t row : kernel.operations) {
    ++operations[row].first;
    operations[row].second += verdict.code.empty();
  }
  if (!kernel.forbidden.empty()) {
    ++forbidden;
    ++codes[kernel.demand == Demand::Refusal ? verdict.code
                                             : verdict.strictCode];
    falseAccepts += !verdict.falseAccept.empty();
    return;
  }
  bool free = verdict.race.outcome == RaceOutcome::NoRace;
  racing += verdict.race.outcome == RaceOutcome::Race;
  unplanned += verdict.race.outcome == RaceOutcome::Race && !kernel.planted;
  raceFree += free;
  if (verdict.race.outcome == RaceOutcome::Unchecked) {
    ++unchecked;
    ++uncheckedReasons[withoutNumbers(verdict.race.reason)];
  }
  std::string outcome = !verdict.code.empty() ? verdict.code
                        : verdict.assumptions.empty()
                            ? "accepted"
                            : "accepted with assumption";
  ++codes[outcome];
  if (free)
    ++raceFreeCodes[outcome];
  if (!verdict.code.empty()) {
    ++refused;
    refusedRaceFree += free;
  } else {
    ++(verdict.assumptions.empty() ? accepted : assumed);
    for (const std::string &assumption : verdict.assumptions)
      ++assumptions[withoutNumbers(assumption)];
  }
  modelled += verdict.model == CheckStatus::Passed;
  remapped += verdict.remapped == CheckStatus::Passed;
  falseAccepts += !verdict.falseAccept.empty();
  wrongModels += !verdict.wrongModel.empty();
  wrongRemaps += !verdict.wrongRemap.empty();
}

void Statistics::print(llvm::raw_ostream &os) const {
  auto share = [](int64_t part, int64_t whole) {
    return whole ? 100.0 * double(part) / double(whole) : 0.0;
  };
  os << llvm::formatv(
      "{0} kernels: {1} racing ({2:f1} %, {3} without a mistake "
      "put in), {4} without race, {5} unchecked, {6} with a "
      "forbidden operation, {7} invalid\n",
      kernels, racing, share(racing, kernels), unplanned, raceFree, unchecked,
      forbidden, invalid);
  os << llvm::formatv("{0} accepted, {1} accepted with assumptions, {2} "
                      "refused; of those without race {3} refused ({4:f1} %)\n",
                      accepted, assumed, refused, refusedRaceFree,
                      share(refusedRaceFree, raceFree));
  os << llvm::formatv("{0} models equal the trace, {1} remapped kernels write "
                      "the same\n",
                      modelled, remapped);
  os << llvm::formatv("{0} false accepts, {1} wrong models, {2} wrong remaps\n",
                      falseAccepts, wrongModels, wrongRemaps);
  auto list = [&](const char *title, const std::map<std::string, int64_t> &of) {
    os << title << ":\n";
    for (const auto &[name, count] : of)
      os << llvm::formatv("  {0,7} {1}\n", count, name);
  };
  list("outcomes", codes);
  list("outcomes of kernels without race", raceFreeCodes);
  list("assumptions", assumptions);
  list("unchecked because", uncheckedReasons);
  os << "operations in no kernel that was accepted:\n";
  for (const auto &[row, counts] : operations)
    if (!counts.second)
      os << llvm::formatv("  {0,4} kernels with: {1}\n", counts.first,
                          fuzz::operations()[row].lines);
  os << "features never hit:";
  for (size_t i = 0; i < kNumFeatures; ++i)
    if (!hits[i])
      os << ' ' << nameOf(Feature(i));
  os << '\n';
}

} // namespace swizzle::fuzz
