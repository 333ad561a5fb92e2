/* Runs the emitted module itself: its pair function gets a body that stores into a table of the
 * module. The function with the loops is byte for byte the one that affine_emit verifies. */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "core/adapters/mlir/box.h"
#include "core/adapters/mlir/compile.h"
#include "core/adapters/mlir/emit_text.h"
#include "core/adapters/mlir/run.h"

/* A table without columns would have no address, so it gets one unused column. */
static uint32_t columns_of(uint32_t width) { return width == 0 ? 1 : width; }

static void write_tables(Text *text, uint64_t rows, uint32_t width) {
  assert(rows > 0);
  text_string(text, "memref.global \"public\" @cursor : memref<1xindex> = dense<0>\n");
  text_printf(text,
      "memref.global \"public\" @table : memref<%" PRIu64 "x%" PRIu32 "xindex> = uninitialized\n",
      rows, columns_of(width));
}

static void write_pair_function(Text *text, uint64_t rows, uint32_t width) {
  text_string(text, "func.func private @map.pair(");
  for (uint32_t i = 0; i < width; i++)
    text_printf(text, "%s%%a%" PRIu32 ": index", i == 0 ? "" : ", ", i);
  text_string(text, ") {\n  %zero = arith.constant 0 : index\n  %one = arith.constant 1 : index\n"
                    "  %cursor = memref.get_global @cursor : memref<1xindex>\n"
                    "  %row = memref.load %cursor[%zero] : memref<1xindex>\n"
                    "  %next = arith.addi %row, %one : index\n"
                    "  memref.store %next, %cursor[%zero] : memref<1xindex>\n");
  text_printf(text,
      "  %%table = memref.get_global @table : memref<%" PRIu64 "x%" PRIu32 "xindex>\n", rows,
      columns_of(width));
  for (uint32_t i = 0; i < width; i++)
    text_printf(text,
        "  %%c%" PRIu32 " = arith.constant %" PRIu32 " : index\n  memref.store %%a%" PRIu32
        ", %%table[%%row, %%c%" PRIu32 "] : memref<%" PRIu64 "x%" PRIu32 "xindex>\n",
        i, i, i, i, rows, width);
  text_string(text, "  return\n}\n");
}

static bool take_table(
    MapContext *context, const Compiled *compiled, uint64_t rows, PairsRun *report, Error *error) {
  const int64_t *cursor = compiled_global(compiled, "cursor"),
                *table = compiled_global(compiled, "table");
  if (cursor == nullptr || table == nullptr)
    return error_set(error, ERROR_ENVIRONMENT, "MLIR lost the table of pairs");
  if (*cursor < 0 || (uint64_t)*cursor > rows)
    return error_set(
        error, ERROR_ENVIRONMENT, "the compiled loops visited more points than the box has");
  report->count = (uint64_t)*cursor;
  assert(report->width == 0 || report->count <= SIZE_MAX / report->width);
  int64_t *values = ARENA_NEW(context->arena, int64_t, report->count * report->width);
  if (report->count * report->width > 0)
    memcpy(values, table, report->count * report->width * sizeof *values);
  report->values = values;
  return true;
}

static bool run_pairs(
    MapContext *context, const Text *text, uint64_t rows, PairsRun *report, Error *error) {
  Compiled compiled;
  if (!compile(text, "map", 64, COMPILE_FOR_ONCE, &compiled, error)) return false;
  compiled.entry((void *[]){nullptr});
  bool taken = take_table(context, &compiled, rows, report, error);
  compiled_destroy(&compiled);
  return taken;
}

bool mlir_pairs(
    MapContext *context, const Map *map, uint64_t limit, PairsRun *report, Error *error) {
  *report = (PairsRun){.width = map_variable_count(map) + map->result_count};
  uint64_t points;
  const Map *box;
  if (!box_of(context, map, map, &box, error) || !box_points(box, &points, error)) return false;
  if (points > limit)
    return error_set(error, ERROR_LIMIT, "the domain has more than %" PRIu64 " points", limit);
  if (points == 0) return true;
  Arena *scratch = arena_create();
  Text text = text_create(scratch);
  write_tables(&text, points, report->width);
  write_pair_function(&text, points, report->width);
  bool done = emit_function(context, scratch, "map", map, &text, error) &&
              run_pairs(context, &text, points, report, error);
  arena_destroy(scratch);
  return done;
}
