/* Findings of a campaign, one for each kind, set of operations and wrong rule.
 * NAME-KIND-OPERATIONS[-RULE].report contains the target's output, .input the bytes. */
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

/* `log` is the complete output of the target; names of inputs that libFuzzer kept begin with
 * `prefix`. NONE: the log shows no fault. LOST: the directory cannot be written. A report is
 * written completely or not at all. */
[[nodiscard]] FindingState finding_keep(Arena *arena, const char *directory, const char *target,
    const char *log, const char *prefix, FuzzFinding *finding);

/* The fault that reduction must preserve: the kind of a report; for a crash without a report, kind
 * and function. nullptr: no fault. */
[[nodiscard]] const char *finding_fault(Arena *arena, const char *log);

#endif
