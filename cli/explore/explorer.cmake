# The target explorer: the WebAssembly module and the page that contains it. Without the packages the target does not exist, and its test reports
# that.
execute_process(COMMAND ${CMAKE_C_COMPILER} -print-resource-dir OUTPUT_VARIABLE resources OUTPUT_STRIP_TRAILING_WHITESPACE)
find_file(AFFIRM_WASI_LIBC lib/wasm32-wasi/libc.a PATHS /usr NO_DEFAULT_PATH)
find_file(AFFIRM_WASI_RUNTIME libclang_rt.builtins-wasm32.a PATHS ${resources}/lib/wasi NO_DEFAULT_PATH)
find_program(AFFIRM_WASM_LLD wasm-ld HINTS /usr/lib/llvm-${affirm_clang_major}/bin)
set(explorer ${CMAKE_BINARY_DIR}/explorer)
if(AFFIRM_WASI_LIBC AND AFFIRM_WASI_RUNTIME AND AFFIRM_WASM_LLD AND NOT AFFIRM_SANITIZE)
  file(GLOB_RECURSE explorer_parts CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/docs/explorer/* ${CMAKE_SOURCE_DIR}/cli/report/page/*)
  # Always runs: the build of the inner project tracks its own dependencies.
  add_custom_target(explorer_module
    COMMAND ${CMAKE_COMMAND} -S ${CMAKE_SOURCE_DIR}/cli/explore/wasm -B ${explorer}/module -G ${CMAKE_GENERATOR} -DCMAKE_C_COMPILER=${CMAKE_C_COMPILER}
      -DCMAKE_C_COMPILER_LAUNCHER=${CMAKE_C_COMPILER_LAUNCHER} --log-level=WARNING
    COMMAND ${CMAKE_COMMAND} --build ${explorer}/module
    BYPRODUCTS ${explorer}/module/explorer.wasm VERBATIM USES_TERMINAL)
  add_custom_command(OUTPUT ${explorer}/index.html
    COMMAND ${CMAKE_SOURCE_DIR}/docs/explorer/assemble.sh ${CMAKE_SOURCE_DIR} ${explorer}/module/explorer.wasm ${explorer}/index.html ${PROJECT_VERSION}
    DEPENDS ${explorer}/module/explorer.wasm ${explorer_parts} VERBATIM)
  add_custom_target(explorer ALL DEPENDS ${explorer}/index.html)
  add_dependencies(explorer explorer_module)
  install(FILES ${explorer}/index.html DESTINATION share/affirm/explorer COMPONENT command)
endif()
foreach(shard RANGE 5)
  add_test(NAME cli_explorer_${shard} COMMAND ${CMAKE_SOURCE_DIR}/cli/test/explorer_test.sh $<TARGET_FILE:affirm> ${CMAKE_SOURCE_DIR} ${explorer} ${shard} 6 $<TARGET_FILE:affirm_pad_excess_off_by_one>)
  set_tests_properties(cli_explorer_${shard} PROPERTIES SKIP_RETURN_CODE 77)
endforeach()
add_test(NAME cli_explorer_page COMMAND ${CMAKE_SOURCE_DIR}/cli/test/explorer_page_test.sh $<TARGET_FILE:affirm> ${CMAKE_SOURCE_DIR} ${explorer})
set_tests_properties(cli_explorer_page PROPERTIES SKIP_RETURN_CODE 77)
