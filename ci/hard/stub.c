/* Replacements for the solver, SQLite and cJSON, which are not instrumented, in ci/hard/memory. No
 * solver check has a result, no store opens, no text is JSON. STUBS is a file of rows TEXT(name),
 * POINTER(name) and NUMBER(name), generated from the headers. */
static char nothing[64];

#define TEXT(name) \
  const char *name(void); \
  const char *name(void) { return ""; }
#define POINTER(name) \
  void *name(void); \
  void *name(void) { return nothing; }
#define NUMBER(name) \
  long name(void); \
  long name(void) { return 0; }
#include STUBS

int sqlite3_open_v2(void);
int sqlite3_open_v2(void) { return 1; }
