# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake "-DFILES=a.swz;b.txt" -DOUT=texts.inc -P EmbedTexts.cmake
# Writes one row `{"file name", R"SWZ(text)SWZ"},` of a C++ table per file.
set(rows "")
foreach(file ${FILES})
  file(READ ${file} text)
  get_filename_component(name ${file} NAME)
  string(APPEND rows "{\"${name}\", R\"SWZ(${text})SWZ\"},\n")
endforeach()
file(WRITE ${OUT} "${rows}")
