/* Indices of gather and scatter: parameters, iotas, arithmetic of those, literals, or values made
 * before. */
#include "generate/decoder.h"

static FuzzValue indices_by(Decoder *decoder, FuzzValue indices, const char *text) {
  begin_value(decoder, &indices);
  text_string(&decoder->body, text);
  finish_value(decoder, &indices);
  return indices;
}

/* An iota and a number, which an engine may fold into an expression of the index. */
static FuzzValue add_computed_indices(Decoder *decoder, FuzzValue indices, uint32_t how) {
  static const char *const operations[] = {
      "add", "subtract", "multiply", "minimum", "maximum", "divide", "remainder"};
  Arena *arena = decoder->arena;
  FuzzValue iota = indices_by(
      decoder, indices, arena_printf(arena, "iota(), iota_dimension=%u", how % indices.rank));
  if (how % 16 == 15)
    return indices_by(decoder, indices, arena_printf(arena, "negate(v%u)", iota.id));
  FuzzValue number = add_constant(decoder, TYPE_s32, (int64_t)(how / 8) - 2);
  if (how % 16 == 14)
    return indices_by(decoder, indices,
        arena_printf(arena, "clamp(v%u, v%u, v%u)", number.id, iota.id, number.id));
  FuzzValue all =
      indices_by(decoder, indices, arena_printf(arena, "broadcast(v%u), dimensions={}", number.id));
  bool turned = how % 16 >= 7;
  return indices_by(decoder, indices,
      arena_printf(arena, "%s(v%u, v%u)", operations[how % 7], turned ? all.id : iota.id,
          turned ? iota.id : all.id));
}

FuzzValue add_indices(Decoder *decoder, FuzzValue indices, Choices *choices) {
  uint64_t way = choose(choices, 6);
  uint32_t how = way > 1 ? (uint32_t)choose(choices, 256) : 0;
  if (way == 4) return add_literal(decoder, indices, how);
  if (way == 5) return value_or_parameter(decoder, indices, how);
  if (way < 2 || indices.rank == 0) return add_parameter(decoder, indices);
  if (way == 3) return add_computed_indices(decoder, indices, how % 64);
  return indices_by(decoder, indices,
      arena_printf(decoder->arena, "iota(), iota_dimension=%u", how % indices.rank));
}
