/* Random bytes decode to every opcode of the table and to every listed feature within 100,000
 * graphs. A feature that starts with an opcode is about the values of one of its attributes.
 * dynamic-pad is excluded because other engines cannot read it. The counts are printed
 * (instructions for opcodes, graphs for features), and none may be 0. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/map/test/random_map.h"
#include "generate/decoded_module.h"

typedef bool Has(const Instruction *instruction);

static bool has_several_outputs(const Instruction *i) {
  return i->opcode == HLO_FUSION && shape_leaf_count(i->shape) > 1;
}

static bool is_nested(const Instruction *i) {
  const Instruction *inside = i->opcode == HLO_FUSION ? i->called[0]->root : i;
  return inside != i && inside->opcode == HLO_FUSION;
}

static bool is_tuple(const Instruction *i) { return shape_is_tuple(i->shape); }
static bool is_nested_tuple(const Instruction *i) {
  return is_tuple(i) && i->shape->element_count > 0 && shape_is_tuple(i->shape->elements[0]);
}

static bool repeats_operand(const Instruction *i) {
  for (uint32_t a = 0; a < i->operand_count; a++)
    for (uint32_t b = 0; b < a; b++)
      if (i->operands[a] == i->operands[b]) return true;
  return false;
}

static bool fusion_repeats_operand(const Instruction *i) {
  return i->opcode == HLO_FUSION && repeats_operand(i);
}

static bool has_size(const Instruction *instruction, int64_t size) {
  for (uint32_t i = 0; !is_tuple(instruction) && i < instruction->shape->rank; i++)
    if (instruction->shape->sizes[i] == size) return true;
  return false;
}

static bool has_size_zero(const Instruction *i) { return has_size(i, 0); }
static bool has_size_one(const Instruction *i) { return has_size(i, 1); }

static bool decode_covers_pads(const Instruction *instruction, bool interior) {
  for (uint32_t i = 0; instruction->opcode == HLO_PAD && i < instruction->shape->rank; i++)
    if (interior ? instruction->padding[i].interior > 0
                 : instruction->padding[i].low < 0 || instruction->padding[i].high < 0)
      return true;
  return false;
}

static bool pads_negatively(const Instruction *i) { return decode_covers_pads(i, false); }
static bool pads_inside(const Instruction *i) { return decode_covers_pads(i, true); }

typedef bool HasWindow(const WindowDim *dim);
static bool any_window(const Instruction *instruction, HasWindow *has) {
  for (uint32_t i = 0; instruction->window != nullptr && i < instruction->window->rank; i++)
    if (has(&instruction->window->dims[i])) return true;
  return false;
}

static bool dim_is_dilated(const WindowDim *dim) { return dim->window_dilation > 1; }
static bool dim_base_is_dilated(const WindowDim *dim) { return dim->base_dilation > 1; }
static bool dim_is_reversed(const WindowDim *dim) { return dim->reversal; }
static bool dim_is_cut(const WindowDim *dim) { return dim->pad_low < 0 || dim->pad_high < 0; }
static bool dilates(const Instruction *i) { return any_window(i, dim_is_dilated); }
static bool dilates_base(const Instruction *i) { return any_window(i, dim_base_is_dilated); }
static bool reverses_window(const Instruction *i) { return any_window(i, dim_is_reversed); }
static bool cuts_window(const Instruction *i) { return any_window(i, dim_is_cut); }

static bool has_layout(const Instruction *instruction) {
  if (is_tuple(instruction) || !instruction->shape->has_layout) return false;
  for (uint32_t i = 0; i < instruction->shape->rank; i++)
    if (instruction->shape->minor_to_major[i] != instruction->shape->rank - 1 - i) return true;
  return false;
}

static bool has_offset(const Instruction *i, bool runtime) {
  if (i->opcode != HLO_DYNAMIC_SLICE) return false;
  for (uint32_t k = 1; k < i->operand_count; k++)
    if ((i->operands[k]->opcode == HLO_PARAMETER) == runtime) return true;
  return false;
}

static bool has_runtime_offset(const Instruction *i) { return has_offset(i, true); }
static bool has_folded_offset(const Instruction *i) { return has_offset(i, false); }
static bool groups_batch(const Instruction *i) {
  return i->opcode == HLO_CONVOLUTION && i->batch_group_count > 1;
}
static bool groups_features(const Instruction *i) {
  return i->opcode == HLO_CONVOLUTION && i->number > 1;
}
static bool is_full(const Instruction *i) {
  return !is_tuple(i) && shape_elements(i->shape) == fuzz_max_elements;
}

static bool has_many(const Instruction *i, Opcode opcode, uint32_t more_than) {
  return i->opcode == opcode && i->operand_count > more_than;
}
static bool reduces_two(const Instruction *i) { return has_many(i, HLO_REDUCE, 2); }
static bool reduces_windows_of_two(const Instruction *i) {
  return has_many(i, HLO_REDUCE_WINDOW, 2);
}
static bool sorts_two(const Instruction *i) { return has_many(i, HLO_SORT, 1); }
static bool scatters_two(const Instruction *i) { return has_many(i, HLO_SCATTER, 3); }
static bool concatenates_three(const Instruction *i) { return has_many(i, HLO_CONCATENATE, 2); }
static bool calls_custom_with_two(const Instruction *i) { return has_many(i, HLO_CUSTOM_CALL, 1); }
static bool all_reduces_two(const Instruction *i) { return has_many(i, HLO_ALL_REDUCE, 1); }
static bool all_gathers_two(const Instruction *i) { return has_many(i, HLO_ALL_GATHER, 1); }
static bool reduce_scatters_two(const Instruction *i) { return has_many(i, HLO_REDUCE_SCATTER, 1); }
static bool all_to_all_in_parts(const Instruction *i) { return has_many(i, HLO_ALL_TO_ALL, 1); }
static bool branches_three_ways(const Instruction *i) {
  return i->opcode == HLO_CONDITIONAL && i->called_count > 2;
}

static bool gather_batches(const Instruction *i) {
  return i->opcode == HLO_GATHER && i->gather->operand_batching_dims.count > 0;
}
static bool gather_batches_twice(const Instruction *i) {
  return i->opcode == HLO_GATHER && i->gather->operand_batching_dims.count > 1;
}
static bool gather_collapses(const Instruction *i) {
  return i->opcode == HLO_GATHER && i->gather->collapsed_slice_dims.count > 0;
}
static bool gather_has_no_vector(const Instruction *i) {
  return i->opcode == HLO_GATHER && i->gather->index_vector_dim == i->operands[1]->shape->rank;
}
static bool gather_index_map_turns(const Instruction *i) {
  return i->opcode == HLO_GATHER && i->gather->start_index_map.count > 1 &&
         i->gather->start_index_map.values[0] > i->gather->start_index_map.values[1];
}
static bool gathers_by(const Instruction *i, Opcode opcode) {
  return i->opcode == HLO_GATHER && i->operands[1]->opcode == opcode;
}
static bool gathers_by_iota(const Instruction *i) { return gathers_by(i, HLO_IOTA); }
static bool gathers_by_literal(const Instruction *i) { return gathers_by(i, HLO_CONSTANT); }
static bool gathers_by_arithmetic(const Instruction *i) {
  return i->opcode == HLO_GATHER && i->operands[1]->operand_count == 2 &&
         i->operands[1]->operands[0]->opcode == HLO_IOTA;
}
static bool scatter_batches(const Instruction *i) {
  return i->opcode == HLO_SCATTER && i->scatter->input_batching_dims.count > 0;
}
static bool scatter_batches_descend(const Instruction *i) {
  const Ints *dims =
      i->opcode == HLO_SCATTER ? &i->scatter->scatter_indices_batching_dims : nullptr;
  return dims != nullptr && dims->count > 1 && dims->values[0] > dims->values[1];
}

static bool is_made(const Instruction *i, Opcode opcode, uint32_t operand) {
  return i->opcode == opcode && i->operands[operand]->opcode != HLO_PARAMETER;
}
static bool dot_of_made(const Instruction *i) { return is_made(i, HLO_DOT, 1); }
static bool updates_by_made(const Instruction *i) {
  return is_made(i, HLO_DYNAMIC_UPDATE_SLICE, 1);
}
static bool convolves_made(const Instruction *i) { return is_made(i, HLO_CONVOLUTION, 0); }
static bool fusion_of_made(const Instruction *i) { return is_made(i, HLO_FUSION, 0); }
static bool call_of_made(const Instruction *i) { return is_made(i, HLO_CALL, 0); }

static uint32_t rank_of(const Instruction *i, uint32_t operand) {
  return i->operands[operand]->shape->rank;
}
static bool splits_bits(const Instruction *i) {
  return i->opcode == HLO_BITCAST_CONVERT && i->shape->rank > rank_of(i, 0);
}
static bool joins_bits(const Instruction *i) {
  return i->opcode == HLO_BITCAST_CONVERT && i->shape->rank < rank_of(i, 0);
}
static bool constant_is_array(const Instruction *i) {
  return i->opcode == HLO_CONSTANT && i->shape->rank > 0;
}
static bool clamps_by_arrays(const Instruction *i) {
  return i->opcode == HLO_CLAMP && rank_of(i, 2) > 0;
}
static bool selects_by_scalar(const Instruction *i) {
  return i->opcode == HLO_SELECT && rank_of(i, 0) == 0 && i->shape->rank > 0;
}
static bool selects_by_array(const Instruction *i) {
  return i->opcode == HLO_SELECT && rank_of(i, 0) > 0;
}
static bool maps_one(const Instruction *i) { return i->opcode == HLO_MAP && i->operand_count == 1; }
static bool maps_two(const Instruction *i) { return i->opcode == HLO_MAP && i->operand_count == 2; }
static bool parameter_has_layout(const Instruction *i) {
  return i->opcode == HLO_PARAMETER && has_layout(i);
}
static bool copy_changes_layout(const Instruction *i) {
  return i->opcode == HLO_COPY && has_layout(i) != has_layout(i->operands[0]);
}

static bool is_descending(Ints dims) { return dims.count > 1 && dims.values[0] > dims.values[1]; }
static bool broadcast_turns(const Instruction *i) {
  return i->opcode == HLO_BROADCAST && is_descending(i->dimensions);
}
static bool reverses_some(const Instruction *i) {
  return i->opcode == HLO_REVERSE && i->dimensions.count > 0 &&
         i->dimensions.count < i->shape->rank;
}
static bool iota_is_inner(const Instruction *i) { return i->opcode == HLO_IOTA && i->number > 0; }
static bool slice_steps(const Instruction *i) {
  return i->opcode == HLO_SLICE && i->strides.count > 0 && i->strides.values[0] > 1;
}
static bool dim_steps(const WindowDim *dim) { return dim->stride > 1; }
static bool window_steps(const Instruction *i) { return any_window(i, dim_steps); }
static bool concatenates_nothing(const Instruction *i) {
  return i->opcode == HLO_CONCATENATE && i->operand_count > 1 &&
         shape_elements(i->operands[1]->shape) == 0 && shape_elements(i->shape) > 0;
}
static bool concatenates_again(const Instruction *i) {
  return i->opcode == HLO_CONCATENATE && repeats_operand(i);
}

static bool dot_batches(const Instruction *i) {
  return i->opcode == HLO_DOT && i->dot->lhs_batch.count > 0;
}
static bool dot_contracts_two(const Instruction *i) {
  return i->opcode == HLO_DOT && i->dot->lhs_contracting.count > 1;
}
static bool dot_is_outer(const Instruction *i) {
  return i->opcode == HLO_DOT && i->dot->lhs_contracting.count == 0;
}
static bool ragged_by(const Instruction *i, bool batch, bool contracting) {
  if (i->opcode != HLO_RAGGED_DOT) return false;
  int64_t ragged = i->dot->lhs_ragged.values[0];
  bool is_batch = i->dot->lhs_batch.count > 0 && i->dot->lhs_batch.values[0] == ragged,
       is_contracting = i->dot->lhs_contracting.values[0] == ragged;
  return is_batch == batch && is_contracting == contracting;
}
static bool ragged_free(const Instruction *i) { return ragged_by(i, false, false); }
static bool ragged_contracting(const Instruction *i) { return ragged_by(i, false, true); }
static bool ragged_batch(const Instruction *i) { return ragged_by(i, true, false); }
static bool scales_blocks(const Instruction *i) {
  return i->opcode == HLO_SCALED_DOT && i->operands[2]->shape->sizes[1] > 1;
}
static bool convolution_turns_input(const Instruction *i) {
  return i->opcode == HLO_CONVOLUTION &&
         i->convolution->input_batch > i->convolution->input_feature;
}
static bool convolution_turns_kernel(const Instruction *i) {
  return i->opcode == HLO_CONVOLUTION &&
         i->convolution->kernel_output_feature > i->convolution->kernel_input_feature;
}
static bool convolution_turns_output(const Instruction *i) {
  return i->opcode == HLO_CONVOLUTION &&
         i->convolution->output_batch > i->convolution->output_feature;
}
static bool convolution_is_flat(const Instruction *i) {
  return i->opcode == HLO_CONVOLUTION && i->convolution->input_spatial.count == 0;
}

static bool has_attribute(
    const Instruction *i, Opcode opcode, const char *attribute, const char *text) {
  const Attribute *found = i->opcode == opcode ? instruction_attribute(i, attribute) : nullptr;
  return found != nullptr && strcmp(found->text, text) == 0;
}
static bool compares_eq(const Instruction *i) {
  return has_attribute(i, HLO_COMPARE, "direction", "EQ");
}
static bool compares_ne(const Instruction *i) {
  return has_attribute(i, HLO_COMPARE, "direction", "NE");
}
static bool compares_lt(const Instruction *i) {
  return has_attribute(i, HLO_COMPARE, "direction", "LT");
}
static bool compares_le(const Instruction *i) {
  return has_attribute(i, HLO_COMPARE, "direction", "LE");
}
static bool compares_gt(const Instruction *i) {
  return has_attribute(i, HLO_COMPARE, "direction", "GT");
}
static bool compares_ge(const Instruction *i) {
  return has_attribute(i, HLO_COMPARE, "direction", "GE");
}
static bool fft_forward(const Instruction *i) {
  return has_attribute(i, HLO_FFT, "fft_type", "FFT");
}
static bool fft_backward(const Instruction *i) {
  return has_attribute(i, HLO_FFT, "fft_type", "IFFT");
}
static bool fft_real(const Instruction *i) { return has_attribute(i, HLO_FFT, "fft_type", "RFFT"); }
static bool fft_to_real(const Instruction *i) {
  return has_attribute(i, HLO_FFT, "fft_type", "IRFFT");
}

static bool has_flag(const Instruction *i, Opcode opcode, bool flag) {
  return i->opcode == opcode && i->flag == flag;
}
static bool scans_back(const Instruction *i) { return has_flag(i, HLO_SCAN, true); }
static bool scans_on(const Instruction *i) { return has_flag(i, HLO_SCAN, false); }
static bool cholesky_upper(const Instruction *i) { return has_flag(i, HLO_CHOLESKY, false); }
static bool solves_left(const Instruction *i) { return has_flag(i, HLO_TRIANGULAR_SOLVE, true); }
static bool solves_right(const Instruction *i) { return has_flag(i, HLO_TRIANGULAR_SOLVE, false); }
static bool topk_smallest(const Instruction *i) { return has_flag(i, HLO_TOPK, false); }

static bool groups_none(const Instruction *i) {
  return i->opcode == HLO_ALL_REDUCE &&
         (i->replica_groups == nullptr || i->replica_groups->count == 0);
}
static bool groups_by_partitions(const Instruction *i) {
  return i->opcode == HLO_ALL_REDUCE && i->channel_id >= 0 && !i->use_global_device_ids;
}
static bool groups_by_global_ids(const Instruction *i) {
  return i->opcode == HLO_ALL_REDUCE && i->use_global_device_ids;
}

static const struct {
  const char *name;
  Has *has;
} features[] = {
    {"fusion with several outputs", has_several_outputs},
    {"fusion in a fusion", is_nested},
    {"tuple", is_tuple},
    {"tuple in a tuple", is_nested_tuple},
    {"repeated operand", repeats_operand},
    {"fusion with a repeated operand", fusion_repeats_operand},
    {"size 0", has_size_zero},
    {"size 1", has_size_one},
    {"negative padding", pads_negatively},
    {"interior padding", pads_inside},
    {"window dilation", dilates},
    {"base dilation", dilates_base},
    {"window reversal", reverses_window},
    {"negative window padding", cuts_window},
    {"layout", has_layout},
    {"runtime offset", has_runtime_offset},
    {"foldable offset", has_folded_offset},
    {"batch groups", groups_batch},
    {"feature groups", groups_features},
    {"256 elements", is_full},
    {"fusion of a value made before", fusion_of_made},
    {"call of a value made before", call_of_made},
    {"conditional: three branches", branches_three_ways},
    {"custom-call: two", calls_custom_with_two},
    {"reduce: two arrays", reduces_two},
    {"reduce-window: two arrays", reduces_windows_of_two},
    {"reduce-window: stride", window_steps},
    {"sort: two arrays", sorts_two},
    {"scatter: two arrays", scatters_two},
    {"scatter: batching", scatter_batches},
    {"scatter: batching turned", scatter_batches_descend},
    {"gather: batching", gather_batches},
    {"gather: two batching", gather_batches_twice},
    {"gather: collapsed", gather_collapses},
    {"gather: no index vector", gather_has_no_vector},
    {"gather: index map turned", gather_index_map_turns},
    {"gather: by an iota", gathers_by_iota},
    {"gather: by a literal", gathers_by_literal},
    {"gather: by arithmetic of an iota", gathers_by_arithmetic},
    {"dynamic-update-slice: update made", updates_by_made},
    {"bitcast-convert: to narrower", splits_bits},
    {"bitcast-convert: to wider", joins_bits},
    {"constant: array", constant_is_array},
    {"clamp: by arrays", clamps_by_arrays},
    {"select: by a scalar", selects_by_scalar},
    {"select: by an array", selects_by_array},
    {"map: one", maps_one},
    {"map: two", maps_two},
    {"parameter: layout", parameter_has_layout},
    {"copy: to another layout", copy_changes_layout},
    {"broadcast: turned", broadcast_turns},
    {"reverse: some dimensions", reverses_some},
    {"iota: inner dimension", iota_is_inner},
    {"slice: stride", slice_steps},
    {"concatenate: three", concatenates_three},
    {"concatenate: size 0", concatenates_nothing},
    {"concatenate: repeated", concatenates_again},
    {"dot: batch", dot_batches},
    {"dot: two contracting", dot_contracts_two},
    {"dot: none contracting", dot_is_outer},
    {"dot: of a value made before", dot_of_made},
    {"ragged-dot: free", ragged_free},
    {"ragged-dot: contracting", ragged_contracting},
    {"ragged-dot: batch", ragged_batch},
    {"scaled-dot: blocks", scales_blocks},
    {"convolution: of a value made before", convolves_made},
    {"convolution: input turned", convolution_turns_input},
    {"convolution: kernel turned", convolution_turns_kernel},
    {"convolution: output turned", convolution_turns_output},
    {"convolution: no spatial", convolution_is_flat},
    {"compare: EQ", compares_eq},
    {"compare: NE", compares_ne},
    {"compare: LT", compares_lt},
    {"compare: LE", compares_le},
    {"compare: GT", compares_gt},
    {"compare: GE", compares_ge},
    {"fft: FFT", fft_forward},
    {"fft: IFFT", fft_backward},
    {"fft: RFFT", fft_real},
    {"fft: IRFFT", fft_to_real},
    {"scan: on", scans_on},
    {"scan: back", scans_back},
    {"cholesky: upper", cholesky_upper},
    {"triangular-solve: left", solves_left},
    {"triangular-solve: right", solves_right},
    {"topk: smallest", topk_smallest},
    {"all-reduce: two", all_reduces_two},
    {"all-gather: two", all_gathers_two},
    {"reduce-scatter: two", reduce_scatters_two},
    {"all-to-all: in parts", all_to_all_in_parts},
    {"all-reduce: no groups", groups_none},
    {"all-reduce: all partitions", groups_by_partitions},
    {"all-reduce: global ids", groups_by_global_ids},
};
static constexpr size_t feature_count = sizeof features / sizeof *features;

typedef struct Counts {
  uint64_t opcodes[opcode_count], features[feature_count], records[fuzz_max_operations + 1];
} Counts;

static void decode_covers_count(Counts *counts, const Module *module) {
  bool seen[feature_count] = {};
  for (uint32_t c = 0; c < module->computation_count; c++)
    for (uint32_t k = 0; k < module->computations[c]->instruction_count; k++) {
      const Instruction *instruction = module->computations[c]->instructions[k];
      counts->opcodes[instruction->opcode]++;
      for (size_t f = 0; f < feature_count; f++) seen[f] = seen[f] || features[f].has(instruction);
    }
  for (size_t f = 0; f < feature_count; f++) counts->features[f] += seen[f];
}

static void print_and_require(const Counts *counts) {
  for (uint32_t i = 0; i < opcode_count; i++)
    print_message("%-28s %8llu%s", opcode_name((Opcode)i), (unsigned long long)counts->opcodes[i],
        i % 3 == 2 ? "\n" : "  ");
  print_message("\n");
  for (size_t i = 0; i < feature_count; i++)
    print_message("%-32s %8llu\n", features[i].name, (unsigned long long)counts->features[i]);
  for (uint32_t i = 0; i < opcode_count; i++)
    if (counts->opcodes[i] == 0 && i != HLO_DYNAMIC_PAD)
      fail_msg("the fuzzer's decoder never makes %s: its operation in "
               "generate/operations/scope.def needs the next number of FUZZED, or a record in "
               "generate/decode_generated.c",
          opcode_name((Opcode)i));
  for (size_t i = 0; i < feature_count; i++)
    if (counts->features[i] == 0) fail_msg("%s never came up", features[i].name);
  for (uint32_t i = 1; i <= fuzz_max_operations; i++)
    if (counts->records[i] == 0) fail_msg("no graph of %u operations", i);
}

static void all_operations_and_features_come_up(void **state) {
  (void)state;
  Arena *arena = arena_create();
  RandomMaps random = {.state = 17};
  Counts counts = {};
  size_t rounds = getenv("AFFIRM_FEW") != nullptr ? 20000 : 100000;
  for (size_t i = 0; i < rounds; i++) {
    ArenaMark mark = arena_mark(arena);
    uint8_t bytes[fuzz_header_bytes + fuzz_max_operations * fuzz_record_bytes];
    size_t records =
        (size_t)random_between(&random, 1, random_between(&random, 1, fuzz_max_operations));
    size_t size = fuzz_header_bytes + records * fuzz_record_bytes;
    for (size_t k = 0; k < size; k++) bytes[k] = (uint8_t)random_next(&random);
    counts.records[records]++;
    decode_covers_count(&counts, decoded_module(arena, bytes, size));
    arena_rewind(arena, mark);
  }
  print_and_require(&counts);
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_operations_and_features_come_up)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
