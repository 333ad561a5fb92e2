# isl's library is opened on first use (ci/cmake/Affirm.cmake).
if(AFFIRM_ISL_FILE)
  set_source_files_properties(${CMAKE_SOURCE_DIR}/core/adapters/isl/isl_library.c PROPERTIES COMPILE_DEFINITIONS AFFIRM_ISL_FILE="${AFFIRM_ISL_FILE}")
endif()
