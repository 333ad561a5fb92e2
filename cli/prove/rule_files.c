/* A user's rules are parsed after the engine's, into one set: a name that the engine has already
 * is an error. */
#include "cli/prove/rule_files.h"

#include "cli/session.h"
#include "core/base/file.h"

bool rule_files_read(Arena *arena, const char *path, const RuleSet **rules, Error *error) {
  *rules = nullptr;
  if (path == nullptr) return true;
  Source *source = ARENA_NEW(arena, Source, 1);
  RuleSet *set = ARENA_NEW(arena, RuleSet, 1);
  if (!file_read_text(arena, path, file_limit, source, error)) return false;
  if (!rules_engine(arena, set, error) || !rules_parse(arena, source, set, error)) return false;
  *rules = set;
  return true;
}
