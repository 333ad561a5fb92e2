/* The sources of a score's questions. Affirm's own parsers read each source; what they reject is
 * counted and not scored. */
#include <string.h>

#include "cli/modules.h"
#include "cli/paths.h"
#include "cli/score/score.h"
#include "cli/progress.h"
#include "cli/session_guard.h"
#include "core/base/file.h"
#include "core/hlo/read/read.h"
#include "core/map/lines.h"
#include "core/map/text.h"
#include "judge/cases/case_give.h"
#include "exhaust/scopes/scope.h"

static bool goes_on(const Scorer *scorer) {
  return !scorer->is_broken && !session_is_interrupted();
}

static void score_text_of_module(Scorer *scorer, Arena *arena, const Source *source) {
  const Module *module;
  Error error = {};
  if (!hlo_read(arena, source, &module, &error)) score_unread(scorer, &error);
  else if (module->entry != nullptr) score_module(scorer, module);
  else if (!error_at(&error, ERROR_INPUT, source, 0, 1, "the module has no entry computation"))
    score_unread(scorer, &error);
}

/* Cases of other verbs have no question for an engine. */
static void score_case(Scorer *scorer, Arena *arena, const Case *one) {
  if (one->verb == VERB_SIMPLIFY || one->verb == VERB_KEEPS) score_map(scorer, &one->input);
  else if (one->verb == VERB_COMPOSE) score_pair(scorer, &one->input);
  else if (one->verb == VERB_MAP || one->verb == VERB_CHECK)
    score_text_of_module(scorer, arena, case_entry_source(arena, &one->block));
}

static void score_cases(Scorer *scorer, Arena *arena, const Source *source) {
  CaseFile cases;
  Error error = {};
  scorer->place.part = "cases";
  scorer->place.whole = source;
  if (!cases_parse(arena, source, &cases, &error)) {
    score_unread(scorer, &error);
    return;
  }
  for (uint32_t i = 0; i < cases.count && goes_on(scorer); i++) {
    ArenaMark mark = arena_mark(arena);
    session_item(i, cases.count, "cases", "%s of %s", cases.items[i].name, source->name);
    scorer->place.name = cases.items[i].name;
    score_case(scorer, arena, &cases.items[i]);
    arena_rewind(arena, mark);
  }
}

static bool score_sources_visit(void *state, Arena *, const Module *module, ModulePosition) {
  Scorer *scorer = state;
  if (module->entry != nullptr) score_module(scorer, module);
  return goes_on(scorer);
}

static void score_sources_unread(void *state, const Error *error) {
  score_note_unread(state, error->line, error->message);
}

/* Scores the maps of a text, as `affirm check` reads them. */
static void score_lines(Scorer *scorer, Arena *arena, const Source *source) {
  MapLines lines = {.source = source, .number = source->first_line};
  uint64_t all = session_lines(source);
  scorer->place.part = "maps";
  while (lines.at < source->length && goes_on(scorer)) {
    ArenaMark mark = arena_mark(arena);
    session_item(
        lines.number - source->first_line, all, "lines", "%s:%u", source->name, lines.number);
    const Source map = map_lines_next(arena, &lines);
    scorer->place.name = map.text;
    if (!map_line_is_skipped(&map)) score_map(scorer, &map);
    arena_rewind(arena, mark);
  }
}

void score_file(Scorer *scorer, const char *path) {
  Arena *arena = arena_create();
  Source source;
  Error error = {};
  scorer->sources++;
  scorer->place = (ScorePlace){.path = path, .part = "files", .name = path};
  session_at("%s", path);
  if (!file_read_text(arena, path, file_limit, &source, &error)) {
    score_unread(scorer, &error);
  } else if (string_ends_with(path, ".case")) {
    score_cases(scorer, arena, &source);
  } else if (map_lines_begin(&source)) {
    score_lines(scorer, arena, &source);
  } else {
    scorer->place.part = "modules";
    (void)modules_walk(arena, &source, score_sources_visit, score_sources_unread, scorer);
  }
  arena_destroy(arena);
}

static void score_unread_path(Scorer *scorer, const char *path, const Error *error) {
  scorer->place = (ScorePlace){.path = path, .part = "files", .name = path};
  score_unread(scorer, error);
}

/* Cases that must fail say nothing about an engine. */
static void leave_out(Scorer *scorer, const char *path) {
  scorer->left_out++;
  results_add(scorer->results, &(Result){.part = "files",
                                   .name = path,
                                   .file = path,
                                   .is_left_out = true,
                                   .text = "cases that must fail say nothing about an engine"});
}

/* The corpus has a directory of faults, and texts that are records or answers of other engines. */
bool score_directory(Scorer *scorer, const char *path, bool is_corpus) {
  static const char *const tails[] = {".case", ".hlo", ".txt", ".maps"};
  PathList irregular = {}, outside = {};
  PathSearch search = {.directory = path,
      .left_out = is_corpus ? "faults" : nullptr,
      .tail_count = is_corpus ? 2 : sizeof tails / sizeof *tails,
      .tails = tails,
      .irregular = &irregular,
      .outside = &outside};
  if (!path_is_directory(path)) return false;
  Arena *arena = arena_create();
  PathList found = {};
  Error error = {};
  bool is_found = paths_find(arena, &search, &found, &error);
  if (is_found && found.count + irregular.count == 0)
    is_found = error_of_file(
        &error, ERROR_INPUT, path, "no .hlo, .txt, .maps or .case file in this directory");
  if (!is_found) score_unread_path(scorer, path, &error);
  results_add_outside(scorer->results, path, outside.count, outside.items);
  scorer->left_out += outside.count;
  for (uint32_t i = 0; i < irregular.count; i++) {
    Error of_entry = {};
    if (!file_check_regular(irregular.items[i], &of_entry))
      score_unread_path(scorer, irregular.items[i], &of_entry);
    else *ARENA_PUSH(arena, &found) = irregular.items[i]; /* a file has taken its place */
  }
  Progress progress = progress_begin("files", found.count, true);
  for (uint32_t i = 0; i < found.count && goes_on(scorer); i++) {
    progress_at(&progress, i, found.items[i]);
    if (string_ends_with(found.items[i], ".bad.case")) leave_out(scorer, found.items[i]);
    else score_file(scorer, found.items[i]);
  }
  progress_clear();
  arena_destroy(arena);
  return true;
}

/* Whether engines can be asked about the cases of the scope. */
static bool is_scored(const Scope *scope) {
  return scope_is_of_modules(scope->kind) || scope->kind == SCOPE_MAPS ||
         scope->kind == SCOPE_OPERATORS || scope->kind == SCOPE_COMPOSITIONS;
}

static void score_scope_case(Scorer *scorer, Arena *arena, const ScopePlan *plan, uint64_t k) {
  Text text = text_create(arena);
  scope_write_case(plan, k, &text);
  Source *source = ARENA_NEW(arena, Source, 1);
  *source = (Source){
      .name = plan->scope->name, .text = text.bytes, .length = text.length, .first_line = 1};
  scorer->place = (ScorePlace){.part = "scopes", .name = plan->scope->name};
  if (scope_is_of_modules(plan->scope->kind)) score_text_of_module(scorer, arena, source);
  else if (plan->scope->kind != SCOPE_COMPOSITIONS) score_map(scorer, source);
  else score_pair(scorer, source);
}

static void score_scope(Scorer *scorer, Arena *arena, const ScopePlan *plan, uint64_t most) {
  uint64_t count = plan->count < most ? plan->count : most;
  scorer->sources += count > 0;
  Progress progress = progress_begin("cases", count, true);
  for (uint64_t i = 0; i < count && goes_on(scorer); i++) {
    ArenaMark mark = arena_mark(arena);
    progress_at(&progress, i, plan->scope->name);
    session_at("case %llu of %llu of the scope %s", (unsigned long long)i + 1,
        (unsigned long long)count, plan->scope->name);
    score_scope_case(
        scorer, arena, plan, (uint64_t)((unsigned _BitInt(128))i * plan->count / count));
    arena_rewind(arena, mark);
  }
  progress_clear();
}

bool score_scopes(Scorer *scorer, const char *name, uint32_t tier, uint64_t most) {
  bool any = false;
  for (uint32_t i = 0; i < scope_count && goes_on(scorer); i++) {
    if (!is_scored(&scopes[i]) || (name != nullptr && strcmp(scopes[i].name, name) != 0)) continue;
    Arena *arena = arena_create();
    ScopePlan *plan = scope_plan_create(&scopes[i], (Tier)tier);
    any |= plan->count > 0;
    score_scope(scorer, arena, plan, most);
    scope_plan_destroy(plan);
    arena_destroy(arena);
  }
  return any;
}
