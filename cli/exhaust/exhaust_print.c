/* The table, the JSON object and the named cases of a run, and the error for an unknown scope. */
#include <inttypes.h>
#include <string.h>

#include "cli/exhaust/exhaust.h"
#include "cli/report/json.h"

void exhaust_print_tally(
    Text *text, const char *scope, const char *tier, const ExhaustTally *tally) {
  text_printf(text, "%-22s %-8s %12" PRIu64 " cases", scope, tier, tally->cases);
  for (uint32_t i = 0; i < exhaust_count_count; i++)
    if (tally->counts[i] > 0)
      text_printf(text, "%s %s %" PRIu64, i == 0 ? " " : ",", exhaust_count_text((ExhaustCount)i),
          tally->counts[i]);
}

bool exhaust_asks_nothing(const ExhaustTally *tally, uint64_t cases) {
  return cases == 0 || (tally->cases > 0 && tally->counts[EXHAUST_left_out] == tally->cases);
}

void exhaust_print_json(Text *text, const char *scope, const char *tier, const ExhaustTally *tally,
    uint64_t cases, int64_t milliseconds, const char *explained) {
  Json json = json_begin(text);
  Status status = status_worse(exhaust_tally_status(tally),
      tally->cases == cases && !exhaust_asks_nothing(tally, cases) ? STATUS_PROVED
                                                                   : STATUS_UNDECIDED);
  json_string(&json, "scope", scope);
  json_string(&json, "tier", tier);
  json_answer(&json, "answer",
      status == STATUS_PROVED    ? "passed"
      : status == STATUS_REFUTED ? "failed"
                                 : "open");
  json_integer(&json, "cases", (int64_t)cases);
  json_integer(&json, "judged", (int64_t)tally->cases);
  json_integer(&json, "failed", (int64_t)tally->failed);
  json_integer(&json, "open", (int64_t)tally->open);
  Json counts = json_inside(&json, "counts");
  for (uint32_t i = 0; i < exhaust_count_count; i++)
    if (tally->counts[i] > 0)
      json_integer(&counts, exhaust_count_text((ExhaustCount)i), (int64_t)tally->counts[i]);
  json_close(&counts);
  if (milliseconds >= 0) json_integer(&json, "milliseconds", milliseconds);
  if (explained[0] != 0) json_string(&json, "text", explained);
  json_end(&json);
}

static void print_kept(Text *text, const char *scope, const char *tier, const KeptCase *kept) {
  text_printf(text, "affirm exhaust --scope %s --tier %s --case %" PRIu64 "%s%s\n", scope, tier,
      kept->number, kept->end[0] == 0 ? "" : "  # lost: ", kept->end);
}

void exhaust_print_cases(Text *text, const char *scope, const char *tier, const KeptCase *cases,
    uint64_t count, const ExhaustTally *tally) {
  uint64_t failed = tally->failed, open = tally->open;
  for (uint64_t i = 0; i < count; i++) {
    uint64_t *left = cases[i].is_open ? &open : &failed;
    if (*left > 0) --*left;
    print_kept(text, scope, tier, &cases[i]);
  }
  if (failed > 0) text_printf(text, "and %" PRIu64 " more failed\n", failed);
  if (open > 0) text_printf(text, "and %" PRIu64 " more open\n", open);
}

Status exhaust_reject_scope(const char *name, const char *where) {
  const char *nearest = scope_nearest(name);
  if (nearest != nullptr && strcmp(nearest, name) != 0)
    return session_usage("no scope '%s'%s; did you mean %s?", name, where, nearest);
  return session_usage("no scope '%s'%s; affirm exhaust --list names them", name, where);
}
