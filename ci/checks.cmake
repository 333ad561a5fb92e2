# Checks of the source tree; ci_checks_can_fail shows that the others can fail.
if(NOT AFFIRM_SANITIZE) # they run no program of the build, or only its help, and read the same sources in both builds
  add_test(NAME ci_include_graph COMMAND ${CMAKE_SOURCE_DIR}/ci/include_graph)
  add_test(NAME ci_one_of_each COMMAND ${CMAKE_SOURCE_DIR}/ci/one_of_each)
  add_test(NAME ci_names COMMAND ${CMAKE_SOURCE_DIR}/ci/names)
  add_test(NAME ci_style COMMAND ${CMAKE_SOURCE_DIR}/ci/style)
  add_test(NAME ci_sentences COMMAND ${CMAKE_SOURCE_DIR}/ci/sentences)
  add_test(NAME ci_setup COMMAND ${CMAKE_SOURCE_DIR}/ci/setup_test.sh)
  add_test(NAME ci_opcode_files COMMAND ${CMAKE_SOURCE_DIR}/ci/opcode_files 7 fft cholesky triangular-solve)
  add_test(NAME ci_new_opcode COMMAND ${CMAKE_SOURCE_DIR}/ci/new_opcode ${CMAKE_C_COMPILER})
  add_test(NAME ci_verdict_sentences COMMAND ${CMAKE_SOURCE_DIR}/ci/verdict_sentences)
  add_test(NAME ci_checks_can_fail COMMAND ${CMAKE_SOURCE_DIR}/ci/checks_test.sh ${CMAKE_BINARY_DIR})
  # The distinctions that ci/score makes; no mutant is built.
  if(PYTHON3)
    add_test(NAME ci_score COMMAND ${PYTHON3} ${CMAKE_SOURCE_DIR}/ci/mutate/score_test.py)
  endif()
  # Files for external services; needs python3 with yaml.
  add_test(NAME ci_workflows COMMAND ${CMAKE_SOURCE_DIR}/ci/workflows_test.sh $<TARGET_FILE:affirm>)
  set_tests_properties(ci_workflows PROPERTIES SKIP_RETURN_CODE 77)
  # It creates a build directory of its own.
  add_test(NAME ci_batches COMMAND ${CMAKE_SOURCE_DIR}/ci/batches_test.sh ${CMAKE_C_COMPILER})
endif()
add_test(NAME ci_link_graph COMMAND ${CMAKE_SOURCE_DIR}/ci/link_graph ${CMAKE_BINARY_DIR})
if(AFFIRM_UNITY)
  affirm_skipped_test("objects hold several sources (AFFIRM_UNITY)" ci_call_graph)
else()
  add_test(NAME ci_call_graph COMMAND ${CMAKE_SOURCE_DIR}/ci/call_graph ${CMAKE_BINARY_DIR})
endif()
# A build without isl.
file(GLOB isl_sources ${CMAKE_SOURCE_DIR}/core/adapters/isl/*.c)
add_test(NAME ci_without_isl COMMAND ${CMAKE_C_COMPILER} -std=gnu2x -fsyntax-only -Wall -Wextra -Wpedantic -Werror -Wno-c2y-extensions -Wno-c23-extensions -I${CMAKE_SOURCE_DIR} ${isl_sources})
if(NOT AFFIRM_SANITIZE)
  add_test(NAME ci_reproducible COMMAND ${CMAKE_SOURCE_DIR}/ci/reproducible affirm-check affirm-engine-host core_base engine_faulty)
  add_test(NAME fault_reproducible_path_in_a_program COMMAND ${CMAKE_SOURCE_DIR}/ci/reproducible --seed affirm-check)
  set_tests_properties(fault_reproducible_path_in_a_program PROPERTIES PASS_REGULAR_EXPRESSION "other bytes: ./affirm-check")
  add_test(NAME ci_tidy COMMAND ${CMAKE_SOURCE_DIR}/ci/tidy_test.sh ${CMAKE_C_COMPILER})
  set_tests_properties(ci_tidy PROPERTIES SKIP_RETURN_CODE 77)
endif()
# Short runs of the attacks; the nightly tier (ci/hard/nightly) uses the large numbers. A command that ignores an interrupt runs for minutes. A
# limit of half a minute detects this even beside other tests; at night the limit is a second.
add_test(NAME hard_interrupts COMMAND ${CMAKE_SOURCE_DIR}/ci/hard/interrupts $<TARGET_FILE:affirm> 1 30 check check-sort map prove-fresh gate)
if(NOT AFFIRM_SANITIZE)
  # hard_interrupts does the same to other commands, at night with a sanitizer too.
  add_test(NAME hard_interrupts_more COMMAND ${CMAKE_SOURCE_DIR}/ci/hard/interrupts $<TARGET_FILE:affirm> 1 30 simplify algebra audit score-maps score-json watch hazard prove-ops)
  # A sanitizer's malloc would replace the failing one.
  add_test(NAME hard_allocations COMMAND ${CMAKE_SOURCE_DIR}/ci/hard/allocations $<TARGET_FILE:affirm> 20000 997)
  add_test(NAME fault_allocations_none COMMAND ${CMAKE_SOURCE_DIR}/ci/hard/allocations $<TARGET_FILE:affirm> 200 201 equiv)
  set_tests_properties(fault_allocations_none PROPERTIES PASS_REGULAR_EXPRESSION "FAULT: equiv met no failed allocation")
  add_test(NAME hard_surroundings COMMAND ${CMAKE_SOURCE_DIR}/ci/hard/surroundings $<TARGET_FILE:affirm> 0) # limits of memory and stack do not work with a sanitizer
  set_tests_properties(hard_allocations fault_allocations_none hard_surroundings PROPERTIES ENVIRONMENT CC=${CMAKE_C_COMPILER})
endif()
# With a sanitizer, whose programs start slowly, only the first write of each file fails: the next ones are made by the same code.
add_test(NAME hard_disk COMMAND ${CMAKE_SOURCE_DIR}/ci/hard/disk $<TARGET_FILE:affirm> $<IF:$<BOOL:${AFFIRM_SANITIZE}>,1,2>)
add_test(NAME hard_kills COMMAND ${CMAKE_SOURCE_DIR}/ci/hard/kills $<TARGET_FILE:affirm> 3)
add_test(NAME hard_kills_report COMMAND ${CMAKE_SOURCE_DIR}/ci/hard/kills_test.sh $<TARGET_FILE:affirm>)
set_tests_properties(hard_disk PROPERTIES ENVIRONMENT CC=${CMAKE_C_COMPILER})
