# The affirm program, and what the gate wants built.
add_executable(affirm ${CMAKE_SOURCE_DIR}/cli/affirm_main.c)
set_target_properties(affirm PROPERTIES LINKER_LANGUAGE CXX)
target_link_libraries(affirm PRIVATE cli affirm_flags)
target_compile_definitions(affirm PRIVATE AFFIRM_VERSION="${PROJECT_VERSION}")
add_dependencies(affirm affirm_mlir_object)
add_test(NAME cli_command COMMAND ${CMAKE_SOURCE_DIR}/cli/cli_test.sh $<TARGET_FILE:affirm> ${CMAKE_SOURCE_DIR}
  ${AFFIRM_LLVM_ROOT}/bin/mlir-opt)
set_source_files_properties(${CMAKE_SOURCE_DIR}/cli/reduce.c ${CMAKE_SOURCE_DIR}/cli/results_sarif.c ${CMAKE_SOURCE_DIR}/cli/report.c PROPERTIES COMPILE_DEFINITIONS AFFIRM_VERSION="${PROJECT_VERSION}")
add_test(NAME cli_graphs COMMAND ${CMAKE_SOURCE_DIR}/cli/graphs_test.sh $<TARGET_FILE:affirm> ${CMAKE_SOURCE_DIR})
add_test(NAME cli_exhaust COMMAND ${CMAKE_SOURCE_DIR}/cli/exhaust_test.sh $<TARGET_FILE:affirm>)
add_test(NAME cli_fuzz COMMAND ${CMAKE_SOURCE_DIR}/cli/fuzz_test.sh $<TARGET_FILE:affirm>)
add_test(NAME cli_fuzz_rough COMMAND ${CMAKE_SOURCE_DIR}/cli/fuzz_rough_test.sh $<TARGET_FILE:affirm>)
