/* What both searches for critical pairs use: the engine's result, and the list of known pairs. */
#include <string.h>

#include "cli/prove/confluence_run.h"
#include "core/base/file.h"
#include "core/map/text.h"

const char *confluence_text(ConfluenceRun *run, Arena *arena, const Map *map) {
  return map_text(arena, run->context, map, MAP_STYLE_LINE);
}

const Map *confluence_simplified(ConfluenceRun *run, const Map *map) {
  const Map *result;
  Error error = {};
  return simplify_map(run->whole, map, nullptr, &result, nullptr, &error) ? result : nullptr;
}

KnownPeak *known_find(
    ConfluenceRun *run, const char *first, const char *second, const char *where) {
  for (uint32_t i = 0; i < run->known.count; i++) {
    KnownPeak *known = &run->known.items[i];
    bool one = strcmp(known->first, first) == 0 && strcmp(known->second, second) == 0,
         other = strcmp(known->first, second) == 0 && strcmp(known->second, first) == 0;
    if (strcmp(known->where, where) == 0 && (one || (other && known->instance == nullptr)))
      return known;
  }
  return nullptr;
}

static bool known_line(ConfluenceRun *run, char *line, Error *error) {
  char *rest, *first = strtok_r(line, " ", &rest), *second = strtok_r(nullptr, " ", &rest),
              *where = second == nullptr ? nullptr : strtok_r(nullptr, " ", &rest);
  if (first == nullptr || *first == '#') return true;
  KnownPeak known = {.first = first, .second = second, .where = where, .kind = ""};
  bool sampled = where != nullptr && strcmp(where, "sampled") == 0;
  if (where != nullptr && !sampled) known.instance = strtok_r(nullptr, " ", &rest);
  bool is_none = known.instance != nullptr && strcmp(known.instance, "none") == 0;
  if (known.instance != nullptr && !is_none) known.kind = strtok_r(nullptr, " ", &rest);
  known.why = rest;
  if (where == nullptr || (!sampled && known.instance == nullptr) || known.kind == nullptr ||
      rest == nullptr || *rest == 0)
    return error_set(error, ERROR_INPUT,
        "%s: a line is RULE RULE OVERLAP INSTANCE KIND REASON, RULE RULE OVERLAP none REASON or RULE RULE sampled REASON: %s",
        run->options->listed, first);
  *ARENA_PUSH(run->arena, &run->known) = known;
  return true;
}

bool known_read(ConfluenceRun *run, Error *error) {
  Source source;
  if (run->options->listed == nullptr) return true;
  if (!file_read(run->arena, run->options->listed, file_limit, &source, error)) return false;
  char *text = arena_printf(run->arena, "%s", source.text), *next;
  for (char *line = strtok_r(text, "\n", &next); line != nullptr;
      line = strtok_r(nullptr, "\n", &next))
    if (!known_line(run, line, error)) return false;
  return true;
}

/* Lines about random maps were made from this many maps, and are checked only in runs with as
 * many. */
static constexpr int64_t maps_of_the_list = 1500;

void known_report_rest(ConfluenceRun *run) {
  for (uint32_t i = 0; i < run->known.count; i++) {
    const KnownPeak *known = &run->known.items[i];
    if (known->is_met || (known->instance == nullptr && run->options->maps < maps_of_the_list))
      continue;
    confluence_note(run, STATUS_UNDECIDED);
    session_warn("%s %s %s: listed, but no result matches its line", known->first, known->second,
        known->where);
  }
}
