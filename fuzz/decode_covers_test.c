/* What random bytes decode to: every opcode of the table, and every feature that graphs are to have, among 100,000 of them. The counts are printed
 * (instructions; graphs for features), and none may be 0. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/hlo/read.h"
#include "core/map/random_map.h"
#include "fuzz/decode.h"

typedef bool Has(const Instruction *instruction);

static bool has_several_outputs(const Instruction *i) { return i->opcode == HLO_FUSION && shape_leaf_count(i->shape) > 1; }

static bool is_nested(const Instruction *i) {
  const Instruction *inside = i->opcode == HLO_FUSION ? i->called[0]->root : i;
  return inside != i && inside->opcode == HLO_FUSION;
}

static bool is_tuple(const Instruction *i) { return shape_is_tuple(i->shape); }
static bool is_nested_tuple(const Instruction *i) { return is_tuple(i) && i->shape->element_count > 0 && shape_is_tuple(i->shape->elements[0]); }

static bool repeats_operand(const Instruction *i) {
  for (uint32_t a = 0; a < i->operand_count; a++)
    for (uint32_t b = 0; b < a; b++)
      if (i->operands[a] == i->operands[b]) return true;
  return false;
}

static bool fusion_repeats_operand(const Instruction *i) { return i->opcode == HLO_FUSION && repeats_operand(i); }

static bool has_size(const Instruction *instruction, int64_t size) {
  for (uint32_t i = 0; !is_tuple(instruction) && i < instruction->shape->rank; i++)
    if (instruction->shape->sizes[i] == size) return true;
  return false;
}

static bool has_size_zero(const Instruction *i) { return has_size(i, 0); }
static bool has_size_one(const Instruction *i) { return has_size(i, 1); }

static bool pads(const Instruction *instruction, bool interior) {
  for (uint32_t i = 0; instruction->opcode == HLO_PAD && i < instruction->shape->rank; i++)
    if (interior ? instruction->padding[i].interior > 0 : instruction->padding[i].low < 0 || instruction->padding[i].high < 0) return true;
  return false;
}

static bool pads_negatively(const Instruction *i) { return pads(i, false); }
static bool pads_inside(const Instruction *i) { return pads(i, true); }

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
static bool groups_batch(const Instruction *i) { return i->opcode == HLO_CONVOLUTION && i->batch_group_count > 1; }
static bool groups_features(const Instruction *i) { return i->opcode == HLO_CONVOLUTION && i->number > 1; }
static bool is_full(const Instruction *i) { return !is_tuple(i) && shape_elements(i->shape) == fuzz_max_elements; }

static const struct {
  const char *name;
  Has *has;
} features[] = {
    {"fusion with several outputs", has_several_outputs}, {"fusion in a fusion", is_nested},  {"tuple", is_tuple},
    {"tuple in a tuple", is_nested_tuple},                {"repeated operand", repeats_operand}, {"fusion with a repeated operand", fusion_repeats_operand},
    {"size 0", has_size_zero},                            {"size 1", has_size_one},           {"negative padding", pads_negatively},
    {"interior padding", pads_inside},                    {"window dilation", dilates},       {"base dilation", dilates_base},
    {"window reversal", reverses_window},                 {"negative window padding", cuts_window}, {"layout", has_layout},
    {"runtime offset", has_runtime_offset},               {"foldable offset", has_folded_offset}, {"batch groups", groups_batch},
    {"feature groups", groups_features},                  {"256 elements", is_full},
};
static constexpr size_t feature_count = sizeof features / sizeof *features;

typedef struct Counts {
  uint64_t opcodes[opcode_count], features[feature_count], records[fuzz_max_operations + 1];
} Counts;

static void count(Counts *counts, const Module *module) {
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
  for (uint32_t i = 0; i < opcode_count; i++) print_message("%-28s %8llu%s", opcode_name((Opcode)i), (unsigned long long)counts->opcodes[i], i % 3 == 2 ? "\n" : "  ");
  print_message("\n");
  for (size_t i = 0; i < feature_count; i++) print_message("%-32s %8llu\n", features[i].name, (unsigned long long)counts->features[i]);
  for (uint32_t i = 0; i < opcode_count; i++)
    if (counts->opcodes[i] == 0) fail_msg("%s never came up", opcode_name((Opcode)i));
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
    size_t records = (size_t)random_between(&random, 1, random_between(&random, 1, fuzz_max_operations)), length;
    size_t size = fuzz_header_bytes + records * fuzz_record_bytes;
    for (size_t k = 0; k < size; k++) bytes[k] = (uint8_t)random_next(&random);
    const char *text = fuzz_decode_graph(arena, bytes, size, &length);
    Source source = {.name = "fuzz", .text = text, .length = length, .first_line = 1};
    const Module *module;
    Error error = {};
    if (!hlo_read(arena, &source, &module, &error)) fail_msg("%s in\n%s", error.message, text);
    counts.records[records]++;
    count(&counts, module);
    arena_rewind(arena, mark);
  }
  print_and_require(&counts);
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_operations_and_features_come_up)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
