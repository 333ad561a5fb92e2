/* Operands in parentheses: each is a name with an optional shape before it, or an instruction
 * without a name, which is added before its user. Two forms imply instructions:
 *   %t#1#0   get-tuple-element of index 0 of that of index 1 of %t; one for each path in a body
 *   dynamic-slice(%x, %indices), dynamic-update-slice(%x, %u, %indices)   with one vector of all
 *            indices: its scalars, each a slice and a reshape of the vector. */
#include <inttypes.h>
#include <string.h>

#include "core/hlo/read/reader.h"

static constexpr uint32_t most_index_scalars = 65536;

/* opcode(...) or f32[2] opcode(...) in place of an operand's name. Attributes that follow belong to
 * its user. */
static bool read_nested_operand(Body *body, Instruction **operand) {
  Reader *reader = body->reader;
  Instruction *nested = new_instruction(reader, body->computation, reader->scan.at);
  nested->name = arena_printf(reader->arena, "nested.%zu", nested->offset);
  if (!read_deeper(reader) || !reader->definition_rule(body, nested, false)) return false;
  reader->depth--;
  body_imply(body, nested);
  *operand = nested;
  return true;
}

static bool operand_shape_agrees(
    Reader *reader, size_t start, const Shape *declared, const Instruction *operand) {
  if (declared == nullptr || shape_compatible(declared, operand->shape)) return true;
  Text text = text_create(reader->arena);
  shape_print(&text, operand->shape);
  return read_fail(reader, ERROR_INPUT, start, reader->scan.at - start, "'%s' has the shape %.200s",
      operand->name, text.bytes);
}

/* Adds an instruction of one operand that the text implies at `offset`. */
static Instruction *add_implied(Body *body, size_t offset, const char *wanted, Opcode opcode,
    Instruction *operand, const Shape *shape) {
  Reader *reader = body->reader;
  Instruction *implied = new_instruction(reader, body->computation, offset);
  set_opcode(reader, implied, opcode);
  implied->name = wanted;
  implied->shape = shape;
  implied->operand_count = 1;
  implied->operands = ARENA_NEW(reader->arena, Instruction *, 1);
  implied->operands[0] = operand;
  body_add(body, implied);
  body_imply(body, implied);
  return implied;
}

static void add_attribute(
    Reader *reader, Instruction *implied, const char *name, const char *text) {
  implied->attribute_count = 1;
  implied->attributes = ARENA_NEW(reader->arena, Attribute, 1);
  implied->attributes[0] = (Attribute){.name = name, .text = text, .offset = implied->offset};
}

static Instruction *add_element(Body *body, size_t offset, Instruction *tuple, uint32_t index) {
  Arena *arena = body->reader->arena;
  const char *wanted = arena_printf(arena, "%s.element.%u", tuple->name, index);
  Instruction *element = add_implied(
      body, offset, wanted, HLO_GET_TUPLE_ELEMENT, tuple, tuple->shape->elements[index]);
  element->number = index;
  add_attribute(body->reader, element, "index", arena_printf(arena, "%u", index));
  return element;
}

/* #1#0 after a name. Elements are looked up by their text, so that each path is added once. */
static bool read_elements(Body *body, Slice name, Instruction **operand) {
  Reader *reader = body->reader;
  Scanner *scan = &reader->scan;
  while (scan_accept(scan, '#')) {
    int64_t index;
    size_t start = (scan_blanks(scan), scan->at);
    if (!scan_integer(scan, &index, "the number of a tuple's element")) return false;
    const Shape *shape = (*operand)->shape;
    if (!shape_is_tuple(shape) || index < 0 || index >= shape->element_count) {
      return read_fail(reader, ERROR_INPUT, start, scan->at - start,
          "'%.100s' has no element %" PRId64, (*operand)->name, index);
    }
    Slice path = scan_slice(scan, name.offset);
    Instruction *element = names_find(&reader->names, body->scope, path.text, path.length);
    if (element == nullptr) {
      element = add_element(body, name.offset, *operand, (uint32_t)index);
      if (!names_add(&reader->names, reader->scratch, body->scope, path.text, path.length, element))
        return read_fail(reader, ERROR_INPUT, start, 1, "the name of an element is taken");
    }
    *operand = element;
  }
  return true;
}

static bool read_operand(Body *body, Instruction **operand) {
  Reader *reader = body->reader;
  Scanner *scan = &reader->scan;
  size_t start = (scan_blanks(scan), scan->at);
  const Shape *declared = nullptr;
  if (read_is_shape(reader) && !read_shared_shape(reader, &declared)) return false;
  Slice name;
  if (!scan_name(scan, &name, "an operand")) return false;
  if (scan_peek(scan) == '(') {
    scan->at = start;
    return read_nested_operand(body, operand);
  }
  *operand = names_find(&reader->names, body->scope, name.text, name.length);
  if (*operand == nullptr) {
    return read_fail(reader, ERROR_INPUT, name.offset, name.length,
        "no instruction '%.*s' is defined above in this computation",
        (int)(name.length < 100 ? name.length : 100), name.text);
  }
  return read_elements(body, name, operand) &&
         operand_shape_agrees(reader, start, declared, *operand);
}

/* One scalar of an index vector: slice {[at:at+1]}, reshaped to rank 0. */
static bool add_index_scalar(
    Body *body, size_t offset, Instruction *vector, uint32_t at, Instruction **scalar) {
  Reader *reader = body->reader;
  const Shape *one, *none;
  static const int64_t size = 1;
  if (!shape_array(reader->arena, vector->shape->type, 1, &size, &one, reader->scan.error) ||
      !shape_array(reader->arena, vector->shape->type, 0, nullptr, &none, reader->scan.error))
    return false;
  const char *name = arena_printf(reader->arena, "%s.slice.%u", vector->name, at);
  Instruction *slice = add_implied(body, offset, name, HLO_SLICE, vector, one);
  int64_t *ranges = ARENA_NEW(reader->arena, int64_t, 3);
  ranges[0] = at, ranges[1] = (int64_t)at + 1, ranges[2] = 1;
  slice->starts = (Ints){.count = 1, .values = &ranges[0]};
  slice->limits = (Ints){.count = 1, .values = &ranges[1]};
  slice->strides = (Ints){.count = 1, .values = &ranges[2]};
  add_attribute(
      reader, slice, "slice", arena_printf(reader->arena, "{[%u:%" PRId64 "]}", at, ranges[1]));
  name = arena_printf(reader->arena, "%s.index.%u", vector->name, at);
  *scalar = add_implied(body, offset, name, HLO_RESHAPE, slice, none);
  return true;
}

/* The position of the first index among the operands; UINT32_MAX for other operations. */
static uint32_t first_index(Opcode opcode) {
  return opcode == HLO_DYNAMIC_SLICE ? 1 : opcode == HLO_DYNAMIC_UPDATE_SLICE ? 2 : UINT32_MAX;
}

static bool is_index_vector(const Instruction *instruction, uint32_t first) {
  if (instruction->operand_count - 1 != first) return false;
  const Shape *sliced = instruction->operands[0]->shape,
              *vector = instruction->operands[first]->shape;
  return shape_is_array(sliced) && shape_is_array(vector) && vector->rank == 1 &&
         vector->sizes[0] == sliced->rank && element_type_is_integral(vector->type);
}

static bool split_index_vector(Body *body, Instruction *instruction) {
  Reader *reader = body->reader;
  uint32_t first = first_index(instruction->opcode);
  if (instruction->operand_count == 0 || !is_index_vector(instruction, first)) return true;
  Instruction *vector = instruction->operands[first];
  uint32_t rank = instruction->operands[0]->shape->rank;
  reader->index_scalars += rank;
  if (reader->index_scalars > most_index_scalars) {
    return read_fail(reader, ERROR_LIMIT, instruction->offset, 1,
        "the module's vectors of indices have more than %u scalars", most_index_scalars);
  }
  Instruction **operands = ARENA_NEW(reader->arena, Instruction *, (size_t)first + rank);
  memcpy((void *)operands, (const void *)instruction->operands, first * sizeof *operands);
  for (uint32_t i = 0; i < rank; i++)
    if (!add_index_scalar(body, instruction->offset, vector, i, &operands[first + i])) return false;
  instruction->operands = operands;
  instruction->operand_count = first + rank;
  return true;
}

bool read_operands(Body *body, Instruction *instruction) {
  Reader *reader = body->reader;
  uint32_t first = reader->operands.count;
  if (!scan_expect(&reader->scan, '(', "before the operands")) return false;
  if (!scan_accept(&reader->scan, ')')) {
    do {
      Instruction *operand;
      if (!read_operand(body, &operand)) return false;
      *ARENA_PUSH(reader->scratch, &reader->operands) = operand;
    } while (scan_accept(&reader->scan, ','));
    if (!scan_expect(&reader->scan, ')', "after the operands")) return false;
  }
  instruction->operands =
      take_instructions(reader, &reader->operands, first, &instruction->operand_count);
  return split_index_vector(body, instruction);
}
