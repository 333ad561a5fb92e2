# Engines to copy from (include/affirm_engine.h), built as a stranger would: with the header alone.
install(FILES ${CMAKE_SOURCE_DIR}/include/affirm_engine.h DESTINATION include)
add_test(NAME engine_header COMMAND ${CMAKE_SOURCE_DIR}/include/header_test.sh ${CMAKE_SOURCE_DIR})
