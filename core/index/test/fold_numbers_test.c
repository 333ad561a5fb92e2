/* Every folded operation on every pair of edge values of integer types, and on expressions, against
 * definitions in 128 bits: the low bits of the exact result as a value of the type. */
#include "core/index/runtime/fold.h"
#include "core/index/test/test_bench.h"

typedef _BitInt(128) Wide;

typedef struct FoldType {
  const char *name;
  uint32_t bits;
  bool is_signed;
} FoldType;

static const FoldType fold_types[] = {{"s8", 8, true}, {"u8", 8, false}, {"s4", 4, true},
    {"u2", 2, false}, {"s16", 16, true}, {"u32", 32, false}, {"s32", 32, true}, {"s64", 64, true},
    {"u64", 64, false}};

/* The value of the type with the low bits of `exact`. */
static Wide fold_wrap(const FoldType *type, Wide exact) {
  Wide range = (Wide)1 << type->bits, low = exact % range;
  if (low < 0) low += range;
  return type->is_signed && low >= range / 2 ? low - range : low;
}

static Wide least_of(const FoldType *type) {
  return type->is_signed ? -((Wide)1 << (type->bits - 1)) : 0;
}

static Wide most_of(const FoldType *type) {
  return ((Wide)1 << (type->bits - type->is_signed)) - 1;
}

static Wide shift_defined(const FoldType *type, char direction, Wide a, Wide b) {
  Wide range = (Wide)1 << type->bits, low = a < 0 ? a + range : a;
  Wide extended = low >= range / 2 ? low - range : low;
  bool is_outside = b < 0 || b >= type->bits;
  if (direction == 'l') return is_outside ? 0 : low << (int)b;
  if (direction == 'r') return is_outside ? 0 : low >> (int)b;
  return is_outside ? (extended < 0 ? -1 : 0) : extended >> (int)b;
}

static const char *const binary_names[] = {"add", "subtract", "multiply", "divide", "remainder",
    "maximum", "minimum", "and", "or", "xor", "shift-left", "shift-right-logical",
    "shift-right-arithmetic"};
static constexpr uint32_t binary_count = sizeof binary_names / sizeof *binary_names;

static Wide binary_defined(const FoldType *type, uint32_t operation, Wide a, Wide b) {
  switch (operation) {
    case 0: return a + b;
    case 1: return a - b;
    case 2: return a * b;
    case 3: return b == 0 ? -1 : a / b;
    case 4: return b == 0 ? a : a % b;
    case 5: return a > b ? a : b;
    case 6: return a < b ? a : b;
    case 7: return a & b;
    case 8: return a | b;
    case 9: return a ^ b;
    case 10: return shift_defined(type, 'l', a, b);
    case 11: return shift_defined(type, 'r', a, b);
    default: return shift_defined(type, 'a', a, b);
  }
}

static const char *const directions[] = {"LT", "LE", "GT", "GE", "EQ", "NE"};

static bool compare_defined(uint32_t direction, Wide a, Wide b) {
  const bool truths[] = {a<b, a <= b, a> b, a >= b, a == b, a != b};
  return truths[direction];
}

/* Edges of the type and small numbers, each once. */
static uint32_t list_values(const FoldType *type, int64_t *values) {
  const Wide candidates[] = {least_of(type), least_of(type) + 1, -7, -3, -2, -1, 0, 1, 2, 3, 5, 7,
      8, (Wide)type->bits - 1, (Wide)type->bits, most_of(type) / 2, most_of(type) - 1,
      most_of(type)};
  uint32_t count = 0;
  for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
    bool is_new = candidates[i] >= least_of(type) && candidates[i] <= most_of(type) &&
                  candidates[i] <= INT64_MAX;
    for (uint32_t k = 0; k < count; k++) is_new = is_new && values[k] != candidates[i];
    if (is_new) values[count++] = (int64_t)candidates[i];
  }
  return count;
}

static void write_constant(Text *text, const char *name, const FoldType *type, uint32_t count,
    const int64_t *values, uint32_t step) {
  text_printf(text, "%s = %s[%u] constant({", name, type->name, count * count);
  for (uint32_t i = 0; i < count * count; i++)
    text_printf(text, "%s%lld", i > 0 ? ", " : "", (long long)values[i / step % count]);
  text_string(text, "})\n");
}

/* abs takes no unsigned numbers, which are their own absolute values. */
static const char *absolute(const FoldType *type) { return type->is_signed ? "abs" : "copy"; }

static const char *numbers_text(
    Arena *arena, const FoldType *type, uint32_t count, const int64_t *values) {
  Text text = text_create(arena);
  uint32_t size = count * count;
  write_constant(&text, "a", type, count, values, count);
  write_constant(&text, "b", type, count, values, 1);
  for (uint32_t i = 0; i < binary_count; i++)
    text_printf(&text, "o%u = %s[%u] %s(a, b)\n", i, type->name, size, binary_names[i]);
  for (uint32_t i = 0; i < 6; i++)
    text_printf(&text, "c%u = pred[%u] compare(a, b), direction=%s\n", i, size, directions[i]);
  for (size_t i = 0; i < sizeof fold_types / sizeof *fold_types; i++)
    text_printf(&text, "v%zu = %s[%u] convert(a)\n", i, fold_types[i].name, size);
  text_printf(&text, "n = %s[%u] negate(a)\nm = %s[%u] %s(a)\n", type->name, size, type->name, size,
      absolute(type));
  text_printf(&text, "s = %s[%u] select(c0, a, b)\nk = %s[%u] clamp(b, a, b)\n", type->name, size,
      type->name, size);
  text_printf(&text, "l = %s[%u] clamp(a, b, o5)\nROOT r = %s[%u] copy(a)\n", type->name, size,
      type->name, size);
  return text.bytes;
}

static const Instruction *instruction_named(const IndexFixture *bench, const char *name) {
  const Computation *entry = bench->module->entry;
  for (uint32_t i = 0; i < entry->instruction_count; i++)
    if (strcmp(entry->instructions[i]->name, name) == 0) return entry->instructions[i];
  fail_msg("%s", name);
  return root_of(bench);
}

/* Folded to the value, or, only where that is no int64, not folded. */
static void check_element(
    IndexFixture *bench, const char *name, uint32_t element, const FoldType *type, Wide exact) {
  const Instruction *instruction = instruction_named(bench, name);
  MapMark mark = map_context_mark(bench->context);
  Map *box = map_create(bench->context, 0, 0, 0, 0, 0);
  Expr index = expr_const(bench->context->pool, element), value;
  Interval bounds;
  Wide expected = type == nullptr ? exact : fold_wrap(type, exact);
  bool fits = fold_element(bench->context, box, instruction, &index, &value, &bounds);
  int64_t found = 0;
  if (fits != (expected <= INT64_MAX)) fail_msg("%s of element %u: %d", name, element, fits);
  if (fits && (!expr_evaluate(bench->context->pool, value, &(Point){}, &found) ||
                  found != expected || bounds.lo != expected || bounds.hi != expected))
    fail_msg(
        "%s of element %u: %lld, not %lld", name, element, (long long)found, (long long)expected);
  map_context_rewind(bench->context, mark);
}

static void check_pair(
    IndexFixture *bench, const FoldType *type, uint32_t element, Wide a, Wide b) {
  char name[8];
  for (uint32_t i = 0; i < binary_count; i++) {
    snprintf(name, sizeof name, "o%u", i);
    check_element(bench, name, element, type, binary_defined(type, i, a, b));
  }
  for (uint32_t i = 0; i < 6; i++) {
    snprintf(name, sizeof name, "c%u", i);
    check_element(bench, name, element, nullptr, compare_defined(i, a, b));
  }
  check_element(bench, "s", element, type, a < b ? a : b);
  check_element(bench, "k", element, type, b);
  check_element(bench, "l", element, type, a > b ? a : b);
}

static void numbers_fold_as_defined(void **) {
  for (size_t t = 0; t < sizeof fold_types / sizeof *fold_types; t++) {
    const FoldType *type = &fold_types[t];
    Arena *arena = arena_create();
    int64_t values[32];
    uint32_t count = list_values(type, values);
    IndexFixture bench = bench_open(numbers_text(arena, type, count, values), false);
    for (uint32_t i = 0; i < count * count; i++)
      check_pair(&bench, type, i, values[i / count], values[i % count]);
    for (uint32_t i = 0; i < count; i++) {
      char name[8];
      Wide value = values[i];
      check_element(&bench, "n", i * count, type, -value);
      check_element(&bench, "m", i * count, type, value < 0 ? -value : value);
      for (size_t to = 0; to < sizeof fold_types / sizeof *fold_types; to++) {
        snprintf(name, sizeof name, "v%zu", to);
        check_element(&bench, name, i * count, &fold_types[to], value);
      }
    }
    bench_close(&bench);
    arena_destroy(arena);
  }
}

/* ---- expressions ---- */

/* x is an iota plus `from`, so 24 values in a row; each operation with a number, in both orders. */
static const char *expressions_text(Arena *arena, const FoldType *type, int64_t from, int64_t by) {
  Text text = text_create(arena);
  const char *name = type->name;
  text_printf(&text, "i = %s[24] iota(), iota_dimension=0\nf = %s[] constant(%lld)\n", name, name,
      (long long)from);
  text_printf(&text, "g = %s[] constant(%lld)\n", name, (long long)by);
  text_printf(&text, "h = %s[24] broadcast(f), dimensions={}\nx = %s[24] add(i, h)\n", name, name);
  text_printf(&text, "y = %s[24] broadcast(g), dimensions={}\n", name);
  for (uint32_t i = 0; i < binary_count; i++) {
    text_printf(&text, "o%u = %s[24] %s(x, y)\n", i, name, binary_names[i]);
    text_printf(&text, "q%u = %s[24] %s(y, x)\n", i, name, binary_names[i]);
  }
  text_printf(&text, "n = %s[24] negate(x)\nm = %s[24] %s(x)\nw = s8[24] convert(x)\n", name, name,
      absolute(type));
  for (uint32_t i = 0; i < 6; i++)
    text_printf(&text, "c%u = pred[24] compare(x, y), direction=%s\n", i, directions[i]);
  text_printf(&text, "ROOT r = %s[24] copy(x)\n", name);
  return text.bytes;
}

typedef struct FoldTally {
  uint32_t folded, left;
} FoldTally;

static Wide folded_defined(
    const FoldType *type, const char *name, uint32_t operation, Wide x, Wide y) {
  switch (name[0]) {
    case 'o': return fold_wrap(type, binary_defined(type, operation, x, y));
    case 'q': return fold_wrap(type, binary_defined(type, operation, y, x));
    case 'c': return compare_defined(operation, x, y);
    case 'n': return fold_wrap(type, -x);
    case 'm': return fold_wrap(type, x < 0 ? -x : x);
    default: return fold_wrap(&fold_types[0], x);
  }
}

/* What is folded has the defined value at each index, and bounds that contain it. */
static void check_expression(IndexFixture *bench, const FoldType *type, const char *name,
    uint32_t operation, int64_t from, int64_t by, FoldTally *tally) {
  MapMark mark = map_context_mark(bench->context);
  Map *box = map_create(bench->context, 1, 0, 0, 0, 0);
  box->dims[0].bounds = (Interval){0, 23};
  Expr index = expr_var(bench->context->pool, VAR_DIM, 0), value;
  Interval bounds;
  bool fits =
      fold_element(bench->context, box, instruction_named(bench, name), &index, &value, &bounds);
  tally->folded += fits;
  tally->left += !fits;
  for (int64_t at = 0; at < 24 && fits; at++) {
    Wide x = fold_wrap(type, fold_wrap(type, at) + from);
    Wide expected = folded_defined(type, name, operation, x, by);
    int64_t found;
    assert_true(expr_evaluate(bench->context->pool, value, &(Point){.dims = &at}, &found));
    if (found != expected || found < bounds.lo || found > bounds.hi)
      fail_msg("%s %s at %lld, from %lld by %lld: %lld", type->name, name, (long long)at,
          (long long)from, (long long)by, (long long)found);
  }
  map_context_rewind(bench->context, mark);
}

static void check_expressions(
    const FoldType *type, int64_t from, int64_t by, FoldTally tallies[3 * binary_count]) {
  Arena *arena = arena_create();
  IndexFixture bench = bench_open(expressions_text(arena, type, from, by), false);
  for (uint32_t i = 0; i < binary_count; i++) {
    char name[8];
    snprintf(name, sizeof name, "o%u", i);
    check_expression(&bench, type, name, i, from, by, &tallies[i]);
    name[0] = 'q';
    check_expression(&bench, type, name, i, from, by, &tallies[binary_count + i]);
    name[0] = 'c';
    if (i < 6) check_expression(&bench, type, name, i, from, by, &tallies[2 * binary_count + i]);
  }
  check_expression(&bench, type, "n", 0, from, by, &tallies[2 * binary_count + 6]);
  check_expression(&bench, type, "m", 0, from, by, &tallies[2 * binary_count + 7]);
  check_expression(&bench, type, "w", 0, from, by, &tallies[2 * binary_count + 8]);
  bench_close(&bench);
  arena_destroy(arena);
}

static void expressions_fold_as_defined(void **) {
  FoldTally tallies[3 * binary_count] = {};
  for (size_t t = 0; t < sizeof fold_types / sizeof *fold_types; t++) {
    const FoldType *type = &fold_types[t];
    int64_t values[32];
    uint32_t count = list_values(type, values);
    for (uint32_t i = 0; i < count; i += 2)
      for (uint32_t k = 0; k < count; k++) check_expressions(type, values[i], values[k], tallies);
  }
  /* What must fold somewhere: sums, differences, products, quotients, extrema, comparisons. */
  static const uint32_t folds[] = {
      0, 1, 2, 3, 4, 5, 6, 13, 14, 15, 18, 19, 26, 27, 28, 29, 30, 31, 32, 33, 34};
  for (size_t i = 0; i < sizeof folds / sizeof *folds; i++)
    if (tallies[folds[i]].folded < 20)
      fail_msg("%u: %u folded, %u not", folds[i], tallies[folds[i]].folded, tallies[folds[i]].left);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_fold_as_defined),
      cmocka_unit_test(expressions_fold_as_defined),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
