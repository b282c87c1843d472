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
#include "llvm/Support/raw_ostream.h"

#include <map>
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
    note(usual.tests);
  }

  void run();

private:
  using Tests = llvm::MapVector<OpInCalls, SharedTests::Test>;

  /// What one reading is told.
  struct Question {
    TestWays told;
    OtherNumbers numbers;
    /// Numbers are nominal but for flags, and so only who does what was done
    /// before is asked, not what else is.
    bool atKnownPlaces = false;
  };

  void readNumbers(const OtherNumbers &numbers);
  void readTurned(const Question &question);
  KernelModel read(KernelReader &reader, uint64_t &work);
  void note(const Tests &tests);
  bool isTurned(const OpInCalls &place) const {
    return seen.lookup(place) == 3;
  }
  void ask(Question question);
  TestWays askOthers(const Tests &tests, const Question &beside);
  void askWithNumbers(const TestWays &together);
  TestWays othersOf(const Tests &tests) const;
  OtherNumbers flagsOf(const OtherNumbers &numbers) const;
  void settle(KernelReader &reader, const OtherNumbers &numbers) const;
  std::string describe(const TestWays &told) const;

  KernelReading &reading;
  const LoweredKernel &lowered;
  const NominalReading &usual;
  llvm::function_ref<KernelReader()> make;
  /// What was tried of numbers, with the tests that it turns.
  std::vector<std::pair<OtherNumbers, Tests>> tried;
  std::vector<Question> asked; ///< in this order
  std::set<std::string> known; ///< what was asked, in words
  /// Which ways tests came out, under whatever numbers: 1 failed, 2 held.
  llvm::DenseMap<OpInCalls, unsigned> seen;
  /// What tests rest on.
  llvm::DenseMap<OpInCalls, SmallVector<std::string>> sources;
  /// Accesses that were met.
  llvm::DenseSet<Operation *> reached;
  llvm::DenseSet<size_t> accessed;
  /// What arms of selects may take in all of these readings (KernelReader.h).
  uint64_t readAgainLeft = 400'000;
  uint64_t workOfNumbers = 0, workOfTests = 0;
  /// What the table says of operations, for all readings.
  llvm::DenseMap<Operation *, OperationEffect> effects;
};
} // namespace

/// Operations that all readings of one kind together take, beside one more: to
/// reach what was not reached, or to ask for tests and other places.
static constexpr uint64_t kMostWork = 250'000, kMostForTests = 100'000;
/// The same of those under other sizes.
static constexpr uint64_t kMostForSizes = 20'000;
/// Work of the domain that takes as long as reading an operation does.
static constexpr uint64_t kDomainWork = 100;

KernelModel OtherWays::read(KernelReader &reader, uint64_t &work) {
  reader.readAgainLeft = std::min(reader.readAgainLeft, readAgainLeft);
  reader.exchangeEffects(effects);
  KernelModel model = reader.run();
  reader.exchangeEffects(effects);
  readAgainLeft = reader.readAgainLeft;
  work += reader.workDone() + reader.domain.work() / kDomainWork;
  return model;
}

/// Notes how `tests` came out, and what they rest on.
void OtherWays::note(const Tests &tests) {
  for (const auto &[place, test] : tests) {
    sources.try_emplace(place, test.restsOn);
    seen[place] |= test.holds ? (*test.holds ? 2u : 1u) : 0u;
  }
}

void OtherWays::ask(Question question) {
  std::string words;
  llvm::raw_string_ostream os(words);
  for (const auto &[place, way] : question.told)
    os << place.first << '.' << place.second << way << ' ';
  std::map<StringRef, int64_t> numbers;
  for (const auto &number : question.numbers)
    numbers[number.getKey()] = number.getValue();
  for (const auto &[name, number] : numbers)
    os << name << '=' << number << ' ';
  if (!words.empty() && known.insert(words).second)
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

/// Tells `reader` what was judged under nominal numbers. With no size, or less,
/// everything lies at one place: that says nothing of launches.
void OtherWays::settle(KernelReader &reader,
                       const OtherNumbers &numbers) const {
  OtherNumbers flags = flagsOf(numbers);
  reader.settled = &usual.accessed;
  reader.settlesAnywhere = llvm::any_of(numbers, [&](const auto &number) {
    return number.getValue() <= 0 && !flags.contains(number.getKey());
  });
}

/// Those of `tests` that come out otherwise than usual, or that are not met then.
TestWays OtherWays::othersOf(const Tests &tests) const {
  TestWays ways;
  for (const auto &[place, test] : tests) {
    const auto *before = usual.tests.find(place);
    if (test.holds &&
        (before == usual.tests.end() || before->second.holds != test.holds))
      ways[place] = *test.holds;
  }
  return ways;
}

/// Reads what is done under `numbers`.
void OtherWays::readNumbers(const OtherNumbers &numbers) {
  KernelReader reader = make();
  reader.otherNumbers = numbers;
  settle(reader, numbers);
  KernelModel model = read(reader, workOfNumbers);
  note(reader.tests.all());
  size_t before = reached.size();
  reached.insert(reader.met.begin(), reader.met.end());
  bool isNew = reached.size() > before;
  if (!reader.settlesAnywhere) {
    before = accessed.size();
    accessed.insert(reader.accessed.begin(), reader.accessed.end());
    isNew |= accessed.size() > before;
  }
  if (isNew || !othersOf(reader.tests.all()).empty() ||
      !flagsOf(numbers).empty())
    tried.emplace_back(numbers, reader.tests.all());
  if (isNew)
    reading.elsewhere.push_back({std::move(model), "", false, true});
}

/// What is said of a test in a refusal: "the test of arg1 and arg2 at k.cu:7:5
/// fails".
static std::string describeTest(const OpInCalls &place, bool way,
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
      tests.push_back(describeTest(place, way, sources.lookup(place)));
  if (told.size() > most)
    tests.push_back(std::to_string(told.size() - most) +
                    " more come out otherwise");
  return llvm::join(tests, " and ");
}

/// Asks for the other ways of those of `tests` that no number turned, `beside`
/// what is told; returns all of them together that rest on nothing in common.
TestWays OtherWays::askOthers(const Tests &tests, const Question &beside) {
  TestWays together;
  llvm::StringSet<> taken;
  auto isTaken = [&](StringRef source) { return taken.contains(source); };
  for (const auto &[place, test] : tests) {
    bool isKnown = &tests != &usual.tests && usual.tests.contains(place);
    if (isKnown || test.isTied || isTurned(place))
      continue;
    sources.try_emplace(place, test.restsOn);
    for (bool way : {true, false}) {
      if (test.holds == way)
        continue;
      Question more = beside;
      more.told[place] = way;
      ask(std::move(more));
    }
    if (llvm::any_of(test.restsOn, isTaken))
      continue;
    for (const std::string &source : test.restsOn)
      taken.insert(source);
    together[place] = !test.holds.value_or(false);
  }
  return together;
}

/// Asks for what tests that other numbers turn let others do, and, beside these
/// numbers, for tests that none turns.
void OtherWays::askWithNumbers(const TestWays &together) {
  for (const auto &[numbers, tests] : tried)
    ask({othersOf(tests), flagsOf(numbers), /*atKnownPlaces=*/true});
  for (const auto &[numbers, tests] : tried) {
    Question beside{{}, numbers};
    TestWays all = askOthers(tests, beside);
    // Flags are few.
    if (!numbers.empty() && flagsOf(numbers).size() == numbers.size())
      (void)askOthers(usual.tests, beside);
    for (const auto &[place, way] : together)
      all.insert({place, way});
    beside.told = std::move(all);
    if (!beside.told.empty())
      ask(std::move(beside));
  }
}

/// Reads the kernel as `question` tells, and asks for the other ways of tests
/// that are met there first.
void OtherWays::readTurned(const Question &question) {
  KernelReader reader = make();
  reader.otherNumbers = question.numbers;
  reader.tests.told = question.told;
  bool isNominal = question.numbers.empty() || question.atKnownPlaces;
  if (isNominal) {
    reader.smallNumbers = usual.small;
    reader.usual = &usual;
    reader.onlyUsual = question.atKnownPlaces;
  } else {
    settle(reader, question.numbers);
  }
  KernelModel model = read(reader, workOfTests);
  if (!question.atKnownPlaces)
    (void)askOthers(reader.tests.all(), question);
  bool isNew = llvm::any_of(
      reader.accessed, [&](size_t key) { return !accessed.contains(key); });
  if (isNominal || isNew)
    reading.elsewhere.push_back({std::move(model), describe(question.told),
                                 question.atKnownPlaces, !isNominal});
}

void OtherWays::run() {
  constexpr size_t mostReadings = 48;
  bool isAll = usual.model.unreached.empty();
  reached = usual.met;
  accessed = usual.accessed;
  for (const OtherNumbers &numbers :
       otherNumbers(lowered, usual.numbers, usual.members)) {
    if (workOfNumbers >= (isAll ? kMostForTests : kMostWork)) {
      reading.waysLeft = true;
      break;
    }
    readNumbers(numbers);
  }
  TestWays together = askOthers(usual.tests, {});
  if (!together.empty())
    ask({together, {}});
  askWithNumbers(together);
  for (size_t i = 0; i < asked.size(); ++i) {
    if (i >= mostReadings || workOfTests >= kMostForTests) {
      reading.waysLeft = true;
      break;
    }
    readTurned(Question(asked[i]));
  }
}

void readElsewhere(KernelReading &reading, const LoweredKernel &lowered,
                   const NominalReading &usual,
                   llvm::function_ref<KernelReader()> make) {
  OtherWays(reading, lowered, usual, make).run();
}

void readOtherSizes(KernelReading &reading, const NominalReading &usual,
                    llvm::function_ref<KernelReader()> make) {
  std::vector<OtherNumbers> sets =
      farNumbers(usual.numbers, usual.model.grid, usual.model.block.count());
  if (usual.numbers.empty() || usual.work * sets.size() > kMostForSizes)
    return;
  for (OtherNumbers &numbers : sets) {
    KernelReader reader = make();
    reader.otherNumbers = std::move(numbers);
    reading.otherSizes.push_back(reader.run());
  }
}

} // namespace swizzle::analysis
