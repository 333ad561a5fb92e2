/* A bitcast between arrays of one element type whose layouts are only orders of dimensions. The
 * element at the same memory position is computed by arithmetic, so arrays of any size are
 * supported. A bitcast to the array's own type changes nothing. Tiles, widths and other types use
 * the tables of oracle/semantics/tiles.h. */
#include "oracle/symbolic/build.h"

#include <string.h>

/* Whether only a memory space follows the order of the dimensions. */
static bool has_order_alone(const Shape *shape) {
  const char *rest = shape->layout_rest;
  return rest == nullptr || (rest[0] == 'S' && strcspn(rest, ")") + 1 == strlen(rest));
}

bool bitcast_is_followed(const Node *node, uint32_t leaf) {
  if (leaf >= node->operands[0]->leaf_count) return false;
  const Leaf *output = &node->leaves[leaf], operand = flow_stated_operand(node, 0, leaf);
  return node->leaf_count == node->operands[0]->leaf_count &&
         output->shape->type == operand.shape->type && output->elements == operand.elements &&
         has_order_alone(output->shape) && has_order_alone(operand.shape);
}

bool build_bitcast(
    TermBuilder *builder, const Node *node, uint32_t leaf, int64_t element, Term *term) {
  const Leaf *output = &node->leaves[leaf], operand = flow_stated_operand(node, 0, leaf);
  int64_t at[oracle_max_rank] = {}, from[oracle_max_rank] = {};
  leaf_index(output, element, at);
  leaf_at_position(&operand, leaf_position(output, at), from);
  return builder_element(builder, node->operands[0], leaf, leaf_element(&operand, from), term);
}
