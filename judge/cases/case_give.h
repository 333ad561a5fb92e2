/* What verbs share: setting a result, and reading the module of a case. */
#ifndef JUDGE_CASES_CASE_GIVE_H
#define JUDGE_CASES_CASE_GIVE_H

#include "judge/cases/case_verbs.h"

/* The result is the error in run->verb_result. Always returns false. */
static inline bool case_give_error(CaseRun *run) {
  run->verb_result.kind = VERB_RESULT_ERROR;
  return false;
}
void case_give_unknown(CaseRun *run, const char *why);
void case_give_verdict(CaseRun *run, CaseExpect verdict, const char *witness);
/* The maps with the engine's claim about them; undefined is a verdict. */
void case_give_maps(CaseRun *run, const MapSet *maps);

/* For verbs that apply only to affirm's own engine. For a foreign one the result is unknown;
 * returns false. */
[[nodiscard]] bool case_needs_own_engine(CaseRun *run);

/* The module of a block: a bare list of instructions is wrapped in an entry computation. */
[[nodiscard]] const char *case_module_text(Arena *arena, const Source *block);
/* The same as a source. The added line takes the place of the
 * `hlo` line, so that line numbers stay right. */
[[nodiscard]] Source *case_entry_source(Arena *arena, const Source *block);
/* Reads a module; if it is rejected, the result is the error. Positions count from `first_line`. */
[[nodiscard]] bool case_read_module(
    CaseRun *run, const Source *source, uint32_t first_line, const Module **module);
/* The module of the case's block. */
[[nodiscard]] bool case_entry_module(CaseRun *run, const Module **module);

#endif
