/* The counts of a run, and the reports of one case. */
#include <stdarg.h>
#include <string.h>

#include "exhaust/exhaust_case.h"
#include "judge/maps/counterexample.h"

static const SummaryColumn columns[] = {
#define COUNT(field, text, status, help) {text, STATUS_##status},
#include "exhaust/exhaust_counts.def"
#undef COUNT
};

const char *exhaust_count_text(ExhaustCount count) { return columns[count].text; }

Status exhaust_count_status(ExhaustCount count) { return columns[count].status; }

void exhaust_tally_add(ExhaustTally *all, const ExhaustTally *some) {
  all->cases += some->cases;
  all->failed += some->failed;
  all->open += some->open;
  for (uint32_t i = 0; i < exhaust_count_count; i++) all->counts[i] += some->counts[i];
}

Status exhaust_tally_status(const ExhaustTally *tally) {
  return tally->failed > 0 ? STATUS_REFUTED : tally->open > 0 ? STATUS_UNDECIDED : STATUS_PROVED;
}

int kept_case_order(const void *a, const void *b) {
  const KeptCase *x = a, *y = b;
  if (x->is_open != y->is_open) return x->is_open - y->is_open;
  return (x->number > y->number) - (x->number < y->number);
}

void exhaust_note(ExhaustCase *run, ExhaustCount count) { run->tally.counts[count]++; }

static void report_head(const Examiner *examiner, ExhaustCount count) {
  text_printf(examiner->report, "case %llu: %s (%s)\n%s", (unsigned long long)examiner->number,
      exhaust_count_text(count), exhaust_source_name, examiner->text.bytes);
}

/* Prints one command that reproduces the case and judges it again. `check` does not read rules. It
 * accepts an over-approximation that the engine does not state without --exact. */
static void report_replay(const Examiner *examiner, ExhaustCount count) {
  text_printf(examiner->report, "  %-12s affirm exhaust %s --case %llu", "replay", examiner->replay,
      (unsigned long long)examiner->number);
  bool is_checked = scope_is_of_modules(examiner->plan->scope->kind) ||
                    examiner->plan->scope->kind == SCOPE_MAPS ||
                    examiner->plan->scope->kind == SCOPE_OPERATORS;
  if (is_checked) text_string(examiner->report, " | affirm check -");
  if (is_checked && examiner->judge->engine != nullptr)
    text_printf(examiner->report, " %s", engine_option(examiner->judge->engine));
  bool is_exactness = count == EXHAUST_inverse ||
                      (count == EXHAUST_inexact && examiner->judge->exactness == EXACTNESS_WANTED);
  if (is_checked && is_exactness) text_string(examiner->report, " --exact");
  text_string(examiner->report, "\n\n");
}

static bool wants_report(const Examiner *examiner) {
  const Text *report = examiner->report;
  return report != nullptr && (!examiner->is_brief || report->length == 0);
}

void exhaust_report_fault(const Examiner *examiner, ExhaustCount count, const char *words) {
  report_head(examiner, count);
  text_printf(examiner->report, "  %-12s %s\n", "fault", words);
  report_replay(examiner, count);
}

void exhaust_fault(ExhaustCase *run, ExhaustCount count, const char *format, ...) {
  exhaust_note(run, count);
  if (!wants_report(run->examiner)) return;
  Arena *arena = arena_create();
  va_list arguments;
  va_start(arguments, format);
  exhaust_report_fault(run->examiner, count, arena_write(arena, format, arguments));
  va_end(arguments);
  arena_destroy(arena);
}

void exhaust_report(
    ExhaustCase *run, ExhaustCount count, const Judge *judge, const Judgement *judgement) {
  exhaust_note(run, count);
  if (!wants_report(run->examiner) || exhaust_count_status(count) == STATUS_PROVED) return;
  report_head(run->examiner, count);
  counterexample_print_facts(run->examiner->report, judge, &run->source, judgement);
  bool is_stated = judgement->reason == verdict_text(&judgement->by[BY_ORACLE]);
  if (judgement->reason[0] != 0 && !is_stated)
    text_printf(run->examiner->report, "  %-12s %s\n", "reason", judgement->reason);
  report_replay(run->examiner, count);
}

bool exhaust_accepts(ExhaustCase *run, const FaultName *name) {
  Examiner *examiner = run->examiner;
  bool is_named = examiner->accepted != nullptr && known_faults_has(examiner->accepted, name),
       is_known = is_named && examiner->accepted->is_baseline;
  uint32_t at = 0;
  examiner->has_known |= is_known;
  if (is_named && !is_known) exhaust_note(run, EXHAUST_accepted);
  while (at < examiner->found_count && strcmp(examiner->found[at].text, name->text) != 0) at++;
  if ((is_known || !is_named) && at == examiner->found_count && at < examiner_most_found)
    examiner->found[examiner->found_count++] = *name;
  return is_named;
}
