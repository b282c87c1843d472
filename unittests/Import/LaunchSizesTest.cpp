//===- LaunchSizesTest.cpp - Which loads read a size of the launch --------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads of each width at each offset of the packet, against the packet's layout
// in C: those of a whole size become the size, all others stay loads.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Import/ImportModule.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

#include <cstddef>
#include <map>

using namespace llvm;
using namespace swizzle;

namespace {

/// As `hsa_kernel_dispatch_packet_t` of hsa.h.
struct Packet {
  uint16_t header, setup;
  uint16_t workgroup_size_x, workgroup_size_y, workgroup_size_z, reserved0;
  uint32_t grid_size_x, grid_size_y, grid_size_z;
  uint32_t private_segment_size, group_segment_size;
  uint64_t kernel_object, kernarg_address, reserved2, completion_signal;
};
static_assert(sizeof(Packet) == 64);

using Field = std::pair<size_t, unsigned>; ///< offset and bits

/// The names of the operations of a kernel that stores a load of `type`,
/// `offset` bytes behind what the intrinsic `pointer` yields. Constants and the
/// store are left out.
std::string namesFor(StringRef pointer, size_t offset, const std::string &type,
                     StringRef version) {
  std::string text = "target triple = \"amdgcn-amd-amdhsa\"\n"
                     "declare ptr addrspace(4) @llvm.amdgcn." +
                     pointer.str() +
                     "()\n"
                     "define amdgpu_kernel void @k(ptr addrspace(1) %out) {\n"
                     "  %p = call ptr addrspace(4) @llvm.amdgcn." +
                     pointer.str() +
                     "()\n"
                     "  %q = getelementptr i8, ptr addrspace(4) %p, i64 " +
                     std::to_string(offset) + "\n  %v = load " + type +
                     ", ptr addrspace(4) %q, align 1\n  store " + type +
                     " %v, ptr addrspace(1) %out\n  ret void\n}\n"
                     "!llvm.module.flags = !{!0}\n"
                     "!0 = !{i32 1, !\"amdhsa_code_object_version\", i32 " +
                     version.str() + "}\n";
  LLVMContext llvmContext;
  SMDiagnostic error;
  std::unique_ptr<Module> parsed =
      parseAssemblyString(text, error, llvmContext);
  if (!parsed)
    return error.getMessage().str();
  mlir::MLIRContext context;
  auto imported = importBitcode(copyAsBitcode(*parsed), context);
  if (!imported)
    return toString(imported.takeError());
  std::string names;
  (*imported)->walk([&](mlir::LLVM::LLVMFuncOp function) {
    if (function.getName() != "k")
      return;
    function.walk([&](mlir::Operation *op) {
      StringRef name = op->getName().getStringRef();
      if (op->getNumResults() == 1 && name != "llvm.mlir.constant")
        names += (names.empty() ? "" : " ") + name.str();
    });
  });
  return names;
}

/// The same for an integer.
std::string namesFor(StringRef pointer, Field field, StringRef version) {
  return namesFor(pointer, field.first, "i" + std::to_string(field.second),
                  version);
}

/// A load that stays, of the start of the packet or behind it.
bool isLoad(StringRef names) {
  return names == "llvm.call_intrinsic llvm.load" ||
         names == "llvm.call_intrinsic llvm.getelementptr llvm.load";
}

/// What a launch has along `axis`, in 64 bits.
std::string wide(const char *what, char axis) {
  std::string grid = "rocdl.grid.dim.", block = "rocdl.workgroup.dim.";
  return StringRef(what) == "block" ? block + axis
         : StringRef(what) == "grid"
             ? grid + axis
             : grid + axis + " " + block + axis + " llvm.mul";
}

std::string threadsAlong(char axis) {
  return wide("threads", axis) + " llvm.trunc";
}

/// Two of them that are read at once, in 64 bits.
std::string both(const char *what, char first, char second) {
  return wide(what, first) + " " + wide(what, second) + " llvm.shl llvm.or";
}

TEST(LaunchSizes, OfThePacket) {
  std::map<Field, std::string> sizes = {
      {{offsetof(Packet, grid_size_x), 32}, threadsAlong('x')},
      {{offsetof(Packet, grid_size_y), 32}, threadsAlong('y')},
      {{offsetof(Packet, grid_size_z), 32}, threadsAlong('z')},
      {{offsetof(Packet, workgroup_size_x), 16},
       "rocdl.workgroup.dim.x llvm.trunc"},
      {{offsetof(Packet, workgroup_size_y), 16},
       "rocdl.workgroup.dim.y llvm.trunc"},
      {{offsetof(Packet, workgroup_size_z), 16},
       "rocdl.workgroup.dim.z llvm.trunc"},
      {{offsetof(Packet, workgroup_size_x), 32},
       both("block", 'x', 'y') + " llvm.trunc"},
      {{offsetof(Packet, workgroup_size_y), 32},
       both("block", 'y', 'z') + " llvm.trunc"},
      {{offsetof(Packet, grid_size_x), 64}, both("threads", 'x', 'y')},
      {{offsetof(Packet, grid_size_y), 64}, both("threads", 'y', 'z')}};
  for (unsigned bits : {8, 16, 32, 64})
    for (size_t offset = 0; offset + bits / 8 <= sizeof(Packet); ++offset) {
      std::string names = namesFor("dispatch.ptr", {offset, bits}, "600");
      auto size = sizes.find({offset, bits});
      if (size == sizes.end())
        EXPECT_TRUE(isLoad(names)) << offset << " " << bits << " " << names;
      else
        EXPECT_EQ(names, size->second);
    }
}

// The packet is the same for all code objects; what stands behind the arguments
// is not.
TEST(LaunchSizes, OfOlderCodeObjects) {
  EXPECT_EQ(namesFor("dispatch.ptr", {12, 32}, "400"), threadsAlong('x'));
  EXPECT_EQ(namesFor("implicitarg.ptr", {0, 32}, "500"),
            "rocdl.grid.dim.x llvm.trunc");
  EXPECT_EQ(namesFor("implicitarg.ptr", {16, 16}, "500"),
            "rocdl.workgroup.dim.z llvm.trunc");
  EXPECT_TRUE(isLoad(namesFor("implicitarg.ptr", {0, 32}, "400")));
  EXPECT_TRUE(isLoad(namesFor("implicitarg.ptr", {18, 16}, "500")));
}

// LLVM reads neighbours as a vector. Lanes that are no sizes are read on.
TEST(LaunchSizes, InVectors) {
  std::string lane = " llvm.trunc llvm.insertelement";
  EXPECT_EQ(namesFor("implicitarg.ptr", 14, "<2 x i16>", "500"),
            "llvm.mlir.poison rocdl.workgroup.dim.y" + lane +
                " rocdl.workgroup.dim.z" + lane);
  EXPECT_EQ(namesFor("implicitarg.ptr", 4, "<2 x i32>", "500"),
            "llvm.mlir.poison rocdl.grid.dim.y" + lane + " rocdl.grid.dim.z" +
                lane);
  EXPECT_EQ(namesFor("implicitarg.ptr", 16, "<2 x i16>", "500"),
            "llvm.call_intrinsic llvm.getelementptr llvm.mlir.poison "
            "rocdl.workgroup.dim.z" +
                lane + " llvm.getelementptr llvm.load llvm.insertelement");
  EXPECT_EQ(namesFor("implicitarg.ptr", 0, "i64", "500"),
            both("grid", 'x', 'y'));
  EXPECT_TRUE(isLoad(namesFor("implicitarg.ptr", 18, "<2 x i16>", "500")));
  EXPECT_TRUE(isLoad(namesFor("implicitarg.ptr", 14, "<2 x i16>", "400")));
  EXPECT_TRUE(isLoad(namesFor("implicitarg.ptr", 12, "<2 x half>", "500")));
}

} // namespace
