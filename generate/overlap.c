/* Enumerates all partial matchings of the operators of two left sides, and keeps those in which the
 * context of matched operators is matched too. Left sides have few operators. */
#include "generate/overlap.h"

#include <string.h>

typedef struct OverlapSearch {
  Arena *arena;
  OverlapList *list;
  Overlap now;
  bool with_roots;
} OverlapSearch;

static uint32_t matched_with(const Overlap *now, uint32_t inner) {
  for (uint32_t i = 1; i <= now->outer->operator_count; i++)
    if (now->same[i] == inner) return i;
  return 0;
}

static bool is_division(ExprOp op) { return op != EXPR_MIN && op != EXPR_MAX; }

/* True if the inner root is an operator, or a letter that takes one, at the outer operator `at`. */
static bool root_is_atom(const RuleForm *inner) {
  return inner->root == FORM_ATOM || inner->root == FORM_LETTER;
}

/* True if the operator is in the outer sum that the inner root's sum matches. */
static bool stands_at_position(const Overlap *now, uint32_t outer) {
  const FormOperator *op = &now->outer->operators[outer];
  return op->within == now->position && op->argument == now->position_argument;
}

/* True if the operators around two matched operators are matched too, or are the root. */
static bool parents_agree(const Overlap *now, uint32_t outer) {
  uint32_t inner = now->same[outer];
  const FormOperator *op = &now->outer->operators[outer], *other = &now->inner->operators[inner];
  if (root_is_atom(now->inner) && inner == 1) return outer == now->position;
  if (other->within == 0) return stands_at_position(now, outer);
  return op->within != 0 && now->same[op->within] == other->within &&
         op->argument == other->argument;
}

/* True if an outer operator without a partner is taken by a letter of the inner sum around it. */
static bool outer_is_taken(const Overlap *now, uint32_t outer) {
  const FormOperator *op = &now->outer->operators[outer];
  if (now->same[outer] != 0 || op->within == 0 || now->same[op->within] == 0) return true;
  if (now->inner->root == FORM_LETTER) return true;
  const FormOperator *other = &now->inner->operators[now->same[op->within]];
  return form_has_letter(&other->arguments[op->argument]);
}

static bool inner_is_taken(const Overlap *now, uint32_t inner) {
  const FormOperator *op = &now->inner->operators[inner];
  if (matched_with(now, inner) != 0) return true;
  if (op->within == 0) {
    if (now->position == 0 && now->outer->root == FORM_SUM) return true;
    return form_has_letter(
        now->position == 0
            ? &now->outer->whole
            : &now->outer->operators[now->position].arguments[now->position_argument]);
  }
  uint32_t around = matched_with(now, op->within);
  return around == 0 || form_has_letter(&now->outer->operators[around].arguments[op->argument]);
}

/* In a constraint, a letter must also take the unmatched outer operators. */
static bool roots_take(const Overlap *now) {
  if (now->inner->root != FORM_CONSTRAINT) return true;
  for (uint32_t i = 1; i <= now->outer->operator_count; i++)
    if (now->outer->operators[i].within == 0 && now->same[i] == 0 &&
        !form_has_letter(&now->inner->whole))
      return false;
  return true;
}

static bool matches_any(const Overlap *now) {
  for (uint32_t i = 1; i <= now->outer->operator_count; i++)
    if (now->same[i] != 0) return true;
  return now->inner->root == FORM_CONSTRAINT;
}

/* At both roots, an overlap of a rule with itself and the exchanged overlap are the same. */
static bool is_repeated(const Overlap *now) {
  if (now->outer != now->inner || !now->at_root) return false;
  for (uint32_t i = 1; i <= now->outer->operator_count; i++) {
    uint32_t other = matched_with(now, i);
    if (now->same[i] != other) return now->same[i] < other;
  }
  return false;
}

static bool overlap_is_one(const Overlap *now) {
  for (uint32_t i = 1; i <= now->outer->operator_count; i++)
    if ((now->same[i] != 0 && !parents_agree(now, i)) || !outer_is_taken(now, i)) return false;
  if (root_is_atom(now->inner) && now->same[now->position] != 1) return false;
  for (uint32_t i = 1; i <= now->inner->operator_count; i++)
    if (!inner_is_taken(now, i)) return false;
  return matches_any(now) && roots_take(now);
}

static void overlap_keep(OverlapSearch *search) {
  if (overlap_is_one(&search->now) && !is_repeated(&search->now))
    *ARENA_PUSH(search->arena, search->list) = search->now;
}

/* Two minima or maxima share both arguments, in either order, or one. */
static void search_arguments(OverlapSearch *search) {
  static const uint8_t shared[][2] = {{1, 2}, {2, 1}, {1, 0}, {2, 0}, {0, 1}, {0, 2}};
  uint32_t position = search->now.position;
  bool takes_two = search->now.inner->root == FORM_ATOM && position != 0 &&
                   !is_division(search->now.outer->operators[position].op);
  if (!takes_two) {
    overlap_keep(search);
    return;
  }
  for (uint32_t i = 0; i < sizeof shared / sizeof *shared; i++) {
    memcpy(search->now.arguments, shared[i], sizeof shared[i]);
    overlap_keep(search);
  }
  memset(search->now.arguments, 0, sizeof search->now.arguments);
}

static bool same_operator(const Overlap *now, uint32_t outer, uint32_t inner) {
  if (now->inner->root == FORM_LETTER) return inner == 1 && outer == now->position;
  return now->outer->operators[outer].op == now->inner->operators[inner].op;
}

static void search_from(OverlapSearch *search, uint32_t outer) {
  Overlap *now = &search->now;
  if (outer > now->outer->operator_count) {
    search_arguments(search);
    return;
  }
  uint32_t count = now->inner->root == FORM_LETTER ? 1 : now->inner->operator_count;
  for (uint32_t inner = 0; inner <= count; inner++) {
    if (inner > 0 && (matched_with(now, inner) != 0 || !same_operator(now, outer, inner))) continue;
    now->same[outer] = (uint8_t)inner;
    search_from(search, outer + 1);
  }
  now->same[outer] = 0;
}

static void search_at(OverlapSearch *search, uint32_t position, uint32_t argument) {
  search->now.position = (uint8_t)position;
  search->now.position_argument = (uint8_t)argument;
  search_from(search, 1);
}

/* True if the place is the outer root and the inner root has the same kind. */
static bool are_roots(const RuleForm *outer, const RuleForm *inner, uint32_t position) {
  if (root_is_atom(inner))
    return outer->root == FORM_ATOM && inner->root == FORM_ATOM && position == 1;
  return position == 0 && outer->root == inner->root;
}

static void search_position(OverlapSearch *search, uint32_t position, uint32_t argument) {
  search->now.at_root = are_roots(search->now.outer, search->now.inner, position);
  if (!search->now.at_root || search->with_roots) search_at(search, position, argument);
}

void overlaps_add(Arena *arena, const RuleForm *outer, const RuleForm *inner, bool with_roots,
    OverlapList *list) {
  OverlapSearch search = {.arena = arena,
      .list = list,
      .now = {.outer = outer, .inner = inner},
      .with_roots = with_roots};
  if (inner->root == FORM_CONSTRAINT && outer->root != FORM_CONSTRAINT) return;
  bool whole =
      inner->root == FORM_CONSTRAINT ||
      (inner->root == FORM_SUM && (outer->root == FORM_SUM || outer->root == FORM_CONSTRAINT));
  if (whole) search_position(&search, 0, 0);
  for (uint32_t i = 1; inner->root != FORM_CONSTRAINT && i <= outer->operator_count; i++) {
    uint32_t arguments = root_is_atom(inner) ? 1 : outer->operators[i].argument_count;
    for (uint32_t j = 0; j < arguments; j++) search_position(&search, i, j);
  }
}

static char variant_letter(const RuleForm *form) {
  return form->variant == 0 ? 0 : form->variant == 1 ? 'o' : 'l';
}

const char *overlap_text(Arena *arena, const Overlap *overlap) {
  Text text = text_create(arena);
  const char *between = "";
  if (overlap->inner->root == FORM_CONSTRAINT) {
    text_string(&text, "in");
    between = ",";
  }
  for (uint32_t i = 1; i <= overlap->outer->operator_count; i++) {
    if (overlap->same[i] == 0) continue;
    text_printf(&text, "%s%u=%u", between, i, overlap->same[i]);
    between = ",";
  }
  for (uint32_t i = 0; i < 2; i++)
    if (overlap->arguments[i] != 0)
      text_printf(&text, ",%c=%c", 'a' + (char)i, 'a' + (char)overlap->arguments[i] - 1);
  char outer = variant_letter(overlap->outer), inner = variant_letter(overlap->inner);
  if (outer != 0) text_printf(&text, ",first:%c", outer);
  if (inner != 0) text_printf(&text, ",second:%c", inner);
  return text.bytes;
}
