/* Parses both texts, judges each output, and keeps the worst answer. Outputs are judged in order
 * until one is different. */
#include "watch/step.h"

#include <ctype.h>
#include <string.h>

#include "core/base/budget.h"
#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/hlo/read/read.h"
#include "judge/graphs/equiv_open.h"

static constexpr size_t most_bytes = (size_t)1 << 30;
static constexpr uint32_t most_seconds = 10; /* limit of the proofs of all outputs of a step */

const char *step_answer_text(VerdictReason answer) {
  static const char *const texts[verdict_reason_count] = {
#define STEP(reason, text, status, help) [REASON_##reason] = text,
#include "watch/steps.def"
#undef STEP
  };
  return texts[answer];
}

Status step_answer_status(VerdictReason answer) {
  static constexpr Status statuses[verdict_reason_count] = {
#define STEP(reason, text, status, help) [REASON_##reason] = STATUS_##status,
#include "watch/steps.def"
#undef STEP
  };
  return step_answer_text(answer) == nullptr ? STATUS_UNDECIDED : statuses[answer];
}

/* The position in step_answers. */
static uint32_t step_rank(VerdictReason answer) {
  uint32_t rank = 0;
  while (step_answers[rank] != answer) rank++;
  return rank;
}

static void set_error(StepVerdict *verdict, VerdictReason answer, const Error *error) {
  verdict->answer = answer;
  char place[32] = "";
  if (error->line > 0) snprintf(place, sizeof place, ":%u:%u", error->line, error->column);
  snprintf(verdict->reason, sizeof verdict->reason, "%s%s%s%s", error->name, place,
      error->name[0] == 0 ? "" : ": ", error->message);
}

/* Combines the judges of equal outputs: smt if smt alone decided an output, else the oracle if it
 * alone did, else both. */
static const char *fewer_judges(const char *known, const char *next) {
  static const char *const order[] = {"smt", "oracle", "oracle+smt"};
  for (uint32_t i = 0; i < 3; i++)
    if (strcmp(known, order[i]) == 0 || strcmp(next, order[i]) == 0) return order[i];
  return known;
}

/* Once an output is undecided, so is the step. With one judge, the remaining outputs are then only
 * checked briefly for a difference. */
static void judge_outputs(Arena *arena, EquivValues *values, StepVerdict *verdict) {
  verdict->answer = REASON_EXACT;
  for (uint32_t i = 0;
      i < values->leaf_count && step_rank(verdict->answer) < step_rank(REASON_DIFFERENT); i++) {
    EquivValuesVerdict *both = ARENA_NEW(arena, EquivValuesVerdict, 1);
    if (!shape_leaf_has_value(shape_leaf(values->output, i))) continue;
    values->is_brief = values->one_judge && step_rank(verdict->answer) >= step_rank(REASON_TRIED);
    equiv_values_judge(values, i, both);
    VerdictReason answer = both->answer;
    if (step_rank(answer) < step_rank(verdict->answer)) continue;
    if (answer == REASON_EXACT && verdict->judges != nullptr)
      verdict->judges = fewer_judges(verdict->judges, both->judges);
    if (answer == verdict->answer && verdict->values.by != nullptr) continue;
    verdict->answer = answer;
    verdict->output = i;
    verdict->values = both->values;
    verdict->judges = both->judges;
    snprintf(verdict->reason, sizeof verdict->reason, "%s", both->reason);
  }
}

/* Copies the laws that a proof names: their texts belong to a context that is freed before the
 * verdict is used. */
static void keep_laws(Arena *arena, StepVerdict *verdict) {
  const char *laws = verdict->values.laws;
  if (laws != nullptr) verdict->values.laws = arena_text(arena, laws, strlen(laws));
}

/* A renamed entry is harmless. It is reported only if there is no other reason. */
static void say_renamed(const Module *before, const Module *after, StepVerdict *verdict) {
  if (verdict->reason[0] != 0 || before->entry == nullptr || after->entry == nullptr ||
      strcmp(before->entry->name, after->entry->name) == 0)
    return;
  snprintf(verdict->reason, sizeof verdict->reason,
      "the entry is named '%.80s' after, '%.80s' before", after->entry->name, before->entry->name);
}

static void judge_modules(Arena *arena, const Module *before, const Module *after,
    const ValuesLimits *limits, StepVerdict *verdict) {
  EquivValues values;
  Error error = {};
  MapContext *context = map_context_create();
  Smt *smt = smt_create(context, nullptr);
  bool is_open = equiv_values_open(arena, before, after, limits, smt, &values, &error);
  if (!is_open) set_error(verdict, REASON_SIGNATURE, &error);
  bool began = budget_begin(most_seconds, nullptr);
  if (is_open) judge_outputs(arena, &values, verdict);
  budget_end(began);
  keep_laws(arena, verdict);
  if (is_open) equiv_values_close(&values);
  if (is_open) say_renamed(before, after, verdict);
  smt_destroy(smt);
  map_context_destroy(context);
}

bool step_read(Arena *arena, const char *path, Source *source, Error *error) {
  return file_check_regular(path, error) && file_read(arena, path, most_bytes, source, error);
}

void step_judge(Arena *arena, const char *before, const char *after, const ValuesLimits *limits,
    StepVerdict *verdict) {
  Source *sources = ARENA_NEW(arena, Source, 2);
  const Module *modules[2];
  Error error = {};
  double started = clock_processor();
  *verdict = (StepVerdict){.answer = REASON_UNCHANGED};
  verdict->lacks_before = !step_read(arena, before, &sources[0], &error);
  if (verdict->lacks_before || !step_read(arena, after, &sources[1], &error)) {
    set_error(verdict, REASON_MALFORMED, &error);
  } else if (!hlo_read(arena, &sources[0], &modules[0], &error)) {
    verdict->lacks_before = true;
    set_error(verdict, REASON_MALFORMED, &error);
  } else if (sources[0].length != sources[1].length ||
             memcmp(sources[0].text, sources[1].text, sources[0].length) != 0) {
    if (!hlo_read(arena, &sources[1], &modules[1], &error))
      set_error(verdict, REASON_MALFORMED, &error);
    else judge_modules(arena, modules[0], modules[1], limits, verdict);
  }
  if (verdict->answer == REASON_EXACT && verdict->values.by == nullptr) {
    verdict->answer = REASON_OPEN;
    snprintf(verdict->reason, sizeof verdict->reason, "no output is an array");
  }
  verdict->seconds = clock_processor() - started;
}

void step_reason_class(const StepVerdict *verdict, size_t capacity, char text[]) {
  const char *from = verdict->reason;
  size_t used = 0;
  if (verdict->answer == REASON_MALFORMED && strstr(from, ": ") != nullptr)
    from = strstr(from, ": ") + 2;
  bool is_quoted = false;
  for (; *from != 0 && used + 1 < capacity; from++) {
    if (*from == '\'') is_quoted = !is_quoted;
    if (is_quoted || *from == '\'') continue;
    if (isdigit((unsigned char)*from)) {
      if (used == 0 || text[used - 1] != 'N') text[used++] = 'N';
    } else text[used++] = *from;
  }
  text[used] = 0;
}
