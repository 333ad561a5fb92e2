/* affirm prove --confluence: critical pairs of the engine's rules. For each pair of rules, maps are
 * made from both left sides, each put into the other's letters, with bounds at the edges of the
 * guards (generate/from_rules.h). A map on which either rule fires alone is a peak: it is rewritten
 * by the first rule to the end, and by the second, and the engine simplifies both reducts. Equal
 * texts are joined. Of each pair the first peak that is not joined is kept; the file of known ones
 * names it with a reason. The maps of a pair are always the same. */
#include "cli/prove/prove_confluence.h"

#include <stdlib.h>
#include <string.h>

#include "cli/report/json.h"
#include "cli/progress.h"
#include "cli/session_guard.h"
#include "core/base/file.h"
#include "core/map/text.h"
#include "core/simplify/simplify.h"
#include "generate/from_rules.h"

static constexpr uint32_t default_tries = 300;
static constexpr uint32_t bytes_of_a_map = 64;
static constexpr uint32_t peaks_of_a_pair = 8;

typedef struct Peak {
  const char *map, *left, *right; /* what each reduct becomes */
} Peak;

typedef struct KnownPair {
  const char *first, *second, *why;
  bool is_met;
} KnownPair;

typedef struct KnownList {
  uint32_t count, capacity;
  KnownPair *items;
} KnownList;

typedef struct Confluence {
  const ConfluenceOptions *options;
  Arena *arena;
  MapContext *context;
  RuleSet rules;
  Simplifier *whole, **alone; /* the engine; each rule by itself */
  KnownList known;
  uint64_t peaks, joined;
  uint32_t pairs, meeting, open_pairs, listed, missed;
  Status status;
} Confluence;

static void confluence_note(Confluence *run, Status status) {
  run->status = status_worse(run->status, status);
}

static const char *text_of(Confluence *run, const Map *map) {
  Text text = text_create(run->arena);
  map_print(&text, run->context, map, MAP_STYLE_LINE);
  return text.bytes;
}

/* What a simplifier makes of a map; nullptr where it leaves it as it is. */
static const Map *reduct(Confluence *run, Simplifier *simplifier, const Map *map) {
  const Map *result;
  Error error = {};
  Trace trace = {.arena = run->arena};
  if (!simplify_map(simplifier, map, nullptr, &result, &trace, &error)) return nullptr;
  for (uint32_t i = 0; i < trace.count; i++)
    if (trace.items[i].rule != nullptr) return result;
  return nullptr;
}

static const Map *confluence_simplified(Confluence *run, const Map *map) {
  const Map *result;
  Error error = {};
  return simplify_map(run->whole, map, nullptr, &result, nullptr, &error) ? result : nullptr;
}

/* The map with one of its results alone, or one of its constraints: both rules fire there. */
static const Map *part_of(Confluence *run, const Map *map, uint32_t part) {
  bool is_result = part < map->result_count;
  Map *alone = map_copy_variables(run->arena, map, is_result, !is_result);
  if (is_result) alone->results[0] = map->results[part];
  else alone->constraints[0] = map->constraints[part - map->result_count];
  alone->sources = nullptr;
  return alone;
}

/* Whether the map is a peak that is not joined. */
static bool try_part(
    Confluence *run, uint32_t first, uint32_t second, const Map *map, Peak *peak, uint32_t *met) {
  const Map *left = reduct(run, run->alone[first], map),
            *right = left == nullptr ? nullptr : reduct(run, run->alone[second], map);
  if (right == nullptr) return false;
  left = confluence_simplified(run, left);
  right = confluence_simplified(run, right);
  if (left == nullptr || right == nullptr) return false;
  ++*met;
  run->peaks++;
  *peak = (Peak){text_of(run, map), text_of(run, left), text_of(run, right)};
  bool is_joined = strcmp(peak->left, peak->right) == 0;
  run->joined += is_joined;
  return !is_joined;
}

/* xorshift: the same bytes for the same pair. */
static void bytes_fill(uint64_t *state, uint8_t *bytes) {
  for (uint32_t i = 0; i < bytes_of_a_map; i++) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    bytes[i] = (uint8_t)(*state >> 32);
  }
}

static KnownPair *find_known(Confluence *run, const char *first, const char *second) {
  for (uint32_t i = 0; i < run->known.count; i++) {
    KnownPair *known = &run->known.items[i];
    bool one = strcmp(known->first, first) == 0 && strcmp(known->second, second) == 0,
         other = strcmp(known->first, second) == 0 && strcmp(known->second, first) == 0;
    if (one || other) return known;
  }
  return nullptr;
}

static bool peak_print(Confluence *run, uint32_t first, uint32_t second, const Peak *peak) {
  const char *names[] = {run->rules.items[first].name, run->rules.items[second].name};
  KnownPair *known = find_known(run, names[0], names[1]);
  bool is_missed = strlen(peak->left) != strlen(peak->right);
  run->open_pairs++;
  run->missed += is_missed;
  run->listed += known != nullptr;
  if (known != nullptr) known->is_met = true;
  else confluence_note(run, STATUS_REFUTED);
  if (known != nullptr && run->options->quiet) return true;
  Text text = text_create(run->arena);
  if (run->options->json) {
    Json json = json_begin(&text);
    json_string(&json, "first", names[0]);
    json_string(&json, "second", names[1]);
    json_string(&json, "map", peak->map);
    json_string(&json, "left", peak->left);
    json_string(&json, "right", peak->right);
    json_string(&json, "why", known == nullptr ? "" : known->why);
    json_end(&json);
  } else
    text_printf(&text, "%s %s: not joined%s, %s\n  map    %s\n  first  %s\n  second %s\n", names[0],
        names[1], is_missed ? ", lengths differ" : "", known == nullptr ? "NOT LISTED" : known->why,
        peak->map, peak->left, peak->right);
  return session_print(text.bytes);
}

/* Of the peaks that are not joined, those whose members have different lengths come first, then the
 * shortest. */
static bool is_better(const Peak *peak, const Peak *kept) {
  if (kept->map == nullptr) return true;
  bool one = strlen(peak->left) != strlen(peak->right),
       other = strlen(kept->left) != strlen(kept->right);
  return one != other ? one : strlen(peak->map) < strlen(kept->map);
}

static bool judge_pair(Confluence *run, uint32_t first, uint32_t second) {
  uint32_t tries = run->options->tries > 0 ? (uint32_t)run->options->tries : default_tries, met = 0;
  const Rule pair[] = {run->rules.items[first], run->rules.items[second]};
  const RuleSet both = {.count = 2, .items = (Rule *)pair};
  uint64_t state = UINT64_C(0x9e3779b97f4a7c15) * (first * run->rules.count + second + 1);
  Peak kept = {};
  uint8_t bytes[bytes_of_a_map];
  for (uint32_t i = 0; i < tries && met < peaks_of_a_pair; i++) {
    MapMark mark = map_context_mark(run->context);
    bytes_fill(&state, bytes);
    Peak peak;
    const Map *map = fuzz_map_from_rules(run->context, &both, bytes, sizeof bytes);
    for (uint32_t part = 0; part < map->result_count + map->constraint_count; part++)
      if (try_part(run, first, second, part_of(run, map, part), &peak, &met) &&
          is_better(&peak, &kept))
        kept = peak;
    map_context_rewind(run->context, mark);
  }
  run->pairs++;
  run->meeting += met > 0;
  return kept.map == nullptr || peak_print(run, first, second, &kept);
}

/* A line: RULE RULE REASON. */
static bool read_known(Confluence *run, Error *error) {
  Source source;
  if (run->options->listed == nullptr) return true;
  if (!file_read(run->arena, run->options->listed, file_limit, &source, error)) return false;
  char *text = arena_printf(run->arena, "%s", source.text), *next;
  for (char *line = strtok_r(text, "\n", &next); line != nullptr;
      line = strtok_r(nullptr, "\n", &next)) {
    char *rest, *first = strtok_r(line, " ", &rest), *second = strtok_r(nullptr, " ", &rest);
    if (first == nullptr || *first == '#') continue;
    if (second == nullptr || *rest == 0)
      return error_set(
          error, ERROR_INPUT, "%s: a line is RULE RULE REASON: %s", run->options->listed, first);
    *ARENA_PUSH(run->arena, &run->known) = (KnownPair){first, second, rest, false};
  }
  return true;
}

static bool open_engines(Confluence *run, Error *error) {
  if (!rules_engine(run->arena, &run->rules, error)) return false;
  run->context = map_context_create();
  run->whole = simplifier_create(run->context, nullptr, error);
  run->alone = ARENA_NEW(run->arena, Simplifier *, run->rules.count);
  for (uint32_t i = 0; i < run->rules.count; i++) {
    RuleSet *one = ARENA_NEW(run->arena, RuleSet, 1);
    *one = (RuleSet){.count = 1, .items = &run->rules.items[i]};
    run->alone[i] = simplifier_create(run->context, one, error);
    if (run->alone[i] == nullptr) return false;
  }
  return run->whole != nullptr;
}

static void tell_rest(Confluence *run) {
  for (uint32_t i = 0; i < run->known.count; i++) {
    if (run->known.items[i].is_met) continue;
    confluence_note(run, STATUS_UNDECIDED);
    session_warn("%s %s: listed, and no peak was found that is not joined",
        run->known.items[i].first, run->known.items[i].second);
  }
  if (run->meeting == 0 || session_is_interrupted()) confluence_note(run, STATUS_UNDECIDED);
  if (run->options->json) return;
  fprintf(stderr,
      "%s of rules, %u meet; %s, %llu joined; %s with one that is not, %u of them listed; in %u lengths differ\n",
      counted(run->pairs, "pair"), run->meeting, counted(run->peaks, "peak"),
      (unsigned long long)run->joined, counted(run->open_pairs, "pair"), run->listed, run->missed);
}

Status prove_confluence(const ConfluenceOptions *options) {
  Confluence run = {.options = options, .arena = arena_create()};
  Error error = {};
  bool goes_on = read_known(&run, &error) && open_engines(&run, &error);
  if (!goes_on) confluence_note(&run, session_fail(&error));
  Progress progress = progress_begin(
      "pairs of rules", (uint64_t)run.rules.count * (run.rules.count - 1) / 2, !options->json);
  uint64_t done = 0;
  for (uint32_t i = 0; goes_on && i < run.rules.count; i++)
    for (uint32_t j = i + 1; goes_on && j < run.rules.count && !session_is_interrupted(); j++) {
      progress_at(&progress, done++, run.rules.items[i].name);
      session_at("%s and %s", run.rules.items[i].name, run.rules.items[j].name);
      goes_on = judge_pair(&run, i, j);
    }
  progress_clear();
  if (run.rules.count > 0) tell_rest(&run);
  for (uint32_t i = 0; run.alone != nullptr && i < run.rules.count; i++)
    simplifier_destroy(run.alone[i]);
  simplifier_destroy(run.whole);
  if (run.context != nullptr) map_context_destroy(run.context);
  arena_destroy(run.arena);
  return run.status;
}
