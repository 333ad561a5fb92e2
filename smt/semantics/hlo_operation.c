/* Maps an opcode's group to its semantics; a group of opcodes.def without a function does not link.
 * The groups defined here read nothing, or their reads have no formula, each with the reason. */
#include "smt/semantics/hlo_reading.h"

static SmtReads *const rules[opcode_group_count] = {
#define GROUP(group, family) reads_of_##group,
#include "core/hlo/opcodes.def"
#undef GROUP
};

bool hlo_accesses(SmtReading *reading) {
  if (instruction_unbounded(reading->instruction) != nullptr)
    return reading_lacks(reading, "a size is not known");
  return rules[opcode_group(reading->instruction->opcode)](reading);
}

bool reads_of_source(SmtReading *) { return true; }

bool reads_of_rng(SmtReading *reading) {
  for (uint32_t i = 0; i < reading->instruction->operand_count; i++) reading_all(reading, i);
  return true;
}

bool reads_of_call(SmtReading *reading) { return reading_lacks(reading, "read through its body"); }

bool reads_of_while(SmtReading *reading) {
  return reading_lacks(reading, "what it reads depends on how often or which body runs");
}

bool reads_of_ragged_all_to_all(SmtReading *reading) {
  return reading_lacks(
      reading, "which elements move depends on offsets and sizes of other devices");
}

bool reads_of_rng_bit_generator(SmtReading *reading) {
  return reading_lacks(
      reading, "which words of the state a number is made of is the algorithm's own");
}

bool reads_of_custom_call(SmtReading *reading) {
  return reading_lacks(reading, "its target alone knows what it reads");
}

bool reads_of_transfer(SmtReading *reading) {
  return reading_lacks(reading, "data that enters or leaves the program");
}

bool reads_of_dynamic_size(SmtReading *reading) {
  return reading_lacks(
      reading, "the positions of elements depend on a size that is known only at run time");
}
