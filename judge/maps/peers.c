/* Puts one map to four judges. The walk's pairs are the common ground: MLIR's pairs are held
 * against them as sets, isl's relation against them written as a relation of single points, the
 * oracle's answer point by point, as a map that holds that point alone. */
#include "judge/maps/peers.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/adapters/isl/relation.h"
#include "core/map/evaluate.h"
#include "core/map/points.h"

static constexpr uint64_t isl_operations = 4'000'000;
static constexpr uint64_t isl_most_pairs =
    128; /* written as single points, its work grows with their square */
static constexpr uint32_t most_columns = 64;

const char *pair_judge_text(PairJudge peer) {
  static const char *const texts[] = {"the walk", "the oracle", "MLIR", "isl"};
  return texts[peer];
}

Peers peers_open(MapContext *context, Oracle *oracle, const char **why) {
  static Error error;
  Peers peers = {.context = context, .oracle = oracle};
  error = (Error){};
  *why = nullptr;
  if (!mlir_library(&peers.mlir, &error)) {
    peers.mlir = nullptr;
    *why = error.message;
  }
  return peers;
}

/* Rows of a variable each, then a result each; a map without variables has one, which is 0. */
typedef struct Rows {
  uint32_t variables, width;
  uint64_t count, capacity;
  int64_t *values;
} Rows;

static int64_t spoiled(const Peers *peers, PairJudge peer, int64_t result) {
  return peers->spoil == nullptr ? result : peers->spoil(peer, result);
}

static bool walk(const Peers *peers, const Map *map, uint64_t points, Rows *rows) {
  uint32_t variables = map_variable_count(map);
  rows->variables = variables == 0 ? 1 : variables;
  rows->width = rows->variables + map->result_count;
  rows->values = ARENA_NEW(peers->context->arena, int64_t, points * rows->width + 1);
  for (uint64_t number = 0; number < points; number++) {
    int64_t *row = rows->values + rows->count * rows->width, results[most_columns] = {};
    row[0] = 0;
    map_points_at(map, number, row);
    Point point = map_point(map, row);
    PointState state = map_evaluate(peers->context, map, &point, results);
    if (state == POINT_OVERFLOW) return false;
    for (uint32_t i = 0; i < map->result_count; i++)
      row[rows->variables + i] = spoiled(peers, PEER_WALK, results[i]);
    rows->count += state == POINT_INSIDE;
  }
  return true;
}

static bool has_row(const Rows *rows, const int64_t *row) {
  for (uint64_t i = 0; i < rows->count; i++)
    if (memcmp(rows->values + i * rows->width, row, rows->width * sizeof *row) == 0) return true;
  return false;
}

static const int64_t *first_missing(const Rows *of, const Rows *in) {
  for (uint64_t i = 0; i < of->count; i++)
    if (!has_row(in, of->values + i * of->width)) return of->values + i * of->width;
  return nullptr;
}

/* A row of either that the other does not have; nullptr when there is none. No judge has a row
 * twice. */
static const int64_t *first_difference(const Rows *a, const Rows *b) {
  const int64_t *row = first_missing(a, b);
  return row != nullptr || a->count == b->count ? row : first_missing(b, a);
}

static bool run_mlir(
    const Peers *peers, const Map *map, const Rows *walked, Rows *rows, Error *error) {
  PairsRun run;
  if (peers->mlir == nullptr) return error_set(error, ERROR_ENVIRONMENT, "it is not installed");
  if (!peers->mlir->mlir_pairs(peers->context, map, peers_most_points, &run, error)) return false;
  *rows = (Rows){.variables = walked->variables, .width = walked->width, .count = run.count};
  if (run.count == 0) return true;
  uint32_t skipped = map_variable_count(map) == 0; /* the variable that is 0 has no column there */
  if (run.width + skipped != walked->width)
    return error_set(error, ERROR_ENVIRONMENT, "its rows have %u columns, not %u", run.width,
        walked->width - skipped);
  rows->values = ARENA_NEW(peers->context->arena, int64_t, run.count * rows->width);
  for (uint64_t i = 0; i < run.count; i++) {
    int64_t *row = rows->values + i * rows->width;
    row[0] = 0;
    if (run.width > 0) memcpy(row + skipped, run.values + i * run.width, run.width * sizeof *row);
    for (uint32_t k = rows->variables; k < rows->width; k++)
      row[k] = spoiled(peers, PEER_MLIR, row[k]);
  }
  return true;
}

/* The map at one point alone, and the pair that a judge gives there: constants, or nothing. */
static const Map *at_point(const Peers *peers, const Map *map, const int64_t *row) {
  Map *narrow = map_copy(peers->context->arena, map);
  for (uint32_t i = 0; i < map_variable_count(map); i++)
    *map_variable(narrow, i) = (Variable){.bounds = {row[i], row[i]}};
  narrow->sources = nullptr;
  return narrow;
}

static const Map *as_constants(
    const Peers *peers, PairJudge peer, const Map *narrow, const int64_t *results) {
  if (results == nullptr) return map_known_empty(peers->context);
  Map *constant = map_copy_variables(peers->context->arena, narrow, narrow->result_count, 0);
  for (uint32_t i = 0; i < narrow->result_count; i++)
    constant->results[i] = expr_const(peers->context->pool, spoiled(peers, peer, results[i]));
  return constant;
}

/* Whether a judge finds that the map at that point is exactly this; results == nullptr: nothing. */
static bool confirms(const Peers *peers, PairJudge peer, const Map *map, const int64_t *row,
    const int64_t *results) {
  const Map *narrow = at_point(peers, map, row),
            *constant = as_constants(peers, peer, narrow, results);
  Error error = {};
  if (peer == PEER_ORACLE) {
    Verdict verdict;
    return oracle_same_map(peers->oracle, narrow, constant, 1, &verdict, &error) &&
           verdict.status == VERDICT_PROVED;
  }
  assert(peer == PEER_ISL);
  RelationReport report;
  return relation_same_map(peers->context, narrow, constant, isl_operations, &report, &error) &&
         report.answer == RELATION_SAME;
}

static const int64_t *row_with(const Rows *rows, const int64_t *variables) {
  for (uint64_t i = 0; i < rows->count; i++)
    if (memcmp(rows->values + i * rows->width, variables, rows->variables * sizeof *variables) == 0)
      return rows->values + i * rows->width;
  return nullptr;
}

static const int64_t *results_at(const Rows *rows, const int64_t *variables) {
  const int64_t *row = row_with(rows, variables);
  return row == nullptr ? nullptr : row + rows->variables;
}

/* The first point of the box at which the judge denies what the walk says. */
static const int64_t *first_denied(
    const Peers *peers, PairJudge peer, const Map *map, uint64_t points, const Rows *walked) {
  int64_t *row = ARENA_NEW(peers->context->arena, int64_t, walked->variables);
  for (uint64_t number = 0; number < points; number++) {
    map_points_at(map, number, row);
    MapMark mark = map_context_mark(peers->context);
    bool is_confirmed = confirms(peers, peer, map, row, results_at(walked, row));
    map_context_rewind(peers->context, mark);
    if (!is_confirmed) return row;
  }
  return nullptr;
}

static void write_tuple(Text *text, uint32_t count, const int64_t *values) {
  for (uint32_t i = 0; i < count; i++)
    text_printf(text, "%s%" PRId64, i == 0 ? "" : ", ", values[i]);
}

/* Each pair as a point of a relation of its own. */
static const char *as_relation(const Peers *peers, const Map *map, const Rows *rows) {
  Text text = text_create(peers->context->arena);
  uint32_t variables = map_variable_count(map);
  text_string(&text, "domain := { ");
  for (uint64_t i = 0; i < rows->count; i++) {
    text_string(&text, i == 0 ? "S0[" : "; S0[");
    write_tuple(&text, variables, rows->values + i * rows->width);
    text_string(&text, "]");
  }
  text_string(&text, " };\nschedule := { S0[");
  for (uint32_t i = 0; i < variables; i++) text_printf(&text, "%sx%u", i == 0 ? "" : ", ", i);
  text_string(&text, "] -> [0");
  for (uint32_t i = 0; i < variables; i++) text_printf(&text, ", x%u", i);
  text_string(&text, "] };\nreads := { ");
  for (uint64_t i = 0; i < rows->count; i++) {
    text_string(&text, i == 0 ? "S0[" : "; S0[");
    write_tuple(&text, variables, rows->values + i * rows->width);
    text_string(&text, "] -> map0[");
    for (uint32_t k = rows->variables; k < rows->width; k++)
      text_printf(&text, "%s%" PRId64, k == rows->variables ? "" : ", ",
          spoiled(peers, PEER_ISL, rows->values[i * rows->width + k]));
    text_string(&text, "]");
  }
  text_string(&text, " };\n");
  return text.bytes;
}

static VerdictReason ask_isl(const Peers *peers, const Map *map, const Rows *rows, Error *error) {
  RelationAnswer answer;
  bool is_possible =
      relation_available()
          ? rows->count <= isl_most_pairs || error_set(error, ERROR_LIMIT, "too many pairs")
          : error_set(error, ERROR_ENVIRONMENT, "it is not installed");
  if (!is_possible || !relation_text_same(peers->context, 1, nullptr, &map,
                          as_relation(peers, map, rows), isl_operations, &answer, error))
    return REASON_NOT_ASKED;
  switch (answer) {
    case RELATION_SAME: return REASON_EXACT;
    case RELATION_DIFFERENT: return REASON_DIFFERENT;
    case RELATION_UNKNOWN: break;
  }
  return error_set(error, ERROR_LIMIT, "out of operations") ? REASON_DIFFERENT : REASON_NOT_ASKED;
}

typedef struct Hearing {
  const Peers *peers;
  const Map *map;
  uint64_t points;
  Rows walked, run;
  Verdict by[peer_count];
  PeersReport *report;
  const char *reasons[peer_count];
} Hearing;

static void peer_not_asked(Hearing *hearing, PairJudge peer, const Error *error) {
  hearing->by[peer].reason = REASON_NOT_ASKED;
  hearing->reasons[peer] = arena_printf(hearing->peers->context->arena, "%s", error->message);
}

static bool is_same(const int64_t *a, const int64_t *b, uint32_t count) {
  if (a == nullptr || b == nullptr) return a == b;
  return memcmp(a, b, count * sizeof *a) == 0;
}

/* At one point, who says what the walk says, and who says what MLIR says: the one that nobody joins
 * stands alone. */
static void name_odd(Hearing *hearing, const int64_t *row) {
  uint32_t results = hearing->map->result_count, with_walk = 0, asked = 0;
  const int64_t *walked = results_at(&hearing->walked, row);
  bool agrees[peer_count] = {[PEER_WALK] = true};
  for (uint32_t p = PEER_ORACLE; p < peer_count; p++) {
    if (hearing->by[p].reason == REASON_NOT_ASKED) continue;
    asked++;
    agrees[p] = p == PEER_MLIR ? is_same(walked, results_at(&hearing->run, row), results)
                               : confirms(hearing->peers, (PairJudge)p, hearing->map, row, walked);
    with_walk += agrees[p];
  }
  Text text = text_create(hearing->peers->context->arena);
  PairJudge alone = PEER_WALK;
  bool is_one = with_walk == 0 || with_walk + 1 == asked;
  for (uint32_t p = PEER_ORACLE; p < peer_count && with_walk > 0; p++)
    if (hearing->by[p].reason != REASON_NOT_ASKED && !agrees[p]) alone = (PairJudge)p;
  if (asked < 2 || !is_one) text_string(&text, "the judges are divided");
  else text_printf(&text, "%s stands alone", pair_judge_text(alone));
  text_string(&text, " at (");
  write_tuple(&text, map_variable_count(hearing->map), row);
  text_string(&text, "): the walk says ");
  if (walked == nullptr) text_string(&text, "nothing");
  else {
    text_string(&text, "(");
    write_tuple(&text, results, walked);
    text_string(&text, ")");
  }
  snprintf(hearing->report->text, sizeof hearing->report->text, "%s", text.bytes);
}

static const int64_t *find_difference(const Hearing *hearing) {
  if (hearing->by[PEER_MLIR].reason == REASON_DIFFERENT)
    return first_difference(&hearing->walked, &hearing->run);
  return first_denied(hearing->peers,
      hearing->by[PEER_ORACLE].reason == REASON_DIFFERENT ? PEER_ORACLE : PEER_ISL, hearing->map,
      hearing->points, &hearing->walked);
}

static void ask_all(Hearing *hearing) {
  Error error = {};
  const Peers *peers = hearing->peers;
  hearing->by[PEER_WALK].reason = REASON_EXACT;
  hearing->by[PEER_ORACLE].reason =
      first_denied(peers, PEER_ORACLE, hearing->map, hearing->points, &hearing->walked) == nullptr
          ? REASON_EXACT
          : REASON_DIFFERENT;
  if (!run_mlir(peers, hearing->map, &hearing->walked, &hearing->run, &error))
    peer_not_asked(hearing, PEER_MLIR, &error);
  else
    hearing->by[PEER_MLIR].reason = first_difference(&hearing->walked, &hearing->run) == nullptr
                                        ? REASON_EXACT
                                        : REASON_DIFFERENT;
  error = (Error){};
  hearing->by[PEER_ISL].reason = ask_isl(peers, hearing->map, &hearing->walked, &error);
  if (hearing->by[PEER_ISL].reason == REASON_NOT_ASKED) peer_not_asked(hearing, PEER_ISL, &error);
}

static void say_not_asked(const Hearing *hearing) {
  size_t at = 0;
  for (uint32_t p = 0; p < peer_count; p++)
    if (hearing->by[p].reason == REASON_NOT_ASKED && at < sizeof hearing->report->text)
      at += (size_t)snprintf(hearing->report->text + at, sizeof hearing->report->text - at,
          "%s%s was not asked: %.120s", at == 0 ? "" : "; ", pair_judge_text((PairJudge)p),
          hearing->reasons[p]);
}

bool peers_compare(const Peers *peers, const Map *map, PeersReport *report) {
  *report = (PeersReport){};
  Hearing hearing = {.peers = peers, .map = map, .report = report};
  bool can_walk = map->state != MAP_UNDEFINED && map->result_count <= most_columns &&
                  map_variable_count(map) <= most_columns;
  snprintf(report->text, sizeof report->text, "%s",
      can_walk ? "the box has too many points" : "UNDEFINED, or too wide");
  if (!can_walk || !map_points_count(map, peers_most_points, &hearing.points)) return false;
  if (map->state == MAP_KNOWN_EMPTY) hearing.points = 0;
  snprintf(report->text, sizeof report->text, "the walk leaves int64");
  if (!walk(peers, map, hearing.points, &hearing.walked)) return false;
  report->text[0] = 0;
  report->pairs = hearing.walked.count;
  ask_all(&hearing);
  const Verdict *all[peer_count];
  for (uint32_t p = 0; p < peer_count; p++) {
    all[p] = &hearing.by[p];
    report->asked[p] = hearing.by[p].reason != REASON_NOT_ASKED;
  }
  report->agree = !verdict_join(peer_count, all).is_dissent;
  if (report->agree) {
    say_not_asked(&hearing);
    return true;
  }
  const int64_t *row = find_difference(&hearing);
  if (row != nullptr) name_odd(&hearing, row);
  else snprintf(report->text, sizeof report->text, "the judges differ, and at no single point");
  return true;
}
