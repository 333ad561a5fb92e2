/* The group of all devices for which no groups stand: of each collective, with and without a
 * channel, global ids and groups of its own, for each number of replicas and partitions. */
#include "core/hlo/devices.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "core/hlo/read/from_text.h"

/* What the ids in groups name, without a channel, with one, and with one and global ids. */
typedef enum DevicesNamed : uint8_t {
  NAME_NOTHING,
  NAME_REPLICAS,
  NAME_PARTITIONS,
  NAME_BOTH
} DevicesNamed;

typedef struct DevicesRow {
  const char *instruction;
  DevicesNamed alone, channel, global;
  bool has_global_ids;
} DevicesRow;

static const DevicesRow devices_rows[] = {
    {"f32[4] all-reduce(p), to_apply=add", NAME_REPLICAS, NAME_REPLICAS, NAME_BOTH, true},
    {"f32[4] all-reduce-start(p), to_apply=add", NAME_REPLICAS, NAME_REPLICAS, NAME_BOTH, true},
    {"f32[4] all-gather(p), dimensions={0}", NAME_REPLICAS, NAME_REPLICAS, NAME_BOTH, true},
    {"f32[4] all-to-all(p), dimensions={0}", NAME_REPLICAS, NAME_PARTITIONS, NAME_NOTHING, false},
    {"f32[4] collective-broadcast(p)", NAME_REPLICAS, NAME_PARTITIONS, NAME_NOTHING, false},
    {"f32[4] collective-permute(p), source_target_pairs={{0,1}}", NAME_NOTHING, NAME_NOTHING,
        NAME_NOTHING, false},
    {"f32[4] negate(p)", NAME_NOTHING, NAME_NOTHING, NAME_NOTHING, false}};

static int64_t defined_count(DevicesNamed named, int64_t replicas, int64_t partitions) {
  return named == NAME_REPLICAS ? replicas : named == NAME_PARTITIONS ? partitions : 0;
}

static const char *attribute_number_text(Arena *arena, const char *name, int64_t value) {
  return value < 0 ? "" : arena_printf(arena, ", %s=%lld", name, (long long)value);
}

/* The instruction stands in a called computation, and once more in the entry. */
static const Module *devices_module(
    Arena *arena, const DevicesRow *row, const char *more, int64_t replicas, int64_t partitions) {
  const char *text = arena_printf(arena,
      "HloModule m%s%s\n"
      "add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }\n"
      "f { p = f32[4] parameter(0) x = %s%s ROOT r = f32[4] negate(p) }\n"
      "ENTRY e { p = f32[4] parameter(0) y = f32[4] call(p), to_apply=f x = %s%s\n"
      "  ROOT r = f32[4] negate(p) }",
      attribute_number_text(arena, "replica_count", replicas),
      attribute_number_text(arena, "num_partitions", partitions), row->instruction, more,
      row->instruction, more);
  Error error = {};
  const Module *module = module_of(arena, text, &error);
  if (module == nullptr) fail_msg("%s\n%s", text, error.message);
  return module;
}

static void check_devices(const Module *module, int64_t count) {
  for (uint32_t c = 0; c < module->computation_count; c++)
    for (uint32_t i = 0; i < module->computations[c]->instruction_count; i++) {
      const Instruction *instruction = module->computations[c]->instructions[i];
      const ReplicaGroups *all = instruction->all_devices;
      bool is_x = strcmp(instruction->name, "x") == 0;
      if ((all != nullptr) != (is_x && count > 1))
        fail_msg("%s of %lld", opcode_name(instruction->opcode), (long long)count);
      if (all == nullptr) continue;
      assert_int_equal(all->count, 1);
      assert_int_equal(all->groups[0].count, count);
      for (int64_t k = 0; k < count; k++) assert_true(all->groups[0].values[k] == k);
    }
}

static void no_groups_are_all_devices(void **) {
  static const int64_t counts[] = {-1, 1, 2, 5};
  static const struct {
    const char *text;
    bool is_empty;
  } groups[] = {{"", true}, {", replica_groups={}", true}, {", replica_groups={{0,1}}", false}};
  static const char *const channels[] = {
      "", ", channel_id=3", ", channel_id=3, use_global_device_ids=true"};
  uint32_t seen = 0;
  for (size_t i = 0; i < sizeof devices_rows / sizeof *devices_rows; i++)
    for (uint32_t k = 0; k < 4 * 4 * 3 * 3; k++) {
      const DevicesRow *row = &devices_rows[i];
      int64_t replicas = counts[k % 4], partitions = counts[k / 4 % 4];
      uint32_t channel = k / 16 % 3, group = k / 48;
      bool has_groups = row->alone != NAME_NOTHING;
      if ((channel == 2 && !row->has_global_ids) || (!has_groups && group > 0)) continue;
      bool is_gather = strstr(row->instruction, "all-gather") != nullptr;
      if (group == 2 && (replicas > 2 || partitions > 2 || channel == 2 || is_gather)) continue;
      Arena *arena = arena_create();
      DevicesNamed named = channel == 0 ? row->alone : channel == 1 ? row->channel : row->global;
      const Module *module = devices_module(arena, row,
          arena_printf(arena, "%s%s", groups[group].text, channels[channel]), replicas, partitions);
      int64_t count = groups[group].is_empty ? defined_count(named, replicas, partitions) : 0;
      check_devices(module, count);
      seen += count > 1;
      arena_destroy(arena);
    }
  assert_true(seen > 50);
}

/* How many ids there are, and what the instruction's channel and global ids make of them. */
static void ids_are_counted_by_their_mode(void **) {
  static const int64_t counts[] = {0, 1, 2, 3, INT64_MAX};
  for (uint32_t i = 0; i < 5 * 5; i++)
    for (uint32_t k = 0; k < 2 * 2 * 2; k++) {
      const Module module = {.replicas = counts[i % 5], .partitions = counts[i / 5]};
      bool has_channel = k % 2 == 1, global = k / 2 % 2 == 1, has_global_ids = k / 4 == 1;
      const Instruction collective = {
          .opcode = has_global_ids ? HLO_REDUCE_SCATTER : HLO_ALL_TO_ALL,
          .channel_id = has_channel ? 0 : -1,
          .use_global_device_ids = global};
      DeviceMode mode;
      bool is_mode = has_channel || !global;
      assert_int_equal(device_mode(&collective, &mode), is_mode);
      int64_t count = module.replicas;
      if (has_channel && !has_global_ids) count = module.partitions;
      if (has_channel && has_global_ids && global) {
        int64_t a = module.replicas < 1 ? 1 : module.replicas,
                b = module.partitions < 1 ? 1 : module.partitions;
        count = a > 3 && b > 1 ? 0 : b > 3 && a > 1 ? 0 : a * b;
      }
      int64_t wanted = is_mode && count > 1 ? count : 0;
      assert_true(device_id_count(&module, &collective) == wanted);
      if (!is_mode) continue;
      DeviceMode defined = DEVICE_REPLICAS;
      if (has_channel)
        defined = !has_global_ids ? DEVICE_PARTITIONS
                  : global        ? DEVICE_FLATTENED
                                  : DEVICE_REPLICAS_ALL_PARTITIONS;
      assert_int_equal(mode, defined);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_groups_are_all_devices), cmocka_unit_test(ids_are_counted_by_their_mode)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
