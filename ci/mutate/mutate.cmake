# affirm-mutants, which generates the mutants of ci/score. Built if libclang is installed; without it, its users
# report that.
find_path(CLANG_C_INCLUDE clang-c/Index.h PATHS ${AFFIRM_LLVM_ROOT}/include NO_DEFAULT_PATH)
find_library(CLANG_C_LIBRARY NAMES clang PATHS ${AFFIRM_LLVM_ROOT}/lib NO_DEFAULT_PATH)
if(CLANG_C_INCLUDE AND CLANG_C_LIBRARY)
  add_executable(affirm-mutants EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/ci/mutate/mutants.c)
  set_target_properties(affirm-mutants PROPERTIES LINKER_LANGUAGE C)
  target_compile_definitions(affirm-mutants PRIVATE _GNU_SOURCE)
  target_compile_options(affirm-mutants PRIVATE -O1 -Wall -Wextra -Werror)
  target_include_directories(affirm-mutants SYSTEM PRIVATE ${CLANG_C_INCLUDE})
  target_link_libraries(affirm-mutants PRIVATE ${CLANG_C_LIBRARY})
else()
  message(STATUS "libclang is not here: ci/score has no mutants")
endif()
