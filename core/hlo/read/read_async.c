/* The short forms of async operations: if an opcode has no async forms of its own,
 * `<opcode>-start`, `-update` and `-done` are parsed as async-start, -update and -done. The started
 * operation becomes the root of a computation with one parameter for each operand. Attributes go to
 * the operation, except those about the start itself. An update or a done must name the operation
 * that was started. */
#include <assert.h>
#include <string.h>

#include "core/hlo/read/reader.h"

bool async_from_name(Slice word, Opcode *opcode, Opcode *wrapped) {
  static const struct {
    const char *ending;
    Opcode opcode;
  } forms[] = {
      {"-start", HLO_ASYNC_START}, {"-update", HLO_ASYNC_UPDATE}, {"-done", HLO_ASYNC_DONE}};
  for (uint32_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    size_t ending = strlen(forms[i].ending);
    if (word.length <= ending ||
        memcmp(word.text + word.length - ending, forms[i].ending, ending) != 0)
      continue;
    *opcode = forms[i].opcode;
    return opcode_from_name(word.text, word.length - ending, wrapped);
  }
  return false;
}

typedef enum AsyncSide : uint8_t { SIDE_OPERATION, SIDE_START, SIDE_BOTH } AsyncSide;

/* Whether an attribute of the short form belongs to the start, to its operation, or to both. */
static AsyncSide side_of(const char *attribute) {
  static const struct {
    const char *name;
    AsyncSide side;
  } sides[] = {
      {"async_execution_thread", SIDE_START},
      {"output_to_operand_aliasing", SIDE_START},
      {"control-predecessors", SIDE_START},
      {"sharding", SIDE_START},
      {"metadata", SIDE_BOTH},
      {"backend_config", SIDE_BOTH},
      {"frontend_attributes", SIDE_BOTH},
      {"origin", SIDE_BOTH},
      {"statistics", SIDE_BOTH},
  };
  for (uint32_t i = 0; i < sizeof sides / sizeof *sides; i++) {
    if (strcmp(sides[i].name, attribute) == 0) return sides[i].side;
  }
  return SIDE_OPERATION;
}

/* Distributes the attributes that were parsed for the operation. The start also gets the call as an
 * attribute. */
static void share_attributes(Reader *reader, Instruction *start, Instruction *operation) {
  uint32_t count = operation->attribute_count;
  assert(start->attribute_count == 0 && operation->parent != start->parent);
  start->attributes = ARENA_NEW(reader->arena, Attribute, (size_t)count + 1);
  start->attributes[start->attribute_count++] = (Attribute){
      .name = "calls",
      .text = arena_printf(reader->arena, "%%%s", operation->parent->name),
      .offset = start->offset,
  };
  operation->attribute_count = 0;
  for (uint32_t i = 0; i < count; i++) {
    Attribute attribute = operation->attributes[i];
    AsyncSide side = side_of(attribute.name);
    if (side != SIDE_OPERATION) start->attributes[start->attribute_count++] = attribute;
    if (side != SIDE_START) operation->attributes[operation->attribute_count++] = attribute;
  }
}

static Instruction *add_wrapped(
    Reader *reader, Computation *computation, Opcode opcode, const char *name, const Shape *shape) {
  Instruction *instruction = new_instruction(reader, computation, computation->offset);
  instruction->name = name;
  instruction->shape = shape;
  instruction->id = computation->instruction_count;
  set_opcode(reader, instruction, opcode);
  computation->instructions[computation->instruction_count++] = instruction;
  return instruction;
}

/* A computation with parameters for the start's operands and the operation as its root. */
static Computation *read_async_wrap(
    Reader *reader, const Instruction *start, Opcode opcode, const Shape *result) {
  Computation *computation = ARENA_NEW(reader->arena, Computation, 1);
  uint32_t count = start->operand_count;
  computation->name = arena_printf(reader->arena, "%s.wrapped.%zu", start->name, start->offset);
  computation->offset = start->offset;
  computation->parameter_count = count;
  computation->parameters = ARENA_NEW(reader->arena, Instruction *, count);
  computation->instructions = ARENA_NEW(reader->arena, Instruction *, (size_t)count + 1);
  for (uint32_t i = 0; i < count; i++) {
    const char *name = arena_printf(reader->arena, "param_%u", i);
    computation->parameters[i] =
        add_wrapped(reader, computation, HLO_PARAMETER, name, start->operands[i]->shape);
    computation->parameters[i]->number = i;
  }
  computation->root = add_wrapped(reader, computation, opcode, opcode_name(opcode), result);
  computation->root->is_root = true;
  computation->root->operand_count = count;
  computation->root->operands = computation->parameters;
  return computation;
}

static bool read_start(Reader *reader, Instruction *start, Opcode wrapped) {
  const Shape *shape = start->shape;
  if (shape == nullptr || !shape_is_tuple(shape) || shape->element_count < 2) {
    return read_fail(reader, ERROR_INPUT, start->offset, strlen(start->name),
        "an async start has the shape ((operands), result, ...)");
  }
  Computation *computation = read_async_wrap(reader, start, wrapped, shape->elements[1]);
  if (!read_attributes(reader, computation->root)) return false;
  share_attributes(reader, start, computation->root);
  start->called_count = 1;
  start->called = ARENA_NEW(reader->arena, Computation *, 1);
  start->called_roles = ARENA_NEW(reader->arena, const char *, 1);
  start->called[0] = computation;
  start->called_roles[0] = "calls";
  Slice name = {
      .text = computation->name, .length = strlen(computation->name), .offset = start->offset};
  return read_add_computation(reader, computation, name);
}

bool read_async_attributes(Reader *reader, Instruction *instruction, Opcode wrapped) {
  if (instruction->opcode == HLO_ASYNC_START) return read_start(reader, instruction, wrapped);
  *ARENA_PUSH(reader->scratch, &reader->uses) =
      (AsyncUse){.instruction = instruction, .wrapped = wrapped};
  return read_attributes(reader, instruction);
}

/* For each async instruction of the body, its start. One step each, because operands come
 * earlier. */
static const Instruction **starts_of(Reader *reader, const Computation *computation) {
  const Instruction **starts =
      ARENA_NEW(reader->scratch, const Instruction *, computation->instruction_count);
  for (uint32_t i = 0; i < computation->instruction_count; i++) {
    const Instruction *instruction = computation->instructions[i];
    bool follows =
        (instruction->opcode == HLO_ASYNC_UPDATE || instruction->opcode == HLO_ASYNC_DONE) &&
        instruction->operand_count == 1;
    if (instruction->opcode == HLO_ASYNC_START) starts[i] = instruction;
    if (follows) starts[i] = starts[instruction->operands[0]->id];
  }
  return starts;
}

static bool is_of(const Instruction *start, Opcode wrapped) {
  return start != nullptr && start->called_count == 1 && start->called[0] != nullptr &&
         start->called[0]->root->opcode == wrapped;
}

bool check_async_uses(Reader *reader, const Computation *computation, uint32_t first) {
  if (reader->uses.count == first) return true;
  const Instruction **starts = starts_of(reader, computation);
  for (uint32_t i = first; i < reader->uses.count; i++) {
    const AsyncUse *use = &reader->uses.items[i];
    assert(use->instruction->parent == computation);
    if (is_of(starts[use->instruction->id], use->wrapped)) continue;
    return read_fail(reader, ERROR_INPUT, use->instruction->offset, strlen(use->instruction->name),
        "the operand is not an async operation of '%s' that was started above",
        opcode_name(use->wrapped));
  }
  reader->uses.count = first;
  return true;
}
