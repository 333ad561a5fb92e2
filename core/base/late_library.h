/* A shared library that is opened at the first call of one of its functions, so that a program
 * which never calls one does not load it (docs/decisions/0105-the-solver-is-opened-on-first-use.md,
 * 0112). late_functions.h defines the functions. */
#ifndef CORE_BASE_LATE_LIBRARY_H
#define CORE_BASE_LATE_LIBRARY_H

#include <stdatomic.h>
#include <stdint.h>

typedef struct LateLibrary {
  const char *file; /* its name for the dynamic loader */
  const char *what; /* what cannot be used without it, for the message */
  uint32_t count;
  const char *const *names; /* [count] */
  void **functions;         /* [count]: set when the library is opened */
  atomic_bool is_open;
} LateLibrary;

/* Opens the library if it is not open, in any thread. nullptr: it is open; otherwise the loader's
 * reason, which is valid until the thread's next call of the loader. */
[[nodiscard]] const char *late_library_open(LateLibrary *library);
/* Function number `function`, of the library that is opened if it is not open. If it cannot be
 * opened, or lacks one of the functions, prints the reason and ends the program with status 3. */
[[nodiscard]] void *late_library_function(LateLibrary *library, uint32_t function);

#endif
