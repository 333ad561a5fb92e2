/* Remembers verdicts: two instructions that differ only in names, and for which the engine returns
 * the same maps, are one question. */
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

/* Returns the entry for the question with these maps. nullptr if there are no maps, which is judged
 * at once, and if the verdict may depend on more than the instruction itself: on values or called
 * computations. */
[[nodiscard]] RememberedVerdict *check_memory_find(
    CheckMemory *memory, const Judge *judge, const Question *question, const MapSet *maps);
/* Keeps a verdict that needs no explanation. */
void check_memory_keep(CheckMemory *memory, RememberedVerdict *slot, VerdictReason answer,
    const char *judges, const char *reason);

#endif
