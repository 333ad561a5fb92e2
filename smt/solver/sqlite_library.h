/* SQLite's library, which is opened on first use (sqlite_library.c). */
#ifndef SMT_SOLVER_SQLITE_LIBRARY_H
#define SMT_SOLVER_SQLITE_LIBRARY_H

/* nullptr: its functions can be called; otherwise the reason, as of late_library_open. */
[[nodiscard]] const char *sqlite_library_open(void);

#endif
