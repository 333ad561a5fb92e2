/* Compares field by field, in order; the error names the first difference with its computation and
 * instruction. */
#include "core/hlo/compare.h"

#include <string.h>

#include "core/hlo/attribute.h"

typedef struct ComparePosition {
  const char *computation, *instruction;
  Error *error;
} ComparePosition;

static bool compare_differ(const ComparePosition *location, const char *what) {
  return error_set(location->error, ERROR_INPUT, "%.80s%s%.80s: %s differs", location->computation,
      location->instruction[0] == 0 ? "" : "/", location->instruction, what);
}

static bool same_text(const char *a, const char *b) {
  if (a == nullptr || b == nullptr) return a == b;
  return strcmp(a, b) == 0;
}

bool ints_equal(Ints a, Ints b) {
  return a.count == b.count &&
         (a.count == 0 || memcmp(a.values, b.values, a.count * sizeof *a.values) == 0);
}

uint32_t ints_find(const Ints *ints, int64_t value) {
  for (uint32_t i = 0; i < ints->count; i++)
    if (ints->values[i] == value) return i;
  return UINT32_MAX;
}

bool ints_has(const Ints *ints, int64_t value) { return ints_find(ints, value) != UINT32_MAX; }

Instruction *computation_find(const Computation *computation, const char *name) {
  for (uint32_t i = 0; i < computation->instruction_count; i++)
    if (strcmp(computation->instructions[i]->name, name) == 0) return computation->instructions[i];
  return nullptr;
}

static bool same_window(const Window *a, const Window *b) {
  if (a == nullptr || b == nullptr) return a == b;
  if (a->rank != b->rank) return false;
  for (uint32_t i = 0; i < a->rank; i++) {
    const WindowDim *x = &a->dims[i], *y = &b->dims[i];
    if (x->size != y->size || x->stride != y->stride || x->pad_low != y->pad_low ||
        x->pad_high != y->pad_high || x->base_dilation != y->base_dilation ||
        x->window_dilation != y->window_dilation || x->reversal != y->reversal) {
      return false;
    }
  }
  return true;
}

static bool same_padding(const Instruction *a, const Instruction *b) {
  if (a->padding == nullptr || b->padding == nullptr) return a->padding == b->padding;
  for (uint32_t i = 0; i < a->shape->rank; i++) {
    const PadDim *x = &a->padding[i], *y = &b->padding[i];
    if (x->low != y->low || x->high != y->high || x->interior != y->interior) return false;
  }
  return true;
}

/* The numbers of a dot, a gather or a scatter. */
static bool same_numbers(const Instruction *a, const Instruction *b) {
  for (uint32_t i = 0; i < ATTRIBUTE_OTHER; i++) {
    const AttributeRow *row = &attribute_rows[i];
    if (row->owner == OWNER_SELF) continue;
    const void *x = attribute_field(a, row), *y = attribute_field(b, row);
    if (x == nullptr && y == nullptr) continue;
    if (x == nullptr || y == nullptr) return false;
    if (row->form == FORM_INT ? *(const int64_t *)x != *(const int64_t *)y
                              : !ints_equal(*(const Ints *)x, *(const Ints *)y))
      return false;
  }
  return true;
}

static bool same_convolution(const ConvolutionNumbers *a, const ConvolutionNumbers *b) {
  if (a == nullptr || b == nullptr) return a == b;
  return a->input_batch == b->input_batch && a->input_feature == b->input_feature &&
         a->kernel_input_feature == b->kernel_input_feature &&
         a->kernel_output_feature == b->kernel_output_feature &&
         a->output_batch == b->output_batch && a->output_feature == b->output_feature &&
         ints_equal(a->input_spatial, b->input_spatial) &&
         ints_equal(a->kernel_spatial, b->kernel_spatial) &&
         ints_equal(a->output_spatial, b->output_spatial);
}

static bool same_groups(const ReplicaGroups *a, const ReplicaGroups *b) {
  if (a == nullptr || b == nullptr) return a == b;
  if (a->count != b->count) return false;
  for (uint32_t i = 0; i < a->count; i++) {
    if (!ints_equal(a->groups[i], b->groups[i])) return false;
  }
  return true;
}

static bool same_attributes(
    uint32_t count, const Attribute *a, uint32_t other_count, const Attribute *b) {
  if (count != other_count) return false;
  for (uint32_t i = 0; i < count; i++) {
    if (!same_text(a[i].name, b[i].name) || !same_text(a[i].text, b[i].text)) return false;
  }
  return true;
}

static bool same_operands(const Instruction *a, const Instruction *b) {
  if (a->operand_count != b->operand_count) return false;
  for (uint32_t i = 0; i < a->operand_count; i++) {
    if (a->operands[i]->id != b->operands[i]->id) return false;
  }
  return true;
}

static bool same_called(const Instruction *a, const Instruction *b) {
  if (a->called_count != b->called_count) return false;
  for (uint32_t i = 0; i < a->called_count; i++) {
    if (!same_text(a->called[i]->name, b->called[i]->name) ||
        !same_text(a->called_roles[i], b->called_roles[i])) {
      return false;
    }
  }
  return true;
}

static bool same_instruction(
    const ComparePosition *location, const Instruction *a, const Instruction *b) {
  if (!same_text(a->name, b->name)) return compare_differ(location, "the name");
  if (a->opcode != b->opcode) return compare_differ(location, "the opcode");
  if (a->is_root != b->is_root || a->id != b->id) return compare_differ(location, "the place");
  if (!shape_equal(a->shape, b->shape)) return compare_differ(location, "the shape");
  if (!same_operands(a, b)) return compare_differ(location, "an operand");
  if (!same_called(a, b)) return compare_differ(location, "a called computation");
  if (!same_attributes(a->attribute_count, a->attributes, b->attribute_count, b->attributes)) {
    return compare_differ(location, "an attribute's text");
  }
  if (a->number != b->number || a->batch_group_count != b->batch_group_count ||
      a->channel_id != b->channel_id) {
    return compare_differ(location, "an attribute's number");
  }
  if (a->use_global_device_ids != b->use_global_device_ids || a->flag != b->flag)
    return compare_differ(location, "a flag");
  if (!ints_equal(a->dimensions, b->dimensions)) return compare_differ(location, "dimensions");
  if (!ints_equal(a->starts, b->starts) || !ints_equal(a->limits, b->limits) ||
      !ints_equal(a->strides, b->strides)) {
    return compare_differ(location, "a slice's range");
  }
  if (!ints_equal(a->sizes, b->sizes)) return compare_differ(location, "sizes");
  if (!same_padding(a, b)) return compare_differ(location, "padding");
  if (!same_window(a->window, b->window)) return compare_differ(location, "the window");
  if (!same_numbers(a, b) || !same_convolution(a->convolution, b->convolution))
    return compare_differ(location, "a dimension number");
  if (!same_groups(a->replica_groups, b->replica_groups) ||
      !ints_equal(a->source_target_pairs, b->source_target_pairs)) {
    return compare_differ(location, "a replica group");
  }
  if (!ints_equal(a->literal, b->literal) || !same_text(a->literal_text, b->literal_text)) {
    return compare_differ(location, "the literal");
  }
  return true;
}

static bool same_computation(const Computation *a, const Computation *b, Error *error) {
  ComparePosition location = {.computation = a->name, .instruction = "", .error = error};
  if (!same_text(a->name, b->name)) return compare_differ(&location, "the name");
  if (a->is_entry != b->is_entry || a->instruction_count != b->instruction_count ||
      a->parameter_count != b->parameter_count || a->root->id != b->root->id) {
    return compare_differ(&location, "entry, root or a count");
  }
  if (!same_attributes(a->attribute_count, a->attributes, b->attribute_count, b->attributes)) {
    return compare_differ(&location, "an attribute");
  }
  for (uint32_t i = 0; i < a->parameter_count; i++) {
    if (a->parameters[i]->id != b->parameters[i]->id)
      return compare_differ(&location, "a parameter's place");
  }
  for (uint32_t i = 0; i < a->instruction_count; i++) {
    location.instruction = a->instructions[i]->name;
    if (!same_instruction(&location, a->instructions[i], b->instructions[i])) return false;
  }
  return true;
}

bool hlo_same_graph(const Module *a, const Module *b, Error *error) {
  ComparePosition location = {.computation = "module", .instruction = "", .error = error};
  if (!same_text(a->name, b->name)) return compare_differ(&location, "the name");
  if (!same_text(a->header_rest, b->header_rest) || !same_text(a->stack_frames, b->stack_frames)) {
    return compare_differ(&location, "the header");
  }
  if (a->computation_count != b->computation_count)
    return compare_differ(&location, "the number of computations");
  for (uint32_t i = 0; i < a->computation_count; i++) {
    if (!same_computation(a->computations[i], b->computations[i], error)) return false;
  }
  return same_text(a->entry->name, b->entry->name) || compare_differ(&location, "the entry");
}
