/* Constants that are printed from their values, against a printer of nested lists, and read back;
 * called computations of calls without attributes. */
#include "core/hlo/print/print.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "core/hlo/read/from_text.h"

static const Module *module_to_print(Arena *arena, const char *text) {
  Error error = {};
  const Module *module = module_of(arena, text, &error);
  if (module == nullptr) fail_msg("%s\n%s", text, error.message);
  return module;
}

/* The k-th value of a constant: both ends of the type, and small numbers. */
static const char *defined_value(Arena *arena, const char *type, uint32_t k) {
  static const char *const of_s8[] = {"-128", "127", "0"},
                           *const of_u64[] = {"0", "18446744073709551615", "7"},
                           *const of_s64[] = {"-9223372036854775808", "9223372036854775807", "-1"},
                           *const of_pred[] = {"true", "false", "true"};
  (void)arena;
  if (strcmp(type, "s8") == 0) return of_s8[k % 3];
  if (strcmp(type, "u64") == 0) return of_u64[k % 3];
  return strcmp(type, "s64") == 0 ? of_s64[k % 3] : of_pred[k % 3];
}

/* A list for each dimension, nested. */
static void defined_literal(Text *text, Arena *arena, const char *type, const int64_t *sizes,
    uint32_t rank, uint32_t *number) {
  if (rank == 0) {
    text_string(text, defined_value(arena, type, (*number)++));
    return;
  }
  text_string(text, "{");
  for (int64_t i = 0; i < sizes[0]; i++) {
    if (i > 0) text_string(text, ", ");
    defined_literal(text, arena, type, sizes + 1, rank - 1, number);
  }
  text_string(text, "}");
}

/* All sizes up to 3 of ranks up to 3, with empty arrays. The literal's own text is forgotten. */
static void values_print_as_nested_lists(void **) {
  static const char *const types[] = {"s8", "u64", "s64", "pred"};
  for (uint32_t i = 0; i < 4 * 4 * 4 * 4 * 4; i++) {
    Arena *arena = arena_create();
    int64_t sizes[3] = {i % 4, i / 4 % 4, i / 16 % 4};
    uint32_t rank = i / 64 % 4, number = 0;
    const char *type = types[i / 256];
    Text shape = text_create(arena), literal = text_create(arena), printed = text_create(arena);
    text_printf(&shape, "%s[", type);
    for (uint32_t k = 0; k < rank; k++)
      text_printf(&shape, "%s%lld", k > 0 ? "," : "", (long long)sizes[k]);
    text_string(&shape, "]");
    defined_literal(&literal, arena, type, sizes, rank, &number);
    const Module *module = module_to_print(arena,
        arena_printf(arena, "ENTRY e { ROOT c = %s constant(%s) }", shape.bytes, literal.bytes));
    module->entry->root->literal_text = nullptr;
    hlo_print_instruction(&printed, module->entry->root);
    assert_string_equal(printed.bytes,
        arena_printf(arena, "ROOT %%c = %s constant(%s)", shape.bytes, literal.bytes));
    arena_destroy(arena);
  }
}

/* A constant that has neither a text nor values, of each type. */
static void constants_without_values_are_zero_or_elided(void **) {
  for (uint32_t i = 0; i < TYPE_TUPLE; i++) {
    const char *type = element_type_name((ElementType)i);
    if (strcmp(type, "token") == 0 || strcmp(type, "opaque") == 0) continue;
    bool is_complex = type[0] == 'c', is_pred = strcmp(type, "pred") == 0;
    Arena *arena = arena_create();
    Error error = {};
    const char *zero = is_complex ? "(0, 0)" : is_pred ? "false" : "0";
    const char *text = arena_printf(arena,
        "ENTRY e { d = %s[2] constant({...}) ROOT c = %s[] constant(%s) }", type, type, zero);
    const Module *module = module_of(arena, text, &error);
    if (module != nullptr) {
      Instruction *array = module->entry->instructions[0], *scalar = module->entry->root;
      array->literal_text = scalar->literal_text = nullptr;
      array->literal.count = scalar->literal.count = 0;
      Text printed = text_create(arena);
      hlo_print_instruction(&printed, array);
      text_string(&printed, "\n");
      hlo_print_instruction(&printed, scalar);
      assert_string_equal(printed.bytes,
          arena_printf(arena, "%%d = %s[2] constant({...})\nROOT %%c = %s[] constant(%s)", type,
              type, zero));
    }
    arena_destroy(arena);
  }
}

/* The attributes are forgotten: what is called prints from the fields, and reads back. */
static void called_computations_print_from_their_fields(void **) {
  static const char *const rows[][2] = {
      {"custom-call(p), custom_call_target=\"t\", called_computations={%f}", "calls=%f"},
      {"custom-call(p), custom_call_target=\"t\", called_computations={%f, %g}",
          "called_computations={%f, %g}"},
      {"custom-call(p), custom_call_target=\"t\", called_computations={%g, %f, %g}",
          "called_computations={%g, %f, %g}"},
      {"fusion(p), kind=kLoop, calls=%f", "calls=%f"}, {"call(p), to_apply=%g", "to_apply=%g"},
      {"while(p), condition=%yes, body=%f", "condition=%yes, body=%f"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *arena = arena_create();
    const Module *module = module_to_print(
        arena, arena_printf(arena,
                   "f { a = f32[2] parameter(0) ROOT b = f32[2] negate(a) }\n"
                   "g { a = f32[2] parameter(0) ROOT b = f32[2] abs(a) }\n"
                   "yes { a = f32[2] parameter(0) ROOT b = pred[] constant(true) }\n"
                   "ENTRY e { p = f32[2] parameter(0) ROOT r = f32[2] %s }",
                   rows[i][0]));
    Instruction *root = module->entry->root;
    root->attribute_count = 0;
    Text printed = text_create(arena);
    hlo_print_instruction(&printed, root);
    assert_string_equal(printed.bytes, arena_printf(arena, "ROOT %%r = f32[2] %s(%%p), %s",
                                           opcode_name(root->opcode), rows[i][1]));
    arena_destroy(arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(values_print_as_nested_lists),
      cmocka_unit_test(constants_without_values_are_zero_or_elided),
      cmocka_unit_test(called_computations_print_from_their_fields)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
