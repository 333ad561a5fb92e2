/* Kernels that move elements of a buffer and overwrite it: the order of all writes and reads is
 * written down here, and the first read of an overwritten position must be the one named. */
#include "oracle/hazards/hazard.h"

#include "oracle/test/test_module.h"

typedef struct Index {
  int64_t of[2];
} Index;
typedef Index Moved(Index out); /* the element of the buffer that an output element reads */

typedef struct HazardCase {
  const char *lines;
  Moved *moved;
  int64_t rows, columns;
  uint32_t order[2];       /* of the loop nest, outermost first */
  bool is_stated;          /* else the order follows from the layout of the output */
  bool is_column_major[2]; /* of the parameter, of the output */
} HazardCase;

static Index same_position(Index out) { return out; }
static Index rows_reversed(Index out) { return (Index){{1 - out.of[0], out.of[1]}}; }
static Index columns_reversed(Index out) { return (Index){{out.of[0], 2 - out.of[1]}}; }
static Index exchanged(Index out) { return (Index){{out.of[1], out.of[0]}}; }
static Index first_column(Index out) { return (Index){{out.of[0], 0}}; }
static Index last_row(Index out) { return (Index){{2, out.of[1]}}; }

static int64_t position_of(const HazardCase *row, Index at, bool is_column_major) {
  return is_column_major ? at.of[1] * row->rows + at.of[0] : at.of[0] * row->columns + at.of[1];
}

/* The output element at a time of the loop nest. */
static Index at_time(const HazardCase *row, int64_t time) {
  bool is_by_rows = row->order[0] == 0;
  int64_t inner = is_by_rows ? row->columns : row->rows;
  Index at = {{time / inner, time % inner}};
  return is_by_rows ? at : exchanged(at);
}

/* The first time at which an element is read whose place was written before; -1: never. */
static int64_t first_hazard(const HazardCase *row, int64_t *writer) {
  for (int64_t time = 0; time < row->rows * row->columns; time++) {
    int64_t read = position_of(row, row->moved(at_time(row, time)), row->is_column_major[0]);
    for (*writer = 0; *writer < time; ++*writer)
      if (position_of(row, at_time(row, *writer), row->is_column_major[1]) == read) return time;
  }
  return -1;
}

static void check_index(const int64_t *found, Index expected) {
  assert_int_equal(found[0], expected.of[0]);
  assert_int_equal(found[1], expected.of[1]);
}

static void check_hazard(const HazardCase *row) {
  OracleFixture bench = bench_create();
  const HazardQuestion question = {.kernel = root_of(&bench, row->lines)->parent,
      .order = row->order,
      .order_count = row->is_stated ? 2 : 0};
  HazardVerdict verdict;
  int64_t writer, reader = first_hazard(row, &writer);
  oracle_hazard_query(bench.arena, &question, &verdict);
  if (verdict.answer != (reader < 0 ? HAZARD_NONE : HAZARD_FOUND))
    fail_msg("%s: %u %s", row->lines, verdict.answer, verdict.reason);
  if (reader >= 0) {
    assert_true(verdict.rank == 2 && verdict.reader_rank == 2 && verdict.buffer_rank == 2);
    assert_true(!verdict.writes_window && verdict.offsets == nullptr && verdict.reader_output == 0);
    check_index(verdict.writer, at_time(row, writer));
    check_index(verdict.reader, at_time(row, reader));
    check_index(verdict.buffer, row->moved(at_time(row, reader)));
  }
  bench_destroy(&bench);
}

static void first_read_of_what_was_overwritten(void **state) {
  (void)state;
#define TABLE "p = f32[2,3] parameter(0)\n"
#define SQUARE "p = f32[3,3] parameter(0)\n"
#define BY_ROWS {0, 1}
#define BY_COLUMNS {1, 0}
  static const HazardCase rows[] = {
      {TABLE "ROOT r = f32[2,3] negate(p)", same_position, 2, 3, BY_ROWS, true, {}},
      {TABLE "ROOT r = f32[2,3] negate(p)", same_position, 2, 3, BY_COLUMNS, true, {}},
      {TABLE "ROOT r = f32[2,3] negate(p)", same_position, 2, 3, BY_ROWS, false, {}},
      {TABLE "ROOT r = f32[2,3] reverse(p), dimensions={0}", rows_reversed, 2, 3, BY_ROWS, true,
          {}},
      {TABLE "ROOT r = f32[2,3] reverse(p), dimensions={0}", rows_reversed, 2, 3, BY_COLUMNS, true,
          {}},
      {TABLE "ROOT r = f32[2,3] reverse(p), dimensions={0}", rows_reversed, 2, 3, BY_ROWS, false,
          {}},
      {TABLE "ROOT r = f32[2,3] reverse(p), dimensions={1}", columns_reversed, 2, 3, BY_ROWS, true,
          {}},
      {TABLE "ROOT r = f32[2,3] reverse(p), dimensions={1}", columns_reversed, 2, 3, BY_COLUMNS,
          true, {}},
      {SQUARE "ROOT r = f32[3,3] transpose(p), dimensions={1,0}", exchanged, 3, 3, BY_ROWS, true,
          {}},
      {SQUARE "ROOT r = f32[3,3] transpose(p), dimensions={1,0}", exchanged, 3, 3, BY_COLUMNS, true,
          {}},
      {SQUARE "s = f32[3,1] slice(p), slice={[0:3], [0:1]}\nt = f32[3] reshape(s)\n"
              "ROOT r = f32[3,3] broadcast(t), dimensions={0}",
          first_column, 3, 3, BY_ROWS, true, {}},
      {SQUARE "s = f32[1,3] slice(p), slice={[2:3], [0:3]}\nt = f32[3] reshape(s)\n"
              "ROOT r = f32[3,3] broadcast(t), dimensions={1}",
          last_row, 3, 3, BY_ROWS, true, {}},
      {SQUARE "s = f32[1,3] slice(p), slice={[2:3], [0:3]}\nt = f32[3] reshape(s)\n"
              "ROOT r = f32[3,3] broadcast(t), dimensions={1}",
          last_row, 3, 3, BY_COLUMNS, true, {}},
      {"p = f32[2,3]{1,0} parameter(0)\nROOT r = f32[2,3]{0,1} negate(p)", same_position, 2, 3,
          BY_COLUMNS, false, {false, true}},
      {"p = f32[2,3]{0,1} parameter(0)\nROOT r = f32[2,3]{1,0} negate(p)", same_position, 2, 3,
          BY_ROWS, false, {true, false}},
      {"p = f32[2,3]{0,1} parameter(0)\nROOT r = f32[2,3]{0,1} negate(p)", same_position, 2, 3,
          BY_COLUMNS, false, {true, true}},
      {"p = f32[2,3]{0,1} parameter(0)\nb = s32[2,3]{0,1} bitcast(p)\nROOT r = s32[2,3]{0,1} negate(b)",
          same_position, 2, 3, BY_COLUMNS, false, {true, true}},
      {TABLE "b = s32[2,3] bitcast(p)\nROOT r = s32[2,3] reverse(b), dimensions={1}",
          columns_reversed, 2, 3, BY_ROWS, false, {}},
      {"p = f32[3,3]{1,0} parameter(0)\nROOT r = f32[3,3]{0,1} transpose(p), dimensions={1,0}",
          exchanged, 3, 3, BY_COLUMNS, false, {false, true}},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) check_hazard(&rows[i]);
}

/* --- updates in place: the window is p[at .. at + 2] of six elements --- */

#define UPDATE(offset, update) \
  "p = s32[6] parameter(0)\nk = s32[] parameter(1)\ni = s32[] " offset "\n" update \
  "\nROOT r = s32[6] dynamic-update-slice(p, u, i)"
#define OF(from, to) "u = s32[3] slice(p), slice={[" from ":" to "]}"

typedef struct WindowCase {
  const char *lines;
  HazardAnswer answer;
  const char *offsets;
  int64_t writer, reader, buffer;
} WindowCase;

static void windows_that_overwrite_what_they_read(void **state) {
  (void)state;
  static const WindowCase rows[] = {
      {UPDATE("constant(2)", OF("2", "5")), HAZARD_NONE, nullptr, 0, 0, 0},
      {UPDATE("constant(2)", OF("3", "6")), HAZARD_NONE, nullptr, 0, 0, 0},
      {UPDATE("constant(2)", OF("1", "4")), HAZARD_FOUND, "2", 0, 1, 2},
      {UPDATE("constant(2)", OF("0", "3")), HAZARD_FOUND, "2", 0, 2, 2},
      {UPDATE("constant(3)", OF("0", "3")), HAZARD_NONE, nullptr, 0, 0, 0},
      {UPDATE("constant(-5)", OF("0", "3")), HAZARD_NONE, nullptr, 0, 0, 0},
      {UPDATE("constant(9)", OF("2", "5")), HAZARD_FOUND, "3", 0, 1, 3},
      {UPDATE("copy(k)", OF("3", "6")), HAZARD_NONE, nullptr, 0, 0, 0},
      {UPDATE("copy(k)", OF("2", "5")), HAZARD_FOUND, "3", 0, 1, 3},
      {UPDATE("copy(k)", "u = s32[3] dynamic-slice(p, i), dynamic_slice_sizes={3}"), HAZARD_NONE,
          nullptr, 0, 0, 0},
      {UPDATE("copy(k)",
           "v = s32[3] dynamic-slice(p, i), dynamic_slice_sizes={3}\nu = s32[3] reverse(v), dimensions={0}"),
          HAZARD_FOUND, "0", 0, 2, 0},
      {UPDATE("dot(p, p), lhs_contracting_dims={0}, rhs_contracting_dims={0}",
           "u = s32[3] constant({1, 2, 3})"),
          HAZARD_FOUND, "0", 0, 1, 0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    OracleFixture bench = bench_create();
    const Computation *kernel = root_of(&bench, rows[i].lines)->parent;
    HazardVerdict verdict;
    uint32_t parameter = 9, leaf = 9;
    ArenaMark mark = arena_mark(bench.arena);
    assert_true(oracle_hazard_updates(bench.arena, kernel, 0, &parameter, &leaf));
    ArenaMark end = arena_mark(bench.arena);
    assert_true(end.chunk == mark.chunk && end.used == mark.used);
    assert_true(parameter == 0 && leaf == 0);
    oracle_hazard_query(bench.arena, &(HazardQuestion){.kernel = kernel}, &verdict);
    if (verdict.answer != rows[i].answer || !verdict.writes_window)
      fail_msg("%s: %u %s", rows[i].lines, verdict.answer, verdict.reason);
    if (verdict.answer == HAZARD_FOUND) {
      assert_string_equal(verdict.offsets, rows[i].offsets);
      assert_true(verdict.rank == 1 && verdict.writer[0] == rows[i].writer);
      assert_true(verdict.reader_rank == 1 && verdict.reader[0] == rows[i].reader);
      assert_true(verdict.buffer_rank == 1 && verdict.buffer[0] == rows[i].buffer);
    }
    bench_destroy(&bench);
  }
}

static void check_kernel(const char *lines, HazardAnswer answer) {
  OracleFixture bench = bench_create();
  HazardVerdict verdict;
  oracle_hazard_query(
      bench.arena, &(HazardQuestion){.kernel = root_of(&bench, lines)->parent}, &verdict);
  if (verdict.answer != answer) fail_msg("%s: %u", lines, verdict.answer);
  bench_destroy(&bench);
}

/* Element (0, 1) or (1, 0) is read from the other one; (1, 0) comes first in memory. */
static void windows_are_written_in_the_order_of_the_update(void **) {
#define BELOW(mask, root) \
  "p = f32[2,2]{0,1} parameter(0)\nm = pred[2,2]{0,1} constant(" mask \
  ")\nt = f32[2,2]{0,1} transpose(p), dimensions={1,0}\nw = f32[2,2]{0,1} select(m, t, p)\n" \
  "z = s32[] constant(0)\nd = f32[2,2]{0,1} dynamic-update-slice(p, w, z, z)\nROOT r = " root
#define LATE "{{0,1},{0,0}}"
#define EARLY "{{0,0},{1,0}}"
  static const struct {
    const char *lines;
    HazardAnswer answer;
  } rows[] = {{BELOW(LATE, "f32[2,2]{0,1} bitcast(d)"), HAZARD_FOUND},
      {BELOW(LATE, "f32[2,2]{1,0} bitcast(d)"), HAZARD_FOUND},
      {BELOW(LATE, "f32[4]{0} bitcast(d)"), HAZARD_FOUND},
      {BELOW(EARLY, "f32[2,2]{0,1} bitcast(d)"), HAZARD_NONE},
      {BELOW(EARLY, "f32[2,2]{1,0} bitcast(d)"), HAZARD_NONE},
      {BELOW(EARLY, "f32[4]{0} bitcast(d)"), HAZARD_NONE}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    check_kernel(rows[i].lines, rows[i].answer);
}

/* --- offsets that are computed from each other: two elements of four are written at i, and those
 * at j are read --- */

typedef struct OffsetForm {
  const char *text;
  int64_t (*value)(int64_t a, int64_t b);
} OffsetForm;

static int64_t value_a(int64_t a, int64_t) { return a; }
static int64_t value_b(int64_t, int64_t b) { return b; }
static int64_t value_next(int64_t a, int64_t) { return a + 1; }
static int64_t value_last(int64_t a, int64_t) { return a - 1; }
static int64_t value_twice(int64_t a, int64_t) { return 2 * a; }
static int64_t value_opposite(int64_t a, int64_t) { return -a; }
static int64_t value_odd(int64_t a, int64_t) { return a & 1; }
static int64_t value_none(int64_t, int64_t) { return 0; }
static int64_t value_sum(int64_t a, int64_t b) { return a + b; }
static int64_t value_largest(int64_t a, int64_t b) { return a > b ? a : b; }

static const OffsetForm forms[] = {{"copy(a)", value_a}, {"copy(b)", value_b},
    {"add(a, o)", value_next}, {"subtract(a, o)", value_last}, {"add(a, a)", value_twice},
    {"negate(a)", value_opposite}, {"and(a, o)", value_odd}, {"multiply(a, z)", value_none},
    {"add(a, b)", value_sum}, {"maximum(b, a)", value_largest}};

static int64_t start_of(const OffsetForm *form, int64_t a, int64_t b, bool is_byte) {
  int64_t value = form->value(a, b);
  value = is_byte ? (int8_t)(uint8_t)value : (int32_t)(uint32_t)value;
  return value < 0 ? 0 : value > 2 ? 2 : value;
}

/* Whether the element before the window is read second, after the first of the window is
 * written. Words are tried near zero and at their limits. */
static bool is_hazard(const OffsetForm *i, const OffsetForm *j, bool is_byte) {
  static constexpr int64_t steps = 256, middle = 128;
  for (int64_t x = 0; x < steps; x++)
    for (int64_t y = 0; y < steps; y++) {
      int64_t a = x - middle, b = y - middle;
      if (!is_byte && x < 2) a = x == 0 ? INT32_MIN : INT32_MAX;
      if (!is_byte && y < 2) b = y == 0 ? INT32_MIN : INT32_MAX;
      if (start_of(j, a, b, is_byte) == start_of(i, a, b, is_byte) - 1) return true;
    }
  return false;
}

static void check_offsets(const OffsetForm *i, const OffsetForm *j, const char *type) {
  OracleFixture bench = bench_create();
  HazardVerdict verdict;
  bool is_byte = strcmp(type, "s8") == 0, expected = is_hazard(i, j, is_byte);
  const char *lines = arena_printf(bench.arena,
      "p = s32[4] parameter(0)\na = %1$s[] parameter(1)\nb = %1$s[] parameter(2)\n"
      "o = %1$s[] constant(1)\nz = %1$s[] constant(0)\ni = %1$s[] %2$s\nj = %1$s[] %3$s\n"
      "u = s32[2] dynamic-slice(p, j), dynamic_slice_sizes={2}\n"
      "ROOT r = s32[4] dynamic-update-slice(p, u, i)",
      type, i->text, j->text);
  oracle_hazard_query(
      bench.arena, &(HazardQuestion){.kernel = root_of(&bench, lines)->parent}, &verdict);
  bool is_open = verdict.answer == HAZARD_UNKNOWN && !is_byte && !expected;
  if (verdict.answer != (expected ? HAZARD_FOUND : HAZARD_NONE) && !is_open)
    fail_msg("%s, written at %s, read at %s: %u", type, i->text, j->text, verdict.answer);
  bench_destroy(&bench);
}

static void offsets_that_are_computed_from_each_other(void **state) {
  (void)state;
  static constexpr size_t count = sizeof forms / sizeof *forms;
  for (size_t code = 0; code < count * count; code++) {
    check_offsets(&forms[code % count], &forms[code / count], "s8");
    check_offsets(&forms[code % count], &forms[code / count], "s32");
  }
}

/* An element is read from the other end if data say so. */
static void reads_that_data_choose(void **state) {
  (void)state;
#define CHOSEN(parameters, predicate) \
  "p = s32[4] parameter(0)\n" parameters \
  "t = s32[4] reverse(p), dimensions={0}\nc = pred[4] " predicate \
  "\nROOT r = s32[4] select(c, t, p)"
#define TWICE(types, first, second) \
  CHOSEN("k = " types "[4] parameter(1)\nn = " types "[4] negate(k)\n" \
         "a = pred[4] compare(k, n), direction=" first \
         "\nb = pred[4] compare(k, n), direction=" second "\n", \
      "and(a, b)")
  static const struct {
    const char *lines;
    HazardAnswer answer;
  } rows[] = {{CHOSEN("", "parameter(1)"), HAZARD_FOUND},
      {CHOSEN("k = f32[4] parameter(1)\nl = f32[4] parameter(2)\n", "compare(k, l), direction=GT"),
          HAZARD_FOUND},
      {CHOSEN("k = f32[4] parameter(1)\n", "compare(k, k), direction=NE"), HAZARD_FOUND},
      {CHOSEN("k = s8[4] parameter(1)\n", "compare(k, k), direction=NE"), HAZARD_NONE},
      {CHOSEN("k = s32[4] parameter(1)\n", "compare(k, k), direction=NE"), HAZARD_UNKNOWN},
      {TWICE("s8", "GT", "LT"), HAZARD_NONE}, {TWICE("s8", "GE", "LE"), HAZARD_FOUND},
      {TWICE("f32", "GE", "LE"), HAZARD_FOUND}, {TWICE("f32", "GT", "LT"), HAZARD_UNKNOWN},
      /* More candidates than are followed, and a bitcast of what is not any byte. */
      {"p = s32[8192] parameter(0)\nx = s32[] parameter(1)\no = s32[] constant(7)\n"
       "h = s32[] constant(100)\nb = s32[] and(x, o)\nc = s32[] add(b, h)\nz = s32[] constant(0)\n"
       "w = s32[2] dynamic-slice(p, c), dynamic_slice_sizes={2}\n"
       "ROOT u = s32[8192] dynamic-update-slice(p, w, z)",
          HAZARD_UNKNOWN},
      {"p = pred[4] parameter(0)\nb = u8[4] bitcast(p)\nROOT r = u8[4] negate(b)", HAZARD_UNKNOWN},
      /* Each choice by a number of its own, five of them on the way to one read. */
      {"p = s32[4] parameter(0)\nz = s32[] constant(7)\ny = s32[4] broadcast(z), dimensions={}\n"
       "t = s32[4] reverse(p), dimensions={0}\n"
       "a = s32[4] parameter(1)\nb = s32[4] parameter(2)\nc = s32[4] parameter(3)\n"
       "d = s32[4] parameter(4)\ne = s32[4] parameter(5)\n"
       "f = pred[4] compare(a, y), direction=EQ\ng = pred[4] compare(b, y), direction=EQ\n"
       "h = pred[4] compare(c, y), direction=NE\ni = pred[4] compare(d, y), direction=LT\n"
       "j = pred[4] compare(e, y), direction=GT\n"
       "k = s32[4] select(f, t, p)\nl = s32[4] select(g, k, p)\nm = s32[4] select(h, l, p)\n"
       "n = s32[4] select(i, m, p)\nROOT r = s32[4] select(j, n, p)",
          HAZARD_FOUND}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    check_kernel(rows[i].lines, rows[i].answer);
}

/* Two paths lead to one read. Inputs lead to it on one of them, the first or the second. */
static void reads_that_two_paths_lead_to(void **) {
#define SUM_OF(first, second) \
  "p = s32[4] parameter(0)\na = s8[] parameter(1)\no = s8[] constant(1)\nt = s8[] constant(2)\n" \
  "z = s8[] constant(0)\nb = s8[] and(a, o)\nc = s8[] add(b, t)\n" \
  "far = s32[2] dynamic-slice(p, c), dynamic_slice_sizes={2}\n" \
  "near = s32[2] dynamic-slice(p, b), dynamic_slice_sizes={2}\nn = pred[] compare(b, t), " \
  "direction=EQ\nv = pred[2] broadcast(n), dimensions={}\n" \
  "e = s32[] dot(p, p), lhs_contracting_dims={0}, rhs_contracting_dims={0}\n" \
  "q = s32[2] broadcast(e), dimensions={}\nnone = s32[2] select(v, q, far)\n" \
  "r = s32[2] add(" first ", " second ")\nu = s32[2] reverse(r), dimensions={0}\n" \
  "ROOT w = s32[4] dynamic-update-slice(p, u, z)"
  static const struct {
    const char *lines;
    HazardAnswer answer;
  } rows[] = {{SUM_OF("far", "far"), HAZARD_NONE}, {SUM_OF("far", "near"), HAZARD_FOUND},
      {SUM_OF("near", "far"), HAZARD_FOUND}, {SUM_OF("none", "far"), HAZARD_NONE},
      {SUM_OF("none", "q"), HAZARD_FOUND}, {SUM_OF("q", "none"), HAZARD_FOUND}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    check_kernel(rows[i].lines, rows[i].answer);
}

/* A custom call may read each element in its own place, as one of target "Sharding" does. */
static void a_custom_call_in_a_kernel_may_read_less(void **) {
  check_kernel("p = s32[4] parameter(0)\nc = s32[4] custom-call(p), "
               "custom_call_target=\"Sharding\"\nROOT r = s32[4] add(c, c)",
      HAZARD_UNKNOWN);
}

/* All elements of the window read p[0,2], through many choices. It is overwritten only if the
 * window is not in the first columns, where it always is. */
static void no_offset_is_forgotten_below_many_choices(void **state) {
  (void)state;
  for (uint32_t choices = 12; choices <= 17; choices++) {
    OracleFixture bench = bench_create();
    HazardVerdict verdict;
    Text lines = text_create(bench.arena);
    text_string(&lines, "p = s32[4,4] parameter(0)\nb = s8[] parameter(1)\nc = s8[] parameter(2)\n"
                        "z = s8[] constant(0)\nj = s8[] multiply(c, z)\no = s32[] constant(0)\n"
                        "y = s32[2,2] broadcast(o), dimensions={}\n"
                        "e = s32[1,1] slice(p), slice={[0:1], [2:3]}\nf = s32[] reshape(e)\n"
                        "u0 = s32[2,2] broadcast(f), dimensions={}\n");
    for (uint32_t i = 0; i < choices; i++)
      text_printf(&lines, "k%u = pred[2,2] parameter(%u)\nu%u = s32[2,2] select(k%u, u%u, y)\n", i,
          i + 3, i + 1, i, i);
    text_printf(&lines, "ROOT r = s32[4,4] dynamic-update-slice(p, u%u, b, j)", choices);
    oracle_hazard_query(
        bench.arena, &(HazardQuestion){.kernel = root_of(&bench, lines.bytes)->parent}, &verdict);
    if (verdict.answer != (choices <= 16 ? HAZARD_NONE : HAZARD_UNKNOWN))
      fail_msg("%u choices: %u %s", choices, verdict.answer, verdict.reason);
    bench_destroy(&bench);
  }
}

/* Other outputs: side by side, or after all writes. */
static void outputs_beside_and_after(void **state) {
  (void)state;
#define BESIDE(second) \
  "p = s32[3] parameter(0)\nn = s32[3] negate(p)\nz = s32[] constant(0)\n" second \
  "\nROOT r = (s32[3], s32[3]) tuple(n, o)"
  static const struct {
    const char *lines;
    bool reads_after;
    HazardAnswer answer;
    uint32_t output;
  } rows[] = {{BESIDE("o = s32[3] abs(p)"), false, HAZARD_NONE, 0},
      {BESIDE("o = s32[3] abs(p)"), true, HAZARD_FOUND, 1},
      {BESIDE("o = s32[3] reverse(p), dimensions={0}"), false, HAZARD_FOUND, 1},
      {BESIDE("o = s32[3] broadcast(z), dimensions={}"), true, HAZARD_NONE, 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    OracleFixture bench = bench_create();
    HazardVerdict verdict;
    const Computation *kernel = root_of(&bench, rows[i].lines)->parent;
    oracle_hazard_query(bench.arena,
        &(HazardQuestion){.kernel = kernel, .reads_after = rows[i].reads_after}, &verdict);
    if (verdict.answer != rows[i].answer) fail_msg("%s: %u", rows[i].lines, verdict.answer);
    if (verdict.answer == HAZARD_FOUND) assert_int_equal(verdict.reader_output, rows[i].output);
    assert_false(verdict.writes_window);
    bench_destroy(&bench);
  }
}

/* Outputs of other layouts may be computed in the order of each memory, or index by index. */
static void outputs_of_two_layouts_beside(void **) {
#define TWO_LAYOUTS(second) \
  "p = f32[2,2]{1,0} parameter(0)\na = f32[2,2]{1,0} negate(p)\n" \
  "t = f32[2,2]{0,1} transpose(p), dimensions={1,0}\nc = f32[2,2]{0,1} copy(p)\n" \
  "z = f32[] constant(0)\nd = f32[2,2]{0,1} broadcast(z), dimensions={}\n" \
  "v = f32[2,2]{0,1} reverse(p), dimensions={0,1}\n" \
  "ROOT r = (f32[2,2]{1,0}, f32[2,2]{0,1}) tuple(a, " second ")"
  static const uint32_t orders[][2] = {{0, 1}, {1, 0}};
  static const struct {
    const char *lines;
    const uint32_t *order;
    HazardAnswer answer;
  } rows[] = {{TWO_LAYOUTS("t"), nullptr, HAZARD_UNKNOWN},
      {TWO_LAYOUTS("c"), nullptr, HAZARD_UNKNOWN}, {TWO_LAYOUTS("t"), orders[0], HAZARD_FOUND},
      {TWO_LAYOUTS("c"), orders[0], HAZARD_NONE}, {TWO_LAYOUTS("c"), orders[1], HAZARD_NONE},
      {TWO_LAYOUTS("d"), nullptr, HAZARD_NONE}, {TWO_LAYOUTS("v"), nullptr, HAZARD_FOUND}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    OracleFixture bench = bench_create();
    HazardVerdict verdict;
    HazardQuestion question = {.kernel = root_of(&bench, rows[i].lines)->parent,
        .order_count = rows[i].order == nullptr ? 0 : 2,
        .order = rows[i].order};
    oracle_hazard_query(bench.arena, &question, &verdict);
    if (verdict.answer != rows[i].answer) fail_msg("%zu: %u %s", i, verdict.answer, verdict.reason);
    bench_destroy(&bench);
  }
}

/* Parameters p and q are one buffer if `is_one` is set. */
static void parameters_that_are_one_buffer(void **state) {
  (void)state;
#define TWO "p = s32[4] parameter(0)\nq = s32[4] parameter(1)\nz = s32[] constant(0)\n"
#define WINDOW(update) \
  TWO update \
      "\nv = s32[2] reverse(u), dimensions={0}\nROOT r = s32[4] dynamic-update-slice(p, v, z)"
  static const HazardInput second[] = {{1, 0}};
  static const struct {
    const char *lines;
    bool is_one;
    HazardAnswer answer;
    HazardInput input;
    int64_t buffer, reader;
    const char *reason;
  } rows[] = {
      {WINDOW("u = s32[2] slice(q), slice={[0:2]}"), false, HAZARD_NONE, {}, 0, 0, nullptr},
      {WINDOW("u = s32[2] slice(q), slice={[0:2]}"), true, HAZARD_FOUND, {1, 0}, 0, 1, nullptr},
      {WINDOW("u = s32[2] slice(p), slice={[0:2]}"), true, HAZARD_FOUND, {0, 0}, 0, 1, nullptr},
      {WINDOW("u = s32[2] slice(q), slice={[2:4]}"), true, HAZARD_NONE, {}, 0, 0, nullptr},
      {TWO "w = s32[2,2] reshape(q)\nt = s32[2,2] transpose(w), dimensions={1,0}\n"
           "b = s32[4] reshape(t)\nROOT r = s32[4] add(p, b)",
          true, HAZARD_FOUND, {1, 0}, 1, 2, nullptr},
      {TWO "u = s32[2] slice(q), slice={[2:4]}\nf = s32[1] slice(p), slice={[0:1]}\n"
           "o = s32[] reshape(f)\nROOT r = s32[4] dynamic-update-slice(p, u, o)",
          false, HAZARD_FOUND, {0, 0}, 0, 1, nullptr},
      {TWO "u = s32[2] slice(q), slice={[2:4]}\nf = s32[1] slice(q), slice={[0:1]}\n"
           "o = s32[] reshape(f)\nROOT r = s32[4] dynamic-update-slice(p, u, o)",
          false, HAZARD_NONE, {}, 0, 0, nullptr},
      {TWO "u = s32[4] negate(p)\na = s32[4] dynamic-update-slice(p, u, z)\n"
           "v = s32[4] reverse(p), dimensions={0}\nb = s32[4] dynamic-update-slice(q, v, z)\n"
           "ROOT r = (s32[4], s32[4]) tuple(a, b)",
          true, HAZARD_FOUND, {0, 0}, 1, 2, nullptr},
      {TWO "u = s32[1] constant({1})\na = s32[4] dynamic-update-slice(p, u, z)\n"
           "b = s32[4] dynamic-update-slice(q, u, z)\nROOT r = (s32[4], s32[4]) tuple(a, b)",
          true, HAZARD_NONE, {}, 0, 0, nullptr},
      {TWO "u = s32[1] constant({1})\na = s32[4] dynamic-update-slice(p, u, z)\n"
           "o = s32[] constant(1)\nb = s32[4] dynamic-update-slice(q, u, o)\n"
           "ROOT r = (s32[4], s32[4]) tuple(a, b)",
          true, HAZARD_UNKNOWN, {}, 0, 0, "an output of another size is not computed side by side"},
      {"p = s32[4] parameter(0)\nq = s32[3] parameter(1)\nROOT r = s32[4] negate(p)", true,
          HAZARD_UNKNOWN, {}, 0, 0, "the buffers are of different sizes"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    OracleFixture bench = bench_create();
    HazardVerdict verdict;
    HazardQuestion question = {.kernel = root_of(&bench, rows[i].lines)->parent,
        .same_count = rows[i].is_one,
        .same = second};
    oracle_hazard_query(bench.arena, &question, &verdict);
    if (verdict.answer != rows[i].answer)
      fail_msg("%s: %u %s", rows[i].lines, verdict.answer, verdict.reason);
    if (verdict.answer == HAZARD_FOUND) {
      assert_int_equal(verdict.reader_input.parameter, rows[i].input.parameter);
      assert_int_equal(verdict.buffer[0], rows[i].buffer);
      assert_int_equal(verdict.reader[0], rows[i].reader);
    }
    if (rows[i].reason != nullptr) assert_string_equal(verdict.reason, rows[i].reason);
    question.is_written_twice = true;
    question.other_output = 7;
    oracle_hazard_query(bench.arena, &question, &verdict);
    assert_int_equal(
        verdict.answer, rows[i].answer == HAZARD_FOUND ? HAZARD_FOUND : HAZARD_UNKNOWN);
    if (rows[i].answer == HAZARD_NONE)
      assert_string_equal(verdict.reason, "output 7 is written into the same buffer");
    bench_destroy(&bench);
  }
}

static const uint32_t one_twice[] = {1, 1}, first[] = {0};

static void what_is_unknown_has_a_reason(void **state) {
  (void)state;
  static const struct {
    const char *lines;
    HazardQuestion question;
    const char *reason;
  } rows[] = {{"p = f32[3] parameter(0)\nROOT r = f32[2] slice(p), slice={[0:2]}", {},
                  "the buffers are of different sizes"},
      {"p = f32[3] parameter(0)\nROOT r = f16[3] convert(p)", {},
          "the buffers are of different sizes"},
      {"p = f32[3] parameter(0)\nROOT r = f32[3] negate(p)", {.parameter = 1},
          "no such output or parameter"},
      {"p = f32[3] parameter(0)\nROOT r = f32[3] negate(p)", {.output = 1},
          "no such output or parameter"},
      {"p = f32[3] parameter(0)\nROOT r = f32[3] negate(p)", {.parameter_leaf = 1},
          "no such output or parameter"},
      {"p = f32[3]{0:T(4)} parameter(0)\nROOT r = f32[3] negate(p)", {},
          "a layout with tiles is not followed"},
      {"p = f32[3] parameter(0)\nROOT r = f32[3]{0:T(4)} negate(p)", {},
          "a layout with tiles is not followed"},
      {"p = f32[3] parameter(0)\nROOT r = f32[3] negate(p)", {.order_count = 1, .order = one_twice},
          "the loop order does not name each dimension once"},
      {"p = f32[3,3] parameter(0)\nROOT r = f32[3,3] negate(p)",
          {.order_count = 2, .order = one_twice},
          "the loop order does not name each dimension once"},
      {"p = f32[3,3] parameter(0)\nROOT r = f32[3,3] negate(p)", {.order_count = 1, .order = first},
          "the loop order does not name each dimension once"},
      {"p = s32[3] parameter(0)\nn = s32[3] negate(p)\ns = s32[2] slice(p), slice={[0:2]}\n"
       "ROOT r = (s32[3], s32[2]) tuple(n, s)",
          {}, "an output of another size is not computed side by side"},
      {"p = f32[1048577] parameter(0)\nROOT r = f32[1048577] negate(p)", {},
          "too large: 1048577 elements of a buffer"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    OracleFixture bench = bench_create();
    HazardVerdict verdict;
    HazardQuestion question = rows[i].question;
    question.kernel = root_of(&bench, rows[i].lines)->parent;
    oracle_hazard_query(bench.arena, &question, &verdict);
    assert_int_equal(verdict.answer, HAZARD_UNKNOWN);
    assert_string_equal(verdict.reason, rows[i].reason);
    question.unbounded = question.kernel->root;
    oracle_hazard_query(bench.arena, &question, &verdict);
    assert_int_equal(verdict.answer, HAZARD_UNKNOWN);
    assert_string_equal(verdict.reason, "a size of 'r' is not known");
    bench_destroy(&bench);
  }
}

/* A kernel that maps a map of a map of a chain, each many times. */
static void a_term_deeper_than_the_stack_is_unknown(void **) {
  static constexpr uint32_t count = 22;
  OracleFixture bench = bench_create();
  HazardVerdict verdict;
  Text text = text_create(bench.arena);
  text_string(&text, "HloModule m\n");
  for (uint32_t level = 0; level < 4; level++) {
    const char *type = level < 3 ? "s32[]" : "s32[2]", *along = level < 3 ? "" : "0";
    text_printf(&text, level < 3 ? "f%u {\n" : "ENTRY f%u {\n", level);
    text_printf(&text, "v0 = %s parameter(0)\nk = %s parameter(1)\n", type, type);
    for (uint32_t i = 1; i <= count; i++)
      if (level == 0)
        text_printf(&text, "v%u = s32[] %s(v%u, k)\n", i, i % 2 == 0 ? "xor" : "add", i - 1);
      else
        text_printf(&text, "v%u = %s map(v%u, k), dimensions={%s}, to_apply=f%u\n", i, type, i - 1,
            along, level - 1);
    text_printf(&text, "ROOT r = %s negate(v%u)\n}\n", type, count);
  }
  oracle_hazard_query(
      bench.arena, &(HazardQuestion){.kernel = read_root(&bench, text.bytes)->parent}, &verdict);
  assert_int_equal(verdict.answer, HAZARD_UNKNOWN);
  bench_destroy(&bench);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(first_read_of_what_was_overwritten),
      cmocka_unit_test(windows_that_overwrite_what_they_read),
      cmocka_unit_test(windows_are_written_in_the_order_of_the_update),
      cmocka_unit_test(offsets_that_are_computed_from_each_other),
      cmocka_unit_test(reads_that_data_choose),
      cmocka_unit_test(reads_that_two_paths_lead_to),
      cmocka_unit_test(a_custom_call_in_a_kernel_may_read_less),
      cmocka_unit_test(no_offset_is_forgotten_below_many_choices),
      cmocka_unit_test(outputs_beside_and_after),
      cmocka_unit_test(outputs_of_two_layouts_beside),
      cmocka_unit_test(parameters_that_are_one_buffer),
      cmocka_unit_test(what_is_unknown_has_a_reason),
      cmocka_unit_test(a_term_deeper_than_the_stack_is_unknown),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
