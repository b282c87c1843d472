# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The few build rules that all parts share. One function per kind of target, so
# that a part's CMakeLists.txt says only what it is made of.
include(PrecompileHeaders)

# Warnings, sanitizers and assertions, the same for every target.
add_library(SwizzleOptions INTERFACE)
target_compile_options(SwizzleOptions INTERFACE
  -Wall -Wextra -Wno-unused-parameter
  # An Error that becomes an Expected needs the move that GCC calls redundant.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-redundant-move>
  $<$<NOT:$<BOOL:$<TARGET_PROPERTY:SWIZZLE_EXCEPTIONS>>>:-fno-exceptions>
  $<$<BOOL:${SWIZZLE_WERROR}>:-Werror>
  $<$<BOOL:${SWIZZLE_ASSERTIONS}>:-UNDEBUG>)
if(SWIZZLE_SANITIZE)
  # LLVM is built without types at run time. What a pointer is moved beyond, the address
  # sanitizer sees where it is used: no second check at each sum and each access.
  set(unsanitized -fno-sanitize=vptr,object-size,pointer-overflow)
  target_compile_options(SwizzleOptions INTERFACE
    -fsanitize=${SWIZZLE_SANITIZE} ${unsanitized} -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  target_link_options(SwizzleOptions INTERFACE -fsanitize=${SWIZZLE_SANITIZE}
    ${unsanitized})
endif()
if(SWIZZLE_BUILD_FUZZERS)
  target_compile_options(SwizzleOptions INTERFACE
    -fsanitize-coverage=inline-8bit-counters,pc-table)
endif()

# swizzle_add_library(NAME SOURCES a.cpp... | FOLDERS Folder...
#                     [DEPS lib...] [TABLEGEN target...] [EXCEPTIONS])
# A static library of one part. FOLDERS: a part of several folders, each of which
# adds its own sources with swizzle_folder; files of other folders are included as
# "Folder/Header.h". DEPS is also what the part may include (test/Layers).
# EXCEPTIONS: for the files that use nlohmann_json, whose errors are exceptions.
function(swizzle_add_library name)
  cmake_parse_arguments(ARG "EXCEPTIONS" "" "SOURCES;FOLDERS;DEPS;TABLEGEN" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_compile_features(${name} PUBLIC cxx_std_17)
  target_link_libraries(${name} PUBLIC ${ARG_DEPS} PRIVATE $<BUILD_INTERFACE:SwizzleOptions>)
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  if(ARG_TABLEGEN)
    add_dependencies(${name} ${ARG_TABLEGEN})
  endif()
  if(ARG_EXCEPTIONS)
    set_target_properties(${name} PROPERTIES SWIZZLE_EXCEPTIONS ON)
    swizzle_precompile(${name} nlohmann_json)
  else()
    swizzle_precompile(${name} ${ARG_DEPS})
  endif()
  if(ARG_FOLDERS)
    target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
    foreach(folder ${ARG_FOLDERS})
      add_subdirectory(${folder})
    endforeach()
  endif()
  set_property(GLOBAL APPEND PROPERTY SWIZZLE_EXPORTS ${name})
endfunction()

# swizzle_folder(LIBRARY SOURCES a.cpp... [MAY_USE Folder...])
# One folder of a part: its sources, and which other folders of the part it may
# include (test/Layers fails where it includes another).
function(swizzle_folder library)
  cmake_parse_arguments(ARG "" "" "SOURCES;MAY_USE" ${ARGN})
  target_sources(${library} PRIVATE ${ARG_SOURCES})
endfunction()

# swizzle_add_shared_sources(NAME SOURCES a.cpp... [DEPS lib...]): what several programs
# have in common and no part has: compiled once, and not installed.
function(swizzle_add_shared_sources name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC ${ARG_DEPS} PRIVATE SwizzleOptions)
  swizzle_precompile(${name} ${ARG_DEPS})
endfunction()

# swizzle_add_tool(NAME SOURCES a.cpp... [DEPS lib...]): an installed program.
function(swizzle_add_tool name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} SwizzleOptions)
  swizzle_precompile(${name} ${ARG_DEPS})
  # libMLIR lies outside the loader's default path: keep the run path installed.
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin
    INSTALL_RPATH "${LLVM_LIBRARY_DIR}")
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  set_property(GLOBAL APPEND PROPERTY SWIZZLE_TOOLS ${name})
endfunction()

# swizzle_add_unittest(NAME SOURCES a.cpp... [FOLDERS Folder...] [DEPS lib...] [EXCEPTIONS])
# One GoogleTest program a part; lit finds every *Tests below unittests/. Each of
# FOLDERS adds its sources with target_sources. EXCEPTIONS: as in a library.
function(swizzle_add_unittest name)
  cmake_parse_arguments(ARG "EXCEPTIONS" "" "SOURCES;FOLDERS;DEPS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} SwizzleOptions GTest::gtest GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE SWIZZLE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  if(ARG_EXCEPTIONS)
    set_target_properties(${name} PROPERTIES SWIZZLE_EXCEPTIONS ON)
    swizzle_precompile(${name} nlohmann_json)
  else()
    swizzle_precompile(${name} ${ARG_DEPS})
  endif()
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/unittests)
  foreach(folder ${ARG_FOLDERS})
    add_subdirectory(${folder})
  endforeach()
  set_property(GLOBAL APPEND PROPERTY SWIZZLE_UNITTESTS ${name})
endfunction()

# swizzle_add_fuzzer(NAME RUNS n SOURCES a.cpp... [DEPS lib...]): a libFuzzer program, and
# NAME.runs beside it, which says how many inputs make one test (scripts/lib/fuzz.sh).
# Needs clang and a build with SWIZZLE_SANITIZE=address,undefined.
function(swizzle_add_fuzzer name)
  cmake_parse_arguments(ARG "" "RUNS" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} SwizzleOptions)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  swizzle_precompile(${name} ${ARG_DEPS})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
  file(WRITE ${PROJECT_BINARY_DIR}/fuzz/${name}.runs "${ARG_RUNS}\n")
  set_property(GLOBAL APPEND PROPERTY SWIZZLE_FUZZERS ${name})
endfunction()

# swizzle_add_benchmark(NAME SOURCES a.cpp... [DEPS lib...]): google/benchmark.
function(swizzle_add_benchmark name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} SwizzleOptions
    benchmark::benchmark benchmark::benchmark_main)
  target_compile_definitions(${name} PRIVATE SWIZZLE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  swizzle_precompile(${name} ${ARG_DEPS})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/benchmarks)
endfunction()

# swizzle_embed_json(VARIABLE FOLDER NAME)
# Sets VARIABLE to NAME.inc in the build folder, which has a line {"a", "text of a.json"},
# for each file of FOLDER, and lets sources of this folder include it. A new file is
# picked up by itself.
function(swizzle_embed_json variable folder name)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.json)
  set(inc ${CMAKE_CURRENT_BINARY_DIR}/${name}.inc)
  add_custom_command(OUTPUT ${inc}
    COMMAND ${CMAKE_COMMAND} "-DFILES=${files}" -DOUTPUT=${inc}
            -P ${PROJECT_SOURCE_DIR}/cmake/EmbedChips.cmake
    DEPENDS ${files} ${PROJECT_SOURCE_DIR}/cmake/EmbedChips.cmake
    COMMENT "Embedding the files of ${folder}" VERBATIM)
  set(${variable} ${inc} PARENT_SCOPE)
endfunction()
