/* Numbers first run twice through the guards (removed, weakened). Then they run three times through
 * the positions of the right side: integers plus one, integers minus one, sums with the other sign.
 * The last two move the whole right side. The recursion depth is that of a term. */
#include "generate/rule_twin.h"

#include "core/base/checked.h"

static constexpr uint32_t max_positions = 12; /* positions of one kind in a right side */

typedef enum TwinKind : uint8_t { TWIN_MORE, TWIN_LESS, TWIN_SIGN, TWIN_KINDS } TwinKind;

typedef struct Twin {
  Arena *arena;
  TwinKind kind;
  uint32_t position; /* counts down to the changed position */
  bool is_changed;
} Twin;

static const RuleTerm *twin_integer(Arena *arena, int64_t value) {
  RuleTerm *term = ARENA_NEW(arena, RuleTerm, 1);
  *term = (RuleTerm){.kind = TERM_INTEGER, .value = value, .depth = 1};
  return term;
}

static const RuleTerm *twin_operator(
    Arena *arena, const RuleTerm *like, ExprOp op, const RuleTerm *left, const RuleTerm *right) {
  RuleTerm *term = ARENA_NEW(arena, RuleTerm, 1);
  *term = (RuleTerm){.kind = TERM_OPERATOR, .op = op};
  if (like != nullptr) *term = *like;
  term->left = left;
  term->right = right;
  term->depth = (uint16_t)(1 + (left->depth > right->depth ? left->depth : right->depth));
  return term;
}

/* The term plus a number. */
static const RuleTerm *twin_moved(Arena *arena, const RuleTerm *term, int64_t by) {
  return twin_operator(arena, nullptr, EXPR_ADD, term, twin_integer(arena, by));
}

static bool is_position(const Twin *twin, const RuleTerm *term) {
  if (twin->is_changed) return false;
  return twin->kind == TWIN_SIGN ? term->kind == TERM_OPERATOR && term->op == EXPR_ADD
                                 : term->kind == TERM_INTEGER;
}

static const RuleTerm *twin_change(Twin *twin, const RuleTerm *term) {
  int64_t value;
  twin->is_changed = true;
  if (twin->kind == TWIN_SIGN) {
    const RuleTerm *minus =
        twin_operator(twin->arena, nullptr, EXPR_MUL, term->right, twin_integer(twin->arena, -1));
    return twin_operator(twin->arena, term, EXPR_ADD, term->left, minus);
  }
  if (!add64(term->value, twin->kind == TWIN_MORE ? 1 : -1, &value)) value = 0;
  return twin_integer(twin->arena, value);
}

static const RuleTerm *twin_term(Twin *twin, const RuleTerm *term) {
  if (term == nullptr) return term;
  if (is_position(twin, term) && twin->position-- == 0) return twin_change(twin, term);
  if (term->kind != TERM_OPERATOR && term->kind != TERM_GCD) return term;
  const RuleTerm *left = twin_term(twin, term->left), *right = twin_term(twin, term->right);
  if (left == term->left && right == term->right) return term;
  return twin_operator(twin->arena, term, term->op, left, right);
}

static bool twin_of_side(
    Arena *arena, const Rule *rule, uint32_t number, Rule *twin, const char **what) {
  static const char *const texts[] = {"a number of the right side one more",
      "a number of the right side one less", "a sign of the right side exchanged"};
  TwinKind kind = (TwinKind)(number / max_positions);
  Twin change = {.arena = arena, .kind = kind, .position = number % max_positions};
  twin->right.expr = twin_term(&change, rule->right.expr);
  twin->right.lo = twin_term(&change, rule->right.lo);
  twin->right.hi = twin_term(&change, rule->right.hi);
  *what = texts[kind];
  return change.is_changed;
}

static bool twin_of_whole(
    Arena *arena, const Rule *rule, bool is_first, Rule *twin, const char **what) {
  *what = is_first ? "the right side one more" : "the right side one less";
  int64_t by = is_first ? 1 : -1;
  if (!rule->right.is_constraint) twin->right.expr = twin_moved(arena, rule->right.expr, by);
  else if (is_first) twin->right.hi = twin_moved(arena, rule->right.hi, by);
  else twin->right.lo = twin_moved(arena, rule->right.lo, -by);
  return true;
}

static Guard *guards_copy(Arena *arena, const Rule *rule, uint32_t without, uint32_t *count) {
  Guard *guards = ARENA_NEW(arena, Guard, rule->guard_count);
  *count = 0;
  for (uint32_t i = 0; i < rule->guard_count; i++)
    if (i != without) guards[(*count)++] = rule->guards[i];
  return guards;
}

static bool twin_without(
    Arena *arena, const Rule *rule, uint32_t guard, Rule *twin, const char **what) {
  Text text = text_create(arena);
  guard_print(&text, rule, &rule->guards[guard]);
  twin->guards = guards_copy(arena, rule, guard, &twin->guard_count);
  *what = arena_printf(arena, "without %s", text.bytes);
  return true;
}

/* Weakens a comparison by one. Equations and inequations cannot be weakened. */
static bool twin_weaker(
    Arena *arena, const Rule *rule, uint32_t at, Rule *twin, const char **what) {
  Text text = text_create(arena);
  twin->guards = guards_copy(arena, rule, rule->guard_count, &twin->guard_count);
  Guard *guard = &twin->guards[at];
  switch (guard->relation) {
    case REL_EQ:
    case REL_NE: return false;
    case REL_LT: guard->relation = REL_LE; break;
    case REL_GT: guard->relation = REL_GE; break;
    case REL_LE: guard->right = twin_moved(arena, guard->right, 1); break;
    case REL_GE: guard->right = twin_moved(arena, guard->right, -1); break;
  }
  guard_print(&text, twin, guard);
  *what = arena_printf(arena, "with %s", text.bytes);
  return true;
}

uint32_t rule_twin_limit(const Rule *rule) {
  return 2 * rule->guard_count + TWIN_KINDS * max_positions + 2;
}

bool rule_twin(Arena *arena, const Rule *rule, uint32_t number, Rule *twin, const char **what) {
  uint32_t guards = rule->guard_count, sides = TWIN_KINDS * max_positions;
  *twin = *rule;
  if (number < guards) return twin_without(arena, rule, number, twin, what);
  if (number < 2 * guards) return twin_weaker(arena, rule, number - guards, twin, what);
  number -= 2 * guards;
  if (number < sides) return twin_of_side(arena, rule, number, twin, what);
  return number < sides + 2 && twin_of_whole(arena, rule, number == sides, twin, what);
}
