/* A second search for critical pairs. A rule that applies inside a letter of another is no overlap
 * of left sides, but guards read the bounds of letters. For each pair of rules, maps are generated
 * from both left sides, each substituted into the other's letters, with bounds at the edges of the
 * guards (generate/from_rules.h). A map to which both rules apply is a peak: each rule alone
 * rewrites it to the end, and the engine simplifies both reducts. Equal texts are joined. For each
 * pair the first best peak that is not joined is kept. The maps of a pair are always the same. */
#include <string.h>

#include "cli/prove/confluence_run.h"
#include "cli/progress.h"
#include "cli/report/json.h"
#include "cli/session.h"
#include "cli/session_guard.h"
#include "generate/from_rules.h"

static constexpr uint32_t bytes_of_a_map = 64;
static constexpr uint32_t peaks_of_a_pair = 8;
/* Numbers the pairs: the number of the engine's rules when corpus/confluence/peaks.txt was written.
 * A rule that is added at the end leaves the maps of all other pairs as they are. */
static constexpr uint32_t pair_stride = 59;

typedef struct SampledRun {
  ConfluenceRun *run;
  uint64_t peaks, joined;
  uint32_t pairs, meeting, open_pairs, listed, missed;
} SampledRun;

/* The simplified map; nullptr if no rule applied. */
static const Map *reduct(ConfluenceRun *run, Simplifier *simplifier, const Map *map) {
  const Map *result;
  Error error = {};
  Trace trace = {.arena = run->arena};
  if (!simplify_map(simplifier, map, nullptr, &result, &trace, &error)) return nullptr;
  for (uint32_t i = 0; i < trace.count; i++)
    if (trace.items[i].rule != nullptr) return result;
  return nullptr;
}

/* The map with only one of its results, or only one of its constraints. */
static const Map *part_of(ConfluenceRun *run, const Map *map, uint32_t part) {
  bool is_result = part < map->result_count;
  Map *alone = map_copy_variables(run->arena, map, is_result, !is_result);
  if (is_result) alone->results[0] = map->results[part];
  else alone->constraints[0] = map->constraints[part - map->result_count];
  alone->sources = nullptr;
  return alone;
}

/* Whether the map is a peak that is not joined. */
static bool try_part(
    SampledRun *all, uint32_t first, uint32_t second, const Map *map, Peak *peak, uint32_t *met) {
  ConfluenceRun *run = all->run;
  const Map *left = reduct(run, run->alone[first], map),
            *right = left == nullptr ? nullptr : reduct(run, run->alone[second], map);
  if (right == nullptr) return false;
  left = confluence_simplified(run, left);
  right = confluence_simplified(run, right);
  if (left == nullptr || right == nullptr) return false;
  ++*met;
  all->peaks++;
  *peak = (Peak){confluence_text(run, run->arena, map), confluence_text(run, run->arena, left),
      confluence_text(run, run->arena, right)};
  bool is_joined = strcmp(peak->left, peak->right) == 0;
  all->joined += is_joined;
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

static bool peak_print(SampledRun *all, uint32_t first, uint32_t second, const Peak *peak) {
  ConfluenceRun *run = all->run;
  const char *names[] = {run->rules.items[first].name, run->rules.items[second].name};
  KnownPeak *known = known_find(run, names[0], names[1], "sampled");
  bool is_missed = strlen(peak->left) != strlen(peak->right);
  all->open_pairs++;
  all->missed += is_missed;
  all->listed += known != nullptr;
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

/* Prefers peaks whose two results have different lengths, then the shortest map. */
static bool is_better(const Peak *peak, const Peak *kept) {
  if (kept->map == nullptr) return true;
  bool one = strlen(peak->left) != strlen(peak->right),
       other = strlen(kept->left) != strlen(kept->right);
  return one != other ? one : strlen(peak->map) < strlen(kept->map);
}

static bool judge_pair(SampledRun *all, uint32_t first, uint32_t second) {
  ConfluenceRun *run = all->run;
  uint32_t met = 0;
  const Rule pair[] = {run->rules.items[first], run->rules.items[second]};
  const RuleSet both = {.count = 2, .items = (Rule *)pair};
  uint64_t state = UINT64_C(0x9e3779b97f4a7c15) * (first * pair_stride + second + 1);
  Peak kept = {};
  uint8_t bytes[bytes_of_a_map];
  for (int64_t i = 0; i < run->options->maps && met < peaks_of_a_pair; i++) {
    MapMark mark = map_context_mark(run->context);
    bytes_fill(&state, bytes);
    Peak peak;
    const Map *map = fuzz_map_from_rules(run->context, &both, bytes, sizeof bytes);
    for (uint32_t part = 0; part < map->result_count + map->constraint_count; part++)
      if (try_part(all, first, second, part_of(run, map, part), &peak, &met) &&
          is_better(&peak, &kept))
        kept = peak;
    map_context_rewind(run->context, mark);
  }
  all->pairs++;
  all->meeting += met > 0;
  return kept.map == nullptr || peak_print(all, first, second, &kept);
}

bool prove_sampled(ConfluenceRun *run) {
  SampledRun all = {.run = run};
  uint32_t count = run->rules.count;
  Progress progress =
      progress_begin("pairs of rules", (uint64_t)count * (count - 1) / 2, !run->options->json);
  bool goes_on = true;
  for (uint32_t i = 0; goes_on && i < count; i++)
    for (uint32_t j = i + 1; goes_on && j < count && !session_is_interrupted(); j++) {
      progress_at(&progress, all.pairs, run->rules.items[i].name);
      session_at("%s and %s", run->rules.items[i].name, run->rules.items[j].name);
      goes_on = judge_pair(&all, i, j);
    }
  progress_clear();
  if (all.meeting == 0) confluence_note(run, STATUS_UNDECIDED);
  if (run->options->json) return goes_on;
  session_flush();
  fprintf(stderr,
      "%s of rules on random maps, %u meet; %s, %llu joined; %s with one that is not, %u of them listed; in %u lengths differ\n",
      counted(all.pairs, "pair"), all.meeting, counted(all.peaks, "peak"),
      (unsigned long long)all.joined, counted(all.open_pairs, "pair"), all.listed, all.missed);
  return goes_on;
}
