# Engines to copy from (include/affirm_engine.h), built as a stranger would: with the header alone.
install(FILES ${CMAKE_SOURCE_DIR}/include/affirm_engine.h DESTINATION include)
add_test(NAME engine_header COMMAND ${CMAKE_SOURCE_DIR}/include/header_test.sh ${CMAKE_SOURCE_DIR})

# What opens a library, in a process of its own: stands beside affirm. Without the project's flags, for its engines are built without sanitizers.
add_executable(affirm-engine-host ${CMAKE_SOURCE_DIR}/judge/engine_host_main.c)
target_include_directories(affirm-engine-host PRIVATE ${CMAKE_SOURCE_DIR}/include)
target_compile_options(affirm-engine-host PRIVATE -O2 -Wall -Wextra -Werror)
target_link_libraries(affirm-engine-host PRIVATE ${CMAKE_DL_LIBS})
add_dependencies(judge affirm-engine-host)
install(TARGETS affirm-engine-host RUNTIME)
