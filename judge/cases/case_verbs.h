/* The verbs of cases: each does one thing with the input and leaves what came. */
#ifndef JUDGE_CASE_VERBS_H
#define JUDGE_CASE_VERBS_H

#include "judge/cases/case.h"
#include "judge/maps/judge.h"

typedef enum CameKind : uint8_t {
  CAME_MAPS,
  CAME_TEXT,
  CAME_WORD,
  CAME_ERROR,
  CAME_UNKNOWN
} CameKind;

typedef struct Came {
  CameKind kind;
  MapSet maps;      /* CAME_MAPS */
  const char *text; /* CAME_TEXT */
  CaseExpect
      word; /* CAME_WORD; beside maps: what the engine claims, EXPECT_TEXT for nothing special */
  const char *witness; /* of the word; CAME_UNKNOWN: why */
  Error error;
} Came;

typedef struct CaseRun {
  Judge *judge;
  Arena *arena;
  const Case *one;
  uint32_t first_line; /* of the input in which an error has its place */
  Came came;
} CaseRun;

void case_verb_run(CaseRun *run);

#endif
