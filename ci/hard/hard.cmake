# Mutated files through every command that reads files (ci/hard/hostile).
add_executable(affirm-hostile EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/ci/hard/hostile_main.c ${CMAKE_SOURCE_DIR}/ci/hard/mutate_text.c)
set_target_properties(affirm-hostile PROPERTIES LINKER_LANGUAGE CXX)
target_link_libraries(affirm-hostile PRIVATE cli affirm_flags)
add_dependencies(affirm-hostile affirm_mlir_object affirm-check)
