/* Parses emitted text: the three unions are found by their titles, parsed by isl, and compared with
 * the maps as built. */
#include "core/adapters/isl/relation.h"

#ifdef AFFIRM_HAS_ISL
#include <isl/ctx.h>
#include <isl/options.h>
#include <isl/space.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <string.h>

#include "core/adapters/isl/build.h"
#include "core/adapters/isl/names.h"

typedef struct IslReading {
  MapContext *context;
  RelationPart part;
  isl_ctx *isl;
  const char *text;
  uint32_t count;
  const char *const *names;
  const Map *const *maps;
  Error *error;
} IslReading;

/* The part in braces after `title := `, where the title has the suffix, terminated by a NUL;
 * nullptr if it is missing. Braces are never nested. */
static const char *part_of(const IslReading *reading, const char *title) {
  const char *at = strstr(
      reading->text, arena_printf(reading->context->arena, "%s%s :=", title, reading->part.suffix));
  if (at == nullptr) return nullptr;
  const char *open = strchr(at, '{'), *close = open == nullptr ? nullptr : strchr(open, '}');
  return close == nullptr ? nullptr
                          : arena_text(reading->context->arena, open, (size_t)(close - open) + 1);
}

static isl_union_map *read_map(const IslReading *reading, const char *title) {
  const char *part = part_of(reading, title);
  return part == nullptr ? nullptr : isl_union_map_read_from_str(reading->isl, part);
}

static isl_union_set *read_set(const IslReading *reading, const char *title) {
  const char *part = part_of(reading, title);
  return part == nullptr ? nullptr : isl_union_set_read_from_str(reading->isl, part);
}

/* The union of the maps as built, with the names of the text; nullptr if one cannot be built. */
static isl_union_map *build_all(IslReading *reading) {
  isl_union_map *all = isl_union_map_empty(isl_space_params_alloc(reading->isl, 0));
  for (uint32_t i = 0; i < reading->count; i++) {
    if (reading->maps[i]->state == MAP_KNOWN_EMPTY) continue;
    isl_map *one = build_map(reading->isl, reading->context, reading->maps[i], reading->error);
    uint32_t number = reading->part.first + i;
    const char *name = reading->names == nullptr ? nullptr : reading->names[i];
    one = isl_map_set_tuple_name(
        one, isl_dim_in, arena_printf(reading->context->arena, "S%u", number));
    one = isl_map_set_tuple_name(
        one, isl_dim_out, relation_name(reading->context->arena, number, name));
    all = isl_union_map_union(all, isl_union_map_from_map(one));
  }
  return all;
}

static isl_bool both(isl_bool a, isl_bool b) {
  if (a == isl_bool_error || b == isl_bool_error) return isl_bool_error;
  return a == isl_bool_true && b == isl_bool_true ? isl_bool_true : isl_bool_false;
}

/* TAKE: domain and schedule. True if each point has exactly one time, and no two points share a
 * time. */
static isl_bool is_schedule(isl_union_set *domain, isl_union_map *schedule) {
  schedule = isl_union_map_intersect_domain(schedule, isl_union_set_copy(domain));
  isl_union_set *scheduled = isl_union_map_domain(isl_union_map_copy(schedule));
  isl_bool whole = isl_union_set_is_equal(scheduled, domain);
  isl_bool injective = isl_union_map_is_injective(schedule),
           single = isl_union_map_is_single_valued(schedule);
  isl_union_set_free(scheduled);
  isl_union_set_free(domain);
  isl_union_map_free(schedule);
  return both(whole, both(injective, single));
}

static isl_bool compare_text(IslReading *reading) {
  isl_union_set *domain = read_set(reading, "domain");
  isl_union_map *reads =
      isl_union_map_intersect_domain(read_map(reading, "reads"), isl_union_set_copy(domain));
  isl_union_map *built = build_all(reading);
  isl_bool same = isl_union_map_is_equal(reads, built);
  isl_union_map_free(reads);
  isl_union_map_free(built);
  return both(same, is_schedule(domain, read_map(reading, "schedule")));
}

static bool read_report(IslReading *reading, isl_bool same, VerdictStatus *answer) {
  *answer = same == isl_bool_true ? VERDICT_PROVED : VERDICT_REFUTED;
  if (same != isl_bool_error) return true;
  if (reading->error->kind == ERROR_UNSUPPORTED) return false;
  *answer = VERDICT_UNKNOWN;
  if (isl_ctx_last_error(reading->isl) == isl_error_quota) {
    *reading->error = (Error){};
    return true;
  }
  const char *words = isl_ctx_last_error_msg(reading->isl);
  *reading->error = (Error){};
  return error_set(reading->error, ERROR_INPUT, "isl does not parse the text: %s",
      words == nullptr ? "a part is missing" : words);
}

bool relation_text_same(MapContext *context, const RelationPart *part, uint32_t count,
    const char *const *names, const Map *const *maps, const char *text, uint64_t operations,
    VerdictStatus *answer, Error *error) {
  IslReading reading = {.context = context,
      .part = part == nullptr ? (RelationPart){.suffix = ""} : *part,
      .isl = isl_ctx_alloc(),
      .text = text,
      .count = count,
      .names = names,
      .maps = maps,
      .error = error};
  for (uint32_t i = 0; i < count && error->kind == ERROR_NONE; i++)
    (void)build_may_end(context, maps[i], error);
  isl_options_set_on_error(reading.isl, ISL_ON_ERROR_CONTINUE);
  isl_ctx_set_max_operations(reading.isl, operations);
  bool done = error->kind == ERROR_NONE && read_report(&reading, compare_text(&reading), answer);
  isl_ctx_free(reading.isl);
  return done;
}
#endif
