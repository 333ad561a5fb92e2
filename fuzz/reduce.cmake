# Every planted fault of the corpus is reduced by a program in which it is planted; reduce_table.sh prints the table and holds it to its marks.
# What the fault hides in: fuzz/hidden/NAME.hlo and NAME.case where they are there, else its own cases; a fault of the prover hides in changed rules.

set(reduce_rows)
set(reduce_prover_rows)

function(affirm_reduce_row list name program subject)
  string(JOIN " " rules ${ARGN})
  set(${list} "${${list}}${name} $<TARGET_FILE:${program}> ${subject} ${rules}\n" PARENT_SCOPE)
endfunction()

function(affirm_reduce_program name)
  add_executable(reduce_${name} ${CMAKE_SOURCE_DIR}/fuzz/reduce_planted_main.c ${ARGN})
  target_link_libraries(reduce_${name} PRIVATE fuzz affirm_flags)
  set_target_properties(reduce_${name} PROPERTIES LINKER_LANGUAGE CXX)
endfunction()

affirm_reduce_program(no_fault)
set(hidden ${CMAKE_SOURCE_DIR}/fuzz/hidden)
set(faults ${CMAKE_SOURCE_DIR}/corpus/faults)
affirm_reduce_row(reduce_rows false_rule reduce_no_fault ${hidden}/rules.hlo ${hidden}/wrong.rules)
affirm_reduce_row(reduce_rows mod_upper_bound reduce_no_fault ${faults}/mod_upper_bound.case ${faults}/mod_upper_bound.rules)

file(GLOB found CONFIGURE_DEPENDS ${faults}/*.fault)
foreach(fault ${found})
  get_filename_component(name ${fault} NAME_WE)
  if(NOT name MATCHES "^prove_" AND NOT EXISTS ${faults}/${name}.case)
    continue()
  endif()
  if(name STREQUAL mod_upper_bound)
    continue()
  endif()
  affirm_reduce_program(${name} ${CMAKE_BINARY_DIR}/faults/${name}.c)
  if(name MATCHES "^prove_")
    target_compile_options(reduce_${name} PRIVATE -UNDEBUG)
    affirm_reduce_row(reduce_prover_rows ${name} reduce_${name} mutants)
    continue()
  endif()
  foreach(subject ${hidden}/${name}.hlo ${hidden}/${name}.case)
    if(EXISTS ${subject})
      affirm_reduce_row(reduce_rows ${name} reduce_${name} ${subject})
    endif()
  endforeach()
  if(NOT EXISTS ${hidden}/${name}.hlo AND NOT EXISTS ${hidden}/${name}.case)
    affirm_reduce_row(reduce_rows ${name} reduce_${name} ${faults}/${name}.case)
  endif()
endforeach()

# The prover's faults take a minute, so they are in the table of all: ctest -C Service -R reduce_table_all
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/reduce_rows.txt CONTENT "${reduce_rows}")
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/reduce_all_rows.txt CONTENT "${reduce_rows}${reduce_prover_rows}")
add_test(NAME reduce_table COMMAND ${CMAKE_SOURCE_DIR}/fuzz/reduce_table.sh ${CMAKE_BINARY_DIR}/reduce_rows.txt $<TARGET_FILE:affirm>)
add_test(NAME reduce_table_all COMMAND ${CMAKE_SOURCE_DIR}/fuzz/reduce_table.sh ${CMAKE_BINARY_DIR}/reduce_all_rows.txt $<TARGET_FILE:affirm>
  CONFIGURATIONS Service)
