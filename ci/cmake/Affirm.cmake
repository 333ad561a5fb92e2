# How a folder becomes a library and its tests, and which libraries it may use.

add_library(affirm_flags INTERFACE)
target_include_directories(affirm_flags INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_features(affirm_flags INTERFACE c_std_23)
target_compile_options(affirm_flags INTERFACE
  $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -Wpedantic -Werror -Wshadow -Wswitch-enum -Wconversion -Wno-sign-conversion
  -Wstrict-prototypes -Wmissing-prototypes -Wno-c2y-extensions -Wno-c23-extensions -Wno-unknown-warning-option
  -fmacro-prefix-map=${CMAKE_SOURCE_DIR}/= -fno-omit-frame-pointer>)
set(CMAKE_C_STANDARD 23)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_C_FLAGS_RELEASE "-O2 -g -DNDEBUG")
set(CMAKE_C_FLAGS_DEBUG "-O1 -g")
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

function(affirm_find_dependencies)
  if(AFFIRM_SANITIZE)
    set(sanitize -fsanitize=address,undefined -fno-sanitize-recover=all)
    target_compile_options(affirm_flags INTERFACE ${sanitize} -O1 -UNDEBUG)
    target_link_options(affirm_flags INTERFACE ${sanitize})
  endif()

  find_path(Z3_INCLUDE z3.h PATH_SUFFIXES z3 REQUIRED)
  find_library(Z3_LIBRARY z3 REQUIRED)
  add_library(affirm_z3 INTERFACE)
  target_include_directories(affirm_z3 SYSTEM INTERFACE ${Z3_INCLUDE})
  target_link_libraries(affirm_z3 INTERFACE ${Z3_LIBRARY})

  find_package(SQLite3 REQUIRED)
  add_library(affirm_sqlite INTERFACE)
  target_link_libraries(affirm_sqlite INTERFACE SQLite::SQLite3)

  find_path(CJSON_INCLUDE cjson/cJSON.h REQUIRED)
  find_library(CJSON_LIBRARY cjson REQUIRED)
  add_library(affirm_json INTERFACE)
  target_include_directories(affirm_json SYSTEM INTERFACE ${CJSON_INCLUDE})
  target_link_libraries(affirm_json INTERFACE ${CJSON_LIBRARY})

  find_path(ISL_INCLUDE isl/map.h)
  find_library(ISL_LIBRARY isl)
  add_library(affirm_isl INTERFACE)
  if(ISL_INCLUDE AND ISL_LIBRARY)
    target_include_directories(affirm_isl SYSTEM INTERFACE ${ISL_INCLUDE})
    target_link_libraries(affirm_isl INTERFACE ${ISL_LIBRARY})
    target_compile_definitions(affirm_isl INTERFACE AFFIRM_HAS_ISL=1)
  endif()

  find_path(CMOCKA_INCLUDE cmocka.h REQUIRED)
  find_library(CMOCKA_LIBRARY cmocka REQUIRED)
  add_library(affirm_cmocka INTERFACE)
  target_include_directories(affirm_cmocka SYSTEM INTERFACE ${CMOCKA_INCLUDE})
  target_link_libraries(affirm_cmocka INTERFACE ${CMOCKA_LIBRARY})

  # The MLIR of the newest LLVM installed; the C API is C++ underneath.
  file(GLOB llvm_roots /usr/lib/llvm-2[0-9] /usr/lib/llvm-19)
  list(SORT llvm_roots ORDER DESCENDING)
  find_path(MLIR_INCLUDE mlir-c/IR.h PATHS ${llvm_roots} PATH_SUFFIXES include NO_DEFAULT_PATH REQUIRED)
  get_filename_component(llvm_root ${MLIR_INCLUDE} DIRECTORY)
  set(AFFIRM_LLVM_ROOT ${llvm_root} CACHE INTERNAL "the LLVM that the MLIR libraries are of")
  add_library(affirm_mlir INTERFACE)
  target_include_directories(affirm_mlir SYSTEM INTERFACE ${MLIR_INCLUDE})
  target_link_directories(affirm_mlir INTERFACE ${llvm_root}/lib)
endfunction()

# affirm_folder(core/expr LINK core_base): the library core_expr of core/expr/*.c; each *_test.c there is a cmocka test.
function(affirm_folder path)
  cmake_parse_arguments(arg "" "" "LINK" ${ARGN})
  string(REPLACE / _ name ${path})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${path}/*.c)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.c$|_target\\.c$|_main\\.c$")
  list(FILTER tests INCLUDE REGEX "_test\\.c$")
  if(sources)
    add_library(${name} STATIC ${sources})
    target_link_libraries(${name} PUBLIC affirm_flags ${arg_LINK})
  else()
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE affirm_flags ${arg_LINK})
  endif()
  if(EXISTS ${CMAKE_SOURCE_DIR}/${path}/folder.cmake)
    include(${CMAKE_SOURCE_DIR}/${path}/folder.cmake)
  endif()
  foreach(test ${tests})
    get_filename_component(stem ${test} NAME_WE)
    affirm_test(${name}_${stem} ${test} ${name})
  endforeach()
endfunction()

# A cmocka program; it finds the project's files through AFFIRM_SOURCE_DIR and, where it is there, the data folder
# through AFFIRM_DATA_DIR.
function(affirm_test test_name source)
  add_executable(${test_name} ${source})
  set_target_properties(${test_name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${test_name} PRIVATE ${ARGN} affirm_cmocka affirm_flags)
  target_compile_definitions(${test_name} PRIVATE AFFIRM_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
    AFFIRM_DATA_DIR="${CMAKE_SOURCE_DIR}/../shared/data")
  add_test(NAME ${test_name} COMMAND ${test_name})
  if(AFFIRM_SANITIZE) # random runs are a fiftieth of their length there
    set_tests_properties(${test_name} PROPERTIES ENVIRONMENT AFFIRM_FEW=1)
  endif()
endfunction()
