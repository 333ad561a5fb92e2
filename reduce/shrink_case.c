/* Runs a case as `affirm check` does, in a child process, because the engine may crash or hang. The
 * case passes only if the child says so. */
#include "reduce/shrink_case.h"

#include <string.h>

#include "judge/cases/case_run.h"
#include "reduce/shrink_child.h"

static constexpr char signature_passed[] = "passed";

typedef struct CaseTrial {
  Arena *arena;
  Judge *judge;
  const Case *one;
} CaseTrial;

static void look_case(void *state, const char *, const char *, size_t, FaultSignature *signature) {
  const CaseTrial *trial = state;
  CaseResult result;
  case_run(trial->judge, trial->arena, trial->one, &result);
  if (result.outcome == CASE_PASSED) signature_set(signature, signature_passed);
}

static CaseTrialEnd trial_end_of(const FaultSignature *signature) {
  if (signature_is_timeout(signature)) return CASE_TRIAL_LATE;
  return strcmp(signature->text, signature_passed) == 0 ? CASE_TRIAL_PASSED : CASE_TRIAL_NOT_PASSED;
}

bool shrink_case_try(Arena *arena, const RuleSet *rules, const Case *one, double seconds,
    bool (*stop)(void), CaseTrialEnd *end, Error *error) {
  CaseTrial trial = {
      .arena = arena, .judge = judge_create(&(JudgeOptions){.rules = rules}, error), .one = one};
  if (trial.judge == nullptr) return false;
  FaultSignature signature = {};
  Child *child = child_create(arena, look_case, &trial);
  child_stop_when(child, stop);
  bool is_run = child_query(child, "", "", 0, seconds, &signature, error);
  *end = trial_end_of(&signature);
  child_destroy(child);
  judge_destroy(trial.judge);
  return is_run;
}
