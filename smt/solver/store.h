/* The proof store: one SQLite file, an entry a question. The key is the whole text of the question
 * with the versions of encoder and solver, so an entry answers exactly what was asked. Several
 * processes may write at once, and a process may die at any moment: an entry is there whole or not
 * at all. A refutation is a hint only: whoever reads one replays it. */
#ifndef SMT_STORE_H
#define SMT_STORE_H

#include "core/base/arena.h"
#include "core/base/error.h"
#include "smt/smt.h"

typedef struct Store Store;

typedef struct StoreEntry {
  SmtAnswer answer;   /* PROVED or REFUTED; UNKNOWN is never stored */
  const char *detail; /* what the writer wanted to keep, as text */
} StoreEntry;

/* Makes the file, and the folder that it stands in, where they are missing. GIVE. */
[[nodiscard]] bool store_open(const char *path, Store **store, Error *error);
void store_close(Store *store);
[[nodiscard]] bool store_find(
    Store *store, Arena *arena, const char *key, bool *found, StoreEntry *entry, Error *error);
/* Replaces what is there. */
[[nodiscard]] bool store_put(Store *store, const char *key, const StoreEntry *entry, Error *error);

/* $AFFIRM_STORE, or .affirm/proofs.sqlite. */
[[nodiscard]] const char *store_default_path(void);

#endif
