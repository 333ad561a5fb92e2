/* Builds elements of terms on demand and caches them. The term of a data movement is the term of
 * the one element it reads; elementwise operations are applied to terms. Folds, dynamic offsets and
 * opaque operations have their own files. The recursion depth is that of the graph, at most
 * builder_max_depth. */
#include "oracle/symbolic/build.h"

#include <assert.h>
#include <string.h>

#include "core/base/stack.h"

static bool build_moved(
    TermBuilder *builder, const Node *node, uint32_t leaf, int64_t element, Term *term) {
  int64_t at[oracle_max_rank];
  leaf_index(&node->leaves[leaf], element, at);
  if (!read_operation(&builder->reading, node, leaf, element, at)) return false;
  if (builder->reading.count != 1)
    return builder_reject(builder, node, "an element that is no single element of an operand");
  Read read = builder->reading.items[0];
  const Node *operand = node->operands[read.operand];
  const Shape *from = operand->leaves[read.leaf].shape, *to = node->leaves[leaf].shape;
  bool is_bitcast = node->instruction->opcode == HLO_BITCAST, is_same = from->type == to->type;
  /* A part of the bits of a stored element is no element. */
  bool is_whole = !is_bitcast || shape_stored_bits(flow_stated_operand(node, 0, read.leaf).shape) ==
                                     shape_stored_bits(to);
  bool is_converted = is_bitcast && !is_same && from->type != TYPE_pred && to->type != TYPE_pred &&
                      element_type_bits(from->type) == element_type_bits(to->type);
  if (!is_whole || (is_bitcast && !is_same && !is_converted))
    return build_opaque(builder, node, leaf, element, term);
  if (!builder_element(builder, operand, read.leaf, read.element, term)) return false;
  if (is_converted)
    *term = term_apply(builder->terms,
        signature_of_operation(builder->terms, HLO_BITCAST_CONVERT, to->type, 1), 1, term);
  return true;
}

static bool build_applied(TermBuilder *builder, const Node *node, int64_t element, Term *term) {
  Term operands[64] = {};
  uint32_t signature;
  const Instruction *instruction = node->instruction;
  if (instruction->operand_count > 64) return builder_reject(builder, node, "too many operands");
  for (uint32_t i = 0; i < instruction->operand_count; i++) {
    const Leaf *leaf = &node->operands[i]->leaves[0];
    if (leaf->rank != 0 && leaf->elements != node->leaves[0].elements)
      return builder_reject(builder, node, "operands of other shapes");
    if (!builder_element(
            builder, node->operands[i], 0, leaf->rank == 0 ? 0 : element, &operands[i]))
      return false;
  }
  bool is_converted =
      instruction->opcode == HLO_CONVERT || instruction->opcode == HLO_BITCAST_CONVERT;
  if (instruction->opcode == HLO_COPY ||
      (is_converted && node->operands[0]->leaves[0].shape->type == node->leaves[0].shape->type)) {
    *term = operands[0];
    return true;
  }
  if (!builder_signature(builder, node, &signature)) return false;
  const TermSignature *of = signature_at(builder->terms, signature);
  *term = instruction->opcode == HLO_MAP && of->body_count == 1
              ? term_substitute(builder->terms, of->body[0], operands)
              : term_apply(builder->terms, signature, instruction->operand_count, operands);
  return true;
}

/* An index out of range runs the last branch: as an unsigned number, a negative index is large, and
 * a pick clamps at its end. */
static Term branch_index(Terms *terms, Term index) {
  return term_apply(terms, signature_of_operation(terms, HLO_CONVERT, TYPE_u32, 1), 1, &index);
}

/* Chooses between branches by the value of operand 0. With pred, branch 0 is the one for true. */
static bool build_branch(
    TermBuilder *builder, const Node *node, uint32_t leaf, int64_t element, Term *term) {
  const Instruction *instruction = node->instruction;
  uint32_t branches = instruction->called_count;
  bool is_pred = node->operands[0]->leaves[0].shape->type == TYPE_pred;
  Term selector;
  if (node->operand_count != 1 + 2 * branches)
    return build_opaque(builder, node, leaf, element, term);
  if (!builder_element(builder, node->operands[0], 0, 0, &selector)) return false;
  Term *results = ARENA_NEW(builder->arena, Term, branches);
  for (uint32_t i = 0; i < branches; i++) {
    uint32_t branch = is_pred ? branches - 1 - i : i;
    if (!builder_element(
            builder, node->operands[1 + branches + branch], leaf, element, &results[i]))
      return false;
  }
  if (branches == 0) return build_opaque(builder, node, leaf, element, term);
  if (!is_pred) selector = branch_index(builder->terms, selector);
  *term = term_pick(builder->terms, selector, branches, results);
  return true;
}

static bool is_single_type(const Node *node) {
  return node->leaf_count == 1 && node->operand_count > 0;
}

/* A bitcast-convert in which every element stays one element. */
static bool is_same_width(const Node *node) {
  return element_type_bits(node->leaves[0].shape->type) ==
         element_type_bits(node->operands[0]->leaves[0].shape->type);
}

static bool element_term(
    TermBuilder *builder, const Node *node, uint32_t leaf, int64_t element, Term *term) {
  switch (opcode_family(node->instruction->opcode)) {
    case FAMILY_ELEMENTWISE:
      if (is_single_type(node)) return build_applied(builder, node, element, term);
      break;
    case FAMILY_SOURCE:
      if (node->instruction->opcode == HLO_CONSTANT)
        return build_constant(builder, node, leaf, element, term);
      if (node->instruction->opcode == HLO_IOTA) return build_iota(builder, node, element, term);
      break;
    case FAMILY_SHAPE:
      if (node->instruction->opcode == HLO_BITCAST && bitcast_is_followed(node, leaf))
        return build_bitcast(builder, node, leaf, element, term);
      if (node->instruction->opcode != HLO_BITCAST_CONVERT)
        return build_moved(builder, node, leaf, element, term);
      if (is_same_width(node)) return build_applied(builder, node, element, term);
      if (bits_are_followed(node)) return build_bits(builder, node, element, term);
      break;
    case FAMILY_REDUCE:
      if (node->instruction->opcode == HLO_REDUCE || node->instruction->opcode == HLO_REDUCE_WINDOW)
        return build_reduce(builder, node, leaf, element, term);
      if (node->instruction->opcode == HLO_SELECT_AND_SCATTER)
        return build_select_and_scatter(builder, node, element, term);
      break;
    case FAMILY_CONTRACT:
      if (node->instruction->opcode == HLO_DOT) return build_dot(builder, node, element, term);
      if (node->instruction->opcode == HLO_CONVOLUTION)
        return build_convolution(builder, node, element, term);
      break;
    case FAMILY_DYNAMIC:
      return node->instruction->opcode == HLO_SCATTER && node->leaf_count == 1
                 ? build_scatter(builder, node, element, term)
             : node->instruction->opcode == HLO_SCATTER
                 ? build_opaque(builder, node, leaf, element, term)
                 : build_dynamic(builder, node, element, term);
    case FAMILY_CALL:
      if (node->instruction->opcode == HLO_WHILE)
        return build_loop(builder, node, leaf, element, term);
      if (node->instruction->opcode == HLO_CONDITIONAL)
        return build_branch(builder, node, leaf, element, term);
      break;
    case FAMILY_ORDER:
      if (node->instruction->opcode == HLO_SORT)
        return build_sort(builder, node, leaf, element, term);
      break;
    case FAMILY_COLLECTIVE: return build_collective(builder, node, leaf, element, term);
    case FAMILY_STRUCTURE:
    case FAMILY_OPAQUE: break;
  }
  return build_opaque(builder, node, leaf, element, term);
}

/* The cache slot of an element's term. Slots are the leaves of a tree, so that the memory does not
 * grow with an array of which few elements are built. */
static Term *element_slot(TermBuilder *builder, const Node *node, uint32_t leaf, int64_t element) {
  int64_t last = node->leaves[leaf].elements - 1;
  uint32_t shift = 0;
  while (last >> shift >= page_elements) shift += page_bits;
  void **at = &builder->nodes[node->number].elements[leaf];
  int64_t width = (last >> shift) + 1;
  for (; shift > 0; shift -= page_bits, width = page_elements) {
    if (*at == nullptr) *at = ARENA_NEW(builder->arena, void *, width);
    at = &((void **)*at)[(element >> shift) % page_elements];
  }
  if (*at == nullptr) {
    *at = arena_alloc_unset(builder->arena, (size_t)width, sizeof(Term));
    memset(*at, 0xff, (size_t)width * sizeof(Term));
  }
  assert(element >= 0 && element <= last);
  return &((Term *)*at)[element % page_elements];
}

bool build_element(
    TermBuilder *builder, const Node *node, uint32_t leaf, int64_t element, Term *term) {
  builder_resolve(&node, &leaf);
  const InputAlias *alias = builder_alias(builder, node, leaf);
  if (alias != nullptr) return builder_alias_element(builder, alias, element, term);
  if (node->is_input || builder->nodes[node->number].is_cut[leaf]) {
    *term = builder_atom(builder, node, leaf, element);
    return true;
  }
  Term *slot = element_slot(builder, node, leaf, element);
  *term = *slot;
  if (*term != no_term) return true;
  if (!builder_spend(builder, node, 1)) return false;
  if (++builder->depth > builder_max_depth)
    return reject(builder->rejection, REASON_TOO_LARGE,
        "too deep: more than %u operations in a row", builder_max_depth);
  if (stack_is_low()) return reject(builder->rejection, REASON_TOO_LARGE, "%s", stack_low_text);
  ElementType type = node->leaves[leaf].shape->type;
  bool is_built = element_term(builder, node, leaf, element, term);
  if (is_built) *term = term_passed(builder->terms, type, *term);
  if (is_built && term_data(builder->terms, *term)->type != type)
    is_built = build_opaque(builder, node, leaf, element, term);
  builder->depth--;
  if (is_built) *slot = *term;
  return is_built;
}
