# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -DFILES=a.json;b.json -DOUTPUT=out.inc -P EmbedChips.cmake
# Writes one line {"a", R"json(...)json"}, per file, sorted by name.
list(SORT FILES)
set(text "")
foreach(file IN LISTS FILES)
  get_filename_component(name "${file}" NAME_WLE)
  file(READ "${file}" content)
  string(APPEND text "{\"${name}\", R\"json(${content})json\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "${text}")
