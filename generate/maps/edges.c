/* Maps whose constants are close to the edges of int64, in three forms: an offset to d0, a factor
 * of a small number, and a constraint on a multiple of d0. No value leaves int64 on the box, so
 * that every engine has to give an answer. */
#include "generate/maps/map_form.h"

#include <stdio.h>

static const Interval bounds[] = {{0, 2}, {0, 1}, {-1, 1}, {7, 8}};
static const int added[] = {0, -2, 1}, multiples[] = {1, -1, 2};
/* Of a number in [-1, 1]. */
static const int64_t factors[] = {INT64_MAX, INT64_MAX - 1, INT64_MAX / 2, INT64_MAX / 2 + 1,
    -INT64_MAX, INT64_MIN / 2, (int64_t)UINT32_MAX, (int64_t)UINT32_MAX + 2, INT32_MIN};
static const char *const small_numbers[] = {"d0 mod 2", "d0 floordiv 2", "d0"};
/* E stands for the form. */
static const char *const outer[] = {"E", "E floordiv 2", "E floordiv 4", "E floordiv 7",
    "E ceildiv 4", "E mod 4", "(E mod 4 + 2) floordiv 4", "E floordiv 4 * 4", "max(E, 0)"};
static const Interval intervals[] = {{INT64_MIN, INT64_MAX}, {0, INT64_MAX}, {INT64_MIN, -1},
    {INT64_MAX - 1, INT64_MAX}, {INT64_MIN, INT64_MIN + 1}};

#define COUNT(list) (sizeof(list) / sizeof *(list))
#define CHOOSE_ITEM(choices, list) (&(list)[choose((choices), COUNT(list))])

typedef struct EdgeMap {
  const char *outer;
  char inner[64], constraint[128];
  const Interval *box;
} EdgeMap;

/* An offset that keeps numbers of [lo, hi] in int64, where it is possible with one end of the sum
 * at the edge or beside it. */
static long long choose_offset(Choices *choices, int64_t lo, int64_t hi) {
  int64_t high = hi > 0 ? INT64_MAX - hi : INT64_MAX, low = lo < 0 ? INT64_MIN - lo : INT64_MIN;
  const int64_t offsets[] = {high, high - 1, low, low + 1, INT64_MAX / 2 + 1, INT64_MIN / 2,
      (int64_t)UINT32_MAX, (int64_t)INT32_MIN};
  return *CHOOSE_ITEM(choices, offsets);
}

static const char *choose_outer(Choices *choices, const MapLimits *limits) {
  assert(limits->first <= COUNT(outer));
  return outer[choose(choices, limits->first)];
}

static void choose_offset_form(Choices *choices, const MapLimits *limits, EdgeMap *made) {
  made->box = CHOOSE_ITEM(choices, bounds);
  int first = *CHOOSE_ITEM(choices, added);
  snprintf(made->inner, sizeof made->inner, "d0 + %d + %lld", first,
      choose_offset(choices, made->box->lo + first, made->box->hi + first));
  made->outer = choose_outer(choices, limits);
}

static void choose_factor_form(Choices *choices, const MapLimits *limits, EdgeMap *made) {
  uint64_t number = choose(choices, COUNT(small_numbers));
  /* d0 floordiv 2 and d0 itself are in [-1, 1] in one or two of the boxes. */
  made->box = &bounds[number == 0   ? choose(choices, COUNT(bounds))
                      : number == 1 ? choose(choices, 3)
                                    : 1 + choose(choices, 2)];
  snprintf(made->inner, sizeof made->inner, "(%s) * %lld", small_numbers[number],
      (long long)*CHOOSE_ITEM(choices, factors));
  made->outer = choose_outer(choices, limits);
}

static void choose_constraint_form(Choices *choices, EdgeMap *made) {
  made->box = CHOOSE_ITEM(choices, bounds);
  int multiple = *CHOOSE_ITEM(choices, multiples);
  int64_t first = multiple * made->box->lo, last = multiple * made->box->hi;
  long long offset =
      choose_offset(choices, first < last ? first : last, first < last ? last : first);
  const Interval *in = CHOOSE_ITEM(choices, intervals);
  snprintf(made->constraint, sizeof made->constraint, "d0 * %d + %lld in [%lld, %lld]", multiple,
      offset, (long long)in->lo, (long long)in->hi);
}

static const Map *edge_map(MapContext *context, const EdgeMap *made) {
  Text text = text_create(context->arena);
  text_string(&text, "(d0) -> (");
  for (const char *at = made->outer; *at != 0; at++)
    if (*at == 'E') text_printf(&text, "(%s)", made->inner);
    else text_append(&text, at, 1);
  text_printf(&text, "), domain: d0 in [%lld, %lld], %s", (long long)made->box->lo,
      (long long)made->box->hi, made->constraint);
  return map_of_text(context, text.bytes, text.length);
}

MadeMaps generate_maps_edges(Choices *choices, const MapLimits *limits, MapContext *context) {
  EdgeMap made = {.outer = "E", .inner = "d0"};
  switch (choose(choices, 3)) {
    case 0: choose_offset_form(choices, limits, &made); break;
    case 1: choose_factor_form(choices, limits, &made); break;
    default: choose_constraint_form(choices, &made); break;
  }
  return context == nullptr ? (MadeMaps){} : (MadeMaps){{edge_map(context, &made)}};
}

static void words_integers(Text *text, const char *what, uint32_t count, const int *list) {
  text_string(text, what);
  for (uint32_t i = 0; i < count; i++) text_printf(text, "%s%d", i == 0 ? " " : ", ", list[i]);
}

void words_maps_edges(Text *text) {
  words_intervals(text, "d0 in", COUNT(bounds), bounds);
  words_integers(text, "; E = d0 + a + k, a:", COUNT(added), added);
  words_list(text, "\n  and E = X*k, X", COUNT(small_numbers), small_numbers);
  words_list(text, "\n  results, the first so many", COUNT(outer), outer);
  words_integers(text, "\n  and one constraint on d0*a + k, a:", COUNT(multiples), multiples);
  text_string(text, "; k: beside the edges of int64, of int32 and of uint32, and +-2^62");
}
