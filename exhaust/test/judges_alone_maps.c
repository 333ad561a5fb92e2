/* Questions about maps, the algebra, reads and rules, right and wrong ones. */
#include "exhaust/test/judges_alone.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/choices.h"
#include "core/base/file.h"
#include "core/hlo/read/read.h"
#include "core/map/text.h"
#include "exhaust/snapshot/snapshot.h"
#include "generate/mutate_rule.h"
#include "smt/rules/prove.h"

static constexpr uint32_t most_questions = 6; /* of a row */

Source alone_source(Alone *alone, const char *text) {
  return (Source){.name = alone->where, .text = text, .length = strlen(text), .first_line = 1};
}

void alone_say_index(Text *text, const char *what, uint32_t rank, const int64_t *at) {
  text_printf(text, " %s(", what);
  text_integers(text, ", ", rank, at);
  text_string(text, ")");
}

static void say_oracle(Text *text, const char *what, const Verdict *verdict) {
  text_printf(text, "%s: %s%s", what, verdict_reason_name(verdict->reason),
      verdict->scope == SCOPE_SAMPLE ? ", sampled" : "");
  text_printf(text, ", missing %lld, extra %lld, work %llu", (long long)verdict->missing,
      (long long)verdict->extra, (unsigned long long)verdict->work);
  if (verdict->point != nullptr) alone_say_index(text, "at", verdict->point_rank, verdict->point);
  if (verdict->element != nullptr)
    alone_say_index(text, "to", verdict->element_rank, verdict->element);
  text_printf(text, " %s\n", verdict_text(verdict));
}

void alone_say_words(Text *text, const char *words) {
  for (; *words != 0; words++) {
    bool is_digit = isdigit((unsigned char)*words) != 0,
         is_last = !isdigit((unsigned char)words[1]);
    if (!is_digit || is_last) text_printf(text, "%c", is_digit ? '#' : *words);
  }
}

void alone_say_smt(Alone *alone, const char *what, const Verdict *verdict) {
  text_printf(&alone->smt, "%s: %s ", what, verdict_reason_name(verdict->reason));
  if (verdict->status != VERDICT_REFUTED) alone_say_words(&alone->smt, verdict_text(verdict));
  text_string(&alone->smt, "\n");
  if (verdict->work > alone->units) alone->units = verdict->work;
}

void alone_contradict(Alone *alone, const char *what, const char *first, const char *says,
    const char *second, const char *other) {
  alone->contradiction = arena_printf(alone->arena, "%s, %s: %s says %s, and %s says %s",
      alone->where, what, first, says, second, other);
}

void alone_decide(Alone *alone, const char *what, const Obligation *obligation) {
  static constexpr JudgeId ids[] = {BY_EVALUATION, BY_LISTING, BY_ORACLE, BY_SMT};
  Verdict by[judge_count] = {};
  bool without_smt = alone->has_large || alone->asked++ % 3 != 0;
  for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
    Verdict *verdict = &by[ids[i]];
    const JudgeRow *row = judge_row(ids[i]);
    if ((row->decides >> obligation->kind & 1) == 0 || (ids[i] == BY_SMT && without_smt)) continue;
    *verdict = verdict_begin(alone->judge->context->arena);
    row->decide(alone->judge, obligation, verdict);
    if (ids[i] == BY_SMT) alone_say_smt(alone, what, verdict);
    else say_oracle(&alone->oracle, what, verdict);
  }
  Join join = obligation_join(by);
  if (join.is_dissent)
    alone_contradict(alone, what, judge_row((JudgeId)join.a)->name, verdict_text(&by[join.a]),
        judge_row((JudgeId)join.b)->name, verdict_text(&by[join.b]));
}

const char *alone_file(Alone *alone, const char *path) {
  Source source;
  Error error = {};
  return file_read(alone->arena, path, (size_t)1 << 20, &source, &error) ? source.text : "";
}

const Module *alone_module(Alone *alone, const char *text) {
  Source *source = ARENA_NEW(alone->arena, Source, 1);
  const Module *module;
  Error error = {};
  *source = alone_source(alone, text);
  return hlo_read(alone->arena, source, &module, &error) ? module : nullptr;
}

/* ---- maps ---- */

static void exchange_results(Expr *a, Expr *b) {
  Expr first = *a;
  *a = *b, *b = first;
}

/* The map with one change, by number; the map itself if the change is none of its. */
static const Map *alone_spoiled(Alone *alone, const Map *map, uint64_t number) {
  MapContext *context = alone->judge->context;
  Error error = {};
  if (map->state != MAP_PLAIN) return map;
  Map *other = map_copy(context->arena, map);
  uint32_t variables = map_variable_count(map);
  uint64_t pick = number / 8;
  Interval *bounds = variables == 0 ? nullptr : &map_variable(other, pick % variables)->bounds;
  Expr *result = map->result_count == 0 ? nullptr : &other->results[pick % map->result_count];
  Constraint *constraint =
      map->constraint_count == 0 ? nullptr : &other->constraints[pick % map->constraint_count];
  Expr one = expr_const(context->pool, 1);
  switch (number % 8) {
    case 0:
      if (result != nullptr) *result = expr_binary(context->pool, EXPR_ADD, *result, one);
      break;
    case 1:
      if (bounds != nullptr && bounds->hi < INT64_MAX) bounds->hi++;
      break;
    case 2:
      if (bounds != nullptr && bounds->lo < bounds->hi) bounds->hi--;
      break;
    case 3:
      if (bounds != nullptr && bounds->lo < bounds->hi) bounds->lo++;
      break;
    case 4:
      if (constraint != nullptr) *constraint = other->constraints[--other->constraint_count];
      break;
    case 5:
      if (constraint != nullptr && constraint->in.lo < constraint->in.hi) constraint->in.lo++;
      break;
    case 6:
      if (result != nullptr) exchange_results(result, &other->results[0]);
      break;
    default:
      if (result != nullptr)
        map_add_constraint(context->arena, other, (Constraint){*result, {0, (int64_t)(pick % 5)}});
  }
  return map_check(context, other, &error) ? other : map;
}

static void ask_maps(Alone *alone, const Map *before, const Map *after) {
  static const char *const about[] = {"same map", "same relation", "contained", "contains"};
  static constexpr ObligationKind kinds[] = {
      OBLIGATION_SAME_MAP, OBLIGATION_SAME_RELATION, OBLIGATION_CONTAINED, OBLIGATION_CONTAINED};
  for (uint32_t i = 0; i < 4; i++)
    alone_decide(alone, about[i],
        &(Obligation){
            .kind = kinds[i], .before = i == 3 ? after : before, .after = i == 3 ? before : after});
}

static bool read_alone_map(Alone *alone, const char *text, const Map **map) {
  Source source = alone_source(alone, text);
  Error error = {};
  return map_parse(alone->judge->context, &source, map, &error);
}

void ask_about_map(Alone *alone, const char *text, uint32_t row) {
  const Map *map;
  if (!read_alone_map(alone, text, &map)) return;
  ask_maps(alone, map, alone_spoiled(alone, map, row));
  ask_maps(alone, alone_spoiled(alone, map, row * 7 + 3), map);
}

void ask_about_pair(Alone *alone, const char *text, uint32_t) {
  Source source = alone_source(alone, text), parts[2];
  const Map *maps[2];
  Error error = {};
  if (map_cut_pair(alone->arena, &source, parts) &&
      map_parse(alone->judge->context, &parts[0], &maps[0], &error) &&
      map_parse(alone->judge->context, &parts[1], &maps[1], &error))
    ask_maps(alone, maps[0], maps[1]);
}

/* Mostly wrong: the answer with one change. */
static void spoil_answer(
    Alone *alone, const AlgebraQuery *query, AlgebraAnswer *answer, uint32_t number) {
  uint32_t results = query->maps[0]->result_count;
  if (answer->kind == ALGEBRA_IS_MAP) answer->map = alone_spoiled(alone, answer->map, number);
  else if (answer->kind == ALGEBRA_IS_TRUE) answer->kind = ALGEBRA_IS_FALSE;
  else if (answer->kind == ALGEBRA_IS_FALSE) answer->kind = ALGEBRA_IS_TRUE;
  else if (query->operation == ALGEBRA_POINTS)
    answer->text = arena_printf(alone->arena, "%llu", (unsigned long long)++answer->points);
  else if (answer->bounds != nullptr && results > 0) {
    Interval *bounds = ARENA_NEW(alone->arena, Interval, results);
    memcpy(bounds, answer->bounds, results * sizeof *bounds);
    bounds[number % results].hi--;
    answer->bounds = bounds;
  }
}

/* Each operation's answer, and a changed one. */
void ask_about_algebra(Alone *alone, const char *text, uint32_t row) {
  const Map *map;
  if (!read_alone_map(alone, text, &map) || !snapshot_has_few_points(1, &map, 256)) return;
  for (uint32_t i = 0; i < algebra_operation_count; i++) {
    int64_t numbers[snapshot_most_results];
    AlgebraQuery query = {.operation = (AlgebraOperation)i, .maps = {map}, .budget = 1024};
    AlgebraAnswer answer = {};
    Error error = {};
    if (!snapshot_query(&query, numbers)) continue;
    algebra_answer(alone->judge, &query, &answer, &error);
    if (answer.kind == ALGEBRA_IS_OPEN || answer.kind == ALGEBRA_IS_REJECTED) continue;
    Obligation obligation = algebra_obligation(&query, &answer, snapshot_most_points);
    alone_decide(alone, algebra_row(query.operation)->text, &obligation);
    spoil_answer(alone, &query, &answer, row + i);
    obligation = algebra_obligation(&query, &answer, snapshot_most_points);
    alone_decide(alone, "not so", &obligation);
  }
}

/* ---- reads ---- */

static void say_reads(Alone *alone, const Question *question) {
  Text *text = &alone->oracle;
  OracleReads reads;
  if (question->direction != OUTPUT_TO_INPUT ||
      !oracle_reads(alone->judge->oracle, question->instruction, question->output,
          question->operand, question->operand_leaf, alone->arena, &reads))
    return;
  text_printf(text, "%lld of %lld:", (long long)reads.outputs, (long long)reads.elements);
  for (int64_t i = 0; i < reads.outputs * reads.words; i++)
    text_printf(text, " %llx", (unsigned long long)reads.rows[i]);
  text_string(text, "\n");
}

static void ask_question(Alone *alone, const Question *question, uint64_t number) {
  MapSet maps;
  Error error = {};
  Judge unsimplified = *alone->judge;
  unsimplified.indexer = alone->raw;
  say_reads(alone, question);
  if (!judge_query_own(&unsimplified, question, &maps, &error)) return;
  Obligation obligation = {.kind = OBLIGATION_READS, .question = question, .maps = &maps};
  alone_decide(alone, question->instruction->name, &obligation);
  if (maps.count == 0) return;
  const Map **others = ARENA_NEW(alone->arena, const Map *, maps.count);
  for (uint32_t i = 0; i < maps.count; i++)
    others[i] =
        i == number % maps.count ? alone_spoiled(alone, maps.maps[i], number) : maps.maps[i];
  maps.maps = others;
  alone_decide(alone, "spoiled", &obligation);
  maps.count--;
  alone_decide(alone, "fewer", &obligation);
}

/* Every so many-th question about the entry. */
static void ask_questions(
    Alone *alone, const Module *module, uint32_t row, uint32_t every, uint32_t most) {
  uint32_t number = 0;
  for (uint32_t i = module->entry->instruction_count; i-- > 0;) {
    const Instruction *instruction = module->entry->instructions[i];
    Question question;
    QuestionWalk walk = question_walk(instruction, &question_filter_all);
    while (instruction->operand_count > 0 && most > 0 && question_next(&walk, &question)) {
      if (number++ % every != row % every) continue;
      ask_question(alone, &question, row + number);
      most--;
    }
  }
}

void ask_about_module(Alone *alone, const char *text, uint32_t row) {
  const Module *module = alone_module(alone, text);
  if (module != nullptr) ask_questions(alone, module, row, 1, most_questions);
}

/* A module of the corpus, a part of its questions in each row. */
void ask_about_file(Alone *alone, const char *path, uint32_t row) {
  const Module *module = alone_module(alone, alone_file(alone, path));
  if (module != nullptr) ask_questions(alone, module, row, rows_of_file, most_questions / 2);
}

/* ---- rules ---- */

void ask_about_rule(Alone *alone, const char *, uint32_t row) {
  uint8_t bytes[64];
  RandomChoices random = choices_of_seed(UINT64_C(104729) * row + 1);
  for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)choose(&random.choices, 256);
  Rule rule = fuzz_mutate_rule(alone->arena, alone->rules, bytes, sizeof bytes);
  RuleVerdict verdict;
  Error error = {};
  if (!prove_rule(alone->arena, &rule, &(ProveOptions){.rlimit = solver_units}, &verdict, &error)) {
    text_printf(&alone->smt, "%s\n", error.message);
    return;
  }
  text_printf(&alone->smt, "%d %s %s; ", verdict.answer, verdict.scope,
      verdict.missing_guard == nullptr ? "" : verdict.missing_guard);
  alone_say_words(&alone->smt, verdict.method == nullptr ? "" : verdict.method);
  text_string(&alone->smt, "\n");
  alone->units = verdict.rlimit_used;
}
