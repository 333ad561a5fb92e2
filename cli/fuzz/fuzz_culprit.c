/* Simplifies the report's map with a trace, and compares the maps before and after each step by
 * enumeration. */
#include "cli/fuzz/fuzz_culprit.h"

#include <string.h>

#include "core/map/text.h"
#include "reduce/shrink_child.h"
#include "reduce/shrink_subject.h"
#include "judge/maps/judge.h"

static constexpr uint64_t most_points = 1 << 16;
static constexpr double patience = 20;

static void fuzz_culprit_look(
    void *state, const char *, const char *text, size_t length, FaultSignature *signature) {
  Judge *judge = state;
  Trace trace = {.arena = arena_create()};
  Source source = {.name = "report", .text = text, .length = length, .first_line = 1};
  const Map *map, *simplified;
  Error error = {};
  bool traced = map_parse(judge->context, &source, &map, &error) &&
                simplify_map(judge->simplifier, map, nullptr, &simplified, &trace, &error);
  for (uint32_t i = 0; traced && i < trace.count; i++) {
    const TraceStep *step = &trace.items[i];
    Verdict verdict = {};
    bool changed = step->map_before != nullptr && step->map_after != nullptr &&
                   oracle_same_map(judge->oracle, step->map_before, step->map_after, most_points,
                       &verdict, &error) &&
                   verdict.status == VERDICT_REFUTED;
    if (!changed) continue;
    signature_set(signature, step->rule != nullptr ? step->rule->name : step->what);
    break;
  }
  arena_destroy(trace.arena);
}

/* Makes a text usable in a file name. */
static const char *as_name(Arena *arena, const char *text) {
  char *name = arena_text(arena, text, strlen(text));
  for (char *at = name; *at != 0; at++)
    if (strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_", *at) == nullptr)
      *at = '_';
  return name;
}

const char *fuzz_culprit(Arena *arena, const RuleSet *rules, const char *log) {
  Subject subject;
  FaultSignature signature = {};
  Error error = {};
  if (!subject_of_report(arena, log, &subject) || subject.form != FORM_MAP ||
      strcmp(subject.kind, "unsound") != 0)
    return nullptr;
  Judge *judge = judge_create(&(JudgeOptions){.rules = rules, .without_smt = true}, &error);
  if (judge == nullptr) return nullptr;
  Child *child = child_create(arena, fuzz_culprit_look, judge);
  bool is_answered =
      child_query(child, "", subject.text.text, subject.text.length, patience, &signature, &error);
  child_destroy(child);
  judge_destroy(judge);
  return is_answered && signature.text[0] != 0 && !signature_is_crash(&signature)
             ? as_name(arena, signature.text)
             : nullptr;
}
