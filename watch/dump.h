/* A directory of dumps, sorted into modules and passes. XLA names its files
 * `module_NNNN.NAME.before_optimizations.txt`, then
 * `module_NNNN.NAME.MMMM.PIPELINE.after_PASS.before_NEXT.txt`, and at last
 * `module_NNNN.NAME.TARGET_after_optimizations.txt`. Other files `NAME.NUMBER.PASS.hlo` or
 * `NAME.NUMBER.hlo` are steps in the order of the number. A step is one file and the previous
 * file of the module. Two files with the same number are both marked. The last `.after_` of a name
 * is followed by the pass. */
#ifndef WATCH_DUMP_H
#define WATCH_DUMP_H

#include "core/base/arena.h"
#include "core/base/error.h"

typedef struct DumpFile {
  const char *path;
  const char *module;   /* the compile that the file belongs to */
  const char *pipeline; /* or nullptr */
  const char *pass;     /* the pass that wrote the file; nullptr: the module before all passes */
  int64_t number;       /* -1: before all passes; INT64_MAX: after them */
  bool is_repeated;     /* another file of the module has the same number */
  const char *why_unjudged; /* nullptr, or why the file is part of no step */
} DumpFile;

typedef struct Dump {
  uint32_t count, capacity;
  DumpFile *items; /* by module, then by number */
  struct {
    uint32_t count, capacity;
    const char **items;
  } finals; /* paths of the texts after all passes, until their modules are known */
  struct {
    uint32_t count, capacity;
    DumpFile *items;
  } unjudged; /* texts that are part of no step, by path: those without a number that fits, last
                 texts of unknown modules, and directories that are nested too deep */
} Dump;

/* Whether a file of this name is a text of a step or the last text of a module. */
[[nodiscard]] bool dump_reads(const char *name);
/* Includes subdirectories. A directory without a step is ERROR_INPUT. */
[[nodiscard]] bool dump_read(Arena *arena, const char *path, Dump *dump, Error *error);

#endif
