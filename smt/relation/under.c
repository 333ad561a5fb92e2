/* The domain is encoded twice: first over the original variables, to tighten their bounds by the
 * constraints; then over variables with these bounds, where the bounds of all other atoms are
 * tightened in place. The facts are those built before the second tightening; with the bounds of
 * free atoms they are equivalent to the domain. */
#include "smt/relation/under.h"

#include <assert.h>

#include "smt/rules/cases.h"
#include "smt/solver/confirm.h"
#include "smt/rules/rule_sample.h"
#include "smt/terms/tighten.h"

static MapVariables variables_of(const Map *map, const Sum *all) {
  return (MapVariables){.dims = all,
      .ranges = all + map_first_number(map, VAR_RANGE),
      .runtimes = all + map_first_number(map, VAR_RUNTIME)};
}

/* Creates the variables with the bounds of the atoms in `from`; without `from`, with those of the
 * map. */
static Sum *bounded_variables(Under *under, Sums *sums, const Sums *from, const Sum *old) {
  uint32_t count = map_variable_count(under->named), at = 0;
  Sum *all = ARENA_NEW(sums->arena, Sum, count);
  for (uint32_t i = 0; i < count; i++) {
    Interval bounds = map_variable(under->domain, i)->bounds;
    Wide lo = bounds.lo, hi = bounds.hi;
    if (from != nullptr && sum_is_atom(from, old[i], &at)) {
      lo = from->atoms[at].lo;
      hi = from->atoms[at].hi;
    }
    all[i] = sum_free_within(sums, arena_printf(sums->arena, "v%u", i), lo, hi);
  }
  return all;
}

static bool encode_facts(Under *under, const Sums *from, const Sum *old, Sum **all, Error *error) {
  under->sums = sums_create(under->smt->arena);
  *all = bounded_variables(under, under->sums, from, old);
  under->variables = variables_of(under->named, *all);
  if (!encode_map(
          under->sums, under->smt->context, under->domain, &under->variables, &under->facts, error))
    return false;
  under->impossible = !sums_tighten(under->sums, under->facts.within_count, under->facts.within);
  return true;
}

bool under_open(Smt *smt, const Map *domain, const Map *named, Under *under, Error *error) {
  Sum *stated, *tight;
  *under = (Under){.smt = smt, .domain = domain, .named = named};
  under->impossible = domain->state != MAP_PLAIN || map_has_empty_bounds(domain);
  if (under->impossible) under->sums = sums_create(smt->arena);
  if (under->impossible) return true;
  if (!encode_facts(under, nullptr, nullptr, &stated, error)) return false;
  if (under->impossible || under->sums->overflow) return true;
  if (!encode_facts(under, under->sums, stated, &tight, error)) return false;
  if (!under->impossible)
    sums_rebuild(under->sums, under->facts.result_count, under->facts.results);
  return true;
}

void under_close(Under *under, Verdict *verdict) {
  if (!under->is_open) return;
  verdict->work += under->query.rlimit_used;
  query_close(&under->query);
  under->is_open = false;
}

bool under_encode(Under *under, const Map *map, EncodedMap *encoded, Error *error) {
  assert(!under->impossible);
  if (!encode_map(under->sums, under->smt->context, map, &under->variables, encoded, error))
    return false;
  Sum *sums = ARENA_NEW(under->sums->arena, Sum, encoded->within_count);
  for (uint32_t i = 0; i < encoded->within_count; i++) sums[i] = encoded->within[i].sum;
  sums_rebuild(under->sums, encoded->within_count, sums);
  for (uint32_t i = 0; i < encoded->within_count; i++) encoded->within[i].sum = sums[i];
  sums_rebuild(under->sums, encoded->result_count, encoded->results);
  return true;
}

static void under_start(Under *under) {
  if (under->is_open) return;
  under->query = query_open(
      under->sums->arena, under->sums, under->smt->options.rlimit, under->smt->options.seed);
  under->query.session.stop = under->smt->options.stop;
  under->is_open = true;
  Z3_ast *parts = ARENA_NEW(under->sums->arena, Z3_ast, under->facts.within_count + 1);
  for (uint32_t i = 0; i < under->facts.within_count; i++)
    parts[i] = query_within(&under->query, under->facts.within[i]);
  uint32_t count = under->facts.within_count;
  if (count == 0) parts[count++] = query_within(&under->query, (Within){.sum = {0}});
  under->inside = query_and(&under->query, count, parts);
}

static VerdictStatus under_check(Under *under, Z3_ast goal) {
  under->asserted[0] = under->inside;
  under->asserted[1] = goal;
  under->asserted_count = 2;
  return query_check(&under->query, under->asserted_count, under->asserted);
}

static bool has_no_case(Under *under, const Goal *goal) {
  return cases_exclude(under->sums, under->facts.within_count, under->facts.within, goal);
}

VerdictStatus under_any(Under *under, bool needed) {
  if (under->impossible || has_no_case(under, &(Goal){})) return VERDICT_PROVED;
  under_start(under);
  if (!needed && under->query.has_large) return VERDICT_UNKNOWN;
  under->asserted[0] = under->inside;
  under->asserted_count = 1;
  if (!needed) return query_check_briefly(&under->query, 1, under->asserted);
  return query_check(&under->query, 1, under->asserted);
}

VerdictStatus under_breaks(Under *under, Within within) {
  assert(sums_has(under->sums, within.sum));
  Wide lo, hi;
  if (under->impossible) return VERDICT_PROVED;
  if (sum_range(under->sums, within.sum, &lo, &hi) && within.lo <= lo && hi <= within.hi)
    return VERDICT_PROVED;
  for (uint32_t i = 0; i < under->facts.within_count; i++) {
    const Within *fact = &under->facts.within[i];
    if (sum_same(fact->sum, within.sum) && within.lo <= fact->lo && fact->hi <= within.hi)
      return VERDICT_PROVED;
  }
  if (has_no_case(under, &(Goal){.broken = &within})) return VERDICT_PROVED;
  under_start(under);
  return under_check(under, query_not(&under->query, query_within(&under->query, within)));
}

VerdictStatus under_differ(Under *under, Sum a, Sum b) {
  assert(sums_has(under->sums, a));
  assert(sums_has(under->sums, b));
  if (under->impossible || sum_same(a, b) ||
      has_no_case(under, &(Goal){.differ = true, .a = a, .b = b}))
    return VERDICT_PROVED;
  under_start(under);
  return under_check(under, query_differ(&under->query, a, b));
}

static Sum *all_variables(const Under *under) {
  uint32_t count = map_variable_count(under->named);
  Sum *all = ARENA_NEW(under->sums->arena, Sum, count);
  for (uint32_t i = 0; i < count; i++) all[i] = under->variables.dims[i];
  return all;
}

static Wide *point_of(const Under *under, const Wide *model) {
  uint32_t count = map_variable_count(under->named);
  Wide *values = ARENA_NEW(under->sums->arena, Wide, count);
  for (uint32_t i = 0; i < count; i++)
    if (!sum_evaluate(under->sums, model, under->variables.dims[i], &values[i])) return nullptr;
  return values;
}

Wide *under_point(Under *under) {
  Wide *model = ARENA_NEW(under->sums->arena, Wide, under->sums->atom_count);
  return query_model(&under->query, model) ? point_of(under, model) : nullptr;
}

Wide *under_small_point(Under *under) {
  Wide *model = ARENA_NEW(under->sums->arena, Wide, under->sums->atom_count);
  if (!query_model(&under->query, model)) return nullptr;
  minimise_model(&under->query, under->asserted_count, under->asserted,
      map_variable_count(under->named), all_variables(under), model);
  return point_of(under, model);
}

static bool facts_hold(const Under *under, const Wide *values) {
  uint32_t at = 0;
  Wide *atoms = ARENA_NEW(under->sums->arena, Wide, under->sums->atom_count), value;
  for (uint32_t i = 0; i < map_variable_count(under->named); i++)
    if (sum_is_atom(under->sums, under->variables.dims[i], &at)) atoms[at] = values[i];
  if (!sums_complete(under->sums, atoms)) return false;
  for (uint32_t i = 0; i < under->facts.within_count; i++) {
    const Within *fact = &under->facts.within[i];
    if (!sum_evaluate(under->sums, atoms, fact->sum, &value) || value < fact->lo ||
        value > fact->hi)
      return false;
  }
  return true;
}

/* The first three points are the low ends, the high ends and the middle of the bounds. */
static void under_draw(const Under *under, Dice *dice, uint32_t number, Wide *values) {
  for (uint32_t i = 0; i < map_variable_count(under->named); i++) {
    uint32_t at = 0;
    if (!sum_is_atom(under->sums, under->variables.dims[i], &at)) unreachable();
    int64_t lo = (int64_t)under->sums->atoms[at].lo, hi = (int64_t)under->sums->atoms[at].hi;
    values[i] = number == 0   ? lo
                : number == 1 ? hi
                : number == 2 ? lo / 2 + hi / 2
                              : dice_range(dice, lo, hi);
  }
}

Wide *under_sampled_point(Under *under) {
  static constexpr uint32_t tries = 24;
  if (under->impossible || under->sums->overflow) return nullptr;
  Wide *values = ARENA_NEW(under->sums->arena, Wide, map_variable_count(under->named));
  Dice dice = {1};
  for (uint32_t i = 0; i < tries; i++) {
    under_draw(under, &dice, i, values);
    Replayed replayed = confirm_map(under->sums->arena, under->smt->context, under->domain, values);
    if (replayed.state == REPLAY_INSIDE && facts_hold(under, values)) return values;
  }
  return nullptr;
}
