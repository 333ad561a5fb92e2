/* Maps an opcode's group to the function that lists its reads. A group of opcodes.def without a
 * function does not link. A group without semantics has a function in unknowable.c that states the
 * reason. */
#include "oracle/semantics/reading.h"

static ReadRule *const rules[opcode_group_count] = {
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
