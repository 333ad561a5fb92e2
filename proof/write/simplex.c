/* The tableau expresses each basic variable as a sum of the others. Bland's rule makes pivoting
 * terminate. Numbers are 128-bit fractions; beyond 2^120 `overflow` is set. */
#include "proof/write/simplex.h"

#include <assert.h>

static Wide wide_abs(Wide a) { return a < 0 ? -a : a; }

static bool is_small(Wide a) { return a >= INT32_MIN && a <= INT32_MAX; }

static Wide gcd_of(Wide a, Wide b) {
  if (a != (int64_t)a || b != (int64_t)b || a == INT64_MIN || b == INT64_MIN) return wide_gcd(a, b);
  uint64_t x = (uint64_t)wide_abs(a), y = (uint64_t)wide_abs(b);
  while (y != 0) {
    uint64_t rest = x % y;
    x = y;
    y = rest;
  }
  return (Wide)x;
}

/* A denominator of 0 is a product that left the range. */
static Ratio ratio_of(Wide n, Wide d, bool *overflow) {
  assert(d != 0 || *overflow);
  if (d == 0) return (Ratio){0, 1};
  if (d == 1) return (Ratio){n, 1};
  if (d < 0) n = -n, d = -d;
  Wide common = gcd_of(n, d);
  Wide capacity = (Wide)1 << 110;
  if (n > capacity || n < -capacity || d > capacity) *overflow = true;
  if (common == 1) return (Ratio){n, d};
  if (is_small(n) && is_small(d))
    return (Ratio){(int64_t)n / (int64_t)common, (int64_t)d / (int64_t)common};
  return (Ratio){n / common, d / common};
}

static Wide multiply(Simplex *simplex, Wide a, Wide b) {
  Wide product = 0;
  if (is_small(a) && is_small(b)) {
    int64_t short_product = (int64_t)a * (int64_t)b;
    return short_product;
  }
  if (!wide_multiply(a, b, &product)) simplex->overflow = true;
  return product;
}

static Ratio simplex_times(Simplex *simplex, Ratio a, Ratio b) {
  if (a.n == 0 || b.n == 0) return (Ratio){0, 1};
  return ratio_of(multiply(simplex, a.n, b.n), multiply(simplex, a.d, b.d), &simplex->overflow);
}

static Ratio simplex_plus(Simplex *simplex, Ratio a, Ratio b) {
  if (a.d == 1 && b.d == 1) {
    Wide capacity = (Wide)1 << 110, sum = a.n + b.n;
    if (sum > capacity || sum < -capacity) simplex->overflow = true;
    return (Ratio){simplex->overflow ? 0 : sum, 1};
  }
  Wide left = multiply(simplex, a.n, b.d), right = multiply(simplex, b.n, a.d);
  Wide sum = 0;
  if (!wide_add(left, right, &sum)) simplex->overflow = true;
  return ratio_of(sum, multiply(simplex, a.d, b.d), &simplex->overflow);
}

static int simplex_compare(Simplex *simplex, Ratio a, Wide b) {
  Wide right = multiply(simplex, b, a.d);
  return a.n < right ? -1 : a.n > right;
}

Simplex *simplex_create(Arena *arena, uint32_t capacity) {
  Simplex *simplex = ARENA_NEW(arena, Simplex, 1);
  *simplex = (Simplex){.arena = arena, .capacity = capacity};
  simplex->variable_of_row = ARENA_NEW(arena, uint32_t, capacity);
  simplex->variable_of_column = ARENA_NEW(arena, uint32_t, capacity);
  simplex->row = ARENA_NEW(arena, int32_t, capacity);
  simplex->column = ARENA_NEW(arena, int32_t, capacity);
  simplex->values = ARENA_NEW(arena, Ratio, capacity);
  simplex->lower = ARENA_NEW(arena, Bound, capacity);
  simplex->upper = ARENA_NEW(arena, Bound, capacity);
  simplex->rows = ARENA_NEW(arena, Ratio *, capacity);
  return simplex;
}

static uint32_t variable_new(Simplex *simplex) {
  if (simplex->count == simplex->capacity) {
    simplex->overflow = true;
    return 0;
  }
  uint32_t variable = simplex->count++;
  simplex->row[variable] = simplex->column[variable] = -1;
  simplex->values[variable] = (Ratio){0, 1};
  return variable;
}

uint32_t simplex_free(Simplex *simplex) {
  assert(simplex->row_count == 0);
  uint32_t variable = variable_new(simplex);
  if (simplex->overflow) return variable;
  simplex->column[variable] = (int32_t)simplex->column_count;
  simplex->variable_of_column[simplex->column_count++] = variable;
  return variable;
}

uint32_t simplex_sum(
    Simplex *simplex, uint32_t count, const uint32_t *variables, const Wide *factors) {
  uint32_t variable = variable_new(simplex);
  if (simplex->overflow) return variable;
  Ratio *sum = ARENA_NEW(simplex->arena, Ratio, simplex->column_count + 1);
  for (uint32_t c = 0; c < simplex->column_count; c++) sum[c] = (Ratio){0, 1};
  for (uint32_t i = 0; i < count; i++) {
    Ratio factor = {factors[i], 1};
    int32_t row = simplex->row[variables[i]];
    if (row < 0) {
      Ratio *entry = &sum[simplex->column[variables[i]]];
      *entry = simplex_plus(simplex, *entry, factor);
    }
    for (uint32_t c = 0; row >= 0 && c < simplex->column_count; c++)
      sum[c] = simplex_plus(simplex, sum[c], simplex_times(simplex, factor, simplex->rows[row][c]));
    simplex->values[variable] = simplex_plus(simplex, simplex->values[variable],
        simplex_times(simplex, factor, simplex->values[variables[i]]));
  }
  simplex->row[variable] = (int32_t)simplex->row_count;
  simplex->variable_of_row[simplex->row_count] = variable;
  simplex->rows[simplex->row_count++] = sum;
  return variable;
}

static void conflict_add(Simplex *simplex, uint32_t variable, bool is_upper, Ratio factor) {
  const Bound *bound = is_upper ? &simplex->upper[variable] : &simplex->lower[variable];
  *ARENA_PUSH(simplex->arena, &simplex->conflict) =
      (BoundUse){.variable = variable, .is_upper = is_upper, .why = bound->why, .factor = factor};
}

/* Changes a nonbasic variable and updates the basic ones. */
static void simplex_move(Simplex *simplex, uint32_t variable, Ratio by) {
  uint32_t column = (uint32_t)simplex->column[variable];
  simplex->values[variable] = simplex_plus(simplex, simplex->values[variable], by);
  for (uint32_t r = 0; r < simplex->row_count; r++) {
    if (simplex->rows[r][column].n == 0) continue;
    Ratio *value = &simplex->values[simplex->variable_of_row[r]];
    *value = simplex_plus(simplex, *value, simplex_times(simplex, by, simplex->rows[r][column]));
  }
}

static Ratio simplex_distance(Simplex *simplex, uint32_t variable, Wide to) {
  Ratio value = simplex->values[variable];
  return simplex_plus(simplex, (Ratio){to, 1}, (Ratio){-value.n, value.d});
}

bool simplex_bound(Simplex *simplex, uint32_t variable, bool is_upper, Wide value, uint32_t why) {
  Bound *bound = is_upper ? &simplex->upper[variable] : &simplex->lower[variable];
  const Bound *other = is_upper ? &simplex->lower[variable] : &simplex->upper[variable];
  if (bound->is_set && (is_upper ? bound->value <= value : bound->value >= value)) return true;
  *ARENA_PUSH(simplex->arena, &simplex->changes) =
      (struct BoundChange){.variable = variable, .is_upper = is_upper, .before = *bound};
  *bound = (Bound){.is_set = true, .value = value, .why = why};
  if (other->is_set && (is_upper ? other->value > value : other->value < value)) {
    simplex->conflict.count = 0;
    conflict_add(simplex, variable, true, (Ratio){1, 1});
    conflict_add(simplex, variable, false, (Ratio){1, 1});
    return false;
  }
  int order = simplex_compare(simplex, simplex->values[variable], value);
  if (simplex->column[variable] >= 0 && (is_upper ? order > 0 : order < 0))
    simplex_move(simplex, variable, simplex_distance(simplex, variable, value));
  return true;
}

void simplex_undo(Simplex *simplex, uint32_t changes) {
  while (simplex->changes.count > changes) {
    const struct BoundChange *change = &simplex->changes.items[--simplex->changes.count];
    Bound *bounds = change->is_upper ? simplex->upper : simplex->lower;
    bounds[change->variable] = change->before;
  }
}

/* Exchanges the basic variable of a row with the nonbasic variable of a column. */
static void pivot(Simplex *simplex, uint32_t row, uint32_t column) {
  uint32_t out = simplex->variable_of_row[row], in = simplex->variable_of_column[column];
  Ratio *pivot_row = simplex->rows[row], entry = pivot_row[column];
  Ratio inverse = entry.n > 0 ? (Ratio){entry.d, entry.n} : (Ratio){-entry.d, -entry.n};
  for (uint32_t c = 0; c < simplex->column_count; c++)
    pivot_row[c] = c == column
                       ? inverse
                       : simplex_times(simplex, pivot_row[c], (Ratio){-inverse.n, inverse.d});
  for (uint32_t r = 0; r < simplex->row_count; r++) {
    Ratio factor = simplex->rows[r][column];
    if (r == row || factor.n == 0) continue;
    simplex->rows[r][column] = (Ratio){0, 1};
    for (uint32_t c = 0; c < simplex->column_count; c++)
      if (pivot_row[c].n != 0)
        simplex->rows[r][c] = simplex_plus(
            simplex, simplex->rows[r][c], simplex_times(simplex, factor, pivot_row[c]));
  }
  simplex->variable_of_row[row] = in;
  simplex->variable_of_column[column] = out;
  simplex->row[in] = (int32_t)row, simplex->column[in] = -1;
  simplex->row[out] = -1, simplex->column[out] = (int32_t)column;
}

/* The row of the lowest-numbered basic variable that violates a bound, or -1. */
static int32_t broken_row(Simplex *simplex, bool *is_below) {
  for (uint32_t v = 0; v < simplex->count; v++) {
    if (simplex->row[v] < 0) continue;
    *is_below = simplex->lower[v].is_set &&
                simplex_compare(simplex, simplex->values[v], simplex->lower[v].value) < 0;
    bool is_above = simplex->upper[v].is_set &&
                    simplex_compare(simplex, simplex->values[v], simplex->upper[v].value) > 0;
    if (*is_below || is_above) return simplex->row[v];
  }
  return -1;
}

/* True if the bounds allow the variable to move in this direction. */
static bool can_help(Simplex *simplex, uint32_t variable, bool is_up) {
  const Bound *bound = is_up ? &simplex->upper[variable] : &simplex->lower[variable];
  int order = bound->is_set ? simplex_compare(simplex, simplex->values[variable], bound->value) : 0;
  return !bound->is_set || (is_up ? order < 0 : order > 0);
}

static void row_conflict(Simplex *simplex, uint32_t row, bool is_below) {
  simplex->conflict.count = 0;
  conflict_add(simplex, simplex->variable_of_row[row], !is_below, (Ratio){1, 1});
  for (uint32_t c = 0; c < simplex->column_count; c++) {
    Ratio factor = simplex->rows[row][c];
    if (factor.n == 0) continue;
    conflict_add(simplex, simplex->variable_of_column[c], (factor.n > 0) == is_below,
        (Ratio){wide_abs(factor.n), factor.d});
  }
}

bool simplex_check(Simplex *simplex) {
  bool is_below;
  for (int32_t row; !simplex->overflow && (row = broken_row(simplex, &is_below)) >= 0;) {
    uint32_t out = simplex->variable_of_row[row], in = UINT32_MAX;
    for (uint32_t v = 0; v < simplex->count && in == UINT32_MAX; v++) {
      int32_t column = simplex->column[v];
      if (column < 0 || simplex->rows[row][column].n == 0) continue;
      if (can_help(simplex, v, (simplex->rows[row][column].n > 0) == is_below)) in = v;
    }
    if (in == UINT32_MAX) {
      row_conflict(simplex, (uint32_t)row, is_below);
      return false;
    }
    Wide target = is_below ? simplex->lower[out].value : simplex->upper[out].value;
    pivot(simplex, (uint32_t)row, (uint32_t)simplex->column[in]);
    simplex_move(simplex, out, simplex_distance(simplex, out, target));
  }
  return true;
}
