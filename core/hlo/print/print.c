/* Prints modules. An instruction's attributes are printed as they were written. Attributes that
 * exist only as fields, because the graph was not parsed from a text, are printed from the fields
 * unless they are the default. Names have a '%', so that no name is taken for a keyword or a
 * type. */
#include "core/hlo/print/print.h"

#include <assert.h>
#include <inttypes.h>

#include "core/hlo/print/print_fields.h"

static void print_zero(Text *text, ElementType type) {
  text_string(text, type == TYPE_pred ? "false" : element_type_is_complex(type) ? "(0, 0)" : "0");
}

static void print_value(Text *text, ElementType type, int64_t value) {
  if (type == TYPE_pred) text_string(text, value != 0 ? "true" : "false");
  else if (type == TYPE_u64) text_printf(text, "%" PRIu64, (uint64_t)value);
  else text_integer(text, value);
}

/* The number of inner dimensions that begin with the element at `index`, or end with the one before
 * it. */
static uint32_t boundaries(const Shape *shape, int64_t index) {
  uint32_t count = 0;
  for (uint32_t i = shape->rank; i-- > 0; count++) {
    assert(shape->sizes[i] > 0);
    if (index % shape->sizes[i] != 0) break;
    index /= shape->sizes[i];
  }
  return count;
}

static void print_repeated(Text *text, const char *what, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) text_string(text, what);
}

static void print_values(Text *text, const Shape *shape, Ints values) {
  for (uint32_t i = 0; i < values.count; i++) {
    if (i > 0) text_string(text, ", ");
    print_repeated(text, "{", boundaries(shape, i));
    print_value(text, shape->type, values.values[i]);
    print_repeated(text, "}", boundaries(shape, (int64_t)i + 1));
  }
}

/* An array without elements: braces down to the first dimension of size 0. */
static void print_empty(Text *text, const Shape *shape, uint32_t dimension) {
  assert(dimension < shape->rank);
  text_string(text, "{");
  for (int64_t i = 0; i < shape->sizes[dimension]; i++) {
    if (i > 0) text_string(text, ", ");
    print_empty(text, shape, dimension + 1);
  }
  text_string(text, "}");
}

/* A constant with neither text nor values prints as elided, a scalar one as zero. */
static void print_literal(Text *text, const Instruction *constant) {
  const Shape *shape = constant->shape;
  if (constant->literal_text != nullptr) text_string(text, constant->literal_text);
  else if (constant->literal.count > 0) print_values(text, shape, constant->literal);
  else if (shape_is_array(shape) && shape_elements(shape) == 0) print_empty(text, shape, 0);
  else if (shape_is_array(shape) && shape->rank == 0) print_zero(text, shape->type);
  else text_string(text, "{...}");
}

static void print_arguments(Text *text, const Instruction *instruction) {
  if (instruction->opcode == HLO_PARAMETER) text_integer(text, instruction->number);
  if (instruction->opcode == HLO_CONSTANT) print_literal(text, instruction);
  for (uint32_t i = 0; i < instruction->operand_count; i++) {
    text_string(text, i > 0 ? ", %" : "%");
    text_string(text, instruction->operands[i]->name);
  }
}

static void print_attributes(Text *text, uint32_t count, const Attribute *attributes) {
  for (uint32_t i = 0; i < count; i++) {
    text_string(text, ", ");
    text_string(text, attributes[i].name);
    text_string(text, "=");
    text_string(text, attributes[i].text);
  }
}

void hlo_print_instruction(Text *text, const Instruction *instruction) {
  text_string(text, instruction->is_root ? "ROOT %" : "%");
  text_string(text, instruction->name);
  text_string(text, " = ");
  shape_print(text, instruction->shape);
  text_string(text, " ");
  text_string(text, opcode_name(instruction->opcode));
  text_string(text, "(");
  print_arguments(text, instruction);
  text_string(text, ")");
  print_attributes(text, instruction->attribute_count, instruction->attributes);
  print_fields(text, instruction);
}

void hlo_print_computation(Text *text, const Computation *computation) {
  text_string(text, computation->is_entry ? "ENTRY %" : "%");
  text_string(text, computation->name);
  text_string(text, " {\n");
  for (uint32_t i = 0; i < computation->instruction_count; i++) {
    text_string(text, "  ");
    hlo_print_instruction(text, computation->instructions[i]);
    text_string(text, "\n");
  }
  text_string(text, "}");
  print_attributes(text, computation->attribute_count, computation->attributes);
  text_string(text, "\n");
}

void hlo_print(Text *text, const Module *module) {
  assert(module->name != nullptr && module->entry != nullptr);
  text_string(text, "HloModule ");
  text_string(text, module->name);
  if (module->header_rest != nullptr) {
    text_string(text, ", ");
    text_string(text, module->header_rest);
  }
  text_string(text, "\n");
  if (module->stack_frames != nullptr) {
    text_string(text, "\n");
    text_string(text, module->stack_frames);
    text_string(text, "\n");
  }
  for (uint32_t i = 0; i < module->computation_count; i++) {
    text_string(text, "\n");
    hlo_print_computation(text, module->computations[i]);
  }
}
