# Tests made of data: a ctest for each case file, and the mutants.

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
  if(module MATCHES "^modules/") # every instruction of every computation, not only those in the root; exact except where the module declares an over-approximation
    set(all --all --exact)
  endif()
  add_test(NAME module_${name} COMMAND affirm check ${all} corpus/${module} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
endforeach()

# The program without a fault: each judge alone must pass the cases that it refutes with one.
affirm_object(mutant_main ${CMAKE_SOURCE_DIR}/corpus/faults/mutant_main.c judge)
add_executable(mutant_none $<TARGET_OBJECTS:mutant_main>)
set_target_properties(mutant_none PROPERTIES LINKER_LANGUAGE CXX)
target_link_libraries(mutant_none PRIVATE judge affirm_flags)

function(affirm_fault_test name program judge cases rules)
  add_test(NAME fault_${name}_${judge} COMMAND ${program} corpus/faults/${cases} ${judge} refuted ${rules}
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  add_test(NAME fault_${name}_${judge}_control COMMAND mutant_none corpus/faults/${cases} ${judge} passes
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
endfunction()

# Both judges on NAME.case; only smt on NAME.large.case, which is too large to enumerate.
function(affirm_fault_tests name program rules)
  affirm_fault_test(${name} ${program} oracle ${name}.case "${rules}")
  affirm_fault_test(${name} ${program} smt ${name}.case "${rules}")
  if(EXISTS ${CMAKE_SOURCE_DIR}/corpus/faults/${name}.large.case)
    affirm_fault_test(${name}_large ${program} smt ${name}.large.case "${rules}")
  endif()
endfunction()

# affirm_fault(NAME): with the fault of that name NAME.case must be refuted.
function(affirm_fault name)
  add_executable(mutant_${name} $<TARGET_OBJECTS:mutant_main>)
  affirm_seed(mutant_${name} ${name})
  set_target_properties(mutant_${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(mutant_${name} PRIVATE judge affirm_flags)
  affirm_fault_tests(${name} mutant_${name} "")
endfunction()

affirm_fault(reverse_off_by_one)
affirm_fault(pad_forgets_interior)
affirm_fault(pad_excess_off_by_one)
affirm_fault(offsets_swapped)
affirm_fault(runtime_bounds_of_no_type)
affirm_fault_tests(mod_upper_bound mutant_none corpus/faults/mod_upper_bound.rules)
affirm_fault(constraint_dropped)
affirm_fault(trace_step_begins_anywhere)

# Rewrites: the graphs of each pair read the same, and each broken twin is refuted.
add_test(NAME rewrites COMMAND ${CMAKE_SOURCE_DIR}/corpus/rewrites/rewrites_test.sh $<TARGET_FILE:affirm>)
add_test(NAME rewrites_values COMMAND ${CMAKE_SOURCE_DIR}/corpus/rewrites/values/values_test.sh $<TARGET_FILE:affirm> $<IF:$<BOOL:${AFFIRM_SANITIZE}>,10,2>)
add_test(NAME foreign_passes COMMAND ${CMAKE_SOURCE_DIR}/corpus/foreign/passes_test.sh $<TARGET_FILE:affirm>)

# affirm_test_fault(NAME TEST LIBRARY WHAT [FUNCTION]): with the fault, the test TEST of LIBRARY must print a line that matches WHAT. Only
# FUNCTION of the test is run.
function(affirm_test_fault name test library what)
  affirm_one_test(mutant_${name} ${test} ${library} affirm_testing)
  affirm_seed(mutant_${name} ${name})
  get_filename_component(stem ${test} NAME_WE)
  add_test(NAME fault_${name} COMMAND ${CMAKE_SOURCE_DIR}/ci/until "${what}" $<TARGET_FILE:mutant_${name}> ${stem} ${ARGN})
endfunction()

# A random test must fail with WHAT (or, with assertions, in an assertion).
function(affirm_random_fault name test library what)
  affirm_test_fault(${name} ${test} ${library} "seed [0-9]+, ${what}|Assertion .* failed")
  set_tests_properties(fault_${name} PROPERTIES ENVIRONMENT AFFIRM_ALGEBRA_MAPS=20000)
endfunction()

function(affirm_algebra_fault name what)
  affirm_random_fault(${name} core/analysis/test/algebra_random_test.c core_analysis ${what})
endfunction()

affirm_random_fault(contained_the_other_way_oracle judge/test/contained_test.c judge "the oracle says")
affirm_random_fault(contained_the_other_way_smt judge/test/contained_test.c judge "smt says")
affirm_test_fault(rebuilt_never_reversed judge/test/algebra_prove_test.c judge "listing says refuted")
affirm_test_fault(evaluation_believes_counts judge/test/algebra_prove_test.c judge "evaluation says proved")
affirm_test_fault(kept_numbers_are_the_answers judge/test/kept_test.c judge "kept: d1, rt1")
affirm_test_fault(kept_in_any_order judge/test/kept_test.c judge "kept: rt1, d1, d0")
affirm_test_fault(opcodes_left_out_are_asked exhaust/test/exhaust_test.c exhaust "left out 0 of [1-9]" other_opcodes_are_left_out)
affirm_test_fault(second_solver_open_confirms judge/test/confirm_rule_test.c judge "0x[0-9a-f]+ != ")
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

# A fault in the code that withdraws results of affirm equiv: equiv_test must report that row WHAT is the same.
function(affirm_equiv_fault name what)
  affirm_test_fault(${name} judge/test/equiv_test.c judge "^${what}: same by")
endfunction()

affirm_equiv_fault(equiv_loops_are_exact gathered_in_another_order)
affirm_equiv_fault(equiv_forgets_devices a_sum_over_other_groups)

# Mutants of the code that states a rule's order: prove_order_test must name the rule whose wrong line is accepted, or is refuted in another
# part.
affirm_test_fault(order_earlier_parts_believed cli/test/prove_order_test.c cli "^rule outgrows")
affirm_test_fault(order_letters_share_nothing cli/test/prove_order_test.c cli "^rule overlaps")
affirm_test_fault(order_constant_is_free cli/test/prove_order_test.c cli "^rule bound-constant")
affirm_test_fault(order_signs_of_magnitudes cli/test/prove_order_test.c cli "^rule sign-kept")

# Mutants of the matcher, and of rules: some simplified maps are wrong, and none of their certificates is accepted.
foreach(name match_multiples_of_any_constant match_coefficient_of_the_first mod_upper_bound floordiv_upper_bound)
  affirm_test_executable(mutant_certificate_${name} ${CMAKE_SOURCE_DIR}/cli/test/map_certificate_test.c cli affirm_testing)
  affirm_seed(mutant_certificate_${name} ${name})
  target_compile_definitions(mutant_certificate_${name} PRIVATE AFFIRM_CHECK="$<TARGET_FILE:affirm-check>")
  add_dependencies(mutant_certificate_${name} affirm-check affirm-check-map)
  add_test(NAME fault_certificate_of_${name} COMMAND ${CMAKE_SOURCE_DIR}/ci/until "^[1-9][0-9]* wrong maps: 0 accepted|Assertion .* failed"
    $<TARGET_FILE:mutant_certificate_${name}> map_certificate_test)
endforeach()
# A step that does not start from the previous state: the checker rejects the certificate of a correct map.
affirm_test_executable(mutant_certificate_trace_constraint_lags ${CMAKE_SOURCE_DIR}/cli/test/map_certificate_test.c cli affirm_testing)
affirm_seed(mutant_certificate_trace_constraint_lags trace_constraint_lags)
target_compile_definitions(mutant_certificate_trace_constraint_lags PRIVATE AFFIRM_CHECK="$<TARGET_FILE:affirm-check>")
add_dependencies(mutant_certificate_trace_constraint_lags affirm-check affirm-check-map)
add_test(NAME fault_certificate_of_trace_constraint_lags COMMAND ${CMAKE_SOURCE_DIR}/ci/until "^[0-9]+ accepted, [1-9][0-9]* rejected"
  $<TARGET_FILE:mutant_certificate_trace_constraint_lags> map_certificate_test)
# Mutants of the claims about operations as rules.
affirm_test_fault(sizes_divisors_believed smt/test/sizes_statements_test.c smt "a divisor may be 0" every_claim_is_stated_with_its_divisors)
affirm_test_fault(sizes_fact_is_a_guard smt/test/sizes_statements_test.c smt "a twin that is wrong by one is proved" a_rule_of_a_wrong_twin_is_not_proved)
affirm_test_fault(coverage_believes_smt cli/test/prove_test.c cli "LOWER: true and false have other values by nobody" coverage_names_witnesses_and_refutations)
affirm_test_fault(confluence_joins_all cli/test/prove_confluence_test.c cli "no line with . longer known" peaks_are_listed_or_fail)

# Mutants of the code that decides values: same_values_test must print the actual result of the row.
affirm_test_fault(values_laws_of_any_grade oracle/test/laws_rows_test.c oracle "a law of another grade was used")
set_tests_properties(fault_values_laws_of_any_grade PROPERTIES ENVIRONMENT AFFIRM_FEW=1) # the laws themselves are checked without the mutant
foreach(fault values_inverses_below_normal laws_forget_the_smallest_floats laws_forget_scales laws_forget_small_integers)
  set(says_values_inverses_below_normal "f16 divide.x, c. by 32768")
  set(says_laws_forget_the_smallest_floats "law q")
  set(says_laws_forget_scales "law r")
  set(says_laws_forget_small_integers "law s")
  affirm_test_fault(${fault} oracle/test/laws_rows_test.c oracle "${says_${fault}}")
  set_tests_properties(fault_${fault} PROPERTIES ENVIRONMENT AFFIRM_FEW=1)
endforeach()
affirm_test_fault(values_parts_joined_in_any_order oracle/test/values_parts_test.c oracle "^bytes_joined_the_other_way_round: same values")
affirm_test_fault(values_parts_from_the_highest oracle/test/values_parts_test.c oracle "^highest_byte: different")
affirm_test_fault(values_branches_clamp oracle/test/values_parts_test.c oracle "^branches_by_number: different")
affirm_test_fault(values_selects_the_last oracle/test/values_parts_test.c oracle "^selected_in_windows: different")
affirm_test_fault(smt_bits_are_numbers smt/test/same_values_test.c smt "^bits_of_another_sign_are_another_number")
affirm_test_fault(smt_values_part_of_an_index smt/test/values_tables_test.c smt "other elements are proved")
affirm_test_fault(smt_values_cut_cases_are_whole smt/test/values_claims_test.c smt "proved within")
affirm_test_fault(values_few_bits_of_any_fold oracle/test/values_tries_test.c oracle "^an initial value that is not neutral may be used again: same values")
affirm_test_fault(values_any_operands_sorted oracle/test/same_values_test.c oracle "^exchanged_subtract: same values")
affirm_test_fault(values_kernel_not_reversed oracle/test/same_values_test.c oracle "^reversed_kernel: same values")
affirm_test_fault(values_unknown_refutes oracle/test/same_values_test.c oracle "^a_call_that_nobody_knows: different")
affirm_test_fault(values_sums_have_one_order oracle/test/same_values_test.c oracle "^sum_that_cancels_by_one_order: different")
affirm_test_fault(values_rounding_compares oracle/test/rounding_test.c oracle "^compare: different")
affirm_test_fault(values_rounding_has_no_poles oracle/test/rounding_test.c oracle "^a quotient by a difference: different")
affirm_test_fault(values_rounding_picks oracle/test/rounding_test.c oracle "^a choice by it: different")
affirm_test_fault(values_edges_meet_edges oracle/test/values_tries_test.c oracle "^the lowest of 32 bits beside a number: same reads")
affirm_test_fault(values_roots_not_tried oracle/test/values_tries_test.c oracle "^the smallest negative square: fewer reads")
affirm_test_fault(values_reads_not_compared oracle/test/same_values_test.c oracle "^nothing_is_read: same reads")
affirm_test_fault(values_loops_of_any_length oracle/test/same_values_test.c oracle "^loop_runs_once_more: same values")
affirm_test_fault(values_scatter_is_clamped oracle/test/same_values_test.c oracle "^scatter_is_not_clamped: same")
affirm_test_fault(values_bitcast_forgets_layouts oracle/test/same_values_test.c oracle "^bitcast_by_layouts: different")
affirm_test_fault(values_bitcast_of_the_first_array oracle/test/same_values_test.c oracle "^bitcast_of_a_tuple_of_equals: same values")
affirm_test_fault(values_loops_run_once_less oracle/test/same_values_test.c oracle "^loop_that_is_written_out: different")
affirm_test_fault(values_offsets_never_wrap oracle/test/same_values_test.c oracle "^offset_that_wraps_around: same values")
affirm_test_fault(values_sums_past_the_digits oracle/test/constant_sums_test.c oracle "^sum_of_more_than_all_digits: ")
affirm_test_fault(smt_precisions_stay smt/test/precision_values_test.c smt "turned, are the same")
affirm_test_fault(values_loops_split_no_class oracle/test/same_values_test.c oracle "^loop_body_is_another: same values")

# Mutants of the search for reads after writes: hazards_test must print the actual result of the module.
affirm_test_fault(hazard_window_offset_is_any judge/test/hazards_test.c judge "^window_at_run_time.hlo: 2")
affirm_test_fault(hazard_offsets_are_free oracle/test/hazard_test.c oracle "^ERROR: s8, written at .*: 1")
affirm_test_fault(hazard_one_output_alone judge/test/hazards_test.c judge "^two_outputs_in_one_kernel.hlo: 2")
affirm_test_fault(hazard_reads_come_first judge/test/hazards_test.c judge "^running_sum.hlo: 0")
affirm_test_fault(hazard_any_update_is_in_place judge/test/hazards_test.c judge "^update_of_another_array.hlo: 1, element .1., window")
affirm_test_fault(hazard_forgets_what_runs_after judge/test/hazards_test.c judge "^reader_after_the_update.hlo: 0")
affirm_test_fault(hazard_forgets_loops judge/test/hazards_test.c judge "^leaf_of_a_loop.hlo: 2")
affirm_test_fault(hazard_updates_lead_to_the_output judge/test/hazards_test.c judge "^old_value_beside_the_new_one.hlo: 0")
affirm_test_fault(hazard_offset_is_read_first judge/test/hazards_test.c judge "^offset_in_the_buffer.hlo: 0")
affirm_test_fault(hazard_outputs_are_apart judge/test/hazards_test.c judge "^two_outputs_in_one_buffer.hlo: 0")
affirm_test_fault(hazard_operands_are_apart judge/test/hazards_test.c judge "^one_buffer_as_two_operands.hlo: 0")
affirm_test_fault(hazard_reshapes_keep_memory judge/test/hazards_test.c judge "^reshape_into_another_layout.hlo: 0")
affirm_test_fault(hazard_asynchronous_reads_are_over judge/test/hazards_test.c judge "^copy_that_ends_after_the_update.hlo: 2")
affirm_test_fault(hazard_forgets_exchanges judge/test/hazards_test.c judge "^loop_that_exchanges_arrays.hlo: 0")
affirm_test_fault(hazard_callees_only_read judge/test/hazards_test.c judge "^reader_after_a_call_that_updates.hlo: 0")
affirm_test_fault(hazard_conditions_only_read judge/test/hazards_test.c judge "^condition_that_updates.hlo: 0")
affirm_test_fault(hazard_calls_return_new_arrays judge/test/hazards_test.c judge "^reader_of_an_operand_that_a_call_returns.hlo: 0")
affirm_test_fault(hazard_fused_scatters_are_new judge/test/hazards_test.c judge "^reader_after_a_fused_scatter.hlo: 0")
affirm_test_fault(hazard_arrays_are_taken_once judge/test/hazards_test.c judge "^loop_of_one_array_twice.hlo: 0")

# Mutants of the records that watch keeps of a step, and of the reduction of a wrong step.
affirm_test_fault(watch_record_without_sum watch/test/record_test.c watch "a line that is")
affirm_test_fault(watch_record_forgets_tabs watch/test/record_test.c watch "FAILED .*what_is_printed_is_parsed")
affirm_test_fault(smaller_drops_the_output watch/test/smaller_test.c watch "were made small")
affirm_test_fault(values_first_offset_alone oracle/test/same_values_test.c oracle "^offsets_added: same values")
affirm_test_fault(values_inputs_meet oracle/test/same_values_test.c oracle "^elements_that_trade_places: unknown")
affirm_test_fault(values_small_numbers_alone oracle/test/same_values_test.c oracle "^the_bound_itself: same reads")
affirm_test_fault(values_large_at_any_element oracle/test/values_witness_test.c oracle "FAILED .*a_difference_of_a_large_array_is_the_smallest")
affirm_test_fault(values_inputs_dropped oracle/test/values_witness_test.c oracle "every input that is read is zero")
affirm_test_fault(values_ring_forgets_signs oracle/test/same_values_test.c oracle "^a_product_of_a_difference: same values")
affirm_test_fault(values_any_conversion_keeps oracle/test/same_values_test.c oracle "^an_integer_that_no_float_holds: same values")
affirm_test_fault(values_ties_are_stable oracle/test/same_values_test.c oracle "^companions_of_equal_keys: different")

# Mutants of smt's proofs of values: smt's same_values_test must print the actual result of the row.
function(affirm_proof_fault name what)
  affirm_test_fault(${name} smt/test/same_values_test.c smt "^${what}")
endfunction()

affirm_proof_fault(smt_values_into_is_onto "reduction_of_a_part: proved")
affirm_proof_fault(smt_bitcast_of_the_first_array "bitcast_of_a_tuple_of_equals: proved")
affirm_proof_fault(smt_values_first_branch_alone "branches_exchanged_with_their_predicate: refuted")
affirm_proof_fault(smt_values_open_passes "sum_with_an_open_part: proved")
affirm_proof_fault(smt_values_outside_its_constraints "concatenation_before_a_reshape: refuted")
affirm_proof_fault(smt_values_effects_twice "two_draws_for_one: proved")
affirm_proof_fault(anything_is_sent "another_value_is_sent: proved")
affirm_proof_fault(smt_values_any_attributes "another_direction: proved")
affirm_proof_fault(smt_values_functions_forget_dimensions "reduction_past_all_formulas: proved")
affirm_proof_fault(smt_values_laws_of_any_grade "sum_of_sums_of_floats: proved")
affirm_proof_fault(smt_values_inner_folds_begin_anywhere "sum_of_sums_that_begin_at_one: proved")
affirm_proof_fault(smt_values_any_constant_is_neutral "sum_of_sums_of_ones_around: proved")
affirm_test_fault(equiv_values_no_contradiction judge/test/equiv_values_test.c judge "^evaluated_and_proved: different by oracle")

# A fault in the handling of stateful operations and of bounded sizes: equiv_states_test must report that row WHAT has the same values.
function(affirm_states_fault name what)
  affirm_test_fault(${name} judge/test/equiv_states_test.c judge "^${what}: same values")
endfunction()

affirm_states_fault(values_states_of_one_graph the_second_draw_for_both)
affirm_states_fault(stateful_calls_once calls_of_one_draw)
affirm_states_fault(stateful_loops_once draws_of_two_rounds)
affirm_states_fault(stateful_without_effects effects_are_two)
affirm_states_fault(effects_may_be_lost an_outfeed_that_is_lost)
affirm_states_fault(smt_effects_in_any_order effects_exchanged)
affirm_states_fault(effects_send_anything an_outfeed_of_another_value)
affirm_states_fault(attributes_may_be_unknown attribute_that_nobody_knows)
affirm_states_fault(namesakes_are_one namesakes_are_two)
affirm_states_fault(channels_are_one channels_exchanged_without_sends)
affirm_states_fault(bounded_sizes_are_known behind_a_bound)
affirm_states_fault(bounded_inside_a_row inner_bound_in_a_row)
affirm_states_fault(bounded_stated_shape_decides a_bound_that_a_copy_drops)
affirm_states_fault(bounded_sizes_are_one zeros_as_many_as_other_elements)
affirm_states_fault(bounded_parameter_is_as_large a_parameter_with_a_bound)

affirm_test_fault(exchange_names_devices judge/test/exchanges_test.c judge "^the map is not exact")
affirm_test_fault(exchange_shares_offsets judge/test/exchanges_test.c judge "^another device has this device's offsets")
affirm_test_fault(sets_of_any_device judge/test/exchanges_test.c judge "^the simulated relation is wrong")
affirm_test_fault(smt_walk_stays_on_device judge/test/exchanges_test.c judge "^the simulated relation is wrong")
affirm_test_fault(recorded_sentence_changes judge/test/recorded_test.c judge "^recorded: ")
affirm_test_fault(smt_groups_are_sets_of_first_devices judge/test/equiv_devices_test.c judge "the oracle open, smt same")
affirm_test_fault(values_group_order_forgotten judge/test/equiv_devices_test.c judge "the oracle same, smt open")

# A fault in the code that runs programs: process_test must fail at WHAT.
function(affirm_process_fault name what)
  affirm_test_fault(${name} core/base/test/process_test.c core_base "FAILED  . ${what}$" ${what})
endfunction()

affirm_process_fault(program_without_deadline a_deadline_by_the_wall_ends_what_sleeps)
affirm_process_fault(program_leaves_its_group a_group_ends_with_its_leader)

# A fault in smt's semantics: hlo_relation_test must report that row WHAT has an unexpected result.
function(affirm_semantics_fault name what)
  affirm_test_fault(${name} smt/test/hlo_relation_test.c smt "^${what}; wanted ")
endfunction()

affirm_semantics_fault(smt_any_value_occurs "dynamic_slice_of_masked_bits: WRONG, .*")
affirm_semantics_fault(smt_kernel_on_padding "convolution_kernel_on_padding: EXACT, .*")
affirm_semantics_fault(smt_window_outside_in_part "scatter_window_outside_in_part: EXACT, .*")
affirm_semantics_fault(smt_scatter_own_input_alone "scatter_other_input_left_out: EXACT, .*")
affirm_semantics_fault(smt_other_triangle "cholesky_other_triangle: EXACT, .*")
affirm_semantics_fault(smt_reads_ones "triangular_solve_with_the_ones: EXACT, .*")
affirm_semantics_fault(smt_sizes_up_to_its_own "ragged_dot_contracted_sizes_up_to_its_own: EXACT, .*")
affirm_test_fault(smt_shift_of_a_positive_number smt/test/hlo_value_test.c smt "shift-right-arithmetic of 128 and 1 is 192, not 64")

# A new judge is one file and one row: builds the judges again with one more row and one more file, and no other change.
set(one_more ${CMAKE_SOURCE_DIR}/corpus/one_more_judge)
set(table ${CMAKE_BINARY_DIR}/generated/one_more_judge/judge/obligations/judges.def)
add_custom_command(OUTPUT ${table} COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/generated/one_more_judge/judge/obligations
  COMMAND sh -c "cat '${CMAKE_SOURCE_DIR}/judge/obligations/judges.def' '${one_more}/judges_row.def' >'${table}'"
  DEPENDS ${CMAKE_SOURCE_DIR}/judge/obligations/judges.def ${one_more}/judges_row.def)
get_target_property(judge_sources judge SOURCES)
add_executable(one_more_judge ${one_more}/one_more_judge_main.c ${one_more}/by_contrary.c ${judge_sources} ${table})
target_include_directories(one_more_judge BEFORE PRIVATE ${CMAKE_BINARY_DIR}/generated/one_more_judge)
get_target_property(judge_libraries judge LINK_LIBRARIES)
set_target_properties(one_more_judge PROPERTIES LINKER_LANGUAGE CXX)
target_link_libraries(one_more_judge PRIVATE ${judge_libraries})
set_target_properties(one_more_judge PROPERTIES AFFIRM_SEEDED one_more_judge) # builds all judges again, as a mutant of them does
add_test(NAME ci_one_more_judge COMMAND one_more_judge)

add_test(NAME foreign_findings COMMAND ${CMAKE_SOURCE_DIR}/corpus/foreign/findings_test.sh $<TARGET_FILE:affirm> ${CMAKE_SOURCE_DIR})
set_tests_properties(foreign_findings PROPERTIES LABELS corpus)
