# Labels of tests, read last: unit (test programs of a directory), corpus (cases, modules and findings), fault (mutants that must be detected), fuzz
# (targets and campaigns), slow (over five seconds), tree (checks of the sources), gate (tests of the engine's functions, which ci/gate runs:
# docs/decisions/0127-unit-tests-in-the-gate.md). `ctest -L unit` takes less than a minute.
set(slow_tests cli_gate core_adapters_isl_relation_test exhaust_exhaust_test exhaust_scope_test cli_command cli_engine cli_exhaust_lost
  cli_fuzz cli_fuzz_rough core_map_map_test core_analysis_algebra_random_test exhaust_fault_algebra_split_remainder_too_large
  fuzz_memory_graph rewrites ci_reproducible fault_reproducible_path_in_a_program install_packages install_tree cli_remedy cli_terminal
  oracle_laws_test smt_prove_mutation_test smt_prove_stable_test smt_all_sizes_test cli_prove_order_engine_test
  cli_prove_confluence_test cli_exhaust cli_snapshot core_adapters_mlir_run_test core_index_many_paths_test proof_store_prove_store_test proof_write_certificate_test hard_interrupts
  hard_interrupts_more hard_kills hard_kills_report hard_disk hard_surroundings cli_results_schema cli_report_runs proof_second_checker proof_second_rejected
  install_second_repository hard_allocations cli_help examples_adapters exhaust_all_scopes
  cli_page cli_watch cli_explorer_page judge_engine_process_test reduce_shrink_test
  cli_explorer_0 cli_explorer_1 cli_explorer_2 cli_explorer_3 cli_explorer_4 cli_explorer_5)
set(gate_rooms "base|expr|hlo|map|rules|simplify|index|analysis")
get_directory_property(tests TESTS)
list(JOIN tests "\n" lines)
file(WRITE ${CMAKE_BINARY_DIR}/exhaust_tests.txt "${lines}\n") # read by exhaust/exhaust_seen.sh
foreach(test ${tests})
  set(label unit)
  if(test MATCHES "^(case|module|foreign)_|^rewrites(_values)?$|_corpus_")
    set(label corpus)
  elseif(NOT test STREQUAL "judge_engine_faults_test" AND test MATCHES "fault|seeded|^fuzz_.*is_found$|_lost$|can_fail$|reduce_table")
    set(label fault)
  elseif(test MATCHES "^(fuzz|replay)_|^cli_fuzz")
    set(label fuzz)
  elseif(test MATCHES "^ci_")
    set(label tree)
  endif()
  if(test IN_LIST slow_tests) # starts first, so that the last tests run in parallel
    set_tests_properties(${test} PROPERTIES COST 100)
    if(label STREQUAL "unit")
      set(label slow)
    else()
      list(APPEND label slow)
    endif()
  endif()
  if(test MATCHES "^core_(${gate_rooms})_" AND NOT test STREQUAL "core_index_many_paths_test")
    list(APPEND label gate)
  endif()
  set_tests_properties(${test} PROPERTIES LABELS "${label}")
endforeach()
string(REGEX REPLACE "([a-z]+)[|]?" "core_\\1_tests;" programs "${gate_rooms}")
add_custom_target(affirm_gate_tests DEPENDS ${programs})
# With a sanitizer, random tests have a fiftieth of their length, and some tests skip slow parts that run the same code (AFFIRM_FEW). Without
# AFFIRM_NIGHTLY they are shorter again, except those of mutants (AFFIRM_BRIEF, docs/decisions/0125-brief-sanitized-tests.md). The search for leaks takes
# half the time of a short process. It is made in all programs of tests, in what uses the libraries, and in a script that runs the commands which write results.
# The search for uses of a frame after its return takes up to three fifths of a test's time. It is made at night (docs/decisions/0122-full-lengths-at-night.md).
if(AFFIRM_SANITIZE)
  foreach(test ${tests})
    set(options)
    if(NOT test MATCHES "_test$|^library_|^cli_results_schema$")
      list(APPEND options detect_leaks=0)
    endif()
    if(NOT AFFIRM_NIGHTLY)
      list(APPEND options detect_stack_use_after_return=0)
    endif()
    list(JOIN options ":" options)
    set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT AFFIRM_FEW=1 ASAN_OPTIONS=${options})
    if(NOT AFFIRM_NIGHTLY AND NOT test MATCHES "^(fault|exhaust_fault|fuzz_mutant)_")
      set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT AFFIRM_BRIEF=1)
    endif()
  endforeach()
elseif(NOT AFFIRM_NIGHTLY)
  # The release build too has the short lengths (docs/decisions/0124-less-in-the-ordinary-run.md), except in tests of mutants, which
  # end when the mutant is found.
  foreach(test ${tests})
    if(NOT test MATCHES "^(fault|exhaust_fault|fuzz_mutant)_")
      set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT AFFIRM_FEW=1)
    endif()
  endforeach()
  # For the nightly tier: builds in two directories, packages, kills, eight more commands that are interrupted, campaigns of half a minute for mutants
  # that a scope or a test detects as well, mutants of checkers that other tests detect, and what ci/gate runs.
  foreach(test ci_reproducible fault_reproducible_path_in_a_program install_packages hard_kills hard_kills_report hard_interrupts_more
      fault_mutated_sum_of_zero fault_mutated_option_left_out ci_confluence ci_certify_corpus
      fuzz_mutant_compose_algebra_split_remainder_too_large_is_found
      fuzz_mutant_simplify_floordiv_of_mod_upper_bound_is_found fuzz_mutant_values_values_ring_forgets_signs_is_found)
    set_tests_properties(${test} PROPERTIES DISABLED TRUE)
  endforeach()
endif()

# A python3 that is a script which looks for the interpreter takes ten times its start. Tests find the interpreter itself.
if(PYTHON3)
  execute_process(COMMAND ${PYTHON3} -c "import os, sys; print(os.path.dirname(sys.executable))" OUTPUT_VARIABLE place OUTPUT_STRIP_TRAILING_WHITESPACE)
  get_filename_component(found ${PYTHON3} DIRECTORY)
  if(IS_DIRECTORY "${place}" AND NOT place STREQUAL found)
    foreach(test ${tests})
      set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT_MODIFICATION "PATH=path_list_prepend:${place}")
    endforeach()
  endif()
endif()

# Without AFFIRM_NIGHTLY, the sanitized build leaves out tests that repeat the same code over many rules or pairs, to compare verdicts
# (docs/decisions/0120-comparisons-of-verdicts-sanitized-at-night.md), and tests that mostly wait for kills, interrupts and time limits
# (0122-full-lengths-at-night.md). The release build runs them. The last seven read texts, wait, or run what other
# sanitized tests run too (0125-brief-sanitized-tests.md).
set(night_tests judge_equiv_devices_test judge_budget_test judge_recorded_test smt_prove_stable_test smt_prove_corpus_test smt_prove_mutation_test
  cli_prove_confluence_test hard_interrupts hard_disk hard_kills hard_kills_report cli_terminal cli_exhaust_lost cli_engine_gate
  cli_engine cli_gate cli_exhaust cli_remedy cli_report_runs cli_results_schema
  cli_reduce foreign_history foreign_witnesses proof_write_certificate_test
  exhaust_every_fault_is_seen cli_fuzz_rough ci_fewer_judges ci_fewer_judges_detects
  exhaust_without_fault_operators cli_prove_order_engine_test examples_adapters)
if(AFFIRM_SANITIZE AND NOT AFFIRM_NIGHTLY)
  foreach(test ${night_tests})
    if(NOT test IN_LIST tests)
      message(FATAL_ERROR "ci/labels.cmake: no such test: ${test}")
    endif()
    set_tests_properties(${test} PROPERTIES DISABLED TRUE)
  endforeach()
endif()

# Without AFFIRM_MUTANTS: disables the tests of mutants that are not listed, which ctest reports, and does not build their programs.
if(NOT AFFIRM_MUTANTS)
  file(STRINGS ${CMAKE_SOURCE_DIR}/ci/mutants_kept.txt rows REGEX "^[^#]")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/ci/mutants_kept.txt)
  set(kept)
  foreach(row ${rows})
    string(REPLACE " " ";" words ${row})
    list(GET words 0 test)
    list(GET words 1 program)
    if(NOT test IN_LIST tests OR NOT TARGET ${program})
      message(FATAL_ERROR "ci/mutants_kept.txt: no such test or program: ${row}")
    endif()
    get_test_property(${test} DISABLED is_disabled)
    if(NOT is_disabled)
      list(APPEND kept ${words})
    endif()
  endforeach()
  foreach(test ${tests})
    if(test MATCHES "^(fault|exhaust_fault|fuzz_mutant)_|^(reduce_table|ci_one_more_judge)$" AND NOT test MATCHES "_control$" AND NOT test IN_LIST kept)
      set_tests_properties(${test} PROPERTIES DISABLED TRUE)
    endif()
  endforeach()
  get_property(programs DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
  foreach(program ${programs})
    get_target_property(fault ${program} AFFIRM_SEEDED)
    if(fault AND NOT program IN_LIST kept)
      set_target_properties(${program} PROPERTIES EXCLUDE_FROM_ALL TRUE)
    endif()
  endforeach()
endif()
