/* Decides first whether the maps are the same map, then whether they have the same relation, each
 * by the first judge of the table that decides. Otherwise the answer names a point where maps with
 * the same variables differ, or a pair that only one relation has. If one map has fewer runtime
 * variables and no sources are stated, unused runtime variables are dropped before the rest are
 * matched by position. UNDEFINED maps are unknown. Undecided pairs are unknown, with the reasons of
 * both judges. */
#include "judge/audit/audit_pair.h"

#include <assert.h>
#include <inttypes.h>

#include "core/map/compose.h"
#include "core/map/text.h"
#include "judge/audit/audit_unused.h"
#include "judge/maps/same.h"

const char *pair_answer_text(VerdictReason answer) {
  static const char *const texts[verdict_reason_count] = {[REASON_EXACT] = "same map",
      [REASON_SAME_RELATION] = "same relation",
      [REASON_DIFFERENT] = "different",
      [REASON_OPEN] = "unknown",
      [REASON_MALFORMED] = "error"};
  return texts[answer];
}

Status pair_answer_status(VerdictReason answer) { return (Status)verdict_reason_exit(answer); }

Judge *pair_judge_create(Error *error) {
  return judge_create(&(JudgeOptions){.effort = EFFORT_FIRST, .points = UINT64_C(1) << 16}, error);
}

/* The result of one of the two questions. */
typedef struct PairResult {
  VerdictReason reason;
  Bindings at;      /* of the witness; empty if the maps have different variables */
  const char *text; /* the witness, or why it is undecided */
} PairResult;

/* Rewrites smt's pair in the notation of the enumeration: dimensions, then results, then runtime
 * variables by position. */
static void set_pair(PairResult *pair, const Map *named, const Verdict *verdict) {
  Arena *arena = verdict->arena;
  uint32_t dims = named->dim_count, results = named->result_count;
  bool is_before = verdict->reason == REASON_FIRST_ONLY,
       is_after = verdict->reason == REASON_SECOND_ONLY;
  if (verdict->point_rank < dims + results || is_before == is_after) return;
  pair->at = (Bindings){};
  for (uint32_t i = 0; i < verdict->point_rank; i++)
    if (i < dims || i >= dims + results)
      bindings_integer(arena, &pair->at,
          i < dims ? map_variable_name(arena, named, i)
                   : arena_printf(arena, "rt%u", i - dims - results),
          verdict->point[i]);
  Text text = text_create(arena);
  bindings_print(&text, &pair->at);
  text_printf(
      &text, "%s%s reaches (", text.length == 0 ? "" : ": ", is_before ? "before" : "after");
  for (uint32_t i = 0; i < results; i++)
    text_printf(&text, "%s%" PRId64, i == 0 ? "" : ", ", verdict->point[dims + i]);
  text_printf(&text, "), %s does not", is_before ? "after" : "before");
  pair->text = text.bytes;
}

static PairResult audit_pair_judge(
    Judge *judge, ObligationKind kind, const Map *before, const Map *after) {
  SameJudgement judgement;
  judge_same(judge, kind, before, after, &judgement);
  PairResult pair = {.reason = judgement.reason, .at = judgement.at, .text = judgement.text};
  if (pair.reason == REASON_DIFFERENT && kind == OBLIGATION_SAME_RELATION &&
      verdict_decides(&judgement.by[BY_SMT]))
    set_pair(&pair, before->state == MAP_PLAIN ? before : after, &judgement.by[BY_SMT]);
  return pair;
}

static bool has_same_variables(const Map *before, const Map *after) {
  if (before->state != MAP_PLAIN || after->state != MAP_PLAIN) return true;
  return map_same_kinds(before, after) && before->result_count == after->result_count;
}

static bool has_same_ends(const Map *before, const Map *after) {
  if (before->state != MAP_PLAIN || after->state != MAP_PLAIN) return true;
  return before->dim_count == after->dim_count && before->result_count == after->result_count;
}

static VerdictReason say_different(
    Text *answer, Bindings *at, const PairResult *map, const PairResult *relation) {
  assert(relation->reason == REASON_DIFFERENT && map->reason != REASON_EXACT);
  const PairResult *witness = map->at.count > 0 || relation->text[0] == 0 ? map : relation;
  text_printf(answer, "different%s %s", witness->at.count > 0 ? " at" : ":", witness->text);
  *at = bindings_copy(answer->arena, &witness->at);
  return REASON_DIFFERENT;
}

/* Drops unused runtime variables; the maps stay unchanged if that is not possible. */
static void match_runtimes(Judge *judge, const Map **before, const Map **after) {
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

/* Maps with other numbers of dimensions or results are the same relation if both are empty, and
 * differ if one has a point. */
static VerdictReason pair_judge_ends(
    Judge *judge, const Map *before, const Map *after, Text *answer) {
  const Map nothing = {.state = MAP_KNOWN_EMPTY};
  PairResult first = audit_pair_judge(judge, OBLIGATION_SAME_RELATION, before, &nothing),
             second = audit_pair_judge(judge, OBLIGATION_SAME_RELATION, after, &nothing);
  if (first.reason == REASON_EXACT && second.reason == REASON_EXACT) {
    text_string(answer, pair_answer_text(REASON_SAME_RELATION));
    return REASON_SAME_RELATION;
  }
  if (first.reason == REASON_DIFFERENT || second.reason == REASON_DIFFERENT) {
    text_printf(answer, "different: %s and %s before, %u and %u after",
        counted(before->dim_count, "dimension"), counted(before->result_count, "result"),
        after->dim_count, after->result_count);
    return REASON_DIFFERENT;
  }
  text_printf(answer, "unknown (%s)", first.reason == REASON_EXACT ? second.text : first.text);
  return REASON_OPEN;
}

VerdictReason pair_judge(
    Judge *judge, const Map *before, const Map *after, Text *answer, Bindings *at) {
  *at = (Bindings){};
  if (before->state == MAP_UNDEFINED || after->state == MAP_UNDEFINED) {
    text_string(answer, "unknown (UNDEFINED is no map)");
    return REASON_OPEN;
  }
  if (!has_same_ends(before, after)) return pair_judge_ends(judge, before, after, answer);
  PairResult map = {.reason = REASON_DIFFERENT, .text = ""};
  if (has_same_variables(before, after))
    map = audit_pair_judge(judge, OBLIGATION_SAME_MAP, before, after);
  if (map.reason == REASON_EXACT) {
    text_string(answer, pair_answer_text(REASON_EXACT));
    return REASON_EXACT;
  }
  match_runtimes(judge, &before, &after);
  PairResult relation = audit_pair_judge(judge, OBLIGATION_SAME_RELATION, before, after);
  if (relation.reason == REASON_DIFFERENT) return say_different(answer, at, &map, &relation);
  if (relation.reason == REASON_EXACT) {
    text_string(answer, pair_answer_text(REASON_SAME_RELATION));
    return REASON_SAME_RELATION;
  }
  text_printf(answer, "unknown (%s)", relation.text);
  return REASON_OPEN;
}

/* --- texts --- */

static VerdictReason say_error(Text *answer, const Error *error) {
  text_printf(answer, "error: %s", error->message);
  if (error->line != 0) text_printf(answer, " (column %u)", error->column);
  return REASON_MALFORMED;
}

static bool read_all(
    Judge *judge, const Source *const *texts, const Map **maps, uint32_t count, Error *error) {
  for (uint32_t i = 0; i < count; i++)
    if (!map_parse(judge->context, texts[i], &maps[i], error)) return false;
  return true;
}

VerdictReason pair_judge_texts(Judge *judge, const Source *before, const Source *after,
    const Source *result, Text *answer, Bindings *at) {
  *at = (Bindings){};
  assert(answer->arena != judge->context->arena);
  MapMark mark = map_context_mark(judge->context);
  const Source *const texts[] = {before, after, result};
  const Map *maps[3], *composed;
  Error error = {};
  VerdictReason reason;
  if (!read_all(judge, texts, maps, result == nullptr ? 2 : 3, &error))
    reason = say_error(answer, &error);
  else if (result == nullptr) reason = pair_judge(judge, maps[0], maps[1], answer, at);
  else if (!map_compose(judge->context, maps[0], maps[1], &composed, &error))
    reason = say_error(answer, &error);
  else reason = pair_judge(judge, composed, maps[2], answer, at);
  assert(answer->length > 0);
  map_context_rewind(judge->context, mark);
  return reason;
}
