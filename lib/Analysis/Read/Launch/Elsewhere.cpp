//===- Elsewhere.cpp - What a kernel does for other numbers ---------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Elsewhere.h. Sizes that are other in one place alone may let rows overlap
// that never do, so under other numbers only what was not met before is compared
// with the rest. What was met may be done by others now: that is compared under
// nominal numbers, with the tests that other numbers turn turned together, as
// these have it. Of `mode == 0` and `mode == 1` only one holds.
//
// Tests that none turns, as `n - m == 3`, and those of which nothing is known, as
// `alpha == 0`, are turned one by one, and together those that rest on nothing
// in common; what is done then is compared, be it new or not.
//
//===----------------------------------------------------------------------===//

#include "Elsewhere.h"

#include "../KernelReader.h"

#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace mlir;

namespace swizzle::analysis {

namespace {
/// Finds ways through a kernel, and reads them.
class OtherWays {
public:
  OtherWays(KernelReading &reading, const LoweredKernel &lowered,
            const NominalReading &usual,
            llvm::function_ref<KernelReader()> make)
      : reading(reading), lowered(lowered), usual(usual), make(make) {
    (void)others(usual.tests);
  }

  void readNumbers();
  void turnTests();

private:
  using Tests = llvm::MapVector<OpInCall, SharedTests::Test>;

  struct Question {
    TestWays ways;
    bool byNumbers = false;
    OtherNumbers flags; ///< of the numbers, those that are no sizes
  };

  KernelModel run(KernelReader &reader);
  uint64_t readTurned(const Question &question);
  void ask(Question question);
  OtherNumbers flagsOf(const OtherNumbers &numbers) const;
  void askOthers(const Tests &tests, const TestWays &told, TestWays &together);
  TestWays others(const Tests &tests);
  std::string describe(const TestWays &told) const;

  KernelReading &reading;
  const LoweredKernel &lowered;
  const NominalReading &usual;
  llvm::function_ref<KernelReader()> make;
  std::vector<Question> asked; ///< in this order
  std::set<std::vector<std::pair<OpInCall, bool>>> known;
  llvm::DenseSet<OpInCall> turned; ///< by numbers
  /// What arms of selects may take in all of these readings (KernelReader.h).
  uint64_t readAgainLeft = 400'000;
  /// What tests rest on.
  llvm::DenseMap<OpInCall, SmallVector<std::string>> sources;
};
} // namespace

/// Operations that all readings of one kind together take, beside one more: to
/// reach what was not reached, or to ask for tests alone.
static constexpr uint64_t kMostWork = 250'000, kMostForTests = 100'000;

KernelModel OtherWays::run(KernelReader &reader) {
  reader.readAgainLeft = std::min(reader.readAgainLeft, readAgainLeft);
  KernelModel model = reader.run();
  readAgainLeft = reader.readAgainLeft;
  return model;
}

void OtherWays::ask(Question question) {
  const TestWays &ways = question.ways;
  std::vector<std::pair<OpInCall, bool>> key(ways.begin(), ways.end());
  llvm::sort(key);
  if (!ways.empty() && known.insert(std::move(key)).second)
    asked.push_back(std::move(question));
}

/// Those of `numbers` that say which way a kernel goes, and nothing else: tests
/// of them may choose numbers as well.
OtherNumbers OtherWays::flagsOf(const OtherNumbers &numbers) const {
  OtherNumbers flags;
  auto add = [&](const std::string &name, Value value) {
    auto number = numbers.find(name);
    if (number != numbers.end() &&
        (value.getType().isInteger(1) || wayOf(value)))
      flags[name] = number->second;
  };
  LLVM::LLVMFuncOp function = lowered.function;
  Block &entry = function.getFunctionBody().front();
  for (auto [argument, what] :
       llvm::zip(entry.getArguments(), lowered.arguments))
    add("arg" + std::to_string(what.argument), argument);
  for (const auto &[name, member] : usual.members)
    add(name, member);
  return flags;
}

/// Those of `tests` that come out otherwise than usual, or that are not met then.
TestWays OtherWays::others(const Tests &tests) {
  TestWays ways;
  for (const auto &[place, test] : tests) {
    sources.try_emplace(place, test.restsOn);
    const auto *before = usual.tests.find(place);
    if (test.holds &&
        (before == usual.tests.end() || before->second.holds != test.holds))
      ways[place] = *test.holds;
  }
  return ways;
}

void OtherWays::readNumbers() {
  if (usual.model.unreached.empty() && usual.tests.empty())
    return;
  bool isAll = usual.model.unreached.empty();
  llvm::DenseSet<Operation *> reached = usual.met;
  llvm::DenseSet<OpInCall> accessed = usual.accessed;
  uint64_t work = 0;
  for (const OtherNumbers &numbers :
       otherNumbers(lowered, usual.numbers, usual.members)) {
    if (isAll ? work >= kMostForTests || usual.tests.empty()
              : work >= kMostWork)
      return;
    KernelReader reader = make();
    reader.otherNumbers = numbers;
    reader.settled = &usual.accessed;
    KernelModel model = run(reader);
    work += reader.workDone();
    TestWays ways = others(reader.tests.all());
    for (const auto &[place, way] : ways)
      turned.insert(place);
    ask({ways, /*byNumbers=*/true, flagsOf(numbers)});
    size_t before = reached.size() + accessed.size();
    reached.insert(reader.met.begin(), reader.met.end());
    accessed.insert(reader.accessed.begin(), reader.accessed.end());
    bool isNew = !isAll && reached.size() + accessed.size() > before;
    isAll |= model.unreached.empty();
    if (isNew)
      reading.elsewhere.push_back(std::move(model));
  }
}

/// What is said of a test in a refusal: "the test of arg1 and arg2 at k.cu:7:5
/// fails".
static std::string describe(const OpInCall &place, bool way,
                            ArrayRef<std::string> restsOn) {
  constexpr size_t most = 4;
  std::string of = llvm::join(restsOn.take_front(most), " and ");
  if (restsOn.size() > most)
    of += " and more";
  std::string at = describeLocation(place.first->getLoc());
  at = at == "unknown" ? "" : " at " + at;
  return "the test of " + of + at + (way ? " holds" : " fails");
}

std::string OtherWays::describe(const TestWays &told) const {
  constexpr size_t most = 3;
  std::vector<std::string> tests;
  for (const auto &[place, way] : told)
    if (tests.size() < most)
      tests.push_back(analysis::describe(place, way, sources.lookup(place)));
  if (told.size() > most)
    tests.push_back(std::to_string(told.size() - most) +
                    " more come out otherwise");
  return llvm::join(tests, " and ");
}

/// Asks for the other ways of `tests` that no number turned, beside those that
/// are told; adds to `together` those that rest on nothing in common.
void OtherWays::askOthers(const Tests &tests, const TestWays &told,
                          TestWays &together) {
  llvm::StringSet<> taken;
  auto isTaken = [&](StringRef source) { return taken.contains(source); };
  for (const auto &[place, test] : tests) {
    bool isKnown = &tests != &usual.tests && usual.tests.contains(place);
    if (isKnown || test.isTied || turned.contains(place))
      continue;
    sources.try_emplace(place, test.restsOn);
    for (bool way : {true, false}) {
      if (test.holds == way)
        continue;
      TestWays more = told;
      more[place] = way;
      ask({more, false, {}});
    }
    if (llvm::any_of(test.restsOn, isTaken))
      continue;
    for (const std::string &source : test.restsOn)
      taken.insert(source);
    together[place] = !test.holds.value_or(false);
  }
}

/// Reads the kernel with tests as they are told, and asks for the other ways of
/// those that are met there first; the operations that it takes.
uint64_t OtherWays::readTurned(const Question &question) {
  KernelReader reader = make();
  reader.smallNumbers = usual.small;
  reader.otherNumbers = question.flags;
  reader.tests.told = question.ways;
  reader.usual = &usual;
  reader.onlyUsual = question.byNumbers;
  reading.turned.push_back(
      {run(reader), describe(question.ways), question.byNumbers});
  TestWays together;
  if (!question.byNumbers)
    askOthers(reader.tests.all(), question.ways, together);
  return reader.workDone();
}

void OtherWays::turnTests() {
  constexpr size_t mostReadings = 32;
  TestWays together;
  askOthers(usual.tests, {}, together);
  ask({together, false, {}});
  uint64_t work = 0;
  for (size_t i = 0;
       i < asked.size() && i < mostReadings && work < kMostForTests; ++i)
    work += readTurned(Question(asked[i]));
}

void readElsewhere(KernelReading &reading, const LoweredKernel &lowered,
                   const NominalReading &usual,
                   llvm::function_ref<KernelReader()> make) {
  OtherWays ways(reading, lowered, usual, make);
  ways.readNumbers();
  ways.turnTests();
}

} // namespace swizzle::analysis
