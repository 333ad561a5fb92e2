/* Each claim of smt_all_sizes in turn: sizes, offsets, strides and padding are unknowns of the
 * proof. What is claimed is the map that an operation should have; whether the engine's map is that
 * one is judged at the sizes of a module, by affirm check. */
#include "cli/prove_ops.h"

#include <stdio.h>

#include "cli/report/json.h"
#include "cli/session.h"

const char *prove_answer_text(SmtAnswer answer) {
  switch (answer) {
    case SMT_PROVED: return "PROVED";
    case SMT_REFUTED: return "REFUTED";
    case SMT_UNKNOWN: return "UNKNOWN";
  }
  return "?";
}

Status prove_answer_status(SmtAnswer answer) {
  switch (answer) {
    case SMT_PROVED: return STATUS_PROVED;
    case SMT_REFUTED: return STATUS_REFUTED;
    case SMT_UNKNOWN: return STATUS_UNDECIDED;
  }
  return STATUS_BAD;
}

static bool print_claim(const ProveOpsOptions *options, Arena *arena, const SmtSizes *claim,
    const SmtVerdict *verdict) {
  bool proved = verdict->answer == SMT_PROVED;
  const char *direction =
      direction_text(claim->input_to_output ? INPUT_TO_OUTPUT : OUTPUT_TO_INPUT);
  if (options->json) {
    Text text = text_create(arena);
    Json json = json_begin(&text);
    json_string(&json, "operation", claim->operation);
    json_integer(&json, "rank", claim->rank);
    json_integer(&json, "pattern", claim->pattern);
    json_string(&json, "direction", direction);
    json_string(&json, "verdict", prove_answer_text(verdict->answer));
    json_string(&json, "text", proved ? "" : verdict->text);
    json_end(&json);
    return session_print(text.bytes);
  }
  if (options->quiet && proved) return true;
  return session_print(arena_printf(arena, "%-22s rank %u, pattern %u, %s %s%s%s\n",
      claim->operation, claim->rank, claim->pattern, direction, prove_answer_text(verdict->answer),
      proved ? " (all sizes)" : ": ", proved ? "" : verdict->text));
}

static Status prove_all(
    const ProveOpsOptions *options, MapContext *context, Smt *smt, Arena *arena) {
  uint32_t counts[3] = {};
  Status status = STATUS_PROVED;
  for (uint32_t i = 0; i < smt_all_sizes_count() && !session_is_interrupted(); i++) {
    MapMark mark = map_context_mark(context);
    ArenaMark text_mark = arena_mark(arena);
    SmtSizes claim;
    SmtVerdict verdict;
    Error error = {};
    if (!smt_all_sizes(smt, i, false, &claim, &verdict, &error)) return session_fail(&error);
    counts[verdict.answer]++;
    status = status_worse(status, prove_answer_status(verdict.answer));
    bool printed = print_claim(options, arena, &claim, &verdict);
    arena_rewind(arena, text_mark);
    map_context_rewind(context, mark);
    if (!printed) return STATUS_BAD;
  }
  uint32_t judged = counts[SMT_PROVED] + counts[SMT_REFUTED] + counts[SMT_UNKNOWN];
  fprintf(stderr, "%u claims: %u proved, %u refuted, %u unknown\n", judged, counts[SMT_PROVED],
      counts[SMT_REFUTED], counts[SMT_UNKNOWN]);
  return judged == smt_all_sizes_count() ? status : status_worse(status, STATUS_UNDECIDED);
}

Status prove_operations(const ProveOpsOptions *options) {
  MapContext *context = map_context_create();
  Arena *arena = arena_create();
  Smt *smt = smt_create(context, &options->smt);
  Status status = prove_all(options, context, smt, arena);
  smt_destroy(smt);
  arena_destroy(arena);
  map_context_destroy(context);
  return status;
}
