# Runs scopes of the gate on engines with a seeded mutant. corpus/faults/seen_by.txt lists the scope that must refute each mutant. Without a mutant each of
# these scopes passes.
set(exhaust_seen_list ${CMAKE_SOURCE_DIR}/corpus/faults/seen_by.txt)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${exhaust_seen_list})

affirm_object(exhaust_fault_main ${CMAKE_SOURCE_DIR}/exhaust/exhaust_fault_main.c exhaust)
add_executable(exhaust_without_fault $<TARGET_OBJECTS:exhaust_fault_main>)
set_target_properties(exhaust_without_fault PROPERTIES LINKER_LANGUAGE CXX)
target_link_libraries(exhaust_without_fault PRIVATE exhaust affirm_flags)

# The smallest case that fails, which corpus/faults/sizes.txt lists for each mutant that a scope refutes. ci/smallest_witness links it with a mutant.
affirm_object(exhaust_smallest_main ${CMAKE_SOURCE_DIR}/exhaust/exhaust_smallest_main.c exhaust)
add_executable(exhaust_smallest $<TARGET_OBJECTS:exhaust_smallest_main>)
set_target_properties(exhaust_smallest PROPERTIES LINKER_LANGUAGE CXX)
target_link_libraries(exhaust_smallest PRIVATE exhaust affirm_flags)
add_test(NAME exhaust_smallest_of_none COMMAND exhaust_smallest cholesky)
add_executable(smallest_reverse_off_by_one $<TARGET_OBJECTS:exhaust_smallest_main>)
set_target_properties(smallest_reverse_off_by_one PROPERTIES LINKER_LANGUAGE CXX)
affirm_seed(smallest_reverse_off_by_one reverse_off_by_one)
target_link_libraries(smallest_reverse_off_by_one PRIVATE exhaust affirm_flags)
add_test(NAME exhaust_fault_smallest_is_found COMMAND ${CMAKE_SOURCE_DIR}/ci/until "^reverse 2 1 1 1 0 refuted$"
  $<TARGET_FILE:smallest_reverse_off_by_one> reverse wrapped cholesky)

function(affirm_exhaust_fault name scope)
  add_executable(exhaust_${name} $<TARGET_OBJECTS:exhaust_fault_main>)
  set_target_properties(exhaust_${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(exhaust_${name} PRIVATE exhaust affirm_flags)
  add_test(NAME exhaust_fault_${name} COMMAND exhaust_${name} ${scope} refuted)
  affirm_seeded_file(${name} file)
  if(file MATCHES "^core/adapters/mlir/")
    affirm_seed_mlir(${name})
    add_dependencies(exhaust_${name} mlir_${name})
    set_target_properties(exhaust_${name} PROPERTIES AFFIRM_SEEDED ${name})
    set_tests_properties(exhaust_fault_${name} PROPERTIES ENVIRONMENT AFFIRM_MLIR=$<TARGET_FILE:mlir_${name}>)
  else()
    affirm_seed(exhaust_${name} ${name})
  endif()
endfunction()

file(STRINGS ${exhaust_seen_list} seen REGEX "^[a-z0-9_]+ scope [a-z0-9-]+$")
set(scopes)
foreach(line ${seen})
  string(REPLACE " " ";" words ${line})
  list(GET words 0 name)
  list(GET words 2 scope)
  affirm_exhaust_fault(${name} ${scope})
  list(APPEND scopes ${scope})
endforeach()
list(REMOVE_DUPLICATES scopes)
foreach(scope ${scopes})
  add_test(NAME exhaust_without_fault_${scope} COMMAND exhaust_without_fault ${scope} passes)
  set_tests_properties(exhaust_without_fault_${scope} PROPERTIES ENVIRONMENT AFFIRM_FEW=1) # ci/gate judges all cases
endforeach()
add_test(NAME exhaust_fault_of_given_rules COMMAND exhaust_without_fault maps refuted ${CMAKE_SOURCE_DIR}/corpus/faults/mod_upper_bound.rules)
# What the gate of the engine itself needs: every case of every scope passes, and none is open. The ordinary run judges an eighth: ci/gate judges all.
if(NOT AFFIRM_SANITIZE) # ten times slower
  set(part --shard=0/8)
  if(AFFIRM_NIGHTLY)
    set(part)
  endif()
  add_test(NAME exhaust_all_scopes COMMAND affirm exhaust --tier gate --jobs 1 --quiet ${part})
endif()
# ci/labels.cmake, which is read last, writes this list of all test names.
add_test(NAME exhaust_every_fault_is_seen COMMAND ${CMAKE_SOURCE_DIR}/exhaust/exhaust_seen.sh $<TARGET_FILE:affirm> ${CMAKE_BINARY_DIR}/exhaust_tests.txt)
