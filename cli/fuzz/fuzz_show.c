/* Output of a campaign: the progress line (rewritten on a terminal, every ten seconds elsewhere),
 * the table at its end, and both as JSON lines. */
#include <stdio.h>
#include <unistd.h>

#include "cli/fuzz/fuzz_campaign.h"
#include "cli/progress.h"
#include "cli/report/json.h"
#include "core/base/clock.h"

typedef unsigned long long Count;

typedef struct Totals {
  uint64_t executions, findings, edges, inputs;
} Totals;

static Totals totals_of(const Campaign *campaign) {
  Totals totals = {};
  for (uint32_t i = 0; i < campaign->target_count; i++) {
    const Target *target = &campaign->targets[i];
    totals.executions += target->executions;
    totals.edges += target->edges;
    totals.inputs += target->inputs;
    totals.findings += target->findings;
  }
  return totals;
}

static void print_kinds(const Campaign *campaign, Text *text) {
  for (uint32_t i = 0; i < campaign->kind_count; i++)
    text_printf(text, "%s%s %llu", i == 0 ? " (" : ", ", campaign->kinds[i].kind,
        (Count)campaign->kinds[i].count);
  if (campaign->kind_count > 0) text_string(text, ")");
}

void campaign_print_line(Campaign *campaign, bool last) {
  bool terminal = isatty(STDERR_FILENO) != 0;
  double now = clock_wall(), elapsed = now - campaign->start;
  if (!last && !terminal && now - campaign->last_line < 10) return;
  campaign->last_line = now;
  ArenaMark mark = arena_mark(campaign->arena);
  Text text = text_create(campaign->arena);
  Totals totals = totals_of(campaign);
  text_printf(&text, "%.0f s, %s, %.0f a second, %s, last new one %.0f s ago, %s, %s", elapsed,
      counted((Count)totals.executions, "execution"),
      (double)totals.executions / (elapsed > 1 ? elapsed : 1), counted((Count)totals.edges, "edge"),
      now - campaign->last_edge, counted((Count)totals.inputs, "input"),
      counted((Count)totals.findings, "finding"));
  print_kinds(campaign, &text);
  if (!last && campaign->time > 0 && elapsed < (double)campaign->time)
    text_printf(&text, ", %.0f s left", (double)campaign->time - elapsed);
  if (terminal && !last) progress_line(text.bytes);
  else {
    progress_clear();
    fprintf(stderr, "%s\n", text.bytes);
  }
  arena_rewind(campaign->arena, mark);
}

static bool ran(const Target *target) { return target->executions > 0 && target->failures == 0; }

static const char *state_of(const Target *target) {
  if (!ran(target)) return "   did not run as it should: see its log";
  return target->stuck > 0 ? "   a known finding ends it at once: fix it first" : "";
}

void campaign_print_table(const Campaign *campaign, Text *text) {
  text_printf(text, "%-10s %12s %7s %7s %9s %6s\n", "target", "executions", "edges", "inputs",
      "findings", "known");
  for (uint32_t i = 0; i < campaign->target_count; i++) {
    const Target *target = &campaign->targets[i];
    text_printf(text, "%-10s %12llu %7u %7u %9llu %6llu%s\n", target->name,
        (Count)target->executions, target->edges, target->inputs, (Count)target->findings,
        (Count)target->known, state_of(target));
  }
  if (campaign->kind_count > 0) text_string(text, "findings by kind");
  print_kinds(campaign, text);
  if (campaign->kind_count > 0)
    text_printf(text, ": %s/findings; affirm reduce makes a case of a .report\n", campaign->corpus);
}

void campaign_print_json(const Campaign *campaign, Text *text) {
  for (uint32_t i = 0; i < campaign->target_count; i++) {
    const Target *target = &campaign->targets[i];
    Json json = json_begin(text);
    json_string(&json, "target", target->name);
    json_integer(&json, "executions", (int64_t)target->executions);
    json_integer(&json, "edges", target->edges);
    json_integer(&json, "inputs", target->inputs);
    json_integer(&json, "findings", (int64_t)target->findings);
    json_integer(&json, "known", (int64_t)target->known);
    json_string(&json, "state", ran(target) ? "ran" : "did not run");
    json_end(&json);
  }
  for (uint32_t i = 0; i < campaign->kind_count; i++) {
    Json json = json_begin(text);
    json_string(&json, "kind", campaign->kinds[i].kind);
    json_integer(&json, "count", (int64_t)campaign->kinds[i].count);
    json_end(&json);
  }
}
