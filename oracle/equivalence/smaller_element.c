/* Evaluates elements one by one, without cuts. Between an index that does not differ and a larger
 * one that does, the middle is tried. If all indices from some index on differ, that index is
 * found. */
#include "oracle/equivalence/smaller_element.h"

static constexpr int64_t most_first = 64; /* elements that are tried in order */
static constexpr uint64_t part_of_limit = 8;

/* Builds both terms without cuts; false if a law joins them or they were not built. */
static bool terms_of_element(
    OracleValues *values, const Arrays *arrays, int64_t element, Term terms[2]) {
  for (int side = 0; side < 2; side++) {
    values->builders[side].depth = 0;
    if (!builder_element(&values->builders[side], arrays->nodes[side], arrays->leaves[side],
            element, &terms[side]))
      return false;
  }
  return !values_joined(values, terms[0], terms[1]);
}

/* `arena` holds intermediate results and the verdict's texts. */
static bool differs_at(OracleValues *values, const Arrays *arrays, int64_t element, Arena *arena,
    ValuesVerdict *verdict) {
  Term terms[2];
  if (!terms_of_element(values, arrays, element, terms)) return false;
  Differing differing = values_differing(values);
  differing.arena = arena;
  differing_add(&differing, element, terms[0], terms[1]);
  *verdict = (ValuesVerdict){};
  differing_decide(&differing, &arrays->nodes[0]->leaves[arrays->leaves[0]], verdict);
  return verdict->answer == REASON_DIFFERENT;
}

static bool is_different(OracleValues *values, const Arrays *arrays, int64_t element) {
  ValuesVerdict verdict;
  Arena *arena = arena_create();
  bool differs = differs_at(values, arrays, element, arena, &verdict);
  arena_destroy(arena);
  return differs;
}

/* Finds the smallest index of the dimension at which the point differs, if all larger ones differ
 * too. */
static void lower_index(
    OracleValues *values, const Arrays *arrays, int64_t *point, uint32_t dimension) {
  const Leaf *leaf = &arrays->nodes[0]->leaves[arrays->leaves[0]];
  int64_t same = -1, differs = point[dimension];
  for (int64_t next = 0; differs - same > 1; next = same + (differs - same) / 2) {
    point[dimension] = next;
    bool is_lower = is_different(values, arrays, leaf_element(leaf, point));
    if (values->rejection.is_set) break;
    if (is_lower) differs = next;
    else same = next;
  }
  point[dimension] = differs;
}

/* The number of the smallest differing element that was found. */
static int64_t find_smaller(OracleValues *values, const Arrays *arrays, const int64_t *found) {
  const Leaf *leaf = &arrays->nodes[0]->leaves[arrays->leaves[0]];
  int64_t point[oracle_max_rank], known = leaf_element(leaf, found);
  for (int64_t first = 0; first < most_first && first < known; first++) {
    if (is_different(values, arrays, first)) return first;
    if (values->rejection.is_set) return known;
  }
  for (uint32_t i = 0; i < leaf->rank; i++) point[i] = found[i];
  for (uint32_t i = 0; i < leaf->rank && !values->rejection.is_set; i++)
    lower_index(values, arrays, point, i);
  return leaf_element(leaf, point);
}

static void set_limit(OracleValues *values, uint64_t most) {
  for (int side = 0; side < 2; side++) {
    values->builders[side].most_work = most;
    values->builders[side].depth = 0;
  }
}

static void begin_elements(OracleValues *values) {
  values->rejection = (Rejection){};
  values->is_prepared = false;
  values_remove_cuts(values);
  values->work = 0;
}

void smaller_element(OracleValues *values, const Arrays *arrays, ValuesVerdict *verdict) {
  if (verdict->answer != REASON_DIFFERENT || !verdict->has_point) return;
  const Leaf *leaf = &arrays->nodes[0]->leaves[arrays->leaves[0]];
  ValuesVerdict smaller;
  uint64_t most = values->builders[0].most_work;
  int64_t known = leaf_element(leaf, verdict->point);
  begin_elements(values);
  set_limit(values, most / part_of_limit);
  int64_t element = find_smaller(values, arrays, verdict->point);
  begin_elements(values);
  set_limit(values, most);
  if (element < known && differs_at(values, arrays, element, values->arena, &smaller))
    *verdict = smaller;
  values->rejection = (Rejection){};
}

static void set_not_seen(OracleValues *values, ValuesVerdict *verdict) {
  *verdict = (ValuesVerdict){.answer = REASON_OPEN};
  snprintf(verdict->reason, sizeof verdict->reason, "%s",
      values->rejection.is_set ? values->rejection.text : "no input was found that shows it");
}

void values_query_at(
    OracleValues *values, uint32_t leaf, const int64_t *point, ValuesVerdict *verdict) {
  Arrays arrays = {{values->builders[0].flow.root, values->builders[1].flow.root}, {leaf, leaf}};
  ValuesVerdict found;
  set_not_seen(values, verdict);
  if (!values->is_built) return; /* there are no nodes */
  const Leaf *array = &arrays.nodes[0]->leaves[leaf];
  if (!shape_same_sizes(array->shape, arrays.nodes[1]->leaves[leaf].shape)) return;
  begin_elements(values);
  values->shared->spent = 0;
  if (!differs_at(values, &arrays, leaf_element(array, point), values->arena, &found)) {
    set_not_seen(values, verdict);
    return;
  }
  smaller_element(values, &arrays, &found);
  *verdict = found;
}
