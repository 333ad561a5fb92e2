/* A directory of dumps, as the modules and passes that it holds.
 * Names are those of XLA: `module_NNNN.NAME.before_optimizations.txt`, then
 * `module_NNNN.NAME.MMMM.PIPELINE.after_PASS.before_NEXT.txt`. Other `.hlo` files with a number at
 * the end of their name's first part, `NAME.NUMBER.PASS.hlo`, are steps in the order of the number.
 * A step is one file and the one before it; two files of one number are both said to be so. */
#ifndef WATCH_DUMP_H
#define WATCH_DUMP_H

#include "core/base/arena.h"
#include "core/base/error.h"

typedef struct DumpFile {
  const char *path;
  const char *module;   /* which compile the file belongs to */
  const char *pipeline; /* or nullptr */
  const char *pass;     /* that wrote it; nullptr: the module before all passes */
  int64_t number;       /* -1 before all passes */
  bool is_repeated;     /* another file of the module has the same number */
} DumpFile;

typedef struct Dump {
  uint32_t count, capacity;
  DumpFile *items;   /* by module, then by number */
  uint32_t left_out; /* files that are no step */
} Dump;

/* Directories below are read as well. A directory without a step is ERROR_INPUT. */
[[nodiscard]] bool dump_read(Arena *arena, const char *path, Dump *dump, Error *error);

#endif
