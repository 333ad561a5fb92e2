# Every planted fault is reduced by a program in which it is planted; reduce_table.sh prints the table and holds it to its marks. What the fault hides in: the
# files of fuzz/hidden, and what its fuzz target finds from the seeds (planted.cmake); a fault of the prover hides in changed rules as well.
# A row: name, program, subject, rules, planted target, its seeds, MLIR library; - for none.
set(reduce_rows)
set(reduce_all_rows)

function(affirm_reduce_program name)
  if(NOT TARGET reduce_${name})
    add_executable(reduce_${name} ${CMAKE_SOURCE_DIR}/fuzz/reduce_planted_main.c ${ARGN})
    target_link_libraries(reduce_${name} PRIVATE fuzz affirm_flags)
    set_target_properties(reduce_${name} PROPERTIES LINKER_LANGUAGE CXX)
  endif()
endfunction()

affirm_reduce_program(no_fault)
set(hidden ${CMAKE_SOURCE_DIR}/fuzz/hidden)
string(APPEND reduce_rows "false_rule $<TARGET_FILE:reduce_no_fault> ${hidden}/rules.hlo ${hidden}/wrong.rules - - -\n")

# As planted.cmake has made the target's program: the same faulty copies, the same folders before the others.
function(affirm_reduce_planted target fault)
  set(planted planted_${target}_${fault})
  get_target_property(sources ${planted} SOURCES)
  list(FILTER sources EXCLUDE REGEX "(_target|_main)\\.c$")
  affirm_reduce_program(${fault} ${sources})
  get_target_property(folders ${planted} INCLUDE_DIRECTORIES)
  if(folders)
    target_include_directories(reduce_${fault} BEFORE PRIVATE ${folders})
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
  set(kind report) # what a text target reports is what it printed, so its input is what is reduced
  if("${target}" STREQUAL "text")
    set(kind input)
  endif()
  string(APPEND reduce_all_rows "${fault} $<TARGET_FILE:reduce_${fault}> ${kind} - $<TARGET_FILE:${planted}> ${seeds} ${library}\n")
  if(fault MATCHES "^prove_")
    target_compile_options(reduce_${fault} PRIVATE -UNDEBUG)
    string(APPEND reduce_all_rows "${fault} $<TARGET_FILE:reduce_${fault}> mutants - - - -\n")
  endif()
  set(reduce_rows "${reduce_rows}" PARENT_SCOPE)
  set(reduce_all_rows "${reduce_all_rows}" PARENT_SCOPE)
endfunction()

if(AFFIRM_FUZZ)
  file(STRINGS ${fuzz_planted_list} found)
  foreach(line ${found})
    separate_arguments(words UNIX_COMMAND "${line}")
    list(GET words 0 target)
    list(GET words 1 fault)
    if(NOT "${target} ${fault}" MATCHES "^compose algebra_") # what the algebra answers wrongly is reduced as bytes (affirm reduce --target compose), and to no case
      affirm_reduce_planted(${target} ${fault})
    endif()
  endforeach()
endif()

# What the targets find takes a minute or two, so it is in the table of all: ctest -C Service -R reduce_table_all
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/reduce_rows.txt CONTENT "${reduce_rows}")
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/reduce_all_rows.txt CONTENT "${reduce_rows}${reduce_all_rows}")
add_test(NAME reduce_table COMMAND ${CMAKE_SOURCE_DIR}/fuzz/reduce_table.sh ${CMAKE_BINARY_DIR}/reduce_rows.txt $<TARGET_FILE:affirm>)
add_test(NAME reduce_table_all COMMAND ${CMAKE_SOURCE_DIR}/fuzz/reduce_table.sh ${CMAKE_BINARY_DIR}/reduce_all_rows.txt $<TARGET_FILE:affirm>
  CONFIGURATIONS Service)
