/* The same map: over the same variables, at every point the same membership in the domain and inside the same results.
 * One satisfiability question for each way to differ: a point of one domain outside the other, and a point inside both whose results
 * differ. unsat for all of them proves. Before that the domain is shown to have a point: where it has none, the question is whether
 * the other has none either. Every model is replayed by confirm_map before it becomes a refutation.
 * Runtime variables: where both maps state the source, it must be the same instruction, the same clamp and, over the domain, the same element. */
#include <assert.h>
#include <string.h>

#include "smt/confirm.h"
#include "smt/session.h"

typedef struct Comparison {
  Smt *smt;
  const Map *before, *after;
  const Map *named; /* whose variables the points are over: a plain one */
  Sums *sums;
  MapVariables variables;
  EncodedMap old, new;
  Query query;
  SmtVerdict *verdict;
  Error *error;
} Comparison;

static uint32_t variable_count(const Map *map) { return map->dim_count + map->range_count + map->runtime_count; }

static bool same_variables(const Map *a, const Map *b) {
  return a->dim_count == b->dim_count && a->range_count == b->range_count && a->runtime_count == b->runtime_count;
}

static Sum *all_variables(const Comparison *work, const Map *map) {
  Sum *all = ARENA_NEW(work->sums->arena, Sum, variable_count(map));
  uint32_t at = 0;
  for (uint32_t i = 0; i < map->dim_count; i++) all[at++] = work->variables.dims[i];
  for (uint32_t i = 0; i < map->range_count; i++) all[at++] = work->variables.ranges[i];
  for (uint32_t i = 0; i < map->runtime_count; i++) all[at++] = work->variables.runtimes[i];
  return all;
}

static Z3_ast inside(Comparison *work, const EncodedMap *encoded) {
  Z3_ast *parts = ARENA_NEW(work->sums->arena, Z3_ast, encoded->within_count);
  for (uint32_t i = 0; i < encoded->within_count; i++) parts[i] = query_within(&work->query, encoded->within[i]);
  return query_and(&work->query, encoded->within_count, parts);
}

static bool unknown(Comparison *work, const char *what) {
  return verdict_set(work->verdict, SMT_UNKNOWN, "%s: %s", what, work->query.reason);
}

/* The variables' values in a model. Null when one leaves 128 bits. */
static Wide *point_of(Comparison *work, const Wide *model) {
  uint32_t count = variable_count(work->named);
  Wide *values = ARENA_NEW(work->sums->arena, Wide, count);
  Sum *variables = all_variables(work, work->named);
  for (uint32_t i = 0; i < count; i++) {
    if (!sum_evaluate(work->sums, model, variables[i], &values[i])) return nullptr;
  }
  return values;
}

static Wide *any_point(Comparison *work) {
  Wide *model = ARENA_NEW(work->sums->arena, Wide, work->sums->atom_count);
  return query_model(&work->query, model) ? point_of(work, model) : nullptr;
}

/* The point of the last model, made small while the facts hold. */
static Wide *small_point(Comparison *work, uint32_t fact_count, const Z3_ast *facts) {
  Wide *model = ARENA_NEW(work->sums->arena, Wide, work->sums->atom_count);
  if (!query_model(&work->query, model)) return nullptr;
  minimise_model(&work->query, fact_count, facts, variable_count(work->named), all_variables(work, work->named), model);
  return point_of(work, model);
}

static bool same_results(const Map *a, const Replayed *left, const Map *b, const Replayed *right) {
  if (a->result_count != b->result_count) return false;
  for (uint32_t i = 0; i < a->result_count; i++)
    if (left->results[i] != right->results[i]) return false;
  return true;
}

static bool did_not_replay(SmtVerdict *verdict) { return verdict_set(verdict, SMT_UNKNOWN, "model did not replay"); }

/* Refuted at `values` if both maps, evaluated as stated, differ there. */
static bool refute_at(Comparison *work, const Wide *values) {
  if (values == nullptr) return did_not_replay(work->verdict);
  const Map *before = work->before, *after = work->after;
  Replayed left = confirm_map(work->sums->arena, work->smt->context, before, values);
  Replayed right = confirm_map(work->sums->arena, work->smt->context, after, values);
  if (left.state == REPLAY_FAILED || right.state == REPLAY_FAILED) return did_not_replay(work->verdict);
  bool differ = left.state != right.state;
  if (!differ && left.state == REPLAY_INSIDE) differ = !same_results(before, &left, after, &right);
  if (!differ) return did_not_replay(work->verdict);
  Text text = text_create(work->sums->arena);
  text_point(&text, work->named, values);
  text_string(&text, ": before ");
  text_replayed(&text, before, &left);
  text_string(&text, ", after ");
  text_replayed(&text, after, &right);
  verdict_values(work->verdict, variable_count(work->named), values);
  return verdict_set(work->verdict, SMT_REFUTED, "%s", text.bytes);
}

/* A difference that is not one of values: refuted once a point shows that the map before is not empty. */
static bool refute_shape(Comparison *work, const Wide *values, const char *what) {
  const Map *map = work->before;
  if (values == nullptr) return did_not_replay(work->verdict);
  Replayed replayed = confirm_map(work->sums->arena, work->smt->context, map, values);
  if (replayed.state != REPLAY_INSIDE) return did_not_replay(work->verdict);
  Text text = text_create(work->sums->arena);
  text_point(&text, map, values);
  verdict_values(work->verdict, variable_count(map), values);
  return verdict_set(work->verdict, SMT_REFUTED, "%s (there is a point: %s)", what, text.bytes);
}

/* Asks; true when there is no model. Otherwise the verdict is set and *done. */
static bool excluded(Comparison *work, uint32_t fact_count, const Z3_ast *facts, const char *what, bool *done) {
  CheckAnswer answer = query_check(&work->query, fact_count, facts);
  if (answer == CHECK_UNSAT) return true;
  *done = true;
  if (answer == CHECK_UNKNOWN) unknown(work, what);
  else refute_at(work, small_point(work, fact_count, facts));
  return false;
}

static bool compare_domains(Comparison *work, Z3_ast in_old, Z3_ast in_new, bool *done) {
  Z3_ast lost[] = {in_old, query_not(&work->query, in_new)}, gained[] = {in_new, query_not(&work->query, in_old)};
  return excluded(work, 2, lost, "points lost", done) && excluded(work, 2, gained, "points gained", done);
}

static bool compare_results(Comparison *work, Z3_ast in_old, bool *done) {
  Z3_ast *differences = ARENA_NEW(work->sums->arena, Z3_ast, work->old.result_count);
  uint32_t count = 0;
  for (uint32_t i = 0; i < work->old.result_count; i++) {
    if (sum_same(work->old.results[i], work->new.results[i])) continue;
    differences[count++] = query_differ(&work->query, work->old.results[i], work->new.results[i]);
  }
  if (count == 0) return true;
  return excluded(work, 2, (Z3_ast[]){in_old, query_or(&work->query, count, differences)}, "results differ", done);
}

static bool same_instruction(const RuntimeSource *a, const RuntimeSource *b) {
  if (a->instruction != nullptr && b->instruction != nullptr) return a->instruction == b->instruction;
  if (a->name == nullptr || b->name == nullptr) return a->name == b->name;
  return strcmp(a->name, b->name) == 0;
}

static const char *name_of(const RuntimeSource *source) { return source->name == nullptr ? "an unknown source" : source->name; }

static bool index_fits(const Map *owner, const Map *index) {
  return index->state == MAP_PLAIN && index->dim_count <= owner->dim_count && index->range_count <= owner->range_count &&
         index->runtime_count <= owner->runtime_count;
}

/* Over the domain of the maps, both index maps name the same element. Sets *done when they do not. */
static bool compare_index(Comparison *work, uint32_t runtime, Z3_ast in_old, bool *done) {
  const Map *a = work->before->sources[runtime].index, *b = work->after->sources[runtime].index;
  EncodedMap left, right;
  if (a == b) return true;
  *done = true;
  if (a == nullptr || b == nullptr || !index_fits(work->before, a) || !index_fits(work->after, b) || a->result_count != b->result_count)
    return verdict_set(work->verdict, SMT_UNKNOWN, "rt%u: index maps that cannot be compared", runtime);
  if (!encode_map(work->sums, work->smt->context, a, &work->variables, &left, work->error)) return false;
  if (!encode_map(work->sums, work->smt->context, b, &work->variables, &right, work->error)) return false;
  *done = false;
  for (uint32_t i = 0; i < a->result_count && !*done; i++) {
    if (sum_same(left.results[i], right.results[i])) continue;
    Z3_ast facts[] = {in_old, query_differ(&work->query, left.results[i], right.results[i])};
    CheckAnswer answer = query_check(&work->query, 2, facts);
    if (answer == CHECK_UNSAT) continue;
    *done = true;
    if (answer == CHECK_UNKNOWN) return unknown(work, "source of a runtime variable");
    Wide *values = small_point(work, 2, facts);
    Wide x, y;
    bool wide;
    if (values == nullptr || !confirm_expr(work->sums->arena, work->smt->context, work->before, a->results[i], values, &x, &wide) ||
        !confirm_expr(work->sums->arena, work->smt->context, work->before, b->results[i], values, &y, &wide) || x == y)
      return did_not_replay(work->verdict);
    return refute_shape(work, values, arena_printf(work->sums->arena, "rt%u comes from different elements of %s", runtime,
                                                                 name_of(&work->before->sources[runtime])));
  }
  return true;
}

static bool compare_source(Comparison *work, uint32_t runtime, Z3_ast in_old, const Wide *inside_point, bool *done) {
  const RuntimeSource *a = &work->before->sources[runtime], *b = &work->after->sources[runtime];
  const char *what = nullptr;
  if (!same_instruction(a, b))
    what = arena_printf(work->sums->arena, "rt%u comes from %s before and from %s after", runtime, name_of(a), name_of(b));
  else if (a->clamp.lo != b->clamp.lo || a->clamp.hi != b->clamp.hi)
    what = arena_printf(work->sums->arena, "rt%u is clamped differently", runtime);
  if (what == nullptr) return compare_index(work, runtime, in_old, done);
  *done = true;
  return refute_shape(work, inside_point, what);
}

static bool compare_sources(Comparison *work, Z3_ast in_old, const Wide *inside_point, bool *done) {
  if (work->before->sources == nullptr || work->after->sources == nullptr) return true;
  for (uint32_t i = 0; i < work->before->runtime_count && !*done; i++) {
    if (!compare_source(work, i, in_old, inside_point, done)) return false;
  }
  return true;
}

/* Both plain, over the same variables, and the old domain has the point `inside_point`. */
static bool compare_plain(Comparison *work, Z3_ast in_old, const Wide *inside_point) {
  Z3_ast in_new = inside(work, &work->new);
  bool done = false;
  if (!compare_domains(work, in_old, in_new, &done)) return true;
  if (!compare_results(work, in_old, &done)) return true;
  if (!compare_sources(work, in_old, inside_point, &done)) return false;
  if (done) return true;
  return verdict_set(work->verdict, SMT_PROVED, "the same map at every point");
}

static bool encode_both(Comparison *work) {
  work->variables = encode_fresh_variables(work->sums, work->named);
  return encode_map(work->sums, work->smt->context, work->before, &work->variables, &work->old, work->error) &&
         encode_map(work->sums, work->smt->context, work->after, &work->variables, &work->new, work->error);
}

static const char *shape_difference(const Comparison *work) {
  const Map *before = work->before, *after = work->after;
  if (before->result_count == after->result_count) return nullptr;
  return arena_printf(work->sums->arena, "%u results before, %u after", before->result_count, after->result_count);
}

static bool compare(Comparison *work) {
  if (!encode_both(work)) return false;
  if (work->sums->overflow) return verdict_set(work->verdict, SMT_UNKNOWN, "coefficients past 2^100");
  work->query = query_open(work->sums->arena, work->sums, work->smt->options.rlimit, work->smt->options.seed);
  Z3_ast in_old = inside(work, &work->old);
  CheckAnswer answer = query_check(&work->query, 1, &in_old);
  if (answer == CHECK_UNKNOWN) return unknown(work, "has the domain a point");
  if (answer == CHECK_UNSAT) {
    Z3_ast in_new = inside(work, &work->new);
    bool done = false;
    if (!excluded(work, 1, &in_new, "the map before is empty; is the map after", &done)) return true;
    return verdict_set(work->verdict, SMT_PROVED, "both maps are empty");
  }
  const char *shape = shape_difference(work);
  if (work->after->state == MAP_KNOWN_EMPTY) return refute_at(work, small_point(work, 1, &in_old));
  if (shape != nullptr) return refute_shape(work, small_point(work, 1, &in_old), shape);
  return compare_plain(work, in_old, any_point(work));
}

static bool ask(Smt *smt, const Map *before, const Map *after, SmtVerdict *verdict, Error *error) {
  ArenaMark mark = arena_mark(smt->arena);
  Comparison work = {.smt = smt, .before = before, .after = after, .sums = sums_create(smt->arena), .verdict = verdict, .error = error};
  work.named = before->state == MAP_PLAIN ? before : after;
  bool answered = compare(&work);
  verdict->rlimit_used += work.query.rlimit_used;
  query_close(&work.query);
  arena_rewind(smt->arena, mark);
  return answered;
}

/* Maps over different variables are the same only if neither has a point. */
static bool both_empty(Smt *smt, const Map *before, const Map *after, SmtVerdict *verdict, Error *error) {
  static const Map nothing = {.state = MAP_KNOWN_EMPTY};
  if (!ask(smt, before, &nothing, verdict, error)) return false;
  if (verdict->answer == SMT_PROVED && !ask(smt, &nothing, after, verdict, error)) return false;
  if (verdict->answer != SMT_REFUTED) return true;
  return verdict_set(verdict, SMT_REFUTED, "other variables: (%u)[%u]{%u} before, (%u)[%u]{%u} after, and not both are empty", before->dim_count,
                     before->range_count, before->runtime_count, after->dim_count, after->range_count, after->runtime_count);
}

bool smt_same_map(Smt *smt, const Map *before, const Map *after, SmtVerdict *verdict, Error *error) {
  *verdict = (SmtVerdict){};
  if (before->state == MAP_UNDEFINED || after->state == MAP_UNDEFINED)
    return verdict_set(verdict, SMT_UNKNOWN, "an undefined map denotes nothing");
  if (before->state == MAP_PLAIN && after->state == MAP_PLAIN && !same_variables(before, after))
    return both_empty(smt, before, after, verdict, error);
  return ask(smt, before, after, verdict, error);
}
