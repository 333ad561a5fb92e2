/* A built graph prints as text that parses to the same graph. A graph that the verifier rejects is
 * an error, and nothing is built. */
#include "core/hlo/build/build.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/hlo/print/print.h"
#include "core/hlo/read/read.h"

typedef struct BuildMade {
  Arena *arena;
  ModuleBuilder module;
  Computation *add, *at_least;
  Builder entry;
} BuildMade;

static void made_begin(BuildMade *made) {
  made->arena = arena_create();
  made->module = hlo_module_builder(made->arena);
  made->add = hlo_build_combiner(&made->module, "add", HLO_ADD, 1, (ElementType[]){TYPE_f32});
  Builder least = hlo_build_computation(&made->module, "at_least");
  const Shape *scalar = hlo_build_shape(&least, TYPE_f32, 0, nullptr);
  Instruction *sides[] = {hlo_build_parameter(&least, scalar), hlo_build_parameter(&least, scalar)};
  Instruction *compare = hlo_build_begin(&least, HLO_COMPARE, 2, sides);
  hlo_build_attribute(&least, compare, "direction", "GE");
  made->at_least = hlo_build_finish(&least, hlo_build_end(&least, compare, nullptr));
  made->entry = hlo_build_computation(&made->module, "e");
}

static Instruction *made_parameter(BuildMade *made, uint32_t rank, const int64_t *sizes) {
  return hlo_build_parameter(&made->entry, hlo_build_shape(&made->entry, TYPE_f32, rank, sizes));
}

/* Forgets the texts, so that the graph prints from its fields; a comparison's direction exists only
 * as text. */
static void forget_texts(const Module *module) {
  for (uint32_t i = 0; i < module->computation_count; i++)
    for (uint32_t j = 0; j < module->computations[i]->instruction_count; j++) {
      Instruction *instruction = module->computations[i]->instructions[j];
      if (instruction->opcode != HLO_COMPARE) instruction->attribute_count = 0;
      instruction->literal_text = nullptr;
    }
}

/* Each instruction has the fields that the reader gives to its text. */
static void same_fields(const Computation *built, const Computation *read) {
  assert_int_equal(built->instruction_count, read->instruction_count);
  assert_int_equal(built->parameter_count, read->parameter_count);
  for (uint32_t i = 0; i < built->instruction_count; i++) {
    const Instruction *a = built->instructions[i], *b = read->instructions[i];
    assert_true(a->opcode == b->opcode && a->id == b->id && a->is_root == b->is_root);
    assert_true(a->operand_count == b->operand_count && a->called_count == b->called_count);
    assert_true(a->channel_id == b->channel_id && a->batch_group_count == b->batch_group_count);
    assert_true(a->number == b->number && a->flag == b->flag);
    assert_true(a->parent == built && shape_equal(a->shape, b->shape));
    assert_string_equal(a->name, b->name);
  }
}

static void made_check(BuildMade *made, Instruction *root, const char *line) {
  const Module *module, *again;
  Error error = {};
  (void)hlo_build_finish(&made->entry, root);
  if (!hlo_build_module(&made->module, "built", &module, &error)) fail_msg("%s", error.message);
  Text text = text_create(made->arena);
  hlo_print(&text, module);
  if (strstr(text.bytes, line) == nullptr) fail_msg("no %s in\n%s", line, text.bytes);
  Source source = {.name = "built", .text = text.bytes, .length = text.length, .first_line = 1};
  if (!hlo_read(made->arena, &source, &again, &error))
    fail_msg("%s in\n%s", error.message, text.bytes);
  for (uint32_t i = 0; i < module->computation_count; i++)
    same_fields(module->computations[i], again->computations[i]);
  Text fields = text_create(made->arena);
  forget_texts(again);
  hlo_print(&fields, again);
  assert_string_equal(fields.bytes, text.bytes);
  arena_destroy(made->arena);
}

static void operations_of_windows_print_and_read_back(void **) {
  BuildMade made;
  made_begin(&made);
  Instruction *x = made_parameter(&made, 2, (int64_t[]){5, 3}),
              *zero = made_parameter(&made, 0, nullptr);
  Instruction *slice =
      hlo_build_slice(&made.entry, x, (int64_t[]){1, 0}, (int64_t[]){5, 3}, (int64_t[]){2, 1});
  Instruction *pad =
      hlo_build_pad(&made.entry, slice, zero, (PadDim[]){{.low = -1, .high = 2}, {.interior = 1}});
  WindowDim window = {
      .size = 2, .stride = 1, .pad_low = 1, .base_dilation = 1, .window_dilation = 2};
  Instruction *reduced = hlo_build_reduce_window(
      &made.entry, 1, (Instruction *[]){pad, zero}, (WindowDim[]){window, window}, made.add);
  assert_non_null(reduced);
  Instruction *scattered =
      hlo_build_select_and_scatter(&made.entry, (Instruction *[]){pad, reduced, zero},
          (WindowDim[]){window, window}, made.at_least, made.add);
  assert_non_null(scattered);
  Instruction *sum = hlo_build_reduce(
      &made.entry, 1, (Instruction *[]){scattered, zero}, 1, (int64_t[]){0}, made.add);
  Instruction *both = hlo_build_tuple(&made.entry, 2, (Instruction *[]){sum, slice});
  made_check(&made, hlo_build_element(&made.entry, both, 0),
      "%v0 = f32[2,3] slice(%p0), slice={[1:5:2], [0:3:1]}");
}

static void convolutions_print_and_read_back(void **) {
  BuildMade made;
  made_begin(&made);
  Instruction *x = made_parameter(&made, 3, (int64_t[]){1, 4, 7}),
              *kernel = made_parameter(&made, 3, (int64_t[]){6, 2, 3});
  ConvolutionNumbers numbers = {.input_feature = 1, .kernel_input_feature = 1, .output_feature = 1};
  numbers.input_spatial = numbers.kernel_spatial = numbers.output_spatial =
      hlo_build_ints(&made.entry, 1, (int64_t[]){2});
  WindowDim window = {
      .size = 3, .stride = 2, .base_dilation = 1, .window_dilation = 1, .reversal = true};
  made_check(&made,
      hlo_build_convolution(&made.entry, (Instruction *[]){x, kernel}, &window, &numbers, 2, 1),
      "f32[1,6,3] convolution(%p0, %p1), feature_group_count=2, window={size=3 stride=2 rhs_reversal=1}, dim_labels=bf0_oi0->bf0");
}

static void constants_have_their_values(void **) {
  BuildMade made;
  made_begin(&made);
  const Shape *shape = hlo_build_shape(&made.entry, TYPE_s32, 1, (int64_t[]){2});
  made_check(&made, hlo_build_constant(&made.entry, shape, (int64_t[]){INT32_MIN, 7}),
      "ROOT %c0 = s32[2] constant({-2147483648, 7})");
}

/* After the error every result is nullptr, and the module keeps the first error. */
static void an_illegal_operation_is_an_error(void **) {
  BuildMade made;
  made_begin(&made);
  Instruction *x = made_parameter(&made, 1, (int64_t[]){4});
  Instruction *slice =
      hlo_build_slice(&made.entry, x, (int64_t[]){0}, (int64_t[]){5}, (int64_t[]){1});
  assert_null(slice);
  assert_null(hlo_build_tuple(&made.entry, 1, &slice));
  assert_null(hlo_build_tuple(&made.entry, 1, &x));
  const Module *module;
  Error error = {};
  assert_false(hlo_build_module(&made.module, "built", &module, &error));
  assert_non_null(strstr(error.message, "slice"));
  arena_destroy(made.arena);
}

/* After an error each operation returns nullptr, with the operands and shapes that failed. */
static void nothing_is_built_after_an_error(void **) {
  BuildMade made;
  made_begin(&made);
  Builder *entry = &made.entry;
  const Shape *shape = hlo_build_shape(entry, TYPE_f32, 1, (int64_t[]){4});
  Instruction *x = made_parameter(&made, 1, (int64_t[]){4}), *none[3] = {};
  const int64_t numbers[] = {0};
  assert_null(hlo_build_finish(entry, nullptr));
  assert_int_equal(made.module.error.kind, ERROR_NONE);
  for (uint32_t turn = 0; turn < 2; turn++) {
    Instruction *mixed[] = {x, nullptr, x};
    assert_null(hlo_build_parameter(entry, turn == 0 ? nullptr : shape));
    assert_null(hlo_build_constant(entry, turn == 0 ? nullptr : shape, numbers));
    assert_null(hlo_build_elementwise(entry, HLO_NEGATE, 1, turn == 0 ? none : &x));
    assert_null(hlo_build_tuple(entry, 3, mixed));
    assert_null(hlo_build_element(entry, none[0], 0));
    assert_null(hlo_build_dimensions(entry, HLO_REVERSE, 1, none, 1, numbers, nullptr));
    assert_null(hlo_build_dimensions(entry, HLO_BROADCAST, 1, none, 0, nullptr, shape));
    assert_null(hlo_build_slice(entry, none[0], numbers, numbers, numbers));
    assert_null(hlo_build_pad(entry, x, none[0], nullptr));
    assert_null(hlo_build_reduce(entry, 1, mixed, 1, numbers, made.add));
    assert_null(hlo_build_reduce_window(entry, 1, mixed, nullptr, made.add));
    assert_null(hlo_build_select_and_scatter(entry, mixed, nullptr, made.at_least, made.add));
    assert_null(hlo_build_convolution(entry, mixed, nullptr, nullptr, 1, 1));
    assert_null(hlo_build_dot(entry, HLO_DOT, 2, mixed, nullptr));
    assert_null(hlo_build_dynamic_slice(entry, 2, mixed, numbers));
    assert_null(hlo_build_gather(entry, x, none[0], nullptr));
    assert_null(hlo_build_scatter(entry, 1, mixed, nullptr, made.add));
    assert_null(hlo_build_end(entry, nullptr, shape));
    hlo_build_call(entry, nullptr, "to_apply", made.add);
    hlo_build_attribute(entry, nullptr, "a", "b");
    if (turn == 0) assert_null(hlo_build_slice(entry, x, numbers, (int64_t[]){9}, (int64_t[]){1}));
    assert_int_equal(made.module.error.kind, ERROR_INPUT);
  }
  assert_null(hlo_build_shape(entry, TYPE_f32, 1, (int64_t[]){4}));
  assert_null(hlo_build_laid_shape(entry, TYPE_f32, 1, (int64_t[]){4}, (uint32_t[]){0}));
  assert_null(hlo_build_finish(entry, x));
  assert_null(hlo_built_computation(&made.module, "e"));
  assert_ptr_equal(hlo_built_computation(&made.module, "add"), made.add);
  assert_ptr_equal(hlo_built_computation(&made.module, "at_least"), made.at_least);
  arena_destroy(made.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(operations_of_windows_print_and_read_back),
      cmocka_unit_test(convolutions_print_and_read_back),
      cmocka_unit_test(constants_have_their_values),
      cmocka_unit_test(an_illegal_operation_is_an_error),
      cmocka_unit_test(nothing_is_built_after_an_error),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
