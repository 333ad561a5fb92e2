# Tests that are data: a ctest for each case file, and the planted faults.

file(GLOB_RECURSE cases CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/corpus ${CMAKE_SOURCE_DIR}/corpus/*.case)
foreach(case ${cases})
  string(REGEX REPLACE "\\.case$" "" name ${case})
  string(REPLACE / _ name ${name})
  add_test(NAME case_${name} COMMAND affirm check corpus/${case} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
endforeach()

file(GLOB_RECURSE modules CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/corpus ${CMAKE_SOURCE_DIR}/corpus/*.hlo)
list(FILTER modules EXCLUDE REGEX "^seeds/")
foreach(module ${modules})
  string(REGEX REPLACE "\\.hlo$" "" name ${module})
  string(REPLACE / _ name ${name})
  set(all "")
  if(module MATCHES "^modules/") # every instruction of every computation, not what stands in the root alone; exact but for what the module names
    set(all --all --exact)
  endif()
  add_test(NAME module_${name} COMMAND affirm check ${all} corpus/${module} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
endforeach()

# The program without a fault: each judge alone must pass what it refutes with one.
add_executable(planted_none ${CMAKE_SOURCE_DIR}/corpus/faults/planted_main.c)
set_target_properties(planted_none PROPERTIES LINKER_LANGUAGE CXX)
target_link_libraries(planted_none PRIVATE judge affirm_flags)

function(affirm_fault_test name program judge cases rules)
  add_test(NAME fault_${name}_${judge} COMMAND ${program} corpus/faults/${cases} ${judge} refuted ${rules}
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  add_test(NAME fault_${name}_${judge}_control COMMAND planted_none corpus/faults/${cases} ${judge} passes
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
endfunction()

# Both judges on NAME.case; on NAME.large.case, too large to enumerate, smt.
function(affirm_fault_tests name program rules)
  affirm_fault_test(${name} ${program} oracle ${name}.case "${rules}")
  affirm_fault_test(${name} ${program} smt ${name}.case "${rules}")
  if(EXISTS ${CMAKE_SOURCE_DIR}/corpus/faults/${name}.large.case)
    affirm_fault_test(${name}_large ${program} smt ${name}.large.case "${rules}")
  endif()
endfunction()

# affirm_fault(NAME): with the fault of that name NAME.case must be refuted.
function(affirm_fault name)
  add_executable(planted_${name} ${CMAKE_SOURCE_DIR}/corpus/faults/planted_main.c)
  affirm_plant(planted_${name} ${name})
  set_target_properties(planted_${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(planted_${name} PRIVATE judge affirm_flags)
  affirm_fault_tests(${name} planted_${name} "")
endfunction()

affirm_fault(reverse_off_by_one)
affirm_fault(pad_forgets_interior)
affirm_fault(offsets_swapped)
affirm_fault(runtime_bounds_of_no_type)
affirm_fault_tests(mod_upper_bound planted_none corpus/faults/mod_upper_bound.rules)
affirm_fault(constraint_dropped)

# Rewrites: each pair reads the same, each broken twin is refuted.
add_test(NAME rewrites COMMAND ${CMAKE_SOURCE_DIR}/corpus/rewrites/rewrites_test.sh $<TARGET_FILE:affirm>)
add_test(NAME rewrites_values COMMAND ${CMAKE_SOURCE_DIR}/corpus/rewrites/values/values_test.sh $<TARGET_FILE:affirm>)

# affirm_test_fault(NAME TEST LIBRARY WHAT): with the fault the test TEST of LIBRARY must print a line that matches WHAT.
function(affirm_test_fault name test library what)
  affirm_test_executable(planted_${name} ${CMAKE_SOURCE_DIR}/${test} ${library} affirm_testing)
  affirm_plant(planted_${name} ${name})
  get_filename_component(stem ${test} NAME_WE)
  add_test(NAME fault_${name} COMMAND sh -c "$<TARGET_FILE:planted_${name}> ${stem} 2>&1 | grep -aE '${what}'")
endfunction()

# A random test must end in the failure that says WHAT (or, with assertions, in one of those).
function(affirm_random_fault name test library what)
  affirm_test_fault(${name} ${test} ${library} "seed [0-9]+, ${what}|Assertion .* failed")
  set_tests_properties(fault_${name} PROPERTIES ENVIRONMENT AFFIRM_ALGEBRA_MAPS=20000)
endfunction()

function(affirm_algebra_fault name what)
  affirm_random_fault(${name} core/analysis/test/algebra_random_test.c core_analysis ${what})
endfunction()

affirm_random_fault(contained_the_other_way_oracle judge/test/contained_test.c judge "the oracle says")
affirm_random_fault(contained_the_other_way_smt judge/test/contained_test.c judge "smt says")
affirm_test_fault(join_hears_two core/base/test/verdict_test.c core_base "the second and the third are not compared")
affirm_test_fault(join_forgets_extra core/base/test/verdict_test.c core_base "EXACT and EXTRA")
affirm_algebra_fault(algebra_counts_half_a_part miscounted)
affirm_algebra_fault(algebra_split_remainder_too_large miscounted)
affirm_algebra_fault(algebra_corner_is_the_domain "not injective")
affirm_algebra_fault(algebra_onto_a_larger_box "not bijective")
affirm_algebra_fault(algebra_inverse_forgets_bounds "inverse of other points")
affirm_algebra_fault(algebra_rescale_loses_the_last rescaled)
affirm_algebra_fault(algebra_drops_restricted_runtime "a restricted runtime variable is gone")
affirm_algebra_fault(algebra_drops_constrained_dims "without dimensions")
affirm_algebra_fault(algebra_ranges_backwards "with ranges as dimensions")
affirm_algebra_fault(algebra_sub_map_repeats sub-map)
affirm_random_fault(columns_product_of_negatives oracle/test/columns_test.c oracle "(wide vectors|any machine)")
affirm_random_fault(columns_division_one_too_far oracle/test/columns_test.c oracle "(wide vectors|any machine)")
affirm_random_fault(columns_remainder_not_moved oracle/test/columns_test.c oracle "(wide vectors|any machine)")

# Planted in what withdraws answers of affirm equiv, equiv_test must say of the row WHAT that it is the same.
function(affirm_equiv_fault name what)
  affirm_test_fault(${name} judge/test/equiv_test.c judge "^${what}: same by")
endfunction()

affirm_equiv_fault(equiv_loops_are_exact loops_of_other_bodies_prove_nothing)
affirm_equiv_fault(equiv_forgets_devices a_sum_over_other_groups)

# Mutants of what decides values: same_values_test must say of the row what came instead.
affirm_test_fault(values_laws_of_any_grade oracle/test/laws_test.c oracle "a law of another grade was used")
affirm_test_fault(values_any_operands_sorted oracle/test/same_values_test.c oracle "^exchanged_subtract: same values")
affirm_test_fault(values_kernel_not_reversed oracle/test/same_values_test.c oracle "^reversed_kernel: same values")
affirm_test_fault(values_unknown_refutes oracle/test/same_values_test.c oracle "^a_call_that_nobody_knows: different")
affirm_test_fault(values_reads_not_compared oracle/test/same_values_test.c oracle "^nothing_is_read: same reads")
affirm_test_fault(values_first_offset_alone oracle/test/same_values_test.c oracle "^offsets_added: same values")
affirm_test_fault(values_small_numbers_alone oracle/test/same_values_test.c oracle "^the_lowest_number: fewer reads")

# Planted in what runs programs, process_test must fail where it says WHAT.
function(affirm_process_fault name what)
  affirm_test_fault(${name} core/base/test/process_test.c core_base "FAILED  . ${what}$")
endfunction()

affirm_process_fault(program_without_deadline a_deadline_by_the_wall_ends_what_sleeps)
affirm_process_fault(program_leaves_its_group a_group_ends_with_its_leader)

# Planted in smt's semantics, hlo_relation_test must say of the row WHAT that it came out otherwise than it should.
function(affirm_semantics_fault name what)
  affirm_test_fault(${name} smt/test/hlo_relation_test.c smt "^${what}; wanted ")
endfunction()

affirm_semantics_fault(smt_kernel_on_padding "convolution_kernel_on_padding: EXACT, .*")
affirm_semantics_fault(smt_window_outside_in_part "scatter_window_outside_in_part: EXACT, .*")
affirm_semantics_fault(smt_scatter_own_input_alone "scatter_other_input_left_out: EXACT, .*")
affirm_semantics_fault(smt_other_triangle "cholesky_other_triangle: EXACT, .*")
affirm_semantics_fault(smt_reads_ones "triangular_solve_with_the_ones: EXACT, .*")
affirm_semantics_fault(smt_sizes_up_to_its_own "ragged_dot_contracted_sizes_up_to_its_own: EXACT, .*")
affirm_test_fault(smt_shift_of_a_positive_number smt/test/hlo_value_test.c smt "shift-right-arithmetic of 128 and 1 is 192, not 64")
