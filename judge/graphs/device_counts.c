/* Reads the two numbers from the header's text. Instructions are recognised by the group of their
 * opcode. */
#include "judge/graphs/device_counts.h"

#include <stdlib.h>
#include <string.h>

/* Finds `name` as a whole word before '='. */
static unsigned long long stated_count(const Module *module, const char *name) {
  size_t length = strlen(name);
  const char *text = module->header_rest;
  for (const char *at = text; at != nullptr && (at = strstr(at, name)) != nullptr; at += length)
    if ((at == text || strchr(", ", at[-1]) != nullptr) && at[length] == '=')
      return strtoull(at + length + 1, nullptr, 10);
  return 1;
}

static bool speaks_of_devices(const Instruction *instruction) {
  return instruction->opcode == HLO_PARTITION_ID || instruction->opcode == HLO_REPLICA_ID ||
         opcode_family(instruction->opcode) == FAMILY_COLLECTIVE;
}

const Instruction *instruction_over_devices(const Module *before, const Module *after) {
  static const char *const names[] = {"replica_count", "num_partitions"};
  bool is_equal = true;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    is_equal = is_equal && stated_count(before, names[i]) == stated_count(after, names[i]);
  if (is_equal) return nullptr;
  const Instruction *found = module_find(before, speaks_of_devices);
  return found != nullptr ? found : module_find(after, speaks_of_devices);
}
