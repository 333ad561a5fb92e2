/* The proof store: one SQLite file with one entry per question. The key is the whole text of the
 * question, so an entry never answers another question.
 * Several processes may write at once, and a process may be killed at any moment: an entry is
 * complete or missing. An entry is only a hint: a refutation is replayed, and the certificate of a
 * proof is checked. */
#ifndef SMT_SOLVER_STORE_H
#define SMT_SOLVER_STORE_H

#include "core/base/arena.h"
#include "core/base/error.h"
#include "smt/smt.h"

typedef struct Store Store;

typedef struct StoreEntry {
  VerdictStatus answer; /* PROVED or REFUTED; UNKNOWN is never stored */
  const char *detail;   /* text for the writer's own use */
} StoreEntry;

/* Opens the file for reading and writing, and creates it and its directories if they are missing. A
 * store without write permission is opened for reading. A file with a schema other than the store's
 * own is rejected. `stop` ends every wait and every statement; it may be null. GIVE. */
[[nodiscard]] bool store_open(const char *path, bool (*stop)(void), Store **store, Error *error);
void store_close(Store *store);
[[nodiscard]] bool store_is_read_only(const Store *store);
[[nodiscard]] bool store_find(
    Store *store, Arena *arena, const char *key, bool *found, StoreEntry *entry, Error *error);
/* Replaces an existing entry. */
[[nodiscard]] bool store_put(Store *store, const char *key, const StoreEntry *entry, Error *error);

#endif
