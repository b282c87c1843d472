//===- ReaderAnswersTest.cpp - Every kernel of the tree, as it was read ---===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inputs/answers.jsonl says of every kernel of the tree what the analysis made
// of it when the file was written: refused or not, what is assumed, and how
// much is modelled. The outcome must stay, and no less may be modelled. What is
// meant to differ stands in Inputs/answers-changed.txt with its reason.
//
// SWIZZLE_WRITE_ANSWERS=1 writes the file anew.
//
//===----------------------------------------------------------------------===//

#include "../../TemporaryFolder.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "swizzle/Analysis/Legality/Legality.h"
#include "swizzle/Analysis/Read/KernelAnalysis.h"
#include "swizzle/IR/SwizzleDialect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <map>

using namespace mlir;
using namespace swizzle;

namespace {

/// What is kept of one kernel. Counts are by `AccessKind`.
struct Answer {
  std::string code;       ///< of the refusal, or "accepted"
  std::string strictCode; ///< the same under `strict`
  std::vector<std::string> assumptions;
  int64_t bytes[3] = {};       ///< that the first 32 threads touch
  int64_t accesses[3] = {};    ///< in the model's text
  int64_t notModelled[3] = {}; ///< entries
  double flops = 0;            ///< of the first 32 threads
  bool whole = true;           ///< the count did not reach its limit
};

using Answers = std::map<std::string, Answer>;

/// Runs the model for the first 32 threads of the workgroup in the middle of
/// the grid and adds up what they touch and compute.
class Counter {
public:
  Counter(const KernelModel &model, Answer &answer)
      : model(model), answer(answer), values(model.variables.size()) {}

  void run() {
    // What cannot be lowered has no model.
    if (model.grid.count() < 1 || model.variables.size() < kFirstFreeVariable)
      return;
    WorkgroupId id = delinearise(model.grid.count() / 2, model.grid);
    for (int64_t t = 0; t < std::min<int64_t>(32, model.threads()); ++t) {
      WorkgroupId l = delinearise(t, model.block);
      int64_t ids[] = {id.x, id.y, id.z, l.x, l.y, l.z};
      std::copy(ids, ids + 6, values.begin());
      first = t == 0;
      run(model.body);
    }
    answer.whole = budget > 0;
  }

private:
  void run(const std::vector<Statement> &body) {
    for (const Statement &statement : body)
      if (!isQuiet(statement) && --budget > 0)
        std::visit([&](const auto &node) { run(node); }, statement.node);
  }
  void run(const WorkgroupAccess &) {}
  void run(const Issue &) {}
  void run(const Barrier &) {}
  void run(const Compute &compute) {
    if (first || compute.issuer == Issuer::Thread)
      answer.flops += compute.flops;
  }
  void run(const Guard &guard) {
    evaluateDerived(model, values);
    for (const Condition &condition : guard.conditions) {
      int64_t value = evaluate(condition.form, values);
      if (condition.equality ? value != 0 : value < 0)
        return run(guard.otherwise);
    }
    run(guard.body);
  }
  void run(const Loop &loop) {
    evaluateDerived(model, values);
    int64_t trips = INT64_MAX;
    for (const AffineForm &trip : loop.tripCounts)
      trips = std::min(trips, evaluate(trip, values));
    for (int64_t i = 0; i < trips && budget > 0; ++i) {
      values[loop.counter] = i;
      run(loop.body);
    }
    values[loop.counter] = 0;
  }
  void run(const Access &access) {
    if (!first && access.issuer != Issuer::Thread)
      return;
    int64_t bytes = access.bytes;
    for (const BoxDim &dim : access.box)
      bytes *= dim.count;
    answer.bytes[int(access.kind)] += bytes;
  }

  const KernelModel &model;
  Answer &answer;
  std::vector<int64_t> values;
  bool first = true;
  int64_t budget = 4'000'000;
};

void countAccesses(const std::vector<Statement> &body, Answer &answer) {
  for (const Statement &statement : body) {
    if (auto *access = std::get_if<Access>(&statement.node))
      ++answer.accesses[int(access->kind)];
    else if (auto *loop = std::get_if<Loop>(&statement.node))
      countAccesses(loop->body, answer);
    else if (auto *guard = std::get_if<Guard>(&statement.node)) {
      countAccesses(guard->body, answer);
      countAccesses(guard->otherwise, answer);
    }
  }
}

/// The one place that asks the analysis.
Answer analyse(FunctionOpInterface kernel) {
  Answer answer;
  LaunchSizes sizes = findLaunchSizes(kernel, std::nullopt, std::nullopt);
  KernelReading reading = readKernel(kernel, sizes);
  KernelLegality legality = judgeKernel(kernel, reading, sizes);
  LegalityOptions strict;
  strict.strict = true;
  KernelLegality strictly = judgeKernel(kernel, reading, sizes, strict);
  const KernelModel &model = reading.model;
  auto codeOf = [](const KernelLegality &legality) {
    return legality.refusal ? legality.refusal->code : std::string("accepted");
  };
  answer.code = codeOf(legality);
  answer.strictCode = codeOf(strictly);
  answer.assumptions = legality.assumptions;
  countAccesses(model.body, answer);
  for (const NotModelled &entry : model.notModelled)
    ++answer.notModelled[int(entry.kind)];
  Counter(model, answer).run();
  return answer;
}

std::string takeFile(StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  return file ? (*file)->getBuffer().str() : "";
}

/// Reads the kernels of one piece of a file; what is no valid IR has none.
void answerPiece(StringRef piece, StringRef name, Answers &answers) {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registry.insert<SwizzleDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
  auto module = parseSourceString<ModuleOp>(piece, &context, name);
  if (!module)
    return;
  bool launches = false;
  module->walk([&](gpu::LaunchOp) { launches = true; });
  PassManager manager(&context);
  if (launches)
    manager.addPass(createGpuKernelOutliningPass());
  if (failed(manager.run(*module)))
    return;
  unsigned number = 0;
  for (FunctionOpInterface kernel : findKernels(*module)) {
    std::string key = (name + " " + kernelPath(kernel)).str();
    // Names repeat where modules have none.
    while (answers.count(key))
      key += "'" + std::to_string(++number);
    answers[key] = analyse(kernel);
  }
}

/// Reads all pieces of all files below `folder`, which are called after what
/// follows `root` in their path.
void answerFolder(const std::string &folder, StringRef root, Answers &answers) {
  std::vector<std::string> files;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator it(folder, error), end;
       it != end && !error; it.increment(error))
    if (StringRef(it->path()).ends_with(".mlir"))
      files.push_back(it->path());
  llvm::sort(files);
  for (const std::string &file : files) {
    std::string text = takeFile(file);
    StringRef rest = text, name = file;
    name.consume_front(root);
    for (unsigned number = 0; !rest.empty(); ++number) {
      auto [piece, others] = rest.split("\n// -----");
      answerPiece(piece, (name + "#" + Twine(number)).str(), answers);
      rest = others.drop_front(std::min(others.find('\n'), others.size()));
    }
  }
}

/// The tree's own files, and the benchmarks as stock mlir-opt lowers them.
Answers answerAll() {
  const std::string source = SWIZZLE_SOURCE_DIR "/";
  Answers answers;
  answerFolder(source + "test", source, answers);
  answerFolder(source + "unittests", source, answers);
  swizzle::TemporaryFolder lowered;
  std::string command =
      source + "benchmarks/kernels/lower.py -o " + lowered.path;
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  answerFolder(lowered.path, lowered.path + "/", answers);
  return answers;
}

/// One line of JSON a kernel, so that a change of one is a change of one line.
std::string print(const std::string &key, const Answer &answer) {
  auto three = [](const int64_t (&counts)[3]) {
    return llvm::json::Array{counts[0], counts[1], counts[2]};
  };
  llvm::json::Object object{{"kernel", key},
                            {"code", answer.code},
                            {"strict", answer.strictCode},
                            {"accesses", three(answer.accesses)},
                            {"not_modelled", three(answer.notModelled)},
                            {"bytes", three(answer.bytes)},
                            {"flops", answer.flops}};
  if (!answer.assumptions.empty())
    object["assumptions"] = llvm::json::Array(answer.assumptions);
  if (!answer.whole)
    object["cut_off"] = true;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::json::Value(std::move(object)) << "\n";
  return text;
}

Answers parseAnswers(StringRef text) {
  Answers answers;
  SmallVector<StringRef> lines;
  text.split(lines, '\n', -1, false);
  for (StringRef line : lines) {
    llvm::json::Value value = llvm::cantFail(llvm::json::parse(line));
    const llvm::json::Object &object = *value.getAsObject();
    Answer answer;
    answer.code = object.getString("code").value_or("").str();
    answer.strictCode = object.getString("strict").value_or("").str();
    auto three = [&](const char *name, int64_t (&counts)[3]) {
      for (int i = 0; i < 3; ++i)
        counts[i] = *(*object.getArray(name))[i].getAsInteger();
    };
    three("accesses", answer.accesses);
    three("not_modelled", answer.notModelled);
    three("bytes", answer.bytes);
    answer.flops = object.getNumber("flops").value_or(0);
    answer.whole = !object.getBoolean("cut_off").value_or(false);
    if (auto *list = object.getArray("assumptions"))
      for (const llvm::json::Value &entry : *list)
        answer.assumptions.push_back(entry.getAsString()->str());
    answers[object.getString("kernel")->str()] = std::move(answer);
  }
  return answers;
}

/// What of `now` falls short of `then`, or is decided otherwise; "" if nothing.
std::string compare(const Answer &then, const Answer &now) {
  std::string text;
  auto differ = [&](const Twine &what, const Twine &before,
                    const Twine &after) {
    text += (text.empty() ? "" : "; ") +
            (what + " was " + before + ", is " + after).str();
  };
  if (then.code != now.code)
    differ("code", then.code, now.code);
  if (then.strictCode != now.strictCode)
    differ("strict code", then.strictCode, now.strictCode);
  const char *kinds[] = {"read", "written", "updated"};
  for (int kind = 0; kind < 3; ++kind) {
    if (now.bytes[kind] < then.bytes[kind])
      differ(Twine("bytes ") + kinds[kind], Twine(then.bytes[kind]),
             Twine(now.bytes[kind]));
    if (now.notModelled[kind] > then.notModelled[kind])
      differ(Twine("not modelled, ") + kinds[kind],
             Twine(then.notModelled[kind]), Twine(now.notModelled[kind]));
  }
  if (then.whole && now.whole && now.flops < then.flops)
    differ("flops", Twine(int64_t(then.flops)), Twine(int64_t(now.flops)));
  return text;
}

/// The kernels whose answer is meant to differ: "KERNEL: reason" on a line.
std::map<std::string, std::string> parseChanged(StringRef text) {
  std::map<std::string, std::string> changed;
  SmallVector<StringRef> lines;
  text.split(lines, '\n', -1, false);
  for (StringRef line : lines) {
    auto [kernel, reason] = line.split(": ");
    if (!line.starts_with("#"))
      changed[kernel.str()] = reason.str();
  }
  return changed;
}

TEST(ReaderAnswers, AreNoWorseThanTheyWere) {
  std::string folder = SWIZZLE_SOURCE_DIR "/unittests/Analysis/Inputs/";
  std::string path = folder + "answers.jsonl";
  Answers now = answerAll();
  if (std::getenv("SWIZZLE_WRITE_ANSWERS")) {
    std::error_code error;
    llvm::raw_fd_ostream os(path, error);
    ASSERT_FALSE(bool(error)) << path;
    for (const auto &[key, answer] : now)
      os << print(key, answer);
    return;
  }
  Answers then = parseAnswers(takeFile(path));
  auto changed = parseChanged(takeFile(folder + "answers-changed.txt"));
  ASSERT_GT(then.size(), 100u) << path;
  size_t found = 0;
  for (const auto &[key, answer] : then) {
    auto same = now.find(key);
    if (same == now.end())
      continue;
    ++found;
    std::string difference = compare(answer, same->second);
    if (!changed.count(key))
      EXPECT_EQ(difference, "") << key;
  }
  // Tests are renamed and rewritten; not all of them at once.
  EXPECT_GE(found * 20, then.size() * 19);
}

} // namespace
