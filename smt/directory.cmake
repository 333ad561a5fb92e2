# The solver's library and SQLite's are opened on first use (ci/cmake/Affirm.cmake).
if(AFFIRM_Z3_FILE)
  set_source_files_properties(${CMAKE_SOURCE_DIR}/smt/solver/z3_library.c PROPERTIES COMPILE_DEFINITIONS AFFIRM_Z3_FILE="${AFFIRM_Z3_FILE}")
endif()
if(AFFIRM_SQLITE_FILE)
  set_source_files_properties(${CMAKE_SOURCE_DIR}/smt/solver/sqlite_library.c PROPERTIES COMPILE_DEFINITIONS AFFIRM_SQLITE_FILE="${AFFIRM_SQLITE_FILE}")
endif()

# Mutants of the prover, each of which prove_mutation_test must detect. Assertions are on, so that lemma instances are evaluated
# on random integers when they are created.
function(affirm_prover_fault name)
  affirm_test_executable(mutant_prove_${name} ${CMAKE_SOURCE_DIR}/smt/rules/test/prove_mutation_test.c smt affirm_testing)
  affirm_seed(mutant_prove_${name} prove_${name})
  target_compile_options(mutant_prove_${name} PRIVATE -UNDEBUG)
  add_test(NAME fault_prove_${name} COMMAND ${CMAKE_SOURCE_DIR}/ci/until
    "proved, and false|false at a witness|has a witness|Assertion .lemma|refutation of a closed case|Assertion .ring->overflow"
    $<TARGET_FILE:mutant_prove_${name}> prove_mutation_test)
endfunction()

foreach(name split_without_condition remainder_too_small one_way_only divisors_believed case_left_out wrong_normal_form)
  affirm_prover_fault(${name})
endforeach()
