# Engines to copy from (include/affirm_engine.h), built as a stranger would: with the header alone.
add_test(NAME engine_header COMMAND ${CMAKE_SOURCE_DIR}/include/header_test.sh ${CMAKE_SOURCE_DIR})

# What opens a library, in a process of its own: stands beside affirm. Without the project's flags, for its engines are built without sanitizers.
add_executable(affirm-engine-host ${CMAKE_SOURCE_DIR}/judge/engines/engine_host_main.c)
target_include_directories(affirm-engine-host PRIVATE ${CMAKE_SOURCE_DIR}/include)
target_compile_options(affirm-engine-host PRIVATE -O2 -Wall -Wextra -Werror)
target_link_libraries(affirm-engine-host PRIVATE ${CMAKE_DL_LIBS})
add_dependencies(judge affirm-engine-host)

function(affirm_example_engine name)
  add_library(${name} MODULE ${CMAKE_SOURCE_DIR}/${ARGV1})
  set_target_properties(${name} PROPERTIES C_STANDARD 11 C_EXTENSIONS OFF C_VISIBILITY_PRESET hidden)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR})
  target_compile_options(${name} PRIVATE -O2 -Wall -Wextra -Wpedantic -Werror)
endfunction()

# Of MLIR's C API the part for expressions and maps is enough.
affirm_example_engine(engine_mlir examples/engine-mlir/engine_mlir.c)
target_include_directories(engine_mlir SYSTEM PRIVATE ${MLIR_INCLUDE})
file(REAL_PATH ${AFFIRM_MLIR} mlir_library)
string(REGEX MATCH "[0-9][0-9.]*$" mlir_version ${mlir_library})
target_compile_definitions(engine_mlir PRIVATE MLIR_VERSION="${mlir_version}" $<TARGET_PROPERTY:affirm_mlir,INTERFACE_COMPILE_DEFINITIONS>)
target_link_libraries(engine_mlir PRIVATE ${AFFIRM_MLIRCAPIIR} ${AFFIRM_MLIR} ${AFFIRM_LLVM})
set_target_properties(engine_mlir PROPERTIES LINKER_LANGUAGE CXX)

if(ISL_INCLUDE AND ISL_LIBRARY)
  affirm_example_engine(engine_isl examples/engine-isl/engine_isl.c)
  target_include_directories(engine_isl SYSTEM PRIVATE ${ISL_INCLUDE})
  target_link_libraries(engine_isl PRIVATE ${ISL_LIBRARY})
else()
  message(STATUS "isl is not here: examples/engine-isl is not built")
endif()

# For tests: what must be caught.
affirm_example_engine(engine_faulty judge/engines/engine_faulty_main.c)
set_target_properties(engine_faulty PROPERTIES C_STANDARD 23 C_EXTENSIONS ON)
add_dependencies(judge engine_faulty)
add_dependencies(affirm engine_mlir)
if(TARGET engine_isl)
  add_dependencies(affirm engine_isl)
endif()
add_test(NAME cli_engine COMMAND ${CMAKE_SOURCE_DIR}/cli/test/engine_test.sh $<TARGET_FILE:affirm> ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
