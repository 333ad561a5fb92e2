/* Folded constants may have rounding errors. A difference between folded constants compares the
 * numbers that result from the order of operations in the graph. A grade may allow another order,
 * or leave infinities and the signs of zeros open. The difference then refutes only if neither the
 * errors of these constants nor such a sign explains it. So the question is asked again with all
 * errors. The second answer never proves. */
#include "oracle/equivalence/values_state.h"

static OracleValues *comparison_with_errors(OracleValues *values) {
  if (values->with_errors == nullptr) {
    ValuesLimits limits = {.elements = values->whole_work,
        .bytes = values->builders[0].most_bytes,
        .grade = values->grade};
    values->with_errors = oracle_values_create(
        values->arena, values->computations[0], values->computations[1], &limits);
    terms_keep_errors(
        values->with_errors->terms, values->grade == LAW_FAST ? ERRORS_ALL : ERRORS_OVERFLOW);
  }
  oracle_values_limit(values->with_errors, values->most_work);
  return values->with_errors;
}

static bool may_be_rounding(const OracleValues *values, const ValuesVerdict *verdict) {
  return verdict->answer == REASON_DIFFERENT && values->grade > LAW_EXACT &&
         terms_has_rounded(values->terms);
}

void oracle_values_query(OracleValues *values, uint32_t leaf, ValuesVerdict *verdict) {
  values_query(values, leaf, verdict);
  if (!may_be_rounding(values, verdict)) return;
  values_query(comparison_with_errors(values), leaf, verdict);
  if (verdict->answer != REASON_EXACT) return;
  verdict->answer = REASON_SAME_READS;
  verdict->laws = nullptr;
}

void oracle_values_query_at(
    OracleValues *values, uint32_t leaf, const int64_t *point, ValuesVerdict *verdict) {
  values_query_at(values, leaf, point, verdict);
  if (may_be_rounding(values, verdict))
    values_query_at(comparison_with_errors(values), leaf, point, verdict);
}
