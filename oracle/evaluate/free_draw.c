/* A drawn value is free if it does not depend on other drawn values and no earlier free draw
 * decides it. What a node depends on is a set of node numbers, made once for each node. */
#include "oracle/evaluate/free_draw.h"

#include "oracle/evaluate/sets.h"
#include "oracle/values/element.h"

/* Operations of which no rule states the value: another system or a state decides it. */
static bool is_opaque_source(const Node *node) {
  Opcode opcode = node->instruction->opcode;
  return (opcode == HLO_CUSTOM_CALL && node->operand_count == 0) || opcode == HLO_INFEED ||
         opcode == HLO_RECV || opcode == HLO_RECV_DONE || opcode == HLO_RNG_GET_AND_UPDATE_STATE;
}

static bool is_given(const Node *node) {
  return node->instruction->opcode == HLO_PARAMETER || is_opaque_source(node);
}

/* Whether each element is one of an operand, and all operands have the same fate, or whether it may
 * be: a custom call may return one of its operands. */
static bool may_pass_on(Opcode opcode) {
  return opcode == HLO_COPY || opcode == HLO_RESHAPE || opcode == HLO_TRANSPOSE ||
         opcode == HLO_BROADCAST || opcode == HLO_SLICE || opcode == HLO_REVERSE ||
         opcode == HLO_TUPLE || opcode == HLO_GET_TUPLE_ELEMENT ||
         opcode == HLO_OPTIMIZATION_BARRIER || opcode == HLO_CUSTOM_CALL;
}

static bool has_elements(const Node *node) {
  for (uint32_t i = 0; i < node->leaf_count; i++)
    if (node->leaves[i].elements > 0) return true;
  return false;
}

/* A node and everything that it depends on, by node number. Returns nullptr if the graph around the
 * judged instruction is too large. */
static const uint64_t *cone_of(Values *values, Node *node) {
  Flow *flow = values->flow;
  NodeList open = {};
  if (node->cone != nullptr) return node->cone;
  uint64_t *cone = ARENA_NEW(values->arena, uint64_t, bits_words(flow_max_nodes));
  *ARENA_PUSH(values->arena, &open) = node;
  for (uint32_t i = 0; i < open.count; i++) {
    Node *next = open.items[i], *outside = nullptr;
    Rejection before = *flow->rejection;
    if (next->is_input && !flow_outside(flow, next, &outside)) {
      *flow->rejection = before;
      return nullptr;
    }
    if (outside != nullptr) next = outside;
    if (bits_has(cone, next->number)) continue;
    bits_set(cone, next->number);
    for (uint32_t k = 0; k < next->operand_count; k++)
      *ARENA_PUSH(values->arena, &open) = next->operands[k];
  }
  node->cone = cone;
  return cone;
}

/* Two custom calls may call one function with equal operands. */
static bool may_be_equal(const Node *earlier, const Node *node) {
  return node->instruction->opcode == HLO_CUSTOM_CALL &&
         earlier->instruction->opcode == HLO_CUSTOM_CALL;
}

/* Whether `other` depends on `node`, or may. */
static bool decides(Values *values, const Node *node, Node *other) {
  const uint64_t *cone = cone_of(values, other);
  return cone == nullptr || bits_has(cone, node->number);
}

/* Whether floats of this type convert to each candidate: integers of at most as many bits as a
 * significand are floats. */
static bool has_candidates_as_floats(ElementType type, const ChosenValue *chosen) {
  int bits;
  if (!element_precision(type, &bits)) return false;
  Wide most = (Wide)1 << bits;
  return chosen->items[0] >= -most && chosen->items[chosen->count - 1] <= most;
}

/* The parameter of which a drawn number is a converted float, or nullptr. */
static const Node *converted_parameter(Values *values, const ChosenValue *chosen) {
  const Node *node = chosen->node;
  Rejection before = *values->flow->rejection;
  if (node->instruction->opcode != HLO_CONVERT ||
      !element_type_is_integral(node->leaves[0].shape->type) ||
      !has_candidates_as_floats(node->operands[0]->leaves[0].shape->type, chosen))
    return nullptr;
  Node *from = node->operands[0];
  if (from->is_input && !flow_outside(values->flow, from, &from)) {
    *values->flow->rejection = before;
    return nullptr;
  }
  return from->instruction->opcode == HLO_PARAMETER ? from : nullptr;
}

/* Whether some given element reaches the node without arithmetic. */
static bool passes_given(Values *values, Node *node) {
  NodeList open = {};
  uint64_t *seen = ARENA_NEW(values->arena, uint64_t, bits_words(flow_max_nodes));
  *ARENA_PUSH(values->arena, &open) = node;
  for (uint32_t i = 0; i < open.count; i++) {
    Node *next = open.items[i];
    Rejection before = *values->flow->rejection;
    if (next->is_input && !flow_outside(values->flow, next, &next)) {
      *values->flow->rejection = before;
      return false;
    }
    if (bits_has(seen, next->number) || !has_elements(next)) continue;
    if (is_given(next)) return true;
    bits_set(seen, next->number);
    for (uint32_t k = 0; k < next->operand_count && may_pass_on(next->instruction->opcode); k++)
      *ARENA_PUSH(values->arena, &open) = next->operands[k];
  }
  return false;
}

/* A custom call gives any value, but it may return one of its operands: what is computed from
 * constants, or by arithmetic that loses its operands, may be one value. */
static bool may_give_any(Values *values, Node *node) {
  if (node->instruction->opcode != HLO_CUSTOM_CALL) return false;
  if (!node->is_given_known) node->has_given = passes_given(values, node);
  node->is_given_known = true;
  return node->has_given;
}

/* The node whose element is given and decides the drawn one, whatever other nodes are. */
static const Node *source_of_draw(Values *values, Node *node, const ChosenValue *chosen) {
  if (is_given(node) || may_give_any(values, node)) return node;
  return converted_parameter(values, chosen);
}

/* Adds a node to those drawn under this assignment, and notes whether earlier free draws decide
 * it. */
static void add_computed(Values *values, Node *node, bool is_free) {
  node->drawn = values->path;
  *ARENA_PUSH(values->arena, &values->computed) = node;
  if (is_free) return;
  for (uint32_t i = 0; i < values->position && !values->is_tangled; i++) {
    const ChosenValue *before = values->tape.items[i];
    values->is_tangled =
        before->source != nullptr && before->node != node && decides(values, before->source, node);
  }
}

const Node *draw_source(Values *values, const ChosenValue *chosen) {
  Node *node = values->flow->nodes.items[chosen->node->number];
  Opcode opcode = node->instruction->opcode;
  assert(node == chosen->node && !node->is_input && chosen->count > 0);
  const Node *source = source_of_draw(values, node, chosen);
  for (uint32_t i = 0; i < values->computed.count; i++) {
    Node *earlier = values->computed.items[i];
    if (earlier == node) continue;
    bool is_equal = may_be_equal(earlier, node);
    values->is_tangled = values->is_tangled || is_equal;
    if (source != nullptr && (is_equal || decides(values, source, earlier))) source = nullptr;
  }
  if (opcode != HLO_PARAMETER && node->drawn != values->path)
    add_computed(values, node, source != nullptr);
  return source;
}
