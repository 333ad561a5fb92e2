/* Small functions of the judge against definitions of their own, over all small inputs or random
 * ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/text.h"
#include "core/hlo/read/read.h"
#include "core/map/evaluate.h"
#include "core/map/points.h"
#include "core/map/test/random_map.h"
#include "judge/graphs/equiv_call.h"
#include "judge/graphs/unknown_attributes.h"
#include "judge/maps/canonical.h"
#include "judge/maps/canonical_form.h"
#include "judge/maps/counterexample.h"
#include "judge/maps/devices.h"
#include "judge/maps/witness.h"
#include "judge/obligations/obligation.h"

/* Across devices, maps are wrong if a read is missing, if there are none, or if they claim to be
 * exact and are not. */
static void maps_across_devices_are_wrong_by_their_reason(void **) {
  static const IndexClaim claims[] = {INDEX_EXACT, INDEX_OVER_APPROXIMATION, INDEX_UNDEFINED};
  for (uint32_t i = 0; i < verdict_reason_count; i++)
    for (uint32_t k = 0; k < 3; k++) {
      VerdictReason reason = (VerdictReason)i;
      bool is_wrong = false;
      if (reason == REASON_WRONG || reason == REASON_NO_MAPS) is_wrong = true;
      if (reason == REASON_EXTRA) is_wrong = k == 0;
      assert_int_equal(devices_are_wrong(&(DevicesJudgement){
                           .maps = {.claim = claims[k]}, .verdict = {.reason = reason}}),
          is_wrong);
    }
}

static void lines_are_counted_from_the_first(void **) {
  for (uint32_t code = 0; code < 64; code++)
    for (uint32_t first = 0; first < 3; first++) {
      char text[7] = "";
      for (uint32_t i = 0; i < 6; i++) text[i] = (code >> i & 1) != 0 ? '\n' : 'a';
      const Source source = {.name = "s", .text = text, .length = 6, .first_line = first};
      uint32_t line = first == 0 ? 1 : first;
      for (size_t offset = 0; offset < 9; offset++) {
        assert_int_equal(source_line(&source, offset), line);
        line += offset < 6 && text[offset] == '\n';
      }
    }
}

static const Module *definitions_module(Arena *arena, const char *text) {
  Source *source = ARENA_NEW(arena, Source, 1);
  *source = (Source){.name = "m", .text = text, .length = strlen(text), .first_line = 1};
  const Module *module;
  Error error = {};
  if (!hlo_read(arena, source, &module, &error)) fail_msg("%s\n%s", text, error.message);
  return module;
}

/* Entries match if they have as many parameters, of the same sizes, and results of the same sizes;
 * a type may be another one only if both are no integers. */
static void entries_match_by_sizes_and_integers(void **) {
  static const struct {
    const char *shape, *sizes;
    uint32_t integers; /* the kind of integer of each array, as digits */
  } shapes[] = {{"f32[4]", "4", 0}, {"bf16[4]", "4", 0}, {"s32[4]", "4", 1}, {"u32[4]", "4", 2},
      {"f32[5]", "5", 0}, {"f32[4,1]", "4,1", 0}, {"(f32[4], s32[4])", "4|4", 1},
      {"(f32[4], u32[4])", "4|4", 2}, {"(f32[4], f32[4])", "4|4", 0},
      {"(bf16[4], s32[4])", "4|4", 1}, {"pred[4]", "4", 3}};
  static constexpr uint32_t count = sizeof shapes / sizeof *shapes;
  Arena *arena = arena_create();
  const Module *modules[2 * count];
  for (uint32_t i = 0; i < count; i++) {
    modules[i] = definitions_module(
        arena, arena_printf(arena,
                   "HloModule m\nENTRY e {\nz = f32[] parameter(0)\nROOT a = %s parameter(1)\n}\n",
                   shapes[i].shape));
    modules[count + i] = definitions_module(
        arena, arena_printf(arena,
                   "HloModule m\nENTRY e {\na = %s parameter(0)\nROOT z = f32[] constant(1)\n}\n",
                   shapes[i].shape));
  }
  for (uint32_t i = 0; i < 2 * count; i++)
    for (uint32_t k = 0; k < 2 * count; k++) {
      Error error = {};
      bool is_matching = i / count == k / count &&
                         strcmp(shapes[i % count].sizes, shapes[k % count].sizes) == 0 &&
                         shapes[i % count].integers == shapes[k % count].integers;
      if (equiv_entries_match(modules[i], modules[k], &error) != is_matching)
        fail_msg("%s and %s", shapes[i % count].shape, shapes[k % count].shape);
      assert_int_equal(error.kind, is_matching ? ERROR_NONE : ERROR_INPUT);
    }
  Module nothing = {};
  Error error = {};
  assert_false(equiv_entries_match(&nothing, modules[0], &error));
  error = (Error){};
  assert_false(equiv_entries_match(modules[0], &nothing, &error));
  arena_destroy(arena);
}

static void known_attributes_are_those_of_the_table(void **) {
  static const char *const known[] = {
#define ATTRIBUTE(id, text, form, opcode, owner, field) text,
#include "core/hlo/opcodes.def"
#undef ATTRIBUTE
      "metadata", "backend_config", "sharding", "control-predecessors", "direction"};
  Attribute attributes[2] = {{.name = "metadata"}};
  Instruction instruction = {.opcode = HLO_ADD, .attribute_count = 2, .attributes = attributes};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    char changed[100];
    attributes[1].name = known[i];
    assert_null(attribute_beyond_words(&instruction));
    snprintf(changed, sizeof changed, "%s_", known[i]);
    attributes[1].name = changed;
    assert_ptr_equal(attribute_beyond_words(&instruction), &attributes[1]);
    instruction.opcode = HLO_CUSTOM_CALL;
    assert_null(attribute_beyond_words(&instruction));
    instruction.opcode = HLO_ADD;
    instruction.attribute_count = 1;
    assert_null(attribute_beyond_words(&instruction));
    instruction.attribute_count = 2;
  }
}

/* ---- canonical texts ---- */

static const char *canonical_text(MapContext *context, const Map *map, bool with_sources) {
  Text text = text_create(context->arena);
  map_print_canonical(&text, context, map, with_sources);
  return text.bytes;
}

static void check_other_text(MapContext *context, const Map *map, const char *text) {
  const char *other = canonical_text(context, map, true);
  if (strcmp(other, text) == 0) fail_msg("%s", text);
}

static void check_interval(MapContext *context, const Map *map, Interval *in, const char *text) {
  Interval before = *in;
  in->lo--;
  check_other_text(context, map, text);
  *in = (Interval){before.lo, before.hi + 1};
  check_other_text(context, map, text);
  *in = before;
}

/* Changes one part of the map after another. */
static void check_parts(MapContext *context, Map *map, const char *text) {
  for (uint32_t i = 0; i < map_variable_count(map); i++)
    check_interval(context, map, &map_variable(map, i)->bounds, text);
  for (uint32_t i = 0; i < map->constraint_count; i++)
    check_interval(context, map, &map->constraints[i].in, text);
  Expr one = expr_const(context->pool, 1);
  for (uint32_t i = 0; i < map->result_count + map->constraint_count; i++) {
    Expr *part = i < map->result_count ? &map->results[i]
                                       : &map->constraints[i - map->result_count].expr,
         before = *part;
    *part = expr_binary(context->pool, EXPR_ADD, before, one);
    check_other_text(context, map, text);
    *part = before;
  }
  if (map->constraint_count > 0) {
    map->constraint_count--;
    check_other_text(context, map, text);
    map->constraint_count++;
  }
  if (map->result_count > 0) {
    map->result_count--;
    check_other_text(context, map, text);
    map->result_count++;
  }
}

/* The text is the same in another order, and another one if any part of the map is. */
static void canonical_texts_have_all_parts_in_one_order(void **) {
  MapContext *context = map_context_create();
  RandomMaps random = {.state = 8,
      .max_variables = 4,
      .max_depth = 4,
      .max_results = 3,
      .max_constraints = 3,
      .max_coefficient = 9,
      .max_bound = 3};
  for (uint32_t i = 0; i < 400; i++) {
    MapMark mark = map_context_mark(context);
    Map *map = map_copy(context->arena, random_map(context, &random));
    map->sources = nullptr;
    const char *text = canonical_text(context, map, true);
    assert_string_equal(canonical_text(context, map_reordered(context, map), true), text);
    check_parts(context, map, text);
    Map *index = map_create(context, map->dim_count, map->range_count, map->runtime_count, 1, 0);
    index->results[0] = expr_const(context->pool, 3);
    map->sources = ARENA_NEW(context->arena, RuntimeSource, map->runtime_count + 1);
    for (uint32_t k = 0; k < map->runtime_count; k++)
      map->sources[k] = (RuntimeSource){.name = "a", .index = index, .clamp = {0, 7}};
    if (map->runtime_count > 0) check_other_text(context, map, text);
    assert_string_equal(canonical_text(context, map, false), text);
    text = canonical_text(context, map, true);
    for (uint32_t k = 0; k < map->runtime_count; k++) {
      RuntimeSource before = map->sources[k];
      check_interval(context, map, &map->sources[k].clamp, text);
      map->sources[k].name = "b";
      check_other_text(context, map, text);
      map->sources[k].name = nullptr;
      check_other_text(context, map, text);
      map->sources[k] = before;
      map->sources[k].index = nullptr;
      check_other_text(context, map, text);
      map->sources[k] = before;
    }
    if (map->runtime_count > 0) {
      index->results[0] = expr_const(context->pool, 4);
      check_other_text(context, map, text);
    }
    map_context_rewind(context, mark);
  }
  Map empty = {.state = MAP_KNOWN_EMPTY}, undefined = {.state = MAP_UNDEFINED};
  assert_string_equal(canonical_text(context, &empty, true), "KNOWN EMPTY");
  assert_string_equal(canonical_text(context, &undefined, true), "UNDEFINED");
  map_context_destroy(context);
}

/* ---- witnesses ---- */

static bool is_in_box(uint32_t rank, const int64_t *sizes, const int64_t *index) {
  for (uint32_t i = 0; i < rank; i++)
    if (index[i] < 0 || index[i] >= sizes[i]) return false;
  return true;
}

/* The witness is the oracle's if the oracle refutes, else that of smt, whose values are the index
 * of the point and then that of the element. */
static void check_witness(const Judgement *judgement, uint32_t ranks[2], const int64_t *sizes[2]) {
  const Verdict *oracle = &judgement->by[BY_ORACLE], *smt = &judgement->by[BY_SMT];
  bool by_oracle = oracle->reason == REASON_WRONG || oracle->reason == REASON_EXTRA,
       by_smt = smt->reason == REASON_WRONG || smt->reason == REASON_EXTRA;
  PairWitness witness = judgement_witness(judgement);
  if (by_oracle) {
    bool is_extra = oracle->reason == REASON_EXTRA;
    assert_int_equal(witness.kind, is_extra              ? WITNESS_EXTRA
                                   : oracle->missing > 0 ? WITNESS_MISSING
                                                         : WITNESS_OUTSIDE);
    assert_true(witness.point == oracle->point && witness.element == oracle->element &&
                witness.point_rank == oracle->point_rank &&
                witness.element_rank == oracle->element_rank);
  } else if (by_smt && smt->point != nullptr && smt->point_rank >= ranks[0] + ranks[1]) {
    bool has_point = is_in_box(ranks[0], sizes[0], smt->point),
         has_element = is_in_box(ranks[1], sizes[1], smt->point + ranks[0]);
    assert_int_equal(witness.kind, !has_point || !has_element    ? WITNESS_OUTSIDE
                                   : smt->reason == REASON_EXTRA ? WITNESS_EXTRA
                                                                 : WITNESS_MISSING);
    assert_true(witness.point == smt->point && witness.point_rank == ranks[0]);
    assert_ptr_equal(witness.element, has_point ? smt->point + ranks[0] : nullptr);
    assert_int_equal(witness.element_rank, has_point ? ranks[1] : 0);
  } else {
    assert_int_equal(witness.kind, !by_smt                       ? WITNESS_NONE
                                   : smt->reason == REASON_EXTRA ? WITNESS_EXTRA
                                                                 : WITNESS_MISSING);
    assert_true(witness.point == nullptr && witness.element == nullptr && witness.point_rank == 0 &&
                witness.element_rank == 0);
  }
}

static void witnesses_are_those_of_the_judge_that_refutes(void **) {
  static const char text[] =
      "HloModule m\nENTRY e {\np = (s32[], f32[2,3]) parameter(0)\n"
      "ROOT a = (f32[], f32[4]) custom-call(p, p), custom_call_target=\"t\"\n}\n";
  static const int64_t outer[] = {4}, inner[] = {2, 3};
  static const VerdictReason reasons[] = {
      REASON_EXACT, REASON_WRONG, REASON_EXTRA, REASON_OPEN, REASON_NOT_ASKED};
  static const int64_t oracle_values[] = {7, 8, 9};
  Arena *arena = arena_create();
  const Instruction *root = definitions_module(arena, text)->entry->root;
  for (uint32_t code = 0; code < 5 * 5 * 2 * 2 * 5; code++) {
    bool is_forward = code % 2 == 0;
    Judgement judgement = {.question = {.instruction = root,
                               .output = 1,
                               .operand = 1,
                               .operand_leaf = 1,
                               .direction = is_forward ? OUTPUT_TO_INPUT : INPUT_TO_OUTPUT}};
    Verdict *oracle = &judgement.by[BY_ORACLE], *smt = &judgement.by[BY_SMT];
    *oracle = (Verdict){.reason = reasons[code / 2 % 5],
        .missing = code / 10 % 2,
        .point = oracle_values,
        .point_rank = 1,
        .element = oracle_values + 1,
        .element_rank = 2};
    *smt = (Verdict){.reason = reasons[code / 20 % 5]};
    uint32_t ranks[2] = {is_forward ? 1 : 2, is_forward ? 2 : 1};
    const int64_t *sizes[2] = {is_forward ? outer : inner, is_forward ? inner : outer};
    check_witness(&judgement, ranks, sizes);
    for (uint32_t at = 0; at < 6 * 6 * 6; at++) {
      int64_t values[] = {(int64_t)(at % 6) - 1, (int64_t)(at / 6 % 6) - 1, (int64_t)(at / 36) - 1};
      smt->point = values;
      smt->point_rank = 2 + code / 100 % 3;
      check_witness(&judgement, ranks, sizes);
    }
  }
  arena_destroy(arena);
}

static bool same_at_point(MapContext *context, const Map *a, const Map *b, const int64_t *values) {
  int64_t left[8] = {}, right[8] = {};
  Point at_a = map_point(a, values), at_b = map_point(b, values);
  PointState state = map_evaluate(context, a, &at_a, left);
  if (state != map_evaluate(context, b, &at_b, right)) return state == POINT_OVERFLOW;
  return state != POINT_INSIDE || memcmp(left, right, a->result_count * sizeof *left) == 0;
}

/* The same map in another order has the same value at every point, and is the map itself in another
 * order once more. Simplified, it does not depend on the order. */
static void maps_in_another_order_are_the_same(void **) {
  Error error = {};
  Judge *judge = judge_create(&(JudgeOptions){.without_oracle = true, .without_smt = true}, &error);
  assert_non_null(judge);
  MapContext *context = judge->context;
  uint32_t moved = 0;
  RandomMaps random = {.state = 4,
      .max_variables = 3,
      .max_depth = 4,
      .max_results = 3,
      .max_constraints = 3,
      .max_coefficient = 9,
      .max_bound = 3};
  for (uint32_t i = 0; i < 600; i++) {
    MapMark mark = map_context_mark(context);
    const Map *map = random_map(context, &random), *other = map_reordered(context, map),
              *back = map_reordered(context, other);
    bool is_moved = false;
    assert_true(map_same_kinds(map, other) && other->result_count == map->result_count &&
                other->constraint_count == map->constraint_count);
    for (uint32_t k = 0; k < map->result_count; k++) {
      assert_true(expr_same(map->results[k], back->results[k]));
      is_moved |= !expr_same(map->results[k], other->results[k]);
    }
    for (uint32_t k = 0; k < map->constraint_count; k++)
      assert_true(expr_same(map->constraints[k].expr, back->constraints[k].expr) &&
                  map->constraints[k].in.lo == back->constraints[k].in.lo &&
                  map->constraints[k].in.hi == back->constraints[k].in.hi);
    int64_t values[8] = {};
    for (bool more = map_points_begin(map, values); more; more = map_points_next(map, values))
      assert_true(same_at_point(context, map, other, values));
    for (CanonicalProperty rest = 0; rest < canonical_property_count; rest++) {
      UnequalMaps unequal;
      assert_true(map_is_canonical(judge, rest, map, &unequal));
    }
    const Map *answer;
    CanonicalProperty rest;
    UnequalMaps unequal;
    if (simplify_map(judge->simplifier, map, &(SimplifyOptions){.keep_points = true}, &answer,
            nullptr, &(Error){}))
      assert_true(answer_is_canonical(judge, answer, &rest, &unequal));
    moved += is_moved;
    map_context_rewind(context, mark);
  }
  assert_true(moved > 100);
  Map *answer = map_create(context, 2, 0, 0, 1, 0);
  for (uint32_t i = 0; i < 2; i++) answer->dims[i].bounds = (Interval){0, 9};
  Expr dims[] = {expr_var(context->pool, VAR_DIM, 0), expr_var(context->pool, VAR_DIM, 1)};
  for (uint32_t first = 0; first < 2; first++) {
    CanonicalProperty rest;
    UnequalMaps unequal;
    answer->results[0] = expr_binary(context->pool, EXPR_ADD, dims[first], dims[1 - first]);
    assert_int_equal(answer_is_canonical(judge, answer, &rest, &unequal), first == 0);
    assert_int_equal(rest, CANONICAL_ORDER);
  }
  judge_destroy(judge);
}

/* ---- open statements ---- */

static Verdict said_verdict(uint32_t reason, uint64_t work, bool is_sample, const char *sentence) {
  Verdict verdict = {.work = work, .sentence = sentence};
  verdict_mark(&verdict, (VerdictReason)reason);
  verdict.scope = is_sample ? SCOPE_SAMPLE : SCOPE_WHOLE;
  return verdict;
}

/* Why a judge leaves a statement open: what it said, or what its reason means. */
static const char *open_of_one(Arena *arena, const Verdict *verdict) {
  if (verdict->scope == SCOPE_SAMPLE &&
      (verdict->reason == REASON_EXACT || verdict->reason == REASON_EXTRA))
    return arena_printf(
        arena, "no fault in a sample of %u runtime values", (uint32_t)verdict->work);
  if (verdict->sentence != nullptr) return verdict->sentence;
  if (verdict->reason == REASON_NOT_ASKED) return "not asked";
  return verdict->reason == REASON_TOO_LARGE ? "too large to enumerate"
                                             : "no semantics of this operation";
}

static void open_statements_name_the_judges_that_are_asked(void **) {
  static const VerdictReason reasons[] = {REASON_NOT_ASKED, REASON_TOO_LARGE, REASON_UNSUPPORTED,
      REASON_EXACT, REASON_EXTRA, REASON_OPEN};
  static constexpr uint32_t forms = sizeof reasons / sizeof *reasons * 4;
  Arena *arena = arena_create();
  for (uint32_t kind = 0; kind <= OBLIGATION_RULE; kind++)
    for (uint32_t code = 0; code < forms * forms; code++) {
      uint32_t of[] = {code % forms, code / forms};
      Verdict by[judge_count] = {};
      Text text = text_create(arena);
      for (uint32_t i = 0; i < judge_count; i++) {
        uint32_t form = i == BY_ORACLE ? of[0] : i == BY_SMT ? of[1] : 0;
        by[i] =
            said_verdict(reasons[form / 4], 7, form % 2 == 1, form / 2 % 2 == 1 ? "why" : nullptr);
        bool decides = (judge_row((JudgeId)i)->decides >> kind & 1) != 0;
        if (!decides && by[i].reason == REASON_NOT_ASKED && by[i].sentence == nullptr) continue;
        if (text.length > 0) text_string(&text, "; ");
        text_printf(&text, "%s: %s", judge_row((JudgeId)i)->name, open_of_one(arena, &by[i]));
      }
      assert_string_equal(obligation_open_text(arena, (ObligationKind)kind, by), text.bytes);
    }
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(maps_across_devices_are_wrong_by_their_reason),
      cmocka_unit_test(lines_are_counted_from_the_first),
      cmocka_unit_test(entries_match_by_sizes_and_integers),
      cmocka_unit_test(known_attributes_are_those_of_the_table),
      cmocka_unit_test(maps_in_another_order_are_the_same),
      cmocka_unit_test(canonical_texts_have_all_parts_in_one_order),
      cmocka_unit_test(witnesses_are_those_of_the_judge_that_refutes),
      cmocka_unit_test(open_statements_name_the_judges_that_are_asked),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
