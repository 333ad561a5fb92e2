/* Prints verdicts as one sentence: which element, what is read, what the map states, under which
 * runtime values. */
#include <stdarg.h>
#include <stdio.h>

#include "oracle/compare/verdict.h"

static void print_element(Text *text, const Leaf *leaf, int64_t element) {
  int64_t at[oracle_max_rank] = {};
  assert(leaf->rank <= oracle_max_rank);
  leaf_index(leaf, element, at);
  text_tuple(text, leaf->rank, at);
}

static void set_point(ReadJudgement *judgement, const ReadFinding *finding) {
  Verdict *verdict = judgement->verdict;
  assert(finding->is_set);
  int64_t point[oracle_max_rank] = {}, element[oracle_max_rank] = {};
  leaf_index(judgement->from, finding->from, point);
  leaf_index(judgement->to, finding->to, element);
  verdict_point(verdict, judgement->from->rank, point);
  verdict_element(verdict, judgement->to->rank, element);
}

static void explain_keep(ReadJudgement *judgement, const Text *text) {
  judgement->verdict->sentence = arena_text(judgement->verdict->arena, text->bytes, text->length);
}

static void print_values(Text *text, const char *values) {
  if (values[0] != '\0') text_printf(text, " where %s", values);
}

/* "element (1, 2) of 'r' reads (3, 0) of 'p0'", in both directions of the map. */
static void print_read(
    Text *text, const ReadJudgement *judgement, const ReadFinding *finding, const char *verb) {
  bool back = judgement->is_backward;
  text_printf(text, "element ");
  print_element(text, back ? judgement->to : judgement->from, back ? finding->to : finding->from);
  text_printf(text, " of '%s' %s ", back ? judgement->to_name : judgement->from_name, verb);
  print_element(text, back ? judgement->from : judgement->to, back ? finding->from : finding->to);
  text_printf(text, " of '%s'", back ? judgement->from_name : judgement->to_name);
}

static void print_scope(Text *text, const ReadJudgement *judgement) {
  const Verdict *verdict = judgement->verdict;
  if (verdict->work <= 1 && verdict->scope == SCOPE_WHOLE) return;
  text_printf(text, " (%s, under %s of runtime values)", counted(verdict->work, "comparison"),
      verdict->scope == SCOPE_WHOLE ? "all assignments" : "a sample of the assignments");
}

static void print_wrong(Text *text, const ReadJudgement *judgement) {
  const ReadFinding *finding = &judgement->tally.first_missing;
  print_read(text, judgement, finding, "reads");
  print_values(text, finding->values);
  text_printf(
      text, ", the map does not say so; %s", counted(judgement->tally.missing, "such pair"));
}

static constexpr char doubt_words[] = "; whether these values occur is not known";

static void print_open(Text *text, const ReadJudgement *judgement, bool is_bound) {
  const ReadFinding *finding = &judgement->tally.first_missing;
  print_read(text, judgement, finding, is_bound ? "may read" : "reads");
  print_values(text, finding->values);
  text_string(text, ", the map does not say so");
  text_string(text, is_bound ? "; whether it does is not known" : doubt_words);
}

static void print_over_approximation(Text *text, const ReadJudgement *judgement) {
  const ReadFinding *finding = &judgement->tally.first_extra;
  print_read(text, judgement, finding, "does not read");
  print_values(text, finding->values);
  text_printf(
      text, ", the map says so; %s, none is missing", counted(judgement->tally.extra, "such pair"));
  if (!judgement->tally.is_extra_sure) text_string(text, doubt_words);
}

static void print_excess(Text *text, const Excess *excess) {
  text_printf(text,
      "runtime variable %u is said to take the value %lld, and '%s' gives %lld to %lld",
      excess->runtime, (long long)excess->value, excess->source, (long long)excess->lowest,
      (long long)excess->highest);
}

static void print_exact(Text *text, const ReadJudgement *judgement, bool is_bound) {
  text_string(text, "'");
  text_string(text, judgement->from_name);
  text_string(text, "' and '");
  text_string(text, judgement->to_name);
  text_string(text, is_bound ? "': the map says exactly what may be read"
                             : "': the map says exactly what is read");
}

/* Reads that are only a bound cannot be missing, and contain what is too much for them. What is
 * found only under values that may never occur decides nothing. */
static VerdictReason tally_reason(const ReadJudgement *judgement, bool is_bound) {
  const Tally *tally = &judgement->tally;
  if (tally->missing > 0 && tally->is_missing_sure && !is_bound) return REASON_WRONG;
  if (tally->missing > 0 || judgement->doubtful.kind != FAULT_NONE) return REASON_OPEN;
  if (tally->extra > 0) return tally->is_extra_sure ? REASON_EXTRA : REASON_CONTAINS;
  return is_bound ? REASON_CONTAINS : REASON_EXACT;
}

static void set_numbers(ReadJudgement *judgement, bool is_bound) {
  Verdict *verdict = judgement->verdict;
  const Tally *tally = &judgement->tally;
  assert((tally->missing > 0) == tally->first_missing.is_set &&
         (tally->extra > 0) == tally->first_extra.is_set);
  assert(!judgement->rejection.is_set && judgement->fault.kind == FAULT_NONE);
  verdict->work = tally->paths;
  verdict_mark(verdict, tally_reason(judgement, is_bound));
  if (verdict->reason == REASON_OPEN || verdict->reason == REASON_CONTAINS) return;
  verdict->missing = tally->missing;
  verdict->extra = tally->extra;
  if (tally->missing > 0) set_point(judgement, &tally->first_missing);
  else if (tally->extra > 0) set_point(judgement, &tally->first_extra);
}

/* "element (1, 2) of 'r' and (0) of 'p1' where p2[0] = 3: before alone". */
static void print_alone(
    Text *text, const ReadJudgement *judgement, const ReadFinding *finding, const char *side) {
  text_string(text, "element ");
  print_element(text, judgement->from, finding->from);
  text_printf(text, " of '%s' and ", judgement->from_name);
  print_element(text, judgement->to, finding->to);
  text_printf(text, " of '%s'", judgement->to_name);
  print_values(text, finding->values);
  text_printf(text, " are related %s alone; %s before alone, %lld after alone", side,
      counted(judgement->tally.missing, "such pair"), (long long)judgement->tally.extra);
}

static void print_fault(Text *text, const ReadJudgement *judgement, const Fault *fault) {
  switch (fault->kind) {
    case FAULT_NONE: break;
    case FAULT_LEAVES_INT64: text_string(text, "the map's evaluation leaves int64"); break;
    case FAULT_FROM_OUTSIDE:
      text_printf(text, "the point is in the map's domain, outside of '%s'", judgement->from_name);
      break;
    case FAULT_TO_OUTSIDE:
      text_string(text, "the map leads to ");
      text_tuple(text, fault->map->result_count, fault->results);
      text_printf(text, ", outside of '%s'", judgement->to_name);
      break;
    case FAULT_SOURCE_OUTSIDE:
      text_printf(text, "runtime variable %u comes from an element that '%s' does not have",
          fault->runtime, fault->map->sources[fault->runtime].name);
      break;
  }
}

static void print_faulty_point(Text *text, const ReadJudgement *judgement, const Fault *fault) {
  assert(fault->kind != FAULT_NONE && fault->map->dim_count <= oracle_max_rank);
  text_string(text, "at ");
  print_variables(text, fault->map, fault->variables);
  print_values(text, fault->values);
  text_string(text, ": ");
  print_fault(text, judgement, fault);
}

void explain_alike(ReadJudgement *judgement) {
  const Tally *tally = &judgement->tally;
  set_numbers(judgement, false);
  if (judgement->verdict->reason == REASON_CONTAINS) verdict_mark(judgement->verdict, REASON_OPEN);
  if (judgement->oracle->is_terse) return;
  Text text = text_create(judgement->arena);
  if (tally->missing > 0) print_alone(&text, judgement, &tally->first_missing, "before");
  else if (judgement->doubtful.kind != FAULT_NONE)
    print_faulty_point(&text, judgement, &judgement->doubtful);
  else if (tally->extra > 0) print_alone(&text, judgement, &tally->first_extra, "after");
  else text_string(&text, "the same pairs");
  if (judgement->verdict->reason == REASON_OPEN) text_string(&text, doubt_words);
  print_scope(&text, judgement);
  explain_keep(judgement, &text);
}

void explain_tally(ReadJudgement *judgement) {
  const Tally *tally = &judgement->tally;
  bool is_bound = judgement->set.reading.is_bound;
  set_numbers(judgement, is_bound);
  VerdictReason reason = judgement->verdict->reason;
  if (reason != REASON_WRONG && reason != REASON_OPEN && judgement->excess.is_set)
    verdict_mark(judgement->verdict, REASON_EXTRA);
  if (judgement->oracle->is_terse) return;
  Text text = text_create(judgement->arena);
  if (reason == REASON_WRONG) print_wrong(&text, judgement);
  else if (tally->missing > 0) print_open(&text, judgement, is_bound);
  else if (reason == REASON_OPEN) {
    print_faulty_point(&text, judgement, &judgement->doubtful);
    text_string(&text, doubt_words);
  } else if (tally->extra > 0 && (tally->is_extra_sure || !judgement->excess.is_set))
    print_over_approximation(&text, judgement);
  else if (judgement->excess.is_set) print_excess(&text, &judgement->excess);
  else print_exact(&text, judgement, is_bound);
  print_scope(&text, judgement);
  explain_keep(judgement, &text);
}

void explain_rejection(ReadJudgement *judgement) {
  assert(judgement->rejection.is_set && judgement->rejection.text[0] != '\0');
  judgement->verdict->scope = SCOPE_SAMPLE;
  verdict_decide(judgement->verdict, judgement->rejection.answer, "%s", judgement->rejection.text);
}

void explain_misfit(ReadJudgement *judgement, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  verdict_write(judgement->verdict, REASON_WRONG, format, arguments);
  va_end(arguments);
}

void explain_fault(ReadJudgement *judgement) {
  const Fault *fault = &judgement->fault;
  Verdict *verdict = judgement->verdict;
  Text text = text_create(judgement->arena);
  verdict_mark(verdict, REASON_WRONG);
  verdict_point(verdict, fault->map->dim_count, fault->variables);
  if (fault->kind == FAULT_TO_OUTSIDE)
    verdict_element(verdict, fault->map->result_count, fault->results);
  print_faulty_point(&text, judgement, fault);
  explain_keep(judgement, &text);
}
