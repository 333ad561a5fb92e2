/* isl as a judge of two maps, as integer relations; and of a map's pairs, as a relation of single
 * points. The number of pairs is limited, because isl's work grows with its square. */
#include <inttypes.h>

#include "core/adapters/isl/relation.h"
#include "judge/maps/pairs.h"

static constexpr uint64_t most_operations = 4'000'000;
static constexpr uint64_t most_pairs = 128;

static void print_spoiled(Text *text, const MapPairs *pairs, const int64_t *row) {
  for (uint32_t k = pairs->variables; k < pairs->width; k++)
    text_printf(text, "%s%" PRId64, k == pairs->variables ? "" : ", ",
        map_pairs_spoiled(pairs, BY_ISL, row[k]));
}

/* Prints each pair as a point of a relation. */
static const char *pairs_text(Arena *arena, uint32_t variables, const MapPairs *pairs) {
  Text text = text_create(arena), reads = text_create(arena);
  text_string(&text, "domain := { ");
  text_string(&reads, "reads := { ");
  for (uint64_t i = 0; i < pairs->count; i++) {
    const int64_t *row = pairs->values + i * pairs->width;
    text_string(&text, i == 0 ? "S0[" : "; S0[");
    text_string(&reads, i == 0 ? "S0[" : "; S0[");
    text_integers(&text, ", ", variables, row);
    text_integers(&reads, ", ", variables, row);
    text_string(&text, "]");
    text_string(&reads, "] -> map0[");
    print_spoiled(&reads, pairs, row);
    text_string(&reads, "]");
  }
  text_string(&text, " };\nschedule := { S0[");
  for (uint32_t i = 0; i < variables; i++) text_printf(&text, "%sx%u", i == 0 ? "" : ", ", i);
  text_string(&text, "] -> [0");
  for (uint32_t i = 0; i < variables; i++) text_printf(&text, ", x%u", i);
  text_printf(&text, "] };\n%s };\n", reads.bytes);
  return text.bytes;
}

static bool confirms_point(Judge *judge, const Map *at_point, const Map *constants) {
  RelationReport report;
  Error error = {};
  return relation_same_map(judge->context, at_point, constants, most_operations, &report, &error) &&
         report.answer == VERDICT_PROVED;
}

static bool decide_pairs(
    Judge *judge, const Obligation *obligation, Verdict *verdict, Error *error) {
  const MapPairs *pairs = obligation->pairs;
  const Map *map = obligation->before;
  VerdictStatus status;
  if (pairs->count > most_pairs) return error_set(error, ERROR_LIMIT, "too many pairs");
  if (!relation_text_same(judge->context, nullptr, 1, nullptr, &map,
          pairs_text(judge->context->arena, map_variable_count(map), pairs), most_operations,
          &status, error))
    return false;
  if (status == VERDICT_UNKNOWN) return error_set(error, ERROR_LIMIT, "out of operations");
  if (status == VERDICT_PROVED) verdict_mark(verdict, REASON_EXACT);
  else map_pairs_confirm(judge, BY_ISL, obligation, confirms_point, verdict);
  return true;
}

static bool decide_same(
    Judge *judge, const Obligation *obligation, Verdict *verdict, Error *error) {
  bool is_map = obligation->kind == OBLIGATION_SAME_MAP;
  RelationReport report;
  if (!is_map && obligation->before->runtime_count + obligation->after->runtime_count > 0)
    return error_set(error, ERROR_UNSUPPORTED, "runtime variables go by position");
  if (obligation->before->sources != nullptr || obligation->after->sources != nullptr)
    return error_set(error, ERROR_UNSUPPORTED, "no relation has sources of runtime variables");
  if (!(is_map ? relation_same_map : relation_same)(
          judge->context, obligation->before, obligation->after, most_operations, &report, error))
    return false;
  if (report.answer == VERDICT_UNKNOWN) verdict_decide(verdict, REASON_OPEN, "out of operations");
  else verdict_mark(verdict, report.answer == VERDICT_PROVED ? REASON_EXACT : REASON_DIFFERENT);
  if (report.answer == VERDICT_REFUTED && report.has_point)
    verdict_point(verdict, report.in_count, report.in);
  return true;
}

void judge_by_isl(Judge *judge, const Obligation *obligation, Verdict *verdict) {
  Error error = {};
  if (!relation_available()) {
    verdict_decide(verdict, REASON_NOT_ASKED, "it is not installed");
    return;
  }
  bool answered = obligation->kind == OBLIGATION_PAIRS
                      ? decide_pairs(judge, obligation, verdict, &error)
                      : decide_same(judge, obligation, verdict, &error);
  if (!answered)
    verdict_decide(verdict, error.kind == ERROR_ENVIRONMENT ? REASON_REJECTED : REASON_NOT_ASKED,
        "%s", error.message);
}
