/* Two graphs are the same only if all fields are: each field of each instruction of a graph that
 * has every kind is changed alone, and found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "core/hlo/compare.h"
#include "core/hlo/read/from_text.h"

static const char graph[] =
    "HloModule m, is_scheduled=true\n"
    "add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }\n"
    "less { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = pred[] compare(a, b), direction=LT }\n"
    "ENTRY e { p = f32[4,4] parameter(0) q = f32[4,4]{0,1:T(2)} parameter(1) z = f32[] parameter(2)\n"
    "k = s32[2] constant({1, 2}) i = s32[5,1] parameter(3) x = s32[] parameter(4)\n"
    "n = f32[5,5] pad(p, z), padding=1_0x0_1_0\n"
    "s = f32[2,4] slice(p), slice={[0:4:2], [0:4]}\n"
    "w = f32[3,4] reduce-window(p, z), window={size=2x1 stride=1x1}, to_apply=add\n"
    "d = f32[4] dot(p, q), lhs_batch_dims={0}, rhs_batch_dims={1}, lhs_contracting_dims={1}, "
    "rhs_contracting_dims={0}\n"
    "g = f32[5,2] gather(p, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, "
    "index_vector_dim=1, slice_sizes={1,2}\n"
    "u = f32[4,4] scatter(p, i, g), update_window_dims={1}, inserted_window_dims={0}, "
    "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add\n"
    "v = f32[4,4] convolution(p, q), dim_labels=bf_io->bf\n"
    "r = f32[4,4] all-reduce(p), replica_groups={{0,1},{2,3}}, channel_id=3, "
    "use_global_device_ids=true, to_apply=add\n"
    "c = f32[4,4] collective-permute(p), source_target_pairs={{0,1},{1,0}}\n"
    "t = f32[4,4] sort(p), dimensions={0}, is_stable=true, to_apply=less\n"
    "y = f32[1,4] dynamic-slice(p, x, x), dynamic_slice_sizes={1,4}\n"
    "b = f32[4,4] reverse(q), dimensions={0,1} ROOT o = (f32[4,4], f32[4]) tuple(b, d) }\n";

typedef struct CompareFixture {
  Arena *arena;
  const Module *one, *other;
  const char *where;
  uint32_t fields;
} CompareFixture;

static void check_found(CompareFixture *graphs, const char *field) {
  Error there = {}, back = {};
  graphs->fields++;
  if (hlo_same_graph(graphs->one, graphs->other, &there) ||
      hlo_same_graph(graphs->other, graphs->one, &back))
    fail_msg("%s of %s", field, graphs->where);
  assert_int_equal(there.kind, ERROR_INPUT);
  assert_non_null(strstr(there.message, graphs->where));
}

/* Changes the field, checks, and restores it. */
#define CHECK_FIELD(graphs, field, value) \
  do { \
    typeof(field) kept_value = field; \
    field = value; \
    check_found(graphs, #field); \
    field = kept_value; \
  } while (0)

static void check_ints(CompareFixture *graphs, Ints *ints, const char *field) {
  for (uint32_t i = 0; i < ints->count; i++) {
    ints->values[i]++;
    check_found(graphs, field);
    ints->values[i]--;
  }
  Ints kept = *ints, more = {kept.count + 1, ARENA_NEW(graphs->arena, int64_t, kept.count + 1)};
  if (kept.count > 0) memcpy(more.values, kept.values, kept.count * sizeof *kept.values);
  *ints = more;
  check_found(graphs, field);
  *ints = kept;
}

static void check_windows(CompareFixture *graphs, Instruction *at) {
  for (uint32_t i = 0; at->padding != nullptr && i < at->shape->rank; i++) {
    CHECK_FIELD(graphs, at->padding[i].low, kept_value + 1);
    CHECK_FIELD(graphs, at->padding[i].high, kept_value + 1);
    CHECK_FIELD(graphs, at->padding[i].interior, kept_value + 1);
  }
  CHECK_FIELD(
      graphs, at->padding, kept_value != nullptr ? nullptr : ARENA_NEW(graphs->arena, PadDim, 8));
  for (uint32_t i = 0; at->window != nullptr && i < at->window->rank; i++) {
    WindowDim *dim = &at->window->dims[i];
    CHECK_FIELD(graphs, dim->size, kept_value + 1);
    CHECK_FIELD(graphs, dim->stride, kept_value + 1);
    CHECK_FIELD(graphs, dim->pad_low, kept_value + 1);
    CHECK_FIELD(graphs, dim->pad_high, kept_value + 1);
    CHECK_FIELD(graphs, dim->base_dilation, kept_value + 1);
    CHECK_FIELD(graphs, dim->window_dilation, kept_value + 1);
    CHECK_FIELD(graphs, dim->reversal, !kept_value);
  }
  if (at->window != nullptr) CHECK_FIELD(graphs, at->window->rank, kept_value - 1);
  CHECK_FIELD(
      graphs, at->window, kept_value != nullptr ? nullptr : ARENA_NEW(graphs->arena, Window, 1));
}

static void check_numbers(CompareFixture *graphs, Instruction *at) {
  Arena *arena = graphs->arena;
  if (at->dot != nullptr) {
    Ints *lists[] = {&at->dot->lhs_batch, &at->dot->rhs_batch, &at->dot->lhs_contracting,
        &at->dot->rhs_contracting, &at->dot->lhs_ragged, &at->dot->rhs_group};
    for (size_t i = 0; i < 6; i++) check_ints(graphs, lists[i], "dot");
  }
  if (at->gather != nullptr) {
    GatherNumbers *numbers = at->gather;
    Ints *lists[] = {&numbers->offset_dims, &numbers->collapsed_slice_dims,
        &numbers->operand_batching_dims, &numbers->start_indices_batching_dims,
        &numbers->start_index_map, &numbers->slice_sizes};
    for (size_t i = 0; i < 6; i++) check_ints(graphs, lists[i], "gather");
    CHECK_FIELD(graphs, numbers->index_vector_dim, kept_value + 1);
  }
  if (at->scatter != nullptr) {
    ScatterNumbers *numbers = at->scatter;
    Ints *lists[] = {&numbers->update_window_dims, &numbers->inserted_window_dims,
        &numbers->input_batching_dims, &numbers->scatter_indices_batching_dims,
        &numbers->scatter_dims_to_operand_dims};
    for (size_t i = 0; i < 5; i++) check_ints(graphs, lists[i], "scatter");
    CHECK_FIELD(graphs, numbers->index_vector_dim, kept_value + 1);
  }
  if (at->convolution != nullptr) {
    ConvolutionNumbers *numbers = at->convolution;
    int64_t *values[] = {&numbers->input_batch, &numbers->input_feature,
        &numbers->kernel_input_feature, &numbers->kernel_output_feature, &numbers->output_batch,
        &numbers->output_feature};
    for (size_t i = 0; i < 6; i++) CHECK_FIELD(graphs, *values[i], kept_value + 1);
    check_ints(graphs, &numbers->input_spatial, "convolution");
    check_ints(graphs, &numbers->kernel_spatial, "convolution");
    check_ints(graphs, &numbers->output_spatial, "convolution");
  }
  CHECK_FIELD(graphs, at->dot, kept_value != nullptr ? nullptr : ARENA_NEW(arena, DotNumbers, 1));
  CHECK_FIELD(
      graphs, at->gather, kept_value != nullptr ? nullptr : ARENA_NEW(arena, GatherNumbers, 1));
  CHECK_FIELD(
      graphs, at->scatter, kept_value != nullptr ? nullptr : ARENA_NEW(arena, ScatterNumbers, 1));
  CHECK_FIELD(graphs, at->convolution,
      kept_value != nullptr ? nullptr : ARENA_NEW(arena, ConvolutionNumbers, 1));
}

static void check_groups(CompareFixture *graphs, Instruction *at) {
  ReplicaGroups *groups = at->replica_groups;
  for (uint32_t i = 0; groups != nullptr && i < groups->count; i++)
    check_ints(graphs, &groups->groups[i], "groups");
  if (groups != nullptr) CHECK_FIELD(graphs, groups->count, kept_value - 1);
  CHECK_FIELD(graphs, at->replica_groups,
      kept_value != nullptr ? nullptr : ARENA_NEW(graphs->arena, ReplicaGroups, 1));
  check_ints(graphs, &at->source_target_pairs, "pairs");
}

static void check_links(CompareFixture *graphs, Instruction *at) {
  for (uint32_t i = 0; i < at->operand_count; i++)
    CHECK_FIELD(graphs, at->operands[i], graphs->other->entry->root);
  if (at->operand_count > 0) CHECK_FIELD(graphs, at->operand_count, kept_value - 1);
  for (uint32_t i = 0; i < at->called_count; i++) {
    CHECK_FIELD(graphs, at->called[i], graphs->other->entry);
    CHECK_FIELD(graphs, at->called_roles[i], "other");
  }
  if (at->called_count > 0) CHECK_FIELD(graphs, at->called_count, kept_value - 1);
  for (uint32_t i = 0; i < at->attribute_count; i++) {
    CHECK_FIELD(graphs, at->attributes[i].name, "other");
    CHECK_FIELD(graphs, at->attributes[i].text, "other");
  }
  if (at->attribute_count > 0) CHECK_FIELD(graphs, at->attribute_count, kept_value - 1);
}

static void check_instruction(CompareFixture *graphs, Instruction *at) {
  static const Shape shape = {.type = TYPE_token};
  graphs->where = at->name;
  CHECK_FIELD(graphs, at->opcode, HLO_OUTFEED);
  CHECK_FIELD(graphs, at->is_root, !kept_value);
  CHECK_FIELD(graphs, at->shape, &shape);
  CHECK_FIELD(graphs, at->number, kept_value + 1);
  CHECK_FIELD(graphs, at->batch_group_count, kept_value + 1);
  CHECK_FIELD(graphs, at->channel_id, kept_value + 1);
  CHECK_FIELD(graphs, at->use_global_device_ids, !kept_value);
  CHECK_FIELD(graphs, at->flag, !kept_value);
  CHECK_FIELD(graphs, at->literal_text, "other");
  Ints *lists[] = {
      &at->dimensions, &at->starts, &at->limits, &at->strides, &at->sizes, &at->literal};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) check_ints(graphs, lists[i], "a list");
  check_links(graphs, at);
  check_windows(graphs, at);
  check_numbers(graphs, at);
  check_groups(graphs, at);
}

static void each_field_makes_another_graph(void **) {
  CompareFixture graphs = {.arena = arena_create()};
  Error error = {};
  graphs.one = module_of(graphs.arena, graph, &error);
  graphs.other = module_of(graphs.arena, graph, &error);
  if (graphs.one == nullptr || graphs.other == nullptr) fail_msg("%s", error.message);
  assert_true(hlo_same_graph(graphs.one, graphs.other, &error));
  for (uint32_t c = 0; c < graphs.other->computation_count; c++) {
    Computation *computation = graphs.other->computations[c];
    for (uint32_t i = 0; i < computation->instruction_count; i++)
      check_instruction(&graphs, computation->instructions[i]);
    graphs.where = computation->name;
    CHECK_FIELD(&graphs, computation->is_entry, !kept_value);
    CHECK_FIELD(&graphs, computation->instruction_count, kept_value - 1);
    CHECK_FIELD(&graphs, computation->parameter_count, kept_value - 1);
    CHECK_FIELD(&graphs, computation->root, computation->instructions[0]);
    CHECK_FIELD(&graphs, computation->parameters[0], computation->root);
    CHECK_FIELD(&graphs, computation->attribute_count, 1);
  }
  Module *module = (Module *)graphs.other;
  graphs.where = "";
  CHECK_FIELD(&graphs, module->name, "other");
  CHECK_FIELD(&graphs, module->header_rest, "other");
  CHECK_FIELD(&graphs, module->stack_frames, "other");
  CHECK_FIELD(&graphs, module->computation_count, kept_value - 1);
  CHECK_FIELD(&graphs, module->entry, module->computations[0]);
  for (uint32_t c = 0; c < module->computation_count; c++)
    CHECK_FIELD(&graphs, module->computations[c]->name, "other");
  assert_true(graphs.fields > 600);
  assert_true(hlo_same_graph(graphs.one, graphs.other, &error));
  arena_destroy(graphs.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_field_makes_another_graph)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
