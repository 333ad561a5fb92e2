/* The proof store: one SQLite file, an entry a question. The key is the whole text of the question,
 * so an entry answers exactly what was asked.
 * Several processes may write at once, and a process may die at any moment: an entry is there whole
 * or not at all. An entry is a hint only: a refutation is replayed, and the certificate of a proof
 * is checked. */
#ifndef SMT_STORE_H
#define SMT_STORE_H

#include "core/base/arena.h"
#include "core/base/error.h"
#include "smt/smt.h"

typedef struct Store Store;

typedef struct StoreEntry {
  VerdictStatus answer; /* PROVED or REFUTED; UNKNOWN is never stored */
  const char *detail;   /* what the writer wanted to keep, as text */
} StoreEntry;

/* Opens the file for reading and writing, and makes it and the directories above it where they are
 * missing. A store that this user may only read is opened for reading. A file with any other schema
 * than the store's own is rejected. `stop` ends every wait and every statement; it may be null.
 * GIVE. */
[[nodiscard]] bool store_open(const char *path, bool (*stop)(void), Store **store, Error *error);
void store_close(Store *store);
[[nodiscard]] bool store_is_read_only(const Store *store);
[[nodiscard]] bool store_find(
    Store *store, Arena *arena, const char *key, bool *found, StoreEntry *entry, Error *error);
/* Replaces what is there. */
[[nodiscard]] bool store_put(Store *store, const char *key, const StoreEntry *entry, Error *error);

#endif
