# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Reading MLIR's headers takes several times as long as compiling what follows
# them. They are read once for all libraries and once for all programs (whose code
# is position-independent in another way, which clang tells apart). Sources include
# what they use all the same: SWIZZLE_PRECOMPILE=OFF must build too.
option(SWIZZLE_PRECOMPILE "Read MLIR's headers once, not in every file" ON)

set(SWIZZLE_PRECOMPILED
  "llvm/ADT/STLExtras.h"
  "llvm/ADT/StringExtras.h"
  "mlir/Dialect/Affine/IR/AffineOps.h"
  "mlir/Dialect/Arith/IR/Arith.h"
  "mlir/Dialect/GPU/IR/GPUDialect.h"
  "mlir/Dialect/LLVMIR/LLVMDialect.h"
  "mlir/Dialect/MemRef/IR/MemRef.h"
  "mlir/Dialect/SCF/IR/SCF.h"
  "mlir/Dialect/Vector/IR/VectorOps.h"
  "mlir/IR/BuiltinOps.h"
  "mlir/IR/Matchers.h"
  "mlir/Interfaces/FunctionInterfaces.h")
list(TRANSFORM SWIZZLE_PRECOMPILED REPLACE "(.+)" "<\\1>")

# Lets `target`, a library or a program, start from the precompiled headers.
function(swizzle_precompile_mlir target)
  if(NOT SWIZZLE_PRECOMPILE)
    return()
  endif()
  # So that a compiler cache can tell that nothing has changed.
  set(options $<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")
    set(host SwizzlePrecompiledProgram)
  else()
    set(host SwizzlePrecompiledLibrary)
  endif()
  if(NOT TARGET ${host})
    set(source ${PROJECT_BINARY_DIR}/${host}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "int main() { return 0; }\n")
    if(type STREQUAL "EXECUTABLE")
      add_executable(${host} ${source})
    else()
      add_library(${host} STATIC ${source})
    endif()
    target_link_libraries(${host} PRIVATE MLIR LLVM SwizzleOptions)
    target_compile_options(${host} PRIVATE "${options}")
    target_precompile_headers(${host} PRIVATE ${SWIZZLE_PRECOMPILED})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${host})
  target_compile_options(${target} PRIVATE "${options}")
endfunction()
