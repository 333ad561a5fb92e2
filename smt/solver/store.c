/* SQLite in write-ahead mode: readers never wait for writers, and a write is one transaction. A
 * busy file is waited for. */
#include "smt/solver/store.h"

#include <assert.h>
#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static constexpr int wait_milliseconds = 20'000;

struct Store {
  sqlite3 *database;
  sqlite3_stmt *find, *put;
};

const char *store_default_path(void) {
  const char *path = getenv("AFFIRM_STORE");
  return path != nullptr && path[0] != 0 ? path : ".affirm/proofs.sqlite";
}

static bool fail(Store *store, const char *what, Error *error) {
  return error_set(error, ERROR_ENVIRONMENT, "the proof store cannot %s: %s", what,
      store->database == nullptr ? "out of memory" : sqlite3_errmsg(store->database));
}

static bool make_folder(const char *path, Error *error) {
  const char *slash = strrchr(path, '/');
  if (slash == nullptr || slash == path) return true;
  char folder[4096];
  size_t length = (size_t)(slash - path);
  if (length >= sizeof folder)
    return error_set(error, ERROR_ENVIRONMENT, "the path of the proof store is too long");
  memcpy(folder, path, length);
  folder[length] = 0;
  if (mkdir(folder, 0777) == 0 || errno == EEXIST) return true;
  return error_set(error, ERROR_ENVIRONMENT,
      "the folder '%.200s' of the proof store cannot be made: %s", folder, strerror(errno));
}

static bool prepare(Store *store, const char *text, sqlite3_stmt **statement, Error *error) {
  if (sqlite3_prepare_v2(store->database, text, -1, statement, nullptr) == SQLITE_OK) return true;
  return fail(store, "be read", error);
}

static bool set_up(Store *store, Error *error) {
  sqlite3_busy_timeout(store->database, wait_milliseconds);
  static const char table[] =
      "CREATE TABLE IF NOT EXISTS proofs (key TEXT PRIMARY KEY, answer INTEGER NOT NULL, detail TEXT NOT NULL) WITHOUT ROWID;";
  if (sqlite3_exec(store->database, "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;", nullptr,
          nullptr, nullptr) != SQLITE_OK ||
      sqlite3_exec(store->database, table, nullptr, nullptr, nullptr) != SQLITE_OK)
    return fail(store, "be set up", error);
  return prepare(store, "SELECT answer, detail FROM proofs WHERE key = ?1", &store->find, error) &&
         prepare(store, "INSERT OR REPLACE INTO proofs (key, answer, detail) VALUES (?1, ?2, ?3)",
             &store->put, error);
}

bool store_open(const char *path, Store **store, Error *error) {
  *store = nullptr;
  if (!make_folder(path, error)) return false;
  Store *made = calloc(1, sizeof *made);
  if (made == nullptr) arena_out_of_memory(sizeof *made);
  bool opened = sqlite3_open_v2(path, &made->database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                    nullptr) == SQLITE_OK
                    ? set_up(made, error)
                    : fail(made, "be opened", error);
  if (opened) *store = made;
  else store_close(made);
  return opened;
}

void store_close(Store *store) {
  if (store == nullptr) return;
  sqlite3_finalize(store->find);
  sqlite3_finalize(store->put);
  sqlite3_close(store->database);
  free(store);
}

static const char *column_text(Arena *arena, sqlite3_stmt *statement, int column) {
  const char *text = (const char *)sqlite3_column_text(statement, column);
  return text == nullptr ? "" : arena_text(arena, text, strlen(text));
}

bool store_find(
    Store *store, Arena *arena, const char *key, bool *found, StoreEntry *entry, Error *error) {
  *found = false;
  sqlite3_bind_text(store->find, 1, key, -1, SQLITE_STATIC);
  int step = sqlite3_step(store->find);
  if (step == SQLITE_ROW) {
    int answer = sqlite3_column_int(store->find, 0);
    *found = answer == SMT_PROVED || answer == SMT_REFUTED;
    *entry =
        (StoreEntry){.answer = (SmtAnswer)answer, .detail = column_text(arena, store->find, 1)};
  }
  bool read = step == SQLITE_ROW || step == SQLITE_DONE || fail(store, "be read", error);
  sqlite3_reset(store->find);
  sqlite3_clear_bindings(store->find);
  return read;
}

bool store_put(Store *store, const char *key, const StoreEntry *entry, Error *error) {
  assert(entry->answer != SMT_UNKNOWN);
  sqlite3_bind_text(store->put, 1, key, -1, SQLITE_STATIC);
  sqlite3_bind_int(store->put, 2, entry->answer);
  sqlite3_bind_text(store->put, 3, entry->detail, -1, SQLITE_STATIC);
  bool written = sqlite3_step(store->put) == SQLITE_DONE || fail(store, "be written", error);
  sqlite3_reset(store->put);
  sqlite3_clear_bindings(store->put);
  return written;
}
