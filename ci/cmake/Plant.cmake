# affirm_seeded_file(FAULT RESULT): the source that the fault changes, as `ci/seed_mutant FAULT --file` prints it. A process for each fault would take most
# of the time of a configuration.
function(affirm_seeded_file fault result)
  file(STRINGS ${CMAKE_SOURCE_DIR}/corpus/faults/${fault}.fault lines REGEX "^file ")
  if(NOT lines MATCHES "^file ([^;]+)$")
    message(FATAL_ERROR "corpus/faults/${fault}.fault does not name one file")
  endif()
  set(${result} ${CMAKE_MATCH_1} PARENT_SCOPE)
endfunction()

# affirm_seed(TARGET FAULT [OPTIMIZED]): seeds corpus/faults/FAULT.fault in a copy of the file that it names, and builds TARGET with that copy. The copy of a
# source is among the target's own objects, before the libraries, so it is linked instead of the original. For a rule file, the source that embeds all
# rule files is compiled again with the faulty file in their directory. All targets share one copy. ci/labels.cmake reads AFFIRM_SEEDED.
# Its own objects are not optimized without OPTIMIZED: their compilation takes less than half of the time.
function(affirm_seed target fault)
  set_target_properties(${target} PROPERTIES AFFIRM_SEEDED ${fault})
  if(NOT "${ARGN}" STREQUAL OPTIMIZED)
    target_compile_options(${target} PRIVATE -O0)
  endif()
  set(description ${CMAKE_SOURCE_DIR}/corpus/faults/${fault}.fault)
  set(directory ${CMAKE_BINARY_DIR}/faults/${fault})
  affirm_seeded_file(${fault} file)
  if(file MATCHES "[.]h$") # the sources that include it would keep the original
    message(FATAL_ERROR "corpus/faults/${fault}.fault names a header")
  endif()
  set(source ${file})
  set(originals)
  set(copies)
  if(file MATCHES "[.]rules$")
    set(source core/rules/engine.c)
    file(GLOB originals CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/core/rules/*.rules)
    list(APPEND originals ${CMAKE_SOURCE_DIR}/core/rules/files.def ${CMAKE_SOURCE_DIR}/core/rules/engine.c)
    set(copies COMMAND ${CMAKE_COMMAND} -E copy ${originals} ${directory}/core/rules)
    target_include_directories(${target} BEFORE PRIVATE ${directory})
  endif()
  if(NOT TARGET seed_${fault})
    get_filename_component(place ${directory}/${file} DIRECTORY)
    file(MAKE_DIRECTORY ${place})
    add_custom_command(OUTPUT ${directory}/${source} ${copies} COMMAND ${CMAKE_SOURCE_DIR}/ci/seed_mutant ${description} ${CMAKE_SOURCE_DIR} ${directory}/${file}
      DEPENDS ${description} ${CMAKE_SOURCE_DIR}/${file} ${originals} ${CMAKE_SOURCE_DIR}/ci/seed_mutant)
    add_custom_target(seed_${fault} DEPENDS ${directory}/${source})
  endif()
  affirm_seeded_source(${source} ${directory} compiled)
  target_sources(${target} PRIVATE ${compiled})
  add_dependencies(${target} seed_${fault})
endfunction()

# affirm_seeded_source(SOURCE DIRECTORY RESULT): the source to compile instead of SOURCE: its copy below DIRECTORY or, if SOURCE is in a batch, the
# batch with that copy.
function(affirm_seeded_source source directory result)
  get_source_file_property(batch ${CMAKE_SOURCE_DIR}/${source} UNITY_GROUP)
  if(NOT batch)
    # Embedded files are searched beside the original.
    get_filename_component(origin ${CMAKE_SOURCE_DIR}/${source} DIRECTORY)
    set_source_files_properties(${directory}/${source} PROPERTIES COMPILE_OPTIONS --embed-dir=${origin})
    set(${result} ${directory}/${source} PARENT_SCOPE)
    return()
  endif()
  get_property(members GLOBAL PROPERTY AFFIRM_${batch})
  list(TRANSFORM members REPLACE "^${CMAKE_SOURCE_DIR}/${source}$" "${directory}/${source}")
  list(TRANSFORM members REPLACE "(.+)" "#include \"\\1\"")
  list(JOIN members "\n" text)
  file(CONFIGURE OUTPUT ${directory}/batch.c CONTENT "#define _GNU_SOURCE\n#pragma clang diagnostic ignored \"-Wshadow\"\n${text}\n" @ONLY)
  # Programs that share the batch include the copy, which a command makes.
  set_source_files_properties(${directory}/batch.c PROPERTIES OBJECT_DEPENDS ${directory}/${source})
  set(${result} ${directory}/batch.c PARENT_SCOPE)
endfunction()

# affirm_seed_mlir(FAULT): a fault in core/adapters/mlir is in the shared object, which is built again as the target mlir_FAULT. AFFIRM_MLIR selects
# it.
function(affirm_seed_mlir fault)
  if(TARGET mlir_${fault})
    return()
  endif()
  add_library(mlir_${fault} MODULE ${CMAKE_SOURCE_DIR}/core/adapters/mlir/library_main.c)
  affirm_seed(mlir_${fault} ${fault})
  set_target_properties(mlir_${fault} PROPERTIES PREFIX "" LINKER_LANGUAGE CXX BUILD_RPATH ${AFFIRM_LLVM_ROOT}/lib)
  target_link_libraries(mlir_${fault} PRIVATE core_adapters_mlir)
  target_link_options(mlir_${fault} PRIVATE -Wl,--exclude-libs,ALL)
  target_compile_definitions(mlir_${fault} PRIVATE AFFIRM_LLVM_VERSION="seeded")
endfunction()
