//===- CompareModel.cpp - Is the affine model what the kernel does? -------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both sides are reduced to a sum of hashes, one of each element touched by
// each subgroup: order does not matter, multiplicity does. Only if the sums
// differ are the elements listed and the first difference named.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Codegen/Host/CompareModel.h"
#include "swizzle/Analysis/Describe/NoteClaims.h"
#include "swizzle/Analysis/Read/KernelAnalysis.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>
#include <numeric>
#include <random>

using namespace mlir;

namespace swizzle {

namespace {

constexpr int64_t kMoreTries = 64;

/// One element that a subgroup touches.
struct Touch {
  int argument;
  AccessKind kind;
  uint32_t subgroup;
  int64_t element;

  auto key() const { return std::tie(argument, element, kind, subgroup); }
  /// By the last steps of SplitMix64 (Steele, Lea and Flood, 2014).
  uint64_t hash() const {
    uint64_t z = uint64_t(element) * 0x9E3779B97F4A7C15u +
                 (uint64_t(argument) << 40 | uint64_t(kind) << 32 | subgroup);
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
  }
};

/// Bytes of what counts as an element, by argument: model and host may see
/// different ones where all that they have is a pointer. A module's variables
/// (-1) are compared by bytes.
class Steps {
public:
  Steps() = default;
  Steps(const KernelModel &model, const HostKernel &host) {
    for (const HostBuffer &buffer : host.buffers())
      add(buffer.argument, buffer.elementBytes);
    for (const Buffer &buffer : model.buffers)
      add(buffer.argument, buffer.elementBytes);
  }
  int64_t of(int argument) const {
    auto found = steps.find(argument);
    return argument < 0 || found == steps.end() ? 1 : found->second;
  }

private:
  void add(int argument, int64_t bytes) {
    int64_t &step = steps[argument];
    step = std::gcd(step, bytes);
  }
  std::map<int, int64_t> steps;
};

/// Sum of hashes, number of touches, and the touches if they are wanted.
struct Sum {
  uint64_t hash = 0;
  int64_t count = 0;
  std::vector<Touch> *list = nullptr;

  void add(const Touch &touch) {
    hash += touch.hash();
    ++count;
    if (list)
      list->push_back(touch);
  }
};

/// What one thread touches according to the model.
class Enumerator {
public:
  Enumerator(const KernelModel &model, int64_t subgroupSize, const Steps &steps,
             Sum &sum, int64_t maxSteps)
      : model(model), subgroupSize(subgroupSize), steps(steps), sum(sum),
        stepsLeft(maxSteps), values(model.variables.size()) {}

  void run(WorkgroupId workgroup, int64_t thread) {
    linear = thread;
    WorkgroupId id = delinearise(thread, model.block);
    int64_t ids[] = {workgroup.x, workgroup.y, workgroup.z, id.x, id.y, id.z};
    std::copy(ids, ids + 6, values.begin());
    run(model.body);
  }
  bool isEndless() const { return stepsLeft < 0; }

private:
  int64_t valueOf(const AffineForm &form) const {
    return evaluate(form, values);
  }
  void run(const std::vector<Statement> &body) {
    for (const Statement &statement : body)
      std::visit([&](const auto &node) { run(node); }, statement.node);
  }
  void run(const WorkgroupAccess &) {}
  void run(const Issue &) {}
  void run(const Compute &) {}
  void run(const Barrier &) {}
  void run(const Guard &guard) {
    evaluateDerived(model, values);
    for (const Condition &condition : guard.conditions) {
      int64_t value = valueOf(condition.form);
      if (condition.equality ? value != 0 : value < 0)
        return run(guard.otherwise);
    }
    run(guard.body);
  }
  void run(const Loop &loop) {
    if (isQuiet(loop.body))
      return;
    evaluateDerived(model, values);
    int64_t trips = INT64_MAX;
    for (const AffineForm &trip : loop.tripCounts)
      trips = std::min(trips, valueOf(trip));
    for (int64_t i = 0; i < trips && --stepsLeft >= 0; ++i) {
      values[loop.counter] = i;
      run(loop.body);
    }
    values[loop.counter] = 0;
  }
  void run(const Access &access) {
    if ((access.issuer == Issuer::Subgroup && linear % subgroupSize) ||
        (access.issuer == Issuer::Workgroup && linear))
      return;
    evaluateDerived(model, values);
    box(access, 0, valueOf(access.address));
  }
  void box(const Access &access, size_t dim, int64_t at) {
    if (dim < access.box.size()) {
      for (int64_t i = 0; i < access.box[dim].count; ++i)
        box(access, dim + 1, at + i * access.box[dim].stride);
      return;
    }
    const Buffer &buffer = model.buffers[access.buffer];
    int64_t step = steps.of(buffer.argument);
    for (int64_t byte = 0; byte < access.bytes; byte += step)
      sum.add({buffer.argument, access.kind, uint32_t(linear / subgroupSize),
               (at + byte) / step});
  }

  const KernelModel &model;
  int64_t subgroupSize;
  const Steps &steps;
  Sum &sum;
  int64_t stepsLeft;
  std::vector<int64_t> values;
  int64_t linear = 0;
};

std::string describe(const Touch &touch) {
  const char *kinds[] = {"reads", "writes", "changes"};
  return llvm::formatv("subgroup {0} {1} element {2} of arg{3}", touch.subgroup,
                       kinds[int(touch.kind)], touch.element, touch.argument);
}

class Comparison {
public:
  Comparison(FunctionOpInterface kernel, const CheckOptions &options)
      : kernel(kernel), options(options) {}

  llvm::Error run();
  ModelComparison result;

private:
  llvm::Error buildModel();
  std::string otherShape() const;
  llvm::Error compareAt(WorkgroupId id);
  llvm::Error record(WorkgroupId id, Sum &sum);
  llvm::Error enumerate(WorkgroupId id, Sum &sum);

  FunctionOpInterface kernel;
  const CheckOptions &options;
  KernelModel model;
  std::unique_ptr<HostKernel> host;
  Steps steps;
};

/// True for an argument that is memory of the workgroup's own, by the number that
/// both vendors give that.
static bool isLocal(FunctionOpInterface kernel, int argument) {
  constexpr unsigned workgroupSpace = 3;
  auto type = argument < 0 ? nullptr
                           : dyn_cast<LLVM::LLVMPointerType>(
                                 kernel.getArgumentTypes()[argument]);
  return type && type.getAddressSpace() == workgroupSpace;
}

llvm::Error Comparison::record(WorkgroupId id, Sum &sum) {
  int64_t size = host->subgroupSize();
  auto sink = [&](llvm::ArrayRef<HostAccess> accesses) {
    for (const HostAccess &access : accesses) {
      const HostBuffer &buffer = host->buffers()[access.buffer()];
      if (isLocal(kernel, buffer.argument))
        continue;
      AccessKind kind = host->sites()[access.site].kind;
      int64_t step = steps.of(buffer.argument);
      for (int64_t byte = 0; byte < access.bytes; byte += step)
        sum.add({buffer.argument, kind, uint32_t(access.thread / size),
                 (access.offset() + byte) / step});
    }
  };
  llvm::Error error =
      host->run(id, ThreadOrder::Ascending, Recording::Everything, sink);
  host->restore();
  return error;
}

llvm::Error Comparison::enumerate(WorkgroupId id, Sum &sum) {
  Enumerator enumerator(model, host->subgroupSize(), steps, sum,
                        options.host.maxSteps);
  for (int64_t thread = 0; thread < model.threads(); ++thread)
    enumerator.run(id, thread);
  if (enumerator.isEndless())
    return llvm::make_error<UncheckedError>(
        "step limit: the loops of the model take more than " +
        std::to_string(options.host.maxSteps) + " steps in a workgroup");
  return llvm::Error::success();
}

llvm::Error Comparison::compareAt(WorkgroupId id) {
  Sum recorded, modelled;
  if (llvm::Error error = record(id, recorded))
    return llvm::make_error<UncheckedError>("the kernel itself: " +
                                            llvm::toString(std::move(error)));
  result.accesses += host->accessCount();
  ++result.workgroups;
  if (llvm::Error error = enumerate(id, modelled))
    return error;
  if (recorded.hash == modelled.hash && recorded.count == modelled.count)
    return llvm::Error::success();
  std::vector<Touch> lists[2];
  recorded = modelled = Sum();
  recorded.list = &lists[0];
  modelled.list = &lists[1];
  if (llvm::Error error = record(id, recorded))
    return error;
  if (llvm::Error error = enumerate(id, modelled))
    return error;
  for (auto &list : lists)
    llvm::sort(
        list, [](const Touch &a, const Touch &b) { return a.key() < b.key(); });
  size_t at = 0;
  while (at < lists[0].size() && at < lists[1].size() &&
         lists[0][at].key() == lists[1][at].key())
    ++at;
  auto textOf = [&](const std::vector<Touch> &list) {
    return at < list.size() ? describe(list[at]) : std::string("nothing");
  };
  result.message = llvm::formatv(
      "workgroup {0}: in the order of elements, touch {1} is '{2}' in the "
      "execution and '{3}' in the model",
      toString(id, model.grid), at, textOf(lists[0]), textOf(lists[1]));
  if (std::string shape = otherShape(); !shape.empty())
    return llvm::make_error<UncheckedError>(shape + "; " + result.message);
  result.status = CheckStatus::Failed;
  return llvm::Error::success();
}

/// An argument that is a structure by value, if there is one: the host makes
/// one up, with other members than the model assumes.
static std::optional<unsigned> findStructure(FunctionOpInterface kernel) {
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i)
    if (isa<LLVM::LLVMStructType>(kernel.getArgumentTypes()[i]) ||
        kernel.getArgAttr(i, LLVM::LLVMDialect::getByValAttrName()) ||
        kernel.getArgAttr(i, LLVM::LLVMDialect::getByRefAttrName()))
      return i;
  return std::nullopt;
}

/// Reads the kernel with the numbers that it is run with. What is narrower than
/// 16 bits the model does not look at.
llvm::Error Comparison::buildModel() {
  ArgumentClaims claims(kernel.getNumArguments());
  for (const auto &[index, argument] : options.host.arguments) {
    Type type = index < claims.size() && argument.value
                    ? kernel.getArgumentTypes()[index]
                    : Type();
    if (type && type.isIntOrIndex() &&
        (type.isIndex() || type.getIntOrFloatBitWidth() >= 16))
      claims[index] = {std::to_string(*argument.value), *argument.value};
  }
  ArrayAttr before = kernel.getArgAttrsAttr();
  std::vector<std::string> problems = noteClaims(kernel, claims);
  if (problems.empty()) {
    LaunchSizes sizes =
        findLaunchSizes(kernel, options.host.grid, options.host.block);
    sizes.subgroup = options.host.subgroupSize;
    model = buildKernelModel(kernel, sizes);
  }
  // The module is left as it is.
  if (before)
    kernel.setArgAttrsAttr(before);
  else
    kernel.removeArgAttrsAttr();
  if (problems.empty())
    return llvm::Error::success();
  return llvm::make_error<UncheckedError>(
      "the model cannot take what is given: " + llvm::join(problems, "; "));
}

/// An extent that is given, and that the model has another number for: it takes
/// none from here. Empty if there is none.
std::string Comparison::otherShape() const {
  for (const BoundSize &size : model.boundSizes) {
    auto given = options.host.arguments.find(size.argument);
    if (given == options.host.arguments.end() || size.dim < 0 ||
        size_t(size.dim) >= given->second.shape.size())
      continue;
    if (int64_t extent = given->second.shape[size.dim]; extent != size.value)
      return llvm::formatv("the model takes no shapes: extent {0} of arg{1} is "
                           "{2} in the execution and {3} in the model",
                           size.dim, size.argument, extent, size.value);
  }
  return "";
}

llvm::Error Comparison::run() {
  if (std::optional<unsigned> structure = findStructure(kernel))
    return llvm::make_error<UncheckedError>(
        "argument " + std::to_string(*structure) +
        " is a structure by value, whose members the host makes up");
  if (llvm::Error error = buildModel())
    return error;
  if (std::string wrong = verify(model); !wrong.empty())
    return llvm::make_error<UncheckedError>("the kernel has no model: " +
                                            wrong);
  if (!model.notModelled.empty())
    return llvm::make_error<UncheckedError>(
        "the model leaves out " + model.notModelled.front().what + ": " +
        model.notModelled.front().reason);
  if (model.variables.size() < 6)
    return llvm::make_error<UncheckedError>("the kernel was not modelled");
  for (const Buffer &buffer : model.buffers)
    if (!buffer.otherArguments.empty())
      return llvm::make_error<UncheckedError>(
          "the launch passes one piece of memory as arguments " +
          std::to_string(buffer.argument) + " and " +
          std::to_string(buffer.otherArguments.front()) +
          ", which are two here");
  HostOptions same = options.host;
  same.grid = model.grid;
  same.block = model.block;
  auto compiled = HostKernel::compile(kernel, same);
  if (!compiled)
    return compiled.takeError();
  host = std::move(*compiled);
  steps = Steps(model, *host);
  llvm::SetVector<int64_t> chosen;
  int64_t count = model.grid.count();
  for (int64_t id : {int64_t(0), count - 1, count / 2})
    chosen.insert(id);
  std::mt19937_64 random(options.host.seed);
  for (int64_t i = 0; i < options.sample; ++i)
    chosen.insert(int64_t(random() % uint64_t(count)));
  // More only while nothing was touched: a stencil's border does nothing.
  size_t wanted = chosen.size();
  for (int64_t i = 0; i < kMoreTries; ++i)
    chosen.insert(int64_t(random() % uint64_t(count)));
  for (size_t i = 0; i < chosen.size(); ++i) {
    if (result.accesses &&
        (i >= wanted || result.accesses > options.accessBudget))
      break;
    int64_t id = chosen[i];
    if (llvm::Error error = compareAt(delinearise(id, model.grid)))
      return error;
    if (result.status == CheckStatus::Failed)
      return llvm::Error::success();
  }
  if (!result.accesses)
    return llvm::make_error<UncheckedError>("no workgroup touched anything");
  result.status = CheckStatus::Passed;
  return llvm::Error::success();
}

} // namespace

ModelComparison compareWithModel(ModuleOp module, llvm::StringRef name,
                                 const CheckOptions &options) {
  ModelComparison failed;
  auto kernel = findKernel(module, name);
  if (!kernel) {
    failed.message = llvm::toString(kernel.takeError());
    return failed;
  }
  Comparison comparison(*kernel, options);
  if (llvm::Error error = comparison.run()) {
    comparison.result.status = CheckStatus::Unchecked;
    comparison.result.message = llvm::toString(std::move(error));
  }
  return comparison.result;
}

} // namespace swizzle
