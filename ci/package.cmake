# `cpack -G DEB` in a build directory makes four packages: affirm (the command), affirm-mlir (its plug-in, the only one that needs LLVM), libaffirm0
# and libaffirm-dev. With SOURCE_DATE_EPOCH two runs give the same bytes.
set(AFFIRM_MAINTAINER "affirm maintainers <maintainers@users.noreply.github.com>" CACHE STRING "who signs the packages")
set(doc_files ${CMAKE_BINARY_DIR}/package/doc)
file(CONFIGURE OUTPUT ${doc_files}/copyright CONTENT "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: affirm

Files: *
Copyright: 2025-2026 the authors of affirm
License: Apache-2.0
 On Debian systems the full text of the Apache License 2.0 is in /usr/share/common-licenses/Apache-2.0.
")
add_custom_command(OUTPUT ${doc_files}/changelog.gz COMMAND ${CMAKE_SOURCE_DIR}/ci/changelog.sh ${CMAKE_SOURCE_DIR}/CHANGELOG.md ${PROJECT_VERSION} ${AFFIRM_MAINTAINER} ${doc_files}/changelog
  DEPENDS ${CMAKE_SOURCE_DIR}/CHANGELOG.md ${CMAKE_SOURCE_DIR}/ci/changelog.sh VERBATIM)
add_custom_target(affirm_doc ALL DEPENDS ${doc_files}/changelog.gz)
foreach(pair command:affirm mlir:affirm-mlir library:libaffirm0 development:libaffirm-dev)
  string(REPLACE : ";" pair ${pair})
  list(GET pair 0 component)
  list(GET pair 1 package)
  install(FILES ${doc_files}/copyright ${doc_files}/changelog.gz DESTINATION share/doc/${package} COMPONENT ${component})
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${package})
  set(CPACK_DEBIAN_${upper}_FILE_NAME ${package}_${PROJECT_VERSION}_amd64.deb)
endforeach()

# The contents of the packages.
add_custom_target(affirm_packaged DEPENDS affirm affirm-engine-host affirm_mlir_object affirm_shared affirm_static affirm_pages affirm_doc)
if(TARGET explorer)
  add_dependencies(affirm_packaged explorer)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME affirm)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "${AFFIRM_MAINTAINER}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL command mlir library development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR} ${CMAKE_BINARY_DIR}/package)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_MLIR_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_COMMAND_DESCRIPTION "judge of HLO indexing maps
The affirm command proves or refutes statements about HLO indexing maps:
which elements of an operand are read for an element of the output.")
set(CPACK_COMPONENT_MLIR_DESCRIPTION "judge of HLO indexing maps, plug-in over MLIR
With this plug-in affirm evaluates maps that MLIR has compiled, and holds
its maps against MLIR's own simplifier.")
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "judge of HLO indexing maps, shared library
The functions of affirm.h: maps, modules, rules, and the judges of them.")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "judge of HLO indexing maps, development files
Headers, the static library, a CMake package and affirm.pc.")
set(CPACK_DEBIAN_COMMAND_PACKAGE_SUGGESTS affirm-mlir)
# dpkg-shlibdeps finds linked libraries alone, and the command opens these on first use.
find_program(AFFIRM_DPKG_QUERY NAMES dpkg-query)
set(late_packages)
foreach(late Z3 SQLITE ISL)
  if(AFFIRM_${late}_FILE AND AFFIRM_DPKG_QUERY)
    file(REAL_PATH ${${late}_LIBRARY} late_file)
    execute_process(COMMAND ${AFFIRM_DPKG_QUERY} -S ${late_file} OUTPUT_VARIABLE late_package ERROR_QUIET)
    if(late_package MATCHES "^([a-z0-9.+-]+)[:,]")
      list(APPEND late_packages ${CMAKE_MATCH_1})
    endif()
  endif()
endforeach()
list(JOIN late_packages ", " CPACK_DEBIAN_COMMAND_PACKAGE_DEPENDS)
set(CPACK_DEBIAN_MLIR_PACKAGE_DEPENDS "affirm (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libaffirm0 (= ${PROJECT_VERSION}), libz3-dev, libsqlite3-dev, libisl-dev")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA "${CMAKE_SOURCE_DIR}/library/package/triggers")
# The MLIR of an LLVM package is outside the loader's path.
file(CONFIGURE OUTPUT ${doc_files}/affirm-mlir CONTENT "affirm-mlir: custom-library-search-path\n")
install(FILES ${doc_files}/affirm-mlir DESTINATION share/lintian/overrides COMPONENT mlir)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_SOURCE_DIR}/ci/cmake/PackOrder.cmake)
include(CPack)

if(NOT AFFIRM_SANITIZE)
  add_test(NAME install_packages COMMAND ${CMAKE_SOURCE_DIR}/ci/package_test.sh ${CMAKE_BINARY_DIR})
  set_tests_properties(install_packages PROPERTIES SKIP_RETURN_CODE 77)
endif()
