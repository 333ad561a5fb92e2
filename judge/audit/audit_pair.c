/* First the same map, then the same relation, each by enumeration of at most `most_points` points,
 * else by proof.
 *   the same map                                      same map
 *   not the same map, the same relation               same relation
 *   neither: the point at which the maps differ, where they have the same variables; else the pair
 * that only one relation has Where one map has fewer runtime variables and no sources are stated,
 * those that nothing uses are dropped before the rest are matched by position. A map that says
 * UNDEFINED says nothing: unknown. What neither judge decides is unknown, with the words of both.
 */
#include "judge/audit/audit_pair.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/map/compose.h"
#include "core/map/text.h"
#include "judge/audit/audit_unused.h"

static constexpr uint64_t most_points = UINT64_C(1) << 16;

struct PairJudge {
  MapContext *context;
  Oracle *oracle;
  Smt *smt; /* nullptr until it is needed */
};

const char *pair_word_text(PairWord word) {
  static const char *const texts[] = {"same map", "same relation", "different", "unknown", "error"};
  static_assert(sizeof texts / sizeof *texts == pair_word_count);
  return texts[word];
}

Status pair_word_status(PairWord word) {
  static constexpr Status statuses[] = {
      STATUS_PROVED, STATUS_PROVED, STATUS_REFUTED, STATUS_UNDECIDED, STATUS_BAD};
  static_assert(sizeof statuses / sizeof *statuses == pair_word_count);
  return statuses[word];
}

PairJudge *pair_judge_create(void) {
  PairJudge *judge = calloc(1, sizeof *judge);
  if (judge == nullptr) arena_out_of_memory(sizeof *judge);
  judge->context = map_context_create();
  judge->oracle = oracle_create(judge->context, nullptr);
  return judge;
}

void pair_judge_destroy(PairJudge *judge) {
  if (judge->smt != nullptr) smt_destroy(judge->smt);
  oracle_destroy(judge->oracle);
  map_context_destroy(judge->context);
  free(judge);
}

MapContext *pair_judge_context(const PairJudge *judge) { return judge->context; }

typedef enum Decided : uint8_t { DECIDED_YES, DECIDED_NO, DECIDED_NOT } Decided;

/* One of the two questions; `text` has the witness, or why nothing is known. */
typedef struct Asked {
  Decided decided;
  bool is_relation;
  bool has_point; /* of the witness: not two maps with other variables */
  char text[600];
} Asked;

/* The solver's pair in the words of the enumeration: dimensions, then results, then runtime
 * variables by position. */
static void print_pair(const Map *named, const Verdict *verdict, Asked *asked) {
  uint32_t dims = named->dim_count, results = named->result_count;
  bool is_before = verdict->reason == REASON_FIRST_ONLY,
       is_after = verdict->reason == REASON_SECOND_ONLY;
  if (verdict->point_rank < dims + results || is_before == is_after) return;
  size_t at = 0, room = sizeof asked->text;
  for (uint32_t i = 0; i < verdict->point_rank && at < room; i++) {
    if (i >= dims && i < dims + results) continue;
    bool is_dim = i < dims;
    at += (size_t)snprintf(asked->text + at, room - at, "%s%s%u=%" PRId64, at == 0 ? "" : ", ",
        is_dim ? "d" : "rt", is_dim ? i : i - dims - results, verdict->point[i]);
  }
  if (at < room)
    at += (size_t)snprintf(asked->text + at, room - at, "%s%s reaches (", at == 0 ? "" : ": ",
        is_before ? "before" : "after");
  for (uint32_t i = 0; i < results && at < room; i++)
    at += (size_t)snprintf(
        asked->text + at, room - at, "%s%" PRId64, i == 0 ? "" : ", ", verdict->point[dims + i]);
  if (at < room)
    (void)snprintf(asked->text + at, room - at, "), %s does not", is_before ? "after" : "before");
}

static void ask_smt(
    PairJudge *judge, const Map *before, const Map *after, const char *oracle_text, Asked *asked) {
  if (judge->smt == nullptr) judge->smt = smt_create(judge->context, &(SmtOptions){});
  Verdict verdict = {};
  Error error = {};
  bool answered = asked->is_relation
                      ? smt_same_relation(judge->smt, before, after, &verdict, &error)
                      : smt_same_map(judge->smt, before, after, &verdict, &error);
  asked->decided = DECIDED_NOT;
  if (answered && verdict.status != VERDICT_UNKNOWN)
    asked->decided = verdict.status == VERDICT_PROVED ? DECIDED_YES : DECIDED_NO;
  asked->has_point = asked->decided == DECIDED_NO && verdict.point_rank > 0;
  const char *said = answered ? verdict_text(&verdict) : error.message;
  if (asked->decided == DECIDED_NO) {
    snprintf(asked->text, sizeof asked->text, "%s", said);
    if (asked->is_relation)
      print_pair(before->state == MAP_PLAIN ? before : after, &verdict, asked);
    return;
  }
  snprintf(asked->text, sizeof asked->text, "oracle: %.250s; smt: %.250s", oracle_text, said);
}

static void ask(PairJudge *judge, const Map *before, const Map *after, Asked *asked) {
  Verdict verdict = {};
  Error error = {};
  bool answered =
      asked->is_relation
          ? oracle_same_relation(judge->oracle, before, after, most_points, &verdict, &error)
          : oracle_same_map(judge->oracle, before, after, most_points, &verdict, &error);
  if (!answered || verdict.status == VERDICT_UNKNOWN) {
    ask_smt(judge, before, after, answered ? verdict_text(&verdict) : error.message, asked);
    return;
  }
  asked->decided = verdict.status == VERDICT_PROVED ? DECIDED_YES : DECIDED_NO;
  asked->has_point = asked->decided == DECIDED_NO && verdict.work > 0;
  if (asked->decided == DECIDED_NO)
    snprintf(asked->text, sizeof asked->text, "%s", verdict_text(&verdict));
}

/* `d0 = 3` becomes `d0=3`. */
static void append_witness(Text *answer, const char *witness) {
  for (const char *at = witness; *at != 0; at++) {
    bool is_sign = strncmp(at, " = ", 3) == 0;
    text_append(answer, is_sign ? "=" : at, 1);
    at += is_sign ? 2 : 0;
  }
}

static bool has_same_variables(const Map *before, const Map *after) {
  if (before->state != MAP_PLAIN || after->state != MAP_PLAIN) return true;
  return map_same_kinds(before, after) && before->result_count == after->result_count;
}

static bool has_same_ends(const Map *before, const Map *after) {
  if (before->state != MAP_PLAIN || after->state != MAP_PLAIN) return true;
  return before->dim_count == after->dim_count && before->result_count == after->result_count;
}

static PairWord say_different(Text *answer, const Asked *map, const Asked *relation) {
  assert(relation->decided == DECIDED_NO && map->decided != DECIDED_YES);
  const Asked *witness = map->has_point || relation->text[0] == 0 ? map : relation;
  text_string(answer, witness->has_point ? "different at " : "different: ");
  append_witness(answer, witness->text);
  return PAIR_DIFFERENT;
}

/* Where it cannot be done they stay as they are. */
static void match_runtimes(PairJudge *judge, const Map **before, const Map **after) {
  const Map *dropped[2];
  Error error = {};
  if ((*before)->state != MAP_PLAIN || (*after)->state != MAP_PLAIN ||
      (*before)->runtime_count == (*after)->runtime_count)
    return;
  if ((*before)->sources != nullptr || (*after)->sources != nullptr) return;
  if (!map_drop_unused_runtimes(judge->context, *before, &dropped[0], &error)) return;
  if (!map_drop_unused_runtimes(judge->context, *after, &dropped[1], &error)) return;
  *before = dropped[0];
  *after = dropped[1];
}

PairWord pair_judge(PairJudge *judge, const Map *before, const Map *after, Text *answer) {
  if (before->state == MAP_UNDEFINED || after->state == MAP_UNDEFINED) {
    text_string(answer, "unknown (UNDEFINED is no map)");
    return PAIR_UNKNOWN;
  }
  if (!has_same_ends(before, after)) {
    text_printf(answer, "different: %u dimensions and %u results before, %u and %u after",
        before->dim_count, before->result_count, after->dim_count, after->result_count);
    return PAIR_DIFFERENT;
  }
  Asked map = {.decided = DECIDED_NO}, relation = {.is_relation = true};
  if (has_same_variables(before, after)) ask(judge, before, after, &map);
  if (map.decided == DECIDED_YES) {
    text_string(answer, pair_word_text(PAIR_SAME_MAP));
    return PAIR_SAME_MAP;
  }
  match_runtimes(judge, &before, &after);
  ask(judge, before, after, &relation);
  assert(map.decided != DECIDED_YES);
  if (relation.decided == DECIDED_NO) return say_different(answer, &map, &relation);
  if (relation.decided == DECIDED_YES) {
    text_string(answer, pair_word_text(PAIR_SAME_RELATION));
    return PAIR_SAME_RELATION;
  }
  text_printf(answer, "unknown (%s)", relation.text);
  return PAIR_UNKNOWN;
}

/* --- texts --- */

static PairWord say_error(Text *answer, const Error *error) {
  text_printf(answer, "error: %s", error->message);
  if (error->line != 0) text_printf(answer, " (column %u)", error->column);
  return PAIR_ERROR;
}

static bool read_all(
    PairJudge *judge, const Source *const *texts, const Map **maps, uint32_t count, Error *error) {
  for (uint32_t i = 0; i < count; i++)
    if (!map_parse(judge->context, texts[i], &maps[i], error)) return false;
  return true;
}

PairWord pair_judge_texts(PairJudge *judge, const Source *before, const Source *after,
    const Source *result, Text *answer) {
  assert(answer->arena != judge->context->arena);
  MapMark mark = map_context_mark(judge->context);
  const Source *const texts[] = {before, after, result};
  const Map *maps[3], *composed;
  Error error = {};
  PairWord word;
  if (!read_all(judge, texts, maps, result == nullptr ? 2 : 3, &error))
    word = say_error(answer, &error);
  else if (result == nullptr) word = pair_judge(judge, maps[0], maps[1], answer);
  else if (!map_compose(judge->context, maps[0], maps[1], &composed, &error))
    word = say_error(answer, &error);
  else word = pair_judge(judge, composed, maps[2], answer);
  assert(answer->length > 0);
  map_context_rewind(judge->context, mark);
  return word;
}
