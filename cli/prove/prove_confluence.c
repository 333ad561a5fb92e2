/* affirm prove --confluence: examines critical pairs of the engine's rules. Overlaps of left sides
 * are enumerated (prove_overlaps.c); optionally, random maps from both left sides are tried as well
 * (prove_sampled.c). Pairs that are not joined, and overlaps without an instance, must be listed
 * with a reason. Lines of the list that nothing needs are reported. */
#include "cli/prove/prove_confluence.h"

#include "cli/prove/confluence_run.h"

static bool open_engines(ConfluenceRun *run, Error *error) {
  if (!rules_engine(run->arena, &run->rules, error)) return false;
  run->context = map_context_create();
  run->whole = simplifier_create(run->context, nullptr, error);
  run->alone = ARENA_NEW(run->arena, Simplifier *, run->rules.count);
  for (uint32_t i = 0; i < run->rules.count; i++) {
    RuleSet *one = ARENA_NEW(run->arena, RuleSet, 1);
    *one = (RuleSet){.count = 1, .items = &run->rules.items[i]};
    run->alone[i] = simplifier_create(run->context, one, error);
    if (run->alone[i] == nullptr) return false;
  }
  return run->whole != nullptr;
}

static void close_engines(ConfluenceRun *run) {
  for (uint32_t i = 0; run->alone != nullptr && i < run->rules.count; i++)
    simplifier_destroy(run->alone[i]);
  simplifier_destroy(run->whole);
  if (run->context != nullptr) map_context_destroy(run->context);
}

Status prove_confluence(const ConfluenceOptions *options) {
  ConfluenceRun run = {.options = options, .arena = arena_create(), .scratch = arena_create()};
  Error error = {};
  bool goes_on = known_read(&run, &error) && open_engines(&run, &error);
  if (!goes_on) confluence_note(&run, session_fail(&error));
  else {
    goes_on = prove_overlaps(&run) && (options->maps == 0 || prove_sampled(&run));
    if (session_is_interrupted()) confluence_note(&run, STATUS_UNDECIDED);
    else if (goes_on) known_report_rest(&run);
  }
  close_engines(&run);
  arena_destroy(run.scratch);
  arena_destroy(run.arena);
  return run.status;
}
