/* Tests of scopes: counts against independent counts, all cases different and legal, chains against
 * nested loops. */
#include "core/base/test/length.h"
#include "exhaust/scopes/scope.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/hlo/read/read.h"
#include "core/map/evaluate.h"
#include "core/map/text.h"

static const ScopeSize small_sizes[] = {{1, 3}, {2, 3}, {3, 1}, {3, 2}};

static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* XLA parses `s1` as a type. */
static void names_are_no_types(const Module *module, const char *text) {
  ElementType type;
  for (uint32_t c = 0; c < module->computation_count; c++)
    for (uint32_t i = 0; i < module->computations[c]->instruction_count; i++) {
      const char *name = module->computations[c]->instructions[i]->name;
      if (element_type_from_name(name, strlen(name), &type))
        fail_msg("%s is a type in %s", name, text);
    }
}

static void must_read(Arena *arena, const char *text, size_t length) {
  Source source = {.name = "case", .text = text, .length = length, .first_line = 1};
  const Module *module;
  Error error = {};
  if (!hlo_read(arena, &source, &module, &error))
    fail_msg("%s\n%u: %s", text, error.line, error.message);
  names_are_no_types(module, text);
}

/* Checks at most the first `limit` cases, or in a brief run as many that are evenly spread. */
static uint64_t check_all_different(const ScopePlan *plan, uint64_t limit) {
  Arena *arena = arena_create();
  uint64_t count = plan->count < limit ? plan->count : limit;
  uint64_t step = test_is_brief() && count > 0 ? plan->count / count : 1;
  char **texts = ARENA_NEW(arena, char *, count + 1);
  for (uint64_t k = 0; k < count; k++) {
    Text text = text_create(arena), again = text_create(arena);
    scope_write_case(plan, k * step, &text);
    scope_write_case(plan, k * step, &again);
    assert_string_equal(text.bytes, again.bytes);
    if (scope_is_of_modules(plan->scope->kind)) must_read(arena, text.bytes, text.length);
    texts[k] = text.bytes;
  }
  qsort(texts, count, sizeof *texts, by_text);
  for (uint64_t k = 1; k < count; k++)
    if (strcmp(texts[k - 1], texts[k]) == 0)
      fail_msg("%s: two cases are\n%s", plan->scope->name, texts[k]);
  arena_destroy(arena);
  return count;
}

static void cases_are_different_and_legal(void **) {
  for (uint32_t i = 0; i < scope_count; i++) {
    uint64_t seen = 0;
    for (size_t s = 0; s < sizeof small_sizes / sizeof *small_sizes; s++) {
      ScopeSize size = scopes[i].what == MAPS_trees && scopes[i].kind == SCOPE_MAPS
                           ? (ScopeSize){3, s >= 2 ? 1 : 0}
                           : small_sizes[s];
      ScopePlan *plan = scope_plan_of_size(&scopes[i], TIER_GATE, size);
      seen += check_all_different(plan, test_length(20000, 1000, 50));
      scope_plan_destroy(plan);
    }
    if (seen == 0) fail_msg("%s: nothing was looked at", scopes[i].name);
  }
}

static uint64_t count_of(const char *name, ScopeSize size) {
  const Scope *scope = scope_find(name);
  assert_non_null(scope);
  ScopePlan *plan = scope_plan_of_size(scope, TIER_GATE, size);
  uint64_t count = plan->count;
  scope_plan_destroy(plan);
  return count;
}

static uint64_t slices(int64_t size) {
  uint64_t count = 0;
  for (int64_t start = 0; start <= size; start++)
    for (int64_t limit = start; limit <= size; limit++)
      for (int64_t stride = 1; stride <= size; stride++) count++;
  return count;
}

static uint64_t scope_pads(int64_t size) {
  uint64_t count = 0;
  for (int64_t low = -2; low <= 2; low++)
    for (int64_t high = -2; high <= 2; high++)
      for (int64_t interior = 0; interior <= 2; interior++)
        count += size + (size - 1) * interior + low + high >= 0;
  return count;
}

static uint64_t factorizations(int64_t elements, uint32_t rank) {
  if (rank == 0) return elements == 1;
  uint64_t count = 0;
  for (int64_t size = 1; size <= elements; size++)
    if (elements % size == 0) count += factorizations(elements / size, rank - 1);
  return count;
}

/* Sums over all operands of one or two dimensions; loops count the sizes. */
static uint64_t over_two(int64_t elements, uint64_t (*ways)(int64_t)) {
  uint64_t count = 0;
  for (int64_t n = 1; n <= elements; n++) {
    count += ways(n);
    for (int64_t m = 1; n * m <= elements; m++) count += ways(n) * ways(m);
  }
  return count;
}

static void counts_are_those_of_loops(void **) {
  assert_int_equal(count_of("slice", (ScopeSize){2, 8}), over_two(8, slices) + 1);
  assert_int_equal(count_of("pad", (ScopeSize){2, 8}), over_two(8, scope_pads));
  uint64_t typed = 0; /* eight types, one without a slice of n + 1; three kinds of offsets twice,
                         four of indices twice */
  for (uint64_t n = 1; n <= 3; n++) typed += (7 * (n + 2) + n + 1) * (3 + 3 + 4 + 4);
  assert_int_equal(count_of("typed-offset", (ScopeSize){1, 3}), typed);
  uint64_t folded = 0; /* four narrow types and six wide ones, two bytes of all but comparisons */
  for (uint64_t n = 1; n <= 6; n++)
    folded += 4 * 19 * (2 * n - 1 + 2) + 2 * (n == 1 ? 2 : 1) * (22 + 20) +
              6 * (6 + 2 * 13) * (2 * n - 1) + 3 * (2 * 6 + 16) + 3 * (2 * 4 + 16);
  assert_int_equal(count_of("folded-offset", (ScopeSize){1, 6}), folded);
  /* abs takes no u8 */
  assert_int_equal(count_of("folded-indices", (ScopeSize){1, 4}), 9 * 9 * ((16 + 6) * 4 - 1));
  assert_int_equal(count_of("algebra", (ScopeSize){2, 0}), 10 * (2 * 2 * 3) * (1 + 12 + 12 * 12));
  assert_int_equal(
      count_of("algebra-constrained", (ScopeSize){1, 1}), 10 * (2 * 2 * 3) * (1 + 12) * (1 + 10));
  assert_int_equal(count_of("pairs", (ScopeSize){4, 2}), 10 * (2 * 3 * 4 * 2) * (2 * 3 * 4 * 2));
  assert_int_equal(count_of("rule-text", (ScopeSize){3, 0}), 5 + 5 * 5 * 5 + 9 * 5);
  assert_int_equal(count_of("operators", (ScopeSize){3, 0}), 6 + 4 * 6 * 6 + 9 * 6);
  uint64_t shapes = 0, pairs = 0, orders = 0;
  static const uint64_t factorials[] = {1, 1, 2, 6, 24};
  for (int64_t n = 1; n <= 24; n++) {
    uint64_t like = 0;
    for (uint32_t rank = 0; rank <= 4; rank++) {
      like += factorizations(n, rank);
      orders += factorizations(n, rank) * factorials[rank];
    }
    shapes += like;
    pairs += like * like;
  }
  assert_int_equal(count_of("elementwise", (ScopeSize){4, 24}), 6 * shapes);
  assert_int_equal(count_of("reshape", (ScopeSize){4, 24}), pairs);
  assert_int_equal(count_of("transpose", (ScopeSize){4, 24}), orders);
}

/* Every scope describes what it enumerates, with its own ranges in the placeholders. */
static void scopes_say_what_they_are(void **) {
  for (uint32_t i = 0; i < scope_count; i++) {
    Arena *arena = arena_create();
    Text text = text_create(arena);
    scope_write_words(&scopes[i], &text);
    if (text.length == 0 || strpbrk(text.bytes, "{}") != nullptr)
      fail_msg("%s: '%s'", scopes[i].name, text.bytes);
    arena_destroy(arena);
  }
  Arena *arena = arena_create();
  Text wide = text_create(arena), narrow = text_create(arena);
  scope_write_words(scope_find("pad"), &wide);
  scope_write_words(scope_find("pad-ranks"), &narrow);
  assert_string_equal(
      wide.bytes, "low and high -2 to 2, interior 0 to 2, wherever a size does not fall below 0");
  assert_string_equal(
      narrow.bytes, "low and high -1 to 1, interior 0 to 1, wherever a size does not fall below 0");
  arena_destroy(arena);
}

/* The name with these words around it. */
static bool has_part(const char *text, const char *before, const char *name, const char *after) {
  char part[128];
  snprintf(part, sizeof part, "%s%s%s", before, name, after);
  return strstr(text, part) != nullptr;
}

/* A scope of several operations names each one, as enumerated or as left out. */
static void every_operation_is_named_or_left_out(void **) {
  uint32_t several = 0;
  for (uint32_t i = 0; i < scope_count; i++) {
    Arena *arena = arena_create();
    Text words = text_create(arena), left_out = text_create(arena);
    scope_write_words(&scopes[i], &words);
    scope_write_left_out(&scopes[i], &left_out);
    text_string(&left_out, ",");
    const bool is_of_several =
        strstr(words.bytes, " of these") != nullptr && scope_is_of_modules(scopes[i].kind);
    several += is_of_several;
    for (uint32_t o = 0; is_of_several && o < generated_count; o++) {
      const char *name = scope_operations[o].name;
      bool is_named = has_part(words.bytes, "\n    ", name, ": "),
           is_left_out = has_part(left_out.bytes, " ", name, ",");
      if (is_named != scope_takes(&scopes[i], o) || is_left_out == is_named)
        fail_msg("%s: %s", scopes[i].name, name);
    }
    arena_destroy(arena);
  }
  assert_true(several >= 5);
}

/* The words name exactly the opcodes of the cases. */
static void elementwise_names_its_opcodes(void **) {
  static const Opcode opcodes[] = {
#define OPCODE(id, ...) HLO_##id,
#include "core/hlo/opcodes.def"
#undef OPCODE
  };
  Arena *arena = arena_create();
  Text words = text_create(arena), cases = text_create(arena);
  text_string(&words, ", ");
  scope_write_words(scope_find("elementwise"), &words);
  ScopePlan *plan = scope_plan_of_size(scope_find("elementwise"), TIER_GATE, (ScopeSize){1, 1});
  assert_true(plan->count >= 6);
  for (uint64_t k = 0; k < plan->count; k++) scope_write_case(plan, k, &cases);
  for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++) {
    const char *name = opcode_name(opcodes[i]);
    bool is_named =
             has_part(words.bytes, ", ", name, " ") || has_part(words.bytes, ", ", name, ","),
         is_asked = has_part(cases.bytes, "ROOT %v0 = f32[] ", name, "(%p");
    if (is_named != is_asked) fail_msg("'%s' in '%s' for\n%s", name, words.bytes, cases.bytes);
  }
  scope_plan_destroy(plan);
  arena_destroy(arena);
}

/* Enumerates all ways of a first operation, then all ways of a second one on its result. */
static void chains_are_nested_loops(void **) {
  const Scope *scope = scope_find("chain-2");
  ScopePlan *plan = scope_plan_of_size(scope, TIER_GATE, (ScopeSize){1, 2});
  uint64_t count = 0;
  for (uint32_t t = 0; t < plan->tensors.count; t++)
    for (uint32_t o = 0; o < generated_count; o++) {
      uint64_t ways =
          (scope_operations[o].uses & CHAIN) != 0
              ? scope_ways(&plan->limits, (GeneratedOperation)o, &plan->tensors.items[t])
              : 0;
      for (uint64_t way = 0; way < ways; way++) {
        Tensor out = scope_make_way(
            &plan->limits, (GeneratedOperation)o, &plan->tensors.items[t], way, nullptr);
        if (out.rank > 1 || tensor_elements(&out) < 1 || tensor_elements(&out) > 2) continue;
        for (uint32_t next = 0; next < generated_count; next++)
          if ((scope_operations[next].uses & CHAIN) != 0)
            count += scope_ways(&plan->limits, (GeneratedOperation)next, &out);
      }
    }
  assert_int_equal(plan->count, count);
  scope_plan_destroy(plan);
}

/* The numbers that --list prints for the gate are those that the rows state. */
static void gate_has_its_numbers(void **) {
  static const uint64_t stated[] = {
#define SCOPE(name, kind, operation, length, ranges, r0, e0, r1, e1, r2, e2, cases, without) cases,
#include "generate/operations/scope.def"
  };
  uint32_t wrong = 0;
  for (uint32_t k = 0; k < scope_count; k++) {
    uint64_t cases = scope_cases(&scopes[k], TIER_GATE);
    if (cases == stated[k]) continue;
    print_message("the scope %s has %llu cases, its row in scope.def states %llu\n", scopes[k].name,
        (unsigned long long)cases, (unsigned long long)stated[k]);
    wrong++;
  }
  assert_int_equal(wrong, 0);
}

static void cases_are_counted_without_a_plan(void **) {
  for (uint32_t i = 0; i < scope_count; i++) {
    ScopePlan *plan = scope_plan_create(&scopes[i], TIER_GATE);
    assert_int_equal(scope_cases(&scopes[i], TIER_GATE), plan->count);
    scope_plan_destroy(plan);
  }
}

static bool has_points(const MapContext *context, const Map *map) {
  int64_t results[4];
  for (int64_t d = map->dims[0].bounds.lo; d <= map->dims[0].bounds.hi; d++)
    for (int64_t s = map->ranges[0].bounds.lo; s <= map->ranges[0].bounds.hi; s++)
      if (map_evaluate(context, map, &(Point){&d, &s, nullptr}, results) == POINT_INSIDE)
        return true;
  return false;
}

/* Of maps with a constraint, at least half must have points; evenly spread cases, in every tier. */
static void constrained_maps_have_points(void **) {
  static const char *const names[] = {"maps-constrained", "maps-two-variables", "maps-congruences"};
  const uint64_t most = test_length(3001, 3001, 301);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    for (Tier tier = TIER_GATE; tier <= TIER_FULL; tier++) {
      ScopePlan *plan = scope_plan_create(scope_find(names[i]), tier);
      uint64_t with = 0;
      for (uint64_t k = 0; k < most; k++) {
        Arena *arena = arena_create();
        MapContext *context = map_context_create();
        Text text = text_create(arena);
        scope_write_case(plan, plan->count / most * k + k % 7, &text);
        Source source = {
            .name = "case", .text = text.bytes, .length = text.length, .first_line = 1};
        const Map *map;
        Error error = {};
        if (!map_parse(context, &source, &map, &error)) fail_msg("%s%s", text.bytes, error.message);
        with += map->state != MAP_KNOWN_EMPTY && has_points(context, map);
        map_context_destroy(context);
        arena_destroy(arena);
      }
      if (2 * with < most)
        fail_msg("%s, %s: %llu of %llu have points", names[i], tier_text(tier),
            (unsigned long long)with, (unsigned long long)most);
      scope_plan_destroy(plan);
    }
}

/* Records the opcode of each root over evenly spread cases, or over all cases of a small scope. */
static void note_opcodes(const ScopePlan *plan, bool *is_queried) {
  static constexpr uint64_t most = 2000;
  uint64_t count = plan->count < most ? plan->count : most;
  for (uint64_t i = 0; i < count; i++) {
    Arena *arena = arena_create();
    Text text = text_create(arena);
    scope_write_case(plan, plan->count / count * i, &text);
    Source source = {.name = "case", .text = text.bytes, .length = text.length, .first_line = 1};
    const Module *module;
    Error error = {};
    if (!hlo_read(arena, &source, &module, &error))
      fail_msg("%s\n%u: %s", text.bytes, error.line, error.message);
    is_queried[module->entry->root->opcode] = true;
    arena_destroy(arena);
  }
}

static const struct {
  Opcode opcode;
  const char *why;
} left_out[] = {
#define LEFT_OUT(id, why) {HLO_##id, why},
#include "exhaust/scopes/scope_left_out.def"
#undef LEFT_OUT
};

static const char *why_left_out(Opcode opcode) {
  for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
    if (left_out[i].opcode == opcode) return left_out[i].why;
  return nullptr;
}

/* The gate judges every opcode that the reader knows, or scope_left_out.def says why not. */
static void every_opcode_is_queried(void **) {
  static const Opcode opcodes[] = {
#define OPCODE(id, ...) HLO_##id,
#include "core/hlo/opcodes.def"
#undef OPCODE
  };
  static constexpr size_t count = sizeof opcodes / sizeof *opcodes;
  if (test_is_brief()) {
    print_message("skipped: the cases of each scope that ask about other opcodes are rare\n");
    skip();
  }
  bool is_queried[count] = {};
  for (uint32_t i = 0; i < scope_count; i++) {
    ScopePlan *plan = !scope_is_of_modules(scopes[i].kind) || scopes[i].length > 1
                          ? nullptr
                          : scope_plan_create(&scopes[i], TIER_GATE);
    if (plan != nullptr) note_opcodes(plan, is_queried);
    scope_plan_destroy(plan);
  }
  uint32_t missing = 0;
  for (size_t i = 0; i < count; i++) {
    assert_true((size_t)opcodes[i] < count);
    const char *why = why_left_out(opcodes[i]);
    missing += is_queried[opcodes[i]] == (why != nullptr);
    if (!is_queried[opcodes[i]] && why == nullptr)
      print_message("no scope of the gate asks about %s\n", opcode_name(opcodes[i]));
    if (is_queried[opcodes[i]] && why != nullptr)
      print_message(
          "%s is said to be left out (%s), and is asked about\n", opcode_name(opcodes[i]), why);
  }
  assert_int_equal(missing, 0);
}

typedef struct Positions {
  uint32_t n, length, sequence[4];
} Positions;

static void choose_positions(void *generator, Choices *choices) {
  Positions *positions = generator;
  choose_arrangement(choices, positions->n, positions->length, positions->sequence);
}

/* n * (n - 1) * ... sequences of distinct positions, in lexicographic order. */
static void positions_are_chosen_once(void **) {
  Arena *arena = arena_create();
  for (uint32_t n = 0; n <= 6; n++)
    for (uint32_t length = 0; length <= n && length <= 4; length++) {
      Positions positions = {n, length, {}};
      uint32_t last[4] = {};
      uint64_t wanted = 1;
      const ChoiceKey key = {};
      ChoiceNumbering *numbering = numbering_create(arena);
      for (uint32_t i = 0; i < length; i++) wanted *= n - i;
      assert_int_equal(numbering_count(numbering, &key, choose_positions, &positions), wanted);
      for (uint64_t k = 0; k < wanted; k++) {
        Sequence sequence;
        numbering_at(numbering, &key, k, &sequence);
        GivenChoices given = choices_given(sequence.values, sequence.count);
        choose_positions(&positions, &given.choices);
        uint32_t used = 0, same = 0;
        for (uint32_t i = 0; i < length; i++) used |= 1u << positions.sequence[i];
        assert_int_equal(__builtin_popcount(used), length);
        while (k > 0 && same < length && positions.sequence[same] == last[same]) same++;
        assert_true(k == 0 || (same < length && last[same] < positions.sequence[same]));
        memcpy(last, positions.sequence, sizeof last);
      }
    }
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(positions_are_chosen_once),
      cmocka_unit_test(counts_are_those_of_loops),
      cmocka_unit_test(chains_are_nested_loops),
      cmocka_unit_test(cases_are_different_and_legal),
      cmocka_unit_test(gate_has_its_numbers),
      cmocka_unit_test(cases_are_counted_without_a_plan),
      cmocka_unit_test(constrained_maps_have_points),
      cmocka_unit_test(scopes_say_what_they_are),
      cmocka_unit_test(every_operation_is_named_or_left_out),
      cmocka_unit_test(elementwise_names_its_opcodes),
      cmocka_unit_test(every_opcode_is_queried),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
