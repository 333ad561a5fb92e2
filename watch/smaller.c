/* Three edits, each kept if the modules still differ. First, a single output becomes the root. Then
 * operands of both roots with the same name become the new roots. Last, instructions with the same
 * name and shape in both entries become parameters of both, those next to the roots first. Unneeded
 * instructions are dropped. A cut instruction can have any value, so the small modules may differ
 * where the large ones do not. They only illustrate the step; the verdict rests on the whole
 * modules. */
#include "watch/smaller.h"

#include <string.h>

#include "core/base/clock.h"
#include "core/hlo/build/build.h"
#include "core/hlo/compare.h"
#include "core/hlo/print/print.h"
#include "core/hlo/read/read.h"
#include "judge/graphs/equiv_open.h"

typedef struct CutPair {
  const Instruction *of[2];
} CutPair;

typedef struct Cuts {
  uint32_t count, capacity;
  CutPair *items;
} Cuts;

typedef struct SmallerTrial {
  Arena *arena;
  const Module *modules[2];
  const Instruction *roots[2];
  Cuts cuts; /* parameters and cut instructions, in the order of the parameters that replace them */
  const ValuesLimits *limits;
  double deadline;
  uint32_t trials;
  const char *texts[2];
} SmallerTrial;

static bool is_cut(const SmallerTrial *trial, int side, const Instruction *instruction) {
  for (uint32_t i = 0; i < trial->cuts.count; i++)
    if (trial->cuts.items[i].of[side] == instruction) return true;
  return false;
}

/* Marks the instructions of the entry that the root needs, including cut ones. */
static bool *mark_needed(const SmallerTrial *trial, int side) {
  const Computation *entry = trial->modules[side]->entry;
  bool *needed = ARENA_NEW(trial->arena, bool, entry->instruction_count);
  needed[trial->roots[side]->id] = true;
  for (uint32_t id = entry->instruction_count; id-- > 0;) {
    const Instruction *instruction = entry->instructions[id];
    if (!needed[id] || is_cut(trial, side, instruction)) continue;
    for (uint32_t i = 0; i < instruction->operand_count; i++)
      needed[instruction->operands[i]->id] = true;
  }
  return needed;
}

/* Appends a copy of the instruction, whose operands are those that were made of its own. */
static Instruction *add_copy(Builder *builder, const Instruction *like, Instruction *const *made) {
  Arena *arena = builder->module->arena;
  Instruction *copy = ARENA_NEW(arena, Instruction, 1);
  *copy = *like;
  copy->id = builder->instructions.count;
  copy->parent = builder->computation;
  copy->is_root = false;
  copy->operands = ARENA_NEW(arena, Instruction *, like->operand_count + 1);
  for (uint32_t i = 0; i < like->operand_count; i++)
    copy->operands[i] = made[like->operands[i]->id];
  return *ARENA_PUSH(arena, &builder->instructions) = copy;
}

static const char *print_side(const SmallerTrial *trial, int side, bool *const needed[2]) {
  const Module *module = trial->modules[side];
  const Computation *old = module->entry;
  const Instruction *root = trial->roots[side];
  Arena *arena = trial->arena;
  ModuleBuilder built = hlo_module_builder(arena);
  Builder entry = hlo_build_computation(&built, old->name);
  Instruction **made = ARENA_NEW(arena, Instruction *, old->instruction_count);
  for (uint32_t i = 0; i < trial->cuts.count; i++) {
    const CutPair *cut = &trial->cuts.items[i];
    if (needed[0][cut->of[0]->id] || needed[1][cut->of[1]->id])
      made[cut->of[side]->id] = hlo_build_parameter(&entry, cut->of[side]->shape);
  }
  if (made[root->id] != nullptr) return nullptr;
  for (uint32_t id = 0; id <= root->id; id++)
    if (needed[side][id] && made[id] == nullptr)
      made[id] = add_copy(&entry, old->instructions[id], made);
  Module small = {.name = module->name,
      .entry = hlo_build_finish(&entry, made[root->id]),
      .computations = ARENA_NEW(arena, Computation *, module->computation_count),
      .computation_count = module->computation_count};
  if (small.entry == nullptr) return nullptr;
  small.entry->is_entry = true;
  for (uint32_t c = 0; c < module->computation_count; c++)
    small.computations[c] = module->computations[c] == old ? small.entry : module->computations[c];
  hlo_drop_uncalled(arena, &small);
  Text text = text_create(arena);
  hlo_print(&text, &small);
  return text.bytes;
}

static bool texts_differ(const SmallerTrial *trial, const char *const texts[2]) {
  Arena *arena = arena_create();
  const Module *modules[2] = {};
  EquivValues values;
  Error error = {};
  bool is_read = true, is_different = false;
  for (int side = 0; is_read && side < 2; side++) {
    Source *source = ARENA_NEW(arena, Source, 1);
    *source = (Source){
        .name = "small", .text = texts[side], .length = strlen(texts[side]), .first_line = 1};
    is_read = hlo_read(arena, source, &modules[side], &error);
  }
  is_read =
      is_read && equiv_values_create(arena, modules[0], modules[1], trial->limits, &values, &error);
  for (uint32_t i = 0; is_read && !is_different && i < values.leaf_count; i++) {
    ValuesVerdict verdict;
    if (!shape_leaf_has_value(shape_leaf(values.output, i))) continue;
    equiv_values_query(&values, i, &verdict);
    is_different = verdict.answer == REASON_DIFFERENT;
  }
  arena_destroy(arena);
  return is_different;
}

/* Returns true if the modules with the current cuts differ, and then keeps their texts as the
 * smallest so far. */
static bool trial_shows(SmallerTrial *trial) {
  bool *needed[2] = {mark_needed(trial, 0), mark_needed(trial, 1)};
  const char *texts[2];
  if (clock_wall() > trial->deadline) return false;
  trial->trials++;
  for (int side = 0; side < 2; side++) {
    texts[side] = print_side(trial, side, needed);
    if (texts[side] == nullptr) return false;
  }
  if (!texts_differ(trial, texts)) return false;
  memcpy(trial->texts, texts, sizeof texts);
  return true;
}

static bool try_roots(SmallerTrial *trial, const Instruction *before, const Instruction *after) {
  const Instruction *old[2] = {trial->roots[0], trial->roots[1]};
  if (!shape_compatible(before->shape, after->shape)) return false;
  trial->roots[0] = before;
  trial->roots[1] = after;
  if (trial_shows(trial)) return true;
  trial->roots[0] = old[0];
  trial->roots[1] = old[1];
  return false;
}

/* Tries two instructions as roots if they have the same name. */
static bool try_named(SmallerTrial *trial, const Instruction *before, const Instruction *after) {
  return strcmp(before->name, after->name) == 0 && try_roots(trial, before, after);
}

/* The operand of one output if the root is a tuple of arrays, else the root. */
static const Instruction *root_of_output(const Instruction *root, uint32_t output) {
  if (root->opcode != HLO_TUPLE || output >= root->operand_count ||
      shape_leaf_count(root->shape) != root->operand_count)
    return root;
  return root->operands[output];
}

static bool try_output(SmallerTrial *trial, uint32_t output) {
  return try_roots(
      trial, root_of_output(trial->roots[0], output), root_of_output(trial->roots[1], output));
}

static bool lower_roots(SmallerTrial *trial) {
  const Instruction *before = trial->roots[0], *after = trial->roots[1];
  for (uint32_t i = 0; i < before->operand_count; i++)
    for (uint32_t k = 0; k < after->operand_count; k++)
      if (try_named(trial, before->operands[i], after->operands[k])) return true;
  for (uint32_t i = 0; i < before->operand_count; i++)
    if (try_named(trial, before->operands[i], after)) return true;
  for (uint32_t k = 0; k < after->operand_count; k++)
    if (try_named(trial, before, after->operands[k])) return true;
  return false;
}

static void cut_one(SmallerTrial *trial, const Instruction *before) {
  const Instruction *after = computation_find(trial->modules[1]->entry, before->name);
  if (after == nullptr || before == trial->roots[0] || after == trial->roots[1] ||
      before->opcode == HLO_CONSTANT || !shape_is_array(before->shape) ||
      !shape_compatible(before->shape, after->shape) || is_cut(trial, 0, before) ||
      is_cut(trial, 1, after) || !mark_needed(trial, 0)[before->id] ||
      !mark_needed(trial, 1)[after->id])
    return;
  *ARENA_PUSH(trial->arena, &trial->cuts) = (CutPair){{before, after}};
  if (!trial_shows(trial)) trial->cuts.count--;
}

bool smaller_find(Arena *arena, const Module *before, const Module *after, uint32_t output,
    const ValuesLimits *limits, double seconds, Smaller *smaller) {
  SmallerTrial trial = {.arena = arena,
      .modules = {before, after},
      .roots = {before->entry->root, after->entry->root},
      .limits = limits,
      .deadline = clock_wall() + seconds};
  for (uint32_t i = 0; i < before->entry->parameter_count; i++)
    *ARENA_PUSH(arena, &trial.cuts) =
        (CutPair){{before->entry->parameters[i], after->entry->parameters[i]}};
  if (!trial_shows(&trial)) return false;
  (void)try_output(&trial, output);
  while (lower_roots(&trial)) continue;
  for (uint32_t id = trial.roots[0]->id; id-- > 0;)
    cut_one(&trial, before->entry->instructions[id]);
  *smaller = (Smaller){.texts = {trial.texts[0], trial.texts[1]}, .trials = trial.trials};
  for (int side = 0; side < 2; side++) {
    bool *needed = mark_needed(&trial, side);
    for (uint32_t id = 0; id <= trial.roots[side]->id; id++)
      smaller->instructions +=
          needed[id] && !is_cut(&trial, side, trial.modules[side]->entry->instructions[id]);
  }
  return true;
}
