/* Random maps of a slice at an offset, in both directions, by both judges: against all values of
 * the offset. A union of maps is wrong if it lacks a read or leaves a tensor under some values,
 * else an over-approximation if it has a pair that is not read, else exact. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/test/length.h"
#include "core/hlo/read/read.h"
#include "core/map/text.h"
#include "judge/maps/judge.h"

static uint64_t state_of_offsets = 21;

static uint32_t offset_below(uint32_t end) {
  state_of_offsets =
      state_of_offsets * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state_of_offsets >> 33) % end;
}

/* Three of six elements, from the second of two offsets on, which is clamped to [0, 3]. */
static constexpr int64_t slice_size = 3, whole_size = 6, last_offset = 3;
static const char offset_text[] =
    "HloModule m\nENTRY e {\np = f32[6] parameter(0)\no = s32[2] parameter(1)\n"
    "i = s32[1] slice(o), slice={[1:2]}\nr = s32[] reshape(i)\n"
    "ROOT d = f32[3] dynamic-slice(p, r), dynamic_slice_sizes={3}\n}\n";

/* (d0){rt0} -> (d0 + sign * rt0 + constant), where d0 + sign * rt0 is in `sum`. */
typedef struct OffsetMap {
  uint32_t source; /* o at [0] or [1], i at [0], r at [], of which the last three are the offset */
  Interval dims, clamp, bounds, sum;
  int64_t sign, constant;
} OffsetMap;

static void spoil_interval(Interval *interval) {
  if (offset_below(2) == 0) interval->lo += offset_below(2) == 0 ? 1 : -1;
  else interval->hi += offset_below(2) == 0 ? 1 : -1;
}

/* A clamp has a value. */
static void spoil_clamp(Interval *clamp) {
  Interval before = *clamp;
  spoil_interval(clamp);
  if (clamp->lo > clamp->hi) *clamp = before;
}

static void spoil_offset_map(OffsetMap *map) {
  switch (offset_below(7)) {
    case 0: map->source = 0; break;
    case 1: spoil_interval(&map->dims); break;
    case 2: spoil_clamp(&map->clamp); break;
    case 3: spoil_interval(&map->bounds); break;
    case 4: spoil_interval(&map->sum); break;
    case 5: map->constant += offset_below(2) == 0 ? 1 : -1; break;
    default:
      if (map->bounds.lo <= map->bounds.hi) map->clamp = map->bounds;
      break;
  }
}

/* One right map, or two that share the values of the offset, with up to two changes. */
static uint32_t draw_offset_maps(bool is_forward, OffsetMap maps[2]) {
  static constexpr int64_t far = 20;
  uint32_t count = 1 + offset_below(2);
  int64_t middle = offset_below((uint32_t)last_offset);
  for (uint32_t i = 0; i < count; i++) {
    maps[i] = (OffsetMap){.source = 1 + offset_below(3),
        .dims = {0, is_forward ? slice_size - 1 : whole_size - 1},
        .clamp = {0, last_offset},
        .bounds = {i == 0 ? 0 : middle + 1, i + 1 == count ? last_offset : middle},
        .sign = is_forward ? 1 : -1};
    maps[i].sum = is_forward ? (Interval){-far, far} : (Interval){0, slice_size - 1};
  }
  for (uint32_t changes = offset_below(3); changes > 0; changes--)
    spoil_offset_map(&maps[offset_below(count)]);
  return count;
}

static const Instruction *offset_instruction(const Module *module, const char *name) {
  for (uint32_t i = 0; i < module->entry->instruction_count; i++)
    if (strcmp(module->entry->instructions[i]->name, name) == 0)
      return module->entry->instructions[i];
  fail();
  return nullptr;
}

static const Map *map_of_offset(
    MapContext *context, const Module *module, const OffsetMap *offset) {
  ExprPool *pool = context->pool;
  bool has_index = offset->source < 3;
  Map *map = map_create(context, 1, 0, 1, 1, 1),
      *index = map_create(context, 1, 0, 1, has_index, 0);
  map->dims[0].bounds = index->dims[0].bounds = offset->dims;
  map->runtimes[0].bounds = index->runtimes[0].bounds = offset->bounds;
  if (has_index) index->results[0] = expr_const(pool, offset->source == 1);
  const char *name = offset->source < 2 ? "o" : offset->source == 2 ? "i" : "r";
  map->sources = ARENA_NEW(context->arena, RuntimeSource, 1);
  map->sources[0] = (RuntimeSource){.name = name,
      .instruction = offset_instruction(module, name),
      .index = index,
      .clamp = offset->clamp};
  Expr moved = expr_binary(pool, EXPR_ADD, expr_var(pool, VAR_DIM, 0),
      expr_binary(pool, EXPR_MUL, expr_var(pool, VAR_RUNTIME, 0), expr_const(pool, offset->sign)));
  map->constraints[0] = (Constraint){.expr = moved, .in = offset->sum};
  map->results[0] = expr_binary(pool, EXPR_ADD, moved, expr_const(pool, offset->constant));
  return map;
}

static int64_t offset_clamped(int64_t value, Interval in) {
  return value < in.lo ? in.lo : value > in.hi ? in.hi : value;
}

/* What one map relates to each index under the two offsets, as bits; the last bit: an index or a
 * result is outside. */
static void relate_offsets(const OffsetMap *map, const int64_t offsets[2], int64_t from_size,
    int64_t to_size, uint64_t *related, bool *leaves) {
  int64_t value = offset_clamped(offsets[map->source > 0], map->clamp);
  if (value < map->bounds.lo || value > map->bounds.hi) return;
  for (int64_t at = map->dims.lo; at <= map->dims.hi; at++) {
    int64_t moved = at + map->sign * value, to = moved + map->constant;
    if (moved < map->sum.lo || moved > map->sum.hi) continue;
    if (at < 0 || at >= from_size || to < 0 || to >= to_size) *leaves = true;
    else related[at] |= UINT64_C(1) << to;
  }
}

static VerdictReason offset_reason(bool is_forward, uint32_t count, const OffsetMap *maps) {
  int64_t from_size = is_forward ? slice_size : whole_size,
          to_size = is_forward ? whole_size : slice_size;
  bool is_wrong = false, has_extra = false;
  for (int64_t code = 0; code < 8 * 8; code++) {
    const int64_t offsets[] = {code % 8 - 2, code / 8 - 2};
    int64_t start = offset_clamped(offsets[1], (Interval){0, last_offset});
    uint64_t related[6] = {};
    for (uint32_t i = 0; i < count; i++)
      relate_offsets(&maps[i], offsets, from_size, to_size, related, &is_wrong);
    for (int64_t at = 0; at < from_size; at++)
      for (int64_t to = 0; to < to_size; to++) {
        bool is_read = is_forward ? to == at + start : at == to + start,
             is_related = (related[at] >> to & 1) != 0;
        is_wrong |= is_read && !is_related;
        has_extra |= is_related && !is_read;
      }
  }
  return is_wrong ? REASON_WRONG : has_extra ? REASON_EXTRA : REASON_EXACT;
}

static const char *offset_maps_text(MapContext *context, uint32_t count, const Map *const *maps) {
  Text text = text_create(context->arena);
  for (uint32_t i = 0; i < count; i++) {
    map_print(&text, context, maps[i], MAP_STYLE_LINE);
    text_string(&text, "\n");
  }
  return text.bytes;
}

static void fail_offset(MapContext *context, uint32_t count, const Map *const *maps,
    const char *who, VerdictReason reason, const Verdict *verdict) {
  fail_msg("%s, expected %s: %s\n%s", who,
      reason == REASON_WRONG   ? "wrong"
      : reason == REASON_EXTRA ? "extra"
                               : "exact",
      verdict_text(verdict), offset_maps_text(context, count, maps));
}

/* Bounds with a value that the clamp does not have are an over-approximation too.
 */
static VerdictReason with_excess(VerdictReason reason, uint32_t count, const OffsetMap *maps) {
  for (uint32_t i = 0; i < count; i++)
    if (reason == REASON_EXACT &&
        (maps[i].bounds.lo < maps[i].clamp.lo || maps[i].bounds.hi > maps[i].clamp.hi))
      reason = REASON_EXTRA;
  return reason;
}

typedef struct OffsetCounts {
  uint32_t wrong, extra, exact, unsupported, open, by_smt;
} OffsetCounts;

static void check_offset_maps(
    Judge *judge, const Module *module, bool is_forward, bool with_smt, OffsetCounts *counts) {
  OffsetMap drawn[2];
  uint32_t count = draw_offset_maps(is_forward, drawn);
  const Map *maps[2];
  for (uint32_t i = 0; i < count; i++) maps[i] = map_of_offset(judge->context, module, &drawn[i]);
  VerdictReason reason = with_excess(offset_reason(is_forward, count, drawn), count, drawn);
  const Instruction *root = module->entry->root;
  Verdict verdict;
  Error error = {};
  counts->wrong += reason == REASON_WRONG;
  counts->extra += reason == REASON_EXTRA;
  counts->exact += reason == REASON_EXACT;
  assert_true((is_forward ? oracle_output_to_input : oracle_input_to_output)(
      judge->oracle, root, 0, 0, 0, count, maps, &verdict, &error));
  counts->unsupported += verdict.reason == REASON_UNSUPPORTED; /* an index outside, of no point */
  if (verdict.reason != reason && verdict.reason != REASON_UNSUPPORTED)
    fail_offset(judge->context, count, maps, "oracle", reason, &verdict);
  if (!with_smt) return;
  assert_true((is_forward ? smt_output_to_input : smt_input_to_output)(
      judge->smt, root, 0, 0, 0, count, maps, &verdict, &error));
  bool is_open = verdict.reason == REASON_OPEN ||
                 (verdict.reason == REASON_CONTAINS && reason != REASON_WRONG);
  counts->open += is_open;
  counts->by_smt++;
  if (verdict.reason != reason && !is_open)
    fail_offset(judge->context, count, maps, "smt", reason, &verdict);
}

typedef struct OffsetWorld {
  Judge *judge;
  Arena *arena;
  const Module *module;
} OffsetWorld;

static OffsetWorld offset_begin(void) {
  static const Source source = {
      .name = "m", .text = offset_text, .length = sizeof offset_text - 1, .first_line = 1};
  Error error = {};
  OffsetWorld world = {.judge = judge_create(&(JudgeOptions){}, &error), .arena = arena_create()};
  assert_non_null(world.judge);
  if (!hlo_read(world.arena, &source, &world.module, &error)) fail_msg("%s", error.message);
  return world;
}

static void offset_end(OffsetWorld *world) {
  arena_destroy(world->arena);
  judge_destroy(world->judge);
}

static void maps_of_a_slice_are_judged_under_all_offsets(void **) {
  static constexpr uint32_t smt_step = 16;
  const uint32_t rounds = test_length(2400, 2400, 600);
  OffsetWorld world = offset_begin();
  OffsetCounts counts = {};
  for (uint32_t round = 0; round < rounds; round++) {
    MapMark mark = map_context_mark(world.judge->context);
    check_offset_maps(
        world.judge, world.module, round % 2 == 0, round / 2 % smt_step == 0, &counts);
    map_context_rewind(world.judge->context, mark);
  }
  assert_true(counts.wrong > rounds / 8 && counts.extra > rounds / 48 && counts.exact > rounds / 8);
  assert_true(counts.open * 10 < counts.by_smt && counts.unsupported * 10 < rounds);
  offset_end(&world);
}

/* ---- two unions ---- */

static bool offsets_leave(bool is_forward, uint32_t count, const OffsetMap *maps) {
  bool leaves = false;
  for (int64_t value = -3; value <= 6; value++) {
    uint64_t related[6] = {};
    for (uint32_t i = 0; i < count; i++)
      relate_offsets(&maps[i], (int64_t[]){value, value}, is_forward ? slice_size : whole_size,
          is_forward ? whole_size : slice_size, related, &leaves);
  }
  return leaves;
}

/* A pair that only the maps before have is missing, one that only those after have is extra. */
static VerdictReason offsets_alike(bool is_forward, uint32_t count, const OffsetMap *before,
    uint32_t other_count, const OffsetMap *after) {
  int64_t from_size = is_forward ? slice_size : whole_size,
          to_size = is_forward ? whole_size : slice_size;
  bool is_missing = false, has_extra = false, leaves;
  for (int64_t code = 0; code < 8 * 8; code++) {
    const int64_t offsets[] = {code % 8 - 2, code / 8 - 2};
    uint64_t one[6] = {}, other[6] = {};
    for (uint32_t i = 0; i < count; i++)
      relate_offsets(&before[i], offsets, from_size, to_size, one, &leaves);
    for (uint32_t i = 0; i < other_count; i++)
      relate_offsets(&after[i], offsets, from_size, to_size, other, &leaves);
    for (int64_t at = 0; at < from_size; at++) {
      is_missing |= (one[at] & ~other[at]) != 0;
      has_extra |= (other[at] & ~one[at]) != 0;
    }
  }
  return is_missing ? REASON_WRONG : has_extra ? REASON_EXTRA : REASON_EXACT;
}

static void unions_are_compared_under_all_offsets(void **) {
  const uint32_t rounds = test_length(3000, 3000, 750);
  OffsetWorld world = offset_begin();
  uint32_t compared = 0, counts[3] = {};
  Error error = {};
  for (uint32_t round = 0; round < rounds; round++) {
    MapMark mark = map_context_mark(world.judge->context);
    bool is_forward = round % 2 == 0;
    OffsetMap drawn[2][2];
    const Map *maps[2][2];
    uint32_t map_counts[2];
    bool leaves = false;
    for (uint32_t side = 0; side < 2; side++) {
      map_counts[side] = draw_offset_maps(is_forward, drawn[side]);
      leaves |= offsets_leave(is_forward, map_counts[side], drawn[side]);
      for (uint32_t i = 0; i < map_counts[side]; i++)
        maps[side][i] = map_of_offset(world.judge->context, world.module, &drawn[side][i]);
    }
    VerdictReason reason =
        offsets_alike(is_forward, map_counts[0], drawn[0], map_counts[1], drawn[1]);
    Verdict verdict;
    assert_true(oracle_same_pairs(world.judge->oracle, world.module->entry->root, !is_forward, 0, 0,
        0, (OracleMaps){map_counts[0], maps[0]}, (OracleMaps){map_counts[1], maps[1]}, &verdict,
        &error));
    if (!leaves && verdict.reason != REASON_UNSUPPORTED) {
      compared++;
      counts[reason == REASON_WRONG ? 0 : reason == REASON_EXTRA ? 1 : 2]++;
      if (verdict.reason != reason) {
        print_message(
            "after: %s\n", offset_maps_text(world.judge->context, map_counts[1], maps[1]));
        fail_offset(world.judge->context, map_counts[0], maps[0], "oracle, the same pairs", reason,
            &verdict);
      }
    }
    map_context_rewind(world.judge->context, mark);
  }
  assert_true(compared > rounds / 2);
  for (uint32_t i = 0; i < 3; i++) assert_true(counts[i] > rounds / 40);
  offset_end(&world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(maps_of_a_slice_are_judged_under_all_offsets),
      cmocka_unit_test(unions_are_compared_under_all_offsets),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
