# Each fuzz/targets/NAME_target.c becomes replay_NAME, which runs the saved inputs, and, with libFuzzer, fuzz_NAME. Code whose coverage guides
# the fuzzer is compiled a second time with instrumentation. The product's libraries stay without it, and so do the judges: their branches
# tell nothing about the engine and would take most of the time. LIB_FUZZING_ENGINE, which fuzzing services set, replaces libFuzzer if it is
# set. With AFFIRM_GUIDED=OFF only the generators guide it, so that the engine is compiled once.

set(fuzz_directories generate fuzz)
if(AFFIRM_GUIDED)
  list(APPEND fuzz_directories core/base core/expr core/hlo core/map core/rules core/simplify core/index core/analysis)
endif()
set(fuzz_sources)
foreach(directory ${fuzz_directories})
  file(GLOB_RECURSE found CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${directory}/*.c)
  list(FILTER found EXCLUDE REGEX "/test/|_test\\.c$|_target\\.c$|_main\\.c$")
  list(APPEND fuzz_sources ${found})
endforeach()

if(DEFINED ENV{LIB_FUZZING_ENGINE})
  set(fuzz_engine $ENV{LIB_FUZZING_ENGINE})
  set(fuzz_instrumentation)
else()
  # libFuzzer intercepts strcmp and the like to learn words. Those of the program's own sources stay; the solver compares names of its
  # parameters in every context, so shared libraries keep their own functions.
  set(fuzz_engine -fsanitize=fuzzer
    -Wl,--exclude-libs,libclang_rt.fuzzer_interceptors-${CMAKE_SYSTEM_PROCESSOR}.a:libclang_rt.fuzzer_interceptors.a)
  # Only edges are instrumented: recording comparisons helps to find words of texts, which the dictionary does too, and would cost a
  # fifth of every execution.
  set(fuzz_instrumentation -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp)
endif()

if(AFFIRM_FUZZ)
  add_library(fuzz_instrumented STATIC EXCLUDE_FROM_ALL ${fuzz_sources})
  target_link_libraries(fuzz_instrumented PUBLIC affirm_flags oracle smt judge core_adapters_mlir_load)
  target_compile_options(fuzz_instrumented PUBLIC ${fuzz_instrumentation})
  if(AFFIRM_UNITY) # batched like the directories
    set_target_properties(fuzz_instrumented PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP UNITY_BUILD_CODE_BEFORE_INCLUDE "#define _GNU_SOURCE")
  endif()
endif()

file(GLOB fuzz_targets CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/fuzz/targets/*_target.c)
foreach(source ${fuzz_targets})
  get_filename_component(name ${source} NAME_WE)
  string(REGEX REPLACE "_target$" "" name ${name})
  add_executable(replay_${name} ${source} ${CMAKE_SOURCE_DIR}/fuzz/targets/replay_main.c)
  target_link_libraries(replay_${name} PRIVATE fuzz affirm_flags)
  set_target_properties(replay_${name} PROPERTIES LINKER_LANGUAGE CXX)
  add_test(NAME replay_${name} COMMAND replay_${name} ${CMAKE_SOURCE_DIR}/corpus/seeds/${name})
  if(name STREQUAL mlir)
    add_dependencies(replay_mlir affirm_mlir_object)
  endif()
  if(AFFIRM_FUZZ)
    affirm_object(fuzz_${name}_object ${source} fuzz_instrumented)
    add_executable(fuzz_${name} $<TARGET_OBJECTS:fuzz_${name}_object>)
    target_link_libraries(fuzz_${name} PRIVATE fuzz_instrumented)
    target_link_options(fuzz_${name} PRIVATE ${fuzz_engine})
    set_target_properties(fuzz_${name} PROPERTIES LINKER_LANGUAGE CXX)
  endif()
endforeach()

# A peer that converts nothing back is found.
add_executable(replay_mlir_never_back ${CMAKE_SOURCE_DIR}/fuzz/targets/mlir_target.c ${CMAKE_SOURCE_DIR}/fuzz/targets/replay_main.c
  ${CMAKE_SOURCE_DIR}/fuzz/test/mlir_never_back.c)
target_link_libraries(replay_mlir_never_back PRIVATE fuzz affirm_flags)
target_link_options(replay_mlir_never_back PRIVATE -Wl,--wrap=harness_peer)
set_target_properties(replay_mlir_never_back PROPERTIES LINKER_LANGUAGE CXX)
add_dependencies(replay_mlir_never_back affirm_mlir_object)
add_test(NAME fuzz_mlir_never_back_is_found COMMAND ${CMAKE_SOURCE_DIR}/ci/until "^# fuzz_found_round_trip"
  $<TARGET_FILE:replay_mlir_never_back> ${CMAKE_SOURCE_DIR}/corpus/seeds/mlir)

# Builds what the gate runs, without programs that only tests need.
add_custom_target(affirm_gate DEPENDS affirm affirm-engine-host)
foreach(source ${fuzz_targets})
  get_filename_component(name ${source} NAME_WE)
  string(REGEX REPLACE "_target$" "" name ${name})
  if(TARGET fuzz_${name})
    add_dependencies(affirm_gate fuzz_${name})
  endif()
endforeach()

include(${CMAKE_SOURCE_DIR}/fuzz/mutants.cmake)

if(NOT AFFIRM_SANITIZE) # a sanitizer does not return freed memory
  foreach(name graph simplify compose layout text)
    add_test(NAME fuzz_memory_${name} COMMAND ${CMAKE_SOURCE_DIR}/fuzz/test/memory_test.sh $<TARGET_FILE:replay_${name}> ${CMAKE_SOURCE_DIR}/corpus/seeds/${name})
  endforeach()
endif()

include(${CMAKE_SOURCE_DIR}/reduce/reduce.cmake)

if(AFFIRM_FUZZ)
  add_executable(bench_fuzz_empty EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/bench/fuzz_empty.c)
  target_link_libraries(bench_fuzz_empty PRIVATE affirm_flags)
  target_compile_options(bench_fuzz_empty PRIVATE ${fuzz_instrumentation})
  target_link_options(bench_fuzz_empty PRIVATE ${fuzz_engine})
  set_target_properties(bench_fuzz_empty PROPERTIES LINKER_LANGUAGE CXX)
endif()

add_test(NAME fuzz_service_targets COMMAND ${CMAKE_SOURCE_DIR}/ci/oss-fuzz/build_test.sh targets)
# Rebuilds everything, so it runs only on request: ctest -C Service -R fuzz_service
foreach(mode address undefined coverage afl)
  add_test(NAME fuzz_service_${mode} COMMAND ${CMAKE_SOURCE_DIR}/ci/oss-fuzz/build_test.sh ${mode} CONFIGURATIONS Service)
  set_tests_properties(fuzz_service_${mode} PROPERTIES SKIP_REGULAR_EXPRESSION "^skipped: " TIMEOUT 3600)
endforeach()
# Rebuilds with coverage, only on request: ctest -C Coverage -R fuzz_coverage
add_test(NAME fuzz_coverage COMMAND ${CMAKE_SOURCE_DIR}/ci/coverage CONFIGURATIONS Coverage)
