/* The bytes encode two shapes with as many elements, each with a layout, and a bitcast between
 * them. If they take different amounts of memory, the second shape is replaced by a flat one. The
 * engine's maps, in both directions, must relate each element to exactly the element at the same
 * position in memory, and to none if that position is padding. */
#include <assert.h>
#include <string.h>

#include "core/hlo/print/print.h"
#include "core/map/evaluate.h"
#include "generate/decode_layout.h"
#include "fuzz/harness/harness.h"
#include "fuzz/targets/target.h"

static bool layout_target_reads(
    Harness *harness, const MapSet *maps, int64_t *index, int64_t *read) {
  return maps->count > 0 && map_evaluate(harness->context, maps->maps[0], &(Point){.dims = index},
                                read) == POINT_INSIDE;
}

static void layout_target_compare(Harness *harness, const char *hlo, const MapSet *maps,
    const FuzzTensor *from, const FuzzTensor *to) {
  static int16_t element_at[fuzz_tensor_most_positions];
  if (maps->claim != INDEX_EXACT || maps->count > 1 ||
      (maps->count == 1 && maps->maps[0]->range_count > 0))
    harness_fail(FOUND_LAYOUT, hlo, "no single exact map: %u maps, %s", maps->count, maps->reason);
  fuzz_tensor_elements_at(to, element_at);
  for (int64_t element = 0; element < fuzz_tensor_elements; element++) {
    int64_t index[4] = {}, wanted[4] = {}, got[4] = {};
    fuzz_tensor_index(from, element, index);
    int64_t there = element_at[fuzz_tensor_position(from, index)];
    if (there >= 0) fuzz_tensor_index(to, there, wanted);
    bool is_read = layout_target_reads(harness, maps, index, got);
    if (is_read != (there >= 0) || (is_read && memcmp(got, wanted, to->rank * sizeof *got) != 0))
      harness_fail(FOUND_LAYOUT, hlo, "element %lld: %s", (long long)element,
          maps->count == 0 ? "no map" : harness_map_text(harness, maps->maps[0]));
  }
  harness->answers[REASON_EXACT]++;
}

static Text module_of(Arena *arena, const FuzzTensor *input, const FuzzTensor *output) {
  ModuleBuilder module = hlo_module_builder(arena);
  Builder entry = hlo_build_computation(&module, "main");
  Instruction *bitcast = hlo_build_begin(&entry, HLO_BITCAST, 1,
      (Instruction *[]){hlo_build_parameter(&entry, fuzz_tensor_shape(&entry, input))});
  (void)hlo_build_finish(&entry, hlo_build_end(&entry, bitcast, fuzz_tensor_shape(&entry, output)));
  Text text = text_create(arena);
  const Module *built;
  Error error = {};
  bool is_built = hlo_build_module(&module, "layout", &built, &error);
  assert(is_built);
  if (is_built) hlo_print(&text, built);
  return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  Harness *harness = harness_begin();
  size_t half = size < fuzz_tensor_bytes ? size : fuzz_tensor_bytes;
  FuzzTensor input = fuzz_decode_tensor(bytes, half),
             output = fuzz_decode_tensor(bytes + half, size - half);
  int64_t positions = fuzz_tensor_positions(&input);
  if (fuzz_tensor_positions(&output) != positions) output = fuzz_flat_tensor(positions);
  Text text = module_of(harness->arena, &input, &output);
  const Instruction *root = harness_module(harness, text.bytes, text.length, "layout")->entry->root;
  MapSet maps;
  Error error = {};
  if (!index_output_to_input(harness->indexer, root, 0, 0, 0, &maps, &error))
    harness_fail(FOUND_REJECTED, text.bytes, "%s", error.message);
  layout_target_compare(harness, text.bytes, &maps, &output, &input);
  if (!index_input_to_output(harness->indexer, root, 0, 0, 0, &maps, &error))
    harness_fail(FOUND_REJECTED, text.bytes, "%s", error.message);
  layout_target_compare(harness, text.bytes, &maps, &input, &output);
  return 0;
}
