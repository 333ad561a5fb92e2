/* From an opcode's group to the function that says what it reads. A group of opcodes.def without
 * one does not link: its semantics are written, or it is said in unknowable.c why they are not. */
#include "oracle/semantics/reading.h"

static Rule *const rules[opcode_group_count] = {
#define GROUP(group, family) read_##group,
#include "core/hlo/opcodes.def"
#undef GROUP
};

bool read_operation(
    Reading *reading, const Node *node, uint32_t leaf, int64_t element, const int64_t *at) {
  assert(!node->is_input && leaf < node->leaf_count && element >= 0 &&
         element < node->leaves[leaf].elements);
  reading->count = 0;
  reading->scratch_used = 0;
  reading->node = node;
  reading->leaf = leaf;
  reading->element = element;
  reading->at = at;
  return rules[opcode_group(node->instruction->opcode)](reading);
}
