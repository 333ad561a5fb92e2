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

/* Each row has the attributes that have fields, in the order in which they print; those without
 * fields are left out of what is printed. */
static void fields_print_as_they_were_written(void **) {
  static const char *const rows[] = {"f32[4,4] transpose(%p), dimensions={1,0}",
      "f32[4,4] reverse(%p), dimensions={}", "f32[4] reduce(%p, %z), to_apply=%add, dimensions={1}",
      "f32[4,2,4] broadcast(%p), dimensions={0,2}", "f32[8,4] concatenate(%p, %p), dimensions={0}",
      "f32[4,4] iota(), iota_dimension=1", "f32[4,4] get-tuple-element(%t), index=1",
      "(f32[4,2], s32[4,2]) topk(%p), k=2", "(f32[4,2], s32[4,2]) topk(%p), k=2, largest=false",
      "f32[4,4] cholesky(%p), lower=true", "f32[4,4] cholesky(%p)",
      "f32[4,4] sort(%p), to_apply=%less, dimensions={0}, is_stable=true",
      "f32[2,3] slice(%p), slice={[0:4:2], [1:4:1]}",
      "f32[1,2] dynamic-slice(%p, %i, %i), dynamic_slice_sizes={1,2}",
      "f32[9,3] pad(%p, %z), padding=1_1_1x-1_0", "f32[4,4] pad(%p, %z), padding=0_0x1_-1",
      "f32[2,4] reduce-window(%p, %z), to_apply=%add, window={size=2x1 stride=2x1}",
      "f32[5,3] reduce-window(%p, %z), to_apply=%add, window={size=2x3 pad=1_1x1_0}",
      "f32[6,2] reduce-window(%p, %z), to_apply=%add, window={size=2x2 lhs_dilate=2x1 rhs_dilate=1x2}",
      "f32[1,6,3] convolution(%x, %k), feature_group_count=2, window={size=3 stride=2 rhs_reversal=1}, "
      "dim_labels=bf0_oi0->bf0",
      "f32[3,2,2] convolution(%y, %v), batch_group_count=2, window={size=3}, dim_labels=fb0_io0->0bf",
      "f32[4,4] dot(%p, %p), lhs_contracting_dims={0}, rhs_contracting_dims={1}",
      "f32[4] dot(%p, %p), lhs_batch_dims={1}, lhs_contracting_dims={0}, rhs_batch_dims={0}, "
      "rhs_contracting_dims={1}",
      "f32[5,2] gather(%p, %j), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, "
      "index_vector_dim=1, slice_sizes={1,2}",
      "f32[4,5] gather(%p, %b), offset_dims={}, collapsed_slice_dims={1}, start_index_map={1}, "
      "operand_batching_dims={0}, start_indices_batching_dims={0}, index_vector_dim=2, "
      "slice_sizes={1,1}",
      "f32[4,4] scatter(%p, %j, %u), to_apply=%add, update_window_dims={1}, inserted_window_dims={0}, "
      "scatter_dims_to_operand_dims={0}, index_vector_dim=1",
      "f32[4,4] scatter(%p, %b, %w), to_apply=%add, update_window_dims={}, inserted_window_dims={1}, "
      "scatter_dims_to_operand_dims={1}, input_batching_dims={0}, scatter_indices_batching_dims={0}, "
      "index_vector_dim=2",
      "f32[4,4] all-reduce(%p), to_apply=%add, replica_groups={{0,1},{2,3}}, channel_id=5, "
      "use_global_device_ids=true",
      "f32[4,4] all-reduce(%p), to_apply=%add, replica_groups={}",
      "f32[4,4] collective-permute(%p), source_target_pairs={{0,1},{1,0}}, channel_id=0",
      "f32[4,4] collective-permute(%p), source_target_pairs={}"};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *arena = arena_create();
    const Module *module = module_to_print(arena,
        arena_printf(arena,
            "add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }\n"
            "less { a = f32[] parameter(0) b = f32[] parameter(1) "
            "ROOT c = pred[] compare(a, b), direction=LT }\n"
            "ENTRY e { p = f32[4,4] parameter(0) z = f32[] parameter(1) i = s32[] parameter(2) "
            "j = s32[5,1] parameter(3) b = s32[4,5,1] parameter(4) u = f32[5,2] parameter(5) "
            "w = f32[4,5] parameter(6) x = f32[1,4,7] parameter(7) k = f32[6,2,3] parameter(8) "
            "y = f32[3,4,5] parameter(9) v = f32[3,2,3] parameter(10) "
            "t = (f32[4], f32[4,4]) parameter(11)\nROOT %%r = %s }",
            rows[i]));
    module->entry->root->attribute_count = 0;
    Text printed = text_create(arena);
    hlo_print_instruction(&printed, module->entry->root);
    assert_string_equal(printed.bytes, arena_printf(arena, "ROOT %%r = %s", rows[i]));
    arena_destroy(arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(values_print_as_nested_lists),
      cmocka_unit_test(constants_without_values_are_zero_or_elided),
      cmocka_unit_test(called_computations_print_from_their_fields),
      cmocka_unit_test(fields_print_as_they_were_written)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
