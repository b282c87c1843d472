//===- RecordTrace.cpp - The trace of a kernel ----------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host runs threads one after the other; a GPU runs the lanes of a wave,
// and in effect the waves of a workgroup, side by side. So the threads'
// accesses are merged: of all the next ones, those of the site that comes first
// in the program are one step. Lanes that have left a loop thus wait behind it
// for the others.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Codegen/Host/RecordTrace.h"
#include "swizzle/Analysis/Read/KernelAnalysis.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <algorithm>

using namespace mlir;

namespace swizzle {

namespace {

class Merger {
public:
  Merger(const HostKernel &host, Trace &trace)
      : host(host), trace(trace), threads(host.block().count()) {}

  /// Appends the steps of one workgroup, whose accesses are `accesses`.
  void add(llvm::ArrayRef<HostAccess> accesses);

private:
  void addStep(uint16_t site);

  const HostKernel &host;
  Trace &trace;
  std::vector<std::vector<HostAccess>> threads;
  std::vector<size_t> next;
};

void Merger::addStep(uint16_t site) {
  TraceStep step;
  step.kind = host.sites()[site].kind;
  step.firstTouch = trace.touches.size();
  for (size_t thread = 0; thread < threads.size(); ++thread) {
    if (next[thread] >= threads[thread].size() ||
        threads[thread][next[thread]].site != site)
      continue;
    const HostAccess &access = threads[thread][next[thread]++];
    step.laneBytes += access.bytes;
    trace.touches.push_back({access.offset(), access.bytes,
                             uint16_t(access.buffer()),
                             uint16_t(thread / trace.waveSize)});
  }
  // Lanes side by side become one touch.
  auto begin = trace.touches.begin() + step.firstTouch;
  std::sort(begin, trace.touches.end(),
            [](const TraceTouch &a, const TraceTouch &b) {
              return std::tie(a.wave, a.buffer, a.offset) <
                     std::tie(b.wave, b.buffer, b.offset);
            });
  auto last = begin;
  for (auto it = begin + 1; it < trace.touches.end(); ++it) {
    int64_t end = last->offset + last->bytes;
    if (it->wave == last->wave && it->buffer == last->buffer &&
        it->offset <= end)
      last->bytes =
          std::max<int64_t>(end, it->offset + it->bytes) - last->offset;
    else
      *++last = *it;
  }
  trace.touches.erase(last + 1, trace.touches.end());
  step.touches = trace.touches.size() - step.firstTouch;
  trace.steps.push_back(step);
}

void Merger::add(llvm::ArrayRef<HostAccess> accesses) {
  for (auto &thread : threads)
    thread.clear();
  for (const HostAccess &access : accesses)
    threads[access.thread].push_back(access);
  next.assign(threads.size(), 0);
  size_t first = trace.steps.size();
  int previous = -1;
  while (true) {
    int site = -1;
    for (size_t thread = 0; thread < threads.size(); ++thread)
      if (next[thread] < threads[thread].size()) {
        int there = threads[thread][next[thread]].site;
        site = site < 0 ? there : std::min(site, there);
      }
    if (site < 0)
      break;
    if (site <= previous) // back at the top of a loop
      trace.steps.back().last = true;
    previous = site;
    addStep(site);
  }
  if (trace.steps.size() > first)
    trace.steps.back().last = true;
  trace.firstStep.push_back(trace.steps.size());
}

} // namespace

llvm::Expected<Trace> recordTrace(FunctionOpInterface kernel,
                                  const HostOptions &options,
                                  int64_t maxTouches) {
  auto compiled = HostKernel::compile(kernel, options);
  if (!compiled)
    return compiled.takeError();
  HostKernel &host = **compiled;
  LaunchSizes sizes = findLaunchSizes(kernel, options.grid, options.block);
  sizes.subgroup = options.subgroupSize;
  KernelModel model = buildKernelModel(kernel, sizes);
  Trace trace;
  trace.kernel = KernelModel::create(host.grid(), host.block());
  trace.kernel.module = model.module;
  trace.kernel.name = model.name;
  trace.kernel.workgroupMemoryBytes = model.workgroupMemoryBytes;
  trace.kernel.dynamicWorkgroupBytes = model.dynamicWorkgroupBytes;
  trace.waveSize = host.subgroupSize();
  for (const HostBuffer &buffer : host.buffers())
    trace.kernel.buffers.push_back(
        {buffer.name, buffer.bytes, buffer.elementBytes, buffer.argument});
  trace.firstStep.push_back(0);
  Merger merger(host, trace);
  for (int64_t id = 0; id < host.grid().count(); ++id) {
    if (llvm::Error error =
            host.run(delinearise(id, host.grid()), ThreadOrder::Ascending,
                     Recording::Everything))
      return error;
    merger.add(host.accesses());
    host.restore();
    if (int64_t(trace.touches.size()) > maxTouches)
      return llvm::make_error<UncheckedError>(
          "the trace has more than " + std::to_string(maxTouches) +
          " entries after " + std::to_string(id + 1) + " of " +
          std::to_string(host.grid().count()) + " workgroups");
  }
  return std::move(trace);
}

namespace {

/// The arguments of a product with a sparse matrix, by number; -1: not found.
struct Roles {
  int rowStart = -1, column = -1, value = -1, vector = -1;
};

int argumentOf(Value memref, FunctionOpInterface kernel) {
  auto argument = dyn_cast<BlockArgument>(memref);
  return argument && argument.getOwner() == &kernel.getFunctionBody().front()
             ? int(argument.getArgNumber())
             : -1;
}

/// The load that `value` comes from, through casts.
memref::LoadOp loadBehind(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto load = dyn_cast<memref::LoadOp>(op))
      return load;
    if (!isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtUIOp,
             arith::ExtSIOp>(op))
      return {};
    value = op->getOperand(0);
  }
  return {};
}

Roles findRoles(FunctionOpInterface kernel) {
  Roles roles;
  kernel->walk([&](scf::ForOp loop) {
    auto start = loadBehind(loop.getLowerBound());
    if (!start || !loadBehind(loop.getUpperBound()))
      return;
    roles.rowStart = argumentOf(start.getMemRef(), kernel);
    loop.walk([&](memref::LoadOp load) {
      if (load.getIndices().size() != 1)
        return;
      int argument = argumentOf(load.getMemRef(), kernel);
      Value index = load.getIndices()[0];
      if (index == loop.getInductionVar()) {
        bool isFloat = isa<FloatType>(load.getType());
        (isFloat ? roles.value : roles.column) = argument;
      } else if (auto behind = loadBehind(index);
                 behind && behind.getIndices().size() == 1 &&
                 behind.getIndices()[0] == loop.getInductionVar()) {
        roles.vector = argument;
      }
    });
  });
  return roles;
}

template <typename T>
void giveContents(HostArgument &argument, const std::vector<T> &values) {
  argument.shape = {int64_t(values.size())};
  auto *begin = reinterpret_cast<const char *>(values.data());
  argument.bytes.assign(begin, begin + values.size() * sizeof(T));
}

} // namespace

llvm::Error giveMatrix(FunctionOpInterface kernel, const SparseMatrix &matrix,
                       HostOptions &options) {
  Roles roles = findRoles(kernel);
  auto fail = [&](const llvm::Twine &what) {
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        kernel.getName() +
            " is no product with a sparse matrix in rows: " + what);
  };
  if (roles.rowStart < 0)
    return fail("no loop runs from one loaded number to another");
  if (roles.column < 0 || roles.vector < 0)
    return fail("nothing is indexed by a number that is loaded in the loop");
  auto check = [&](int argument, unsigned bits) {
    if (argument < 0)
      return true;
    auto type = dyn_cast<MemRefType>(kernel.getArgumentTypes()[argument]);
    return type && type.getRank() == 1 && type.isDynamicDim(0) &&
           type.getElementType().isIntOrFloat() &&
           (!bits || type.getElementType().getIntOrFloatBitWidth() == bits);
  };
  if (!check(roles.rowStart, 32) || !check(roles.column, 32) ||
      !check(roles.value, 32) || !check(roles.vector, 0))
    return fail("row starts, columns and values must be one-dimensional, of 32 "
                "bits, and of open size");
  for (unsigned index = 0; index < kernel.getNumArguments(); ++index) {
    auto type = dyn_cast<MemRefType>(kernel.getArgumentTypes()[index]);
    HostArgument &argument = options.arguments[index];
    if (int(index) == roles.rowStart)
      giveContents(argument, matrix.rowStart);
    else if (int(index) == roles.column)
      giveContents(argument, matrix.column);
    else if (int(index) == roles.value)
      giveContents(argument, matrix.value);
    else if (int(index) == roles.vector)
      argument.shape = {matrix.columns};
    else if (type && type.getRank() == 1 && type.isDynamicDim(0))
      argument.shape = {matrix.rows};
    else if (type && type.getRank() == 2 && type.isDynamicDim(0))
      argument.shape = {matrix.rows, type.getDimSize(1)};
  }
  if (!options.grid) {
    int64_t threads = 1;
    if (std::optional<Grid> block = options.block)
      threads = block->count();
    else
      threads = buildKernelModel(
                    kernel, findLaunchSizes(kernel, std::nullopt, std::nullopt))
                    .threads();
    options.grid = Grid((matrix.rows + threads - 1) / threads);
  }
  return llvm::Error::success();
}

} // namespace swizzle
