/* The same map: the same variables, and at every point the same membership in the domain and,
 * inside, the same results.
 * Two claims, each under the domain of one map: the points of the map before are in the domain of
 * the map after, with the same results; the points of the map after are in the domain of the map
 * before. A claim is split into one question for each constraint and each result. Under the domain,
 * the variables' bounds are tightened and all sums rebuilt, which decides most questions; the
 * others go to Z3, and unsat for all of them is a proof.
 * The domain is shown to have a point: a random point that both the map and its encoding accept, or
 * a model. If neither is found, the proof says so; it is still valid, since the two claims imply
 * that both domains are empty or neither is. Every model is replayed by confirm_map before it
 * counts as a refutation.
 * Runtime variables: both have no source, or the same instruction, the same clamp and, over the
 * domain, the same element. */
#include <string.h>

#include "smt/solver/confirm.h"
#include "smt/relation/under.h"

typedef struct SameMapProof {
  Smt *smt;
  const Map *before, *after;
  const Map *named; /* a plain map, whose variables name the coordinates of points */
  Under old, new;   /* under the domain of the map before, and of the map after */
  EncodedMap after_under_old, before_under_new;
  const Wide *inside; /* a point of the domain of the map before, or nullptr */
  bool is_open;       /* it is unknown whether there is one */
  Verdict *verdict;
  Error *error;
} SameMapProof;

static Arena *arena_of(const SameMapProof *work) { return work->smt->arena; }

static bool same_results(const Map *a, const Replayed *left, const Map *b, const Replayed *right) {
  if (a->result_count != b->result_count) return false;
  for (uint32_t i = 0; i < a->result_count; i++)
    if (left->results[i] != right->results[i]) return false;
  return true;
}

static bool did_not_replay(Verdict *verdict) {
  return verdict_set(verdict, VERDICT_UNKNOWN, "model did not replay");
}

/* Refutes at `values` if the original maps, evaluated there, differ. */
static bool refute_at(SameMapProof *work, const Wide *values) {
  if (values == nullptr) return did_not_replay(work->verdict);
  const Map *before = work->before, *after = work->after;
  Replayed left = confirm_map(arena_of(work), work->smt->context, before, values);
  Replayed right = confirm_map(arena_of(work), work->smt->context, after, values);
  if (left.state == REPLAY_FAILED || right.state == REPLAY_FAILED)
    return did_not_replay(work->verdict);
  bool differ = left.state != right.state;
  if (!differ && left.state == REPLAY_INSIDE) differ = !same_results(before, &left, after, &right);
  if (!differ) return did_not_replay(work->verdict);
  Text text = text_create(arena_of(work));
  text_string(&text, "before ");
  text_replayed(&text, before, &left);
  text_string(&text, ", after ");
  text_replayed(&text, after, &right);
  Bindings at = wide_bindings(arena_of(work), work->named, values);
  verdict_values(work->verdict, map_variable_count(work->named), values);
  verdict_differ(work->verdict, REASON_DIFFERENT, &at, "%s", text.bytes);
  return true;
}

/* A difference of sources or shapes, not of values: refuted once a point shows that the map before
 * is not empty. */
static bool refute_shape(SameMapProof *work, const char *what) {
  const Map *map = work->before;
  if (work->inside == nullptr)
    return verdict_set(
        work->verdict, VERDICT_UNKNOWN, "%s, and no point is known that the maps have", what);
  Replayed replayed = confirm_map(arena_of(work), work->smt->context, map, work->inside);
  if (replayed.state != REPLAY_INSIDE) return did_not_replay(work->verdict);
  Text text = text_create(arena_of(work));
  Bindings at = wide_bindings(arena_of(work), map, work->inside);
  bindings_print(&text, &at);
  if (at.count == 0) text_string(&text, "the only one");
  verdict_values(work->verdict, map_variable_count(map), work->inside);
  return verdict_set(work->verdict, VERDICT_REFUTED, "%s (there is a point: %s)", what, text.bytes);
}

/* True if the question has no model. Otherwise sets the verdict. */
static bool excluded(SameMapProof *work, Under *under, VerdictStatus answer, const char *what) {
  if (answer == VERDICT_PROVED) return true;
  if (answer == VERDICT_UNKNOWN)
    verdict_set(work->verdict, VERDICT_UNKNOWN, "%s: %s", what, under->query.reason);
  else refute_at(work, under_small_point(under));
  return false;
}

/* Whether the domain of `under` is contained in that of `other`. */
static bool compare_domain(
    SameMapProof *work, Under *under, const EncodedMap *other, const char *what) {
  for (uint32_t i = 0; i < other->within_count; i++)
    if (!excluded(work, under, under_breaks(under, other->within[i]), what)) return false;
  return true;
}

static bool compare_results(SameMapProof *work) {
  const EncodedMap *old = &work->old.facts, *new = &work->after_under_old;
  if (work->old.impossible) return true;
  for (uint32_t i = 0; i < old->result_count; i++)
    if (!excluded(work, &work->old, under_differ(&work->old, old->results[i], new->results[i]),
            "results differ"))
      return false;
  return true;
}

static bool same_instruction(const RuntimeSource *a, const RuntimeSource *b) {
  if (a->instruction != nullptr && b->instruction != nullptr)
    return a->instruction == b->instruction;
  if (a->name == nullptr || b->name == nullptr) return a->name == b->name;
  return strcmp(a->name, b->name) == 0;
}

static const char *same_map_name_of(const RuntimeSource *source) {
  return source->name == nullptr ? "an unknown source" : source->name;
}

/* False with the verdict set if sums overflowed, which makes every sum built since then 0. */
static bool sums_fit(SameMapProof *work) {
  const Sums *sums = work->old.sums->overflow ? work->old.sums : work->new.sums;
  return !sums->overflow ||
         !verdict_set(work->verdict, VERDICT_UNKNOWN, "%s", sums_overflow_reason(sums));
}

static bool index_fits(const Map *owner, const Map *index) {
  return index->state == MAP_PLAIN && map_index_is_over(index, owner);
}

/* Refutes if the elements differ at the point of the last model, evaluated by the original
 * expressions. */
static bool refute_source(SameMapProof *work, uint32_t runtime, Expr left, Expr right) {
  Wide x, y;
  bool wide;
  const Wide *values = under_small_point(&work->old);
  if (values == nullptr ||
      !confirm_expr(arena_of(work), work->smt->context, work->before, left, values, &x, &wide) ||
      !confirm_expr(arena_of(work), work->smt->context, work->before, right, values, &y, &wide) ||
      x == y)
    return did_not_replay(work->verdict);
  work->inside = values;
  return refute_shape(work, arena_printf(arena_of(work), "rt%u comes from different elements of %s",
                                runtime, same_map_name_of(&work->before->sources[runtime])));
}

static RuntimeSource source_or_none(const Map *map, uint32_t runtime) {
  return map->sources == nullptr ? (RuntimeSource){} : map->sources[runtime];
}

/* Whether both index maps name the same element, over the domain of the maps. False with the
 * verdict set, or with *failed and the error. */
static bool compare_index(SameMapProof *work, uint32_t runtime, bool *failed) {
  const Map *a = source_or_none(work->before, runtime).index,
            *b = source_or_none(work->after, runtime).index;
  EncodedMap left, right;
  if (a == b || work->old.impossible) return true;
  if (a == nullptr || b == nullptr || !index_fits(work->before, a) || !index_fits(work->after, b) ||
      a->result_count != b->result_count)
    return !verdict_set(
        work->verdict, VERDICT_UNKNOWN, "rt%u: index maps that cannot be compared", runtime);
  *failed = !under_encode(&work->old, a, &left, work->error) ||
            !under_encode(&work->old, b, &right, work->error);
  if (*failed || !sums_fit(work)) return false;
  for (uint32_t i = 0; i < a->result_count; i++) {
    VerdictStatus answer = under_differ(&work->old, left.results[i], right.results[i]);
    if (answer == VERDICT_PROVED) continue;
    if (answer == VERDICT_UNKNOWN)
      return !verdict_set(work->verdict, VERDICT_UNKNOWN, "source of a runtime variable: %s",
          work->old.query.reason);
    return !refute_source(work, runtime, a->results[i], b->results[i]);
  }
  return true;
}

static bool compare_source(SameMapProof *work, uint32_t runtime, bool *failed) {
  RuntimeSource a = source_or_none(work->before, runtime), b = source_or_none(work->after, runtime);
  const char *what = nullptr;
  if (!same_instruction(&a, &b))
    what = arena_printf(arena_of(work), "rt%u comes from %s before and from %s after", runtime,
        same_map_name_of(&a), same_map_name_of(&b));
  else if (a.clamp.lo != b.clamp.lo || a.clamp.hi != b.clamp.hi)
    what = arena_printf(arena_of(work), "rt%u is clamped differently", runtime);
  if (what == nullptr) return compare_index(work, runtime, failed);
  return !refute_shape(work, what);
}

static bool compare_sources(SameMapProof *work, bool *failed) {
  if (work->before->sources == work->after->sources) return true;
  for (uint32_t i = 0; i < work->before->runtime_count; i++)
    if (!compare_source(work, i, failed)) return false;
  return true;
}

static bool compare_plain(SameMapProof *work) {
  bool failed = false;
  if (!compare_domain(work, &work->old, &work->after_under_old, "points lost")) return true;
  if (!compare_domain(work, &work->new, &work->before_under_new, "points gained")) return true;
  if (!compare_results(work)) return true;
  if (!compare_sources(work, &failed)) return !failed;
  if (!sums_fit(work)) return true;
  return verdict_set(work->verdict, VERDICT_PROVED, "the same map at every point%s",
      work->is_open ? "; whether there is one stayed open" : "");
}

/* The map before has no point, so the map after may not have one. */
static bool compare_with_nothing(SameMapProof *work) {
  if (!excluded(work, &work->new, under_any(&work->new, true),
          "the map before is empty; is the map after"))
    return true;
  return verdict_set(work->verdict, VERDICT_PROVED, "both maps are empty");
}

static bool encode_all(SameMapProof *work) {
  if (!under_open(work->smt, work->before, work->named, &work->old, work->error)) return false;
  if (!under_open(work->smt, work->after, work->named, &work->new, work->error)) return false;
  if (!work->old.impossible &&
      !under_encode(&work->old, work->after, &work->after_under_old, work->error))
    return false;
  return work->new.impossible ||
         under_encode(&work->new, work->before, &work->before_under_new, work->error);
}

/* Searches a point of the map before. True if it is proved that there is none. */
static bool has_no_point(SameMapProof *work) {
  if (work->old.impossible) return true;
  work->inside = under_sampled_point(&work->old);
  if (work->inside != nullptr) return false;
  VerdictStatus answer = under_any(&work->old, false);
  if (answer == VERDICT_REFUTED) work->inside = under_point(&work->old);
  work->is_open = work->inside == nullptr;
  return answer == VERDICT_PROVED;
}

static bool same_map_compare(SameMapProof *work) {
  if (!encode_all(work)) return false;
  if (!sums_fit(work)) return true;
  if (has_no_point(work)) return compare_with_nothing(work);
  if (work->after->state == MAP_KNOWN_EMPTY) {
    if (!excluded(work, &work->old, under_any(&work->old, true), "is the map before empty"))
      return true;
    return verdict_set(work->verdict, VERDICT_PROVED, "both maps are empty");
  }
  if (work->before->result_count != work->after->result_count)
    return refute_shape(
        work, arena_printf(arena_of(work), "%s before, %u after",
                  counted(work->before->result_count, "result"), work->after->result_count));
  return compare_plain(work);
}

static bool same_map_query(
    Smt *smt, const Map *before, const Map *after, Verdict *verdict, Error *error) {
  ArenaMark mark = arena_mark(smt->arena);
  SameMapProof work = {
      .smt = smt, .before = before, .after = after, .verdict = verdict, .error = error};
  work.named = before->state == MAP_PLAIN ? before : after;
  bool answered = same_map_compare(&work);
  under_close(&work.old, verdict);
  under_close(&work.new, verdict);
  arena_rewind(smt->arena, mark);
  return answered;
}

/* "1 dimension and 1 range variable before, 1 dimension after" */
static const char *other_variables(Arena *arena, const Map *before, const Map *after) {
  static const char *const nouns[] = {"dimension", "range variable", "runtime variable"};
  const Map *const maps[] = {before, after};
  Text text = text_create(arena);
  for (int i = 0; i < 2; i++) {
    const uint32_t counts[] = {maps[i]->dim_count, maps[i]->range_count, maps[i]->runtime_count};
    text_counts(&text, 3, counts, nouns, "no variables");
    text_string(&text, i == 0 ? " before, " : " after");
  }
  return text.bytes;
}

bool smt_same_map(Smt *smt, const Map *before, const Map *after, Verdict *verdict, Error *error) {
  *verdict = verdict_begin(smt->context->arena);
  if (before->state == MAP_UNDEFINED || after->state == MAP_UNDEFINED)
    return verdict_set(verdict, VERDICT_UNKNOWN, "an undefined map denotes nothing");
  bool differ =
      before->state == MAP_PLAIN && after->state == MAP_PLAIN && !map_same_kinds(before, after);
  if (differ)
    return verdict_set(
        verdict, VERDICT_REFUTED, "%s", other_variables(smt->context->arena, before, after));
  bool began = smt_begin(smt);
  bool answered = same_map_query(smt, before, after, verdict, error);
  budget_end(began);
  return answered;
}
