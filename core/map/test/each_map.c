/* Walks a directory at most 16 levels deep, its files in directory order. */
#include "core/map/test/each_map.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "core/base/file.h"
#include "core/map/text.h"

static constexpr int deepest_directory = 16;

typedef struct EachMap {
  void (*visit)(void *user, MapContext *context, const Map *map, const char *path, uint32_t line);
  void *user;
  int files;
} EachMap;

static void visit_line(const EachMap *each, MapContext *context, const char *path, uint32_t number,
    const char *line, size_t length) {
  const char *open = memchr(line, '(', length);
  const char *start = open == nullptr ? line : open;
  Source source = {
      .name = path, .text = start, .length = length - (size_t)(start - line), .first_line = number};
  const Map *map;
  Error error = {};
  MapMark mark = map_context_mark(context);
  if (map_parse(context, &source, &map, &error))
    each->visit(each->user, context, map, path, number);
  map_context_rewind(context, mark);
}

static void visit_file(EachMap *each, const char *path) {
  MapContext *context = map_context_create();
  Source source;
  Error error = {};
  uint32_t number = 0;
  if (file_read(context->arena, path, 1 << 26, &source, &error)) {
    each->files++;
    for (const char *at = source.text, *end = source.text + source.length; at < end;) {
      const char *stop = memchr(at, '\n', (size_t)(end - at));
      size_t length = stop == nullptr ? (size_t)(end - at) : (size_t)(stop - at);
      visit_line(each, context, path, ++number, at, length);
      at += length + 1;
    }
  }
  map_context_destroy(context);
}

static void visit_directory(EachMap *each, const char *directory, int depth) {
  DIR *entries = depth > deepest_directory ? nullptr : opendir(directory);
  if (entries == nullptr) return;
  for (struct dirent *entry; (entry = readdir(entries)) != nullptr;) {
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
    if (length < 0 || (size_t)length >= sizeof path || entry->d_name[0] == '.') continue;
    if (entry->d_type == DT_DIR) visit_directory(each, path, depth + 1);
    else visit_file(each, path);
  }
  closedir(entries);
}

int each_map(const char *directory,
    void (*visit)(void *user, MapContext *context, const Map *map, const char *path, uint32_t line),
    void *user) {
  EachMap each = {.visit = visit, .user = user};
  visit_directory(&each, directory, 0);
  return each.files;
}
