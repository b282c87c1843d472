//===- Faults.cpp - What a thread may not do ------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Accesses outside of all buffers, stacks that are full, limits: the run ends
// at the thread that met them.
//
//===----------------------------------------------------------------------===//

#include "Workgroup.h"

#include "llvm/Support/FormatVariadic.h"

#include <cstring>

namespace swizzle::host {

/// What functions without arrays may use of a stack.
static constexpr int64_t kFrameBytes = 65536;
/// What the threads of a workgroup may allocate.
static constexpr int64_t kMostAllocated = int64_t(1) << 28;

std::string Workgroup::whoAndWhere(uint32_t site) const {
  return llvm::formatv("workgroup ({0},{1},{2}), thread ({3},{4},{5}), {6} at "
                       "{7}",
                       state.blockId[0], state.blockId[1], state.blockId[2],
                       state.threadId[0], state.threadId[1], state.threadId[2],
                       sites[site].op, sites[site].location);
}

void Workgroup::fail(const char *code, const llvm::Twine &what, uint32_t site) {
  // Nothing may be left on this stack that needs to be destroyed.
  {
    fault = HostFault(code, whoAndWhere(site) + ": " + what.str());
  }
  leave();
  llvm_unreachable("a fiber that failed is not resumed");
}

void Workgroup::failEndless(uint32_t site) {
  fail("too-many-accesses",
       "the workgroup has made more accesses than are allowed", site);
}

void Workgroup::failSteps(uint32_t site) {
  fail("step-limit",
       "the workgroup has taken more steps than are allowed; does it end?",
       site);
}

void Workgroup::failTrap(uint32_t site) {
  fail("assertion", "the kernel ends itself", site);
}

char *Workgroup::allocate(uint32_t site, uint64_t bytes) {
  if (bytes > uint64_t(kMostAllocated - allocatedBytes))
    fail("no-memory", "the kernel allocates too much", site);
  allocatedBytes += bytes;
  allocations.emplace_back(bytes, char(kPoisonByte));
  return allocations.back().data();
}

const char *Workgroup::textAt(const char *pointer) const {
  for (const Constant &constant : constants)
    if (pointer >= constant.begin && pointer < constant.end &&
        std::memchr(pointer, 0, constant.end - pointer))
      return pointer;
  return "of the kernel";
}

void Workgroup::checkStack(const char *pointer, uint32_t site) {
  const char *end = stacks + current * stackStride + kGuardBytes;
  if (pointer < end + kFrameBytes || pointer >= end + stackStride)
    fail("no-memory", "the thread's stack is full", site);
}

void Workgroup::failAssertion(uint32_t site, const char *message) {
  fail("assertion", llvm::Twine("assertion failed: ") + message, site);
}

void Workgroup::accessElsewhere(char *pointer, int64_t bytes, AccessKind kind,
                                uint32_t site) {
  const char *stack = stacks + current * stackStride + kGuardBytes;
  if (pointer >= stack && bytes <= stack + stackStride - kGuardBytes - pointer)
    return; // private memory
  for (const Constant &constant : constants)
    if (pointer >= constant.begin && bytes <= constant.end - pointer) {
      if (kind != AccessKind::Read)
        fail("read-only", "a constant is written", site);
      return;
    }
  for (const std::vector<char> &allocation : allocations)
    if (pointer >= allocation.data() &&
        bytes <= allocation.data() + allocation.size() - pointer)
      return;
  const char *does = kind == AccessKind::Read    ? "reads"
                     : kind == AccessKind::Write ? "writes"
                                                 : "changes";
  int slot = memory.nearest(pointer);
  if (slot < 0) {
    char text[160];
    snprintf(text, sizeof(text),
             "%s %lld bytes at an address that belongs to "
             "no buffer",
             does, (long long)bytes);
    fail("out-of-bounds", text, site);
  }
  const Slot &near = memory.slots[slot];
  char text[320];
  snprintf(text, sizeof(text),
           "%s %lld bytes at byte %lld of %.120s, which has "
           "%lld bytes",
           does, (long long)bytes, (long long)(pointer - near.begin),
           near.name.c_str(), (long long)(near.end - near.begin));
  fail("out-of-bounds", text, site);
}

} // namespace swizzle::host
