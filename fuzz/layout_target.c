/* Bytes are two shapes of as many elements, each with a layout, and a bitcast between them. The engine's maps, both directions, must lead from each
 * element to the one with the same place in memory, and to no other. Places are computed here, from sizes and orders alone. */
#include "core/hlo/read.h"
#include "core/map/evaluate.h"
#include "fuzz/harness.h"
#include "fuzz/target.h"

typedef struct Tensor {
  uint32_t rank, order[4]; /* minor to major */
  int64_t sizes[4];
} Tensor;

static Tensor side_of(const uint8_t *bytes) {
  static const int64_t factors[] = {2, 3, 2, 2, 5};
  Tensor side = {.rank = 1 + bytes[0] % 4, .sizes = {1, 1, 1, 1}};
  for (uint32_t i = 0; i < 5; i++) side.sizes[bytes[1 + i] % side.rank] *= factors[i];
  for (uint32_t i = 0, given = 0; i < side.rank; i++) {
    uint32_t pick = bytes[6 + i] % (side.rank - i);
    for (uint32_t dim = 0; dim < side.rank; dim++)
      if ((given >> dim & 1) == 0 && pick-- == 0) side.order[i] = dim;
    given |= 1u << side.order[i];
  }
  return side;
}

static void print(Text *text, const Tensor *side) {
  for (uint32_t i = 0; i < side->rank; i++) text_printf(text, "%s%lld", i == 0 ? "f32[" : ",", (long long)side->sizes[i]);
  for (uint32_t i = 0; i < side->rank; i++) text_printf(text, "%s%u", i == 0 ? "]{" : ",", side->order[i]);
  text_string(text, "}");
}

static void index_at(const Tensor *side, int64_t place, int64_t *index) {
  for (uint32_t i = 0; i < side->rank; place /= side->sizes[side->order[i]], i++) index[side->order[i]] = place % side->sizes[side->order[i]];
}

static void compare(Harness *harness, const char *hlo, const MapSet *maps, const Tensor *from, const Tensor *to) {
  if (maps->claim != INDEX_EXACT || maps->count != 1 || maps->maps[0]->range_count > 0) harness_fail("layout", hlo, "no single exact map: %u maps, %s", maps->count, maps->reason);
  for (int64_t place = 0; place < 120; place++) {
    int64_t start[4] = {}, wanted[4] = {}, got[4] = {};
    index_at(from, place, start);
    index_at(to, place, wanted);
    PointState state = map_evaluate(harness->context, maps->maps[0], &(Point){.dims = start}, got);
    for (uint32_t i = 0; i < to->rank; i++)
      if (state != POINT_INSIDE || got[i] != wanted[i]) harness_fail("layout", hlo, "place %lld: %s", (long long)place, harness_map_text(harness, maps->maps[0]));
  }
  harness->answers[ORACLE_EXACT]++;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  Harness *harness = harness_begin();
  uint8_t both[20] = {};
  for (size_t i = 0; i < size && i < sizeof both; i++) both[i] = bytes[i];
  Tensor input = side_of(both), output = side_of(both + 10);
  Text text = text_create(harness->arena);
  text_string(&text, "HloModule layout\n\nENTRY main {\n  p = ");
  print(&text, &input);
  text_string(&text, " parameter(0)\n  ROOT b = ");
  print(&text, &output);
  text_string(&text, " bitcast(p)\n}\n");
  Source source = {.name = "layout", .text = text.bytes, .length = text.length, .first_line = 1};
  const Module *module;
  MapSet maps;
  Error error = {};
  if (!hlo_read(harness->arena, &source, &module, &error)) harness_fail("unreadable", text.bytes, "%s", error.message);
  const Instruction *root = module->entry->root;
  if (!index_output_to_input(harness->indexer, root, 0, 0, 0, &maps, &error)) harness_fail("refused", text.bytes, "%s", error.message);
  compare(harness, text.bytes, &maps, &output, &input);
  if (!index_input_to_output(harness->indexer, root, 0, 0, 0, &maps, &error)) harness_fail("refused", text.bytes, "%s", error.message);
  compare(harness, text.bytes, &maps, &input, &output);
  return 0;
}
