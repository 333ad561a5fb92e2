/* A user's rules are parsed after the engine's, into one set: reusing a name of the engine is an
 * error, and so is an `order:` or `example:` line that does not parse. A directory means all rule
 * files below it. */
#include "cli/prove/rule_files.h"

#include <string.h>

#include "cli/session.h"
#include "core/base/file.h"
#include "core/simplify/match/plan.h"
#include "core/simplify/rule_lines.h"

/* Whether the engine can run the rules; the error is at the rule that it cannot. */
static bool rules_can_run(Arena *arena, const Source *source, const RuleSet *rules, Error *error) {
  for (uint32_t i = 0; i < rules->count; i++) {
    MatchPlan plan;
    Error found = {};
    if (!plan_compile(arena, &rules->items[i], &plan, &found))
      return error_at(
          error, found.kind, source, rules->items[i].offset, strlen("rule"), "%s", found.message);
  }
  return true;
}

bool rule_files_read(Arena *arena, const char *path, const RuleSet **rules, Error *error) {
  *rules = nullptr;
  if (path == nullptr) return true;
  Source *source = ARENA_NEW(arena, Source, 1);
  RuleSet *set = ARENA_NEW(arena, RuleSet, 1);
  if (!file_read_text(arena, path, file_limit, source, error)) return false;
  if (!rules_engine(arena, set, error)) return false;
  uint32_t own = set->count;
  if (!rules_parse(arena, source, set, error)) return false;
  const RuleSet added = {.count = set->count - own, .items = set->items + own};
  if (!rules_lines_parse(arena, source, &added, error) ||
      !rules_can_run(arena, source, &added, error))
    return false;
  *rules = set;
  return true;
}

bool rule_files_find(
    Arena *arena, const char *path, PathList *found, uint64_t *passed_over, Error *error) {
  static const char *const tails[] = {".rules"};
  if (!path_is_directory(path)) {
    *ARENA_PUSH(arena, found) = path;
    return true;
  }
  PathSearch search = {.directory = path, .tail_count = 1, .tails = tails};
  uint32_t before = found->count;
  if (!paths_find(arena, &search, found, error)) return false;
  *passed_over += search.passed_over;
  return found->count > before ||
         error_of_file(error, ERROR_INPUT, path, "no .rules file in this directory");
}

const char *rule_files_passed_over(Arena *arena, uint64_t count) {
  if (count == 0) return "";
  return arena_printf(arena, "; passed over %s (other names)", counted(count, "file"));
}
