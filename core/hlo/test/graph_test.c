/* Small functions of the graph: callers, searches, attributes that exist only as text, ends of
 * transfers, and marks that propagate from callees to their callers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "core/hlo/attribute.h"
#include "core/hlo/caller.h"
#include "core/hlo/namesakes.h"
#include "core/hlo/read/from_text.h"
#include "core/hlo/stateful.h"
#include "core/hlo/verify/verify.h"

static const Module *graph_of(Arena *arena, const char *text) {
  Error error = {};
  const Module *module = module_of(arena, text, &error);
  if (module == nullptr) fail_msg("%s: %s", text, error.message);
  return module;
}

static Instruction *instruction_of(const Module *module, const char *name) {
  for (uint32_t c = 0; c < module->computation_count; c++)
    for (uint32_t i = 0; i < module->computations[c]->instruction_count; i++)
      if (strcmp(module->computations[c]->instructions[i]->name, name) == 0)
        return module->computations[c]->instructions[i];
  fail_msg("%s", name);
  return nullptr;
}

/* The caller is a valid entry of a module with the called computation. */
static void a_caller_is_a_valid_computation(void **) {
  static const char *const texts[] = {
      "ENTRY e { p = f32[2] parameter(0) q = s32[] parameter(1) ROOT r = (f32[2], s32[]) tuple(p, q) }",
      "ENTRY e { ROOT r = f32[] constant(1) }",
      "ENTRY e { p = f32[2] parameter(0) ROOT r = f32[2] negate(p) }"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    for (uint32_t calls = 1; calls <= 2; calls++) {
      Arena *arena = arena_create();
      Computation *called = graph_of(arena, texts[i])->entry;
      Computation *caller = caller_create(arena, called);
      called->is_entry = false;
      Instruction *call = nullptr;
      for (uint32_t k = 0; k < calls; k++)
        call = caller_call(arena, caller, called, k == 0 ? "first" : "second");
      assert_ptr_equal(caller->root, call);
      assert_int_equal(caller->instruction_count, called->parameter_count + calls);
      assert_true(shape_equal(call->shape, called->root->shape));
      assert_string_equal(call->called_roles[0], "to_apply");
      for (uint32_t k = 0; k < caller->instruction_count; k++) {
        const Instruction *instruction = caller->instructions[k];
        assert_true(instruction->id == k && instruction->parent == caller);
        assert_true(instruction->channel_id == -1 && instruction->batch_group_count == 1);
      }
      for (uint32_t k = 0; k < called->parameter_count; k++) {
        assert_int_equal(caller->parameters[k]->number, k);
        assert_ptr_equal(call->operands[k], caller->parameters[k]);
        assert_string_equal(caller->parameters[k]->name, called->parameters[k]->name);
      }
      call->is_root = true;
      Computation *computations[] = {called, caller};
      Module module = {
          .name = "m", .computation_count = 2, .computations = computations, .entry = caller};
      Error error = {};
      if (!hlo_verify(arena, &module, &error)) fail_msg("%s", error.message);
      arena_destroy(arena);
    }
}

static bool is_add(const Instruction *instruction) { return instruction->opcode == HLO_ADD; }
static bool is_infeed(const Instruction *instruction) { return instruction->opcode == HLO_INFEED; }

static void the_first_of_a_module_is_found(void **) {
  Arena *arena = arena_create();
  const Module *module = graph_of(arena,
      "f { x = f32[] parameter(0) y = f32[] add(x, x) ROOT z = f32[] add(y, y) } "
      "ENTRY e { p = f32[] parameter(0) q = f32[] add(p, p) ROOT r = f32[] call(q), to_apply=f }");
  assert_string_equal(module_find(module, is_add)->name, "y");
  assert_null(module_find(module, is_infeed));
  arena_destroy(arena);
}

static void attributes_are_numbers_or_words(void **) {
  static const struct {
    const char *text;
    int64_t number; /* -1: none */
  } rows[] = {{"0", 0}, {"7", 7}, {"007", 7}, {"9223372036854775807", INT64_MAX},
      {"9223372036854775808", -1}, {"92233720368547758070", -1}, {"-1", -1}, {"1x", -1}, {"x", -1},
      {"", -1}, {"1 ", -1}, {":", -1}, {"/", -1}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Attribute attributes[] = {{.name = "a", .text = "3"}, {.name = "k", .text = rows[i].text}};
    Instruction instruction = {.attribute_count = 2, .attributes = attributes};
    int64_t value = -7;
    assert_int_equal(attribute_number(&instruction, "k", &value), rows[i].number >= 0);
    if (rows[i].number >= 0) assert_true(value == rows[i].number);
    assert_false(attribute_number(&instruction, "z", &value));
    assert_true(attribute_is(&instruction, "k", rows[i].text));
    assert_false(attribute_is(&instruction, "k", "other"));
    assert_false(attribute_is(&instruction, "z", rows[i].text));
  }
}

/* A channel names the other end of a transfer, and of a call with a side effect alone. */
static void ends_of_transfers_have_names(void **) {
  static const struct {
    const char *instruction;
    bool is_exchange, is_stateful;
  } rows[] = {
      {"x = (f32[2], u32[], token[]) send(p, t), channel_id=1", true, false},
      {"x = (f32[2], u32[], token[]) recv(t), channel_id=1", true, true},
      {"x = f32[2] custom-call(p), custom_call_target=\"f\"", false, false},
      {"x = f32[2] custom-call(p), custom_call_target=\"f\", custom_call_has_side_effect=true",
          true, true},
      {"x = f32[2] custom-call(p), custom_call_target=\"f\", custom_call_has_side_effect=false",
          false, false},
      {"x = f32[2] all-reduce(p), to_apply=add, channel_id=1", false, false},
      {"x = ((f32[2]), token[]) infeed(t)", true, true},
      {"x = f32[2] rng(l, l), distribution=rng_uniform", false, true},
      {"x = f32[2] negate(p)", false, false},
      {"x = f32[2] collective-permute(p), source_target_pairs={{0,1}}", false, false},
      {"x = f32[2] collective-permute(p), source_target_pairs={{0,1}}, frontend_attributes={a=\"b\"}",
          false, false},
      {"x = f32[2] collective-permute(p), source_target_pairs={{0,1}}, frontend_attributes={_xla_send_recv_validation=\"{{0,3}}\"}",
          false, false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *arena = arena_create();
    const Module *module = graph_of(arena,
        arena_printf(arena,
            "add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }\n"
            "ENTRY e { p = f32[2] parameter(0) t = token[] after-all() l = f32[] constant(1)\n%s }",
            rows[i].instruction));
    const Instruction *instruction = instruction_of(module, "x");
    bool is_transfer = opcode_group(instruction->opcode) == GROUP_transfer;
    bool is_exchange = rows[i].is_exchange;
    if (!is_transfer && instruction->opcode != HLO_CUSTOM_CALL) is_exchange = false;
    assert_int_equal(attribute_names_end(instruction, "channel_id"), is_exchange);
    bool is_of_devices = is_transfer || instruction->opcode == HLO_CUSTOM_CALL;
    bool has_iterations = strstr(rows[i].instruction, "_xla_send_recv_validation") != nullptr;
    assert_int_equal(
        attribute_names_end(instruction, "frontend_attributes"), is_of_devices || has_iterations);
    assert_int_equal(attribute_names_end(instruction, "sharding"), is_of_devices);
    assert_false(attribute_names_end(instruction, "operand_layout_constraints"));
    assert_int_equal(instruction_is_stateful(instruction), rows[i].is_stateful);
    assert_ptr_equal(
        instruction_stateful(instruction), rows[i].is_stateful ? instruction : nullptr);
    arena_destroy(arena);
  }
}

static void names_of_copies_are_cut(void **) {
  static const struct {
    const char *name;
    int length;
  } rows[] = {{"a", 1}, {"a.1", 3}, {"a.clone", 1}, {"a.clone.2", 1}, {"a.sunk", 1},
      {"a.sunk.3.clone", 1}, {"a.1.clone", 3}, {"a..clone", 1}, {"a.", 1}, {"a..", 1}, {"clone", 5},
      {"a.clon", 6}, {"a.sun", 5}, {".clone", 0}, {"...", 0}, {"a.b.c.sunk.d", 12},
      {"a.clone.1.x", 11}, {"a.clone.remat2", 14}, {"a.clone.2.remat.clone", 1}, {"a.clones", 8},
      {"a.sunkcost.clone", 10}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    assert_int_equal(original_length(rows[i].name), rows[i].length);
}

static void elided_values_are_seen(void **) {
  static const struct {
    const char *instruction;
    bool is_elided;
  } rows[] = {{"x = f32[2] constant({...})", true}, {"x = f32[2] constant({1, 2})", false},
      {"x = f32[2] custom-call(), custom_call_target=\"c\", literal=f32[2] {...}", true},
      {"x = f32[2] custom-call(), custom_call_target=\"c\", literal=f32[2] {1,2}", false},
      {"x = f32[2] custom-call(), custom_call_target=\"c...\"", false},
      {"x = f32[2] iota(), iota_dimension=0", false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *arena = arena_create();
    const Module *module =
        graph_of(arena, arena_printf(arena, "ENTRY e { %s }", rows[i].instruction));
    assert_int_equal(instruction_is_elided(instruction_of(module, "x")), rows[i].is_elided);
    arena_destroy(arena);
  }
}

/* A size that is not known anywhere in a callee marks the call. */
static void unknown_sizes_mark_their_callers(void **) {
  Arena *arena = arena_create();
  const Module *module = graph_of(arena,
      "f { x = f32[2] parameter(0) y = f32[?] custom-call(x), custom_call_target=\"f\" "
      "ROOT z = f32[2] negate(x) } "
      "g { x = f32[2] parameter(0) ROOT z = f32[2] call(x), to_apply=f } "
      "h { x = f32[2] parameter(0) ROOT z = f32[2] negate(x) } "
      "ENTRY e { p = f32[2] parameter(0) a = f32[2] call(p), to_apply=g "
      "b = f32[2] call(p), to_apply=h u = f32[?] parameter(1) c = f32[2] custom-call(u), "
      "custom_call_target=\"f\" ROOT r = (f32[2], f32[2]) tuple(a, b) }");
  assert_string_equal(instruction_unbounded(instruction_of(module, "a"))->name, "y");
  assert_null(instruction_unbounded(instruction_of(module, "b")));
  assert_string_equal(instruction_unbounded(instruction_of(module, "c"))->name, "u");
  assert_string_equal(instruction_unbounded(instruction_of(module, "u"))->name, "u");
  arena_destroy(arena);
}

/* A nested operand is named by its offset. A name that is taken gets a number, and no two names of
 * a computation are the same. */
static void implied_names_are_unique(void **) {
  uint32_t taken = 0;
  for (uint32_t offset = 30; offset < 99; offset++)
    for (uint32_t times = 1; times <= 2; times++) {
      Arena *arena = arena_create();
      const char *more =
          times == 1 ? "" : arena_printf(arena, " nested.%u.1 = f32[4] parameter(1)", offset);
      const char *before = arena_printf(
          arena, "ENTRY e { nested.%u = f32[4] parameter(0)%s ROOT r = f32[4] add(", offset, more);
      taken += strlen(before) == offset;
      const Module *module =
          graph_of(arena, arena_printf(arena, "%sf32[4] negate(nested.%u), abs(nested.%u)) }",
                              before, offset, offset));
      const Computation *entry = module->entry;
      assert_int_equal(entry->instruction_count, 3 + times);
      for (uint32_t i = 0; i < entry->instruction_count; i++) {
        assert_int_equal(entry->instructions[i]->id, i);
        for (uint32_t k = 0; k < i; k++)
          assert_string_not_equal(entry->instructions[i]->name, entry->instructions[k]->name);
      }
      arena_destroy(arena);
    }
  assert_true(taken == 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_caller_is_a_valid_computation),
      cmocka_unit_test(the_first_of_a_module_is_found),
      cmocka_unit_test(attributes_are_numbers_or_words),
      cmocka_unit_test(ends_of_transfers_have_names),
      cmocka_unit_test(names_of_copies_are_cut),
      cmocka_unit_test(elided_values_are_seen),
      cmocka_unit_test(unknown_sizes_mark_their_callers),
      cmocka_unit_test(implied_names_are_unique),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
