/* Functions of terms against definitions of this file: the text of a term, the part in which two
 * terms differ, and the error of a rounded constant. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "oracle/terms/term.h"
#include "oracle/values/element.h"

static uint64_t state_of_terms = 21;

static uint32_t term_below(uint32_t end) {
  state_of_terms = state_of_terms * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state_of_terms >> 33) % end;
}

/* ---- terms as trees ---- */

static constexpr uint32_t most_drawn = 60, most_children = 6;

typedef struct DrawnTerm {
  Term term;
  TermKind kind;
  uint32_t number; /* of a constant or an element, otherwise of the name */
  uint32_t count, children[most_children];
  uint32_t origin; /* the item of which it is a changed copy, or 0 */
} DrawnTerm;

typedef struct DrawnTerms {
  Arena *arena;
  Terms *terms;
  uint32_t count, array, names[3];
  DrawnTerm items[most_drawn];
} DrawnTerms;

static const char *const drawn_names[] = {"f", "g", "sum"};

static DrawnTerms *drawn_create(Arena *arena) {
  static int64_t sizes[] = {2, 3};
  DrawnTerms *drawn = ARENA_NEW(arena, DrawnTerms, 1);
  Shape *shape = ARENA_NEW(arena, Shape, 1);
  *shape = (Shape){.type = TYPE_s32, .rank = 2, .sizes = sizes};
  drawn->arena = arena;
  drawn->terms = terms_create(arena);
  drawn->array = signature_of(drawn->terms, "array p", "p");
  signature_at(drawn->terms, drawn->array)->shape = shape;
  for (uint32_t i = 0; i < 3; i++)
    drawn->names[i] = signature_of(drawn->terms, drawn_names[i], drawn_names[i]);
  return drawn;
}

static void drawn_make(DrawnTerms *drawn, DrawnTerm *item) {
  Term children[most_children];
  for (uint32_t i = 0; i < item->count; i++) children[i] = drawn->items[item->children[i]].term;
  if (item->kind == TERM_CONSTANT) item->term = term_constant(drawn->terms, TYPE_s32, item->number);
  else
    item->term = term_make(drawn->terms, item->kind, TYPE_s32,
        item->kind == TERM_ATOM ? drawn->array : drawn->names[item->number],
        item->kind == TERM_ATOM ? item->number : 0, item->count, children);
}

static void drawn_add(DrawnTerms *drawn) {
  static const TermKind inner[] = {TERM_APPLY, TERM_TUPLE, TERM_FOLD};
  DrawnTerm *item = &drawn->items[drawn->count];
  if (drawn->count < 8) *item = (DrawnTerm){.kind = TERM_ATOM, .number = drawn->count};
  if (drawn->count >= 6) *item = (DrawnTerm){.kind = TERM_CONSTANT, .number = drawn->count};
  if (drawn->count >= 8) {
    *item = (DrawnTerm){.kind = inner[term_below(3)],
        .number = term_below(3),
        .count = 1 + term_below(most_children)};
    for (uint32_t i = 0; i < item->count; i++) item->children[i] = term_below(drawn->count);
  }
  drawn_make(drawn, item);
  drawn->count++;
}

/* ---- texts ---- */

/* f(a, b), with at most four children, and (..) below `depth`. A tuple has no name. */
static const char *drawn_text(const DrawnTerms *drawn, const DrawnTerm *item, uint32_t depth) {
  Arena *arena = drawn->arena;
  if (item->kind == TERM_CONSTANT) return arena_printf(arena, "%u", item->number);
  if (item->kind == TERM_ATOM)
    return arena_printf(arena, "p[%u,%u]", item->number / 3, item->number % 3);
  const char *name = item->kind == TERM_TUPLE ? "" : drawn_names[item->number], *list = "";
  if (depth == 0) return arena_printf(arena, "%s(..)", name);
  for (uint32_t i = 0; i < item->count && i < 4; i++)
    list = arena_printf(arena, "%s%s%s", list, i == 0 ? "" : ", ",
        drawn_text(drawn, &drawn->items[item->children[i]], depth - 1));
  if (item->count > 4) list = arena_printf(arena, "%s, .. %u in all", list, item->count);
  return arena_printf(arena, "%s(%s)", name, list);
}

static void a_term_is_printed_to_a_depth(void **) {
  for (uint32_t round = 0; round < 8; round++) {
    Arena *arena = arena_create();
    DrawnTerms *drawn = drawn_create(arena);
    while (drawn->count < 24) drawn_add(drawn);
    for (uint32_t i = 0; i < drawn->count; i++)
      for (uint32_t depth = 0; depth < 4; depth++) {
        Text text = text_create(arena);
        terms_print(&text, drawn->terms, drawn->items[i].term, depth);
        assert_string_equal(text.bytes, drawn_text(drawn, &drawn->items[i], depth));
      }
    arena_destroy(arena);
  }
}

static void an_array_without_elements_and_a_scalar_have_no_index(void **) {
  static int64_t none[] = {2, 0};
  static const Shape shapes[] = {{.type = TYPE_s32}, {.type = TYPE_s32, .rank = 2, .sizes = none}};
  Arena *arena = arena_create();
  Terms *terms = terms_create(arena);
  for (uint32_t i = 0; i < 3; i++) {
    uint32_t signature = signature_of(terms, arena_printf(arena, "array %u", i), "q");
    signature_at(terms, signature)->shape = i < 2 ? &shapes[i] : nullptr;
    Text text = text_create(arena);
    terms_print(&text, terms, term_make(terms, TERM_ATOM, TYPE_s32, signature, 0, 0, nullptr), 9);
    assert_string_equal(text.bytes, "q");
  }
  arena_destroy(arena);
}

/* ---- where two terms differ ---- */

/* The number of children that differ; -1 if the operations do. */
static int32_t different_children(
    const DrawnTerms *drawn, const DrawnTerm *a, const DrawnTerm *b, uint32_t *last) {
  int32_t different = 0;
  if (a->kind != b->kind || a->number != b->number || a->count != b->count) return -1;
  for (uint32_t i = 0; i < a->count; i++)
    if (drawn->items[a->children[i]].term != drawn->items[b->children[i]].term) {
      *last = i;
      different++;
    }
  return different;
}

static uint32_t drawn_part(const DrawnTerms *drawn, const DrawnTerm **a, const DrawnTerm **b) {
  uint32_t child = 0;
  if (different_children(drawn, *a, *b, &child) != 1) return 0;
  *a = &drawn->items[(*a)->children[child]];
  *b = &drawn->items[(*b)->children[child]];
  return 1 + drawn_part(drawn, a, b);
}

/* A changed copy of the item, or any item. */
static uint32_t drawn_other(const DrawnTerms *drawn, uint32_t of) {
  for (uint32_t i = drawn->count; i-- > 0;)
    if (drawn->items[i].origin == of && term_below(2) == 0) return i;
  return term_below(of);
}

/* Appends a copy of an item with one or two other children. */
static void drawn_change(DrawnTerms *drawn, uint32_t of) {
  DrawnTerm *item = &drawn->items[drawn->count];
  *item = drawn->items[of];
  item->origin = of;
  for (uint32_t changes = 1 + (term_below(4) == 0); changes > 0 && item->count > 0; changes--) {
    uint32_t *child = &item->children[term_below(item->count)];
    *child = *child == 0 ? 1 : drawn_other(drawn, *child);
  }
  drawn_make(drawn, item);
  drawn->count++;
}

static void the_part_in_which_two_terms_differ(void **) {
  uint32_t depths[4] = {};
  for (uint32_t round = 0; round < 8; round++) {
    Arena *arena = arena_create();
    DrawnTerms *drawn = drawn_create(arena);
    while (drawn->count < 20) drawn_add(drawn);
    while (drawn->count < most_drawn) drawn_change(drawn, 8 + term_below(12));
    for (uint32_t pair = 0; pair < most_drawn * most_drawn; pair++) {
      const DrawnTerm *a = &drawn->items[pair / most_drawn], *b = &drawn->items[pair % most_drawn];
      Term before = a->term, after = b->term;
      uint32_t depth = terms_part(drawn->terms, &before, &after);
      assert_int_equal(depth, drawn_part(drawn, &a, &b));
      assert_int_equal(before, a->term);
      assert_int_equal(after, b->term);
      depths[depth < 3 ? depth : 3]++;
    }
    arena_destroy(arena);
  }
  for (uint32_t i = 0; i < 4; i++) assert_true(depths[i] > 4);
}

/* ---- errors of constants ---- */

static constexpr uint32_t most_floats = 400;

typedef struct ErrorOfFloat {
  Term term;
  double value, error; /* the largest of all small ones of this number */
} ErrorOfFloat;

static uint32_t float_at(ErrorOfFloat *floats, uint32_t *count, Term term, double value) {
  uint32_t i = 0;
  while (i < *count && floats[i].term != term) i++;
  if (i == *count) floats[(*count)++] = (ErrorOfFloat){term, value, 0};
  return i;
}

/* The result with the errors of both operands. */
static Element result_with_errors(
    const Terms *terms, uint32_t signature, const ErrorOfFloat *a, const ErrorOfFloat *b) {
  const TermData *of[] = {term_data(terms, a->term), term_data(terms, b->term)};
  Element operands[2], result;
  for (uint32_t i = 0; i < 2; i++) operands[i] = element_of_constant(of[i]->type, of[i]->payload);
  operands[0].error = a->error;
  operands[1].error = b->error;
  assert_true(element_apply(signature_at(terms, signature)->instruction, 2, operands, &result));
  return result;
}

static void a_constant_keeps_its_largest_small_error(void **) {
  static constexpr double large = 1 << 24; /* an odd number past it is rounded */
  static const double first[] = {large, large + 6, 1, 3, 0.5, -1, -3, 2};
  static constexpr uint32_t rounds = 3000;
  Arena *arena = arena_create();
  Terms *terms = terms_create(arena);
  uint32_t operations[] = {signature_of_operation(terms, HLO_ADD, TYPE_f32, 2),
      signature_of_operation(terms, HLO_MULTIPLY, TYPE_f32, 2)};
  ErrorOfFloat *floats = ARENA_NEW(arena, ErrorOfFloat, most_floats);
  uint32_t count = 0, larger = 0, smaller = 0;
  for (size_t i = 0; i < sizeof first / sizeof *first; i++)
    (void)float_at(floats, &count, term_float(terms, TYPE_f32, first[i]), first[i]);
  for (uint32_t round = 0; round < rounds && count < most_floats; round++) {
    uint32_t signature = operations[term_below(4) == 0];
    const ErrorOfFloat *a = &floats[term_below(count)], *b = &floats[term_below(count)];
    Element wanted = result_with_errors(terms, signature, a, b);
    if (!wanted.is_exact || !(fabs(wanted.real) < large + 30)) continue;
    Term term = term_apply(terms, signature, 2, (const Term[]){a->term, b->term});
    ErrorOfFloat *found = &floats[float_at(floats, &count, term, wanted.real)];
    if (wanted.error <= ldexp(fabs(wanted.real), -10)) {
      larger += found->error > 0 && wanted.error > found->error;
      smaller += wanted.error > 0 && wanted.error < found->error;
      if (wanted.error > found->error) found->error = wanted.error;
    }
    assert_true(terms_constant_error(terms, term) == found->error);
  }
  assert_true(larger > 20 && smaller > 20);
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_term_is_printed_to_a_depth),
      cmocka_unit_test(an_array_without_elements_and_a_scalar_have_no_index),
      cmocka_unit_test(the_part_in_which_two_terms_differ),
      cmocka_unit_test(a_constant_keeps_its_largest_small_error),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
