# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Reading the headers of LLVM, of MLIR, of GoogleTest and of nlohmann_json takes longer
# than compiling what follows them. They are read once for all that is without MLIR,
# once for all that is with it, and once for what reads JSON without LLVM. Sources
# include what they use all the same: test/Layers tells which do not, and
# SWIZZLE_PRECOMPILE=OFF must build too.
option(SWIZZLE_PRECOMPILE "Read the headers of others once, not in every file" ON)

set(SWIZZLE_PRECOMPILED_JSON
  "algorithm"
  "cstdint"
  "map"
  "optional"
  "string"
  "vector"
  "nlohmann/json.hpp")
set(SWIZZLE_PRECOMPILED_LLVM
  "llvm/ADT/STLExtras.h"
  "llvm/ADT/StringExtras.h"
  "llvm/Support/Error.h"
  "llvm/Support/FileSystem.h"
  "llvm/Support/FormatVariadic.h"
  "llvm/Support/JSON.h"
  "llvm/Support/MemoryBuffer.h"
  "llvm/Support/raw_ostream.h"
  "algorithm"
  "array"
  "cmath"
  "cstdint"
  "functional"
  "map"
  "memory"
  "numeric"
  "optional"
  "set"
  "string"
  "vector")
set(SWIZZLE_PRECOMPILED_MLIR
  "llvm/IR/IRBuilder.h"
  "llvm/Support/CommandLine.h"
  "mlir/Dialect/Affine/IR/AffineOps.h"
  "mlir/Dialect/Arith/IR/Arith.h"
  "mlir/Dialect/Func/IR/FuncOps.h"
  "mlir/Dialect/GPU/IR/GPUDialect.h"
  "mlir/Dialect/GPU/Transforms/Passes.h"
  "mlir/Dialect/LLVMIR/LLVMDialect.h"
  "mlir/Dialect/LLVMIR/NVVMDialect.h"
  "mlir/Dialect/LLVMIR/ROCDLDialect.h"
  "mlir/Dialect/Linalg/IR/Linalg.h"
  "mlir/Dialect/MemRef/IR/MemRef.h"
  "mlir/Dialect/SCF/IR/SCF.h"
  "mlir/Dialect/Vector/IR/VectorOps.h"
  "mlir/IR/BuiltinOps.h"
  "mlir/IR/Matchers.h"
  "mlir/Interfaces/FunctionInterfaces.h"
  "mlir/Parser/Parser.h"
  "mlir/Pass/PassManager.h")
if(SWIZZLE_BUILD_TESTS)
  list(APPEND SWIZZLE_PRECOMPILED_JSON "gtest/gtest.h")
  list(APPEND SWIZZLE_PRECOMPILED_LLVM "gtest/gtest.h")
endif()

# -fPIC in programs too: clang takes no headers that were precompiled for another kind
# of code. No timestamp, so that a compiler cache can tell that nothing has changed.
set(SWIZZLE_PRECOMPILE_OPTIONS
  -fPIC $<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>)

# swizzle_precompiled(HOST EXCEPTIONS HEADER...): a target that others may start from.
function(swizzle_precompiled host exceptions)
  set(source ${PROJECT_BINARY_DIR}/${host}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "// Only its precompiled headers are used.\n")
  add_library(${host} STATIC ${source})
  set_target_properties(${host} PROPERTIES SWIZZLE_EXCEPTIONS ${exceptions})
  target_link_libraries(${host} PRIVATE SwizzleOptions $<TARGET_NAME_IF_EXISTS:GTest::gtest>)
  target_compile_options(${host} PRIVATE "${SWIZZLE_PRECOMPILE_OPTIONS}")
  list(TRANSFORM ARGN REPLACE "(.+)" "<\\1>")
  target_precompile_headers(${host} PRIVATE ${ARGN})
endfunction()

# Here, before all that waits for them: what stands first is built first, and MLIR's
# take as long as all the libraries without MLIR.
if(SWIZZLE_PRECOMPILE)
  swizzle_precompiled(SwizzlePrecompiledMLIR OFF
    ${SWIZZLE_PRECOMPILED_LLVM} ${SWIZZLE_PRECOMPILED_MLIR})
  swizzle_precompiled(SwizzlePrecompiledLLVM OFF ${SWIZZLE_PRECOMPILED_LLVM})
  swizzle_precompiled(SwizzlePrecompiledJson ON ${SWIZZLE_PRECOMPILED_JSON})
endif()

# swizzle_precompile(TARGET DEPENDENCY...): lets a library or a program start from the
# precompiled headers, if it names MLIR, LLVM or nlohmann_json among its dependencies.
function(swizzle_precompile target)
  if("MLIR" IN_LIST ARGN)
    set(host SwizzlePrecompiledMLIR)
  elseif("LLVM" IN_LIST ARGN)
    set(host SwizzlePrecompiledLLVM)
  elseif("nlohmann_json" IN_LIST ARGN)
    set(host SwizzlePrecompiledJson)
  endif()
  if(SWIZZLE_PRECOMPILE AND host)
    target_precompile_headers(${target} REUSE_FROM ${host})
    target_compile_options(${target} PRIVATE "${SWIZZLE_PRECOMPILE_OPTIONS}")
  endif()
endfunction()
