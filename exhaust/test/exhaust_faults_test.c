/* Each judgement of a case can fail on its own. Each test replaces a result that exactly one
 * judgement reads, and no other judgement may fail. Among the four judges of a map's pairs, the
 * spoiled judge must be named. */
#include "exhaust/exhaust.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/map/text.h"

/* The slice f32[4] -> [1:4:2]: outputs 0 and 1 read elements 1 and 3. */
static const char wanted[] = "slice={[1:4:2]}";

typedef struct ExhaustFaultsFixture {
  ScopePlan *plan;
  Examiner *examiner;
  Arena *arena;
  Text report;
  uint64_t number;
} ExhaustFaultsFixture;

static void open_world(
    ExhaustFaultsFixture *world, const char *scope, ScopeSize size, const char *words) {
  Error error = {};
  *world = (ExhaustFaultsFixture){
      .plan = scope_plan_of_size(scope_find(scope), TIER_GATE, size), .arena = arena_create()};
  world->report = text_create(world->arena);
  world->examiner = examiner_create(world->plan, nullptr, &error);
  assert_non_null(world->examiner);
  world->examiner->report = &world->report;
  for (world->number = 0; world->number < world->plan->count; world->number++) {
    Text text = text_create(world->arena);
    scope_write_case(world->plan, world->number, &text);
    if (strstr(text.bytes, words) != nullptr) return;
  }
  fail_msg("no case has %s", words);
}

static void close_world(ExhaustFaultsFixture *world) {
  examiner_destroy(world->examiner);
  scope_plan_destroy(world->plan);
  arena_destroy(world->arena);
}

/* Without a report no text is written, and the counts are the same. */
static void must_count_silently(ExhaustFaultsFixture *world, const ExhaustTally *counted) {
  ExhaustTally silent = {};
  world->examiner->report = nullptr;
  assert_int_equal(examiner_judge(world->examiner, world->number, &silent), STATUS_REFUTED);
  world->examiner->report = &world->report;
  assert_memory_equal(&silent, counted, sizeof silent);
}

/* Exactly this count refutes the case. Without the spoil function no count does. */
static void must_be_caught_by(
    ExhaustFaultsFixture *world, const ExhaustSpoil *spoil, ExhaustCount count) {
  ExhaustTally tally = {};
  assert_int_equal(examiner_judge(world->examiner, world->number, &tally), STATUS_PROVED);
  tally = (ExhaustTally){};
  world->examiner->spoil = spoil;
  assert_int_equal(examiner_judge(world->examiner, world->number, &tally), STATUS_REFUTED);
  must_count_silently(world, &tally);
  world->examiner->spoil = nullptr;
  for (uint32_t i = 0; i < exhaust_count_count; i++) {
    bool refutes = exhaust_count_status((ExhaustCount)i) != STATUS_PROVED && tally.counts[i] > 0;
    if (refutes != (i == count))
      fail_msg("'%s' has %llu\n%s", exhaust_count_text((ExhaustCount)i),
          (unsigned long long)tally.counts[i], world->report.bytes);
  }
}

static void must_be_caught_in_slice(const ExhaustSpoil *spoil, ExhaustCount count) {
  ExhaustFaultsFixture world;
  open_world(&world, "slice", (ScopeSize){1, 4}, wanted);
  must_be_caught_by(&world, spoil, count);
  close_world(&world);
}

static const Map *exhaust_faults_moved(MapContext *context, const Map *map, int64_t by) {
  Map *copy = map_create(context, map->dim_count, map->range_count, map->runtime_count,
      map->result_count, map->constraint_count);
  for (uint32_t i = 0; i < map->dim_count; i++) copy->dims[i] = map->dims[i];
  for (uint32_t i = 0; i < map->range_count; i++) copy->ranges[i] = map->ranges[i];
  for (uint32_t i = 0; i < map->constraint_count; i++) copy->constraints[i] = map->constraints[i];
  for (uint32_t i = 0; i < map->result_count; i++)
    copy->results[i] =
        expr_binary(context->pool, EXPR_ADD, map->results[i], expr_const(context->pool, by));
  return copy;
}

static void move_forth(Judge *judge, const Question *question, MapSet *maps, int64_t by) {
  if (question->direction == OUTPUT_TO_INPUT)
    maps->maps[0] = exhaust_faults_moved(judge->context, maps->maps[0], by);
}

static void miss_forth(Judge *judge, const Question *question, bool, MapSet *maps) {
  move_forth(judge, question, maps, -1);
}
static void exhaust_faults_leave(Judge *judge, const Question *question, bool, MapSet *maps) {
  move_forth(judge, question, maps, 2);
}
static void miss_back(Judge *, const Question *question, bool, MapSet *maps) {
  if (question->direction == INPUT_TO_OUTPUT) maps->count = 0;
}

static void add_map(Judge *judge, const Question *question, MapSet *maps) {
  if (question->direction != OUTPUT_TO_INPUT) return;
  const Map **both = ARENA_NEW(judge->context->arena, const Map *, 2);
  both[0] = maps->maps[0];
  both[1] = exhaust_faults_moved(judge->context, maps->maps[0], -1);
  maps->maps = both;
  maps->count = 2;
}

static void read_more(Judge *judge, const Question *question, bool, MapSet *maps) {
  add_map(judge, question, maps);
}
static void read_more_raw(Judge *judge, const Question *question, bool is_raw, MapSet *maps) {
  if (is_raw) add_map(judge, question, maps);
}

/* One direction is a declared over-approximation with a reason and is accepted; the other is
 * exact. */
static void cover_one_way(Judge *judge, const Question *question, bool, MapSet *maps) {
  if (question->direction != OUTPUT_TO_INPUT) return;
  Map *all = map_create(judge->context, 1, 1, 0, 1, 0);
  all->dims[0].bounds = (Interval){0, 1};
  all->ranges[0].bounds = (Interval){0, 3};
  all->results[0] = expr_var(judge->context->pool, VAR_RANGE, 0);
  maps->maps[0] = all;
  maps->claim = INDEX_OVER_APPROXIMATION;
  maps->reason = "a test";
}

static void cover(Judge *judge, const char *text, MapSet *maps) {
  Source source = {.name = "map", .text = text, .length = strlen(text), .first_line = 1};
  Error error = {};
  assert_true(map_parse(judge->context, &source, &maps->maps[0], &error));
  maps->claim = INDEX_OVER_APPROXIMATION;
  maps->reason = "a test";
}

/* Raw and simplified maps each read one extra element per row, but different elements. */
static void cover_otherwise_raw(Judge *judge, const Question *question, bool is_raw, MapSet *maps) {
  if (question->direction == INPUT_TO_OUTPUT)
    cover(judge, "(d0)[s0] -> (s0), domain: d0 in [0, 3], s0 in [0, 1], (d0 + 1) mod 4 in [0, 2]",
        maps);
  else
    cover(judge,
        is_raw ? "(d0)[s0] -> (s0), domain: d0 in [0, 1], s0 in [1, 3]"
               : "(d0)[s0] -> ((s0 - 1) mod 4), domain: d0 in [0, 1], s0 in [0, 2]",
        maps);
}

/* The same claim, where the raw maps are exact. */
static void cover_what_was_exact(
    Judge *judge, const Question *question, bool is_raw, MapSet *maps) {
  if (!is_raw || question->direction == INPUT_TO_OUTPUT)
    cover_otherwise_raw(judge, question, false, maps);
  else cover(judge, "(d0) -> (d0 * 2 + 1), domain: d0 in [0, 1]", maps);
}

/* Two maps that differ only in the sources of their runtime variables. */
typedef enum SourcePart : uint8_t { SOURCE_SWAPPED, SOURCE_CLAMPED } SourcePart;
static SourcePart changed;

static const Map *over_other_sources(MapContext *context, const Map *map) {
  Map *other = ARENA_NEW(context->arena, Map, 1);
  *other = *map;
  other->sources = ARENA_NEW(context->arena, RuntimeSource, 2);
  other->sources[0] = map->sources[changed == SOURCE_SWAPPED ? 1 : 0];
  other->sources[1] = map->sources[changed == SOURCE_SWAPPED ? 0 : 1];
  if (changed == SOURCE_CLAMPED) other->sources[0].clamp = (Interval){0, 0};
  return other;
}

/* Adds a second map in which every result is the first result. It has extra pairs, and they change
 * when the source of the first offset changes. */
static void cover_from_other_sources(
    Judge *judge, const Question *question, bool is_raw, MapSet *maps) {
  if (question->direction != OUTPUT_TO_INPUT || question->operand != 0) return;
  assert_int_equal(maps->maps[0]->runtime_count, 2);
  Map *beside = ARENA_NEW(judge->context->arena, Map, 1);
  *beside = *maps->maps[0];
  beside->results = ARENA_NEW(judge->context->arena, Expr, beside->result_count);
  for (uint32_t i = 0; i < beside->result_count; i++)
    beside->results[i] = maps->maps[0]->results[0];
  add_map(judge, question, maps);
  maps->maps[1] = is_raw ? over_other_sources(judge->context, beside) : beside;
  maps->claim = INDEX_OVER_APPROXIMATION;
  maps->reason = "a test";
}

static void must_see_sources(const char *scope, const char *words) {
  ExhaustFaultsFixture world;
  open_world(&world, scope, (ScopeSize){2, 4}, words);
  must_be_caught_by(&world, &(ExhaustSpoil){.maps = cover_from_other_sources}, EXHAUST_differs);
  close_world(&world);
}

/* Sources that are different instructions, different elements of one, or clamped differently. */
static void sources_are_distinguished(void **) {
  static const char slice[] =
      "f32[2,2] parameter(0)\n  %p1 = s32[] parameter(1)\n  %p2 = s32[] parameter(2)\n  ROOT %v0 = f32[1,1] dynamic-slice(";
  changed = SOURCE_SWAPPED;
  must_see_sources("dynamic-slice", slice);
  must_see_sources("gather",
      "f32[2,2] parameter(0)\n  %p1 = s32[2] parameter(1)\n  ROOT %v0 = f32[1,1] gather(");
  changed = SOURCE_CLAMPED;
  must_see_sources("dynamic-slice", slice);
}

static void each_question_is_judged(void **) {
  must_be_caught_in_slice(&(ExhaustSpoil){.maps = miss_forth}, EXHAUST_wrong);
  must_be_caught_in_slice(&(ExhaustSpoil){.maps = miss_back}, EXHAUST_wrong_inverse);
  must_be_caught_in_slice(&(ExhaustSpoil){.maps = exhaust_faults_leave}, EXHAUST_outside);
  must_be_caught_in_slice(&(ExhaustSpoil){.maps = read_more}, EXHAUST_inexact);
  must_be_caught_in_slice(&(ExhaustSpoil){.maps = read_more_raw}, EXHAUST_differs);
  must_be_caught_in_slice(&(ExhaustSpoil){.maps = cover_otherwise_raw}, EXHAUST_differs);
  must_be_caught_in_slice(&(ExhaustSpoil){.maps = cover_what_was_exact}, EXHAUST_differs);
  must_be_caught_in_slice(&(ExhaustSpoil){.maps = cover_one_way}, EXHAUST_inverse);
}

static void spoil_at(Text *printed, bool is_map, const char *what, char by) {
  char *position = (printed->bytes[0] == '(') == is_map ? strstr(printed->bytes, what) : nullptr;
  if (position != nullptr) *position = by;
}
static void unreadable_map(Text *printed) { spoil_at(printed, true, " in [", '?'); }
static void unreadable_module(Text *printed) { spoil_at(printed, false, "slice(", 'S'); }

static void what_is_printed_is_judged(void **) {
  must_be_caught_in_slice(&(ExhaustSpoil){.text = unreadable_map}, EXHAUST_text);
  must_be_caught_in_slice(&(ExhaustSpoil){.text = unreadable_module}, EXHAUST_text);
}

/* Spoils only maps that a fusion composes: no single operation would show the fault. */
static void miss_in_fusions(Judge *judge, const Question *question, bool, MapSet *maps) {
  if (question->instruction->opcode == HLO_FUSION && question->operand == 0 && maps->count > 0)
    move_forth(judge, question, maps, -1);
}

/* Adds one and subtracts it again: the map is right, but not simplified. */
static void leave_unsimplified(Judge *judge, const Question *question, bool is_raw, MapSet *maps) {
  if (is_raw) return;
  move_forth(judge, question, maps, 1);
  move_forth(judge, question, maps, -1);
}

static void rest_is_judged(void **) {
  must_be_caught_in_slice(&(ExhaustSpoil){.maps = leave_unsimplified}, EXHAUST_restless);
}

static void composition_is_judged(void **) {
  ExhaustFaultsFixture world;
  open_world(&world, "chain-2", (ScopeSize){1, 4},
      "%v0 = f32[2] slice(%p0), slice={[1:4:2]}\n  ROOT %v1 = f32[2] negate(%v0)");
  must_be_caught_by(&world, &(ExhaustSpoil){.maps = miss_in_fusions}, EXHAUST_wrong);
  close_world(&world);
  open_world(&world, "slice", (ScopeSize){1, 4}, wanted);
  ExhaustTally tally = {};
  world.examiner->spoil = &(ExhaustSpoil){.maps = miss_in_fusions};
  assert_int_equal(examiner_judge(world.examiner, world.number, &tally), STATUS_PROVED);
  close_world(&world);
}

static const Map *simplify_wrongly(MapContext *context, const Map *map, bool is_second) {
  return is_second || map->state != MAP_PLAIN ? map : exhaust_faults_moved(context, map, 1);
}
static const Map *simplify_again(MapContext *context, const Map *map, bool is_second) {
  return is_second && map->state == MAP_PLAIN ? exhaust_faults_moved(context, map, 0) : map;
}

static void simplifying_is_judged(void **) {
  ExhaustFaultsFixture world;
  open_world(&world, "maps", (ScopeSize){3, 0}, "(d0 mod 3), domain: d0 in [0, 7], s0 in [0, 3]");
  must_be_caught_by(&world, &(ExhaustSpoil){.simplified = simplify_wrongly}, EXHAUST_differs);
  must_be_caught_by(&world, &(ExhaustSpoil){.simplified = simplify_again}, EXHAUST_restless);
  close_world(&world);
}

static uint32_t liar;
static int64_t lie(uint32_t judge, int64_t result) { return judge == liar ? result + 1 : result; }

/* A map of three points. The listing and each judge of pairs are spoiled in turn; judges that are
 * not installed are skipped. */
static void the_one_that_stands_alone_is_named(void **) {
  static constexpr uint32_t liars[] = {pairs_listing, BY_ORACLE, BY_MLIR, BY_ISL};
  ExhaustFaultsFixture world;
  open_world(&world, "maps", (ScopeSize){3, 0}, "(d0 mod 3), domain: d0 in [0, 7], s0 in [0, 3]");
  examiner_call_all(world.examiner, 1);
  ExhaustTally honest = {};
  assert_int_equal(examiner_judge(world.examiner, world.number, &honest), STATUS_PROVED);
  uint32_t named = 0;
  for (uint32_t i = 0; i < sizeof liars / sizeof *liars; i++) {
    liar = liars[i];
    const char *name = liar == pairs_listing ? "the listing" : judge_row((JudgeId)liar)->name;
    if ((liar == BY_MLIR && honest.counts[EXHAUST_mlir] == 0) ||
        (liar == BY_ISL && honest.counts[EXHAUST_isl] == 0)) {
      print_message("[  SKIPPED ] %s is not installed\n", name);
      continue;
    }
    char words[64];
    snprintf(words, sizeof words, "%s dissents at (", name);
    world.report.length = 0;
    must_be_caught_by(&world, &(ExhaustSpoil){.pair = lie}, EXHAUST_odd);
    if (strstr(world.report.bytes, words) == nullptr)
      fail_msg("%s is not named:\n%s", name, world.report.bytes);
    named++;
  }
  assert_true(named >= 2);
  close_world(&world);
}

static AlgebraOperation misstated;
static Interval narrow[8];

/* Changes the result: another number, narrower bounds, the opposite truth value, or a shifted or
 * empty map. */
static void misstate(Judge *judge, const AlgebraQuery *query, AlgebraAnswer *answer) {
  if (query->operation != misstated || query->maps[0]->sources != nullptr) return;
  switch (answer->kind) {
    case ALGEBRA_IS_TEXT:
      answer->points++;
      for (uint32_t i = 0; query->operation == ALGEBRA_IMAGE && i < query->maps[0]->result_count;
          i++)
        narrow[i] = (Interval){answer->bounds[i].lo, answer->bounds[i].hi - 1};
      answer->bounds = narrow;
      return;
    case ALGEBRA_IS_MAP:
      answer->map = answer->map->result_count > 0
                        ? exhaust_faults_moved(judge->context, answer->map, 1)
                        : map_known_empty(judge->context);
      return;
    case ALGEBRA_IS_TRUE: answer->kind = ALGEBRA_IS_FALSE; return;
    case ALGEBRA_IS_FALSE: answer->kind = ALGEBRA_IS_TRUE; return;
    case ALGEBRA_IS_OPEN:
    case ALGEBRA_IS_REJECTED: return;
  }
}

static void drop_one_too_many(Judge *judge, const AlgebraQuery *query, AlgebraAnswer *answer) {
  if (answer->kind != ALGEBRA_IS_MAP || query->operation != misstated ||
      answer->map->state != MAP_PLAIN)
    return;
  Map *less = ARENA_NEW(judge->context->arena, Map, 1);
  *less = *answer->map;
  less->results = ARENA_NEW(judge->context->arena, Expr, less->result_count);
  for (uint32_t i = 0; i < less->result_count; i++)
    less->results[i] = expr_const(judge->context->pool, 1);
  answer->map = less;
}

static void each_answer_of_the_algebra_is_judged(void **) {
  static const AlgebraOperation operations[] = {ALGEBRA_DROP_UNUSED, ALGEBRA_DROP_DIMS,
      ALGEBRA_RANGES_TO_DIMS, ALGEBRA_RESCALE, ALGEBRA_SUB_MAP, ALGEBRA_INVERSE, ALGEBRA_POINTS,
      ALGEBRA_IMAGE, ALGEBRA_INJECTIVE, ALGEBRA_BIJECTIVE};
  ExhaustFaultsFixture world;
  open_world(&world, "algebra", (ScopeSize){1, 0},
      "(d0, d1, d2) -> (d1 * 4 + d0), domain: d0 in [0, 3], d1 in [0, 2], d2 in [0, 0]");
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
    misstated = operations[i];
    must_be_caught_by(&world, &(ExhaustSpoil){.algebra = misstate}, EXHAUST_misstated);
    bool makes_map = misstated != ALGEBRA_POINTS && misstated != ALGEBRA_IMAGE &&
                     misstated != ALGEBRA_INJECTIVE && misstated != ALGEBRA_BIJECTIVE;
    if (makes_map)
      must_be_caught_by(&world, &(ExhaustSpoil){.algebra = drop_one_too_many}, EXHAUST_misstated);
  }
  close_world(&world);
}

static ObligationKind misjudged;
static void misjudge(ObligationKind kind, Verdict *verdict) {
  if (kind == misjudged)
    verdict->status = verdict->status == VERDICT_PROVED ? VERDICT_REFUTED : VERDICT_PROVED;
}
static void say_nothing(ObligationKind kind, Verdict *verdict) {
  if (kind == misjudged) verdict->status = VERDICT_UNKNOWN;
}

static void each_answer_about_two_maps_is_judged(void **) {
  ExhaustFaultsFixture world;
  open_world(&world, "pairs", (ScopeSize){3, 2},
      "(d0)[s0] -> (d0), domain: d0 in [0, 2], s0 in [0, 1] ; (d0)[s0, s1] -> (d0 + s0)");
  for (misjudged = OBLIGATION_SAME_MAP; misjudged <= OBLIGATION_CONTAINED; misjudged++) {
    ExhaustTally tally = {};
    must_be_caught_by(&world, &(ExhaustSpoil){.same = misjudge}, EXHAUST_misstated);
    world.examiner->spoil = &(ExhaustSpoil){.same = say_nothing};
    assert_int_equal(examiner_judge(world.examiner, world.number, &tally), STATUS_UNDECIDED);
    world.examiner->spoil = nullptr;
  }
  close_world(&world);
}

static void reject_to_say(Judge *, const AlgebraQuery *, AlgebraAnswer *answer) {
  *answer = (AlgebraAnswer){.kind = ALGEBRA_IS_OPEN, .text = "a test"};
}

/* A missing result is no result: with a sufficient budget the case stays open, and inverses that
 * are not found are counted. */
static void the_algebra_has_to_answer(void **) {
  ExhaustFaultsFixture world;
  ExhaustTally tally = {};
  open_world(&world, "algebra", (ScopeSize){1, 0},
      "(d0, d1, d2) -> (d1 * 4 + d0), domain: d0 in [0, 3], d1 in [0, 2], d2 in [0, 0]");
  assert_int_equal(examiner_judge(world.examiner, world.number, &tally), STATUS_PROVED);
  assert_int_equal(tally.counts[EXHAUST_no_inverse], 0);
  world.examiner->spoil = &(ExhaustSpoil){.algebra = reject_to_say};
  tally = (ExhaustTally){};
  assert_int_equal(examiner_judge(world.examiner, world.number, &tally), STATUS_UNDECIDED);
  assert_int_equal(tally.counts[EXHAUST_no_inverse], 1);
  assert_true(tally.counts[EXHAUST_undefined] > 5 && tally.counts[EXHAUST_algebra] == 0);
  close_world(&world);
}

static VerdictReason said_of_graphs;
static void say_of_graphs(EquivValuesVerdict *verdict) { verdict->answer = said_of_graphs; }

/* Exactly this count shows that the judges of values now say `answer` of the case. */
static void must_say_of_graphs(
    ExhaustFaultsFixture *world, VerdictReason answer, ExhaustCount count, Status status) {
  ExhaustTally tally = {};
  said_of_graphs = answer;
  world->examiner->spoil = &(ExhaustSpoil){.values = say_of_graphs};
  assert_int_equal(examiner_judge(world->examiner, world->number, &tally), status);
  for (uint32_t i = 0; i < exhaust_count_count; i++)
    if ((tally.counts[i] > 0) != (i == count))
      fail_msg("'%s' has %llu", exhaust_count_text((ExhaustCount)i),
          (unsigned long long)tally.counts[i]);
  world->examiner->spoil = nullptr;
}

static constexpr VerdictReason no_answers[] = {REASON_OPEN, REASON_NOT_ASKED, REASON_TOO_LARGE,
    REASON_UNSUPPORTED, REASON_REJECTED, REASON_SIGNATURE};
static constexpr VerdictReason of_tries[] = {
    REASON_SAME_READS, REASON_FEWER_READS, REASON_MORE_READS, REASON_TRIED};

/* `is_same`: the values of the first case with these words are equal under all assignments. */
static void each_answer_about_graphs_is_judged_of(const char *words, bool is_same) {
  ExhaustFaultsFixture world;
  open_world(&world, "graphs", (ScopeSize){2, 1}, words);
  must_say_of_graphs(&world, REASON_EXACT, is_same ? EXHAUST_algebra : EXHAUST_contradicted,
      is_same ? STATUS_PROVED : STATUS_REFUTED);
  must_say_of_graphs(&world, REASON_DIFFERENT, is_same ? EXHAUST_not_judged : EXHAUST_algebra,
      is_same ? STATUS_UNDECIDED : STATUS_PROVED);
  must_say_of_graphs(&world, REASON_DISSENT, EXHAUST_contradicted, STATUS_REFUTED);
  for (size_t i = 0; i < sizeof of_tries / sizeof *of_tries; i++)
    must_say_of_graphs(&world, of_tries[i], is_same ? EXHAUST_alike : EXHAUST_not_judged,
        is_same ? STATUS_PROVED : STATUS_UNDECIDED);
  for (size_t i = 0; i < sizeof no_answers / sizeof *no_answers; i++)
    must_say_of_graphs(&world, no_answers[i], EXHAUST_not_judged, STATUS_UNDECIDED);
  close_world(&world);
}

static void each_answer_about_graphs_is_judged(void **) {
  each_answer_about_graphs_is_judged_of("HloModule", true); /* the first case: a graph and itself */
  each_answer_about_graphs_is_judged_of("subtract(%v0, %p1)", false);
}

static void other_rule(Text *printed) {
  char *position = strstr(printed->bytes, "x - 1");
  if (position != nullptr) position[0] = 'y';
}

static void text_of_rules_is_judged(void **) {
  ExhaustFaultsFixture world;
  open_world(&world, "rule-text", (ScopeSize){3, 0}, "(x + -1)");
  must_be_caught_by(&world, &(ExhaustSpoil){.text = other_rule}, EXHAUST_text);
  close_world(&world);
}

static void claim_nothing_is_read(Judge *, const Question *, bool, MapSet *maps) {
  *maps = (MapSet){.claim = INDEX_EXACT};
}

/* Where nothing can be known, an answer never passes; elsewhere, a missing answer never passes. */
static void what_cannot_be_known_may_not_be_answered(void **) {
  ExhaustFaultsFixture world;
  ExhaustTally tally = {};
  open_world(&world, "unknown", (ScopeSize){1, 2}, "custom-call(%p0)");
  assert_int_equal(examiner_judge(world.examiner, world.number, &tally), STATUS_PROVED);
  assert_int_equal(tally.counts[EXHAUST_unknown], 2);
  world.examiner->spoil = &(ExhaustSpoil){.maps = claim_nothing_is_read};
  assert_int_equal(examiner_judge(world.examiner, world.number, &tally), STATUS_UNDECIDED);
  close_world(&world);
}

static void give_no_answer(Judge *, const Question *, bool, MapSet *maps) {
  *maps = (MapSet){.claim = INDEX_UNDEFINED, .reason = "a test"};
}

static void what_can_be_known_must_be_answered(void **) {
  ExhaustFaultsFixture world;
  ExhaustTally tally = {};
  open_world(&world, "boundary", (ScopeSize){1, 2}, "while(%p0)");
  assert_int_equal(examiner_judge(world.examiner, world.number, &tally), STATUS_PROVED);
  world.examiner->spoil = &(ExhaustSpoil){.maps = give_no_answer};
  assert_int_equal(examiner_judge(world.examiner, world.number, &tally), STATUS_UNDECIDED);
  assert_int_equal(tally.counts[EXHAUST_unknown], 0);
  close_world(&world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_question_is_judged),
      cmocka_unit_test(sources_are_distinguished),
      cmocka_unit_test(rest_is_judged),
      cmocka_unit_test(what_is_printed_is_judged),
      cmocka_unit_test(composition_is_judged),
      cmocka_unit_test(simplifying_is_judged),
      cmocka_unit_test(the_one_that_stands_alone_is_named),
      cmocka_unit_test(what_cannot_be_known_may_not_be_answered),
      cmocka_unit_test(what_can_be_known_must_be_answered),
      cmocka_unit_test(each_answer_of_the_algebra_is_judged),
      cmocka_unit_test(each_answer_about_two_maps_is_judged),
      cmocka_unit_test(the_algebra_has_to_answer),
      cmocka_unit_test(each_answer_about_graphs_is_judged),
      cmocka_unit_test(text_of_rules_is_judged),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
