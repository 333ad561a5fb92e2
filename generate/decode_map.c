/* The driver of bytes for general maps. */
#include "generate/decode_map.h"

#include "core/base/choices.h"
#include "generate/general_map.h"

const Map *fuzz_decode_map(MapContext *context, const uint8_t *bytes, size_t size) {
  ByteChoices choices = choices_of_bytes(bytes, size);
  return generate_general_map(context, &choices.choices);
}

static const Map *with_results(MapContext *context, const Map *map, uint32_t count) {
  Map *copy = ARENA_NEW(context->arena, Map, 1);
  *copy = *map;
  copy->results = ARENA_NEW(context->arena, Expr, count);
  for (uint32_t i = 0; i < count; i++)
    copy->results[i] =
        map->result_count > 0 ? map->results[i % map->result_count] : expr_const(context->pool, i);
  copy->result_count = count;
  return copy;
}

FuzzPair fuzz_decode_pair(MapContext *context, const uint8_t *bytes, size_t size) {
  const Map *second = fuzz_decode_map(context, bytes, size / 2);
  return (FuzzPair){
      with_results(
          context, fuzz_decode_map(context, bytes + size / 2, size - size / 2), second->dim_count),
      second};
}
