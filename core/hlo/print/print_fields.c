/* Prints each row of opcodes.def from the instruction's fields. An attribute that the opcode
 * requires is printed even if it is empty or zero; any other one only if it is not the default. */
#include "core/hlo/print/print_fields.h"

#include <inttypes.h>
#include <string.h>

#include "core/hlo/attribute.h"

static void print_ints(Text *text, Ints ints) {
  text_string(text, "{");
  for (uint32_t i = 0; i < ints.count; i++) {
    if (i > 0) text_string(text, ",");
    text_integer(text, ints.values[i]);
  }
  text_string(text, "}");
}

static bool print_fields_begin(
    Text *text, const Instruction *instruction, const char *name, bool is_there) {
  if (!is_there || instruction_attribute(instruction, name) != nullptr) return false;
  text_printf(text, ", %s=", name);
  return true;
}

static void print_int_field(
    Text *text, const Instruction *instruction, const char *name, int64_t value, bool is_there) {
  if (print_fields_begin(text, instruction, name, is_there)) text_integer(text, value);
}

static void print_ints_field(
    Text *text, const Instruction *instruction, const char *name, Ints ints, bool needed) {
  if (print_fields_begin(text, instruction, name, needed || ints.count > 0)) print_ints(text, ints);
}

static void print_bool_field(
    Text *text, const Instruction *instruction, const char *name, bool value, bool is_there) {
  if (print_fields_begin(text, instruction, name, is_there))
    text_string(text, value ? "true" : "false");
}

static void print_number(Text *text, const Instruction *instruction) {
  int64_t number = instruction->number;
  print_int_field(text, instruction, "index", number, instruction->opcode == HLO_GET_TUPLE_ELEMENT);
  bool old_iota = instruction_attribute(instruction, "dimensions") != nullptr;
  print_int_field(
      text, instruction, "iota_dimension", number, instruction->opcode == HLO_IOTA && !old_iota);
  print_int_field(text, instruction, "k", number, instruction->opcode == HLO_TOPK);
  print_int_field(text, instruction, "num_carries", number, instruction->opcode == HLO_SCAN);
  bool convolves = instruction->opcode == HLO_CONVOLUTION;
  print_int_field(text, instruction, "feature_group_count", number, convolves && number != 1);
  print_int_field(text, instruction, "batch_group_count", instruction->batch_group_count,
      convolves && instruction->batch_group_count != 1);
}

static void print_flag(Text *text, const Instruction *instruction) {
  bool usual = instruction->opcode == HLO_TOPK;
  for (uint32_t i = 0; i < ATTRIBUTE_OTHER; i++)
    if (attribute_rows[i].form == FORM_BOOL && attribute_rows[i].opcode == instruction->opcode)
      print_bool_field(
          text, instruction, attribute_rows[i].name, instruction->flag, instruction->flag != usual);
}

static void print_slice(Text *text, const Instruction *instruction) {
  if (!print_fields_begin(text, instruction, "slice", instruction->opcode == HLO_SLICE)) return;
  text_string(text, "{");
  for (uint32_t i = 0; i < instruction->starts.count; i++) {
    text_printf(text, "%s[%" PRId64 ":%" PRId64 ":%" PRId64 "]", i > 0 ? ", " : "",
        instruction->starts.values[i], instruction->limits.values[i],
        instruction->strides.values[i]);
  }
  text_string(text, "}");
}

static void print_padding(Text *text, const Instruction *instruction) {
  bool pads = instruction->opcode == HLO_PAD && instruction->padding != nullptr &&
              instruction->shape->rank > 0;
  if (!print_fields_begin(text, instruction, "padding", pads)) return;
  for (uint32_t i = 0; i < instruction->shape->rank; i++) {
    const PadDim *pad = &instruction->padding[i];
    text_printf(text, "%s%" PRId64 "_%" PRId64, i > 0 ? "x" : "", pad->low, pad->high);
    if (pad->interior != 0) text_printf(text, "_%" PRId64, pad->interior);
  }
}

typedef int64_t WindowNumber(const WindowDim *dim);
static int64_t size_of(const WindowDim *dim) { return dim->size; }
static int64_t stride_of(const WindowDim *dim) { return dim->stride; }
static int64_t lhs_dilate_of(const WindowDim *dim) { return dim->base_dilation; }
static int64_t rhs_dilate_of(const WindowDim *dim) { return dim->window_dilation; }
static int64_t reversal_of(const WindowDim *dim) { return dim->reversal; }

static void print_part(
    Text *text, const Window *window, const char *name, WindowNumber *part, int64_t common) {
  bool all_common = true;
  for (uint32_t i = 0; i < window->rank; i++) all_common &= part(&window->dims[i]) == common;
  if (all_common) return;
  text_printf(text, "%s=", name);
  for (uint32_t i = 0; i < window->rank; i++)
    text_printf(text, "%s%" PRId64, i > 0 ? "x" : "", part(&window->dims[i]));
}

static void print_edges(Text *text, const Window *window) {
  bool none = true;
  for (uint32_t i = 0; i < window->rank; i++)
    none &= window->dims[i].pad_low == 0 && window->dims[i].pad_high == 0;
  if (none) return;
  text_string(text, " pad=");
  for (uint32_t i = 0; i < window->rank; i++) {
    text_printf(text, "%s%" PRId64 "_%" PRId64, i > 0 ? "x" : "", window->dims[i].pad_low,
        window->dims[i].pad_high);
  }
}

static void print_window(Text *text, const Instruction *instruction) {
  const Window *window = instruction->window;
  if (!print_fields_begin(text, instruction, "window", window != nullptr)) return;
  text_string(text, "{");
  print_part(text, window, "size", size_of, INT64_MIN);
  print_part(text, window, " stride", stride_of, 1);
  print_edges(text, window);
  print_part(text, window, " lhs_dilate", lhs_dilate_of, 1);
  print_part(text, window, " rhs_dilate", rhs_dilate_of, 1);
  print_part(text, window, " rhs_reversal", reversal_of, 0);
  text_string(text, "}");
}

static void print_labels(
    Text *text, char first, int64_t first_at, char second, int64_t second_at, Ints spatial) {
  for (int64_t at = 0; at < (int64_t)spatial.count + 2; at++) {
    char label = at == first_at ? first : at == second_at ? second : '?';
    for (uint32_t i = 0; i < spatial.count; i++) {
      if (spatial.values[i] == at) label = (char)('0' + i);
    }
    text_append(text, &label, 1);
  }
}

static void print_dim_labels(Text *text, const Instruction *instruction) {
  const ConvolutionNumbers *numbers = instruction->convolution;
  if (!print_fields_begin(text, instruction, "dim_labels", numbers != nullptr)) return;
  print_labels(
      text, 'b', numbers->input_batch, 'f', numbers->input_feature, numbers->input_spatial);
  text_string(text, "_");
  print_labels(text, 'i', numbers->kernel_input_feature, 'o', numbers->kernel_output_feature,
      numbers->kernel_spatial);
  text_string(text, "->");
  print_labels(
      text, 'b', numbers->output_batch, 'f', numbers->output_feature, numbers->output_spatial);
}

/* The numbers of a dot, a gather or a scatter. */
static void print_numbers(Text *text, const Instruction *instruction) {
  for (uint32_t i = 0; i < ATTRIBUTE_OTHER; i++) {
    const AttributeRow *row = &attribute_rows[i];
    const void *field = row->owner == OWNER_SELF ? nullptr : attribute_field(instruction, row);
    if (field == nullptr) continue;
    if (row->form == FORM_INT)
      print_int_field(text, instruction, row->name, *(const int64_t *)field, true);
    else
      print_ints_field(text, instruction, row->name, *(const Ints *)field,
          attribute_is_required(instruction->opcode, row->name));
  }
}

static void print_groups(Text *text, const Instruction *instruction) {
  const ReplicaGroups *groups = instruction->replica_groups;
  if (!print_fields_begin(text, instruction, "replica_groups", groups != nullptr)) return;
  text_string(text, "{");
  for (uint32_t i = 0; i < groups->count; i++) {
    if (i > 0) text_string(text, ",");
    print_ints(text, groups->groups[i]);
  }
  text_string(text, "}");
}

static void print_pairs(Text *text, const Instruction *instruction) {
  Ints pairs = instruction->source_target_pairs;
  bool permutes = instruction_permutes(instruction);
  if (!print_fields_begin(text, instruction, "source_target_pairs", permutes || pairs.count > 0))
    return;
  text_string(text, "{");
  for (uint32_t i = 0; i + 1 < pairs.count; i += 2) {
    text_printf(text, "%s{%" PRId64 ",%" PRId64 "}", i > 0 ? "," : "", pairs.values[i],
        pairs.values[i + 1]);
  }
  text_string(text, "}");
}

static void print_call_list(Text *text, const Instruction *instruction, const char *name) {
  if (!print_fields_begin(text, instruction, name, true)) return;
  text_string(text, "{");
  for (uint32_t i = 0; i < instruction->called_count; i++) {
    text_printf(text, i > 0 ? ", %%%s" : "%%%s", instruction->called[i]->name);
  }
  text_string(text, "}");
}

static bool has_pair(const Instruction *instruction) {
  return instruction->operands[0]->shape->type == TYPE_pred && instruction->called_count == 2 &&
         instruction_attribute(instruction, "branch_computations") == nullptr;
}

static void print_branches(Text *text, const Instruction *instruction) {
  static const char *const names[] = {"true_computation", "false_computation"};
  if (!has_pair(instruction)) {
    print_call_list(text, instruction, "branch_computations");
    return;
  }
  for (uint32_t i = 0; i < 2; i++) {
    if (print_fields_begin(text, instruction, names[i], true))
      text_printf(text, "%%%s", instruction->called[i]->name);
  }
}

static void print_called(Text *text, const Instruction *instruction) {
  if (instruction->opcode == HLO_CONDITIONAL) {
    print_branches(text, instruction);
    return;
  }
  if (instruction->called_count > 1 && strcmp(instruction->called_roles[0], "calls") == 0) {
    print_call_list(text, instruction, "called_computations");
    return;
  }
  bool listed = instruction_attribute(instruction, "called_computations") != nullptr;
  for (uint32_t i = 0; i < instruction->called_count && !listed; i++) {
    if (!print_fields_begin(text, instruction, instruction->called_roles[i], true)) continue;
    text_printf(text, "%%%s", instruction->called[i]->name);
  }
}

void print_fields(Text *text, const Instruction *instruction) {
  print_called(text, instruction);
  print_ints_field(text, instruction, "dimensions", instruction->dimensions,
      attribute_is_required(instruction->opcode, "dimensions"));
  print_number(text, instruction);
  print_flag(text, instruction);
  print_slice(text, instruction);
  bool slices = instruction->opcode == HLO_DYNAMIC_SLICE;
  print_ints_field(
      text, instruction, slices ? "dynamic_slice_sizes" : "fft_length", instruction->sizes, slices);
  print_padding(text, instruction);
  print_window(text, instruction);
  print_dim_labels(text, instruction);
  print_numbers(text, instruction);
  print_groups(text, instruction);
  print_pairs(text, instruction);
  print_int_field(
      text, instruction, "channel_id", instruction->channel_id, instruction->channel_id >= 0);
  print_bool_field(
      text, instruction, "use_global_device_ids", true, instruction->use_global_device_ids);
}
