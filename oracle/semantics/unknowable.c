/* Operations that read nothing, and operations whose reads do not follow from the text, each with
 * the reason. */
#include "oracle/semantics/reading.h"

bool read_unsupported(Reading *reading) {
  const Instruction *instruction = reading->node->instruction;
  return reject(reading->rejection, REASON_UNSUPPORTED, "the oracle has no semantics for %s ('%s')",
      opcode_name(instruction->opcode), instruction->name);
}

bool read_unknowable(Reading *reading, const char *reason) {
  assert(reason[0] != '\0');
  const Instruction *instruction = reading->node->instruction;
  return reject(reading->rejection, REASON_UNSUPPORTED, "what %s '%s' reads is unknown: %s",
      opcode_name(instruction->opcode), instruction->name, reason);
}

bool read_source(Reading *) { return true; }

bool read_call(Reading *reading) { return read_unsupported(reading); }

bool read_custom_call(Reading *reading) {
  return read_unknowable(reading, "what it computes is not in the text");
}

bool read_rng_bit_generator(Reading *reading) {
  return read_unknowable(reading, "the algorithm decides which words of the state a number uses");
}

bool read_ragged_all_to_all(Reading *reading) {
  return read_unknowable(reading, "sizes and offsets on other devices decide");
}

bool read_transfer(Reading *reading) {
  return read_unknowable(reading, "the other side of the transfer is not in the module");
}

bool read_dynamic_size(Reading *reading) {
  return read_unknowable(reading, "sizes that are values decide which elements exist");
}
