# Side-by-side measurements. They are built when asked for and are no tests: cmake --build build --target bench_simplify
function(affirm_bench name)
  cmake_parse_arguments(arg "" "" "LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/bench/${name}.c ${CMAKE_SOURCE_DIR}/bench/${name}_*.c)
  add_executable(bench_${name} EXCLUDE_FROM_ALL ${sources})
  set_target_properties(bench_${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(bench_${name} PRIVATE ${arg_LINK} affirm_flags)
  target_compile_definitions(bench_${name} PRIVATE AFFIRM_DATA_DIR="${CMAKE_SOURCE_DIR}/../shared/data")
endfunction()

affirm_bench(simplify LINK core_index affirm_isl)
affirm_bench(exhaust LINK judge core_mlir_load)
affirm_bench(evaluate LINK oracle core_mlir_load)
target_compile_options(bench_evaluate PRIVATE -O3 -march=native)
