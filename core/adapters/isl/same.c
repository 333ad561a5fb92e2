/* Compares relations: equality first, then a sample of the difference as a witness. If isl's quota
 * is used up, the verdict is VERDICT_UNKNOWN; every other fault of isl is an error. */
#include "core/adapters/isl/relation.h"

#ifdef AFFIRM_HAS_ISL
#include <assert.h>
#include <isl/ctx.h>
#include <isl/options.h>
#include <isl/point.h>
#include <isl/set.h>
#include <isl/val.h>
#include <isl/version.h>

#include "core/adapters/isl/build.h"

bool relation_available(void) { return true; }
const char *relation_version(void) { return isl_version(); }

static isl_ctx *open_isl(uint64_t operations) {
  isl_ctx *isl = isl_ctx_alloc();
  if (isl == nullptr) arena_out_of_memory(0);
  isl_options_set_on_error(isl, ISL_ON_ERROR_CONTINUE);
  isl_ctx_set_max_operations(isl, operations);
  return isl;
}

/* Handles a failure: out of operations is a verdict, a rejection by build_map keeps its error,
 * anything else is isl's error. */
static bool end_failed(isl_ctx *isl, VerdictStatus *answer, Error *error) {
  if (isl_ctx_last_error(isl) == isl_error_quota) {
    *answer = VERDICT_UNKNOWN;
    *error = (Error){};
    return true;
  }
  if (error->kind == ERROR_LIMIT) *error = (Error){};
  const char *words = isl_ctx_last_error_msg(isl);
  return error_set(
      error, ERROR_ENVIRONMENT, "isl fails: %s", words == nullptr ? "without a reason" : words);
}

typedef struct SamePair {
  MapContext *context;
  isl_ctx *isl;
  isl_map *a, *b;
  RelationReport *report;
  Error *error;
} SamePair;

/* Builds a known-empty map in the space of the other map. */
static void fill_empty(SamePair *pair, const Map *a, const Map *b) {
  if (a->state == MAP_KNOWN_EMPTY && pair->b != nullptr)
    pair->a = isl_map_empty(isl_map_get_space(pair->b));
  if (b->state == MAP_KNOWN_EMPTY && pair->a != nullptr)
    pair->b = isl_map_empty(isl_map_get_space(pair->a));
}

static isl_map *build_plain(SamePair *pair, const Map *map, bool dimensions_only) {
  if (map->state == MAP_KNOWN_EMPTY) return nullptr;
  isl_map *made = build_map(pair->isl, pair->context, map, pair->error);
  if (!dimensions_only) return made;
  return isl_map_project_out(
      made, isl_dim_in, map->dim_count, map->range_count + map->runtime_count);
}

static bool take_coordinates(
    SamePair *pair, isl_point *point, uint32_t from, uint32_t count, const int64_t **values) {
  int64_t *taken = ARENA_NEW(pair->context->arena, int64_t, count);
  bool fits = true;
  for (uint32_t i = 0; fits && i < count; i++) {
    isl_val *value = isl_point_get_coordinate_val(point, isl_dim_set, (int)(from + i));
    isl_val *lowest = isl_val_int_from_si(pair->isl, INT64_MIN),
            *highest = isl_val_int_from_si(pair->isl, INT64_MAX);
    fits =
        isl_val_ge(value, lowest) == isl_bool_true && isl_val_le(value, highest) == isl_bool_true;
    if (fits) taken[i] = isl_val_get_num_si(value);
    isl_val_free(lowest);
    isl_val_free(highest);
    isl_val_free(value);
  }
  *values = taken;
  return fits;
}

/* Finds a pair of `more` that is not in `less`; false if there is none. TAKE: both. */
static bool take_witness(SamePair *pair, isl_map *more, isl_map *less) {
  isl_map *difference = isl_map_subtract(more, less);
  isl_size in = isl_map_dim(difference, isl_dim_in), out = isl_map_dim(difference, isl_dim_out);
  bool some = isl_map_is_empty(difference) == isl_bool_false && in >= 0 && out >= 0;
  isl_point *point = isl_set_sample_point(isl_map_wrap(difference));
  RelationReport *report = pair->report;
  if (some && point != nullptr) {
    assert(!report->has_point);
    report->in_count = (uint32_t)in;
    report->out_count = (uint32_t)out;
    report->has_point = take_coordinates(pair, point, 0, (uint32_t)in, &report->in) &&
                        take_coordinates(pair, point, (uint32_t)in, (uint32_t)out, &report->out);
  }
  isl_point_free(point);
  return some;
}

static bool same_compare(SamePair *pair) {
  assert(pair->a != nullptr && pair->b != nullptr);
  isl_bool same = isl_map_is_equal(pair->a, pair->b);
  if (same == isl_bool_error) return end_failed(pair->isl, &pair->report->answer, pair->error);
  pair->report->answer = same == isl_bool_true ? VERDICT_PROVED : VERDICT_REFUTED;
  if (same == isl_bool_true) return true;
  pair->report->only_in_first = take_witness(pair, isl_map_copy(pair->a), isl_map_copy(pair->b));
  if (!pair->report->only_in_first)
    (void)take_witness(pair, isl_map_copy(pair->b), isl_map_copy(pair->a));
  return true;
}

static bool check_ranks(const Map *a, const Map *b, bool dimensions_only, Error *error) {
  if (a->state == MAP_KNOWN_EMPTY || b->state == MAP_KNOWN_EMPTY) return true;
  if (a->dim_count != b->dim_count || a->result_count != b->result_count)
    return error_set(
        error, ERROR_INPUT, "the maps have different numbers of dimensions or results");
  if (!dimensions_only &&
      (a->range_count != b->range_count || a->runtime_count != b->runtime_count))
    return error_set(error, ERROR_INPUT, "the maps have different numbers of variables");
  return true;
}

static bool compare_maps(MapContext *context, const Map *a, const Map *b, bool dimensions_only,
    uint64_t operations, RelationReport *report, Error *error) {
  *report = (RelationReport){.answer = VERDICT_PROVED};
  if (!build_may_end(context, a, error) || !build_may_end(context, b, error) ||
      !check_ranks(a, b, dimensions_only, error))
    return false;
  if (a->state == MAP_KNOWN_EMPTY && b->state == MAP_KNOWN_EMPTY) return true;
  SamePair pair = {
      .context = context, .isl = open_isl(operations), .report = report, .error = error};
  pair.a = build_plain(&pair, a, dimensions_only);
  pair.b = build_plain(&pair, b, dimensions_only);
  fill_empty(&pair, a, b);
  bool built = pair.a != nullptr && pair.b != nullptr;
  bool done =
      built ? same_compare(&pair)
            : error->kind != ERROR_UNSUPPORTED && end_failed(pair.isl, &report->answer, error);
  isl_map_free(pair.a);
  isl_map_free(pair.b);
  isl_ctx_free(pair.isl);
  return done;
}

bool relation_same(MapContext *context, const Map *a, const Map *b, uint64_t operations,
    RelationReport *report, Error *error) {
  return compare_maps(context, a, b, true, operations, report, error);
}

bool relation_same_map(MapContext *context, const Map *a, const Map *b, uint64_t operations,
    RelationReport *report, Error *error) {
  return compare_maps(context, a, b, false, operations, report, error);
}
#endif
