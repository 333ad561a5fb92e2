# MLIR's affine folding as rules for `affirm prove` (folds_main.c).
file(GLOB folds_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/examples/folds-mlir/*.c)
add_executable(folds-mlir ${folds_sources})
target_link_libraries(folds-mlir PRIVATE core_rules affirm_mlir affirm_flags)
set_target_properties(folds-mlir PROPERTIES LINKER_LANGUAGE CXX)
get_filename_component(folds_llvm ${AFFIRM_LLVM_ROOT} NAME)
string(REGEX MATCH "[0-9]+" folds_llvm ${folds_llvm})
add_test(NAME foreign_folds_of_mlir
  COMMAND ${CMAKE_SOURCE_DIR}/corpus/foreign/folds_test.sh $<TARGET_FILE:folds-mlir> $<TARGET_FILE:affirm> ${folds_llvm} ${CMAKE_SOURCE_DIR})
