/* A child process that examines one text after another. A text that makes the engine crash or hang
 * ends only the child. The signature is then the way in which it ended: `crash Assertion ...`,
 * `crash AddressSanitizer: ... in FUNCTION`, `crash signal 11`, `timeout`, or the kind of a report
 * of the harness. The next text goes to a new child. The child's standard error is recorded for the
 * signature and not shown. */
#ifndef REDUCE_SHRINK_CHILD_H
#define REDUCE_SHRINK_CHILD_H

#include "core/base/error.h"
#include "core/base/text.h"

static constexpr size_t signature_capacity = 256;

/* The signature of a fault, one line: two texts with the same signature have the same fault. Empty:
 * no fault. */
typedef struct FaultSignature {
  char text[signature_capacity];
} FaultSignature;
void signature_set(FaultSignature *signature, const char *text);

/* Called in the child. `wanted` is the signature to look for; empty: any. */
typedef void FindFault(
    void *state, const char *wanted, const char *text, size_t length, FaultSignature *signature);

typedef struct Child Child;
/* Each child starts with the `state` of that moment. GIVE: the caller destroys the child, which is
 * allocated in the arena. */
[[nodiscard]] Child *child_create(Arena *arena, FindFault *look, void *state);
void child_destroy(Child *child);
/* `stop` is called several times a second while the child runs. If it returns true, the text counts
 * as timed out. */
void child_stop_when(Child *child, bool (*stop)(void));

/* Returns false if no process can be started. After `seconds` the text counts as timed out. */
[[nodiscard]] bool child_query(Child *child, const char *wanted, const char *text, size_t length,
    double seconds, FaultSignature *signature, Error *error);

/* The signature of a process that crashed, from its output. */
void crash_signature(const char *log, int wait_status, FaultSignature *signature);
[[nodiscard]] bool signature_is_crash(const FaultSignature *signature); /* a timeout too */
[[nodiscard]] bool signature_is_timeout(const FaultSignature *signature);
/* "wrong" matches any "wrong OPCODE". */
[[nodiscard]] bool signature_is_wanted(const char *wanted, const char *signature);

#endif
