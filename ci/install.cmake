# Files that `cmake --install` installs, by component: command (the affirm program and its pages), mlir (the plug-in that links MLIR), library
# (the shared library) and development (headers, the static library, the CMake package, affirm.pc).
include(CMakePackageConfigHelpers)
set(private_libraries "-lz3 -lsqlite3")
set(private_link "z3;sqlite3")
if(ISL_INCLUDE AND ISL_LIBRARY)
  string(APPEND private_libraries " -lisl")
  list(APPEND private_link isl)
endif()
string(APPEND private_libraries " -lpthread -ldl -lm")
list(APPEND private_link pthread dl m)

# The checker beside affirm judges its proofs.
install(TARGETS affirm affirm-check affirm-check-map RUNTIME COMPONENT command)
install(TARGETS affirm-engine-host RUNTIME COMPONENT command)
install(TARGETS affirm_mlir_object LIBRARY DESTINATION lib/affirm COMPONENT mlir)
install(TARGETS affirm_shared EXPORT affirmTargets LIBRARY DESTINATION lib COMPONENT library NAMELINK_COMPONENT development)
install(FILES ${CMAKE_BINARY_DIR}/package/libaffirm.a DESTINATION lib COMPONENT development)
install(FILES ${CMAKE_SOURCE_DIR}/include/affirm.h ${CMAKE_SOURCE_DIR}/include/affirm_engine.h DESTINATION include COMPONENT development)

install(DIRECTORY ${CMAKE_BINARY_DIR}/package/pages/share/ DESTINATION share COMPONENT command)
install(FILES ${CMAKE_SOURCE_DIR}/cli/report/schema/junit.xsd ${CMAKE_SOURCE_DIR}/cli/report/schema/sarif.schema.json
  ${CMAKE_SOURCE_DIR}/cli/report/schema/lines.schema.json DESTINATION share/affirm/schema COMPONENT command)

# The rules that certificates of maps refer to: the engine's own, each of which has a certificate itself.
file(GLOB rule_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/core/rules/*.rules)
install(FILES ${rule_files} DESTINATION share/affirm/rules COMPONENT command)
# The lemmas that the theorems of `affirm prove --coq` require.
install(FILES ${CMAKE_SOURCE_DIR}/proof/coq/Affirm.v DESTINATION share/affirm/coq COMPONENT command)

# Documents for readers without the sources: README, the documents, and the examples that use the installed files. A link to what is not installed
# is text there.
set(docs_place share/doc/affirm)
file(GLOB documents RELATIVE ${CMAKE_SOURCE_DIR} CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/docs/*.md)
set(written_documents ${CMAKE_BINARY_DIR}/package/documents)
list(TRANSFORM documents PREPEND ${written_documents}/ OUTPUT_VARIABLE written_paths)
install(CODE "set(SOURCE \"${CMAKE_SOURCE_DIR}\")
  set(INTO \"${written_documents}\")
  set(DOCUMENTS \"README.md;${documents}\")
  include(\"${CMAKE_SOURCE_DIR}/ci/installed_documents.cmake\")" COMPONENT command)
install(FILES ${written_documents}/README.md DESTINATION ${docs_place} COMPONENT command)
install(FILES ${written_paths} DESTINATION ${docs_place}/docs COMPONENT command)
install(FILES ${CMAKE_SOURCE_DIR}/docs/pictures/explorer.png DESTINATION ${docs_place}/docs/pictures COMPONENT command)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/examples/engine-shell ${CMAKE_SOURCE_DIR}/examples/library-c ${CMAKE_SOURCE_DIR}/examples/library-cpp
  ${CMAKE_SOURCE_DIR}/examples/python DESTINATION ${docs_place}/examples COMPONENT command
  FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ
  PATTERN __pycache__ EXCLUDE PATTERN build EXCLUDE PATTERN *.egg-info EXCLUDE)
install(PROGRAMS ${CMAKE_SOURCE_DIR}/examples/engine-shell/engine.sh DESTINATION ${docs_place}/examples/engine-shell COMPONENT command)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/skills DESTINATION ${docs_place} COMPONENT command)

# The prefix is known only at installation.
set(package_source ${CMAKE_SOURCE_DIR}/library/package)
install(CODE "set(PROJECT_VERSION ${PROJECT_VERSION})
  set(private_libraries \"${private_libraries}\")
  configure_file(${package_source}/affirm.pc.in ${CMAKE_BINARY_DIR}/package/affirm.pc @ONLY)" COMPONENT development)
install(FILES ${CMAKE_BINARY_DIR}/package/affirm.pc DESTINATION lib/pkgconfig COMPONENT development)
configure_file(${package_source}/affirmConfig.cmake.in ${CMAKE_BINARY_DIR}/package/affirmConfig.cmake @ONLY)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/package/affirmConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT affirmTargets NAMESPACE affirm:: DESTINATION lib/cmake/affirm COMPONENT development)
install(FILES ${CMAKE_BINARY_DIR}/package/affirmConfig.cmake ${CMAKE_BINARY_DIR}/package/affirmConfigVersion.cmake
  DESTINATION lib/cmake/affirm COMPONENT development)

if(NOT AFFIRM_SANITIZE) # a user's program has no sanitizer
  add_test(NAME install_tree COMMAND ${CMAKE_SOURCE_DIR}/ci/install_test.sh ${CMAKE_BINARY_DIR} ${CMAKE_SOURCE_DIR})
  add_test(NAME install_second_repository COMMAND ${CMAKE_SOURCE_DIR}/ci/action_test.sh $<TARGET_FILE:affirm> ${CMAKE_SOURCE_DIR})
  set_tests_properties(install_second_repository PROPERTIES SKIP_RETURN_CODE 77)
endif()
