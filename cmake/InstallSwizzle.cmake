# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# `cmake --install` gives a tree in which `find_package(Swizzle)` works:
# headers, static libraries, exported targets `Swizzle::*`, the chip files.
include(CMakePackageConfigHelpers)

get_property(swizzle_exports GLOBAL PROPERTY SWIZZLE_EXPORTS)
set(swizzle_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Swizzle)

install(TARGETS ${swizzle_exports} EXPORT SwizzleTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT SwizzleTargets NAMESPACE Swizzle:: DESTINATION ${swizzle_cmake_dir})
install(DIRECTORY include/swizzle ${PROJECT_BINARY_DIR}/include/swizzle
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.inc" PATTERN "*.def"
        PATTERN "CMakeFiles" EXCLUDE)
install(DIRECTORY hardware/ DESTINATION ${CMAKE_INSTALL_DATADIR}/swizzle/hardware
        FILES_MATCHING PATTERN "*.json")
install(FILES LICENSE.TXT DESTINATION ${CMAKE_INSTALL_DATADIR}/swizzle)

string(REPLACE ";" " " swizzle_exports "${swizzle_exports}")
configure_package_config_file(cmake/SwizzleConfig.cmake.in
  ${PROJECT_BINARY_DIR}/SwizzleConfig.cmake INSTALL_DESTINATION ${swizzle_cmake_dir}
  PATH_VARS CMAKE_INSTALL_DATADIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/SwizzleConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/SwizzleConfig.cmake
              ${PROJECT_BINARY_DIR}/SwizzleConfigVersion.cmake
        DESTINATION ${swizzle_cmake_dir})
