# Engines to copy from (include/affirm_engine.h), built as a user would, with only the header.
add_test(NAME engine_header COMMAND ${CMAKE_SOURCE_DIR}/include/header_test.sh ${CMAKE_SOURCE_DIR})

# Opens an engine's library in a process of its own; must be beside affirm. Built without the project's flags, because the engines are built without
# sanitizers.
add_executable(affirm-engine-host ${CMAKE_SOURCE_DIR}/judge/engines/engine_host_main.c)
target_include_directories(affirm-engine-host PRIVATE ${CMAKE_SOURCE_DIR}/include)
target_compile_options(affirm-engine-host PRIVATE -O2 -Wall -Wextra -Werror)
target_link_libraries(affirm-engine-host PRIVATE ${CMAKE_DL_LIBS} affirm_place)
add_dependencies(judge affirm-engine-host)

function(affirm_example_engine name)
  add_library(${name} MODULE ${CMAKE_SOURCE_DIR}/${ARGV1})
  set_target_properties(${name} PROPERTIES C_STANDARD 11 C_EXTENSIONS OFF C_VISIBILITY_PRESET hidden)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR})
  target_compile_options(${name} PRIVATE -O2 -Wall -Wextra -Wpedantic -Werror)
  target_link_libraries(${name} PRIVATE affirm_place)
endfunction()

# Only the part of MLIR's C API for expressions and maps is needed.
affirm_example_engine(engine_mlir examples/engine-mlir/engine_mlir.c)
target_include_directories(engine_mlir SYSTEM PRIVATE ${MLIR_INCLUDE})
file(REAL_PATH ${AFFIRM_MLIR} mlir_library)
string(REGEX MATCH "[0-9][0-9.]*$" mlir_version ${mlir_library})
target_compile_definitions(engine_mlir PRIVATE MLIR_VERSION="${mlir_version}" $<TARGET_PROPERTY:affirm_mlir,INTERFACE_COMPILE_DEFINITIONS>)
target_link_libraries(engine_mlir PRIVATE ${AFFIRM_MLIRCAPIIR} ${AFFIRM_MLIR} ${AFFIRM_LLVM})
set_target_properties(engine_mlir PROPERTIES LINKER_LANGUAGE CXX)

# Engines in C++ with map_tree.hpp: isl, Halide's simplifier, and MLIR's Presburger library, whose headers need those of LLVM.
function(affirm_example_engine_cpp name)
  add_library(${name} MODULE ${CMAKE_SOURCE_DIR}/${ARGV1})
  set_target_properties(${name} PROPERTIES CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_VISIBILITY_PRESET hidden)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR})
  target_compile_options(${name} PRIVATE -O2 -Wall -Wextra -Werror)
endfunction()

if(ISL_INCLUDE AND ISL_LIBRARY)
  affirm_example_engine_cpp(engine_isl examples/engine-isl/engine_isl.cpp)
  target_include_directories(engine_isl SYSTEM PRIVATE ${ISL_INCLUDE})
  target_link_libraries(engine_isl PRIVATE ${ISL_LIBRARY})
else()
  message(STATUS "isl is not here: examples/engine-isl is not built")
endif()

find_path(HALIDE_INCLUDE Halide.h PATH_SUFFIXES halide14)
find_library(HALIDE_LIBRARY NAMES Halide14 Halide)
if(HALIDE_INCLUDE AND HALIDE_LIBRARY)
  affirm_example_engine_cpp(engine_halide examples/engine-halide/engine_halide.cpp)
  string(REGEX MATCH "[Hh]alide-?([0-9]+)" halide_named "${HALIDE_INCLUDE} ${HALIDE_LIBRARY}")
  target_compile_definitions(engine_halide PRIVATE HALIDE_VERSION="${CMAKE_MATCH_1}")
  target_include_directories(engine_halide SYSTEM PRIVATE ${HALIDE_INCLUDE})
  target_link_libraries(engine_halide PRIVATE ${HALIDE_LIBRARY})
else()
  message(STATUS "Halide is not here: examples/engine-halide is not built")
endif()

get_filename_component(example_llvm ${AFFIRM_LLVM_ROOT} NAME)
string(REGEX MATCH "[0-9]+" example_llvm ${example_llvm})
find_path(LLVM_CPP_INCLUDE llvm/ADT/DynamicAPInt.h PATHS /usr/include/llvm-${example_llvm} NO_DEFAULT_PATH)
find_path(LLVM_C_INCLUDE llvm-c/DataTypes.h PATHS /usr/include/llvm-c-${example_llvm} NO_DEFAULT_PATH)
if(LLVM_CPP_INCLUDE AND LLVM_C_INCLUDE)
  affirm_example_engine_cpp(engine_presburger examples/engine-presburger/engine_presburger.cpp)
  target_compile_options(engine_presburger PRIVATE -fno-rtti)
  target_compile_definitions(engine_presburger PRIVATE MLIR_VERSION="${mlir_version}")
  target_include_directories(engine_presburger SYSTEM PRIVATE ${MLIR_INCLUDE} ${LLVM_CPP_INCLUDE} ${LLVM_C_INCLUDE})
  target_link_libraries(engine_presburger PRIVATE ${AFFIRM_MLIR} ${AFFIRM_LLVM})
else()
  message(STATUS "llvm-${example_llvm}-dev is not here: examples/engine-presburger is not built")
endif()

# For tests: faulty engines that must be detected.
affirm_example_engine(engine_faulty judge/engines/engine_faulty_main.c)
set_target_properties(engine_faulty PROPERTIES C_STANDARD 23 C_EXTENSIONS ON)
add_dependencies(judge engine_faulty)
add_test(NAME cli_engine COMMAND ${CMAKE_SOURCE_DIR}/cli/test/engine_test.sh $<TARGET_FILE:affirm> ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})

add_test(NAME examples_adapters COMMAND ${CMAKE_SOURCE_DIR}/examples/adapters_test.sh $<TARGET_FILE:affirm> ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR} ${CMAKE_CXX_COMPILER})
set_tests_properties(examples_adapters PROPERTIES LABELS unit)
