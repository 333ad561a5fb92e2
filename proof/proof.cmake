# affirm-check is a program of its own: no library of the project is linked to it.
find_path(GMP_INCLUDE gmp.h REQUIRED)
find_library(GMP_LIBRARY gmp REQUIRED)
file(GLOB check_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/proof/check/*.c)
add_executable(affirm-check ${check_sources})
target_include_directories(affirm-check SYSTEM PRIVATE ${GMP_INCLUDE})
target_link_libraries(affirm-check PRIVATE affirm_flags ${GMP_LIBRARY})
target_compile_definitions(proof_write_tests PRIVATE AFFIRM_CHECK="$<TARGET_FILE:affirm-check>")
add_dependencies(proof_write_tests affirm-check)
# Nightly, with Coq: ci/certify BUILD --coq.
add_test(NAME ci_certify COMMAND ${CMAKE_SOURCE_DIR}/ci/certify ${CMAKE_BINARY_DIR})
