/* Reads both texts, asks for every output, and keeps the worst answer. Outputs are asked one after
 * the other until one is different. */
#include "watch/step.h"

#include <ctype.h>
#include <string.h>
#include <time.h>

#include "core/base/budget.h"
#include "core/base/file.h"
#include "core/hlo/read/read.h"

static constexpr size_t most_bytes = (size_t)1 << 30;
static constexpr uint32_t most_seconds = 10; /* of proofs, for all outputs of a step */

const char *step_answer_text(StepAnswer answer) {
  static const char *const texts[] = {
#define STEP(id, text, status, help) text,
#include "watch/steps.def"
#undef STEP
  };
  return texts[answer];
}

Status step_answer_status(StepAnswer answer) {
  static constexpr Status statuses[] = {
#define STEP(id, text, status, help) STATUS_##status,
#include "watch/steps.def"
#undef STEP
  };
  return statuses[answer];
}

static StepAnswer answer_of(ValuesAnswer answer) {
  switch (answer) {
    case VALUES_SAME: return STEP_SAME;
    case VALUES_SAME_READS: return STEP_SAME_READS;
    case VALUES_FEWER_READS: return STEP_FEWER_READS;
    case VALUES_MORE_READS: return STEP_MORE_READS;
    case VALUES_TRIED: return STEP_TRIED;
    case VALUES_DIFFERENT: return STEP_DIFFERENT;
    case VALUES_UNKNOWN: return STEP_UNKNOWN;
  }
  return STEP_UNKNOWN;
}

static void set_error(StepVerdict *verdict, StepAnswer answer, const Error *error) {
  verdict->answer = answer;
  snprintf(verdict->reason, sizeof verdict->reason, "%s%s%s", error->name,
      error->name[0] == 0 ? "" : ": ", error->message);
}

static StepAnswer step_answer_of(const EquivValuesVerdict *both) {
  return both->is_disagreement ? STEP_DISAGREE : answer_of(both->values.answer);
}

/* Of outputs that are all the same: smt where it alone decided one of them, else the oracle where
 * it did, else both. */
static const char *fewer_judges(const char *known, const char *next) {
  static const char *const order[] = {"smt", "oracle", "oracle+smt"};
  for (uint32_t i = 0; i < 3; i++)
    if (strcmp(known, order[i]) == 0 || strcmp(next, order[i]) == 0) return order[i];
  return known;
}

/* Where one output is open, the step is; the others are looked at briefly for what is different. */
static void judge_outputs(Arena *arena, EquivValues *values, StepVerdict *verdict) {
  verdict->answer = STEP_SAME;
  for (uint32_t i = 0; i < values->leaf_count && verdict->answer < STEP_DIFFERENT; i++) {
    EquivValuesVerdict *both = ARENA_NEW(arena, EquivValuesVerdict, 1);
    if (!shape_is_array(shape_leaf(values->output, i))) continue;
    values->is_brief = values->one_judge && verdict->answer >= STEP_TRIED;
    equiv_values_judge(values, i, both);
    StepAnswer answer = step_answer_of(both);
    if (answer < verdict->answer) continue;
    if (answer == STEP_SAME && verdict->judges != nullptr)
      verdict->judges = fewer_judges(verdict->judges, both->judges);
    if (answer == verdict->answer && verdict->values.by != nullptr) continue;
    verdict->answer = answer;
    verdict->output = i;
    verdict->values = both->values;
    verdict->judges = both->judges;
    snprintf(verdict->reason, sizeof verdict->reason, "%s", both->reason);
  }
}

/* A pass that renames the entry is no harm, and is said where nothing else is. */
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
  bool is_asked = equiv_values_open(arena, before, after, limits, smt, &values, &error);
  if (!is_asked) set_error(verdict, STEP_SIGNATURE, &error);
  bool began = budget_begin(most_seconds, nullptr);
  if (is_asked) judge_outputs(arena, &values, verdict);
  budget_end(began);
  if (is_asked) equiv_values_close(&values);
  if (is_asked) say_renamed(before, after, verdict);
  smt_destroy(smt);
  map_context_destroy(context);
}

static double processor_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void step_judge(Arena *arena, const char *before, const char *after, const ValuesLimits *limits,
    StepVerdict *verdict) {
  Source *sources = ARENA_NEW(arena, Source, 2);
  const Module *modules[2];
  Error error = {};
  double started = processor_seconds();
  *verdict = (StepVerdict){.answer = STEP_UNCHANGED};
  if (!file_read(arena, before, most_bytes, &sources[0], &error) ||
      !file_read(arena, after, most_bytes, &sources[1], &error) ||
      !hlo_read(arena, &sources[0], &modules[0], &error))
    set_error(verdict, STEP_UNREADABLE, &error);
  else if (sources[0].length != sources[1].length ||
           memcmp(sources[0].text, sources[1].text, sources[0].length) != 0) {
    if (!hlo_read(arena, &sources[1], &modules[1], &error))
      set_error(verdict, STEP_UNREADABLE, &error);
    else judge_modules(arena, modules[0], modules[1], limits, verdict);
  }
  if (verdict->answer == STEP_SAME && verdict->values.by == nullptr) {
    verdict->answer = STEP_UNKNOWN;
    snprintf(verdict->reason, sizeof verdict->reason, "no output is an array");
  }
  verdict->seconds = processor_seconds() - started;
}

void step_reason_class(const StepVerdict *verdict, size_t capacity, char text[]) {
  const char *from = verdict->reason;
  size_t used = 0;
  if (verdict->answer == STEP_UNREADABLE && strstr(from, ": ") != nullptr)
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
