# The public C library: libaffirm.so and libaffirm.a, with no global symbols except those of include/affirm.h.
set_source_files_properties(${CMAKE_SOURCE_DIR}/library/context.c PROPERTIES COMPILE_DEFINITIONS AFFIRM_VERSION="${PROJECT_VERSION}")
set(exported ${CMAKE_SOURCE_DIR}/library/package/affirm.map)
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/package/shared.c CONTENT "typedef int affirm_shared_has_no_source_of_its_own;\n")

add_library(affirm_shared SHARED ${CMAKE_BINARY_DIR}/package/shared.c)
set_target_properties(affirm_shared PROPERTIES OUTPUT_NAME affirm EXPORT_NAME affirm VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/package LINK_DEPENDS ${exported})
target_link_libraries(affirm_shared PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,library> m)
target_link_options(affirm_shared PRIVATE -Wl,--version-script=${exported} $<$<NOT:$<BOOL:${AFFIRM_SANITIZE}>>:-Wl,--no-undefined>) # a sanitizer's symbols come with the program
# Opened on first use, and named here so that a program of a user does not start without them.
target_link_options(affirm_shared PRIVATE -Wl,--no-as-needed)
foreach(late Z3 SQLITE ISL)
  if(AFFIRM_${late}_FILE)
    target_link_libraries(affirm_shared PRIVATE ${${late}_LIBRARY})
  endif()
endforeach()
target_include_directories(affirm_shared INTERFACE $<INSTALL_INTERFACE:include>)

# One object with all parts of the library; every other name in it becomes local. `ar D` omits times and owners from the archive.
set(parts core_base core_expr core_hlo core_map core_rules core_simplify core_adapters_mlir_load core_adapters_isl core_index core_analysis oracle smt judge)
list(TRANSFORM parts REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE part_files)
find_program(AFFIRM_PARTIAL_LINKER NAMES ld.lld ld HINTS /usr/lib/llvm-${affirm_clang_major}/bin REQUIRED)
set(static_file ${CMAKE_BINARY_DIR}/package/libaffirm.a)
add_custom_command(OUTPUT ${static_file}
  COMMAND ${AFFIRM_PARTIAL_LINKER} -r -o ${CMAKE_BINARY_DIR}/package/affirm.o --whole-archive $<TARGET_FILE:library> --no-whole-archive --start-group ${part_files} --end-group
  COMMAND ${CMAKE_OBJCOPY} --wildcard --strip-debug --keep-global-symbol=affirm_* ${CMAKE_BINARY_DIR}/package/affirm.o
  COMMAND ${CMAKE_COMMAND} -E rm -f ${static_file}
  COMMAND ${CMAKE_AR} rcsD ${static_file} ${CMAKE_BINARY_DIR}/package/affirm.o
  DEPENDS library ${parts} VERBATIM)
add_custom_target(affirm_static ALL DEPENDS ${static_file})
affirm_test_executable(mutant_stack_level_too_small ${CMAKE_SOURCE_DIR}/library/test/library_stack_test.c library affirm_testing)
affirm_seed(mutant_stack_level_too_small stack_level_too_small)
add_test(NAME fault_stack_level_too_small COMMAND sh -c "$<TARGET_FILE:mutant_stack_level_too_small> library_stack_test 2>&1 | tail -c 4000; $<TARGET_FILE:mutant_stack_level_too_small> library_stack_test >/dev/null 2>&1; echo ended with $?")
set_tests_properties(fault_stack_level_too_small PROPERTIES PASS_REGULAR_EXPRESSION "ended with 139|stack-overflow")
add_test(NAME library_entries COMMAND ${CMAKE_SOURCE_DIR}/library/test/entries_test.sh ${CMAKE_SOURCE_DIR})
if(NOT AFFIRM_SANITIZE) # a sanitizer's symbols come with the program
  add_executable(library_cpp_locale ${CMAKE_SOURCE_DIR}/library/test/cpp_locale.cpp)
  target_include_directories(library_cpp_locale PRIVATE ${CMAKE_SOURCE_DIR})
  target_link_libraries(library_cpp_locale PRIVATE affirm_shared)
  set_target_properties(library_cpp_locale PROPERTIES CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON)
  add_test(NAME library_cpp_locale COMMAND ${CMAKE_SOURCE_DIR}/library/test/cpp_locale_test.sh $<TARGET_FILE:library_cpp_locale>)
  set_tests_properties(library_cpp_locale PROPERTIES SKIP_RETURN_CODE 77)
endif()
