/* Examines every overlap of two left sides (generate/overlap.h) on a fixed sequence of instances:
 * maps with small constants and domains. The engine applies each rule at its position in every
 * possible way; the first step of the trace gives the reduct. The engine then simplifies all
 * reducts, and equal texts are joined. For each overlap the first peak of the worst kind is kept:
 *   longer    the engine's result for the map itself is longer than the shortest simplified reduct
 *   shorter   the simplified reducts differ in length, and the engine finds the shorter one
 *   level     they have the same length
 * For a listed peak only its instance is tried: the result must still be the listed one. */
#include <stdlib.h>
#include <string.h>

#include "cli/prove/confluence_run.h"
#include "cli/progress.h"
#include "cli/report/json.h"
#include "cli/session.h"
#include "cli/session_guard.h"
#include "core/simplify/step.h"
#include "generate/overlap_map.h"

static constexpr int64_t default_instances = 3000;
static constexpr uint32_t max_matches = 4; /* of one rule at one position */

typedef enum PeakKind : uint8_t { PEAK_JOINED, PEAK_LEVEL, PEAK_SHORTER, PEAK_LONGER } PeakKind;

typedef struct OverlapRun {
  ConfluenceRun *run;
  uint32_t form_count;
  RuleForm *forms;
  uint32_t *rule_of; /* of a form: index of its rule */
  OverlapList overlaps;
  uint64_t instances;
  uint32_t self, firing, without, without_listed, open, open_listed, longer, shorter;
} OverlapRun;

typedef struct OverlapPeak {
  bool fires;
  PeakKind kind;
  uint64_t instance;
  Peak peak;
} OverlapPeak;

static const char *const kind_texts[] = {[PEAK_JOINED] = "joined",
    [PEAK_LEVEL] = "level",
    [PEAK_SHORTER] = "shorter",
    [PEAK_LONGER] = "longer"};

/* ---- one instance ---- */

typedef struct Reducts {
  uint32_t count, of_outer;
  const Map *items[2 * max_matches];
} Reducts;

static uint32_t reducts_at(
    OverlapRun *all, const RuleForm *form, const Map *map, Expr at, const Map **reducts) {
  Simplifier *alone = all->run->alone[all->rule_of[form - all->forms]];
  TraceStep step;
  uint32_t count = 0;
  while (count < max_matches && simplify_step(alone, map, at, count, all->run->scratch, &step))
    reducts[count++] = step.map_after;
  return count;
}

/* Whether both rules apply; a rule that overlaps itself at one position must apply in two ways. */
static bool reducts_of(
    OverlapRun *all, const Overlap *overlap, const OverlapMap *made, Reducts *reducts) {
  reducts->of_outer = reducts_at(all, overlap->outer, made->map, made->outer, reducts->items);
  if (reducts->of_outer == 0) return false;
  reducts->count = reducts->of_outer;
  if (overlap->outer == overlap->inner && expr_same(made->outer, made->inner))
    return reducts->count > 1;
  reducts->count +=
      reducts_at(all, overlap->inner, made->map, made->inner, reducts->items + reducts->of_outer);
  return reducts->count > reducts->of_outer;
}

/* Compares the reducts with the engine's result for the map. */
static PeakKind kind_of(OverlapRun *all, const Map *map, const char *left, const char *right) {
  size_t one = strlen(left), other = strlen(right), least = one < other ? one : other;
  const Map *own = confluence_simplified(all->run, map);
  if (own == nullptr || strlen(confluence_text(all->run, all->run->scratch, own)) > least)
    return PEAK_LONGER;
  return one == other ? PEAK_LEVEL : PEAK_SHORTER;
}

static bool is_worse(const OverlapPeak *kept, PeakKind kind, const char *map) {
  if (kept->kind != kind) return kind > kept->kind;
  return strlen(map) < strlen(kept->peak.map);
}

static void peak_consider(OverlapRun *all, const Map *map, uint64_t instance, const char *left,
    const char *right, OverlapPeak *kept) {
  ConfluenceRun *run = all->run;
  PeakKind kind = kind_of(all, map, left, right);
  const char *text = confluence_text(run, run->scratch, map);
  if (!is_worse(kept, kind, text)) return;
  kept->kind = kind;
  kept->instance = instance;
  kept->peak = (Peak){arena_printf(run->arena, "%s", text), arena_printf(run->arena, "%s", left),
      arena_printf(run->arena, "%s", right)};
}

static void judge_reducts(
    OverlapRun *all, const Map *map, uint64_t instance, const Reducts *reducts, OverlapPeak *kept) {
  const char *first = nullptr;
  for (uint32_t i = 0; i < reducts->count; i++) {
    const Map *joined = confluence_simplified(all->run, reducts->items[i]);
    if (joined == nullptr) continue;
    const char *text = confluence_text(all->run, all->run->scratch, joined);
    if (first == nullptr) first = text;
    else if (strcmp(first, text) != 0) peak_consider(all, map, instance, first, text, kept);
  }
}

static void judge_instance(
    OverlapRun *all, const Overlap *overlap, uint64_t instance, OverlapPeak *kept) {
  ConfluenceRun *run = all->run;
  MapMark mark = map_context_mark(run->context);
  ArenaMark scratch = arena_mark(run->scratch);
  OverlapMap made;
  Reducts reducts = {};
  if (overlap_map(run->context, overlap, instance, &made) &&
      reducts_of(all, overlap, &made, &reducts)) {
    kept->fires = true;
    judge_reducts(all, made.map, instance, &reducts, kept);
  }
  arena_rewind(run->scratch, scratch);
  map_context_rewind(run->context, mark);
}

/* ---- one overlap ---- */

static const char *name_of(const RuleForm *form) { return form->rule->name; }

static bool overlap_print(OverlapRun *all, const Overlap *overlap, const char *where,
    const OverlapPeak *kept, const KnownPeak *known) {
  ConfluenceRun *run = all->run;
  Text text = text_create(run->scratch);
  const char *why = known == nullptr ? "NOT LISTED" : known->why;
  if (run->options->json) {
    Json json = json_begin(&text);
    json_string(&json, "first", name_of(overlap->outer));
    json_string(&json, "second", name_of(overlap->inner));
    json_string(&json, "overlap", where);
    json_string(&json, "kind", kept->fires ? kind_texts[kept->kind] : "none");
    if (kept->fires) {
      json_integer(&json, "instance", (int64_t)kept->instance);
      json_string(&json, "map", kept->peak.map);
      json_string(&json, "left", kept->peak.left);
      json_string(&json, "right", kept->peak.right);
    }
    json_string(&json, "why", known == nullptr ? "" : known->why);
    json_end(&json);
  } else if (!kept->fires)
    text_printf(&text, "%s %s %s: no instance, %s\n", name_of(overlap->outer),
        name_of(overlap->inner), where, why);
  else
    text_printf(&text, "%s %s %s %llu %s: not joined, %s\n  map    %s\n  first  %s\n  second %s\n",
        name_of(overlap->outer), name_of(overlap->inner), where, (unsigned long long)kept->instance,
        kind_texts[kept->kind], why, kept->peak.map, kept->peak.left, kept->peak.right);
  return session_print(text.bytes);
}

/* Whether the line agrees with the result. */
static bool known_agrees(const KnownPeak *known, const OverlapPeak *kept) {
  if (!kept->fires) return strcmp(known->instance, "none") == 0;
  return strcmp(known->kind, kind_texts[kept->kind]) == 0;
}

static void overlap_search(
    OverlapRun *all, const Overlap *overlap, const KnownPeak *known, OverlapPeak *kept) {
  if (known != nullptr && strcmp(known->instance, "none") != 0) {
    judge_instance(all, overlap, strtoull(known->instance, nullptr, 10), kept);
    return;
  }
  for (uint64_t i = 0; i < all->instances && !session_is_interrupted(); i++)
    judge_instance(all, overlap, i, kept);
}

static void overlap_count(OverlapRun *all, const OverlapPeak *kept, bool is_listed) {
  all->firing += kept->fires;
  all->without += !kept->fires;
  all->without_listed += !kept->fires && is_listed;
  all->open += kept->kind != PEAK_JOINED;
  all->open_listed += kept->kind != PEAK_JOINED && is_listed;
  all->longer += kept->kind == PEAK_LONGER;
  all->shorter += kept->kind == PEAK_SHORTER;
}

static bool judge_overlap(OverlapRun *all, const Overlap *overlap) {
  ConfluenceRun *run = all->run;
  OverlapPeak kept = {};
  const char *where = overlap_text(run->arena, overlap);
  KnownPeak *known = known_find(run, name_of(overlap->outer), name_of(overlap->inner), where);
  overlap_search(all, overlap, known, &kept);
  if (session_is_interrupted()) return true;
  bool agrees = known != nullptr && known_agrees(known, &kept);
  if (agrees) known->is_met = true;
  overlap_count(all, &kept, agrees);
  bool needs_line = !kept.fires || kept.kind != PEAK_JOINED;
  if (!needs_line) return true;
  if (!agrees) confluence_note(run, STATUS_REFUTED);
  if (agrees && run->options->quiet) return true;
  return overlap_print(all, overlap, where, &kept, agrees ? known : nullptr);
}

/* ---- all of them ---- */

static void find_overlaps(OverlapRun *all) {
  ConfluenceRun *run = all->run;
  all->forms = ARENA_NEW(run->arena, RuleForm, form_max_variants * run->rules.count);
  all->rule_of = ARENA_NEW(run->arena, uint32_t, form_max_variants * run->rules.count);
  for (uint32_t i = 0; i < run->rules.count; i++) {
    uint32_t made = rule_forms(&run->rules.items[i], &all->forms[all->form_count]);
    if (made == 0) {
      confluence_note(run, STATUS_UNDECIDED);
      session_warn("%s: its left side has no form that overlaps", run->rules.items[i].name);
    }
    for (uint32_t j = 0; j < made; j++) all->rule_of[all->form_count++] = i;
  }
  for (uint32_t i = 0; i < all->form_count; i++)
    for (uint32_t j = 0; j < all->form_count; j++)
      overlaps_add(run->arena, &all->forms[i], &all->forms[j], i <= j, &all->overlaps);
}

static void overlaps_say(OverlapRun *all) {
  if (all->firing == 0) confluence_note(all->run, STATUS_UNDECIDED);
  if (all->run->options->json) return;
  session_flush();
  fprintf(stderr,
      "%s of %s, %u of a rule with itself; in %u both rules fire, %u have no instance, %u of them listed\n",
      counted(all->overlaps.count, "overlap"), counted(all->run->rules.count, "rule"), all->self,
      all->firing, all->without, all->without_listed);
  fprintf(stderr,
      "%s with a peak that is not joined, %u of them listed; in %u the engine's own result is the longer one, in %u the shorter\n",
      counted(all->open, "overlap"), all->open_listed, all->longer, all->shorter);
}

bool prove_overlaps(ConfluenceRun *run) {
  int64_t tries = run->options->tries > 0 ? run->options->tries : default_instances;
  OverlapRun all = {.run = run, .instances = (uint64_t)tries};
  find_overlaps(&all);
  Progress progress = progress_begin("overlaps", all.overlaps.count, !run->options->json);
  bool goes_on = true;
  for (uint32_t i = 0; goes_on && i < all.overlaps.count && !session_is_interrupted(); i++) {
    const Overlap *overlap = &all.overlaps.items[i];
    all.self += overlap->outer->rule == overlap->inner->rule;
    progress_at(&progress, i, name_of(overlap->outer));
    session_at("%s and %s", name_of(overlap->outer), name_of(overlap->inner));
    goes_on = judge_overlap(&all, overlap);
  }
  progress_clear();
  overlaps_say(&all);
  return goes_on;
}
