# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -DTBLGEN=mlir-tblgen -DMLIR_INCLUDE=DIR -DSOURCE=ROOT -DOUTPUT=DIR
#       -P GenerateReference.cmake
# Writes the reference pages from TableGen: a title and a way back in front of
# what mlir-tblgen prints. The target `swizzle-doc` runs this on docs/reference;
# a test runs it elsewhere and compares.
function(page name title lead)
  execute_process(
    COMMAND ${TBLGEN} ${ARGN} -I ${MLIR_INCLUDE} -I ${SOURCE}/include
    OUTPUT_VARIABLE text RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${TBLGEN} failed on ${ARGN}: ${status}")
  endif()
  # The title stands in front already, hosts of Markdown do not know [TOC], and
  # blanks at the end of lines and of the file are noise in a committed file.
  string(REGEX REPLACE "\n# [^\n]*\n" "" text "${text}")
  string(REPLACE "[TOC]\n\n" "" text "${text}")
  string(REGEX REPLACE "[ \t]+\n" "\n" text "${text}")
  string(REGEX REPLACE "\n+$" "\n" text "${text}")
  file(WRITE ${OUTPUT}/${name}.md "# ${title}\n\n${lead}\n\n${text}")
endfunction()

page(Passes "Passes"
  "The pipeline `hw-aware-swizzle` outlines kernels where needed and then runs the two passes below; it takes the options of `swizzle-plan`. [All pages](../README.md)."
  -gen-pass-doc ${SOURCE}/include/swizzle/Transforms/Passes.td)
page(Dialect "Dialect"
  "What stands in the IR between planning and materialisation. [All pages](../README.md)."
  -gen-dialect-doc -dialect=swizzle ${SOURCE}/include/swizzle/IR/SwizzleDialect.td)
