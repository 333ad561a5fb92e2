/* Findings of a campaign, one for each kind and set of operations: NAME-KIND-OPERATIONS.report holds what was printed, .input the bytes. */
#ifndef CLI_FUZZ_FINDINGS_H
#define CLI_FUZZ_FINDINGS_H

#include "core/base/error.h"
#include "core/base/text.h"

typedef enum FindingState : uint8_t { FINDING_NONE, FINDING_NEW, FINDING_KNOWN, FINDING_LOST } FindingState;

/* `log` is all that the target printed; an input that libFuzzer kept has a name that begins with `prefix`. NONE: the log shows no fault. LOST: the folder
 * cannot be written. `name` is set to the finding's, in the arena. */
[[nodiscard]] FindingState finding_keep(Arena *arena, const char *folder, const char *target, const char *log, const char *prefix, const char **name);

/* What must stay while an input is made small: the kind of a report; of a crash without one, kind and function. nullptr: no fault. */
[[nodiscard]] const char *finding_fault(Arena *arena, const char *log);

#endif
