/* The verbs about threads, reads, warps and tiles (core/analysis). */
#ifndef JUDGE_CASES_CASE_USE_H
#define JUDGE_CASES_CASE_USE_H

#include "judge/cases/case_verbs.h"

/* VERB_THREADS, VERB_READS, VERB_WARPS and VERB_TILE. */
void case_use_run(CaseRun *run);

#endif
