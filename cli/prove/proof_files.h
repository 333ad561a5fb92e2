/* Files that a run of affirm prove writes for its rules: certificates, theorems, obligations. */
#ifndef CLI_PROVE_PROOF_FILES_H
#define CLI_PROVE_PROOF_FILES_H

#include "core/base/arena.h"
#include "core/base/error.h"

typedef struct ProofFiles {
  Arena *arena; /* of the names */
  uint32_t count, capacity;
  const char **items; /* written in this run */
  int input_count;    /* files and directories that the run reads */
  char *const *inputs;
  const char *results[2]; /* files of --junit and --sarif; nullptr: none */
} ProofFiles;

/* DIRECTORY/NAME, to which the caller adds the ending, for a file of one more rule; creates the
 * directory. Each byte of the name becomes `_`, except letters and digits of ASCII, `_` and `-`:
 * the file is in the directory. Before the ending .v, where NAME is that of the theorem, `-` does
 * too. If an earlier rule of the run got this path, a number is appended: _2 before .v, otherwise
 * -2. nullptr with its error. */
[[nodiscard]] const char *proof_files_add(
    ProofFiles *files, const char *directory, const char *name, const char *ending, Error *error);

/* Writes the whole path. A path that is read by the run, or is a file of results, is an error, and
 * is not overwritten. */
[[nodiscard]] bool proof_files_write(
    const ProofFiles *files, const char *path, const char *text, size_t length, Error *error);

#endif
