/* SQLite in write-ahead mode: readers never wait for writers, and a write is one transaction. A
 * busy file is waited for, until a time limit or `stop`.
 * The file is untrusted until its schema is known to be the store's own: no code in it may run, and
 * `stop` is checked every few thousand steps of a statement. */
#include "smt/solver/store.h"

#include <assert.h>
#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/text.h"
#include "smt/solver/sqlite_library.h"

static constexpr int wait_milliseconds = 20'000;
static constexpr int wait_step_milliseconds = 20;
static constexpr int steps_between = 4'000;
static constexpr uint64_t most_steps = 50'000; /* of one statement, in units of steps_between */
static constexpr int longest_value = 1 << 24;

static const char table[] =
    "CREATE TABLE proofs (key TEXT PRIMARY KEY, answer INTEGER NOT NULL, detail TEXT NOT NULL) WITHOUT ROWID";

struct Store {
  sqlite3 *database;
  sqlite3_stmt *find, *put;
  bool (*stop)(void);
  bool is_read_only;
  uint64_t steps; /* of the current statement */
  char path[256]; /* for messages; a longer one is cut */
};

bool store_is_read_only(const Store *store) { return store->is_read_only; }

static bool store_fail(Store *store, const char *what, Error *error) {
  return error_set(error, ERROR_ENVIRONMENT, "the proof store %s cannot %s: %s", store->path, what,
      store->database == nullptr ? "out of memory" : sqlite3_errmsg(store->database));
}

static bool is_stopped(const Store *store) { return store->stop != nullptr && store->stop(); }

/* Called by SQLite. on_progress: 1 ends the statement. on_busy: 0 ends the wait. */
static int on_progress(void *owner) {
  Store *store = owner;
  return store->steps++ > most_steps || is_stopped(store);
}

static int on_busy(void *owner, int waits) {
  const Store *store = owner;
  if (waits * wait_step_milliseconds >= wait_milliseconds || is_stopped(store)) return 0;
  nanosleep(&(struct timespec){.tv_nsec = wait_step_milliseconds * 1'000'000L}, nullptr);
  return 1;
}

static bool make_directory(const char *path, size_t length, Error *error) {
  char directory[4096];
  if (length >= sizeof directory)
    return error_set(error, ERROR_ENVIRONMENT, "the path of the proof store is too long");
  memcpy(directory, path, length);
  directory[length] = 0;
  if (mkdir(directory, 0700) == 0 || errno == EEXIST || errno == EROFS || errno == EACCES)
    return true;
  return error_set(error, ERROR_ENVIRONMENT,
      "the directory '%.200s' of the proof store cannot be made: %s", directory, strerror(errno));
}

static bool make_directories(const char *path, Error *error) {
  for (const char *slash = strchr(path, '/'); slash != nullptr; slash = strchr(slash + 1, '/'))
    if (slash != path && !make_directory(path, (size_t)(slash - path), error)) return false;
  return true;
}

static bool store_prepare(Store *store, const char *text, sqlite3_stmt **statement, Error *error) {
  if (sqlite3_prepare_v2(store->database, text, -1, statement, nullptr) == SQLITE_OK) return true;
  return store_fail(store, "be read", error);
}

static bool execute(Store *store, const char *text) {
  store->steps = 0;
  return sqlite3_exec(store->database, text, nullptr, nullptr, nullptr) == SQLITE_OK;
}

/* Called before the first statement: disables code in the file, and limits the length of values to
 * that of the store's own. */
static bool distrust(Store *store) {
  sqlite3 *database = store->database;
  static constexpr int off[] = {SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW,
      SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION};
  sqlite3_busy_handler(database, on_busy, store);
  sqlite3_progress_handler(database, steps_between, on_progress, store);
  sqlite3_limit(database, SQLITE_LIMIT_LENGTH, longest_value);
  bool is_set = sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr) == SQLITE_OK;
  for (size_t i = 0; i < sizeof off / sizeof *off; i++)
    is_set = sqlite3_db_config(database, off[i], 0, nullptr) == SQLITE_OK && is_set;
  return is_set && execute(store, "PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON;");
}

/* Counts the objects of the file. `*is_own`: they are exactly the store's table. */
static bool read_schema(Store *store, uint32_t *count, bool *is_own, Error *error) {
  sqlite3_stmt *statement;
  *count = 0;
  *is_own = true;
  store->steps = 0;
  if (!store_prepare(store, "SELECT sql FROM sqlite_schema", &statement, error)) return false;
  int step;
  while ((step = sqlite3_step(statement)) == SQLITE_ROW && ++*count <= 1) {
    const char *sql = (const char *)sqlite3_column_text(statement, 0);
    *is_own = sql != nullptr && strcmp(sql, table) == 0;
  }
  bool is_read = step == SQLITE_ROW || step == SQLITE_DONE || store_fail(store, "be read", error);
  sqlite3_finalize(statement);
  *is_own = *is_own && *count == 1;
  return is_read;
}

/* Two processes may create the table at once, so the schema is read again afterwards. */
static bool require_schema(Store *store, Error *error) {
  uint32_t count;
  bool is_own;
  if (!read_schema(store, &count, &is_own, error)) return false;
  if (count == 0 && !store->is_read_only) {
    Error making = {};
    bool is_made = execute(store, table) || store_fail(store, "be made", &making);
    if (!read_schema(store, &count, &is_own, error)) return false;
    if (!is_made && count == 0) {
      *error = making;
      return false;
    }
  }
  return is_own || error_set(error, ERROR_ENVIRONMENT,
                       "%s is not a proof store: its schema is another one", store->path);
}

/* Entries stay in the write-ahead log until it is long, so a command that proves one rule does not
 * wait for the disk. Entries lost in a crash are proved again. */
static bool set_up(Store *store, Error *error) {
  if (!distrust(store)) return store_fail(store, "be set up", error);
  if (!require_schema(store, error)) return false;
  if (!store->is_read_only &&
      (!execute(store, "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;") ||
          sqlite3_db_config(store->database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr) !=
              SQLITE_OK))
    return store_fail(store, "be set up", error);
  return store_prepare(
             store, "SELECT answer, detail FROM proofs WHERE key = ?1", &store->find, error) &&
         store_prepare(store,
             "INSERT OR REPLACE INTO proofs (key, answer, detail) VALUES (?1, ?2, ?3)", &store->put,
             error);
}

/* A URI of the path: characters other than letters and digits are percent-encoded. Two slashes at
 * the beginning would be those before a host. */
static void print_uri(Text *text, const char *path, const char *parameters) {
  text_string(text, "file:");
  for (const char *at = path; *at != 0; at++) {
    bool is_plain =
        (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9');
    if (is_plain) text_append(text, at, 1);
    else text_printf(text, "%%%02X", (unsigned)(unsigned char)*at);
  }
  text_string(text, parameters);
}

typedef enum OpenMode : uint8_t { OPEN_WRITE, OPEN_READ, OPEN_IMMUTABLE } OpenMode;

static bool open_as(
    OpenMode mode, const char *path, bool (*stop)(void), Store **store, Error *error) {
  static constexpr int flags[] = {SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, SQLITE_OPEN_READONLY,
      SQLITE_OPEN_READONLY | SQLITE_OPEN_URI};
  Store *made = calloc(1, sizeof *made);
  if (made == nullptr) arena_out_of_memory(sizeof *made);
  made->stop = stop;
  snprintf(made->path, sizeof made->path, "%s", path);
  made->is_read_only = mode != OPEN_WRITE;
  Arena *arena = arena_create();
  Text uri = text_create(arena);
  if (mode == OPEN_IMMUTABLE) print_uri(&uri, path, "?immutable=1");
  const char *name = mode == OPEN_IMMUTABLE ? uri.bytes : path;
  bool is_open = sqlite3_open_v2(name, &made->database, flags[mode], nullptr) == SQLITE_OK
                     ? set_up(made, error)
                     : store_fail(made, "be opened", error);
  arena_destroy(arena);
  if (is_open) *store = made;
  else store_close(made);
  return is_open;
}

static bool is_there(const char *path, const char *tail) {
  char name[4096];
  int length = snprintf(name, sizeof name, "%s%s", path, tail);
  return length > 0 && (size_t)length < sizeof name && access(name, F_OK) == 0;
}

/* In a directory without write permission, SQLite reads a file in write-ahead mode only if it may
 * treat the file as immutable. That is valid if no writer's log exists beside it. */
static bool open_read_only(const char *path, bool (*stop)(void), Store **store, Error *error) {
  Error first = {};
  if (open_as(OPEN_READ, path, stop, store, &first)) return true;
  if (!is_there(path, "-wal") && open_as(OPEN_IMMUTABLE, path, stop, store, error)) return true;
  *error = first;
  return false;
}

static bool may_write(const char *path) {
  char directory[4096];
  const char *slash = strrchr(path, '/');
  snprintf(directory, sizeof directory, "%.*s", slash == nullptr ? 1 : (int)(slash - path) + 1,
      slash == nullptr ? "." : path);
  return access(directory, W_OK) == 0 && (!is_there(path, "") || access(path, W_OK) == 0);
}

bool store_open(const char *path, bool (*stop)(void), Store **store, Error *error) {
  *store = nullptr;
  const char *missing = sqlite_library_open();
  if (missing != nullptr)
    return error_set(error, ERROR_ENVIRONMENT, "the proof store cannot be opened: %s", missing);
  if (!make_directories(path, error)) return false;
  if (is_there(path, "") && !may_write(path)) return open_read_only(path, stop, store, error);
  return open_as(OPEN_WRITE, path, stop, store, error);
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

/* Values in the file, independent of the enum. */
static constexpr int stored_proved = 0, stored_refuted = 1;

bool store_find(
    Store *store, Arena *arena, const char *key, bool *found, StoreEntry *entry, Error *error) {
  *found = false;
  store->steps = 0;
  sqlite3_bind_text(store->find, 1, key, -1, SQLITE_STATIC);
  int step = sqlite3_step(store->find);
  if (step == SQLITE_ROW) {
    int answer = sqlite3_column_int(store->find, 0);
    *found = answer == stored_proved || answer == stored_refuted;
    *entry = (StoreEntry){.answer = answer == stored_proved ? VERDICT_PROVED : VERDICT_REFUTED,
        .detail = column_text(arena, store->find, 1)};
  }
  bool read = step == SQLITE_ROW || step == SQLITE_DONE || store_fail(store, "be read", error);
  sqlite3_reset(store->find);
  sqlite3_clear_bindings(store->find);
  return read;
}

bool store_put(Store *store, const char *key, const StoreEntry *entry, Error *error) {
  assert(entry->answer != VERDICT_UNKNOWN);
  if (store->is_read_only)
    return error_set(error, ERROR_ENVIRONMENT, "the proof store %s can only be read", store->path);
  store->steps = 0;
  sqlite3_bind_text(store->put, 1, key, -1, SQLITE_STATIC);
  sqlite3_bind_int(store->put, 2, entry->answer == VERDICT_PROVED ? stored_proved : stored_refuted);
  sqlite3_bind_text(store->put, 3, entry->detail, -1, SQLITE_STATIC);
  bool written = sqlite3_step(store->put) == SQLITE_DONE || store_fail(store, "be written", error);
  sqlite3_reset(store->put);
  sqlite3_clear_bindings(store->put);
  return written;
}
