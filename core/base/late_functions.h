/* Defines the functions of a library that is opened late. Included by a source that has included
 * the library's header, in which the functions are hidden from other objects, so that the library
 * itself never calls them, and that defines
 *   LATE_ROWS      the file with the rows, in quotes
 *   LATE_LIBRARY   the name of the LateLibrary that is defined here
 *   LATE_FILE      the library's name for the dynamic loader
 *   LATE_WHAT      LateLibrary's `what`
 * The rows:
 *   FUNCTION(type, name, parameters, arguments)
 *   PROCEDURE(name, parameters, arguments)   a function without a value
 *   VARIADIC(name)                           defined by the source, after this file
 * A function without a row does not link; a row that differs from the header does not compile. */
#include "core/base/late_library.h"

#define LATE_JOIN(a, b) a##b
#define LATE_NAMED(library, what) LATE_JOIN(library, what)

#define FUNCTION(type, name, parameters, arguments) LATE_##name,
#define PROCEDURE(name, parameters, arguments) LATE_##name,
#define VARIADIC(name) LATE_##name,
enum {
#include LATE_ROWS
  LATE_NAMED(LATE_LIBRARY, _count)
};
#undef FUNCTION
#undef PROCEDURE
#undef VARIADIC

#define FUNCTION(type, name, parameters, arguments) #name,
#define PROCEDURE(name, parameters, arguments) #name,
#define VARIADIC(name) #name,
static const char *const LATE_NAMED(LATE_LIBRARY, _names)[] = {
#include LATE_ROWS
};
#undef FUNCTION
#undef PROCEDURE
#undef VARIADIC

static void *LATE_NAMED(LATE_LIBRARY, _functions)[LATE_NAMED(LATE_LIBRARY, _count)];
static LateLibrary LATE_LIBRARY = {.file = LATE_FILE,
    .what = LATE_WHAT,
    .count = LATE_NAMED(LATE_LIBRARY, _count),
    .names = LATE_NAMED(LATE_LIBRARY, _names),
    .functions = LATE_NAMED(LATE_LIBRARY, _functions)};

#define FUNCTION(type, name, parameters, arguments)                                         \
  type name parameters {                                                                    \
    return ((typeof(name) *)late_library_function(&LATE_LIBRARY, LATE_##name)) arguments;   \
  }
#define PROCEDURE(name, parameters, arguments)                                       \
  void name parameters {                                                             \
    ((typeof(name) *)late_library_function(&LATE_LIBRARY, LATE_##name)) arguments;   \
  }
#define VARIADIC(name)
#include LATE_ROWS
#undef FUNCTION
#undef PROCEDURE
#undef VARIADIC
#undef LATE_JOIN
#undef LATE_NAMED
