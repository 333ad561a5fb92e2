# MLIR through its C API. Only what includes mlir-c links MLIR: the library core_mlir, its tests, and the shared object
# affirm-mlir.so, which core_mlir_load opens when a command first needs it (docs/decisions/mlir-loading.md).
