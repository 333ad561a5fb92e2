# Labels of tests, read last: unit (test programs of a directory), corpus (cases and modules), fault (mutants that must be detected),
# fuzz (targets and campaigns), slow (over five seconds), tree (checks of the sources). `ctest -L unit` takes less than a minute.
set(slow_tests cli_gate core_adapters_isl_relation_test exhaust_exhaust_test exhaust_scope_test cli_command cli_engine cli_exhaust_lost
  cli_fuzz cli_fuzz_rough core_map_map_test core_analysis_algebra_random_test exhaust_fault_algebra_split_remainder_too_large
  fuzz_memory_graph rewrites install_packages install_tree cli_remedy cli_terminal)
get_directory_property(tests TESTS)
foreach(test ${tests})
  set(label unit)
  if(test MATCHES "^(case|module)_|^rewrites$")
    set(label corpus)
  elseif(test MATCHES "fault|seeded|^fuzz_.*is_found$|_lost$|can_fail$|reduce_table")
    set(label fault)
  elseif(test MATCHES "^(fuzz|replay)_|^cli_fuzz")
    set(label fuzz)
  elseif(test MATCHES "^ci_")
    set(label tree)
  endif()
  if(test IN_LIST slow_tests)
    if(label STREQUAL "unit")
      set(label slow)
    else()
      list(APPEND label slow)
    endif()
  endif()
  set_tests_properties(${test} PROPERTIES LABELS "${label}")
endforeach()
# These measure time by the wall, so nothing else runs beside them.
set_tests_properties(hard_interrupts hard_interrupts_more judge_engine_test PROPERTIES RUN_SERIAL TRUE)
