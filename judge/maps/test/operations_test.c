/* Sets of opcodes against arrays of flags, the opcodes of an instruction and of a text against
 * definitions, and the order of counterexamples by their sizes. */
#include "judge/maps/operations.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/text.h"
#include "core/hlo/read/read.h"

static uint64_t state_of_opcodes = 31;

static uint32_t opcode_below(uint32_t end) {
  state_of_opcodes =
      state_of_opcodes * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state_of_opcodes >> 33) % end;
}

typedef struct OpcodeFlags {
  bool has[opcode_count];
} OpcodeFlags;

static void draw_opcodes(OpcodeSet *set, OpcodeFlags *flags) {
  *set = (OpcodeSet){};
  *flags = (OpcodeFlags){};
  uint32_t most = opcode_below(3) == 0 ? 3 : opcode_count;
  for (uint32_t i = opcode_below(most + 1); i > 0; i--) {
    Opcode opcode = (Opcode)opcode_below(opcode_count);
    opcode_set_add(set, opcode);
    flags->has[opcode] = true;
  }
}

static void check_opcodes(const OpcodeSet *set, const OpcodeFlags *flags) {
  for (uint32_t i = 0; i < opcode_count; i++)
    assert_int_equal(opcode_set_has(set, (Opcode)i), flags->has[i]);
}

static void sets_have_the_opcodes_of_their_flags(void **) {
  for (uint32_t round = 0; round < 500; round++) {
    OpcodeSet a, b, both, either;
    OpcodeFlags x, y, in_both = {}, in_either = {};
    draw_opcodes(&a, &x);
    draw_opcodes(&b, &y);
    if (opcode_below(4) == 0) b = a, y = x;
    both = either = a;
    opcode_set_intersect(&both, &b);
    opcode_set_unite(&either, &b);
    bool is_empty = true, is_same = true, contains = true;
    for (uint32_t i = 0; i < opcode_count; i++) {
      in_both.has[i] = x.has[i] && y.has[i];
      in_either.has[i] = x.has[i] || y.has[i];
      is_empty &= !x.has[i];
      is_same &= x.has[i] == y.has[i];
      contains &= x.has[i] || !y.has[i];
    }
    check_opcodes(&a, &x);
    check_opcodes(&both, &in_both);
    check_opcodes(&either, &in_either);
    assert_int_equal(opcode_set_is_empty(&a), is_empty);
    assert_int_equal(opcode_set_is_same(&a, &b), is_same);
    assert_int_equal(opcode_set_contains(&a, &b), contains);
  }
}

static void lists_name_opcodes(void **) {
  static const char frames[] = "parameter,constant,tuple,get-tuple-element,fusion,call,copy";
  for (uint32_t i = 0; i < opcode_count; i++) {
    char list[200];
    OpcodeSet set, own = {}, expected = {};
    opcode_set_add(&own, (Opcode)i);
    assert_true(opcode_set_add_list(&expected, frames));
    assert_true(opcode_set_of_option(&set, opcode_name((Opcode)i)));
    opcode_set_unite(&expected, &own);
    assert_true(opcode_set_is_same(&set, &expected));
    snprintf(list, sizeof list, "add,%s", opcode_name((Opcode)i));
    set = (OpcodeSet){};
    assert_true(opcode_set_add_list(&set, list));
    opcode_set_add(&own, HLO_ADD);
    assert_true(opcode_set_is_same(&set, &own));
    snprintf(list, sizeof list, "%s,", opcode_name((Opcode)i));
    assert_false(opcode_set_of_option(&set, list));
    snprintf(list, sizeof list, "%sx", opcode_name((Opcode)i));
    assert_false(opcode_set_of_option(&set, list));
  }
}

/* A name counts if nothing of a name is before it and a parenthesis is directly after it. */
static void texts_name_opcodes_before_parentheses(void **) {
  static const char *const parts[] = {
      "add(", "pad", "(", " ", "xadd(", "%add(", "reduce-window(", "-window(", "dot(", "=", "add"};
  for (uint32_t round = 0; round < 2000; round++) {
    char text[200] = "";
    for (uint32_t i = 1 + opcode_below(6); i > 0; i--)
      strcat(text, parts[opcode_below(sizeof parts / sizeof *parts)]);
    size_t length = strlen(text);
    OpcodeSet set = {};
    OpcodeFlags flags = {};
    opcode_set_add_text(&set, text, length);
    for (uint32_t i = 0; i < opcode_count; i++) {
      const char *name = opcode_name((Opcode)i);
      size_t size = strlen(name);
      for (size_t at = 0; at + size < length; at++) {
        bool begins = at == 0 || text[at - 1] == ' ' || text[at - 1] == '(' || text[at - 1] == '=';
        flags.has[i] |= begins && strncmp(text + at, name, size) == 0 && text[at + size] == '(';
      }
    }
    for (uint32_t i = 0; i < opcode_count; i++)
      if (opcode_set_has(&set, (Opcode)i) != flags.has[i])
        fail_msg("%s: %s", text, opcode_name((Opcode)i));
  }
}

static const Module *operations_module(Arena *arena, const char *text) {
  Source *source = ARENA_NEW(arena, Source, 1);
  *source = (Source){.name = "m", .text = text, .length = strlen(text), .first_line = 1};
  const Module *module;
  Error error = {};
  if (!hlo_read(arena, source, &module, &error)) fail_msg("%s\n%s", text, error.message);
  return module;
}

/* Chains of calls; each body has one operation of its own. Six calls are followed. */
static void instructions_have_the_opcodes_of_what_they_call(void **) {
  static const char *const names[] = {
      "negate", "abs", "sine", "cosine", "floor", "ceil", "sqrt", "tanh", "log"};
  static constexpr uint32_t count = sizeof names / sizeof *names, most_followed = 6;
  Arena *arena = arena_create();
  Text text = text_create(arena);
  text_string(&text, "HloModule m\n");
  for (uint32_t i = 0; i < count; i++) {
    text_printf(&text, "%sb%u {\nx = f32[2] parameter(0)\ny = f32[2] %s(x)\n",
        i + 1 == count ? "ENTRY " : "", i, names[i]);
    if (i == 0) text_string(&text, "ROOT r = f32[2] copy(y)\n}\n");
    else text_printf(&text, "ROOT r = f32[2] call(y), to_apply=b%u\n}\n", i - 1);
  }
  const Module *module = operations_module(arena, text.bytes);
  for (uint32_t i = 0; i < count; i++) {
    OpcodeSet set = {}, expected = {};
    opcode_set_add_instruction(&set, module->computations[i]->root);
    assert_true(opcode_set_add_list(&expected, i == 0 ? "copy" : "call,parameter"));
    if (i > 0 && i <= most_followed) assert_true(opcode_set_add_list(&expected, "copy"));
    for (uint32_t k = 0; k < i; k++)
      if (i - k <= most_followed) assert_true(opcode_set_add_list(&expected, names[k]));
    assert_true(opcode_set_is_same(&set, &expected));
  }
  arena_destroy(arena);
}

/* First by the elements of the output and the operands, then by the length of the text up to 2^20
 * bytes. */
static void counterexamples_are_ordered_by_elements_then_bytes(void **) {
  static const struct {
    const char *lines;
    uint64_t elements;
  } instructions[] = {
      {"p = f32[3,4] parameter(0)\nROOT r = f32[3,4] negate(p)", 24},
      {"p = f32[3,4] parameter(0)\nROOT r = f32[3,4] add(p, p)", 36},
      {"p = f32[] parameter(0)\nROOT r = f32[0,7] broadcast(p), dimensions={}", 1},
      {"p = (f32[2], s32[5], token[]) parameter(0)\nROOT r = s32[5] get-tuple-element(p), index=1",
          13},
      {"ROOT r = f32[6] parameter(0)", 6},
  };
  static const size_t lengths[] = {0, 1, 77, (1 << 20) - 2, (1 << 20) - 1, 1 << 20, 1 << 25};
  static constexpr uint64_t unit = UINT64_C(1) << 20;
  Arena *arena = arena_create();
  for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++) {
    const Module *module = operations_module(
        arena, arena_printf(arena, "HloModule m\nENTRY e {\n%s\n}\n", instructions[i].lines));
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
      uint64_t bytes = lengths[k] < unit ? lengths[k] : unit - 1;
      assert_true(counterexample_size(module->entry->root, lengths[k]) ==
                  instructions[i].elements * unit + bytes);
      assert_true(counterexample_text_size(lengths[k]) == lengths[k] * unit + bytes);
    }
  }
  const Module *module =
      operations_module(arena, "HloModule m\nENTRY e {\np = f32[4194304,4194304] parameter(0)\n"
                               "ROOT r = f32[4194304,4194304] negate(p)\n}\n");
  assert_true(counterexample_size(module->entry->root, 5) == UINT64_MAX);
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sets_have_the_opcodes_of_their_flags),
      cmocka_unit_test(lists_name_opcodes),
      cmocka_unit_test(texts_name_opcodes_before_parentheses),
      cmocka_unit_test(instructions_have_the_opcodes_of_what_they_call),
      cmocka_unit_test(counterexamples_are_ordered_by_elements_then_bytes),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
