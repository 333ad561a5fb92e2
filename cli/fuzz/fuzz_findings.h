/* Findings of a campaign, one for each kind, set of operations and rule that was wrong:
 * NAME-KIND-OPERATIONS[-RULE].report holds what was printed, .input the bytes. */
#ifndef CLI_FUZZ_FINDINGS_H
#define CLI_FUZZ_FINDINGS_H

#include "core/base/error.h"
#include "core/base/text.h"

typedef enum FindingState : uint8_t {
  FINDING_NONE,
  FINDING_NEW,
  FINDING_KNOWN,
  FINDING_LOST
} FindingState;

typedef struct FuzzFinding {
  const char *kind, *name; /* in the arena */
} FuzzFinding;

/* `log` is all that the target printed; an input that libFuzzer kept has a name that begins with
 * `prefix`. NONE: the log shows no fault. LOST: the directory cannot be written. A report is there
 * as a whole or not at all. */
[[nodiscard]] FindingState finding_keep(Arena *arena, const char *directory, const char *target,
    const char *log, const char *prefix, FuzzFinding *finding);

/* What must stay while an input is made small: the kind of a report; of a crash without one, kind
 * and function. nullptr: no fault. */
[[nodiscard]] const char *finding_fault(Arena *arena, const char *log);

#endif
