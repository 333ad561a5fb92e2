/* Random chains of operations that move elements, and the same chains with one thing changed or
 * with two more operations that undo each other. The test moves the numbers of the elements itself:
 * reads and values are the same if and only if each output element has the same number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/text.h"
#include "core/hlo/read/read.h"
#include "judge/maps/judge.h"
#include "oracle/equivalence/same_values.h"

static uint64_t state_of_moves = 29;

static uint32_t move_below(uint32_t end) {
  state_of_moves = state_of_moves * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state_of_moves >> 33) % end;
}

/* ---- chains ---- */

typedef enum ChainMoveKind : uint8_t {
  MOVE_SLICE,     /* from `at`, `by` elements apart, of the dimension */
  MOVE_REVERSE,   /* of the dimension */
  MOVE_TRANSPOSE, /* of two dimensions */
  MOVE_FLATTEN,   /* to one dimension and back to the sizes in the other order */
  MOVE_PAD,       /* with `at` zeros before and `by` after */
  MOVE_DOUBLE,    /* concatenated with itself, the second time without the first `at` elements */
  MOVE_SPREAD,    /* broadcast to a new dimension of two, then one of the two is taken */
} ChainMoveKind;

typedef struct ChainMove {
  ChainMoveKind kind;
  uint32_t dimension;
  int64_t at, by;
} ChainMove;

static constexpr uint32_t most_moves = 6, most_moved = 400;

typedef struct MoveChain {
  uint32_t count;
  ChainMove moves[most_moves];
} MoveChain;

/* An array of two dimensions of numbers; 0 is a zero. */
typedef struct MovedArray {
  int64_t sizes[2];
  uint32_t numbers[most_moved];
} MovedArray;

static int64_t moved_count(const MovedArray *array) { return array->sizes[0] * array->sizes[1]; }

/* False if the result would be empty or too large. */
static bool move_array(const ChainMove *move, MovedArray *array) {
  MovedArray from = *array;
  int64_t size = from.sizes[move->dimension], made = size;
  uint32_t d = move->dimension;
  if (move->kind == MOVE_SLICE) made = size <= move->at ? 0 : (size - move->at - 1) / move->by + 1;
  if (move->kind == MOVE_PAD) made = size + move->at + move->by;
  if (move->kind == MOVE_DOUBLE) made = size + size - move->at;
  if (made <= 0 || (move->kind == MOVE_DOUBLE && move->at >= size)) return false;
  array->sizes[d] = made;
  if (move->kind == MOVE_TRANSPOSE || move->kind == MOVE_FLATTEN) {
    array->sizes[0] = from.sizes[1];
    array->sizes[1] = from.sizes[0];
  }
  if (moved_count(array) > most_moved) return false;
  for (int64_t i = 0; i < array->sizes[0]; i++)
    for (int64_t k = 0; k < array->sizes[1]; k++) {
      int64_t at[] = {i, k}, *x = &at[d], number = i * array->sizes[1] + k;
      bool is_zero = false;
      if (move->kind == MOVE_SLICE) *x = move->at + *x * move->by;
      if (move->kind == MOVE_REVERSE) *x = size - 1 - *x;
      if (move->kind == MOVE_PAD) *x -= move->at;
      if (move->kind == MOVE_DOUBLE && *x >= size) *x += move->at - size;
      if (move->kind == MOVE_TRANSPOSE) at[0] = k, at[1] = i;
      if (move->kind == MOVE_PAD) is_zero = *x < 0 || *x >= size;
      int64_t source = move->kind == MOVE_FLATTEN ? number : at[0] * from.sizes[1] + at[1];
      array->numbers[number] = is_zero ? 0 : from.numbers[source];
    }
  return true;
}

static MovedArray moved_begin(int64_t rows, int64_t columns) {
  MovedArray array = {.sizes = {rows, columns}};
  for (uint32_t i = 0; i < rows * columns; i++) array.numbers[i] = i + 1;
  return array;
}

static bool move_along(const MoveChain *chain, int64_t rows, int64_t columns, MovedArray *array) {
  *array = moved_begin(rows, columns);
  for (uint32_t i = 0; i < chain->count; i++)
    if (!move_array(&chain->moves[i], array)) return false;
  return true;
}

static ChainMove draw_move(void) {
  ChainMove move = {.kind = (ChainMoveKind)move_below(MOVE_SPREAD + 1),
      .dimension = move_below(2),
      .at = move_below(3),
      .by = move_below(3)};
  if (move.kind == MOVE_SLICE) move.by++;
  return move;
}

static void insert_move(MoveChain *chain, uint32_t at, ChainMove move) {
  memmove(&chain->moves[at + 1], &chain->moves[at], (chain->count - at) * sizeof move);
  chain->moves[at] = move;
  chain->count++;
}

/* One thing is changed, or two moves that undo each other are added, or both. */
static MoveChain change_chain(MoveChain chain) {
  uint32_t at = move_below(chain.count), change = move_below(5);
  ChainMove *move = &chain.moves[at];
  if (change == 0) move->dimension ^= 1;
  if (change == 1) *move = draw_move();
  if (change == 2) {
    int64_t before = move->at;
    move->at = move->by;
    move->by = before == 0 && move->kind == MOVE_SLICE ? 1 : before;
  }
  if (change < 2 && move_below(2) == 0) return chain;
  ChainMove twice = {
      .kind = (ChainMoveKind)(MOVE_REVERSE + move_below(3)), .dimension = move_below(2)};
  at = move_below(chain.count + 1);
  insert_move(&chain, at, twice);
  insert_move(&chain, at, twice);
  return chain;
}

/* ---- as text ---- */

static void print_shape_of(Text *text, const MovedArray *array) {
  text_printf(text, "f32[%d,%d]{1,0}", (int)array->sizes[0], (int)array->sizes[1]);
}

static void print_range(Text *text, int64_t from, int64_t to, int64_t step) {
  text_printf(text, "[%d:%d:%d]", (int)from, (int)to, (int)step);
}

/* The slice of v`from` to the array's size in the dimension of the move. */
static void print_slice(
    Text *text, uint32_t from, const MovedArray *array, const ChainMove *move, int64_t step) {
  text_printf(text, "slice(v%u), slice={", from);
  for (uint32_t d = 0; d < 2; d++) {
    if (d > 0) text_string(text, ", ");
    if (d == move->dimension) print_range(text, move->at, array->sizes[d], step);
    else print_range(text, 0, array->sizes[d], 1);
  }
  text_string(text, "}\n");
}

static void print_padding(Text *text, const ChainMove *move) {
  text_printf(text, "padding=%s%d_%d%s\n", move->dimension == 0 ? "" : "0_0x", (int)move->at,
      (int)move->by, move->dimension == 0 ? "x0_0" : "");
}

static void print_move(
    Text *text, uint32_t i, const ChainMove *move, const MovedArray *from, const MovedArray *to) {
  MovedArray rest = *from;
  if (move->kind == MOVE_DOUBLE) {
    rest.sizes[move->dimension] -= move->at;
    text_printf(text, "s%u = ", i);
    print_shape_of(text, &rest);
    text_string(text, " ");
    print_slice(text, i, from, move, 1);
  }
  if (move->kind == MOVE_FLATTEN)
    text_printf(text, "f%u = f32[%d]{0} reshape(v%u)\n", i, (int)moved_count(from), i);
  if (move->kind == MOVE_SPREAD)
    text_printf(text,
        "b%u = f32[%d,2,%d]{2,1,0} broadcast(v%u), dimensions={0,2}\n"
        "c%u = f32[%d,1,%d]{2,1,0} slice(b%u), slice={[0:%d], [1:2], [0:%d]}\n",
        i, (int)from->sizes[0], (int)from->sizes[1], i, i, (int)from->sizes[0], (int)from->sizes[1],
        i, (int)from->sizes[0], (int)from->sizes[1]);
  text_printf(text, "v%u = ", i + 1);
  print_shape_of(text, to);
  text_string(text, " ");
  switch (move->kind) {
    case MOVE_SLICE: print_slice(text, i, from, move, move->by); break;
    case MOVE_REVERSE:
      text_printf(text, "reverse(v%u), dimensions={%u}\n", i, move->dimension);
      break;
    case MOVE_TRANSPOSE: text_printf(text, "transpose(v%u), dimensions={1,0}\n", i); break;
    case MOVE_FLATTEN: text_printf(text, "reshape(f%u)\n", i); break;
    case MOVE_PAD:
      text_printf(text, "pad(v%u, z), ", i);
      print_padding(text, move);
      break;
    case MOVE_DOUBLE:
      text_printf(text, "concatenate(v%u, s%u), dimensions={%u}\n", i, i, move->dimension);
      break;
    case MOVE_SPREAD: text_printf(text, "reshape(c%u)\n", i); break;
  }
}

static const Computation *chain_entry(
    Arena *arena, const MoveChain *chain, int64_t rows, int64_t columns, const char **shown) {
  Text text = text_create(arena);
  MovedArray array = moved_begin(rows, columns);
  text_string(&text, "HloModule m\nENTRY e {\nz = f32[] constant(0)\nv0 = ");
  print_shape_of(&text, &array);
  text_string(&text, " parameter(0)\n");
  for (uint32_t i = 0; i < chain->count; i++) {
    MovedArray from = array;
    assert_true(move_array(&chain->moves[i], &array));
    print_move(&text, i, &chain->moves[i], &from, &array);
  }
  text_string(&text, "ROOT r = ");
  print_shape_of(&text, &array);
  text_printf(&text, " copy(v%u)\n}\n", chain->count);
  Source *source = ARENA_NEW(arena, Source, 1);
  *source = (Source){.name = "m", .text = text.bytes, .length = text.length, .first_line = 1};
  const Module *module;
  Error error = {};
  if (!hlo_read(arena, source, &module, &error)) fail_msg("%s\n%s", text.bytes, error.message);
  *shown = text.bytes;
  return module->entry;
}

/* ---- the judges ---- */

typedef struct MoveCounts {
  uint32_t same, other, open;
} MoveCounts;

static void check_chains(Judge *judge, const Computation *const entries[2], bool is_same,
    const char *const shown[2], MoveCounts *counts) {
  Arena *arena = arena_create();
  Verdict verdict;
  Error error = {};
  bool known = true;
  assert_true(
      smt_same_reads(judge->smt, entries[0], entries[1], 0, 0, 0, &known, &verdict, &error));
  counts->open += verdict.status == VERDICT_UNKNOWN;
  if (verdict.status == (is_same ? VERDICT_REFUTED : VERDICT_PROVED))
    fail_msg("reads by smt: %s\n%s%s", verdict_text(&verdict), shown[0], shown[1]);
  SmtValues *values = smt_values_create(judge->smt, entries[0], entries[1], LAW_NONE);
  assert_true(smt_values_query(values, 0, &verdict, &error));
  counts->open += is_same && verdict.status != VERDICT_PROVED;
  if (!is_same && verdict.status == VERDICT_PROVED)
    fail_msg("values by smt: %s\n%s%s", verdict_text(&verdict), shown[0], shown[1]);
  smt_values_destroy(values);
  ValuesVerdict found;
  OracleValues *oracle = oracle_values_create(arena, entries[0], entries[1], nullptr);
  oracle_values_query(oracle, 0, &found);
  if (found.answer != (is_same ? REASON_EXACT : REASON_DIFFERENT))
    fail_msg("values by the oracle: %s\n%s%s", found.reason, shown[0], shown[1]);
  arena_destroy(arena);
  counts->same += is_same;
  counts->other += !is_same;
}

static void chains_are_the_same_if_each_element_is(void **) {
  static constexpr uint32_t rounds = 160;
  Error error = {};
  Judge *judge = judge_create(&(JudgeOptions){}, &error);
  assert_non_null(judge);
  MoveCounts counts = {};
  for (uint32_t round = 0; round < rounds;) {
    int64_t rows = 1 + move_below(5), columns = 1 + move_below(5);
    MoveChain before = {.count = 1 + move_below(4)};
    for (uint32_t i = 0; i < before.count; i++) before.moves[i] = draw_move();
    MoveChain after = change_chain(before);
    MovedArray one, other;
    if (!move_along(&before, rows, columns, &one) || !move_along(&after, rows, columns, &other) ||
        one.sizes[0] != other.sizes[0] || one.sizes[1] != other.sizes[1])
      continue;
    bool is_same =
        memcmp(one.numbers, other.numbers, (size_t)moved_count(&one) * sizeof *one.numbers) == 0;
    if (is_same && counts.same > counts.other) continue;
    Arena *arena = arena_create();
    MapMark mark = map_context_mark(judge->context);
    const char *shown[2];
    const Computation *entries[] = {chain_entry(arena, &before, rows, columns, &shown[0]),
        chain_entry(arena, &after, rows, columns, &shown[1])};
    check_chains(judge, entries, is_same, shown, &counts);
    map_context_rewind(judge->context, mark);
    arena_destroy(arena);
    round++;
  }
  assert_true(counts.same > rounds / 3 && counts.other > rounds / 3 && counts.open * 10 < rounds);
  judge_destroy(judge);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chains_are_the_same_if_each_element_is),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
