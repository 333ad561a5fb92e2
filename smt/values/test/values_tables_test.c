/* Elements of constant arrays after random movements, in pairs of graphs that differ in one number
 * or in none. The test moves the elements itself, for every offset: what is proved must be the same
 * there. Nothing evaluates the type, so that the proof alone decides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/text.h"
#include "smt/values/test/values_status.h"

static constexpr uint32_t table_rank = 3, most_size = 4, most_elements = 64, most_moves = 3;

typedef struct MovedTable {
  uint32_t sizes[table_rank];
  int elements[most_elements];
} MovedTable;

typedef enum MoveKind : uint8_t {
  TABLE_MOVE_SLICE,
  TABLE_MOVE_OFFSET, /* a dynamic-slice; the offset of `dimension` is the parameter, others constant
                      */
  TABLE_MOVE_REVERSE,
  TABLE_MOVE_TRANSPOSE, /* exchanges `dimension` and the next one */
  TABLE_MOVE_KINDS
} MoveKind;

typedef struct Move {
  MoveKind kind;
  uint32_t dimension;
  uint32_t starts[table_rank], sizes[table_rank]; /* of a slice */
} Move;

typedef struct TableGraph {
  MovedTable table;
  Move moves[most_moves];
  uint32_t move_count;
} TableGraph;

static uint64_t dice_state;

static uint32_t dice(uint32_t below) {
  dice_state = dice_state * 6364136223846793005 + 1442695040888963407;
  return (uint32_t)((dice_state >> 33) % below);
}

static uint32_t element_at(const MovedTable *table, const uint32_t *at) {
  return (at[0] * table->sizes[1] + at[1]) * table->sizes[2] + at[2];
}

static bool takes_part(const Move *move) {
  return move->kind == TABLE_MOVE_SLICE || move->kind == TABLE_MOVE_OFFSET;
}

static uint32_t start_of(
    const MovedTable *from, const Move *move, uint32_t dimension, uint32_t offset) {
  bool is_offset = move->kind == TABLE_MOVE_OFFSET && dimension == move->dimension;
  uint32_t start = is_offset ? offset : move->starts[dimension];
  uint32_t last = from->sizes[dimension] - move->sizes[dimension];
  return start < last ? start : last;
}

/* The index in `from` of the element that is moved to `at`. */
static void index_before(const MovedTable *from, const Move *move, uint32_t offset,
    const uint32_t *at, uint32_t *index) {
  uint32_t first = move->dimension, second = (move->dimension + 1) % table_rank;
  for (uint32_t i = 0; i < table_rank; i++)
    index[i] = takes_part(move) ? at[i] + start_of(from, move, i, offset) : at[i];
  if (move->kind == TABLE_MOVE_REVERSE) index[first] = from->sizes[first] - 1 - at[first];
  if (move->kind == TABLE_MOVE_TRANSPOSE) {
    index[first] = at[second];
    index[second] = at[first];
  }
}

static void sizes_after(const MovedTable *from, const Move *move, uint32_t *sizes) {
  uint32_t first = move->dimension, second = (move->dimension + 1) % table_rank;
  for (uint32_t i = 0; i < table_rank; i++)
    sizes[i] = takes_part(move) ? move->sizes[i] : from->sizes[i];
  if (move->kind == TABLE_MOVE_TRANSPOSE) {
    sizes[first] = from->sizes[second];
    sizes[second] = from->sizes[first];
  }
}

static MovedTable table_moved(const MovedTable *from, const Move *move, uint32_t offset) {
  MovedTable to = {};
  sizes_after(from, move, to.sizes);
  for (uint32_t x = 0; x < to.sizes[0]; x++)
    for (uint32_t y = 0; y < to.sizes[1]; y++)
      for (uint32_t z = 0; z < to.sizes[2]; z++) {
        uint32_t at[] = {x, y, z}, index[table_rank];
        index_before(from, move, offset, at, index);
        to.elements[element_at(&to, at)] = from->elements[element_at(from, index)];
      }
  return to;
}

static MovedTable graph_value(const TableGraph *graph, uint32_t offset) {
  MovedTable table = graph->table;
  for (uint32_t i = 0; i < graph->move_count; i++)
    table = table_moved(&table, &graph->moves[i], offset);
  return table;
}

static Move draw_move(const MovedTable *from) {
  Move move = {.kind = (MoveKind)dice(TABLE_MOVE_KINDS), .dimension = dice(table_rank)};
  for (uint32_t i = 0; i < table_rank; i++) {
    move.sizes[i] = 1 + dice(from->sizes[i]);
    move.starts[i] = dice(from->sizes[i] - move.sizes[i] + 1);
  }
  return move;
}

static TableGraph draw_graph(void) {
  TableGraph graph = {.move_count = 1 + dice(most_moves)};
  uint32_t values = dice(3) == 0 ? 1 : 4;
  for (uint32_t i = 0; i < table_rank; i++) graph.table.sizes[i] = 1 + dice(most_size);
  for (uint32_t i = 0; i < most_elements; i++) graph.table.elements[i] = (int)dice(values);
  MovedTable table = graph.table;
  for (uint32_t i = 0; i < graph.move_count; i++) {
    graph.moves[i] = draw_move(&table);
    table = table_moved(&table, &graph.moves[i], 0);
  }
  return graph;
}

/* Changes one number: an element, the start of a slice, the dimension of a reverse. The shapes stay
 * the same. */
static void change_number(TableGraph *graph) {
  uint32_t at = dice(graph->move_count + 1), dimension = dice(table_rank);
  if (at == graph->move_count) {
    uint32_t count = graph->table.sizes[0] * graph->table.sizes[1] * graph->table.sizes[2];
    graph->table.elements[dice(count)] = (int)dice(4);
    return;
  }
  MovedTable from = graph->table;
  for (uint32_t i = 0; i < at; i++) from = table_moved(&from, &graph->moves[i], 0);
  Move *move = &graph->moves[at];
  if (move->kind == TABLE_MOVE_REVERSE) move->dimension = dimension;
  move->starts[dimension] = dice(from.sizes[dimension] - move->sizes[dimension] + 1);
}

/* ---- as a module ---- */

static void print_shape(Text *text, const char *name, const uint32_t *sizes) {
  text_printf(text, " %s = f8e4m3fn[%u,%u,%u] ", name, sizes[0], sizes[1], sizes[2]);
}

static void print_table(Text *text, const MovedTable *table) {
  print_shape(text, "t0", table->sizes);
  text_string(text, "constant({");
  for (uint32_t x = 0; x < table->sizes[0]; x++) {
    text_string(text, x == 0 ? "{" : ", {");
    for (uint32_t y = 0; y < table->sizes[1]; y++) {
      text_string(text, y == 0 ? "{" : ", {");
      for (uint32_t z = 0; z < table->sizes[2]; z++)
        text_printf(text, "%s%d", z == 0 ? "" : ", ",
            table->elements[element_at(table, (uint32_t[]){x, y, z})]);
      text_string(text, "}");
    }
    text_string(text, "}");
  }
  text_string(text, "})\n");
}

static void print_move(Text *text, const MovedTable *from, const Move *move, uint32_t number) {
  uint32_t sizes[table_rank], second = (move->dimension + 1) % table_rank;
  sizes_after(from, move, sizes);
  if (move->kind == TABLE_MOVE_OFFSET)
    for (uint32_t i = 0; i < table_rank; i++)
      if (i != move->dimension)
        text_printf(text, " o%u_%u = s32[] constant(%u)\n", number, i, move->starts[i]);
  print_shape(text, arena_printf(arena, "t%u", number + 1), sizes);
  switch (move->kind) {
    case TABLE_MOVE_SLICE:
      text_printf(text, "slice(t%u), slice={", number);
      for (uint32_t i = 0; i < table_rank; i++)
        text_printf(text, "%s[%u:%u]", i == 0 ? "" : ", ", move->starts[i],
            move->starts[i] + move->sizes[i]);
      text_string(text, "}\n");
      break;
    case TABLE_MOVE_OFFSET:
      text_printf(text, "dynamic-slice(t%u", number);
      for (uint32_t i = 0; i < table_rank; i++)
        if (i == move->dimension) text_string(text, ", p");
        else text_printf(text, ", o%u_%u", number, i);
      text_printf(text, "), dynamic_slice_sizes={%u,%u,%u}\n", sizes[0], sizes[1], sizes[2]);
      break;
    case TABLE_MOVE_REVERSE:
      text_printf(text, "reverse(t%u), dimensions={%u}\n", number, move->dimension);
      break;
    case TABLE_MOVE_TRANSPOSE: {
      uint32_t order[] = {0, 1, 2};
      order[move->dimension] = second;
      order[second] = move->dimension;
      text_printf(
          text, "transpose(t%u), dimensions={%u,%u,%u}\n", number, order[0], order[1], order[2]);
      break;
    }
    case TABLE_MOVE_KINDS: fail_msg("no kind of movement");
  }
}

static const char *graph_text(const TableGraph *graph) {
  Text text = text_create(arena);
  text_string(&text, "HloModule m\nENTRY e {\n p = s32[] parameter(0)\n");
  print_table(&text, &graph->table);
  MovedTable table = graph->table;
  for (uint32_t i = 0; i < graph->move_count; i++) {
    print_move(&text, &table, &graph->moves[i], i);
    table = table_moved(&table, &graph->moves[i], 0);
  }
  print_shape(&text, "ROOT r", table.sizes);
  text_printf(&text, "negate(t%u)\n}\n", graph->move_count);
  return text.bytes;
}

static bool is_proved(const char *before, const char *after) {
  return values_status(values_entry(before), values_entry(after), LAW_EXACT) == VERDICT_PROVED;
}

static bool are_same(const TableGraph *before, const TableGraph *after) {
  for (uint32_t offset = 0; offset < most_size; offset++) {
    MovedTable a = graph_value(before, offset), b = graph_value(after, offset);
    if (memcmp(&a, &b, sizeof a) != 0) return false;
  }
  return true;
}

static void what_is_proved_is_the_same_table(void **) {
  static constexpr uint32_t few = 200;
  uint32_t same = 0, proved = 0, pairs = getenv("AFFIRM_FEW") != nullptr ? few : 4000;
  for (uint32_t i = 0; i < pairs; i++) {
    dice_state = i;
    ArenaMark mark = arena_mark(arena);
    TableGraph before = draw_graph(), after = before;
    if (i % 4 != 0) change_number(&after);
    const char *texts[] = {graph_text(&before), graph_text(&after)};
    bool is_same = are_same(&before, &after), holds = is_proved(texts[0], texts[1]);
    if (holds && !is_same) fail_msg("%u: other elements are proved\n%s%s", i, texts[0], texts[1]);
    if (i % 4 == 0 && !holds) fail_msg("%u: the same graph is not proved\n%s", i, texts[0]);
    same += is_same;
    proved += holds;
    if (i == few - 1) assert_true(proved >= 138); /* no fewer than ever */
    arena_rewind(arena, mark);
  }
  print_message("%u pairs: %u are the same, %u are proved\n", pairs, same, proved);
  assert_true(pairs - same > pairs / 8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(what_is_proved_is_the_same_table, arena_begin, arena_end)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
