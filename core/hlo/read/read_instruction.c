/* Parses a computation's body: instructions in order, each operand defined above its use. A
 * definition is
 *   [ROOT] name = [shape] opcode(operands), attributes
 * A missing shape is inferred from the operation; all inferred shapes together have at most
 * 1,048,576 dimensions and elements. */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "core/hlo/verify/check.h"
#include "core/hlo/read/reader.h"

static bool read_parameter_number(Body *body, Instruction *instruction) {
  Scanner *scan = &body->reader->scan;
  if (!scan_expect(scan, '(', "before the parameter's number")) return false;
  size_t start = (scan_blanks(scan), scan->at);
  if (!scan_integer(scan, &instruction->number, "the parameter's number")) return false;
  if (instruction->number < 0 || instruction->number >= INT32_MAX) {
    return read_fail(body->reader, ERROR_INPUT, start, scan->at - start,
        "a parameter's number is from 0 to %d", INT32_MAX - 1);
  }
  body->parameters++;
  return scan_expect(scan, ')', "after the parameter's number");
}

static bool read_constant(Body *body, Instruction *instruction) {
  Reader *reader = body->reader;
  Scanner *scan = &reader->scan;
  if (!scan_expect(scan, '(', "before the literal")) return false;
  size_t start = (scan_blanks(scan), scan->at);
  if (instruction->shape == nullptr) return scan_fail(scan, "a shape before 'constant'");
  if (!read_literal(reader, instruction->shape, &instruction->literal)) return false;
  instruction->literal_text = scan_copy_uncommented(reader->arena, scan, start);
  return scan_expect(scan, ')', "after the literal");
}

/* Parses the opcode. For a short async form sets `is_wrapped`, and `wrapped` to the operation
 * inside. */
static bool read_opcode(Reader *reader, Opcode *opcode, Opcode *wrapped, bool *is_wrapped) {
  Slice word;
  if (!scan_accept_word(&reader->scan, &word)) return scan_fail(&reader->scan, "an opcode");
  if (opcode_from_name(word.text, word.length, opcode)) return true;
  *is_wrapped = async_from_name(word, opcode, wrapped);
  if (*is_wrapped) return true;
  return read_fail(reader, ERROR_INPUT, word.offset, word.length, "'%.*s' is %s",
      (int)(word.length < 100 ? word.length : 100), word.text,
      scan_peek(&reader->scan) == '[' ? "no element type" : "not an opcode");
}

static bool knows_called(const Instruction *instruction) {
  for (uint32_t i = 0; i < instruction->called_count; i++) {
    if (instruction->called[i] == nullptr) return false;
  }
  return true;
}

static constexpr uint64_t most_inferred = 1 << 20;

/* Inferred shapes could grow without bound: each tuple may contain the one before it twice. */
static bool count_inferred(uint64_t *count, const Shape *shape, uint32_t depth) {
  *count += 1 + (uint64_t)shape->rank;
  if (*count > most_inferred || depth == deepest_nesting) return false;
  for (uint32_t i = 0; i < shape->element_count; i++) {
    if (!count_inferred(count, shape->elements[i], depth + 1)) return false;
  }
  return true;
}

static bool infer_missing_shape(Body *body, Instruction *instruction) {
  if (instruction->shape != nullptr) return true;
  Reader *reader = body->reader;
  Check check = {.arena = reader->arena,
      .source = reader->scan.source,
      .instruction = instruction,
      .error = reader->scan.error};
  if (knows_called(instruction)) {
    const Shape *inferred; /* the rules see that none is written */
    if (!infer_shape(&check, &inferred)) return false;
    instruction->shape = inferred;
    if (instruction->shape != nullptr && count_inferred(&reader->inferred, instruction->shape, 0))
      return true;
    if (instruction->shape != nullptr) {
      return read_fail(reader, ERROR_LIMIT, instruction->offset, 1,
          "the shapes that are left out grow too large");
    }
  }
  return read_fail(reader, ERROR_INPUT, instruction->offset, 1,
      "'%s' needs a shape before its opcode", opcode_name(instruction->opcode));
}

static bool read_arguments(Body *body, Instruction *instruction) {
  if (instruction->opcode == HLO_PARAMETER) return read_parameter_number(body, instruction);
  if (instruction->opcode == HLO_CONSTANT) return read_constant(body, instruction);
  return read_operands(body, instruction);
}

static bool read_rest(Reader *reader, Instruction *instruction, bool is_wrapped, Opcode wrapped) {
  if (!is_wrapped) return read_attributes(reader, instruction);
  return read_async_attributes(reader, instruction, wrapped);
}

bool read_definition(Body *body, Instruction *instruction, bool has_attributes) {
  Reader *reader = body->reader;
  Opcode opcode = HLO_ABS, wrapped = HLO_ABS;
  bool is_wrapped = false;
  if (read_is_shape(reader) && !read_shared_shape(reader, &instruction->shape)) return false;
  if (!read_opcode(reader, &opcode, &wrapped, &is_wrapped)) return false;
  set_opcode(reader, instruction, opcode);
  if (!read_arguments(body, instruction)) return false;
  bool read = has_attributes ? read_rest(reader, instruction, is_wrapped, wrapped)
                             : read_no_attributes(reader, instruction);
  if (!read || !infer_missing_shape(body, instruction)) return false;
  body_add(body, instruction);
  return true;
}

static bool read_named_instruction(Body *body) {
  Reader *reader = body->reader;
  Scanner *scan = &reader->scan;
  size_t start = (scan_blanks(scan), scan->at);
  bool is_root = scan_accept_keyword(scan, "ROOT");
  Slice name;
  if (!scan_name(scan, &name, "an instruction's name or '}'") ||
      !scan_expect(scan, '=', "after the instruction's name")) {
    return false;
  }
  if (is_root && body->computation->root != nullptr) {
    return read_fail(reader, ERROR_INPUT, start, 4, "a second ROOT in one computation");
  }
  Instruction *instruction = new_instruction(reader, body->computation, name.offset);
  instruction->name = slice_copy(reader->arena, name);
  instruction->is_root = is_root;
  if (is_root) body->computation->root = instruction;
  if (!read_definition(body, instruction, true)) return false;
  if (names_add(&reader->names, reader->scratch, body->scope, instruction->name, name.length,
          instruction))
    return true;
  return read_fail(reader, ERROR_INPUT, name.offset, name.length,
      "a second instruction '%.100s' in one computation", instruction->name);
}

static bool position_parameter(Body *body, Instruction *parameter) {
  Computation *computation = body->computation;
  if (parameter->number >= computation->parameter_count) {
    return read_fail(body->reader, ERROR_INPUT, parameter->offset, strlen(parameter->name),
        "parameter %" PRId64 " of a computation with %s; the numbers start at 0", parameter->number,
        counted(computation->parameter_count, "parameter"));
  }
  if (computation->parameters[parameter->number] != nullptr) {
    return read_fail(body->reader, ERROR_INPUT, parameter->offset, strlen(parameter->name),
        "a second parameter %" PRId64, parameter->number);
  }
  computation->parameters[parameter->number] = parameter;
  return true;
}

/* {%a, b}. The names are looked up when the whole body is read, to find those below too. */
static bool read_predecessors(Body *body, Instruction *instruction) {
  const Attribute *attribute = instruction_attribute(instruction, "control-predecessors");
  if (attribute == nullptr) return true;
  Reader *reader = body->reader;
  Scanner scan = reader->scan;
  PredecessorList list = {};
  scan.at = attribute->offset + strlen(attribute->name);
  if (!scan_expect(&scan, '=', "before control predecessors") ||
      !scan_expect(&scan, '{', "before control predecessors"))
    return false;
  if (scan_accept(&scan, '}')) return true;
  do {
    Slice name;
    if (!scan_name(&scan, &name, "a control predecessor")) return false;
    const Instruction *found = names_find(&reader->names, body->scope, name.text, name.length);
    *ARENA_PUSH(reader->scratch, &list) =
        (ControlPredecessor){.name = slice_copy(reader->arena, name),
            .position = found == nullptr ? UINT32_MAX : found->id};
  } while (scan_accept(&scan, ','));
  instruction->predecessor_count = list.count;
  instruction->predecessors =
      arena_grow(reader->arena, list.items, list.count, list.count, sizeof *list.items);
  return scan_expect(&scan, '}', "after control predecessors");
}

static bool finish_body(Body *body) {
  Computation *computation = body->computation;
  body_name_implied(body);
  computation->instructions = take_instructions(
      body->reader, &body->reader->body, body->first, &computation->instruction_count);
  assert(computation->instruction_count > 0);
  if (computation->root == nullptr)
    computation->root = computation->instructions[computation->instruction_count - 1];
  computation->root->is_root = true;
  computation->parameter_count = body->parameters;
  computation->parameters = ARENA_NEW(body->reader->arena, Instruction *, body->parameters);
  for (uint32_t i = 0; i < computation->instruction_count; i++) {
    Instruction *instruction = computation->instructions[i];
    if (instruction->opcode == HLO_PARAMETER && !position_parameter(body, instruction))
      return false;
    if (!read_predecessors(body, instruction)) return false;
  }
  return check_async_uses(body->reader, computation, body->first_use);
}

bool read_instructions(Reader *reader, Computation *computation) {
  Body body = {.reader = reader,
      .computation = computation,
      .scope = ++reader->scopes,
      .first = reader->body.count,
      .first_use = reader->uses.count,
      .first_implied = reader->implied.count};
  if (!scan_expect(&reader->scan, '{', "before the instructions")) return false;
  do {
    if (!read_named_instruction(&body)) return false;
  } while (!scan_accept(&reader->scan, '}'));
  return finish_body(&body);
}
