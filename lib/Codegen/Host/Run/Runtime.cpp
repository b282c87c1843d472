//===- Runtime.cpp - What compiled kernels call ---------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C functions around the members of `Workgroup`; compiled code finds them by
// name. The first argument is where a pointer to the workgroup stands.
//
//===----------------------------------------------------------------------===//

#include "Compile/Compilation.h"
#include "Inputs/Numbers.h"

namespace swizzle::host {

namespace {

Workgroup &of(void *const *handle) {
  return *static_cast<Workgroup *>(*handle);
}

void access(void *const *w, char *pointer, uint32_t site) {
  of(w).access(pointer, site);
}

void update(void *const *w, char *pointer, uint32_t site, uint64_t operand) {
  of(w).update(pointer, site, operand);
}

void accessRange(void *const *w, char *pointer, uint64_t bytes, uint32_t kind,
                 uint32_t site) {
  if (bytes)
    of(w).accessBytes(pointer, bytes, AccessKind(kind), site);
}

/// Lanes of a vector at consecutive places, those whose bit is set.
void accessMasked(void *const *w, char *pointer, uint64_t mask, uint32_t site) {
  for (; mask; mask &= mask - 1)
    of(w).access(pointer + __builtin_ctzll(mask) * of(w).bytesOf(site), site);
}

/// Lanes of a vector of pointers.
void accessLanes(void *const *w, char **pointers, uint64_t mask,
                 uint32_t site) {
  for (; mask; mask &= mask - 1)
    of(w).access(pointers[__builtin_ctzll(mask)], site);
}

void endless(void *const *w, uint32_t site) { of(w).failSteps(site); }

void stack(void *const *w, const char *pointer, uint32_t site) {
  of(w).checkStack(pointer, site);
}

void trap(void *const *w, uint32_t site) { of(w).failTrap(site); }

void emulate(void *const *w, const IntrinsicCall *call, char *frame) {
  call->row->run(of(w), {*call, frame});
}

/// What compilers call where a CPU has no instruction for it.
_Float16 halfOf(float number) {
  return llvm::bit_cast<_Float16>(uint16_t(encode(kHalf, number)));
}
_Float16 halfOfDouble(double number) {
  return llvm::bit_cast<_Float16>(uint16_t(encode(kHalf, number)));
}
__bf16 bfloatOf(float number) {
  return llvm::bit_cast<__bf16>(uint16_t(encode(kBFloat, number)));
}
__bf16 bfloatOfDouble(double number) {
  return llvm::bit_cast<__bf16>(uint16_t(encode(kBFloat, number)));
}
float fromHalf(_Float16 number) {
  return float(decode(kHalf, llvm::bit_cast<uint16_t>(number)));
}

} // namespace

llvm::ArrayRef<std::pair<const char *, void *>> runtimeFunctions() {
#define SWIZZLE_FUNCTION(name, function)                                       \
  {                                                                            \
    name, reinterpret_cast<void *>(&function)                                  \
  }
  static const std::pair<const char *, void *> functions[] = {
      SWIZZLE_FUNCTION("swizzle_access", access),
      SWIZZLE_FUNCTION("swizzle_update", update),
      SWIZZLE_FUNCTION("swizzle_accessRange", accessRange),
      SWIZZLE_FUNCTION("swizzle_accessMasked", accessMasked),
      SWIZZLE_FUNCTION("swizzle_accessLanes", accessLanes),
      SWIZZLE_FUNCTION("swizzle_endless", endless),
      SWIZZLE_FUNCTION("swizzle_stack", stack),
      SWIZZLE_FUNCTION("swizzle_trap", trap),
      SWIZZLE_FUNCTION("swizzle_emulate", emulate),
      SWIZZLE_FUNCTION("__truncsfhf2", halfOf),
      SWIZZLE_FUNCTION("__truncdfhf2", halfOfDouble),
      SWIZZLE_FUNCTION("__truncsfbf2", bfloatOf),
      SWIZZLE_FUNCTION("__truncdfbf2", bfloatOfDouble),
      SWIZZLE_FUNCTION("__extendhfsf2", fromHalf),
  };
#undef SWIZZLE_FUNCTION
  return functions;
}

} // namespace swizzle::host
