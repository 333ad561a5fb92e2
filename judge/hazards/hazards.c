/* Pairs each write into a buffer with what reads an older value of it. */
#include "judge/hazards/hazards.h"

#include <string.h>

#include "judge/hazards/alias.h"
#include "judge/hazards/buffer_describe.h"
#include "judge/hazards/buffer_update.h"
#include "judge/hazards/buffer_values.h"
#include "judge/graphs/effects.h"
#include "judge/hazards/hazard_conflicts.h"
#include "judge/hazards/hazard_kernel.h"
#include "core/hlo/header.h"

/* The memory of an operand: a call may return its operand under another name. */
static BufferLeaf operand_memory(
    const Buffers *buffers, const Instruction *fusion, uint32_t operand, uint32_t leaf) {
  return buffer_memory(buffers, buffer_leaf(fusion->operands[operand], leaf));
}

/* The memory of the operand that the pair overwrites. */
static BufferLeaf pair_memory(const Buffers *buffers, const HazardPair *pair) {
  const HazardQuestion *question = &pair->question;
  return operand_memory(buffers, pair->fusion, question->parameter, question->parameter_leaf);
}

/* Other operands of the fusion that are the same memory. */
static void list_same(const Buffers *buffers, HazardPair *pair) {
  struct {
    uint32_t count, capacity;
    HazardInput *items;
  } same = {};
  HazardQuestion *question = &pair->question;
  BufferLeaf memory = pair_memory(buffers, pair);
  for (uint32_t i = 0; i < pair->fusion->operand_count; i++)
    for (uint32_t k = 0; k < shape_leaf_count(pair->fusion->operands[i]->shape); k++)
      if ((i != question->parameter || k != question->parameter_leaf) &&
          buffer_is_same(operand_memory(buffers, pair->fusion, i, k), memory))
        *ARENA_PUSH(buffers->arena, &same) = (HazardInput){i, k};
  question->same_count = same.count;
  question->same = same.items;
}

/* Whether each element reads only the elements in its own place. */
static bool reads_in_place(const Instruction *instruction) {
  bool does = opcode_family(instruction->opcode) == FAMILY_ELEMENTWISE;
  for (uint32_t i = 0; does && i < instruction->operand_count; i++) {
    const Shape *operand = instruction->operands[i]->shape;
    does = element_type_bits(operand->type) == element_type_bits(instruction->shape->type) &&
           buffer_same_order(operand, instruction->shape);
  }
  return does;
}

/* Whether the instruction computes its elements one after the other, and not in place. */
static bool computes_elements(const Instruction *instruction) {
  if (reads_in_place(instruction)) return false;
  switch (opcode_family(instruction->opcode)) {
    case FAMILY_ELEMENTWISE:
    case FAMILY_SHAPE:
    case FAMILY_REDUCE: return true;
    case FAMILY_CONTRACT:
      return instruction->opcode == HLO_DOT || instruction->opcode == HLO_CONVOLUTION;
    case FAMILY_DYNAMIC:
      return instruction->opcode == HLO_DYNAMIC_SLICE || instruction->opcode == HLO_GATHER;
    case FAMILY_CALL: return instruction->opcode == HLO_FUSION && instruction->called_count == 1;
    case FAMILY_ORDER:
    case FAMILY_SOURCE:
    case FAMILY_STRUCTURE:
    case FAMILY_COLLECTIVE:
    case FAMILY_OPAQUE: return false;
  }
  return false;
}

/* Whether backends may compute the output in the buffer of the operand. */
static bool may_be_in_operand(const Instruction *instruction, uint32_t output, uint32_t operand) {
  enum { EACH = UINT16_MAX };
#define IN_PLACE(id, at) \
  if (instruction->opcode == HLO_##id) return operand == ((at) == EACH ? output : (at));
#include "core/hlo/opcodes.def"
  if (instruction->opcode == HLO_COPY_START)
    return buffer_same_order(instruction->operands[0]->shape, shape_leaf(instruction->shape, 0));
  return reads_in_place(instruction);
}

/* Why an output in the operand's buffer is not decided; nullptr: it is. */
static const char *why_undecided(const Instruction *writer) {
  if (writer->opcode == HLO_SELECT_AND_SCATTER)
    return "it may fill its output with its initial value before it reads";
  return computes_elements(writer) || writer->opcode == HLO_FUSION
             ? nullptr
             : "it may write into the operand before it has read it";
}

/* Adds the pair unless the output is already paired with this memory. */
static void add_pair(const Buffers *buffers, HazardPairs *pairs, const Instruction *fusion,
    const char *why, uint32_t output, uint32_t parameter, uint32_t leaf) {
  HazardPair pair = {.fusion = fusion,
      .why = why,
      .question = {.kernel = fusion->opcode == HLO_FUSION
                                 ? fusion->called[0]
                                 : hazard_kernel_alone(buffers->arena, fusion),
          .output = output,
          .parameter = parameter,
          .parameter_leaf = leaf,
          .is_computed = hazard_computed(buffers->arena, fusion),
          .undecided = why_undecided(fusion)}};
  for (uint32_t i = 0; i < pairs->count; i++)
    if (pairs->items[i].fusion == fusion && !pairs->items[i].question.reads_after &&
        pairs->items[i].question.output == output &&
        buffer_is_same(pair_memory(buffers, &pairs->items[i]), pair_memory(buffers, &pair)))
      return;
  list_same(buffers, &pair);
  *ARENA_PUSH(buffers->arena, pairs) = pair;
}

/* Marks outputs of one fusion that are written into the same memory, unless they are one value. */
static void mark_outputs(const Buffers *buffers, HazardPairs *pairs) {
  for (uint32_t i = 0; i < pairs->count; i++)
    for (uint32_t k = 0; !pairs->items[i].question.reads_after && k < pairs->count; k++) {
      HazardPair *pair = &pairs->items[i];
      const HazardPair *other = &pairs->items[k];
      const Instruction *root = pair->question.kernel->root;
      if (other->fusion != pair->fusion || other->question.reads_after ||
          other->question.output == pair->question.output ||
          !buffer_is_same(pair_memory(buffers, pair), pair_memory(buffers, other)) ||
          buffer_is_same(
              buffer_leaf(root, pair->question.output), buffer_leaf(root, other->question.output)))
        continue;
      pair->question.is_written_twice = true;
      pair->question.other_output = other->question.output;
    }
}

static bool add_fusion(
    const Buffers *buffers, const Instruction *fusion, HazardPairs *pairs, Error *error) {
  AliasStatements statements = {};
  uint32_t parameter, leaf;
  if (!alias_stated(buffers->arena, fusion, &statements, error)) return false;
  for (uint32_t i = 0; i < statements.count; i++)
    add_pair(buffers, pairs, fusion, "output_to_operand_aliasing", statements.items[i].output,
        statements.items[i].number, statements.items[i].leaf);
  for (uint32_t i = 0; i < shape_leaf_count(fusion->shape); i++)
    if (oracle_hazard_updates(buffers->arena, fusion->called[0], i, &parameter, &leaf))
      add_pair(buffers, pairs, fusion, "update in place", i, parameter, leaf);
    else hazard_add_fused(buffers, (BufferLeaf){fusion, i}, pairs);
  return true;
}

/* Whether an operand of the reader is one of the first `count` values of the buffer. */
static bool reads_buffer(const Instruction *reader, const BufferValues *values, uint32_t count) {
  for (uint32_t i = 0; i < reader->operand_count; i++)
    for (uint32_t k = 0; k < shape_leaf_count(reader->operands[i]->shape); k++)
      if (buffer_holds(values, count, buffer_leaf(reader->operands[i], k))) return true;
  return false;
}

static uint64_t hash_reader(const Instruction *reader, BufferLeaf written) {
  return hash_mix(hash_mix((uintptr_t)reader, (uintptr_t)written.instruction), written.leaf);
}

/* Whether the pair is there already: one write may be found from several buffers. */
static bool has_reader(const HazardPairs *pairs, const Instruction *reader, BufferLeaf written) {
  uint32_t item;
  for (TableProbe probe = table_probe(&pairs->readers, hash_reader(reader, written));
      table_next(&pairs->readers, &probe, &item);)
    if (pairs->items[item].fusion == reader &&
        buffer_is_same(
            (BufferLeaf){pairs->items[item].writer, pairs->items[item].written}, written))
      return true;
  return false;
}

/* What reads the buffer after the write, and why it may read less than its operands' elements. */
typedef struct BufferReader {
  const Instruction *reader, *named; /* `named` is printed */
  const char *reads_at_most;
} BufferReader;

static void add_reader_named(Arena *arena, const BufferValues *values, uint32_t written,
    const BufferReader *by, HazardPairs *pairs) {
  BufferLeaf made = values->items[written].made;
  const Instruction *writer = made.instruction;
  bool is_unfollowed = values->items[written].is_unfollowed;
  if (!reads_buffer(by->reader, values, written) || has_reader(pairs, by->named, made)) return;
  HazardQuestion question = {.kernel = by->reader->parent,
      .reads_after = true,
      .unfollowed = is_unfollowed ? writer : nullptr,
      .reads_at_most = by->reads_at_most};
  if (!is_unfollowed)
    question.kernel = hazard_kernel(arena, values, written, by->reader, &question.is_computed);
  table_add(&pairs->readers, arena, hash_reader(by->named, made), pairs->count);
  *ARENA_PUSH(arena, pairs) = (HazardPair){.fusion = by->named,
      .why = arena_printf(arena, "after '%s' in place", writer->name),
      .writer = writer,
      .written = made.leaf,
      .question = question};
}

/* Whether reads may not show in the elements of the result. */
static bool reads_unseen(Arena *arena, const Instruction *reader) {
  for (uint32_t i = 0; i < shape_leaf_count(reader->shape); i++)
    if (!shape_is_array(shape_leaf(reader->shape, i))) return true;
  return instruction_runs_effect(arena, reader);
}

/* What reads every element of the operands. */
static Instruction reader_of_all(Arena *arena, const Instruction *reader) {
  const Shape **shapes = ARENA_NEW(arena, const Shape *, reader->operand_count);
  for (uint32_t i = 0; i < reader->operand_count; i++) shapes[i] = reader->operands[i]->shape;
  return (Instruction){.name = reader->name,
      .opcode = HLO_TUPLE,
      .shape = shape_tuple(arena, reader->operand_count, shapes),
      .parent = reader->parent,
      .operand_count = reader->operand_count,
      .operands = reader->operands,
      .batch_group_count = 1,
      .channel_id = -1};
}

/* The start of an asynchronous computation as a call: it hands on its operands unread. */
static Instruction called_at_once(const Instruction *reader) {
  Instruction called = *reader;
  const Shape *shape = reader->shape;
  bool starts = reader->opcode == HLO_ASYNC_START && reader->called_count == 1 &&
                shape_is_tuple(shape) && shape->element_count > 1;
  if (starts) called.opcode = HLO_CALL, called.shape = shape->elements[1];
  return called;
}

static void add_reader(Arena *arena, const BufferValues *values, uint32_t written,
    const Instruction *reader, HazardPairs *pairs) {
  if (!reads_buffer(reader, values, written)) return;
  Instruction all = reader_of_all(arena, reader), called = called_at_once(reader);
  BufferReader by = {.reader = &called, .named = reader};
  if (reads_unseen(arena, &called)) by.reader = &all;
  if (by.reader == &all && reader->called_count > 0)
    by.reads_at_most = "an effect in what it calls may read an element after it was overwritten";
  add_reader_named(arena, values, written, &by, pairs);
}

/* The root hands on memory at the end, wherever it is in the order of the instructions. */
static void add_end(Arena *arena, const BufferValues *values, uint32_t written,
    const Instruction *root, HazardPairs *pairs) {
  Instruction *operands[] = {root->parent->instructions[root->id]},
              end = {.name = root->name,
                  .opcode = HLO_OPTIMIZATION_BARRIER,
                  .shape = root->shape,
                  .parent = root->parent,
                  .operand_count = 1,
                  .operands = operands,
                  .batch_group_count = 1,
                  .channel_id = -1};
  add_reader_named(arena, values, written,
      &(BufferReader){.reader = buffer_is_moved(root) ? root : &end, .named = root}, pairs);
}

/* Pairs the instruction that makes a value of the buffer with every instruction that reads an older
 * value of it later: one that runs later, an asynchronous one that ends later, and the root, which
 * hands on its value at the end. Without a schedule the compiler may still run the reader
 * first. */
static void add_readers(
    Arena *arena, const BufferValues *values, uint32_t written, HazardPairs *pairs) {
  const Instruction *writer = values->items[written].made.instruction;
  const Computation *computation = writer->parent;
  uint32_t begin = buffer_begin(writer)->id;
  for (uint32_t i = begin + 1; i < computation->instruction_count; i++) {
    const Instruction *reader = computation->instructions[i], *started = buffer_begin(reader);
    if (started->id < begin) add_reader(arena, values, written, started, pairs);
    if (!buffer_is_moved(reader) && started == reader)
      add_reader(arena, values, written, reader, pairs);
  }
  add_end(arena, values, written, computation->root, pairs);
}

/* What the search for pairs goes through. */
typedef struct HazardSearch {
  const Buffers *buffers;
  HazardPairs *pairs;
  struct {
    uint32_t count, capacity;
    HazardShared *items;
  } shared; /* that were added */
} HazardSearch;

/* Pairs an output with the operands whose buffer it overwrites. Without a schedule the compiler may
 * still copy the operand of what is no fusion. */
static void add_operands(
    const HazardSearch *search, const BufferValues *values, uint32_t written, const char *why) {
  const Buffers *buffers = search->buffers;
  BufferLeaf made = values->items[written].made, before;
  const Instruction *writer = buffer_begin(made.instruction);
  bool computes = computes_elements(writer);
  if (writer->opcode != HLO_FUSION && !buffers->is_scheduled) return;
  if (!computes && (buffer_caller(writer) != nullptr || buffer_updated(buffers, made, &before)))
    return;
  for (uint32_t i = 0; i < writer->operand_count; i++)
    for (uint32_t k = 0; k < shape_leaf_count(writer->operands[i]->shape); k++)
      if (buffer_holds(values, written, buffer_leaf(writer->operands[i], k)) &&
          (computes || !may_be_in_operand(writer, made.leaf, i)))
        add_pair(buffers, search->pairs, writer, why, made.leaf, i, k);
}

static bool is_added(const HazardSearch *search, const HazardShared *shared) {
  for (uint32_t i = 0; i < search->shared.count; i++) {
    const HazardShared *added = &search->shared.items[i];
    if (added->computation == shared->computation && added->output == shared->output &&
        added->leaf == shared->leaf)
      return true;
  }
  return false;
}

static void add_shared(HazardSearch *search, HazardShared shared, const char *why);

/* A callee that takes the buffer and returns a new array in it. */
static void add_callees(HazardSearch *search, const BufferValues *values, uint32_t written) {
  BufferLeaf made = values->items[written].made, memory;
  const Instruction *caller = buffer_caller(made.instruction);
  if (caller == nullptr || caller->opcode == HLO_WHILE) return;
  for (uint32_t i = 0; i < caller->called_count; i++) {
    const BufferCallee *callee = buffer_callee(search->buffers, caller->called[i]);
    for (uint32_t leaf = 0; leaf < callee->leaf_count; leaf++)
      if (buffer_passed(caller, i, leaf, &memory) && buffer_holds(values, written, memory))
        add_shared(search, (HazardShared){callee->computation, made.leaf, leaf},
            "returned in its operand");
  }
}

/* For a parameter leaf and an output leaf of a computation that share a buffer: adds the fusions
 * that write into it, and what is read after each write. */
static void add_shared(HazardSearch *search, HazardShared shared, const char *why) {
  Arena *arena = search->buffers->arena;
  if (is_added(search, &shared)) return;
  *ARENA_PUSH(arena, &search->shared) = shared;
  BufferLeaf parameter = buffer_parameter(shared.computation, shared.leaf),
             last = buffer_leaf(shared.computation->root, shared.output);
  BufferValues values = buffer_values(search->buffers, parameter, last);
  for (uint32_t i = 1; i < values.count; i++) {
    if (!values.items[i].is_written) continue;
    add_operands(search, &values, i, why);
    add_callees(search, &values, i);
    if (search->buffers->is_scheduled) add_readers(arena, &values, i, search->pairs);
  }
}

static bool add_module(HazardSearch *search, const Module *module, Error *error) {
  AliasStatements statements = {};
  const Computation *entry = module->entry;
  Slice stated;
  if (!header_value(module, "input_output_alias", &stated) || entry == nullptr) return true;
  if (stated.text[0] != '{' ||
      !alias_read(search->buffers->arena, stated.text + 1, entry->root->shape,
          (const Instruction *const *)entry->parameters, entry->parameter_count, &statements))
    return error_set(error, ERROR_INPUT, "input_output_alias=%.*s: not read",
        (int)(stated.length < 60 ? stated.length : 60), stated.text);
  HazardShared *shared = ARENA_NEW(search->buffers->arena, HazardShared, statements.count + 1);
  for (uint32_t i = 0; i < statements.count; i++) {
    const AliasStatement *stated_here = &statements.items[i];
    BufferLeaf parameter = {entry->parameters[stated_here->number], stated_here->leaf};
    shared[i] = (HazardShared){entry, stated_here->output, buffer_number(entry, parameter)};
    add_shared(search, shared[i], "input_output_alias");
  }
  if (search->buffers->is_scheduled)
    hazard_add_exchanges(
        search->buffers, shared, statements.count, "input_output_alias", search->pairs);
  return true;
}

static void add_loop(HazardSearch *search, const Instruction *loop) {
  for (uint32_t i = 0; i < loop->called_count; i++) {
    const Computation *body = loop->called[i];
    if (strcmp(loop->called_roles[i], "body") != 0 || body->parameter_count != 1) continue;
    uint32_t count = shape_leaf_count(body->root->shape);
    HazardShared *shared = ARENA_NEW(search->buffers->arena, HazardShared, count + 1);
    for (uint32_t leaf = 0; leaf < count; leaf++) {
      shared[leaf] = (HazardShared){body, leaf, leaf};
      add_shared(search, shared[leaf], "leaf of a loop");
    }
    if (search->buffers->is_scheduled)
      hazard_add_exchanges(search->buffers, shared, count, "leaf of a loop", search->pairs);
  }
}

/* Adds the readers after each write into the buffer of which the leaf is the oldest value. */
static void add_readers_of(const HazardSearch *search, BufferLeaf oldest) {
  BufferValues values = buffer_values(search->buffers, oldest, oldest);
  for (uint32_t i = 1; i < values.count; i++)
    if (values.items[i].is_written) add_readers(search->buffers->arena, &values, i, search->pairs);
}

/* Adds later readers of what updates in place, stated aliases and callees overwrite, in any buffer:
 * once at the first update of a chain. */
static void add_updates(const HazardSearch *search, const Instruction *instruction) {
  const Buffers *buffers = search->buffers;
  BufferLeaf older;
  for (uint32_t leaf = 0; leaf < shape_leaf_count(instruction->shape); leaf++) {
    BufferLeaf oldest = {instruction, leaf};
    bool is_first =
        buffer_updated(buffers, oldest, &oldest) && !buffer_updated(buffers, oldest, &older);
    if (is_first) add_readers_of(search, oldest);
  }
  BufferLeaves effects = buffer_effects(buffers, instruction);
  for (uint32_t i = 0; i < effects.count; i++)
    if (!buffer_updated(buffers, effects.items[i], &older))
      add_readers_of(search, effects.items[i]);
}

/* Instructions inside a fusion run in no order of their own. */
static void add_scheduled(const HazardSearch *search) {
  for (uint32_t i = 0; i < search->buffers->count; i++) {
    const BufferCallee *callee = &search->buffers->items[i];
    for (uint32_t k = 0; !callee->is_fused && k < callee->computation->instruction_count; k++) {
      add_updates(search, callee->computation->instructions[k]);
      hazard_add_conflicts(search->buffers, callee->computation->instructions[k], search->pairs);
    }
  }
}

static bool add_instruction(HazardSearch *search, const Instruction *instruction, Error *error) {
  AliasStatements ignored = {};
  if (instruction->opcode == HLO_WHILE) add_loop(search, instruction);
  return instruction->opcode == HLO_FUSION && instruction->called_count == 1
             ? add_fusion(search->buffers, instruction, search->pairs, error)
             : alias_stated(search->buffers->arena, instruction, &ignored, error);
}

bool hazard_pairs(Arena *arena, const Module *module, HazardPairs *pairs, Error *error) {
  Buffers buffers = buffers_create(arena, module);
  HazardSearch search = {.buffers = &buffers, .pairs = pairs};
  *pairs = (HazardPairs){};
  for (uint32_t i = 0; i < module->computation_count; i++)
    for (uint32_t k = 0; k < module->computations[i]->instruction_count; k++)
      if (!add_instruction(&search, module->computations[i]->instructions[k], error)) return false;
  if (!add_module(&search, module, error)) return false;
  if (buffers.is_scheduled) add_scheduled(&search);
  mark_outputs(&buffers, pairs);
  for (uint32_t i = 0; i < pairs->count; i++)
    pairs->items[i].question.unbounded = pairs->items[i].fusion->parent->unbounded;
  return true;
}
