# Every mutant is reduced by a program in which it is seeded. reduce_table.sh prints the table and checks its limits. The fault is hidden in the
# files of reduce/hidden and in what its fuzz target finds from the seeds (seeded.cmake); a fault of the prover also in changed rules.
# A row: name, program, subject, rules, seeded target, its seeds, MLIR library; - for none.
set(reduce_rows)
set(reduce_all_rows)

function(affirm_reduce_program name)
  if(NOT TARGET reduce_${name})
    add_executable(reduce_${name} ${CMAKE_SOURCE_DIR}/reduce/reduce_mutant_main.c ${ARGN})
    target_link_libraries(reduce_${name} PRIVATE reduce affirm_flags)
    set_target_properties(reduce_${name} PROPERTIES LINKER_LANGUAGE CXX)
  endif()
endfunction()

affirm_reduce_program(no_fault)
set(hidden ${CMAKE_SOURCE_DIR}/reduce/hidden)
string(APPEND reduce_rows "false_rule $<TARGET_FILE:reduce_no_fault> ${hidden}/rules.hlo ${hidden}/wrong.rules - - -\n")

# Uses the same faulty copies and include directories as the target's program in seeded.cmake.
function(affirm_reduce_mutant target fault)
  set(seeded mutant_${target}_${fault})
  get_target_property(sources ${seeded} SOURCES)
  list(FILTER sources EXCLUDE REGEX "(_target|_main)\\.c$")
  affirm_reduce_program(${fault} ${sources})
  set_target_properties(reduce_${fault} PROPERTIES AFFIRM_SEEDED ${fault})
  get_target_property(directories ${seeded} INCLUDE_DIRECTORIES)
  if(directories)
    target_include_directories(reduce_${fault} BEFORE PRIVATE ${directories})
  endif()
  set(seeds ${CMAKE_SOURCE_DIR}/corpus/seeds/${target})
  set(library -)
  if("${target}" STREQUAL "mlir")
    set(library $<TARGET_FILE:mlir_${fault}>)
  endif()
  foreach(subject ${hidden}/${fault}.hlo ${hidden}/${fault}.case)
    if(EXISTS ${subject})
      string(APPEND reduce_rows "${fault} $<TARGET_FILE:reduce_${fault}> ${subject} - - - ${library}\n")
    endif()
  endforeach()
  set(kind report) # the report of a text target is its printed text, so its input is reduced                    # instead
  if("${target}" STREQUAL "text")
    set(kind input)
  endif()
  string(APPEND reduce_all_rows "${fault} $<TARGET_FILE:reduce_${fault}> ${kind} - $<TARGET_FILE:${seeded}> ${seeds} ${library}\n")
  if(fault MATCHES "^prove_")
    target_compile_options(reduce_${fault} PRIVATE -UNDEBUG)
    string(APPEND reduce_all_rows "${fault} $<TARGET_FILE:reduce_${fault}> mutants - - - -\n")
  endif()
  set(reduce_rows "${reduce_rows}" PARENT_SCOPE)
  set(reduce_all_rows "${reduce_all_rows}" PARENT_SCOPE)
endfunction()

if(AFFIRM_FUZZ)
  file(STRINGS ${fuzz_mutant_list} found)
  foreach(line ${found})
    separate_arguments(words UNIX_COMMAND "${line}")
    list(GET words 0 target)
    list(GET words 1 fault)
    affirm_reduce_mutant(${target} ${fault})
  endforeach()
endif()

# The targets take a minute or two to find their faults, so these rows are only in the table of all: ctest -C
# Service -R reduce_table_all
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/reduce_rows.txt CONTENT "${reduce_rows}")
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/reduce_all_rows.txt CONTENT "${reduce_rows}${reduce_all_rows}")
add_test(NAME reduce_table COMMAND ${CMAKE_SOURCE_DIR}/reduce/reduce_table.sh ${CMAKE_BINARY_DIR}/reduce_rows.txt $<TARGET_FILE:affirm>)
add_test(NAME reduce_table_all COMMAND ${CMAKE_SOURCE_DIR}/reduce/reduce_table.sh ${CMAKE_BINARY_DIR}/reduce_all_rows.txt $<TARGET_FILE:affirm>
  CONFIGURATIONS Service)
