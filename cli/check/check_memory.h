/* What was judged before: two instructions that differ in names alone, and for which the engine
 * gives the same maps, are one question. */
#ifndef CLI_CHECK_MEMORY_H
#define CLI_CHECK_MEMORY_H

#include "judge/maps/judge.h"

typedef struct CheckMemory CheckMemory;
/* GIVE: the caller destroys it. */
[[nodiscard]] CheckMemory *check_memory_create(void);
void check_memory_destroy(CheckMemory *memory);

typedef struct RememberedVerdict {
  uint64_t first, second; /* hashes of the question and the maps */
  VerdictReason answer;
  bool is_used;
  const char *judges, *reason;
} RememberedVerdict;

/* The place for the question with these maps; nullptr where there is none of them, for that is
 * judged at once, and where the answer may depend on more than the instruction itself: on values,
 * on bodies. */
[[nodiscard]] RememberedVerdict *check_memory_find(
    CheckMemory *memory, const Judge *judge, const Question *question, const MapSet *maps);
/* Keeps an answer that does not have to be explained. */
void check_memory_keep(CheckMemory *memory, RememberedVerdict *place, VerdictReason answer,
    const char *judges, const char *reason);

#endif
