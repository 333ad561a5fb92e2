/* An element of a sort: its position in its line, and the line as one term, with a tuple for each
 * position along the sorted dimension. A sort may therefore be moved across a transpose, or be
 * split by lines, where the order of equal elements cannot change. A line of one element is that
 * element. In a stable sort, a line contains only the operands that the comparison uses, in the
 * order of their use, and the element's own operand. Other operands, and the order of operands, do
 * not count. So it is in a sort of integers by themselves, stable or not, as equal integers cannot
 * be distinguished. */
#include <string.h>

#include "oracle/symbolic/build.h"

static constexpr uint32_t most_operands = 16;

/* The tuples of a line, for one result of a sort. */
struct SortForm {
  uint32_t signature, count;
  uint32_t operands[most_operands]; /* [count] */
  uint32_t own;                     /* the position of the result's operand in a tuple */
  int64_t inner;                    /* elements of each index of the sorted dimension */
  Term *lines;                      /* [line], no_term until first use; nullptr: too many to keep */
};

static void list_operand(SortForm *form, uint32_t operand) {
  for (uint32_t i = 0; i < form->count; i++)
    if (form->operands[i] == operand) return;
  form->operands[form->count++] = operand;
}

/* Lists the operands that the comparison uses, in the order of their first use. Its terms may be
 * deeper than the graph. */
static void list_compared(TermBuilder *builder, Term comparison, SortForm *form) {
  struct {
    uint32_t count, capacity;
    Term *items;
  } left = {}; /* the next one last */
  bool *is_seen = ARENA_NEW(builder->arena, bool, (size_t)comparison + 1);
  *ARENA_PUSH(builder->arena, &left) = comparison;
  while (left.count > 0) {
    Term term = left.items[--left.count];
    const TermData *data = term_data(builder->terms, term);
    if (is_seen[term]) continue;
    is_seen[term] = true;
    const TermSignature *of =
        data->kind == TERM_ATOM ? signature_at(builder->terms, data->signature) : nullptr;
    if (of != nullptr && of->is_body) list_operand(form, of->number / 2);
    for (uint32_t i = data->count; i-- > 0;)
      *ARENA_PUSH(builder->arena, &left) = term_children(builder->terms, term)[i];
  }
}

/* The comparison of the listed operands, as if there were no others. */
static Term comparison_of_listed(
    TermBuilder *builder, const Node *node, Term comparison, const SortForm *form) {
  Instruction *const *parameters = node->instruction->called[0]->parameters;
  Term arguments[2 * most_operands] = {};
  for (uint32_t i = 0; i < form->count; i++)
    for (uint32_t side = 0; side < 2; side++) {
      uint32_t parameter = 2 * form->operands[i] + side;
      arguments[parameter] = builder_argument(builder, 2 * i + side, parameters[parameter]->shape);
    }
  OperandSorting sorting = terms_sort_operands(builder->terms, SORTING_INTEGERS);
  Term made = term_substitute(builder->terms, comparison, arguments);
  (void)terms_sort_operands(builder->terms, sorting);
  return made;
}

static bool is_parameter(const Terms *terms, Term term, uint32_t number) {
  const TermData *data = term_data(terms, term);
  const TermSignature *of = signature_at(terms, data->signature);
  return data->kind == TERM_ATOM && of->is_body && of->number == number;
}

/* Whether the comparison is a strict order of its first two parameters, in which different integers
 * are never equivalent. Then every sort of one operand has the same result, stable or not. */
static bool has_one_order(const Terms *terms, Term comparison) {
  const TermData *data = term_data(terms, comparison);
  if (data->kind != TERM_APPLY || data->count != 2) return false;
  const Instruction *compare = signature_at(terms, data->signature)->instruction;
  const Term *sides = term_children(terms, comparison);
  bool in_order = is_parameter(terms, sides[0], 0) && is_parameter(terms, sides[1], 1);
  bool is_reversed = is_parameter(terms, sides[0], 1) && is_parameter(terms, sides[1], 0);
  if (compare == nullptr || compare->opcode != HLO_COMPARE || !(in_order || is_reversed) ||
      !element_type_is_integral(term_data(terms, sides[0])->type))
    return false;
  const Attribute *direction = instruction_attribute(compare, "direction");
  return direction != nullptr &&
         (strcmp(direction->text, "LT") == 0 || strcmp(direction->text, "GT") == 0);
}

/* Whether only the compared operand is followed: it is the result's own, and all its orders are
 * one. */
static bool is_of_one_operand(
    const Terms *terms, const SortForm *form, uint32_t leaf, Term listed) {
  return form->count == 1 && form->operands[0] == leaf && has_one_order(terms, listed);
}

static void sort_signature(
    TermBuilder *builder, const Node *node, uint32_t leaf, Term comparison, SortForm *form) {
  const Attribute *stable = instruction_attribute(node->instruction, "is_stable");
  bool is_stable = stable != nullptr && strcmp(stable->text, "true") == 0;
  list_compared(builder, comparison, form);
  Term listed = comparison_of_listed(builder, node, comparison, form);
  bool is_one = is_of_one_operand(builder->terms, form, leaf, listed);
  Text text = text_create(builder->arena);
  if (is_one || is_stable) {
    comparison = listed;
    list_operand(form, leaf);
  } else {
    form->count = node->operand_count;
    for (uint32_t i = 0; i < form->count; i++) form->operands[i] = i;
  }
  text_printf(&text, "sort%s t%u", is_stable && !is_one ? " stable" : "", comparison);
  if (!is_stable && !is_one) {
    text_printf(&text, " %lld of ", (long long)node->instruction->dimensions.values[0]);
    shape_print(&text, node->leaves[0].shape);
  }
  while (form->operands[form->own] != leaf) form->own++;
  form->signature = signature_of(builder->terms, text.bytes, "sort");
  TermSignature *made = signature_at(builder->terms, form->signature);
  made->instruction = node->instruction;
  made->body = ARENA_NEW(builder->arena, Term, 1);
  made->body[0] = comparison;
  made->body_count = 1;
  made->is_opaque = true;
  made->sorts = is_stable && !is_one ? SORTS_STABLE : SORTS;
}

static void create_lines(
    TermBuilder *builder, const Leaf *leaf, uint32_t dimension, SortForm *form) {
  static constexpr int64_t most_lines = 1 << 22;
  int64_t lines = leaf->elements / leaf->sizes[dimension];
  form->inner = 1;
  for (uint32_t i = dimension + 1; i < leaf->rank; i++) form->inner *= leaf->sizes[i];
  if (lines > most_lines) return;
  form->lines = arena_alloc_unset(builder->arena, (size_t)lines, sizeof(Term));
  memset(form->lines, 0xff, (size_t)lines * sizeof(Term));
}

/* nullptr if something was rejected. */
static const SortForm *form_of(
    TermBuilder *builder, const Node *node, uint32_t leaf, uint32_t dimension) {
  NodeTerms *kept = &builder->nodes[node->number];
  uint32_t count;
  Term *results;
  if (kept->sorts == nullptr) kept->sorts = ARENA_NEW(builder->arena, SortForm, node->leaf_count);
  SortForm *form = &kept->sorts[leaf];
  if (form->count > 0) return form;
  if (!builder_body(builder, node->instruction->called[0], &count, &results)) return nullptr;
  sort_signature(builder, node, leaf, results[0], form);
  create_lines(builder, &node->leaves[0], dimension, form);
  return form;
}

/* The tuple at one position: the elements of the listed operands. */
static bool sort_tuple(
    TermBuilder *builder, const Node *node, const SortForm *form, int64_t element, Term *tuple) {
  Term elements[most_operands];
  for (uint32_t i = 0; i < form->count; i++)
    if (!builder_element(builder, node->operands[form->operands[i]], 0, element, &elements[i]))
      return false;
  *tuple = term_make(builder->terms, TERM_TUPLE, TYPE_opaque,
      signature_of(builder->terms, "sorted", ""), 0, form->count, elements);
  return builder_spend(builder, node, 1);
}

/* The line that contains the element. */
static bool sort_line(TermBuilder *builder, const Node *node, const SortForm *form, int64_t size,
    int64_t element, Term *line) {
  int64_t outer = element / (form->inner * size), within = element % form->inner;
  Term *kept = form->lines == nullptr ? line : &form->lines[outer * form->inner + within];
  if (kept != line && *kept != no_term) {
    *line = *kept;
    return true;
  }
  Term *tuples = ARENA_NEW(builder->arena, Term, size);
  for (int64_t i = 0; i < size; i++)
    if (!sort_tuple(builder, node, form, (outer * size + i) * form->inner + within, &tuples[i]))
      return false;
  *line = *kept = term_make(builder->terms, TERM_ARRAY, TYPE_opaque,
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
        node->operands[i]->leaves[0].elements != node->leaves[0].elements ||
        node->operands[i]->leaves[0].shape->type != node->leaves[i].shape->type)
      return false;
  return node->leaves[0].sizes[along] <= longest;
}

bool build_sort(
    TermBuilder *builder, const Node *node, uint32_t leaf, int64_t element, Term *term) {
  uint32_t dimension;
  Term line;
  if (!is_followed(node, &dimension)) return build_opaque(builder, node, leaf, element, term);
  int64_t size = node->leaves[0].sizes[dimension];
  if (size == 1) return builder_element(builder, node->operands[leaf], 0, element, term);
  const SortForm *form = form_of(builder, node, leaf, dimension);
  if (form == nullptr || !sort_line(builder, node, form, size, element, &line)) return false;
  int64_t at = element / form->inner % size;
  *term = term_make(builder->terms, TERM_APPLY, node->leaves[leaf].shape->type, form->signature,
      ((uint64_t)form->own << 48) + (uint64_t)at, 1, &line);
  return true;
}
