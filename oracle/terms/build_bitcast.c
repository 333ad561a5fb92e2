/* A bitcast between arrays of one element type whose layouts are only orders of dimensions. The
 * element at the same memory position is computed by arithmetic, so arrays of any size are
 * supported. A bitcast to the array's own type changes nothing. Tiles, widths and other types use
 * the tables of oracle/semantics/tiles.h. */
#include "oracle/terms/build.h"

#include <string.h>

/* Whether only a memory space follows the order of the dimensions. */
static bool has_order_alone(const Shape *shape) {
  const char *rest = shape->layout_rest;
  return rest == nullptr || (rest[0] == 'S' && strcspn(rest, ")") + 1 == strlen(rest));
}

static uint32_t dimension_at(const Leaf *leaf, uint32_t minor) {
  return leaf->shape->has_layout ? leaf->shape->minor_to_major[minor] : leaf->rank - 1 - minor;
}

static int64_t position_of(const Leaf *leaf, const int64_t *at) {
  int64_t position = 0;
  for (uint32_t minor = leaf->rank; minor-- > 0;) {
    uint32_t dimension = dimension_at(leaf, minor);
    position = position * leaf->sizes[dimension] + at[dimension];
  }
  return position;
}

static void index_at(const Leaf *leaf, int64_t position, int64_t *at) {
  for (uint32_t minor = 0; minor < leaf->rank; minor++) {
    uint32_t dimension = dimension_at(leaf, minor);
    at[dimension] = position % leaf->sizes[dimension];
    position /= leaf->sizes[dimension];
  }
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
  index_at(&operand, position_of(output, at), from);
  return builder_element(builder, node->operands[0], leaf, leaf_element(&operand, from), term);
}
