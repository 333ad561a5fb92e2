/* Bytes are two shapes of as many elements, each with a layout, and a bitcast between them. The engine's maps, both directions, must lead from each
 * element to the one with the same place in memory, and to no other. */
#include "core/map/evaluate.h"
#include "fuzz/decode_layout.h"
#include "fuzz/harness.h"
#include "fuzz/target.h"

static void compare(Harness *harness, const char *hlo, const MapSet *maps, const FuzzTensor *from, const FuzzTensor *to) {
  if (maps->claim != INDEX_EXACT || maps->count != 1 || maps->maps[0]->range_count > 0)
    harness_fail("layout", hlo, "no single exact map: %u maps, %s", maps->count, maps->reason);
  for (int64_t place = 0; place < fuzz_tensor_elements; place++) {
    int64_t start[4] = {}, wanted[4] = {}, got[4] = {};
    fuzz_tensor_index(from, place, start);
    fuzz_tensor_index(to, place, wanted);
    PointState state = map_evaluate(harness->context, maps->maps[0], &(Point){.dims = start}, got);
    for (uint32_t i = 0; i < to->rank; i++)
      if (state != POINT_INSIDE || got[i] != wanted[i]) harness_fail("layout", hlo, "place %lld: %s", (long long)place, harness_map_text(harness, maps->maps[0]));
  }
  harness->answers[ORACLE_EXACT]++;
}

static Text module_of(Arena *arena, const FuzzTensor *input, const FuzzTensor *output) {
  Text text = text_create(arena);
  text_string(&text, "HloModule layout\n\nENTRY main {\n  p = ");
  fuzz_tensor_print(&text, input);
  text_string(&text, " parameter(0)\n  ROOT b = ");
  fuzz_tensor_print(&text, output);
  text_string(&text, " bitcast(p)\n}\n");
  return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  Harness *harness = harness_begin();
  size_t half = size < fuzz_tensor_bytes ? size : fuzz_tensor_bytes;
  FuzzTensor input = fuzz_decode_tensor(bytes, half), output = fuzz_decode_tensor(bytes + half, size - half);
  Text text = module_of(harness->arena, &input, &output);
  const Instruction *root = harness_module(harness, text.bytes, text.length, "layout")->entry->root;
  MapSet maps;
  Error error = {};
  if (!index_output_to_input(harness->indexer, root, 0, 0, 0, &maps, &error)) harness_fail("refused", text.bytes, "%s", error.message);
  compare(harness, text.bytes, &maps, &output, &input);
  if (!index_input_to_output(harness->indexer, root, 0, 0, 0, &maps, &error)) harness_fail("refused", text.bytes, "%s", error.message);
  compare(harness, text.bytes, &maps, &input, &output);
  return 0;
}
