# Functions that build a library and its tests from a directory, and link them with the libraries that they may use.

# Messages name source files independently of the build directory, even if ccache makes their paths relative.
file(RELATIVE_PATH affirm_upwards ${CMAKE_BINARY_DIR} ${CMAKE_SOURCE_DIR})
string(REGEX REPLACE "/$" "" affirm_upwards "${affirm_upwards}")
add_library(affirm_flags INTERFACE)
target_include_directories(affirm_flags INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_features(affirm_flags INTERFACE c_std_23)
target_compile_options(affirm_flags INTERFACE
  $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -Wpedantic -Werror -Wshadow -Wswitch-enum -Wconversion -Wno-sign-conversion
  -Wstrict-prototypes -Wmissing-prototypes -Wno-c2y-extensions -Wno-c23-extensions -Wno-unknown-warning-option
  -fmacro-prefix-map=${CMAKE_SOURCE_DIR}/= -fmacro-prefix-map=${affirm_upwards}/=>)
# A build in another directory has the same bytes (docs/decisions/0083-the-same-bytes-in-another-directory.md).
add_library(affirm_place INTERFACE)
target_link_options(affirm_place INTERFACE -Wl,--build-id=none)
target_link_libraries(affirm_flags INTERFACE affirm_place)
set(CMAKE_C_STANDARD 23)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON) # the libraries become part of libaffirm.so
# Line numbers for stack traces; variables would cost a tenth of the build. Valgrind 3.19 stops on clang's DWARF 5.
set(CMAKE_C_FLAGS_RELEASE "-O2 -g1 -gdwarf-4 -DNDEBUG")
set(CMAKE_C_FLAGS_DEBUG "-O1 -g -fno-omit-frame-pointer")
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

string(REGEX MATCH "^[0-9]+" affirm_clang_major "${CMAKE_C_COMPILER_VERSION}")

# affirm_late_library(VARIABLE FILE): the name by which the dynamic loader finds the shared library FILE, which is then opened on first use
# (docs/decisions/0105-the-solver-is-opened-on-first-use.md); empty for a library outside of the loader's path and for an archive, which are linked.
function(affirm_late_library variable file)
  set(found "")
  get_filename_component(place ${file} DIRECTORY)
  if(CMAKE_READELF AND place IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
    execute_process(COMMAND ${CMAKE_READELF} -d ${file} OUTPUT_VARIABLE dynamic ERROR_QUIET)
    if(dynamic MATCHES "soname: \\[([^]]+)\\]")
      set(found ${CMAKE_MATCH_1})
    endif()
  endif()
  set(${variable} "${found}" CACHE INTERNAL "the library's name for the dynamic loader; empty: it is linked")
endfunction()

function(affirm_find_dependencies)
  if(AFFIRM_UNITY)
    # DWARF 5 has a checksum of each source, and a batch names its sources by their paths.
    target_compile_options(affirm_place INTERFACE -gdwarf-4 -fdebug-compilation-dir=. -fdebug-prefix-map=${CMAKE_SOURCE_DIR}/= -fdebug-prefix-map=${CMAKE_BINARY_DIR}/=)
  endif()
  if(AFFIRM_SANITIZE)
    set(sanitize -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
    if(NOT AFFIRM_NIGHTLY)
      # AddressSanitizer reports an access by such a pointer. The checks of the pointer itself take two fifths of the compilation.
      list(APPEND sanitize -fno-sanitize=null,object-size,alignment,pointer-overflow)
    endif()
    target_compile_options(affirm_flags INTERFACE ${sanitize} -O1 -UNDEBUG)
    # At a fixed address, the tables of checks in a program need no relocation.
    target_link_options(affirm_flags INTERFACE ${sanitize} $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
    add_library(affirm_sanitized OBJECT ${CMAKE_SOURCE_DIR}/ci/cmake/sanitized.c)
    target_compile_features(affirm_sanitized PRIVATE c_std_23)
    target_sources(affirm_flags INTERFACE $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:$<TARGET_OBJECTS:affirm_sanitized>>)
  endif()

  if(AFFIRM_TIDY)
    find_program(AFFIRM_CLANG_TIDY NAMES clang-tidy-${affirm_clang_major} clang-tidy-22 clang-tidy REQUIRED)
    set(CMAKE_C_CLANG_TIDY ${AFFIRM_CLANG_TIDY} --quiet PARENT_SCOPE)
  endif()

  # 142 programs are linked: uses a fast linker if there is one.
  find_program(AFFIRM_LLD ld.lld HINTS /usr/lib/llvm-${affirm_clang_major}/bin)
  if(AFFIRM_LLD)
    target_link_options(affirm_flags INTERFACE -fuse-ld=lld)
  elseif(AFFIRM_LTO)
    message(FATAL_ERROR "AFFIRM_LTO needs lld")
  endif()

  find_path(Z3_INCLUDE z3.h PATH_SUFFIXES z3 REQUIRED)
  find_library(Z3_LIBRARY z3 REQUIRED)
  add_library(affirm_z3 INTERFACE)
  target_include_directories(affirm_z3 SYSTEM INTERFACE ${Z3_INCLUDE})
  affirm_late_library(AFFIRM_Z3_FILE ${Z3_LIBRARY})
  if(AFFIRM_Z3_FILE)
    target_link_libraries(affirm_z3 INTERFACE ${CMAKE_DL_LIBS})
  else()
    target_link_libraries(affirm_z3 INTERFACE ${Z3_LIBRARY})
  endif()

  find_package(SQLite3 REQUIRED)
  add_library(affirm_sqlite INTERFACE)
  list(GET SQLite3_LIBRARIES 0 sqlite_file)
  set(SQLITE_LIBRARY ${sqlite_file} CACHE INTERNAL "")
  affirm_late_library(AFFIRM_SQLITE_FILE ${SQLITE_LIBRARY})
  if(AFFIRM_SQLITE_FILE)
    target_include_directories(affirm_sqlite SYSTEM INTERFACE ${SQLite3_INCLUDE_DIRS})
    target_link_libraries(affirm_sqlite INTERFACE ${CMAKE_DL_LIBS})
  else()
    target_link_libraries(affirm_sqlite INTERFACE SQLite::SQLite3)
  endif()

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
    target_compile_definitions(affirm_isl INTERFACE AFFIRM_HAS_ISL=1)
    affirm_late_library(AFFIRM_ISL_FILE ${ISL_LIBRARY})
    if(NOT AFFIRM_ISL_FILE)
      target_link_libraries(affirm_isl INTERFACE ${ISL_LIBRARY})
    endif()
  endif()

  find_path(CMOCKA_INCLUDE cmocka.h REQUIRED)
  find_library(CMOCKA_LIBRARY cmocka REQUIRED)
  add_library(affirm_cmocka INTERFACE)
  target_include_directories(affirm_cmocka SYSTEM INTERFACE ${CMOCKA_INCLUDE})
  target_link_libraries(affirm_cmocka INTERFACE ${CMOCKA_LIBRARY})

  # The MLIR of the newest installed LLVM; its C API is implemented in C++.
  file(GLOB llvm_roots /usr/lib/llvm-2[0-9] /usr/lib/llvm-19)
  list(SORT llvm_roots ORDER DESCENDING)
  find_path(MLIR_INCLUDE mlir-c/IR.h PATHS ${llvm_roots} PATH_SUFFIXES include NO_DEFAULT_PATH REQUIRED)
  get_filename_component(llvm_root ${MLIR_INCLUDE} DIRECTORY)
  set(AFFIRM_LLVM_ROOT ${llvm_root} CACHE INTERNAL "the LLVM that the MLIR libraries are of")
  add_library(affirm_mlir INTERFACE)
  target_include_directories(affirm_mlir SYSTEM INTERFACE ${MLIR_INCLUDE})
  # Differences between versions of the C API (19 to 22).
  file(STRINGS ${MLIR_INCLUDE}/mlir-c/ExecutionEngine.h engine_has_pic REGEX "enablePIC")
  file(STRINGS ${MLIR_INCLUDE}/mlir-c/AffineExpr.h has_simplify REGEX "mlirSimplifyAffineExpr")
  if(engine_has_pic)
    target_compile_definitions(affirm_mlir INTERFACE AFFIRM_MLIR_ENGINE_HAS_PIC=1)
  endif()
  if(has_simplify)
    target_compile_definitions(affirm_mlir INTERFACE AFFIRM_MLIR_HAS_SIMPLIFY=1)
  endif()
  # The objects of the C API, the parts of the execution engine that libMLIR lacks, and the shared libraries that both
  # need.
  set(capi RegisterEverything ExecutionEngine IR)
  foreach(part ${capi})
    list(APPEND parts MLIRCAPI${part})
  endforeach()
  string(REGEX MATCH "[0-9]+$" llvm_version ${llvm_root})
  foreach(part ${parts} MLIRExecutionEngine MLIRExecutionEngineUtils MLIR)
    find_library(AFFIRM_${part} ${part} PATHS ${llvm_root}/lib NO_DEFAULT_PATH REQUIRED)
    target_link_libraries(affirm_mlir INTERFACE ${AFFIRM_${part}})
  endforeach()
  find_library(AFFIRM_LLVM NAMES LLVM-${llvm_version} LLVM HINTS ${llvm_root}/lib REQUIRED)
  target_link_libraries(affirm_mlir INTERFACE ${AFFIRM_LLVM})
endfunction()

# affirm_batches(TARGET SOURCES): with AFFIRM_UNITY, compiles batches of up to 3,000 lines of sources together. The global property AFFIRM_NAME lists
# the sources of the batch NAME; ci/cmake/Plant.cmake reads it. Sources that embed files or have definitions of their own are compiled alone. In a
# batch a parameter may have the name of another source's static variable: -Wshadow applies only to builds without batches.
function(affirm_batches target sources)
  if(NOT AFFIRM_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP UNITY_BUILD_CODE_BEFORE_INCLUDE
    "#define _GNU_SOURCE\n#pragma clang diagnostic ignored \"-Wshadow\"")
  execute_process(COMMAND ${CMAKE_SOURCE_DIR}/ci/batches 3000 ${sources} OUTPUT_VARIABLE rows OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" rows "${rows}")
  foreach(row ${rows})
    string(REGEX MATCH "^([0-9]+) (.*)$" row "${row}")
    if(NOT CMAKE_MATCH_1 EQUAL 0)
      set_source_files_properties(${CMAKE_MATCH_2} PROPERTIES UNITY_GROUP ${target}_${CMAKE_MATCH_1})
      set_property(GLOBAL APPEND PROPERTY AFFIRM_${target}_${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
    endif()
  endforeach()
endfunction()

# affirm_lto(TARGET): with AFFIRM_LTO, the engine's libraries hold bitcode, and every link compiles what it uses of them as one. Judges are not
# part of it, so that a link takes seconds (docs/decisions/0106-packages-optimise-the-engine-across-files.md).
function(affirm_lto target)
  if(AFFIRM_LTO AND target MATCHES "^core_(base|expr|hlo|map|rules|simplify|index)$")
    target_compile_options(${target} PRIVATE -flto)
  endif()
endfunction()

# affirm_directory(core/simplify LINK core_map): builds the library core_simplify from all sources below core/simplify. Below test/, each *_test.c is
# a ctest of its own in the program core_simplify_tests; the other sources there are the library core_simplify_testing, used only by tests.
function(affirm_directory path)
  cmake_parse_arguments(arg "" "" "LINK" ${ARGN})
  string(REPLACE / _ name ${path})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${path}/*.c)
  set(tests ${sources})
  set(testing ${sources})
  list(FILTER sources EXCLUDE REGEX "/test/|_target\\.c$|_main\\.c$")
  list(FILTER tests INCLUDE REGEX "/test/.*_test\\.c$")
  list(FILTER testing INCLUDE REGEX "/test/")
  list(FILTER testing EXCLUDE REGEX "_test\\.c$")
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PUBLIC affirm_flags ${arg_LINK})
  affirm_batches(${name} "${sources}")
  affirm_lto(${name})
  if(testing)
    add_library(${name}_testing STATIC ${testing})
    target_link_libraries(${name}_testing PUBLIC ${name})
  endif()
  if(EXISTS ${CMAKE_SOURCE_DIR}/${path}/directory.cmake)
    include(${CMAKE_SOURCE_DIR}/${path}/directory.cmake)
  endif()
  if(tests)
    set(support affirm_testing)
    if(testing)
      list(PREPEND support ${name}_testing)
    endif()
    affirm_test_program(${name}_tests "${tests}" ${name} ${support})
  endif()
endfunction()

# The settings of a test program: AFFIRM_SOURCE_DIR is the source directory, AFFIRM_DATA_DIR the data directory, which may be missing.
function(affirm_test_settings target)
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${target} PRIVATE ${ARGN} affirm_cmocka affirm_flags)
  target_compile_definitions(${target} PRIVATE AFFIRM_SOURCE_DIR="${CMAKE_SOURCE_DIR}" AFFIRM_DATA_DIR="${CMAKE_SOURCE_DIR}/../shared/data")
endfunction()

# affirm_test_executable(core_map_tests "SOURCES" LIBRARIES...): one cmocka program from many sources. The main of map_test.c is renamed
# map_test_main, and `core_map_tests map_test` runs it.
function(affirm_test_executable target sources)
  set(stems)
  set(options -Wno-missing-prototypes)
  if(AFFIRM_SANITIZE AND NOT AFFIRM_NIGHTLY)
    list(APPEND options -O0) # the tests are brief there, and compiling them takes longer
  endif()
  foreach(source ${sources})
    get_filename_component(stem ${source} NAME_WE)
    list(APPEND stems ${stem})
    set_source_files_properties(${source} PROPERTIES COMPILE_DEFINITIONS main=${stem}_main COMPILE_OPTIONS "${options}")
  endforeach()
  list(TRANSFORM stems REPLACE "(.+)" "TEST(\\1)" OUTPUT_VARIABLE rows)
  list(JOIN rows "\n" rows)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/tests/${target}.def CONTENT "${rows}\n" @ONLY)
  add_executable(${target} ${sources} ${CMAKE_SOURCE_DIR}/ci/cmake/tests_main.c)
  affirm_test_settings(${target} ${ARGN})
  target_compile_definitions(${target} PRIVATE AFFIRM_TESTS="${CMAKE_BINARY_DIR}/tests/${target}.def")
endfunction()

# affirm_object(NAME SOURCE LIBRARIES...): a source that several programs use, compiled once. It is linked as $<TARGET_OBJECTS:NAME>.
function(affirm_object name source)
  if(NOT TARGET ${name})
    add_library(${name} OBJECT EXCLUDE_FROM_ALL ${source})
    target_link_libraries(${name} PRIVATE ${ARGN} affirm_flags)
  endif()
endfunction()

# affirm_one_test(TARGET core/map/test/map_test.c LIBRARIES...): the cmocka program of one test. Mutants of what it tests share its objects.
function(affirm_one_test target test)
  string(MAKE_C_IDENTIFIER one_${test} objects)
  if(NOT TARGET ${objects})
    get_filename_component(stem ${test} NAME_WE)
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/tests/${objects}.def CONTENT "TEST(${stem})\n" @ONLY)
    affirm_object(${objects} "${CMAKE_SOURCE_DIR}/${test};${CMAKE_SOURCE_DIR}/ci/cmake/tests_main.c")
    affirm_test_settings(${objects} ${ARGN})
    target_compile_definitions(${objects} PRIVATE AFFIRM_TESTS="${CMAKE_BINARY_DIR}/tests/${objects}.def")
  endif()
  add_executable(${target} $<TARGET_OBJECTS:${objects}>)
  affirm_test_settings(${target} ${ARGN})
endfunction()

function(affirm_test_program target sources)
  affirm_test_executable(${target} "${sources}" ${ARGN})
  string(REGEX REPLACE "_tests$" "" prefix ${target})
  # Z3 frees and allocates its memory with each query. Keeping it, as the affirm program does, runs the tests in a quarter of the time.
  set(environment MALLOC_TRIM_THRESHOLD_=1073741824 MALLOC_MMAP_THRESHOLD_=1073741824)
  foreach(source ${sources})
    get_filename_component(stem ${source} NAME_WE)
    add_test(NAME ${prefix}_${stem} COMMAND ${target} ${stem})
    set_tests_properties(${prefix}_${stem} PROPERTIES ENVIRONMENT "${environment}")
  endforeach()
endfunction()

# affirm_skipped_test(WHY NAME...): tests that cannot run here; ctest counts them, and ci/left_out prints the reason.
function(affirm_skipped_test why)
  foreach(name ${ARGN})
    add_test(NAME ${name} COMMAND sh -c "echo 'skipped: ${why}'; exit 77")
    set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
  endforeach()
endfunction()

# affirm_embeds(SOURCE FILE...): the source embeds the files. A compiler cache does not hash them, so their sum is passed as a definition that no
# source reads.
function(affirm_embeds source)
  set(sums)
  foreach(file ${ARGN})
    file(SHA256 ${file} sum)
    string(APPEND sums ${sum})
  endforeach()
  string(SHA256 sum "${sums}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARGN})
  set_property(SOURCE ${CMAKE_SOURCE_DIR}/${source} APPEND PROPERTY OBJECT_DEPENDS ${ARGN})
  set_property(SOURCE ${CMAKE_SOURCE_DIR}/${source} APPEND PROPERTY COMPILE_DEFINITIONS AFFIRM_EMBEDDED="${sum}")
endfunction()
