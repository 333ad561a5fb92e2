/* Proves each claim of smt_all_sizes: sizes, offsets, strides and padding are unknowns of the
 * proof. A claim states the map that an operation should have. Whether the engine computes that map
 * is judged by affirm check, at the sizes of a module. */
#include "cli/prove/prove_ops.h"

#include <stdio.h>
#include <string.h>

#include "cli/report/json.h"
#include "cli/session.h"
#include "cli/progress.h"
#include "cli/session_guard.h"

static const struct {
  const char *text;
  Status status;
} answers[] = {[VERDICT_PROVED] = {"PROVED", STATUS_PROVED},
    [VERDICT_REFUTED] = {"REFUTED", STATUS_REFUTED},
    [VERDICT_UNKNOWN] = {"UNKNOWN", STATUS_UNDECIDED}};

const char *prove_answer_text(VerdictStatus answer) { return answers[answer].text; }
Status prove_answer_status(VerdictStatus answer) { return answers[answer].status; }

static bool print_claim(
    const ProveOpsOptions *options, Arena *arena, const SmtSizes *claim, const Verdict *verdict) {
  bool proved = verdict->status == VERDICT_PROVED;
  const char *direction =
      direction_text(claim->input_to_output ? INPUT_TO_OUTPUT : OUTPUT_TO_INPUT);
  if (options->json) {
    Text text = text_create(arena);
    Json json = json_begin(&text);
    json_string(&json, "operation", claim->operation);
    json_integer(&json, "rank", claim->rank);
    json_integer(&json, "pattern", claim->pattern);
    json_string(&json, "direction", direction);
    json_answer(&json, "verdict", prove_answer_text(verdict->status));
    json_string(&json, "text", proved ? "" : verdict_text(verdict));
    json_end(&json);
    return session_print(text.bytes);
  }
  if (options->quiet && proved) return true;
  return session_print(arena_printf(arena, "%-22s rank %u, pattern %u, %s %s%s%s\n",
      claim->operation, claim->rank, claim->pattern, direction, prove_answer_text(verdict->status),
      proved ? " (all sizes)" : ": ", proved ? "" : verdict_text(verdict)));
}

static Status prove_all(
    const ProveOpsOptions *options, MapContext *context, Smt *smt, Arena *arena) {
  uint32_t counts[3] = {};
  Status status = STATUS_PROVED;
  Progress progress = progress_begin("claims", smt_all_sizes_count(), true);
  for (uint32_t i = 0; i < smt_all_sizes_count() && !session_is_interrupted(); i++) {
    MapMark mark = map_context_mark(context);
    ArenaMark text_mark = arena_mark(arena);
    SmtSizes claim;
    Verdict verdict;
    Error error = {};
    session_at("claim %u of %u", i + 1, smt_all_sizes_count());
    if (!smt_all_sizes(smt, i, false, &claim, &verdict, &error)) return session_fail(&error);
    counts[verdict.status]++;
    progress_at(&progress, i + 1, claim.operation);
    session_worsen(&status, prove_answer_status(verdict.status));
    bool printed = print_claim(options, arena, &claim, &verdict);
    arena_rewind(arena, text_mark);
    map_context_rewind(context, mark);
    if (!printed) return STATUS_BAD;
  }
  progress_clear();
  session_flush();
  uint32_t judged = counts[VERDICT_PROVED] + counts[VERDICT_REFUTED] + counts[VERDICT_UNKNOWN];
  fprintf(stderr, "%s: %u proved, %u refuted, %u unknown\n", counted(judged, "claim"),
      counts[VERDICT_PROVED], counts[VERDICT_REFUTED], counts[VERDICT_UNKNOWN]);
  return judged == smt_all_sizes_count() ? status : status_worse(status, STATUS_UNDECIDED);
}

/* ---- the claims as rules ---- */

typedef struct StatementFile {
  Arena *arena;
  Text text;
  uint32_t count, capacity;
  const char **items; /* without their names; the n-th is rule ops-n */
  uint32_t claims, stated;
} StatementFile;

static uint32_t statement_number(const StatementFile *file, const char *statement) {
  uint32_t at = 0;
  while (at < file->count && strcmp(file->items[at], statement) != 0) at++;
  return at;
}

/* Appends a comment with the claim and the numbers of its rules, then its new rules. */
static void put_claim(StatementFile *file, const SmtSizes *claim, const SmtStatements *statements) {
  const uint32_t known = file->count;
  text_printf(&file->text, "# %s rank %u, pattern %u, %s:", claim->operation, claim->rank,
      claim->pattern, direction_text(claim->input_to_output ? INPUT_TO_OUTPUT : OUTPUT_TO_INPUT));
  uint32_t *own = ARENA_NEW(file->arena, uint32_t, statements->count), own_count = 0;
  for (uint32_t i = 0; i < statements->count; i++) {
    const uint32_t number = statement_number(file, statements->items[i]);
    uint32_t at = 0;
    if (number == file->count) *ARENA_PUSH(file->arena, file) = statements->items[i];
    while (at < own_count && own[at] != number) at++;
    if (at == own_count) text_printf(&file->text, " ops-%u", number + 1);
    if (at == own_count) own[own_count++] = number;
  }
  text_string(&file->text, "\n");
  for (uint32_t i = known; i < file->count; i++)
    text_printf(&file->text, "rule ops-%u\n  %s", i + 1, file->items[i]);
}

static Status write_statements(const ProveOpsOptions *options, Arena *arena) {
  StatementFile file = {.arena = arena, .text = text_create(arena)};
  Status status = STATUS_PROVED;
  for (uint32_t i = 0; i < smt_all_sizes_count(); i++) {
    SmtSizes claim;
    SmtStatements statements;
    file.claims++;
    if (smt_all_sizes_statements(arena, i, false, &claim, &statements) && statements.count > 0) {
      put_claim(&file, &claim, &statements);
      file.stated++;
      continue;
    }
    status = STATUS_UNDECIDED;
    session_warn("%s rank %u, pattern %u: no rules: %s", claim.operation, claim.rank, claim.pattern,
        statements.why == nullptr ? "nothing is stated" : statements.why);
  }
  if (!session_write(options->statements, file.text.bytes, file.text.length)) return STATUS_BAD;
  fprintf(stderr, "%s: %u as %s\n", counted(file.claims, "claim"), file.stated,
      counted(file.count, "rule"));
  return status;
}

Status prove_operations(const ProveOpsOptions *options) {
  MapContext *context = map_context_create();
  Arena *arena = arena_create();
  Smt *smt = smt_create(context, &options->smt);
  Status status = options->statements == nullptr ? prove_all(options, context, smt, arena)
                                                 : write_statements(options, arena);
  smt_destroy(smt);
  arena_destroy(arena);
  map_context_destroy(context);
  return status;
}
