/* The solver's library, opened at the first call of one of its functions. A program that loads it at
 * its start takes half as long again for that, although most commands never ask the solver
 * (docs/decisions/0105-the-solver-is-opened-on-first-use.md).
 * AFFIRM_Z3_FILE is the library's name for the dynamic loader; without it the library is linked, and
 * this file is empty. A missing library ends the program, as missing memory does: no verdict may
 * depend on it. */
#ifdef AFFIRM_Z3_FILE
#define Z3_API __attribute__((visibility("hidden")))

#include <z3.h>

#define LATE_ROWS "smt/solver/z3_library.def"
#define LATE_LIBRARY z3_library
#define LATE_FILE AFFIRM_Z3_FILE
#define LATE_WHAT "the solver"
#include "core/base/late_functions.h"
#undef LATE_ROWS
#undef LATE_LIBRARY
#undef LATE_FILE
#undef LATE_WHAT
#else
typedef int z3_library_is_linked;
#endif
