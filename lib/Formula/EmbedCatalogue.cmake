# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Writes FILES (the catalogue's .swz files) into OUT as rows
# `{"file name", R"SWZ(text)SWZ"},` of a C++ table.
set(rows "")
foreach(file ${FILES})
  file(READ ${file} text)
  get_filename_component(name ${file} NAME)
  string(APPEND rows "{\"${name}\", R\"SWZ(${text})SWZ\"},\n")
endforeach()
file(WRITE ${OUT} "${rows}")
