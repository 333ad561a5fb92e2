/* An element of a sort: its position in its line, and the line as one term, with a tuple for each
 * position along the sorted dimension. A sort may therefore be moved across a transpose, or be
 * split by lines, where the order of equal elements cannot change. A line of one element is that
 * element. In a stable sort, a line contains only the element's own operand and the operands that
 * the comparison uses. */
#include <string.h>

#include "oracle/terms/build.h"

static constexpr uint32_t most_operands = 16;

/* A bit for each operand whose elements the comparison uses. */
static uint32_t compared_operands(const Terms *terms, Term term) {
  const TermData *data = term_data(terms, term);
  uint32_t operands = 0;
  if (data->kind == TERM_ATOM) {
    const TermSignature *of = signature_at(terms, data->signature);
    return of->is_body ? 1U << of->number / 2 : UINT32_MAX;
  }
  for (uint32_t i = 0; i < data->count; i++)
    operands |= compared_operands(terms, term_children(terms, term)[i]);
  return operands;
}

static bool is_parameter(const Terms *terms, Term term, uint32_t number) {
  const TermData *data = term_data(terms, term);
  const TermSignature *of = signature_at(terms, data->signature);
  return data->kind == TERM_ATOM && of->is_body && of->number == number;
}

/* Whether the comparison is a strict order of its two parameters, in which different integers are
 * never equivalent. Then every sort of one operand has the same result. */
static bool has_one_order(const Terms *terms, const Node *node, Term comparison) {
  const TermData *data = term_data(terms, comparison);
  if (node->operand_count != 1 || !element_type_is_integral(node->leaves[0].shape->type) ||
      data->kind != TERM_APPLY || data->count != 2)
    return false;
  const Instruction *compare = signature_at(terms, data->signature)->instruction;
  const Term *sides = term_children(terms, comparison);
  bool in_order = is_parameter(terms, sides[0], 0) && is_parameter(terms, sides[1], 1);
  bool is_reversed = is_parameter(terms, sides[0], 1) && is_parameter(terms, sides[1], 0);
  if (compare == nullptr || compare->opcode != HLO_COMPARE || !(in_order || is_reversed))
    return false;
  const Attribute *direction = instruction_attribute(compare, "direction");
  return direction != nullptr &&
         (strcmp(direction->text, "LT") == 0 || strcmp(direction->text, "GT") == 0);
}

static bool sort_signature(TermBuilder *builder, const Node *node, uint32_t *signature) {
  uint32_t count;
  Term *results;
  if (!builder_body(builder, node->instruction->called[0], &count, &results)) return false;
  const Attribute *stable = instruction_attribute(node->instruction, "is_stable");
  bool is_stable = stable != nullptr && strcmp(stable->text, "true") == 0;
  Text text = text_create(builder->arena);
  text_printf(&text, "sort%s t%u", is_stable ? " stable" : "", results[0]);
  if (!is_stable && !has_one_order(builder->terms, node, results[0])) {
    text_printf(&text, " %lld of ", (long long)node->instruction->dimensions.values[0]);
    shape_print(&text, node->leaves[0].shape);
  }
  *signature = signature_of(builder->terms, text.bytes, "sort");
  TermSignature *made = signature_at(builder->terms, *signature);
  made->instruction = node->instruction;
  made->body = results;
  made->body_count = count;
  made->is_opaque = true;
  made->sorts = is_stable ? SORTS_STABLE : SORTS;
  return true;
}

/* The tuple at one position: the elements of the operands in the bit set `operands`, in order. */
static bool sort_tuple(
    TermBuilder *builder, const Node *node, uint32_t operands, int64_t element, Term *tuple) {
  Term elements[most_operands];
  uint32_t count = 0;
  for (uint32_t i = 0; i < node->operand_count; i++)
    if ((operands >> i & 1) != 0 &&
        !builder_element(builder, node->operands[i], 0, element, &elements[count++]))
      return false;
  *tuple = term_make(builder->terms, TERM_TUPLE, TYPE_opaque,
      signature_of(builder->terms, "sorted", ""), operands, count, elements);
  return builder_spend(builder, node, 1);
}

/* The line of the element at `at`; the position along the sorted dimension is ignored. */
static bool sort_line(TermBuilder *builder, const Node *node, uint32_t operands, uint32_t dimension,
    const int64_t *at, Term *line) {
  const Leaf *leaf = &node->leaves[0];
  int64_t position[oracle_max_rank], size = leaf->sizes[dimension];
  memcpy(position, at, leaf->rank * sizeof *position);
  Term *tuples = ARENA_NEW(builder->arena, Term, size);
  for (position[dimension] = 0; position[dimension] < size; position[dimension]++)
    if (!sort_tuple(
            builder, node, operands, leaf_element(leaf, position), &tuples[position[dimension]]))
      return false;
  *line = term_make(builder->terms, TERM_ARRAY, TYPE_opaque,
      signature_of(builder->terms, "line", "line"), 0, (uint32_t)size, tuples);
  return true;
}

static bool is_followed(const Node *node, uint32_t *dimension) {
  const Instruction *sort = node->instruction;
  static constexpr int64_t longest = 256;
  if (sort->dimensions.count != 1 || sort->called_count != 1 || node->operand_count == 0 ||
      node->operand_count > most_operands || node->leaf_count != node->operand_count)
    return false;
  int64_t along = sort->dimensions.values[0];
  if (along < 0 || along >= node->leaves[0].rank) return false;
  *dimension = (uint32_t)along;
  for (uint32_t i = 0; i < node->operand_count; i++)
    if (node->operands[i]->leaf_count != 1 ||
        node->operands[i]->leaves[0].elements != node->leaves[0].elements)
      return false;
  return node->leaves[0].sizes[along] <= longest;
}

bool build_sort(
    TermBuilder *builder, const Node *node, uint32_t leaf, int64_t element, Term *term) {
  uint32_t signature, dimension;
  int64_t at[oracle_max_rank];
  Term line;
  if (!is_followed(node, &dimension)) return build_opaque(builder, node, leaf, element, term);
  if (node->leaves[0].sizes[dimension] == 1)
    return builder_element(builder, node->operands[leaf], 0, element, term);
  if (!sort_signature(builder, node, &signature)) return false;
  const TermSignature *of = signature_at(builder->terms, signature);
  uint32_t all = (uint32_t)((UINT64_C(1) << node->operand_count) - 1), operands = all;
  if (of->sorts == SORTS_STABLE)
    operands = (compared_operands(builder->terms, of->body[0]) | 1U << leaf) & all;
  leaf_index(&node->leaves[0], element, at);
  if (!sort_line(builder, node, operands, dimension, at, &line)) return false;
  *term = term_make(builder->terms, TERM_APPLY, node->leaves[leaf].shape->type, signature,
      ((uint64_t)__builtin_popcount(operands & ((1U << leaf) - 1)) << 48) + (uint64_t)at[dimension],
      1, &line);
  return true;
}
