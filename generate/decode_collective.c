/* Records of collectives: groups of two devices among four, listed, in the iota form, all as one
 * group (none said), or by channel; one operand, or two with a tuple. A dimension that must divide
 * by the group is doubled first where it is odd. */
#include <inttypes.h>
#include <string.h>

#include "generate/decoder.h"

/* The others have no use_global_device_ids. */
static bool takes_global_ids(const char *operation) {
  static const char *const takers[] = {"all-reduce", "all-gather", "reduce-scatter"};
  for (size_t i = 0; i < sizeof takers / sizeof *takers; i++)
    if (strncmp(operation, takers[i], strlen(takers[i])) == 0) return true;
  return false;
}

static const char *groups_of_two(const Decoder *decoder, uint32_t at, const char *operation) {
  static const char *const groups[] = {", replica_groups={{0,1},{2,3}}", ", replica_groups={}",
      ", channel_id=1, replica_groups={{0,1},{2,3}}", ", replica_groups={{0,2},{3,1}}",
      ", replica_groups=[2,2]<=[4]", ", replica_groups=[2,2]<=[2,2]T(1,0)",
      ", channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true"};
  uint32_t which = record_choose(decoder, at, 7);
  return which == 6 && !takes_global_ids(operation) ? ", channel_id=1, replica_groups={{0,1}}"
                                                    : groups[which];
}

/* What needs no size of a group takes groups that are no runs of devices as well. */
static void write_plain(
    Decoder *decoder, FuzzValue operand, const char *operation, const char *more) {
  FuzzValue value = operand;
  bool uneven = record_choose(decoder, 8, 4) == 3 && operation[0] == 'a' && operation[4] == 'r';
  begin_value(decoder, &value);
  text_printf(&decoder->body, "%s(v%u)%s%s", operation, operand.id,
      uneven ? ", replica_groups={{0,1,3},{5,2,4}}" : groups_of_two(decoder, 3, operation), more);
  finish_value(decoder, &value);
}

/* Two operands of one kind: two results, which are taken apart at once. */
static void write_pair(Decoder *decoder, const char *operation, const FuzzValue *operands,
    const FuzzValue *values, const char *more) {
  uint32_t tuple = begin_tuple(decoder, 2, values, "");
  text_printf(&decoder->body, "%s(v%u, v%u)%s%s\n", operation, operands[0].id, operands[1].id,
      groups_of_two(decoder, 3, operation), more);
  take_element(decoder, tuple, 1, values[1]);
  take_element(decoder, tuple, 0, values[0]);
}

static void write_all_reduce_of_two(Decoder *decoder, FuzzValue operand, const char *apply) {
  FuzzValue both[2] = {operand, pick_alike(decoder, operand, record_choose(decoder, 6, 64))};
  both[0].has_layout = both[1].has_layout = false;
  write_pair(decoder, "all-reduce", both, both, apply);
}

static void write_all_reduce(Decoder *decoder, FuzzValue operand) {
  const char *apply =
      arena_printf(decoder->arena, ", to_apply=%s", reducer_name(decoder, 1, &operand));
  bool in_parts = record_choose(decoder, 4, 2) != 0;
  if (record_choose(decoder, 7, 3) == 2) {
    write_all_reduce_of_two(decoder, operand, apply);
    return;
  }
  write_plain(decoder, operand, in_parts ? "all-reduce-start" : "all-reduce", apply);
  if (!in_parts) return;
  FuzzValue value = operand;
  uint32_t started = decoder->next_id - 1;
  decoder->value_count--; /* what is started can be awaited and nothing else */
  begin_value(decoder, &value);
  text_printf(&decoder->body, "all-reduce-done(v%u)", started);
  finish_value(decoder, &value);
}

static bool write_all_gather(Decoder *decoder, FuzzValue operand) {
  uint32_t along = operand.rank == 0 ? 0 : record_choose(decoder, 5, operand.rank);
  FuzzValue both[2] = {operand, operand};
  if (operand.rank == 0) return false;
  both[1].sizes[along] *= 2;
  both[1].has_layout = false;
  if (fuzz_capacity(&both[1]) > fuzz_max_elements) return false;
  FuzzValue value = both[1];
  bool in_parts = record_choose(decoder, 4, 2) != 0;
  if (record_choose(decoder, 7, 3) == 2) {
    FuzzValue operands[2] = {operand, pick_alike(decoder, operand, record_choose(decoder, 6, 64))},
              values[2] = {value, value};
    write_pair(decoder, "all-gather", operands, values,
        arena_printf(decoder->arena, ", dimensions={%u}", along));
    return true;
  }
  uint32_t started = in_parts ? begin_tuple(decoder, 2, both, "") : 0;
  if (!in_parts) begin_value(decoder, &value);
  text_printf(&decoder->body, "all-gather%s(v%u), dimensions={%u}%s", in_parts ? "-start" : "",
      operand.id, along, groups_of_two(decoder, 3, "all-gather"));
  if (in_parts) {
    text_string(&decoder->body, "\n");
    begin_value(decoder, &value);
    text_printf(&decoder->body, "all-gather-done(v%u)", started);
  }
  finish_value(decoder, &value);
  return true;
}

/* The first dimension of even size, from the one that the record says; rank if there is none. */
static uint32_t even_dimension(const Decoder *decoder, const FuzzValue *operand) {
  for (uint32_t i = 0; i < operand->rank; i++) {
    uint32_t along = (record_choose(decoder, 5, operand->rank) + i) % operand->rank;
    if (operand->sizes[along] % 2 == 0) return along;
  }
  return operand->rank;
}

static bool write_reduce_scatter(Decoder *decoder, FuzzValue operand) {
  uint32_t along = even_dimension(decoder, &operand);
  FuzzValue value = operand;
  if (along == operand.rank) return false;
  value.sizes[along] /= 2;
  value.has_layout = false;
  const char *reducer = reducer_name(decoder, 1, &operand);
  if (record_choose(decoder, 7, 3) == 2) {
    FuzzValue operands[2] = {operand, pick_alike(decoder, operand, record_choose(decoder, 6, 64))},
              values[2] = {value, value};
    write_pair(decoder, "reduce-scatter", operands, values,
        arena_printf(decoder->arena, ", dimensions={%u}, to_apply=%s", along, reducer));
    return true;
  }
  begin_value(decoder, &value);
  text_printf(&decoder->body, "reduce-scatter(v%u), dimensions={%u}%s, to_apply=%s", operand.id,
      along, groups_of_two(decoder, 3, "reduce-scatter"), reducer);
  finish_value(decoder, &value);
  return true;
}

static void write_all_to_all(Decoder *decoder, FuzzValue operand) {
  uint32_t along = even_dimension(decoder, &operand);
  if (along < operand.rank && record_choose(decoder, 4, 2) == 0) {
    write_plain(
        decoder, operand, "all-to-all", arena_printf(decoder->arena, ", dimensions={%u}", along));
    return;
  }
  FuzzValue both[2] = {operand, pick_alike(decoder, operand, record_choose(decoder, 6, 64))};
  uint32_t tuple = begin_tuple(decoder, 2, both, "");
  text_printf(&decoder->body, "all-to-all(v%u, v%u)%s\n", both[0].id, both[1].id,
      groups_of_two(decoder, 3, "all-to-all"));
  take_element(decoder, tuple, 0, both[0]);
  take_element(decoder, tuple, 1, both[1]);
}

static void write_permute(Decoder *decoder, FuzzValue operand) {
  static const char *const pairs[] = {"{{0,1},{1,0}}", "{{0,1}}", "{{0,1},{1,2},{2,0}}"};
  const char *said =
      arena_printf(decoder->arena, ", source_target_pairs=%s", pairs[record_choose(decoder, 5, 3)]);
  FuzzValue both[2] = {operand, operand}, value = operand;
  bool in_parts = record_choose(decoder, 4, 2) != 0;
  uint32_t started = in_parts ? begin_tuple(decoder, 2, both, ", u32[], u32[]") : 0;
  if (!in_parts) begin_value(decoder, &value);
  text_printf(
      &decoder->body, "collective-permute%s(v%u)%s", in_parts ? "-start" : "", operand.id, said);
  if (in_parts) {
    text_string(&decoder->body, "\n");
    begin_value(decoder, &value);
    text_printf(&decoder->body, "collective-permute-done(v%u)", started);
  }
  finish_value(decoder, &value);
}

static void write_ragged_all_to_all(Decoder *decoder, FuzzValue operand) {
  FuzzValue numbers = {.type = TYPE_s32, .rank = 1, .sizes = {2}}, value = operand;
  FuzzValue offsets = add_parameter(decoder, numbers), sizes = add_parameter(decoder, numbers);
  begin_value(decoder, &value);
  text_printf(&decoder->body, "ragged-all-to-all(v%u, v%u, v%u, v%u, v%u, v%u)%s", operand.id,
      operand.id, offsets.id, sizes.id, offsets.id, sizes.id,
      groups_of_two(decoder, 3, "ragged-all-to-all"));
  finish_value(decoder, &value);
}

bool fuzz_write_collective(Decoder *decoder) {
  FuzzValue operand = pick_value(decoder, record_choose(decoder, 1, 64));
  bool reduces = operand.type == TYPE_f32 || operand.type == TYPE_s32;
  switch (record_choose(decoder, 2, 7)) {
    case 0:
      if (reduces) write_all_reduce(decoder, operand);
      return reduces;
    case 1: return write_all_gather(decoder, operand);
    case 2: return reduces && write_reduce_scatter(decoder, operand);
    case 3: write_all_to_all(decoder, operand); return true;
    case 4: write_permute(decoder, operand); return true;
    case 5: write_plain(decoder, operand, "collective-broadcast", ""); return true;
    default:
      if (operand.rank > 0) write_ragged_all_to_all(decoder, operand);
      return operand.rank > 0;
  }
}
