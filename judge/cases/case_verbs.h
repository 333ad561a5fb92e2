/* The verbs of cases: each processes the input and sets the result. */
#ifndef JUDGE_CASES_CASE_VERBS_H
#define JUDGE_CASES_CASE_VERBS_H

#include "judge/algebra/algebra.h"
#include "judge/cases/case_run.h"

typedef enum VerbResultKind : uint8_t {
  VERB_RESULT_MAPS,
  VERB_RESULT_TEXT,
  VERB_RESULT_VERDICT,
  VERB_RESULT_ERROR,
  VERB_RESULT_UNKNOWN
} VerbResultKind;

typedef struct VerbResult {
  VerbResultKind kind;
  MapSet maps;         /* VERB_RESULT_MAPS */
  const char *text;    /* VERB_RESULT_TEXT */
  CaseExpect verdict;  /* VERB_RESULT_VERDICT; for maps: the engine's claim, EXPECT_TEXT for no
                          special claim */
  const char *witness; /* of the verdict; for VERB_RESULT_UNKNOWN: why */
  Error error;
} VerbResult;

typedef struct CaseRun {
  Judge *judge;
  Arena *arena;
  const Case *one;
  uint32_t first_line; /* of the input to which error positions refer */
  VerbResult verb_result;
  Error of_expected; /* of an expected map that does not parse */
  CaseBreak broken;  /* of a case with several questions */
} CaseRun;

void case_verb_run(CaseRun *run);

/* Splits `bijective 4,8 (d0) -> ...`: an operation about one map, its numbers if it takes them, and
 * the text of the map. An unknown operation is an error at its word, and so are missing numbers. */
[[nodiscard]] bool case_algebra_parts(
    Arena *arena, const Source *input, AlgebraQuery *query, Source *map, Error *error);

#endif
