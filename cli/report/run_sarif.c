/* affirm writes level `error` for what is refuted and for bad input; the end of the rule's
 * identifier says which. */
#include "cli/report/run_sarif.h"

#include <string.h>

static const char *sarif_text(Arena *arena, const cJSON *object, const char *name) {
  const cJSON *found = cJSON_GetObjectItemCaseSensitive(object, name);
  return cJSON_IsString(found) ? arena_text(arena, found->valuestring, strlen(found->valuestring))
                               : "";
}

static RunRow sarif_row(Arena *arena, const cJSON *result) {
  const cJSON *location = cJSON_GetArrayItem(cJSON_GetObjectItem(result, "locations"), 0);
  const cJSON *physical = cJSON_GetObjectItem(location, "physicalLocation");
  const char *id = sarif_text(arena, result, "ruleId"),
             *words = sarif_text(arena, cJSON_GetObjectItem(result, "message"), "text");
  const bool is_bad = string_ends_with(id, "/bad-input"),
             is_error = strcmp(sarif_text(arena, result, "level"), "error") == 0;
  RunRow row = {.kind = arena_text(arena, id, strcspn(id, "/")),
      .file = sarif_text(arena, cJSON_GetObjectItem(physical, "artifactLocation"), "uri"),
      .heading = arena_text(arena, words, strcspn(words, "\n")),
      .verdict = is_bad     ? "bad input"
                 : is_error ? "refuted"
                            : "unknown",
      .status = is_bad     ? STATUS_BAD
                : is_error ? STATUS_REFUTED
                           : STATUS_UNDECIDED,
      .notes = ARENA_NEW(arena, const char *, 1),
      .note_count = 1,
      .direction = "",
      .from_name = "",
      .to_name = "",
      .witness = ""};
  row.key = arena_printf(arena, "%s %s %s", row.kind, row.file, row.heading);
  row.notes[0] = words;
  return row;
}

bool run_read_sarif(Arena *arena, const cJSON *whole, ReportRun *run) {
  const cJSON *one, *result;
  cJSON_ArrayForEach(one, cJSON_GetObjectItemCaseSensitive(whole, "runs")) {
    const cJSON *results = cJSON_GetObjectItemCaseSensitive(one, "results");
    run->only_faults |= cJSON_IsArray(results) != 0;
    cJSON_ArrayForEach(result, results) * ARENA_PUSH(arena, run) = sarif_row(arena, result);
  }
  return run->only_faults;
}
