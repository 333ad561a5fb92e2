/* Parses aliasing statements from the text in the graph: a list of `{OUTPUT}: (NUMBER, {LEAF},
 * ..)`. Tuple indices are converted to leaves. */
#include "judge/graphs/hazards.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "judge/graphs/hazard_kernel.h"

typedef struct AliasStatement {
  uint32_t output, number, leaf;
} AliasStatement;

typedef struct AliasStatements {
  uint32_t count, capacity;
  AliasStatement *items;
} AliasStatements;

static void skip_separators(const char **at) {
  while (isspace((unsigned char)**at) || **at == ',') ++*at;
}

/* Parses `{}`, `{1}` or `{1, 0}` as a leaf of the shape. */
static bool read_leaf(const char **at, const Shape *shape, uint32_t *leaf) {
  *leaf = 0;
  skip_separators(at);
  if (*(*at)++ != '{') return false;
  for (skip_separators(at); **at != '}'; skip_separators(at)) {
    char *end;
    uint64_t index = strtoull(*at, &end, 10);
    if (end == *at || !shape_is_tuple(shape) || index >= shape->element_count) return false;
    *leaf += shape_leaf_offset(shape, (uint32_t)index);
    shape = shape->elements[index];
    *at = end;
  }
  ++*at;
  return true;
}

/* Parses the text after the opening brace; `output` and `numbered` have the shapes that may be
 * aliased. */
static bool read_statements(Arena *arena, const char *at, const Shape *output,
    const Instruction *const *numbered, uint32_t count, AliasStatements *statements) {
  for (skip_separators(&at); *at == '{'; skip_separators(&at)) {
    AliasStatement *made = ARENA_PUSH(arena, statements);
    char *end;
    if (!read_leaf(&at, output, &made->output)) return false;
    skip_separators(&at);
    if (*at++ != ':') return false;
    skip_separators(&at);
    if (*at++ != '(') return false;
    made->number = (uint32_t)strtoul(at, &end, 10);
    if (end == at || made->number >= count) return false;
    at = end;
    if (!read_leaf(&at, numbered[made->number]->shape, &made->leaf)) return false;
    at += strcspn(at, ")");
    if (*at++ != ')') return false;
  }
  return *at == '}' || *at == 0;
}

static void add_pair(Arena *arena, HazardPairs *pairs, const Instruction *fusion, const char *why,
    uint32_t output, uint32_t parameter, uint32_t leaf) {
  for (uint32_t i = 0; i < pairs->count; i++)
    if (pairs->items[i].fusion == fusion && pairs->items[i].question.output == output &&
        pairs->items[i].question.parameter == parameter &&
        pairs->items[i].question.parameter_leaf == leaf)
      return;
  *ARENA_PUSH(arena, pairs) = (HazardPair){.fusion = fusion,
      .why = why,
      .question = {.kernel = fusion->called[0],
          .output = output,
          .parameter = parameter,
          .parameter_leaf = leaf}};
}

static bool add_fusion(Arena *arena, const Instruction *fusion, HazardPairs *pairs, Error *error) {
  AliasStatements statements = {};
  uint32_t parameter, leaf;
  const Attribute *stated = instruction_attribute(fusion, "output_to_operand_aliasing");
  if (stated != nullptr &&
      !read_statements(arena, stated->text + (stated->text[0] == '{'), fusion->shape,
          (const Instruction *const *)fusion->operands, fusion->operand_count, &statements))
    return error_set(error, ERROR_INPUT, "fusion '%s': output_to_operand_aliasing=%s is not read",
        fusion->name, stated->text);
  for (uint32_t i = 0; i < statements.count; i++)
    add_pair(arena, pairs, fusion, "output_to_operand_aliasing", statements.items[i].output,
        statements.items[i].number, statements.items[i].leaf);
  for (uint32_t i = 0; i < shape_leaf_count(fusion->shape); i++)
    if (oracle_hazard_updates(arena, fusion->called[0], i, &parameter, &leaf))
      add_pair(arena, pairs, fusion, "update in place", i, parameter, leaf);
  return true;
}

/* Skips operations that leave memory unchanged. */
static void resolve(const Instruction **instruction, uint32_t *leaf) {
  for (;;) {
    Opcode opcode = (*instruction)->opcode;
    const Instruction *from = nullptr;
    if (opcode == HLO_BITCAST || opcode == HLO_RESHAPE) from = (*instruction)->operands[0];
    else if (opcode == HLO_GET_TUPLE_ELEMENT) {
      from = (*instruction)->operands[0];
      *leaf += shape_leaf_offset(from->shape, (uint32_t)(*instruction)->number);
    }
    for (uint32_t i = 0; opcode == HLO_TUPLE && i < (*instruction)->operand_count; i++) {
      uint32_t leaves = shape_leaf_count((*instruction)->operands[i]->shape);
      from = (*instruction)->operands[i];
      if (*leaf < leaves) break;
      *leaf -= leaves;
      from = nullptr;
    }
    if (from == nullptr) return;
    *instruction = from;
  }
}

static bool reads_buffer(const Instruction *reader, AliasStatement shared) {
  for (uint32_t i = 0; i < reader->operand_count; i++)
    for (uint32_t k = 0; k < shape_leaf_count(reader->operands[i]->shape); k++) {
      uint32_t leaf = k, parameter = 0;
      if (hazard_parameter_of(reader->operands[i], &leaf, &parameter) &&
          parameter == shared.number && leaf == shared.leaf)
        return true;
    }
  return false;
}

static bool moves_nothing(Opcode opcode) {
  return opcode == HLO_BITCAST || opcode == HLO_RESHAPE || opcode == HLO_TUPLE ||
         opcode == HLO_GET_TUPLE_ELEMENT;
}

/* Pairs an update of the shared buffer with every later instruction that reads the old buffer.
 * Without a schedule the compiler may still run the reader first, so nothing is added. */
static void add_update(Arena *arena, const Instruction *update, AliasStatement shared,
    bool is_scheduled, HazardPairs *pairs) {
  const Computation *computation = update->parent;
  uint32_t leaf = 0, parameter = 0;
  if (!is_scheduled || update->opcode != HLO_DYNAMIC_UPDATE_SLICE ||
      !hazard_parameter_of(update->operands[0], &leaf, &parameter) || parameter != shared.number ||
      leaf != shared.leaf)
    return;
  for (uint32_t i = update->id + 1; i < computation->instruction_count; i++) {
    const Instruction *reader = computation->instructions[i];
    if (moves_nothing(reader->opcode) || !reads_buffer(reader, shared)) continue;
    *ARENA_PUSH(arena, pairs) = (HazardPair){.fusion = reader,
        .why = arena_printf(arena, "after '%s' in place", update->name),
        .question = {
            .kernel = hazard_kernel(arena, update, reader, parameter, leaf), .reads_after = true}};
  }
}

/* For a parameter leaf and an output leaf of a computation that share a buffer: adds the fusion
 * that makes the output from that leaf, or the update in place. */
static void add_shared(Arena *arena, const Computation *computation, AliasStatement shared,
    const char *why, bool is_scheduled, HazardPairs *pairs) {
  const Instruction *maker = computation->root;
  uint32_t output = shared.output;
  resolve(&maker, &output);
  add_update(arena, maker, shared, is_scheduled, pairs);
  if (maker->opcode != HLO_FUSION || maker->called_count != 1) return;
  for (uint32_t i = 0; i < maker->operand_count; i++)
    for (uint32_t k = 0; k < shape_leaf_count(maker->operands[i]->shape); k++) {
      const Instruction *from = maker->operands[i];
      uint32_t leaf = k;
      resolve(&from, &leaf);
      if (from->opcode == HLO_PARAMETER && from->number == shared.number && leaf == shared.leaf)
        add_pair(arena, pairs, maker, why, output, i, k);
    }
}

/* True if instructions run in the order of the text. */
static bool is_scheduled(const Module *module) {
  return module->header_rest != nullptr &&
         strstr(module->header_rest, "is_scheduled=true") != nullptr;
}

static bool add_module(Arena *arena, const Module *module, HazardPairs *pairs, Error *error) {
  static const char head[] = "input_output_alias={";
  AliasStatements statements = {};
  const Computation *entry = module->entry;
  const char *stated = module->header_rest == nullptr ? nullptr : strstr(module->header_rest, head);
  if (stated == nullptr || entry == nullptr) return true;
  if (!read_statements(arena, stated + sizeof head - 1, entry->root->shape,
          (const Instruction *const *)entry->parameters, entry->parameter_count, &statements))
    return error_set(error, ERROR_INPUT, "%.60s: not read", stated);
  for (uint32_t i = 0; i < statements.count; i++)
    add_shared(
        arena, entry, statements.items[i], "input_output_alias", is_scheduled(module), pairs);
  return true;
}

static void add_loop(Arena *arena, const Instruction *loop, bool has_schedule, HazardPairs *pairs) {
  for (uint32_t i = 0; i < loop->called_count; i++) {
    const Computation *body = loop->called[i];
    if (strcmp(loop->called_roles[i], "body") != 0 || body->parameter_count != 1) continue;
    for (uint32_t leaf = 0; leaf < shape_leaf_count(body->root->shape); leaf++)
      add_shared(
          arena, body, (AliasStatement){leaf, 0, leaf}, "leaf of a loop", has_schedule, pairs);
  }
}

bool hazard_pairs(Arena *arena, const Module *module, HazardPairs *pairs, Error *error) {
  *pairs = (HazardPairs){};
  for (uint32_t i = 0; i < module->computation_count; i++)
    for (uint32_t k = 0; k < module->computations[i]->instruction_count; k++) {
      const Instruction *instruction = module->computations[i]->instructions[k];
      if (instruction->opcode == HLO_FUSION && instruction->called_count == 1 &&
          !add_fusion(arena, instruction, pairs, error))
        return false;
      if (instruction->opcode == HLO_WHILE)
        add_loop(arena, instruction, is_scheduled(module), pairs);
    }
  if (!add_module(arena, module, pairs, error)) return false;
  for (uint32_t i = 0; i < pairs->count; i++)
    pairs->items[i].question.unbounded = pairs->items[i].fusion->parent->unbounded;
  return true;
}
