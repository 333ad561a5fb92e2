# Only targets that include mlir-c link MLIR: the library core_adapters_mlir, its tests, and the shared object affirm-mlir.so. All others link
# core_adapters_mlir_load, which opens that object when a command first needs it (docs/decisions/0005-mlir-loading.md).

add_library(affirm_mlir_object MODULE ${CMAKE_SOURCE_DIR}/core/adapters/mlir/library_main.c)
set_target_properties(affirm_mlir_object PROPERTIES PREFIX "" OUTPUT_NAME affirm-mlir LINKER_LANGUAGE CXX
  INSTALL_RPATH ${AFFIRM_LLVM_ROOT}/lib)
target_link_libraries(affirm_mlir_object PRIVATE core_adapters_mlir)
target_link_options(affirm_mlir_object PRIVATE -Wl,--exclude-libs,ALL)
get_filename_component(llvm_name ${AFFIRM_LLVM_ROOT} NAME)
target_compile_definitions(affirm_mlir_object PRIVATE AFFIRM_LLVM_VERSION="${llvm_name}")

add_library(core_adapters_mlir_load STATIC ${CMAKE_SOURCE_DIR}/core/adapters/mlir/load.c)
target_link_libraries(core_adapters_mlir_load PUBLIC core_map affirm_flags ${CMAKE_DL_LIBS})
add_dependencies(core_adapters_mlir_load affirm_mlir_object)

# The tests need the object; a program that only loads it must not link MLIR.
cmake_language(DEFER CALL add_dependencies core_adapters_mlir_tests affirm_mlir_object)
add_test(NAME core_adapters_mlir_not_linked COMMAND ${CMAKE_SOURCE_DIR}/core/adapters/mlir/not_linked.sh $<TARGET_FILE:affirm>)

# Compares rates; the hand-written loops are compiled like MLIR's: -O3 for this machine.
add_executable(affirm_mlir_rate EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/core/adapters/mlir/rate_main.c ${CMAKE_SOURCE_DIR}/core/adapters/mlir/walk.c)
target_compile_options(affirm_mlir_rate PRIVATE -O3 -march=native)
target_link_libraries(affirm_mlir_rate PRIVATE core_adapters_mlir_load)
