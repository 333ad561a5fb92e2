/* Pairs each write into a buffer with what reads an older value of it. */
#include "judge/graphs/hazards.h"

#include <string.h>

#include "judge/graphs/alias.h"
#include "judge/graphs/buffer.h"
#include "judge/graphs/hazard_kernel.h"

/* The memory of the operand that the pair overwrites. */
static BufferLeaf pair_memory(const HazardPair *pair) {
  const HazardQuestion *question = &pair->question;
  return buffer_leaf(pair->fusion->operands[question->parameter], question->parameter_leaf);
}

/* Other operands of the fusion that are the same memory. */
static void list_same(Arena *arena, HazardPair *pair) {
  struct {
    uint32_t count, capacity;
    HazardInput *items;
  } same = {};
  HazardQuestion *question = &pair->question;
  BufferLeaf memory = pair_memory(pair);
  for (uint32_t i = 0; i < pair->fusion->operand_count; i++)
    for (uint32_t k = 0; k < shape_leaf_count(pair->fusion->operands[i]->shape); k++)
      if ((i != question->parameter || k != question->parameter_leaf) &&
          buffer_is_same(buffer_leaf(pair->fusion->operands[i], k), memory))
        *ARENA_PUSH(arena, &same) = (HazardInput){i, k};
  question->same_count = same.count;
  question->same = same.items;
}

/* Adds the pair unless the output is already paired with this memory. */
static void add_pair(Arena *arena, HazardPairs *pairs, const Instruction *fusion, const char *why,
    uint32_t output, uint32_t parameter, uint32_t leaf) {
  HazardPair pair = {.fusion = fusion,
      .why = why,
      .question = {.kernel = fusion->called[0],
          .output = output,
          .parameter = parameter,
          .parameter_leaf = leaf}};
  for (uint32_t i = 0; i < pairs->count; i++)
    if (pairs->items[i].fusion == fusion && !pairs->items[i].question.reads_after &&
        pairs->items[i].question.output == output &&
        buffer_is_same(pair_memory(&pairs->items[i]), pair_memory(&pair)))
      return;
  list_same(arena, &pair);
  *ARENA_PUSH(arena, pairs) = pair;
}

/* Marks outputs of one fusion that are written into the same memory, unless they are one value. */
static void mark_outputs(HazardPairs *pairs) {
  for (uint32_t i = 0; i < pairs->count; i++)
    for (uint32_t k = 0; k < pairs->count; k++) {
      HazardPair *pair = &pairs->items[i];
      const HazardPair *other = &pairs->items[k];
      const Instruction *root = pair->question.kernel->root;
      if (other->fusion != pair->fusion || pair->question.reads_after ||
          other->question.reads_after || other->question.output == pair->question.output ||
          !buffer_is_same(pair_memory(pair), pair_memory(other)) ||
          buffer_is_same(
              buffer_leaf(root, pair->question.output), buffer_leaf(root, other->question.output)))
        continue;
      pair->question.is_written_twice = true;
      pair->question.other_output = other->question.output;
    }
}

static bool add_fusion(Arena *arena, const Instruction *fusion, HazardPairs *pairs, Error *error) {
  AliasStatements statements = {};
  uint32_t parameter, leaf;
  if (!alias_stated(arena, fusion, &statements, error)) return false;
  for (uint32_t i = 0; i < statements.count; i++)
    add_pair(arena, pairs, fusion, "output_to_operand_aliasing", statements.items[i].output,
        statements.items[i].number, statements.items[i].leaf);
  for (uint32_t i = 0; i < shape_leaf_count(fusion->shape); i++)
    if (oracle_hazard_updates(arena, fusion->called[0], i, &parameter, &leaf))
      add_pair(arena, pairs, fusion, "update in place", i, parameter, leaf);
  return true;
}

/* Whether an operand of the reader is one of the first `count` values of the buffer. */
static bool reads_buffer(const Instruction *reader, const BufferValues *values, uint32_t count) {
  for (uint32_t i = 0; i < reader->operand_count; i++)
    for (uint32_t k = 0; k < shape_leaf_count(reader->operands[i]->shape); k++)
      if (buffer_holds(values, count, buffer_leaf(reader->operands[i], k))) return true;
  return false;
}

/* The instruction from which on the value may be written: of an asynchronous operation, its
 * start. */
static const Instruction *write_begin(const Instruction *writer) {
  for (;;) switch ((uint32_t)writer->opcode) {
      case HLO_ASYNC_UPDATE:
      case HLO_ASYNC_DONE:
      case HLO_COPY_DONE:
      case HLO_ALL_REDUCE_DONE:
      case HLO_ALL_GATHER_DONE:
      case HLO_COLLECTIVE_PERMUTE_DONE:
      case HLO_RECV_DONE:
      case HLO_SEND_DONE: writer = writer->operands[0]; break;
      default: return writer;
    }
}

/* Whether the pair is there already: one write may be found from several buffers. */
static bool has_reader(const HazardPairs *pairs, const Instruction *reader, BufferLeaf written) {
  for (uint32_t i = 0; i < pairs->count; i++)
    if (pairs->items[i].fusion == reader &&
        buffer_is_same((BufferLeaf){pairs->items[i].writer, pairs->items[i].written}, written))
      return true;
  return false;
}

static void add_reader(Arena *arena, const BufferValues *values, uint32_t written,
    const Instruction *reader, HazardPairs *pairs) {
  BufferLeaf made = values->items[written].made;
  const Instruction *writer = made.instruction;
  if (!reads_buffer(reader, values, written) || has_reader(pairs, reader, made)) return;
  *ARENA_PUSH(arena, pairs) = (HazardPair){.fusion = reader,
      .why = arena_printf(arena, "after '%s' in place", writer->name),
      .writer = writer,
      .written = made.leaf,
      .question = {.kernel = hazard_kernel(arena, values, written, reader),
          .reads_after = true,
          .unfollowed = values->items[written].is_unfollowed ? writer : nullptr}};
}

/* Pairs the instruction that makes a value of the buffer with every instruction that reads an older
 * value of it later: one that runs later, an asynchronous one that ends later, and the root, which
 * hands on its operands at the end. Without a schedule the compiler may still run the reader
 * first. */
static void add_readers(
    Arena *arena, const BufferValues *values, uint32_t written, HazardPairs *pairs) {
  const Instruction *writer = values->items[written].made.instruction;
  const Computation *computation = writer->parent;
  uint32_t begin = write_begin(writer)->id;
  for (uint32_t i = begin + 1; i < computation->instruction_count; i++) {
    const Instruction *reader = computation->instructions[i], *started = write_begin(reader);
    if (started->id < begin) add_reader(arena, values, written, started, pairs);
    if (!buffer_is_moved(reader)) add_reader(arena, values, written, reader, pairs);
  }
  if (buffer_is_moved(computation->root))
    add_reader(arena, values, written, computation->root, pairs);
}

/* Pairs an output of a fusion with the operands whose buffer it overwrites. */
static void add_operands(Arena *arena, const BufferValues *values, uint32_t written,
    const char *why, HazardPairs *pairs) {
  BufferLeaf made = values->items[written].made;
  const Instruction *fusion = made.instruction;
  if (fusion->opcode != HLO_FUSION || fusion->called_count != 1) return;
  for (uint32_t i = 0; i < fusion->operand_count; i++)
    for (uint32_t k = 0; k < shape_leaf_count(fusion->operands[i]->shape); k++)
      if (buffer_holds(values, written, buffer_leaf(fusion->operands[i], k)))
        add_pair(arena, pairs, fusion, why, made.leaf, i, k);
}

/* For a parameter leaf and an output leaf of a computation that share a buffer: adds the fusions
 * that write into it, and what is read after each write. */
static void add_shared(Arena *arena, const Computation *computation, AliasStatement shared,
    const char *why, bool is_scheduled, HazardPairs *pairs) {
  BufferLeaf parameter = {computation->parameters[shared.number], shared.leaf},
             last = buffer_leaf(computation->root, shared.output);
  BufferValues values = buffer_values(arena, parameter, last);
  for (uint32_t i = 1; i < values.count; i++) {
    if (!values.items[i].is_written) continue;
    add_operands(arena, &values, i, why, pairs);
    if (is_scheduled) add_readers(arena, &values, i, pairs);
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
  if (!alias_read(arena, stated + sizeof head - 1, entry->root->shape,
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

/* Instructions inside a fusion run in no order of their own. */
static bool is_fused(const Module *module, const Computation *computation) {
  for (uint32_t i = 0; i < module->computation_count; i++)
    for (uint32_t k = 0; k < module->computations[i]->instruction_count; k++) {
      const Instruction *instruction = module->computations[i]->instructions[k];
      if (instruction->opcode == HLO_FUSION && instruction->called_count == 1 &&
          instruction->called[0] == computation)
        return true;
    }
  return false;
}

/* Adds the readers after each write into the buffer of which the leaf is the oldest value. */
static void add_readers_of(Arena *arena, BufferLeaf oldest, HazardPairs *pairs) {
  BufferValues values = buffer_values(arena, oldest, oldest);
  for (uint32_t i = 1; i < values.count; i++)
    if (values.items[i].is_written) add_readers(arena, &values, i, pairs);
}

/* Adds later readers of what updates in place and stated aliases overwrite, in any buffer: once at
 * the first update of a chain. */
static void add_updates(Arena *arena, const Computation *computation, HazardPairs *pairs) {
  for (uint32_t i = 0; i < computation->instruction_count; i++) {
    const Instruction *instruction = computation->instructions[i];
    for (uint32_t leaf = 0; leaf < shape_leaf_count(instruction->shape); leaf++) {
      BufferLeaf oldest = {instruction, leaf}, older;
      bool is_first =
          buffer_updated(arena, oldest, &oldest) && !buffer_updated(arena, oldest, &older);
      if (is_first) add_readers_of(arena, oldest, pairs);
    }
  }
}

bool hazard_pairs(Arena *arena, const Module *module, HazardPairs *pairs, Error *error) {
  AliasStatements ignored = {};
  *pairs = (HazardPairs){};
  for (uint32_t i = 0; i < module->computation_count; i++)
    for (uint32_t k = 0; k < module->computations[i]->instruction_count; k++) {
      const Instruction *instruction = module->computations[i]->instructions[k];
      if (instruction->opcode == HLO_FUSION && instruction->called_count == 1 &&
          !add_fusion(arena, instruction, pairs, error))
        return false;
      if (instruction->opcode != HLO_FUSION && !alias_stated(arena, instruction, &ignored, error))
        return false;
      if (instruction->opcode == HLO_WHILE)
        add_loop(arena, instruction, is_scheduled(module), pairs);
    }
  if (!add_module(arena, module, pairs, error)) return false;
  for (uint32_t i = 0; is_scheduled(module) && i < module->computation_count; i++)
    if (!is_fused(module, module->computations[i]))
      add_updates(arena, module->computations[i], pairs);
  mark_outputs(pairs);
  for (uint32_t i = 0; i < pairs->count; i++)
    pairs->items[i].question.unbounded = pairs->items[i].fusion->parent->unbounded;
  return true;
}
