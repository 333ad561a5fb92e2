/* Attributes of a module's header are found by their names, however the header is written, and two
 * modules for other numbers of devices are never the same. */
#include "core/hlo/header.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/text.h"
#include "core/hlo/read/read.h"
#include "judge/graphs/device_counts.h"

static const Module *header_module(Arena *arena, const char *header, const char *root) {
  const char *text = arena_printf(arena, "HloModule m%s\n\nENTRY e {\n%s\n}\n", header, root);
  Source *source = ARENA_NEW(arena, Source, 1);
  *source = (Source){.name = "header", .text = text, .length = strlen(text), .first_line = 1};
  const Module *module;
  Error error = {};
  if (!hlo_read(arena, source, &module, &error)) fail_msg("%s\n%s", text, error.message);
  return module;
}

static uint64_t header_random(uint64_t *state, uint64_t below) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (*state >> 33) % below;
}

static const char *random_blanks(uint64_t *random) {
  static const char *const blanks[] = {
      "", "", " ", "\n", "\t", " \t\n ", "/*c*/", " /* num=9, */ ", "\n// replica_count=7,\n"};
  return blanks[header_random(random, sizeof blanks / sizeof *blanks)];
}

/* Up to five of these attributes in any order. The values contain what looks like others. */
static void each_attribute_has_its_own_value(void **) {
  static const char *const names[] = {"num_partitions", "replica_count", "is_scheduled", "num",
      "partitions", "frontend_attributes"};
  static const char *const values[] = {"4", "true", "{a={b=1,num=2},c=\"num=3, replica_count=5\"}",
      "\"is_scheduled=true, num=6\"", "{ {}: (0, {}, must-alias) }", "is_scheduled"};
  static constexpr uint32_t name_count = sizeof names / sizeof *names;
  uint64_t random = 5;
  for (uint32_t round = 0; round < 2000; round++) {
    Arena *arena = arena_create();
    Text text = text_create(arena);
    const char *value_of[name_count] = {};
    for (uint32_t count = (uint32_t)header_random(&random, 6); count > 0; count--) {
      uint32_t name = (uint32_t)header_random(&random, name_count);
      if (value_of[name] != nullptr) continue;
      value_of[name] = values[header_random(&random, sizeof values / sizeof *values)];
      const char *blanks[4];
      for (uint32_t i = 0; i < 4; i++) blanks[i] = random_blanks(&random);
      text_printf(&text, "%s,%s%s%s=%s%s", blanks[0], blanks[1], names[name], blanks[2], blanks[3],
          value_of[name]);
    }
    const Module *module =
        header_module(arena, text.length == 0 ? "" : text.bytes, "ROOT p = f32[] parameter(0)");
    for (uint32_t name = 0; name < name_count; name++) {
      Slice value;
      bool is_stated = header_value(module, names[name], &value);
      assert_int_equal(is_stated, value_of[name] != nullptr);
      if (is_stated && !slice_is(value, value_of[name]))
        fail_msg("%s: %s is not %.*s", text.bytes, names[name], (int)value.length, value.text);
    }
    Slice none;
    assert_false(header_value(module, "", &none) || header_value(module, "num_", &none));
    arena_destroy(arena);
  }
}

/* Only an operation that depends on devices tells such modules apart, in either of them. */
static void other_numbers_of_devices_are_told_apart(void **) {
  static const struct {
    const char *header;
    uint32_t replicas, partitions;
  } rows[] = {{"", 1, 1}, {", is_scheduled=true", 1, 1}, {", replica_count=1", 1, 1},
      {", num_partitions = 1, replica_count=1", 1, 1}, {", replica_count=2", 2, 1},
      {", is_scheduled=true,\n\treplica_count=2", 2, 1}, {", replica_count =4", 4, 1},
      {", replica_count/**/=/**/4", 4, 1}, {", num_partitions=2", 1, 2},
      {", is_scheduled=true, /**/num_partitions=2", 1, 2}, {", num_partitions = 24", 1, 24},
      {", replica_count=2, num_partitions=2", 2, 2}, {",num_partitions=2,replica_count=2", 2, 2},
      {", frontend_attributes={replica_count=2}", 1, 1}};
  static const char *const roots[] = {"ROOT p = u32[] parameter(0)",
      "ROOT p = u32[] partition-id()", "ROOT p = u32[] replica-id()"};
  static constexpr uint32_t count = sizeof rows / sizeof *rows;
  Arena *arena = arena_create();
  for (uint32_t code = 0; code < count * count * 9; code++) {
    uint32_t a = code % count, b = code / count % count,
             root[2] = {code / count / count % 3, code / count / count / 3};
    const Module *before = header_module(arena, rows[a].header, roots[root[0]]),
                 *after = header_module(arena, rows[b].header, roots[root[1]]);
    bool is_equal =
        rows[a].replicas == rows[b].replicas && rows[a].partitions == rows[b].partitions;
    const Instruction *found = instruction_over_devices(before, after),
                      *wanted = is_equal       ? nullptr
                                : root[0] != 0 ? before->entry->root
                                : root[1] != 0 ? after->entry->root
                                               : nullptr;
    if (found != wanted)
      fail_msg("'%s' and '%s', roots %u and %u", rows[a].header, rows[b].header, root[0], root[1]);
  }
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_attribute_has_its_own_value),
      cmocka_unit_test(other_numbers_of_devices_are_told_apart),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
