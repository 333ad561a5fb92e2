/* Whole functions of the oracle against definitions of this file: boxes point by point, also at
 * both ends of int64, sets of elements, rows of the read relation bit by bit, the list of notable
 * integers, and the search for a point. */
#include "core/base/test/length.h"
#include "core/map/evaluate.h"
#include "core/map/test/random_map.h"
#include "oracle/compare/verdict.h"
#include "oracle/evaluate/sets.h"
#include "oracle/semantics/arithmetic.h"
#include "oracle/test/test_module.h"
#include "oracle/values/notable.h"

static uint64_t state_of_definitions = 3;

static uint64_t defined_bits(void) {
  uint64_t high = 0;
  for (uint32_t i = 0; i < 2; i++) {
    state_of_definitions =
        state_of_definitions * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    high = high << 32 | state_of_definitions >> 32;
  }
  return high;
}

static uint32_t defined_below(uint32_t end) { return (uint32_t)(defined_bits() >> 20) % end; }

/* ---- boxes ---- */

static constexpr uint32_t most_sides = 4, most_box_points = 7 * 7 * 7 * 7;

/* An interval of up to seven numbers, which may be at either end of int64; some have no number. */
static Interval draw_side(void) {
  uint32_t size = defined_below(12) == 0 ? 0 : 1 + defined_below(7);
  int64_t lo = (int64_t)defined_below(9) - 4;
  if (defined_below(4) == 0) lo = INT64_MIN + (int64_t)defined_below(2);
  else if (defined_below(3) == 0) lo = INT64_MAX - (int64_t)(size == 0 ? 0 : size - 1);
  return size == 0 ? (Interval){lo, lo == INT64_MIN ? lo : lo - 1}
                   : (Interval){lo, lo + (int64_t)(size - 1)};
}

/* All points in row-major order: each loop over a side is inside of the one before. */
static uint32_t list_points(const Box *box, uint32_t side, int64_t *at, int64_t (*points)[4]) {
  uint32_t count = 0;
  if (side == box->count) {
    for (uint32_t i = 0; i < box->count; i++) points[0][i] = at[i];
    return 1;
  }
  for (Wide value = box->of[side].lo; value <= box->of[side].hi; value++) {
    at[side] = (int64_t)value;
    count += list_points(box, side + 1, at, points + count);
  }
  return count;
}

static void check_box(Box *box, uint32_t count, int64_t (*points)[4]) {
  int64_t at[most_sides] = {}, room[most_sides][box_block],
          *columns[most_sides] = {room[0], room[1], room[2], room[3]};
  for (int64_t limit = count == 0 ? 0 : (int64_t)count - 1; limit <= (int64_t)count + 1; limit++) {
    assert_int_equal(box_count(box, limit), count <= limit);
    assert_int_equal(box->points, count <= limit ? count : 0);
  }
  for (uint32_t i = 0; i < count; i++) {
    box_point(box, i, at);
    assert_memory_equal(at, points[i], box->count * sizeof *at);
    box_next(box, at);
    assert_memory_equal(at, points[(i + 1) % count], box->count * sizeof *at);
  }
  for (uint32_t round = 0; count > 0 && round < 4; round++) {
    uint32_t first = defined_below(count), rest = count - first,
             length = 1 + defined_below(rest < box_block ? rest : box_block);
    box_columns(box, first, length, columns);
    for (uint32_t k = 0; k < length; k++)
      for (uint32_t i = 0; i < box->count; i++)
        assert_int_equal(columns[i][k], points[first + k][i]);
  }
}

static void boxes_have_their_points_in_order(void **) {
  static int64_t points[most_box_points][4];
  for (uint32_t round = 0; round < 600; round++) {
    Interval sides[most_sides];
    int64_t at[most_sides] = {};
    Box box = {.count = defined_below(most_sides + 1), .of = sides};
    for (uint32_t i = 0; i < box.count; i++) sides[i] = draw_side();
    check_box(&box, list_points(&box, 0, at, points), points);
  }
}

static void boxes_without_end_are_too_large(void **) {
  Interval all = {INT64_MIN, INT64_MAX}, half = {0, INT64_MAX}, none = {1, 0};
  Box box = {.count = 4, .of = (Interval[]){all, all, all, all}};
  assert_false(box_count(&box, INT64_MAX));
  box = (Box){.count = 1, .of = (Interval[]){half}};
  assert_false(box_count(&box, INT64_MAX));
  box.of[0].hi--;
  assert_true(box_count(&box, INT64_MAX));
  assert_int_equal(box.points, INT64_MAX);
  for (uint32_t i = 0; i < 4; i++) {
    Interval sides[] = {all, all, all, all};
    sides[i] = none;
    box = (Box){.count = 4, .of = sides, .points = 9};
    assert_true(box_count(&box, 0));
    assert_int_equal(box.points, 0);
  }
}

/* The number of an element is that of the dimensions before it times the size, plus the index; an
 * index is outside if it is negative or past the size. */
static void columns_number_elements(void **) {
  static constexpr uint32_t rows = 64;
  for (uint32_t round = 0; round < 400; round++) {
    int64_t numbers[rows] = {}, outside[rows] = {}, values[rows], defined[rows] = {};
    bool is_outside[rows] = {};
    Wide elements = 1;
    for (uint32_t sides = 1 + defined_below(4); sides > 0; sides--) {
      int64_t size = defined_below(3) == 0 ? defined_below(200000) : defined_below(5);
      if (elements * size > column_elements) size = 1;
      elements *= size;
      int64_t edges[] = {0, size - 1, size, -1, INT64_MIN, INT64_MAX, size + 1, -size};
      for (uint32_t i = 0; i < rows; i++) {
        bool is_edge = defined_below(8) == 0 || size == 0;
        values[i] = is_edge ? edges[defined_below(8)] : (int64_t)(defined_bits() % (uint64_t)size);
        is_outside[i] |= values[i] < 0 || values[i] >= size;
        if (!is_outside[i]) defined[i] = defined[i] * size + values[i];
      }
      column_number(values, size, rows, numbers, outside);
    }
    for (uint32_t i = 0; i < rows; i++) {
      assert_int_equal(outside[i] < 0, is_outside[i]);
      if (!is_outside[i]) assert_int_equal(numbers[i], defined[i]);
    }
  }
}

static void hulls_contain_both_intervals_and_no_more(void **) {
  MapContext *context = map_context_create();
  Arena *arena = arena_create();
  for (int64_t code = 0; code < 5 * 5 * 5 * 5; code++) {
    Interval one = {code % 5, code / 5 % 5}, other = {code / 25 % 5, code / 125};
    Map *a = map_create(context, 1, 1, 1, 0, 0), *b = map_create(context, 1, 1, 1, 0, 0);
    for (uint32_t i = 0; i < 3; i++) {
      map_variable(a, i)->bounds = i == 1 ? other : one;
      map_variable(b, i)->bounds = i == 1 ? one : other;
    }
    Box box;
    hull_of(&box, arena, a, b);
    assert_int_equal(box.count, 3);
    for (uint32_t i = 0; i < 3; i++)
      for (int64_t value = -1; value <= 5; value++) {
        bool is_above = false, is_below = false;
        for (int64_t k = 0; k < 5; k++) {
          bool is_there = (k >= one.lo && k <= one.hi) || (k >= other.lo && k <= other.hi);
          is_above |= is_there && value >= k;
          is_below |= is_there && value <= k;
        }
        bool is_in = value >= box.of[i].lo && value <= box.of[i].hi;
        assert_int_equal(is_in, is_above && is_below);
      }
  }
  arena_destroy(arena);
  map_context_destroy(context);
}

/* ---- sets ---- */

/* Few elements, many, or those next to the ends of words. */
static void draw_set(uint64_t *bits, int64_t universe) {
  uint32_t kind = defined_below(4), count = kind == 0 ? defined_below(3) : defined_below(20);
  memset(bits, 0, bits_words(universe) * sizeof *bits);
  for (uint32_t i = 0; i < count; i++) {
    int64_t element = (int64_t)(defined_bits() % (uint64_t)universe);
    if (kind == 2) element = element / 64 * 64 + (defined_below(2) == 0 ? 0 : 63);
    if (element >= universe) element = universe - 1;
    bits[element / 64] |= UINT64_C(1) << element % 64;
  }
}

static void equal_sets_have_equal_numbers(void **) {
  static const int64_t universes[] = {1, 2, 63, 64, 65, 128, 200};
  static constexpr uint32_t most = 400;
  for (size_t u = 0; u < sizeof universes / sizeof *universes; u++) {
    Arena *arena = arena_create();
    Sets sets;
    int64_t universe = universes[u];
    uint32_t words = (uint32_t)((universe + 63) / 64), numbers[most];
    uint64_t drawn[most][4] = {};
    sets_create(&sets, arena, universe);
    assert_int_equal(sets.words, words);
    for (uint32_t i = 0; i < most; i++) {
      uint64_t given[4] = {}, found[4] = {};
      draw_set(drawn[i], universe);
      memcpy(given, drawn[i], sizeof given);
      numbers[i] = sets_number(&sets, given);
      memset(given, 0xA5, sizeof given); /* the caller's bits are not kept */
      uint32_t elements = 0;
      for (uint32_t k = 0; k < words; k++) elements += (uint32_t)__builtin_popcountll(drawn[i][k]);
      assert_int_equal(numbers[i] == set_empty, elements == 0);
      assert_int_equal(numbers[i] != set_empty && numbers[i] <= universe, elements == 1);
      for (uint32_t k = 0; k < i; k++)
        assert_int_equal(
            numbers[i] == numbers[k], memcmp(drawn[i], drawn[k], sizeof drawn[i]) == 0);
      found[0] = 2; /* what is there stays */
      sets_add(&sets, numbers[i], found);
      drawn[i][0] |= 2;
      assert_memory_equal(found, drawn[i], sizeof found);
      drawn[i][0] &= ~UINT64_C(2);
      memset(found, 0, sizeof found);
      sets_add(&sets, numbers[i], found);
      if (universe > 1) memcpy(drawn[i], found, sizeof found);
    }
    for (uint32_t i = 0; i < most; i++) assert_int_equal(sets_number(&sets, drawn[i]), numbers[i]);
    arena_destroy(arena);
  }
}

static void runs_of_bits_are_written_at_their_end(void **) {
  for (uint32_t round = 0; round < 300; round++) {
    uint64_t bits[4] = {defined_bits(), 0, defined_bits(), 0}, defined[4];
    BitsRun run = {};
    memcpy(defined, bits, sizeof bits);
    for (uint32_t i = defined_below(30); i > 0; i--) {
      int64_t element = defined_below(256);
      bits_run_set(&run, bits, element);
      defined[element / 64] |= UINT64_C(1) << element % 64;
    }
    bits_run_end(&run);
    assert_memory_equal(bits, defined, sizeof bits);
    bits_run_end(&run);
    assert_memory_equal(bits, defined, sizeof bits);
    for (int64_t element = 0; element < 256; element++)
      assert_int_equal(
          bits_has(bits, element), (bits[element / 64] & UINT64_C(1) << element % 64) != 0);
  }
}

/* ---- rows of the read relation ---- */

static void rows_differ_bit_by_bit(void **) {
  OracleFixture bench = bench_create();
  oracle_use_words(bench.oracle, false);
  ReadJudgement judgement = {.oracle = bench.oracle, .arena = bench.arena};
  Tally all = {};
  int64_t missing = 0, extra = 0, first[2] = {-1, -1};
  for (uint32_t round = 0; round < 500; round++) {
    uint64_t reads[3], related[3];
    uint32_t words = 1 + defined_below(3);
    Tally row = {.paths = defined_below(3)};
    uint64_t paths = all.paths + row.paths;
    for (uint32_t i = 0; i < 3; i++) {
      reads[i] = defined_below(3) == 0 ? 0 : defined_bits() & defined_bits();
      related[i] = defined_below(3) == 0 ? reads[i] : defined_bits() & defined_bits();
    }
    int64_t own[2] = {}, lowest[2] = {-1, -1};
    for (int64_t element = 0; element < 64 * words; element++) {
      bool is_read = (reads[element / 64] >> element % 64 & 1) != 0,
           is_related = (related[element / 64] >> element % 64 & 1) != 0;
      if (is_read == is_related) continue;
      own[is_related]++;
      if (lowest[is_related] < 0) lowest[is_related] = element;
    }
    compare_row(&judgement, words, round, reads, related, &row);
    assert_int_equal(row.missing, own[0]);
    assert_int_equal(row.extra, own[1]);
    const ReadFinding *found[] = {&row.first_missing, &row.first_extra};
    for (uint32_t k = 0; k < 2; k++) {
      assert_int_equal(found[k]->is_set, own[k] > 0);
      if (own[k] > 0) assert_int_equal(found[k]->from, round);
      if (own[k] > 0) assert_int_equal(found[k]->to, lowest[k]);
      if (own[k] > 0 && first[k] < 0) first[k] = round;
    }
    add_tally(&all, &row);
    missing += own[0];
    extra += own[1];
    assert_true(all.missing == missing && all.extra == extra && all.paths == paths);
    assert_int_equal(all.first_missing.is_set, first[0] >= 0);
    assert_int_equal(all.first_extra.is_set, first[1] >= 0);
    if (first[0] >= 0) assert_int_equal(all.first_missing.from, first[0]);
    if (first[1] >= 0) assert_int_equal(all.first_extra.from, first[1]);
  }
  bench_destroy(&bench);
}

/* ---- notable integers ---- */

static bool is_notable(const InputConstants *constants, ElementType type, Wide value) {
  static constexpr int64_t small = 16;
  uint32_t bits = element_type_bits(type);
  for (int64_t near = -small; near <= small; near++)
    if (integer_wrap(type, near) == value) return true;
  for (uint32_t i = 0; i < constants->count; i++)
    for (int64_t near = -1; near <= 1; near++) {
      const Element *constant = &constants->items[i];
      bool is_integral = element_type_is_integral(constant->type);
      Wide integer = is_integral                     ? (Wide)constant->integer
                     : fabs(constant->real) < 0x1p62 ? (Wide)constant->real
                                                     : (Wide)0;
      if (integer_wrap(type, integer + near) == value) return true;
    }
  for (uint32_t power = 5; power < bits; power++)
    for (int64_t near = -1; near <= 1; near++) {
      Wide number = ((Wide)1 << power) + near;
      if (integer_wrap(type, number) == value || integer_wrap(type, -number) == value) return true;
    }
  Wide ten = 10;
  for (uint32_t i = 0; i < bits * 3 / 10; i++, ten *= 10)
    if (integer_wrap(type, ten) == value) return true;
  return false;
}

/* Every number of the list is notable, and there are as many different ones as the definition has:
 * for types up to 16 bits each notable one is in the list. */
static void notable_integers_are_those_of_their_definition(void **) {
  static const ElementType types[] = {TYPE_s2, TYPE_u4, TYPE_s8, TYPE_u8, TYPE_s16, TYPE_u16,
      TYPE_s32, TYPE_u32, TYPE_s64, TYPE_u64};
  InputConstants constants = {.count = 5,
      .items = {element_of_integer(TYPE_s32, 1000), element_of_integer(TYPE_s64, INT64_MIN),
          element_of_real(TYPE_f32, -70.75), element_of_real(TYPE_f64, 1e300),
          element_of_integer(TYPE_u64, -1)}};
  for (size_t t = 0; t < sizeof types / sizeof *types; t++)
    for (constants.count = 0; constants.count <= 5; constants.count += test_length(1, 1, 5)) {
      ElementType type = types[t];
      uint32_t count = notable_count(&constants, type), first = notable_first(&constants);
      assert_int_equal(first, 33 + 3 * constants.count);
      static bool seen[1 << 16];
      memset(seen, 0, sizeof seen);
      for (uint32_t i = 0; i < count; i++) {
        int64_t value = notable_value(&constants, type, i);
        Wide wrapped = type == TYPE_u64 ? (Wide)(uint64_t)value : (Wide)value;
        if (!is_notable(&constants, type, wrapped)) fail_msg("%u: %lld", type, (long long)value);
        assert_int_equal(value, notable_value(&constants, type, i + (uint64_t)count));
        InputConstants before = constants;
        if (i < first && constants.count > 0 && i >= 33) {
          before.items[0] = before.items[(i - 33) / 3];
          before.count = 1;
          bool is_near = false;
          for (uint32_t k = 33; k < 36; k++) is_near |= notable_value(&before, type, k) == value;
          assert_true(is_near);
        }
        seen[(uint64_t)value & 0xFFFF] = true;
      }
      if (element_type_bits(type) > 16) continue;
      Wide lowest = integer_lowest(type), highest = integer_highest(type);
      for (Wide value = lowest; value <= highest; value++)
        assert_int_equal(seen[(uint64_t)value & 0xFFFF], is_notable(&constants, type, value));
    }
}

/* ---- the search for a point ---- */

static void search_ends_at_the_first_point(void **) {
  OracleFixture bench = bench_create();
  uint32_t found = 0, none = 0, open = 0;
  RandomMaps random = {.state = 11,
      .max_variables = 4,
      .max_depth = 4,
      .max_results = 2,
      .max_constraints = 3,
      .max_coefficient = 9,
      .max_bound = 3};
  for (uint32_t round = 0; round < 1500; round++) {
    ArenaMark own = arena_mark(bench.oracle->arena);
    MapMark mark = map_context_mark(bench.maps);
    const Map *map = random_map(bench.maps, &random);
    Interval sides[8];
    Box box = {.count = map_variable_count(map), .of = sides};
    for (uint32_t i = 0; i < box.count; i++) sides[i] = map_variable(map, i)->bounds;
    assert_true(box_count(&box, INT64_MAX));
    int64_t values[8] = {}, results[8], limit = 1 + defined_below(40);
    uint64_t visited = 0, points = 5;
    PointSearch expected = box.points > limit ? POINT_NOT_KNOWN : POINT_NONE;
    for (int64_t i = 0; i < box.points && i < limit && expected != POINT_FOUND; i++) {
      box_point(&box, i, values);
      Point point = map_point(map, values);
      visited++;
      if (map_evaluate(bench.maps, map, &point, results) != POINT_OUTSIDE) expected = POINT_FOUND;
    }
    assert_int_equal(search_point(bench.oracle, map, limit, &points), expected);
    assert_int_equal(points, 5 + visited);
    found += expected == POINT_FOUND;
    none += expected == POINT_NONE;
    open += expected == POINT_NOT_KNOWN;
    map_context_rewind(bench.maps, mark);
    arena_rewind(bench.oracle->arena, own);
  }
  assert_true(found > 100 && none > 20 && open > 20);
  bench_destroy(&bench);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(boxes_have_their_points_in_order),
      cmocka_unit_test(boxes_without_end_are_too_large),
      cmocka_unit_test(columns_number_elements),
      cmocka_unit_test(hulls_contain_both_intervals_and_no_more),
      cmocka_unit_test(equal_sets_have_equal_numbers),
      cmocka_unit_test(runs_of_bits_are_written_at_their_end),
      cmocka_unit_test(rows_differ_bit_by_bit),
      cmocka_unit_test(notable_integers_are_those_of_their_definition),
      cmocka_unit_test(search_ends_at_the_first_point),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
