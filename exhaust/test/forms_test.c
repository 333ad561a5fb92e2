/* What scopes of maps and of rules say that they enumerate is what they enumerate: the kinds,
 * bounds, results and constraints of their cases, read from the texts of the cases, are those of
 * their words. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/map/text.h"
#include "exhaust/scopes/scope.h"

/* ---- the words ---- */

static constexpr uint32_t most_said = 24;

typedef struct SaidList {
  uint32_t count;
  const char *items[most_said];
  bool is_seen[most_said];
} SaidList;

/* The items after `what`, up to the end of the line. */
static SaidList said_list(Arena *arena, const char *words, const char *what) {
  static const char between[] = " | ";
  SaidList list = {};
  const char *at = strstr(words, what);
  assert_non_null(at);
  at += strlen(what);
  for (const char *end = at + strcspn(at, "\n"); at < end;) {
    const char *next = strstr(at, between);
    if (next == nullptr || next > end) next = end;
    assert_true(list.count < most_said);
    list.items[list.count++] = arena_printf(arena, "%.*s", (int)(next - at), at);
    at = next < end ? next + strlen(between) : end;
  }
  return list;
}

/* The intervals after `what`. */
static SaidList said_bounds(Arena *arena, const char *words, const char *what) {
  SaidList list = {};
  const char *at = strstr(words, what);
  assert_non_null(at);
  for (at += strlen(what) - 1; at[0] == ' ' && at[1] == '['; at += strcspn(at, "]") + 1) {
    assert_true(list.count < most_said);
    list.items[list.count++] = arena_printf(arena, "%.*s", (int)strcspn(at, "]"), at + 1);
  }
  return list;
}

static void see_item(SaidList *list, const char *item, const char *text) {
  for (uint32_t i = 0; i < list->count; i++) {
    if (strcmp(list->items[i], item) != 0) continue;
    list->is_seen[i] = true;
    return;
  }
  fail_msg("'%s' is not said: %s", item, text);
}

static void all_are_seen(const SaidList *list) {
  assert_true(list->count > 0);
  for (uint32_t i = 0; i < list->count; i++)
    if (!list->is_seen[i]) fail_msg("no case has '%s'", list->items[i]);
}

/* ---- the cases ---- */

typedef struct ReadForm {
  const char *kinds, *bounds[3], *results, *constraint; /* "": none */
} ReadForm;

/* The names of variables as the letters x, y and z, in the order of their numbers. */
static const char *as_letters(Arena *arena, const Map *map, const char *text) {
  const uint32_t first[] = {
      0, map_first_number(map, VAR_RANGE), map_first_number(map, VAR_RUNTIME)};
  Text made = text_create(arena);
  while (*text != 0) {
    size_t length = text[0] == 'r' && text[1] == 't' ? 2 : 1;
    bool is_name = strchr("dsr", text[0]) != nullptr && isdigit((unsigned char)text[length]);
    uint32_t kind = text[0] == 'd' ? 0 : text[0] == 's' ? 1 : 2;
    if (is_name) text_printf(&made, "%c", 'x' + (int)first[kind] + text[length] - '0');
    else text_append(&made, text, 1);
    text += is_name ? length + 1 : 1;
  }
  return made.bytes;
}

static ReadForm read_form(MapContext *context, const char *text) {
  Arena *arena = context->arena;
  const Source source = {.name = "case", .text = text, .length = strlen(text), .first_line = 1};
  const Map *map;
  Error error = {};
  if (!map_parse(context, &source, &map, &error)) fail_msg("%s: %s", text, error.message);
  ReadForm form = {.constraint = ""};
  Text kinds = text_create(arena);
  const char *results = strstr(text, "-> (") + 4, *domain = strstr(results, "), domain: ");
  assert_non_null(domain);
  form.results =
      as_letters(arena, map, arena_printf(arena, "%.*s", (int)(domain - results), results));
  const char *at = domain + strlen("), domain: ");
  for (uint32_t i = 0; i < map_variable_count(map); i++) {
    VariableId id = map_variable_id(map, i);
    Interval bounds = map_variable(map, i)->bounds;
    text_string(&kinds, id.kind == VAR_DIM ? "d" : id.kind == VAR_RANGE ? "s" : "r");
    form.bounds[i] =
        arena_printf(arena, "[%lld, %lld]", (long long)bounds.lo, (long long)bounds.hi);
    const char *stated =
        arena_printf(arena, "%s%u in %s", variable_prefix(id.kind), id.index, form.bounds[i]);
    assert_memory_equal(at, stated, strlen(stated));
    at += strlen(stated);
    if (*at == ',') at += 2;
  }
  form.constraint = as_letters(arena, map, at);
  assert_int_equal(form.constraint[0] != 0, map->constraint_count);
  form.kinds = kinds.bytes;
  return form;
}

typedef struct SaidScope {
  SaidList kinds, bounds[3], results, constraints;
} SaidScope;

static void see_form(SaidScope *said, const ReadForm *form, const char *nothing, const char *text) {
  for (uint32_t i = 0; i < 3 && form->bounds[i] != nullptr; i++)
    see_item(&said->bounds[i], form->bounds[i], text);
  if (form->results[0] != 0) see_item(&said->results, form->results, text);
  else if (nothing != nullptr) see_item(&said->results, nothing, text);
  if (form->constraint[0] != 0) see_item(&said->constraints, form->constraint, text);
}

/* Cases `step` apart. `pairs`: of two maps each. */
static void cases_are_as_said(const char *name, ScopeSize size, uint64_t step, bool pairs) {
  const Scope *scope = scope_find(name);
  ScopePlan *plan = scope_plan_of_size(scope, TIER_GATE, size);
  Arena *arena = arena_create();
  MapContext *context = map_context_create();
  Text words = text_create(arena);
  scope_write_words(scope, &words);
  SaidScope said = {
      .kinds = said_list(arena, words.bytes, pairs ? "left and right: " : "y and z: "),
      .bounds = {said_bounds(arena, words.bytes, "x in "), said_bounds(arena, words.bytes, "y in "),
          said_bounds(arena, words.bytes, "z in ")},
      .results = said_list(arena, words.bytes, "so many: "),
      .constraints = said_list(
          arena, words.bytes, pairs ? "so many less one: " : "constraints, up to so many: ")};
  for (uint64_t k = 0; k < plan->count; k += step) {
    MapMark mark = map_context_mark(context);
    Text text = text_create(context->arena);
    scope_write_case(plan, k, &text);
    assert_int_equal(text.bytes[text.length - 1], '\n');
    text.bytes[text.length - 1] = 0;
    char *second = pairs ? strstr(text.bytes, " ; ") : nullptr;
    assert_int_equal(second != nullptr, pairs);
    if (pairs) *second = 0;
    ReadForm form = read_form(context, text.bytes), other = {};
    see_form(&said, &form, pairs ? "nothing" : nullptr, text.bytes);
    if (pairs) {
      other = read_form(context, second + 3);
      see_form(&said, &other, "nothing", second + 3);
    }
    see_item(&said.kinds,
        pairs ? arena_printf(context->arena, "%s %s", form.kinds, other.kinds) : form.kinds,
        text.bytes);
    map_context_rewind(context, mark);
  }
  all_are_seen(&said.kinds);
  for (uint32_t i = 0; i < 3; i++) all_are_seen(&said.bounds[i]);
  all_are_seen(&said.results);
  all_are_seen(&said.constraints);
  map_context_destroy(context);
  arena_destroy(arena);
  scope_plan_destroy(plan);
}

static void maps_of_the_algebra_are_as_said(void **) {
  cases_are_as_said("algebra", (ScopeSize){1, 1}, 1, false);
}

static void pairs_of_maps_are_as_said(void **) {
  cases_are_as_said("pairs", (ScopeSize){8, 6}, 397, true);
}

/* ---- rules ---- */

typedef struct RightSides {
  uint32_t count, capacity;
  const char **items;
} RightSides;

static const char *const said_leaves[] = {"x", "y", "a", "2", "-1"};
/* With two operands, and with one. */
static const char *const said_operators[] = {
    "(@ + @)", "(@ - @)", "(@*@)", "min(@, @)", "max(@, @)"};
static const char *const said_divisions[] = {"(@ floordiv a)", "(@ ceildiv 2)", "(@ mod a)",
    "(@ floordiv (a*2))", "(@ ceildiv (2*a))", "(@ mod (a*2))", "(@ mod (a + b))",
    "(@ floordiv (a - b))", "(@ mod (a mod 2))"};

static const char *filled_term(
    Arena *arena, const char *form, const char *first, const char *second) {
  Text text = text_create(arena);
  for (const char *next = first; *form != 0; form++)
    if (*form == '@') {
      text_string(&text, next);
      next = second;
    } else text_append(&text, form, 1);
  return text.bytes;
}

/* Every term of so many nodes, where a division has two more than its operand. */
static RightSides terms_of(Arena *arena, uint32_t nodes) {
  RightSides made = {};
  for (uint32_t i = 0; nodes == 1 && i < sizeof said_leaves / sizeof *said_leaves; i++)
    *ARENA_PUSH(arena, &made) = said_leaves[i];
  if (nodes < 3) return made;
  const RightSides smaller = terms_of(arena, nodes - 2);
  for (uint32_t i = 0; i < sizeof said_divisions / sizeof *said_divisions; i++)
    for (uint32_t k = 0; k < smaller.count; k++)
      *ARENA_PUSH(arena, &made) = filled_term(arena, said_divisions[i], smaller.items[k], "");
  for (uint32_t left = 1; left < nodes - 1; left++) {
    const RightSides a = terms_of(arena, left), b = terms_of(arena, nodes - 1 - left);
    for (uint32_t i = 0; i < sizeof said_operators / sizeof *said_operators; i++)
      for (uint32_t k = 0; k < a.count; k++)
        for (uint32_t l = 0; l < b.count; l++)
          *ARENA_PUSH(arena, &made) = filled_term(arena, said_operators[i], a.items[k], b.items[l]);
  }
  return made;
}

static int by_term(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void right_sides_are_all_terms(void **) {
  static const char rule[] = "rule r\n  x + y + a*b  =>  ";
  static constexpr uint32_t most_nodes = 5;
  Arena *arena = arena_create();
  RightSides wanted = {}, found = {};
  for (uint32_t nodes = 1; nodes <= most_nodes; nodes++) {
    const RightSides terms = terms_of(arena, nodes);
    for (uint32_t i = 0; i < terms.count; i++) *ARENA_PUSH(arena, &wanted) = terms.items[i];
    found.count = 0;
    ScopePlan *plan = scope_plan_of_size(scope_find("rule-text"), TIER_GATE, (ScopeSize){nodes, 0});
    for (uint64_t k = 0; k < plan->count; k++) {
      Text text = text_create(arena);
      scope_write_case(plan, k, &text);
      assert_memory_equal(text.bytes, rule, sizeof rule - 1);
      assert_int_equal(text.bytes[text.length - 1], '\n');
      text.bytes[text.length - 1] = 0;
      *ARENA_PUSH(arena, &found) = text.bytes + sizeof rule - 1;
    }
    assert_int_equal(found.count, wanted.count);
    qsort(found.items, found.count, sizeof *found.items, by_term);
    qsort(wanted.items, wanted.count, sizeof *wanted.items, by_term);
    for (uint32_t i = 0; i < found.count; i++) assert_string_equal(found.items[i], wanted.items[i]);
    scope_plan_destroy(plan);
  }
  Text words = text_create(arena);
  scope_write_words(scope_find("rule-text"), &words);
  for (uint32_t i = 0; i < sizeof said_divisions / sizeof *said_divisions; i++)
    assert_non_null(strstr(words.bytes, filled_term(arena, said_divisions[i], "x", "")));
  for (uint32_t i = 0; i < sizeof said_operators / sizeof *said_operators; i++)
    assert_non_null(strstr(words.bytes, filled_term(arena, said_operators[i], "x", "y")));
  assert_non_null(strstr(words.bytes, "leaves: x | y | a | 2 | -1;"));
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(maps_of_the_algebra_are_as_said),
      cmocka_unit_test(pairs_of_maps_are_as_said),
      cmocka_unit_test(right_sides_are_all_terms),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
