/* A child process that looks at texts one after another, so that a text at which the engine crashes
 * or hangs ends the child alone. How it ended is then
 * what was seen: `crash Assertion ...`, `crash AddressSanitizer: ... in FUNCTION`, `crash signal
 * 11`, `timeout`; or the kind of a report of the harness. The next text goes to a new child. What
 * the child prints on standard error is kept for that, and not shown. */
#ifndef FUZZ_SHRINK_CHILD_H
#define FUZZ_SHRINK_CHILD_H

#include "core/base/error.h"
#include "core/base/text.h"

static constexpr size_t signature_capacity = 256;

/* What is seen of a fault in a text, one line: two texts with the same sight show the same fault.
 * Empty: none. */
typedef struct FaultSignature {
  char text[signature_capacity];
} FaultSignature;
void signature_set(FaultSignature *signature, const char *text);

/* Called in the child. `wanted` is the sight that is asked for, empty for any. */
typedef void Look(
    void *state, const char *wanted, const char *text, size_t length, FaultSignature *signature);

typedef struct Child Child;
/* `state` is what it is at each start of a child. GIVE: the caller destroys it; it lives in the
 * arena. */
[[nodiscard]] Child *child_create(Arena *arena, Look *look, void *state);
void child_destroy(Child *child);
/* Asked some times a second while the child looks; once it says so the text counts as timed out. */
void child_stop_when(Child *child, bool (*stop)(void));

/* False when no process can be started. After `seconds` the text has timed out. */
[[nodiscard]] bool child_ask(Child *child, const char *wanted, const char *text, size_t length,
    double seconds, FaultSignature *signature, Error *error);

/* The sight of a process that ended badly, from all that it printed. */
void crash_signature(const char *log, int wait_status, FaultSignature *signature);
[[nodiscard]] bool signature_is_crash(const FaultSignature *signature);

#endif
