/* Compares the two numbers in the headers as they are written. Instructions are recognised by the
 * group of their opcode. */
#include "judge/graphs/device_counts.h"

#include <string.h>

#include "core/hlo/header.h"

static bool states_equal(const Module *before, const Module *after, const char *name) {
  static const Slice one = {.text = "1", .length = 1};
  Slice a, b;
  if (!header_value(before, name, &a)) a = one;
  if (!header_value(after, name, &b)) b = one;
  return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

static bool speaks_of_devices(const Instruction *instruction) {
  return instruction->opcode == HLO_PARTITION_ID || instruction->opcode == HLO_REPLICA_ID ||
         opcode_family(instruction->opcode) == FAMILY_COLLECTIVE;
}

const Instruction *instruction_over_devices(const Module *before, const Module *after) {
  static const char *const names[] = {"replica_count", "num_partitions"};
  bool is_equal = true;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    is_equal = is_equal && states_equal(before, after, names[i]);
  if (is_equal) return nullptr;
  const Instruction *found = module_find(before, speaks_of_devices);
  return found != nullptr ? found : module_find(after, speaks_of_devices);
}
