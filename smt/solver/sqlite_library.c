/* SQLite's library, opened at the first call of one of its functions: most commands use no store of
 * proofs, and four fifths of the symbols that the loader looked up were SQLite's own
 * (docs/decisions/0112-sqlite-and-isl-are-opened-on-first-use.md).
 * AFFIRM_SQLITE_FILE is the library's name for the dynamic loader; without it the library is
 * linked. */
#include "smt/solver/sqlite_library.h"

#ifdef AFFIRM_SQLITE_FILE
#define SQLITE_API __attribute__((visibility("hidden")))

#include <sqlite3.h>
#include <stdarg.h>

#define LATE_ROWS "smt/solver/sqlite_library.def"
#define LATE_LIBRARY sqlite_library
#define LATE_FILE AFFIRM_SQLITE_FILE
#define LATE_WHAT "the proof store"
#include "core/base/late_functions.h"
#undef LATE_ROWS
#undef LATE_LIBRARY
#undef LATE_FILE
#undef LATE_WHAT

/* All options that affirm sets take an int and an int pointer. */
int sqlite3_db_config(sqlite3 *database, int option, ...) {
  va_list rest;
  va_start(rest, option);
  int value = va_arg(rest, int), *result = va_arg(rest, int *);
  va_end(rest);
  return ((typeof(sqlite3_db_config) *)late_library_function(
      &sqlite_library, LATE_sqlite3_db_config))(database, option, value, result);
}

const char *sqlite_library_open(void) { return late_library_open(&sqlite_library); }
#else
const char *sqlite_library_open(void) { return nullptr; }
#endif
