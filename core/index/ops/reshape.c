/* Reshape by minimal groups: both shapes are walked from the front, skipping sizes 1, and a group
 * ends where the products agree. Inside a group the index is linearized: l = sum of index_i *
 * (product of the sizes after i). Then result_j = (l mod (size_j * rest_j)) floordiv rest_j, where
 * rest_j is the product of the target sizes after j. No product overflows: each divides the element
 * count, which fits int64. */
#include "core/index/ops/reshape.h"

#include <assert.h>

#include "core/index/family.h"

typedef struct Group {
  uint32_t begin, end; /* half-open range of sizes */
  int64_t product;
} Group;

static void skip_ones(Ints sizes, uint32_t *at) {
  while (*at < sizes.count && sizes.values[*at] == 1) ++*at;
}

static Group group_start(Ints sizes, uint32_t at) {
  return (Group){.begin = at, .end = at + 1, .product = sizes.values[at]};
}

static void group_extend(Ints sizes, Group *group) {
  assert(group->end < sizes.count);
  group->product *= sizes.values[group->end++];
}

static Expr group_linearize(Build *build, Ints sizes, const Expr *index, Group group) {
  Expr linear = build_const(build, 0);
  int64_t stride = group.product;
  for (uint32_t i = group.begin; i < group.end; i++) {
    stride /= sizes.values[i];
    if (sizes.values[i] != 1)
      linear = build_plus(build, linear, build_times(build, index[i], stride));
  }
  assert(stride == 1);
  return linear;
}

static void group_delinearize(Build *build, Ints sizes, Group group, Expr linear, Expr *results) {
  int64_t stride = group.product;
  for (uint32_t i = group.begin; i < group.end; i++) {
    if (sizes.values[i] == 1) continue;
    stride /= sizes.values[i];
    results[i] = build_floordiv(build, linear, stride);
    linear = build_mod(build, linear, stride);
  }
  assert(stride == 1);
}

void reshape_index(Build *build, Ints from, const Expr *index, Ints to, Expr *results) {
  for (uint32_t i = 0; i < to.count; i++) results[i] = build_const(build, 0);
  uint32_t i = 0, j = 0;
  for (skip_ones(from, &i), skip_ones(to, &j); i < from.count && j < to.count;
      skip_ones(from, &i), skip_ones(to, &j)) {
    Group source = group_start(from, i), target = group_start(to, j);
    while (source.product != target.product) {
      if (source.product < target.product) group_extend(from, &source);
      else group_extend(to, &target);
    }
    group_delinearize(build, to, target, group_linearize(build, from, index, source), results);
    i = source.end;
    j = target.end;
  }
  assert(i == from.count && j == to.count);
}

static bool reshape_between(
    const IndexQuery *query, const Shape *from, const Shape *to, Build *build) {
  Expr *index = ARENA_NEW(query->context->arena, Expr, from->rank),
       *results = ARENA_NEW(query->context->arena, Expr, to->rank);
  for (uint32_t i = 0; i < from->rank; i++) index[i] = build_dim(build, i);
  if (shape_same_sizes(from, to))
    for (uint32_t i = 0; i < to->rank; i++) results[i] = index[i];
  else
    reshape_index(
        build, (Ints){from->rank, from->sizes}, index, (Ints){to->rank, to->sizes}, results);
  for (uint32_t i = 0; i < to->rank; i++) build_result(build, results[i]);
  return true;
}

static bool same_elements(const IndexQuery *query, IndexResult *answer) {
  if (shape_elements(query->output) == shape_elements(query->input)) return true;
  answer_claim(answer, INDEX_UNDEFINED, "reshape between different numbers of elements");
  return false;
}

bool reads_reshape(const IndexQuery *query, IndexResult *answer, Error *error) {
  if (!same_elements(query, answer)) return true;
  Build build = build_over(query->context, query->output);
  return reshape_between(query, query->output, query->input, &build) &&
         answer_finish(query, answer, &build, error);
}

/* From the operand's elements to the output's: the reverse reshape. */
bool reached_reshape(const IndexQuery *query, IndexResult *answer, Error *error) {
  if (!same_elements(query, answer)) return true;
  IndexQuery reversed = *query;
  reversed.output = query->input;
  reversed.input = query->output;
  return reads_reshape(&reversed, answer, error);
}
