/* The file is read once, when it is opened. From then on it is only appended to. */
#include "watch/kept.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "core/base/file.h"
#include "watch/record.h"

static constexpr size_t kept_limit = (size_t)1 << 30;

static void index_line(KeptResults *kept, const char *line, size_t length) {
  ArenaMark mark = arena_mark(kept->arena);
  StepVerdict verdict;
  uint64_t key;
  bool is_whole = record_parse(kept->arena, line, length, &key, &verdict);
  arena_rewind(kept->arena, mark);
  if (!is_whole) {
    kept->torn += length > 0;
    return;
  }
  *ARENA_PUSH(kept->arena, kept) = (KeptLine){key, line, length};
  table_add(&kept->table, kept->arena, key, kept->count - 1);
}

/* A record may be torn after any byte, also the first one of the file. */
static bool is_of_records(const Source *source) {
  static const char head[] = "step\t";
  size_t length = source->length < strlen(head) ? source->length : strlen(head);
  return memcmp(source->text, head, length) == 0;
}

bool kept_open(KeptResults *kept, Arena *arena, const char *path, Error *error) {
  Source *source = ARENA_NEW(arena, Source, 1);
  *kept = (KeptResults){
      .arena = arena, .file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644)};
  if (kept->file < 0) return error_set(error, ERROR_ENVIRONMENT, "%s: %s", path, strerror(errno));
  if (!file_read(arena, path, kept_limit, source, error)) return false;
  if (!is_of_records(source))
    return error_set(error, ERROR_INPUT, "%s: not a journal of affirm watch", path);
  const char *end = source->text + source->length;
  for (const char *line = source->text; line < end;) {
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    if (stop == nullptr) stop = end;
    index_line(kept, line, (size_t)(stop - line));
    line = stop + 1;
  }
  if (source->length > 0 && end[-1] != '\n' && !file_append(kept->file, "\n", 1))
    return error_set(error, ERROR_ENVIRONMENT, "%s: %s", path, strerror(errno));
  return true;
}

bool kept_find(KeptResults *kept, Arena *arena, uint64_t key, StepVerdict *verdict) {
  uint32_t item;
  uint64_t found;
  if (kept->file < 0) return false;
  for (TableProbe probe = table_probe(&kept->table, key);
      table_next(&kept->table, &probe, &item);) {
    const KeptLine *line = &kept->items[item];
    if (line->key != key || !record_parse(arena, line->line, line->length, &found, verdict))
      continue;
    kept->used++;
    return true;
  }
  return false;
}

bool kept_add(const KeptResults *kept, uint64_t key, const StepVerdict *verdict) {
  if (kept->file < 0 || verdict->is_lost || verdict->answer == REASON_MALFORMED) return true;
  Arena *arena = arena_create();
  Text text = text_create(arena);
  record_print(&text, key, verdict);
  bool is_written = file_append(kept->file, text.bytes, text.length);
  arena_destroy(arena);
  return is_written;
}

void kept_close(KeptResults *kept) {
  if (kept->file >= 0) close(kept->file);
  kept->file = -1;
}
