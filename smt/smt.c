/* Creates and destroys sessions, and contains the functions shared by all verdicts. */
#include "smt/smt.h"

#include <stdarg.h>
#include <stdlib.h>

#include "smt/solver/session.h"

Smt *smt_create(const MapContext *context, const SmtOptions *options) {
  Smt *smt = malloc(sizeof *smt);
  if (smt == nullptr) arena_out_of_memory(sizeof *smt);
  *smt = (Smt){.context = context, .arena = arena_create()};
  if (options != nullptr) smt->options = *options;
  return smt;
}

void smt_destroy(Smt *smt) {
  if (smt == nullptr) return;
  arena_destroy(smt->arena);
  free(smt);
}

static VerdictReason usual_reason(VerdictStatus status) {
  switch (status) {
    case VERDICT_PROVED: return REASON_EXACT;
    case VERDICT_REFUTED: return REASON_DIFFERENT;
    case VERDICT_UNKNOWN: return REASON_OPEN;
  }
  return REASON_OPEN;
}

bool verdict_set(Verdict *verdict, VerdictStatus status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  verdict_write(verdict, usual_reason(status), format, arguments);
  va_end(arguments);
  return true;
}

void verdict_values(Verdict *verdict, uint32_t count, const Wide *values) {
  int64_t narrow[smt_max_values];
  uint32_t fits = 0;
  while (fits < count && fits < smt_max_values && values[fits] >= INT64_MIN &&
         values[fits] <= INT64_MAX) {
    narrow[fits] = (int64_t)values[fits];
    fits++;
  }
  verdict_point(verdict, fits, narrow);
}

/* Returns true and replaces the values if the facts have a model with lo <= variable <= hi. */
static bool smaller_model(
    Query *query, uint32_t fact_count, Z3_ast *facts, Within within, Wide *values) {
  facts[fact_count] = query_within(query, within);
  if (query_check_briefly(query, fact_count + 1, facts) != VERDICT_REFUTED) return false;
  Wide *model = ARENA_NEW(query->arena, Wide, query->sums->atom_count);
  if (!query_model(query, model)) return false;
  for (uint32_t i = 0; i < query->sums->atom_count; i++) values[i] = model[i];
  return true;
}

static Within towards_zero(Sum variable, Wide value) {
  return (Within){.sum = variable, .lo = value < 0 ? value : 0, .hi = value > 0 ? value : 0};
}

/* Tries 0, then bisects the magnitude. The reached bound stays in force while the next variable
 * shrinks. */
static Within shrink_one(Query *query, uint32_t fact_count, Z3_ast *facts, Sum variable,
    Wide *values, uint32_t *checks) {
  Wide value, refuted = -1;
  if (!sum_evaluate(query->sums, values, variable, &value)) return towards_zero(variable, 0);
  Wide sign = value < 0 ? -1 : 1, size = value * sign;
  while (size > refuted + 1 && *checks > 0) {
    Wide middle = refuted < 0 ? 0 : refuted + (size - refuted) / 2;
    --*checks;
    if (!smaller_model(query, fact_count, facts, towards_zero(variable, middle * sign), values))
      refuted = middle;
    else if (!sum_evaluate(query->sums, values, variable, &value)) break;
    else size = value * sign;
  }
  return towards_zero(variable, size * sign);
}

void minimise_model(Query *query, uint32_t fact_count, const Z3_ast *facts, uint32_t count,
    const Sum *variables, Wide *values) {
  Z3_ast *kept = ARENA_NEW(query->arena, Z3_ast, fact_count + count + 1);
  uint32_t checks = query->has_large ? 0 : 48;
  for (uint32_t i = 0; i < fact_count; i++) kept[i] = facts[i];
  for (uint32_t i = 0; i < count && checks > 0; i++) {
    Within bound = shrink_one(query, fact_count + i, kept, variables[i], values, &checks);
    kept[fact_count + i] = query_within(query, bound);
  }
}
