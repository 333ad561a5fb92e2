# The source that implements the engine's rule for each group of opcodes. The gate prints it beside the operation that failed.
set(group_sources ${CMAKE_BINARY_DIR}/generated/cli/group_sources.def)
file(GLOB_RECURSE rule_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/core/index/*.c)
add_custom_command(OUTPUT ${group_sources} COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/generated/cli
  COMMAND ${CMAKE_SOURCE_DIR}/ci/group_sources ${CMAKE_SOURCE_DIR} ${group_sources}
  DEPENDS ${CMAKE_SOURCE_DIR}/ci/group_sources ${CMAKE_SOURCE_DIR}/core/hlo/opcodes.def ${CMAKE_SOURCE_DIR}/core/index/family.h ${rule_sources})
target_sources(cli PRIVATE ${group_sources})
target_include_directories(cli PRIVATE ${CMAKE_BINARY_DIR}/generated)

# The affirm program, and the targets that the gate builds.
add_executable(affirm ${CMAKE_SOURCE_DIR}/cli/affirm_main.c)
if(AFFIRM_Z3_FILE AND NOT AFFIRM_SANITIZE) # no part needs the C++ library; a sanitizer looks for its exceptions at the start
  set_target_properties(affirm PROPERTIES LINKER_LANGUAGE C)
else()
  set_target_properties(affirm PROPERTIES LINKER_LANGUAGE CXX)
endif()
target_link_libraries(affirm PRIVATE cli affirm_flags m)
target_compile_definitions(affirm PRIVATE AFFIRM_VERSION="${PROJECT_VERSION}")
# affirm-check, in the same directory, checks the proofs that a store contains.
add_dependencies(affirm affirm_mlir_object affirm-check)
add_test(NAME cli_command COMMAND ${CMAKE_SOURCE_DIR}/cli/test/cli_test.sh $<TARGET_FILE:affirm> ${CMAKE_SOURCE_DIR}
  ${AFFIRM_LLVM_ROOT}/bin/mlir-opt)
set_source_files_properties(${CMAKE_SOURCE_DIR}/cli/help/help_man.c ${CMAKE_SOURCE_DIR}/cli/help/pages.c ${CMAKE_SOURCE_DIR}/cli/reduce/reduce.c ${CMAKE_SOURCE_DIR}/cli/report/results_sarif.c PROPERTIES COMPILE_DEFINITIONS AFFIRM_VERSION="${PROJECT_VERSION}")
set_source_files_properties(${CMAKE_SOURCE_DIR}/cli/report/page.c PROPERTIES COMPILE_DEFINITIONS AFFIRM_VERSION="${PROJECT_VERSION}")
file(GLOB page_parts CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/cli/report/page/*)
affirm_embeds(cli/report/page.c ${page_parts})
affirm_embeds(cli/report/fired.c ${CMAKE_SOURCE_DIR}/corpus/fired.txt)
affirm_embeds(cli/prove/prove_coverage_attributes.c ${CMAKE_SOURCE_DIR}/corpus/attributes.pairs)
file(GLOB engine_rules CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/core/rules/*.rules)
affirm_embeds(core/rules/engine.c ${engine_rules})
affirm_embeds(oracle/terms/laws_read.c ${CMAKE_SOURCE_DIR}/core/rules/values.laws)
affirm_embeds(smt/values/laws_text.c ${CMAKE_SOURCE_DIR}/core/rules/values.laws)
add_test(NAME cli_graphs COMMAND ${CMAKE_SOURCE_DIR}/cli/test/graphs_test.sh $<TARGET_FILE:affirm> ${CMAKE_SOURCE_DIR})
add_test(NAME cli_equiv_memory COMMAND ${CMAKE_SOURCE_DIR}/cli/test/equiv_memory_test.sh $<TARGET_FILE:affirm>)
set_tests_properties(cli_equiv_memory PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME cli_outputs COMMAND ${CMAKE_SOURCE_DIR}/cli/test/outputs_test.sh $<TARGET_FILE:affirm>)
add_test(NAME cli_watch COMMAND ${CMAKE_SOURCE_DIR}/cli/test/watch_test.sh $<TARGET_FILE:affirm>)
add_test(NAME cli_exhaust COMMAND ${CMAKE_SOURCE_DIR}/cli/test/exhaust_test.sh $<TARGET_FILE:affirm>)
if(AFFIRM_Z3_FILE)
  add_test(NAME smt_z3_library COMMAND ${CMAKE_SOURCE_DIR}/smt/test/z3_library_test.sh $<TARGET_FILE:affirm> ${AFFIRM_Z3_FILE}
    libz3 $<$<NOT:$<BOOL:${AFFIRM_SANITIZE}>>:libstdc++> COMMAND_EXPAND_LISTS)
endif()
if(AFFIRM_SQLITE_FILE)
  add_test(NAME smt_sqlite_library COMMAND ${CMAKE_SOURCE_DIR}/smt/test/sqlite_library_test.sh $<TARGET_FILE:affirm> ${AFFIRM_SQLITE_FILE})
endif()
# The gate names the fuzz programs that a partial build lacks.
file(GLOB gate_fuzz_targets CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/fuzz/targets ${CMAKE_SOURCE_DIR}/fuzz/targets/*_target.c)
list(TRANSFORM gate_fuzz_targets REPLACE "_target\\.c$" "")
list(JOIN gate_fuzz_targets " " gate_fuzz_targets)
set_source_files_properties(${CMAKE_SOURCE_DIR}/cli/gate/gate_fuzz.c PROPERTIES COMPILE_DEFINITIONS "AFFIRM_FUZZ_TARGETS=\"${gate_fuzz_targets}\"")
# The program with one mutant.
function(affirm_mutant name)
  add_executable(affirm_${name} ${CMAKE_SOURCE_DIR}/cli/affirm_main.c)
  set_target_properties(affirm_${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(affirm_${name} PRIVATE cli affirm_flags)
  target_compile_definitions(affirm_${name} PRIVATE AFFIRM_VERSION="seeded")
  affirm_seed(affirm_${name} ${name})
endfunction()
set(lost reverse_loses_its_process)
affirm_mutant(${lost})
affirm_mutant(pad_excess_off_by_one)
affirm_mutant(common_factor_upper_bound)
affirm_mutant(write_option_exchanged)
add_test(NAME cli_gate COMMAND ${CMAKE_SOURCE_DIR}/cli/test/gate_test.sh $<TARGET_FILE:affirm> $<TARGET_FILE:affirm_pad_excess_off_by_one> ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}
  $<TARGET_FILE:affirm_write_option_exchanged>)
add_test(NAME cli_exhaust_lost COMMAND ${CMAKE_SOURCE_DIR}/cli/test/exhaust_lost_test.sh $<TARGET_FILE:affirm> $<TARGET_FILE:affirm_${lost}>)
# Seen by the snapshot alone.
affirm_mutant(device_ids_are_not_sorted)
add_test(NAME fault_device_ids_are_not_sorted COMMAND sh -c "$<TARGET_FILE:affirm> snapshot --stream scope/ && { $<TARGET_FILE:affirm_device_ids_are_not_sorted> snapshot --stream scope/; [ $? -eq 1 ]; }")
set_tests_properties(fault_device_ids_are_not_sorted PROPERTIES WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
add_test(NAME cli_snapshot COMMAND ${CMAKE_SOURCE_DIR}/cli/test/snapshot_test.sh $<TARGET_FILE:affirm> $<TARGET_FILE:affirm_pad_excess_off_by_one> ${CMAKE_SOURCE_DIR})
add_test(NAME cli_fuzz COMMAND ${CMAKE_SOURCE_DIR}/cli/test/fuzz_test.sh $<TARGET_FILE:affirm>)
add_test(NAME cli_fuzz_rough COMMAND ${CMAKE_SOURCE_DIR}/cli/test/fuzz_rough_test.sh $<TARGET_FILE:affirm>)
add_test(NAME cli_page COMMAND ${CMAKE_SOURCE_DIR}/cli/test/page_test.sh $<TARGET_FILE:affirm> ${CMAKE_SOURCE_DIR})
set_tests_properties(cli_page PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME cli_report_runs COMMAND ${CMAKE_SOURCE_DIR}/cli/test/report_runs_test.sh $<TARGET_FILE:affirm> $<TARGET_FILE:affirm_pad_excess_off_by_one> ${CMAKE_SOURCE_DIR}
  $<TARGET_FILE:affirm_common_factor_upper_bound>)
if(NOT AFFIRM_SANITIZE) # nearly all of its time passes in the shell
  add_test(NAME cli_help COMMAND ${CMAKE_SOURCE_DIR}/cli/test/help_test.sh $<TARGET_FILE:affirm> ${CMAKE_SOURCE_DIR})
endif()
add_test(NAME cli_results_schema COMMAND ${CMAKE_SOURCE_DIR}/cli/test/results_schema_test.sh $<TARGET_FILE:affirm> ${CMAKE_SOURCE_DIR})
set_tests_properties(cli_results_schema PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME cli_remedy COMMAND ${CMAKE_SOURCE_DIR}/cli/test/remedy_test.sh $<TARGET_FILE:affirm> ${CMAKE_SOURCE_DIR} all)
find_program(AFFIRM_PYTHON NAMES python3)
if(AFFIRM_PYTHON)
  add_test(NAME cli_terminal COMMAND ${AFFIRM_PYTHON} ${CMAKE_SOURCE_DIR}/cli/test/terminal_test.py $<TARGET_FILE:affirm> ${CMAKE_SOURCE_DIR})
  file(GLOB documents ${CMAKE_SOURCE_DIR}/README.md ${CMAKE_SOURCE_DIR}/docs/*.md ${CMAKE_SOURCE_DIR}/skills/*/*.md)
  add_test(NAME cli_documents COMMAND ${AFFIRM_PYTHON} ${CMAKE_SOURCE_DIR}/cli/test/docs_check.py $<TARGET_FILE:affirm> ${documents})
else()
  affirm_skipped_test("python3 is not installed" cli_terminal cli_documents)
endif()

# Manual pages and completions, generated from the option tables that --help prints.
set(pages ${CMAKE_BINARY_DIR}/package/pages)
add_custom_command(OUTPUT ${pages}/made COMMAND ${CMAKE_SOURCE_DIR}/cli/help/pages.sh $<TARGET_FILE:affirm> ${pages}
  DEPENDS affirm ${CMAKE_SOURCE_DIR}/cli/help/pages.sh VERBATIM)
add_custom_target(affirm_pages ALL DEPENDS ${pages}/made)

include(${CMAKE_SOURCE_DIR}/cli/explore/explorer.cmake)
