/* The gate of a foreign engine: selects its parts and scopes, and runs a campaign of random inputs.
 * A row names the parts and scopes that judge affirm alone or that the engine does not offer. */
#include <string.h>

#include "cli/fuzz/fuzz_engine.h"
#include "cli/gate/gate.h"
#include "core/base/clock.h"
#include "core/base/file.h"

bool gate_runs_scope(const Gate *gate, const Scope *scope) {
  if (gate->engine == nullptr) return true;
  switch (scope->kind) {
    case SCOPE_CHAIN:
    case SCOPE_MIXED:
    case SCOPE_EMPTY:
    case SCOPE_WRAPPED:
      return engine_offers(gate->engine, ENGINE_ANALYSE) ||
             engine_offers(gate->engine, ENGINE_SIMPLIFY);
    case SCOPE_MAPS:
    case SCOPE_OPERATORS: return engine_offers(gate->engine, ENGINE_SIMPLIFY);
    case SCOPE_COMPOSITIONS: return engine_offers(gate->engine, ENGINE_COMPOSE);
    case SCOPE_ALGEBRA:
    case SCOPE_PAIRS:
    case SCOPE_RULES:
    case SCOPE_GRAPHS: return false;
  }
  return true;
}

void gate_name_unasked(Gate *gate) {
  Text text = text_create(gate->arena);
  text_string(&text, "rules, laws, fuzz programs");
  for (uint32_t i = 0; i < scope_count && gate->scope == nullptr && gate->exhaust_jobs > 0; i++)
    if (!gate_runs_scope(gate, &scopes[i])) text_printf(&text, ", %s", scopes[i].name);
  for (EngineVerb verb = ENGINE_ANALYSE; verb < engine_verb_count; verb++)
    if (!engine_offers(gate->engine, verb))
      text_printf(&text, "; %s is not offered", engine_verb_text(verb));
  gate_row(gate, (GateRow){.what = "not asked", .is_left_out = true, .note = text.bytes});
}

/* Adds a failure whose counterexample is the text of the file. */
static void keep_finding(void *state, const char *path) {
  Gate *gate = state;
  Source source = {.text = ""};
  Error error = {};
  if (!file_read(gate->arena, path, file_limit, &source, &error)) source.text = error.message;
  size_t length = strlen(source.text);
  Failure failure = {.stage = "random inputs",
      .count = 1,
      .size = counterexample_text_size(length),
      .text = arena_printf(gate->arena, "%s  kept in      %s\n", source.text, path)};
  opcode_set_add_text(&failure.operations, source.text, length);
  gate_fail(gate, &failure, path);
}

/* Random inputs are a sample, and the judges cannot decide some of them: such open questions are
 * counted, and the gate is undecided by them only if no question passed, or if no other part judged
 * anything. What the engine refused or left undefined makes it undecided. */
void gate_fuzz_engine(Gate *gate) {
  GateRow row = {.what = "random inputs", .note = "questions"};
  EngineTally tally = {};
  double start = clock_wall();
  Status status = fuzz_engine(gate->engine,
      &(EngineCampaign){.directory = gate_kept(gate),
          .seeds = gate->corpus == nullptr ? nullptr
                                           : arena_printf(gate->arena, "%s/seeds", gate->corpus),
          .seconds = gate->fuzz_seconds,
          .seed = 1,
          .found = keep_finding,
          .state = gate,
          .baseline = &gate->checker.accepted,
          .exactness = gate->checker.exactness,
          .faults = gate->checker.faults},
      &tally);
  row.seconds = clock_wall() - start;
  row.failed = tally.findings;
  row.passed = tally.passed;
  row.open = tally.open;
  row.avoidable = tally.avoidable;
  row.refused = tally.refused;
  row.is_sample = row.refused == 0 && gate_has_judged(gate);
  if (status == STATUS_BAD) gate->status = status_worse(gate->status, status);
  if (status == STATUS_UNDECIDED) row.is_sample = false;
  if (status == STATUS_UNDECIDED && row.open == 0) row.open = 1;
  gate_row(gate, row);
}
