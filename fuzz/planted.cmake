# Each target finds planted faults: planted_TARGET_FAULT is the target with the faulty copy of one file (corpus/faults/FAULT.fault) in the place of the
# original. With libFuzzer it starts from the saved seeds and goes on with the mutators for a number of executions that takes seconds; without, it
# runs the seeds. It must end in the report of the kind that is given, or, where assertions
# are on, in a failed one. `bench/time-to-find` reads the list from planted.txt.
set(fuzz_planted_list ${CMAKE_BINARY_DIR}/planted.txt)
file(WRITE ${fuzz_planted_list} "")

# The prover under a sanitizer takes a minute for what takes seconds without; its faults are looked for in the ordinary build alone.
# A search ends with the first finding; where that is another face of the fault (a map that grows before one is wrong), the next seed goes on.
function(affirm_fuzz_planted_program target fault kind runs)
  if(AFFIRM_SANITIZE AND target STREQUAL rules)
    return()
  endif()
  set(program planted_${target}_${fault})
  if(AFFIRM_FUZZ)
    add_executable(${program} ${CMAKE_SOURCE_DIR}/fuzz/${target}_target.c ${ARGN})
    target_link_libraries(${program} PRIVATE fuzz_instrumented)
    target_compile_options(${program} PRIVATE ${fuzz_instrumentation})
    target_link_options(${program} PRIVATE ${fuzz_engine})
    set(options "-seed=$seed" -reload=0 -runs=${runs} -max_len=256 -verbosity=0 -artifact_prefix=${CMAKE_BINARY_DIR}/)
  else()
    add_executable(${program} ${CMAKE_SOURCE_DIR}/fuzz/${target}_target.c ${CMAKE_SOURCE_DIR}/fuzz/replay_main.c ${ARGN})
    target_link_libraries(${program} PRIVATE fuzz affirm_flags)
    set(options)
    set(runs 0)
  endif()
  set_target_properties(${program} PROPERTIES LINKER_LANGUAGE CXX)
  list(JOIN options " " words)
  set(scratch ${CMAKE_BINARY_DIR}/fuzz_faults/corpus_${program}) # the first folder is the one that libFuzzer writes to
  add_test(NAME fuzz_${program}_is_found COMMAND sh -c
    "for seed in 1 2 3; do rm -rf ${scratch} && mkdir -p ${scratch} && $<TARGET_FILE:${program}> ${words} ${scratch} ${CMAKE_SOURCE_DIR}/corpus/seeds/${target} 2>&1 | grep -aE '^# fuzz_found_${kind}|Assertion .* failed' && exit 0; done; exit 1")
  file(APPEND ${fuzz_planted_list} "${target} ${fault} ${kind}\n")
endfunction()

# `copy` becomes the path of the faulty copy of a C source. Others make theirs in faults/; a file may be made by one rule alone.
function(affirm_planted_copy fault copy)
  set(description ${CMAKE_SOURCE_DIR}/corpus/faults/${fault}.fault)
  set(path ${CMAKE_BINARY_DIR}/fuzz_faults/${fault}.c)
  execute_process(COMMAND ${CMAKE_SOURCE_DIR}/ci/plant ${description} --file OUTPUT_VARIABLE file OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/fuzz_faults)
  add_custom_command(OUTPUT ${path} COMMAND ${CMAKE_SOURCE_DIR}/ci/plant ${description} ${CMAKE_SOURCE_DIR} ${path}
    DEPENDS ${description} ${CMAKE_SOURCE_DIR}/${file} ${CMAKE_SOURCE_DIR}/ci/plant)
  set(${copy} ${path} PARENT_SCOPE)
endfunction()

# A fault of a C source.
function(affirm_fuzz_planted target fault kind runs)
  affirm_planted_copy(${fault} copy)
  affirm_fuzz_planted_program(${target} ${fault} ${kind} ${runs} ${copy})
endfunction()

# A fault of a rule file: the sources that embed the rules are compiled from a folder in which that file is the faulty one.
function(affirm_fuzz_planted_rule target fault kind runs)
  set(description ${CMAKE_SOURCE_DIR}/corpus/faults/${fault}.fault)
  set(folder ${CMAKE_BINARY_DIR}/fuzz_faults/${fault}/core/rules)
  execute_process(COMMAND ${CMAKE_SOURCE_DIR}/ci/plant ${description} --file OUTPUT_VARIABLE file OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
  file(MAKE_DIRECTORY ${folder})
  file(GLOB originals CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/core/rules/*.rules)
  add_custom_command(OUTPUT ${folder}/engine.c
    COMMAND ${CMAKE_COMMAND} -E copy ${originals} ${CMAKE_SOURCE_DIR}/core/rules/files.def ${folder}
    COMMAND ${CMAKE_SOURCE_DIR}/ci/plant ${description} ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/fuzz_faults/${fault}/${file}
    COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_SOURCE_DIR}/core/rules/engine.c ${folder}/engine.c
    DEPENDS ${description} ${originals} ${CMAKE_SOURCE_DIR}/core/rules/files.def ${CMAKE_SOURCE_DIR}/core/rules/engine.c ${CMAKE_SOURCE_DIR}/ci/plant)
  affirm_fuzz_planted_program(${target} ${fault} ${kind} ${runs} ${folder}/engine.c)
  target_include_directories(planted_${target}_${fault} BEFORE PRIVATE ${CMAKE_BINARY_DIR}/fuzz_faults/${fault})
endfunction()

# A fault of core/mlir lives in the shared object, which is built once more with it.
function(affirm_fuzz_planted_mlir fault kind runs)
  affirm_planted_copy(${fault} copy)
  add_library(mlir_${fault} MODULE ${CMAKE_SOURCE_DIR}/core/mlir/library_main.c ${copy})
  set_target_properties(mlir_${fault} PROPERTIES PREFIX "" LINKER_LANGUAGE CXX BUILD_RPATH ${AFFIRM_LLVM_ROOT}/lib)
  target_link_libraries(mlir_${fault} PRIVATE core_mlir)
  target_link_options(mlir_${fault} PRIVATE -Wl,--exclude-libs,ALL)
  target_compile_definitions(mlir_${fault} PRIVATE AFFIRM_LLVM_VERSION="planted")
  affirm_fuzz_planted_program(mlir ${fault} ${kind} ${runs})
  add_dependencies(planted_mlir_${fault} mlir_${fault})
  set_tests_properties(fuzz_planted_mlir_${fault}_is_found PROPERTIES ENVIRONMENT AFFIRM_MLIR=$<TARGET_FILE:mlir_${fault}>)
endfunction()

affirm_fuzz_planted(graph reverse_off_by_one "(wrong|inexact)" 5000)
affirm_fuzz_planted(graph pad_forgets_interior "(wrong|inexact)" 5000)
affirm_fuzz_planted(simplify constraint_dropped unsound 100000)
affirm_fuzz_planted_rule(simplify mod_upper_bound unsound 100000)
affirm_fuzz_planted_rule(simplify floordiv_upper_bound unsound 100000)
affirm_fuzz_planted_rule(simplify floordiv_of_mod_upper_bound unsound 100000)
affirm_fuzz_planted_rule(simplify common_factor_upper_bound unsound 100000)
affirm_fuzz_planted_rule(simplify constraint_upper_bound unsound 100000)
affirm_fuzz_planted(compose compose_ranges_overlap compose 100000)
affirm_fuzz_planted(compose compose_forgets_constraints "(compose|refused)" 100000)
affirm_fuzz_planted(layout bitcast_order_swapped layout 100000)
affirm_fuzz_planted(rules prove_divisors_believed proved 1000)
affirm_fuzz_planted(rules prove_one_way_only proved 1000)
affirm_fuzz_planted(rules prove_remainder_too_small proved 1000)
affirm_fuzz_planted(rules prove_case_left_out proved 1000)
affirm_fuzz_planted(rules prove_split_without_condition proved 1000)
if(TARGET planted_rules_prove_split_without_condition)
  target_compile_options(planted_rules_prove_split_without_condition PRIVATE -UNDEBUG)
endif()
affirm_fuzz_planted(rules prove_wrong_normal_form proved 1000)
affirm_fuzz_planted_mlir(mlir_ceildiv_floors round_trip 100000)
affirm_fuzz_planted(text map_text_forgets_parentheses map_text 50000)
affirm_fuzz_planted(text rule_text_forgets_parentheses rule_text 50000)
affirm_fuzz_planted(text hlo_text_forgets_layout hlo_text 50000)
