/* One list of attributes, by the field of the instruction that holds them. */
#include "generate/test/classes/value_class.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/edges.h"

const char value_class_letters[] = "-01fme";
static_assert(sizeof value_class_letters == value_class_count + 1);

static bool is_edge(int64_t value) {
  for (uint32_t i = 0; i < edge_count; i++)
    if (edge_integers[i] == value && value != -1) return true;
  return false;
}

ValueClass value_class(int64_t value) {
  if (is_edge(value)) return VALUE_EDGE;
  if (value < 0) return VALUE_NEGATIVE;
  if (value <= 1) return value == 0 ? VALUE_ZERO : VALUE_ONE;
  return value < 16 ? VALUE_FEW : VALUE_MANY;
}

/* The attribute's row, or the first free one. */
static uint32_t row_of(const ClassRow *rows, const char *attribute) {
  uint32_t at = 0;
  while (at < class_row_capacity && rows[at].attribute != nullptr &&
         rows[at].attribute != attribute && strcmp(rows[at].attribute, attribute) != 0)
    at++;
  assert(at < class_row_capacity);
  return at;
}

const ClassRow *class_table_find(const ClassTable *table, Opcode opcode, const char *attribute) {
  const ClassRow *row = &table->rows[opcode][row_of(table->rows[opcode], attribute)];
  return row->attribute == nullptr ? nullptr : row;
}

typedef struct ValueClassVisit {
  ClassTable *table;
  const Instruction *at;
} ValueClassVisit;

static void value_class_note(const ValueClassVisit *visit, const char *attribute, int64_t value) {
  ClassRow *rows = visit->table->rows[visit->at->opcode], *row = &rows[row_of(rows, attribute)];
  row->attribute = attribute;
  row->seen[value_class(value)]++;
}

/* Records the number of integers, and each of them. */
static void note_ints(
    const ValueClassVisit *visit, const char *count, const char *attribute, Ints ints) {
  value_class_note(visit, count, ints.count);
  for (uint32_t i = 0; i < ints.count; i++) value_class_note(visit, attribute, ints.values[i]);
}

static void note_moving(const ValueClassVisit *visit) {
  const Instruction *at = visit->at;
  if (at->opcode == HLO_SLICE)
    for (uint32_t i = 0; i < at->starts.count; i++) {
      value_class_note(visit, "start", at->starts.values[i]);
      value_class_note(visit, "limit", at->limits.values[i]);
      value_class_note(visit, "stride", at->strides.values[i]);
    }
  for (uint32_t i = 0; at->padding != nullptr && i < at->shape->rank; i++) {
    value_class_note(visit, "low", at->padding[i].low);
    value_class_note(visit, "high", at->padding[i].high);
    value_class_note(visit, "interior", at->padding[i].interior);
  }
  if (at->dimensions.count > 0) note_ints(visit, "dimensions", "dimension", at->dimensions);
  if (at->sizes.count > 0) note_ints(visit, "sizes", "size", at->sizes);
}

static void note_window(const ValueClassVisit *visit) {
  const Window *window = visit->at->window;
  for (uint32_t i = 0; window != nullptr && i < window->rank; i++) {
    value_class_note(visit, "window size", window->dims[i].size);
    value_class_note(visit, "window stride", window->dims[i].stride);
    value_class_note(visit, "window low", window->dims[i].pad_low);
    value_class_note(visit, "window high", window->dims[i].pad_high);
    value_class_note(visit, "base dilation", window->dims[i].base_dilation);
    value_class_note(visit, "window dilation", window->dims[i].window_dilation);
    value_class_note(visit, "reversal", window->dims[i].reversal);
  }
}

static void note_contraction(const ValueClassVisit *visit) {
  const DotNumbers *dot = visit->at->dot;
  const ConvolutionNumbers *convolution = visit->at->convolution;
  if (dot != nullptr) {
    note_ints(visit, "lhs batch", "lhs batch dimension", dot->lhs_batch);
    note_ints(visit, "lhs contracting", "lhs contracting dimension", dot->lhs_contracting);
    note_ints(visit, "rhs batch", "rhs batch dimension", dot->rhs_batch);
    note_ints(visit, "rhs contracting", "rhs contracting dimension", dot->rhs_contracting);
  }
  if (convolution == nullptr) return;
  value_class_note(visit, "feature groups", visit->at->number);
  value_class_note(visit, "batch groups", visit->at->batch_group_count);
  value_class_note(visit, "input batch", convolution->input_batch);
  value_class_note(visit, "input feature", convolution->input_feature);
  value_class_note(visit, "kernel output feature", convolution->kernel_output_feature);
  value_class_note(visit, "output feature", convolution->output_feature);
  value_class_note(visit, "spatial", convolution->input_spatial.count);
}

static void note_gather(const ValueClassVisit *visit) {
  const GatherNumbers *gather = visit->at->gather;
  const ScatterNumbers *scatter = visit->at->scatter;
  if (gather != nullptr) {
    note_ints(visit, "offset dims", "offset dim", gather->offset_dims);
    note_ints(visit, "collapsed", "collapsed dim", gather->collapsed_slice_dims);
    note_ints(visit, "operand batching", "operand batching dim", gather->operand_batching_dims);
    note_ints(visit, "start index map", "start index", gather->start_index_map);
    note_ints(visit, "slice sizes", "slice size", gather->slice_sizes);
    value_class_note(visit, "index vector dim", gather->index_vector_dim);
  }
  if (scatter == nullptr) return;
  note_ints(visit, "update windows", "update window dim", scatter->update_window_dims);
  note_ints(visit, "inserted", "inserted dim", scatter->inserted_window_dims);
  note_ints(visit, "input batching", "input batching dim", scatter->input_batching_dims);
  note_ints(visit, "scatter dims", "scatter dim", scatter->scatter_dims_to_operand_dims);
  value_class_note(visit, "index vector dim", scatter->index_vector_dim);
}

static void note_devices(const ValueClassVisit *visit) {
  const Instruction *at = visit->at;
  if (opcode_family(at->opcode) != FAMILY_COLLECTIVE) return;
  value_class_note(visit, "channel", at->channel_id);
  value_class_note(visit, "global ids", at->use_global_device_ids);
  if (at->replica_groups != nullptr) value_class_note(visit, "groups", at->replica_groups->count);
  note_ints(visit, "pairs", "device of a pair", at->source_target_pairs);
}

static bool has_number(Opcode opcode) {
  return opcode == HLO_GET_TUPLE_ELEMENT || opcode == HLO_IOTA || opcode == HLO_TOPK ||
         opcode == HLO_SCAN;
}
static bool has_flag(Opcode opcode) {
  return opcode == HLO_SORT || opcode == HLO_CHOLESKY || opcode == HLO_TOPK ||
         opcode == HLO_TRIANGULAR_SOLVE || opcode == HLO_SCAN;
}

static void note_instruction(const ValueClassVisit *visit) {
  const Instruction *at = visit->at;
  if (at->opcode != HLO_PARAMETER && at->opcode != HLO_CONSTANT)
    value_class_note(visit, "operands", at->operand_count);
  if (shape_is_array(at->shape)) value_class_note(visit, "rank", at->shape->rank);
  for (uint32_t i = 0; i < at->literal.count; i++)
    value_class_note(visit, "value", at->literal.values[i]);
  if (has_number(at->opcode)) value_class_note(visit, "number", at->number);
  if (has_flag(at->opcode)) value_class_note(visit, "flag", at->flag);
  note_moving(visit);
  note_window(visit);
  note_contraction(visit);
  note_gather(visit);
  note_devices(visit);
}

void class_table_add(ClassTable *table, const Module *module) {
  for (uint32_t c = 0; c < module->computation_count; c++)
    for (uint32_t i = 0; i < module->computations[c]->instruction_count; i++)
      note_instruction(&(ValueClassVisit){table, module->computations[c]->instructions[i]});
}

static void row_write(Opcode opcode, const ClassRow *row, Text *text) {
  text_printf(text, "%-24s %-26s", opcode_name(opcode), row->attribute);
  for (uint32_t c = 0; c < value_class_count; c++)
    if (row->seen[c] > 0) text_printf(text, " %c %" PRIu64, value_class_letters[c], row->seen[c]);
  text_string(text, "\n");
}

void class_table_write(const ClassTable *table, Text *text) {
  for (uint32_t o = 0; o < opcode_count; o++)
    for (uint32_t i = 0; i < class_row_capacity && table->rows[o][i].attribute != nullptr; i++)
      row_write((Opcode)o, &table->rows[o][i], text);
}
