/* Chains of operations on four devices, in a fusion, against a simulation of all devices. The maps
 * of a chain must contain every pair of indices that some device reads; if they are called exact,
 * they must have no other pair; the relation of the simulation must not be called wrong. Offsets of
 * dynamic slices have any values, each device its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/hlo/read/read.h"
#include "core/map/evaluate.h"
#include "core/map/text.h"
#include "core/map/points.h"
#include "judge/maps/judge.h"

static constexpr uint32_t device_count = 4, input_size = 4, most_size = 32, longest_chain = 3;

typedef enum Link : uint8_t {
  LINK_REVERSE,
  LINK_SLICE, /* dynamic, of all but one element */
  LINK_ALL_REDUCE,
  LINK_ALL_GATHER,
  LINK_REDUCE_SCATTER,
  LINK_ALL_TO_ALL,
  LINK_PERMUTE, /* 0 to 1, 1 to 2 */
  LINK_BROADCAST,
  LINK_KINDS
} Link;

static const uint32_t groups[2][2] = {{0, 1}, {3, 2}};
#define GROUPS ", replica_groups={{0,1},{3,2}}"

/* The input indices, as bits, that each element of each device reads. */
typedef struct DeviceArrays {
  uint32_t size;
  uint32_t reads[device_count][most_size];
} DeviceArrays;

static uint32_t member_of(uint32_t device, uint32_t *group) {
  for (*group = 0;; ++*group)
    for (uint32_t m = 0; m < 2; m++)
      if (groups[*group][m] == device) return m;
}

static uint32_t source_of(uint32_t target) { return target == 1 || target == 2 ? target - 1 : 9; }

static bool fits(Link link, uint32_t size) {
  if (link == LINK_SLICE) return size > 1;
  if (link == LINK_ALL_GATHER) return size <= most_size / 2;
  return (link != LINK_REDUCE_SCATTER && link != LINK_ALL_TO_ALL) || size % 2 == 0;
}

static uint32_t size_after(Link link, uint32_t size) {
  if (link == LINK_SLICE) return size - 1;
  if (link == LINK_ALL_GATHER) return 2 * size;
  return link == LINK_REDUCE_SCATTER ? size / 2 : size;
}

/* What the element reads; bit d of `offsets` is the offset of device d. */
static uint32_t element_after(
    const DeviceArrays *from, Link link, uint32_t device, uint32_t i, uint32_t offsets) {
  uint32_t group, member = member_of(device, &group), n = from->size;
  const uint32_t *one = from->reads[groups[group][0]], *other = from->reads[groups[group][1]],
                 *own = from->reads[device];
  switch (link) {
    case LINK_REVERSE: return own[n - 1 - i];
    case LINK_SLICE: return own[i + (offsets >> device & 1)];
    case LINK_ALL_REDUCE: return one[i] | other[i];
    case LINK_ALL_GATHER: return i < n ? one[i] : other[i - n];
    case LINK_REDUCE_SCATTER: return one[member * (n / 2) + i] | other[member * (n / 2) + i];
    case LINK_ALL_TO_ALL: return (i < n / 2 ? one : other)[member * (n / 2) + i % (n / 2)];
    case LINK_PERMUTE: return source_of(device) > 3 ? 0 : from->reads[source_of(device)][i];
    case LINK_BROADCAST: return one[i];
    case LINK_KINDS: break;
  }
  return 0;
}

static DeviceArrays arrays_after(const DeviceArrays *from, Link link, uint32_t offsets) {
  DeviceArrays to = {.size = size_after(link, from->size)};
  for (uint32_t device = 0; device < device_count; device++)
    for (uint32_t i = 0; i < to.size; i++)
      to.reads[device][i] = element_after(from, link, device, i, offsets);
  return to;
}

typedef struct Chain {
  uint32_t count;
  Link links[longest_chain];
} Chain;

/* Adds what output element i reads on any device, for all offsets of all slices of the chain. */
static void simulate(const Chain *chain, const DeviceArrays *from, uint32_t at, uint32_t *pairs) {
  if (at == chain->count) {
    for (uint32_t device = 0; device < device_count; device++)
      for (uint32_t i = 0; i < from->size; i++) pairs[i] |= from->reads[device][i];
    return;
  }
  uint32_t choices = chain->links[at] == LINK_SLICE ? 1 << device_count : 1;
  for (uint32_t offsets = 0; offsets < choices; offsets++) {
    DeviceArrays to = arrays_after(from, chain->links[at], offsets);
    simulate(chain, &to, at + 1, pairs);
  }
}

/* ---- text ---- */

static const char *link_text(Arena *arena, Link link, uint32_t number, uint32_t size) {
  switch (link) {
    case LINK_REVERSE: return arena_printf(arena, "reverse(v%u), dimensions={0}", number);
    case LINK_SLICE:
      return arena_printf(
          arena, "dynamic-slice(v%u, o%u), dynamic_slice_sizes={%u}", number, number, size - 1);
    case LINK_ALL_REDUCE:
      return arena_printf(arena, "all-reduce(v%u), to_apply=add" GROUPS, number);
    case LINK_ALL_GATHER:
      return arena_printf(arena, "all-gather(v%u), dimensions={0}" GROUPS, number);
    case LINK_REDUCE_SCATTER:
      return arena_printf(
          arena, "reduce-scatter(v%u), dimensions={0}, to_apply=add" GROUPS, number);
    case LINK_ALL_TO_ALL:
      return arena_printf(arena, "all-to-all(v%u), dimensions={0}" GROUPS, number);
    case LINK_PERMUTE:
      return arena_printf(
          arena, "collective-permute(v%u), source_target_pairs={{0,1},{1,2}}", number);
    case LINK_BROADCAST: return arena_printf(arena, "collective-broadcast(v%u)" GROUPS, number);
    case LINK_KINDS: break;
  }
  return "";
}

/* The chain in a fusion; offset k is parameter k + 1. */
static const char *chain_text(Arena *arena, const Chain *chain, uint32_t *output_size) {
  Text text = text_create(arena);
  uint32_t size = input_size;
  text_string(&text,
      "HloModule m, replica_count=4\n"
      "add {\nx = s32[] parameter(0)\ny = s32[] parameter(1)\nROOT s = s32[] add(x, y)\n}\n"
      "f {\nv0 = s32[4] parameter(0)\n");
  for (uint32_t i = 0; i < chain->count; i++)
    text_printf(&text, "o%u = s32[] parameter(%u)\n", i, i + 1);
  for (uint32_t i = 0; i < chain->count; i++) {
    const char *link = link_text(arena, chain->links[i], i, size);
    size = size_after(chain->links[i], size);
    text_printf(
        &text, "%sv%u = s32[%u] %s\n", i + 1 == chain->count ? "ROOT " : "", i + 1, size, link);
  }
  text_string(&text, "}\nENTRY e {\np = s32[4] parameter(0)\n");
  for (uint32_t i = 0; i < chain->count; i++)
    text_printf(&text, "q%u = s32[] parameter(%u)\n", i, i + 1);
  text_printf(&text, "ROOT r = s32[%u] fusion(p", size);
  for (uint32_t i = 0; i < chain->count; i++) text_printf(&text, ", q%u", i);
  text_string(&text, "), kind=kLoop, calls=f\n}\n");
  *output_size = size;
  return text.bytes;
}

/* The pairs of the maps, by output element, as bits of input indices. */
static void map_pairs(const Judge *judge, const MapSet *maps, uint32_t *pairs) {
  for (uint32_t i = 0; i < maps->count; i++) {
    const Map *map = maps->maps[i];
    int64_t values[16], result;
    assert_true(map->result_count == 1);
    for (bool more = map_points_begin(map, values); more; more = map_points_next(map, values)) {
      Point point = map_point(map, values);
      if (map_evaluate(judge->context, map, &point, &result) == POINT_INSIDE)
        pairs[values[0]] |= 1u << result;
    }
  }
}

/* The simulated relation as maps of one point each: (d0) -> (c), domain: d0 in [i, i]. */
static MapSet maps_of_pairs(Arena *arena, Judge *judge, uint32_t size, const uint32_t *pairs) {
  struct {
    uint32_t count, capacity;
    const Map **items;
  } list = {};
  for (uint32_t i = 0; i < size; i++)
    for (uint32_t k = 0; k < input_size; k++) {
      if ((pairs[i] >> k & 1) == 0) continue;
      const Map *map = nullptr;
      Error error = {};
      Source *source = ARENA_NEW(arena, Source, 1);
      const char *text = arena_printf(arena, "(d0) -> (%u), domain: d0 in [%u, %u]", k, i, i);
      *source = (Source){.name = "test", .text = text, .length = strlen(text)};
      assert_true(map_parse(judge->context, source, &map, &error));
      *ARENA_PUSH(arena, &list) = map;
    }
  return (MapSet){.count = list.count, .maps = list.items};
}

/* Slices after the last collective: they have this device's offsets. */
static uint32_t own_slices(const Chain *chain) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < chain->count; i++)
    count = chain->links[i] > LINK_SLICE ? 0 : count + (chain->links[i] == LINK_SLICE);
  return count;
}

static bool has_slice(const Chain *chain) {
  bool any = false;
  for (uint32_t i = 0; i < chain->count; i++) any = any || chain->links[i] == LINK_SLICE;
  return any;
}

/* One chain, its simulation and its module. */
typedef struct ChainTrial {
  Arena *arena;
  Judge *judge;
  const Chain *chain;
  const char *text;
  uint32_t size, simulated[most_size];
  Question question;
  uint32_t *counts, failed;
} ChainTrial;

static void trial_fails(ChainTrial *trial, const char *why) {
  print_message("%s: %s", why, trial->text);
  trial->failed++;
}

/* The simulated pairs of one element of the side that the dimensions index. */
static uint32_t simulated_pairs(const ChainTrial *trial, uint32_t element) {
  uint32_t pairs = 0;
  if (trial->question.direction == OUTPUT_TO_INPUT) return trial->simulated[element];
  for (uint32_t i = 0; i < trial->size; i++) pairs |= (trial->simulated[i] >> element & 1) << i;
  return pairs;
}

static void check_engine(ChainTrial *trial) {
  uint32_t mapped[most_size] = {};
  Judgement judgement = {};
  judge_question(trial->judge, &trial->question, &judgement);
  map_pairs(trial->judge, &judgement.maps, mapped);
  for (uint32_t i = 0; i < judgement.maps.count; i++)
    if (judgement.maps.maps[i]->runtime_count > own_slices(trial->chain))
      trial_fails(trial, "another device has this device's offsets");
  bool is_backward = trial->question.direction == OUTPUT_TO_INPUT;
  for (uint32_t i = 0; i < (is_backward ? trial->size : input_size); i++) {
    uint32_t pairs = simulated_pairs(trial, i);
    if ((pairs & ~mapped[i]) != 0) trial_fails(trial, "a pair is lacking");
    else if (pairs != mapped[i] && judgement.maps.claim == INDEX_EXACT)
      trial_fails(trial, "the map is not exact");
  }
  if (judge_answer_status(judgement.answer) == STATUS_REFUTED) trial_fails(trial, judgement.reason);
  bool is_decided = judge_answer_status(judgement.answer) == STATUS_PROVED;
  trial->counts[judgement.answer == REASON_EXACT ? 0 : is_decided ? 1 : 2]++;
}

static void check_judges(ChainTrial *trial) {
  Judgement judgement = {};
  MapSet exact = maps_of_pairs(trial->arena, trial->judge, trial->size, trial->simulated);
  judge_maps(trial->judge, &trial->question, &exact, &judgement);
  judge_decide(&judgement);
  trial->counts[3] += judgement.answer == REASON_EXACT;
  if (judge_answer_status(judgement.answer) == STATUS_REFUTED)
    trial_fails(
        trial, arena_printf(trial->arena, "the simulated relation is wrong, %s", judgement.reason));
}

static uint32_t check_chain(const Chain *chain, uint32_t counts[4]) {
  ChainTrial trial = {.arena = arena_create(), .chain = chain, .counts = counts};
  Error error = {};
  const Module *module = nullptr;
  DeviceArrays start = {.size = input_size};
  trial.judge = judge_create(&(JudgeOptions){}, &error);
  for (uint32_t device = 0; device < device_count; device++)
    for (uint32_t i = 0; i < input_size; i++) start.reads[device][i] = 1u << i;
  simulate(chain, &start, 0, trial.simulated);
  trial.text = chain_text(trial.arena, chain, &trial.size);
  Source source = {.name = "test", .text = trial.text, .length = strlen(trial.text)};
  if (!hlo_read(trial.arena, &source, &module, &error))
    fail_msg("%s\n%s", error.message, trial.text);
  trial.question.instruction = module->entry->root;
  check_engine(&trial);
  if (!has_slice(chain)) check_judges(&trial);
  trial.question.direction = INPUT_TO_OUTPUT;
  check_engine(&trial);
  judge_destroy(trial.judge);
  arena_destroy(trial.arena);
  return trial.failed;
}

/* With AFFIRM_FEW every seventh chain. */
static void chains_are_as_simulated(void **) {
  uint32_t failed = 0, counts[4] = {}, total = 1, step = getenv("AFFIRM_FEW") != nullptr ? 7 : 1;
  for (uint32_t i = 0; i < longest_chain; i++) total *= LINK_KINDS;
  for (uint32_t number = 0; number < total; number += step) {
    Chain chain = {.count = longest_chain};
    uint32_t size = input_size, rest = number;
    bool is_possible = true;
    for (uint32_t i = 0; i < longest_chain; i++, rest /= LINK_KINDS) {
      chain.links[i] = (Link)(rest % LINK_KINDS);
      is_possible = is_possible && fits(chain.links[i], size);
      size = size_after(chain.links[i], size);
    }
    if (is_possible) failed += check_chain(&chain, counts);
  }
  print_message("%u exact, %u over-approximations, %u open; %u simulated relations exact\n",
      counts[0], counts[1], counts[2], counts[3]);
  assert_int_equal(failed, 0);
  assert_true(counts[0] > 200 / step && counts[1] > 300 / step && counts[3] > 50 / step);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(chains_are_as_simulated)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
