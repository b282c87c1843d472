//===- Workgroup.cpp - Fibers and what they wait for ----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The scheduler; see Workgroup.h.
//
//===----------------------------------------------------------------------===//

#include "Workgroup.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <boost/context/detail/fcontext.hpp>
#include <cstring>
#include <sys/mman.h>

// The address sanitizer keeps a shadow of each stack and must hear of changes.
#if defined(__SANITIZE_ADDRESS__)
#define SWIZZLE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SWIZZLE_ASAN 1
#endif
#endif
#ifdef SWIZZLE_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace swizzle::host {

using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

namespace {
constexpr size_t kSinkSize = size_t(1) << 16;
constexpr size_t kLogLimit = size_t(1) << 22;
} // namespace

struct Workgroup::Fiber {
  enum class State : uint8_t { Ready, Waiting, Done } state = State::Ready;
  Collective waitsFor = Collective::None;
  uint32_t site = 0;
  void *context = nullptr;
  int64_t threadId[3] = {0, 0, 0};
  uint64_t given = 0;    ///< to the operation that it waits for
  uint64_t received = 0; ///< what it gave, as all that took part see it
  bool active = false;   ///< took part in the last operation of its group
};

Workgroup::Workgroup(Memory &memory, std::vector<HostSite> &sites,
                     const WorkgroupSizes &sizes,
                     std::unique_ptr<ThreadState> threadState)
    : owned(std::move(threadState)), state(*owned), memory(memory),
      sites(sites) {
  state = ThreadState();
  for (int axis = 0; axis < 3; ++axis) {
    state.blockDim[axis] = sizes.block[axis];
    state.gridDim[axis] = sizes.grid[axis];
  }
  int64_t threads = sizes.block.count();
  state.subgroupSize = sizes.subgroupSize;
  state.numSubgroups = (threads + sizes.subgroupSize - 1) / sizes.subgroupSize;
  fibers.resize(threads);
  leaderPending.resize(state.numSubgroups);
  for (int64_t i = 0; i < threads; ++i) {
    WorkgroupId id = delinearise(i, sizes.block);
    fibers[i].threadId[0] = id.x;
    fibers[i].threadId[1] = id.y;
    fibers[i].threadId[2] = id.z;
  }
  stackStride = (sizes.stackBytes + kGuardBytes + 4095) / 4096 * 4096;
  void *range = mmap(nullptr, stackStride * threads, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  stacks = range == MAP_FAILED ? nullptr : static_cast<char *>(range);
  for (int64_t i = 0; stacks && i < threads; ++i)
    if (mprotect(stacks + i * stackStride + kGuardBytes,
                 stackStride - kGuardBytes, PROT_READ | PROT_WRITE)) {
      munmap(stacks, stackStride * threads);
      stacks = nullptr;
    }
}

Workgroup::~Workgroup() {
  if (stacks)
    munmap(stacks, stackStride * fibers.size());
}

static void enterFiber(transfer_t from) {
  Workgroup::fiberMain(&from);
  llvm_unreachable("a fiber goes back by a jump");
}

void Workgroup::fiberMain(void *context) {
  auto from = *static_cast<transfer_t *>(context);
  auto *self = static_cast<Workgroup *>(from.data);
  self->scheduler = from.fctx;
  self->entered();
  self->entry(self->arguments);
  self->fibers[self->current].state = Fiber::State::Done;
  self->leave();
}

/// Tells the sanitizer, where there is one, that a fiber's stack is in use.
void Workgroup::entered() {
#ifdef SWIZZLE_ASAN
  __sanitizer_finish_switch_fiber(nullptr, &mainStack, &mainStackSize);
#endif
}

/// Back to the scheduler; returns when this fiber is resumed.
void Workgroup::leave() {
#ifdef SWIZZLE_ASAN
  void *fake = nullptr;
  __sanitizer_start_switch_fiber(&fake, mainStack, mainStackSize);
#endif
  transfer_t back = jump_fcontext(scheduler, nullptr);
  scheduler = back.fctx;
#ifdef SWIZZLE_ASAN
  __sanitizer_finish_switch_fiber(fake, &mainStack, &mainStackSize);
#endif
}

void Workgroup::resume(size_t index) {
  Fiber &fiber = fibers[index];
  current = index;
  std::copy(fiber.threadId, fiber.threadId + 3, state.threadId);
  state.linearThread = index;
  state.lane = index % state.subgroupSize;
  state.subgroup = index / state.subgroupSize;
#ifdef SWIZZLE_ASAN
  void *fake = nullptr;
  char *stack = stacks + index * stackStride + kGuardBytes;
  __sanitizer_start_switch_fiber(&fake, stack, stackStride - kGuardBytes);
#endif
  transfer_t back = jump_fcontext(fiber.context, this);
#ifdef SWIZZLE_ASAN
  __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
  fiber.context = back.fctx;
}

std::optional<HostFault> Workgroup::run(void (*kernel)(uint64_t *),
                                        uint64_t *with, WorkgroupId id,
                                        ThreadOrder threadOrder) {
  if (!stacks)
    return HostFault("no-memory", "there is no memory for the threads' stacks");
  entry = kernel;
  arguments = with;
  state.blockId[0] = id.x;
  state.blockId[1] = id.y;
  state.blockId[2] = id.z;
  log.clear();
  operands.clear();
  if (log.capacity() < 4096)
    log.reserve(4096);
  accessCount = 0;
  multiplyAdds = 0;
  allocations.clear();
  allocatedBytes = 0;
  state.stepsLeft = maxSteps;
  writtenBefore = 0;
  fault.reset();
  memory.poisonWorkgroup();
#ifdef SWIZZLE_ASAN
  // Fibers of a run that ended early left their frames behind.
  __asan_unpoison_memory_region(stacks, stackStride * fibers.size());
#endif
  order.resize(fibers.size());
  for (size_t i = 0; i < fibers.size(); ++i) {
    order[i] =
        threadOrder == ThreadOrder::Ascending ? i : fibers.size() - 1 - i;
    fibers[i].state = Fiber::State::Ready;
    fibers[i].context = make_fcontext(stacks + (i + 1) * stackStride,
                                      stackStride - kGuardBytes, enterFiber);
  }
  do {
    for (size_t index : order)
      if (fibers[index].state == Fiber::State::Ready) {
        resume(index);
        if (fault)
          return std::move(fault);
      }
  } while (resolveSubgroups() || resolveWorkgroup());
  if (sink && !log.empty())
    drainLog();
  return std::move(fault);
}

void Workgroup::wait(Collective kind, uint32_t site, uint64_t value) {
  Fiber &fiber = fibers[current];
  fiber.state = Fiber::State::Waiting;
  fiber.waitsFor = kind;
  fiber.site = site;
  fiber.given = value;
  leave();
}

bool Workgroup::resolveSubgroups() {
  bool any = false;
  int64_t size = state.subgroupSize, count = fibers.size();
  for (int64_t first = 0; first < count; first += size) {
    int64_t last = std::min(first + size, count);
    auto waits = [&](int64_t i) {
      return fibers[i].state == Fiber::State::Waiting &&
             fibers[i].waitsFor == Collective::Subgroup;
    };
    uint32_t site = UINT32_MAX;
    for (int64_t i = first; i < last; ++i)
      if (waits(i))
        site = std::min(site, fibers[i].site);
    if (site == UINT32_MAX)
      continue;
    any = true;
    leaderPending[first / size] = true;
    for (int64_t i = first; i < last; ++i) {
      Fiber &fiber = fibers[i];
      fiber.active = waits(i) && fiber.site == site;
      if (!fiber.active)
        continue;
      fiber.received = fiber.given;
      fiber.state = Fiber::State::Ready;
    }
  }
  return any;
}

bool Workgroup::resolveWorkgroup() {
  const Fiber *first = nullptr, *other = nullptr;
  for (const Fiber &fiber : fibers)
    if (fiber.state == Fiber::State::Waiting && !first)
      first = &fiber;
  if (!first)
    return false; // all are done
  for (const Fiber &fiber : fibers)
    if (fiber.state == Fiber::State::Done || fiber.site != first->site) {
      other = &fiber;
      break;
    }
  if (other) {
    auto describe = [&](const Fiber &fiber) {
      std::string thread =
          llvm::formatv("thread ({0},{1},{2})", fiber.threadId[0],
                        fiber.threadId[1], fiber.threadId[2]);
      if (fiber.state == Fiber::State::Done)
        return thread + " has ended";
      return thread + " waits at " + sites[fiber.site].op + " at " +
             sites[fiber.site].location;
    };
    fault = HostFault(
        "divergent-barrier",
        llvm::formatv("workgroup ({0},{1},{2}): {3}, while {4}; all threads "
                      "must reach the same barrier",
                      state.blockId[0], state.blockId[1], state.blockId[2],
                      describe(*first), describe(*other)));
    return false;
  }
  for (Fiber &fiber : fibers) {
    fiber.received = fiber.given;
    fiber.active = true;
    fiber.state = Fiber::State::Ready;
  }
  return true;
}

const uint64_t *Workgroup::valueOf(int64_t thread) const {
  if (thread < 0 || thread >= int64_t(fibers.size()) || !fibers[thread].active)
    return nullptr;
  return &fibers[thread].received;
}

uint64_t Workgroup::written() {
  uint64_t buffers = writtenBefore;
  for (const HostAccess &access : log)
    if (sites[access.site].kind != AccessKind::Read)
      buffers |= uint64_t(1) << access.buffer();
  return buffers;
}

void Workgroup::drainLog() {
  writtenBefore = written();
  sink(log);
  log.clear();
  operands.clear();
}

void Workgroup::growLog() {
  if (sink && log.size() >= kSinkSize)
    return drainLog();
  // Only where something was written counts, so repetitions can go.
  if (!recordReads && log.size() >= kLogLimit) {
    auto key = [](const HostAccess &access) {
      return std::make_tuple(access.place, access.bytes, access.site,
                             access.thread);
    };
    auto place = [](const HostAccess &access) {
      return std::make_pair(access.place, access.bytes);
    };
    llvm::sort(log, [&](const HostAccess &a, const HostAccess &b) {
      return key(a) < key(b);
    });
    log.erase(std::unique(log.begin(), log.end(),
                          [&](const HostAccess &a, const HostAccess &b) {
                            return place(a) == place(b);
                          }),
              log.end());
    if (log.size() < log.capacity() / 2)
      return;
  }
  log.reserve(log.capacity() * 2);
}

} // namespace swizzle::host
