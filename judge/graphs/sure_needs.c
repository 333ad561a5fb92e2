/* A table by opcode; other opcodes with one result depend on all of their operands, and so do
 * custom calls. Results that move only some elements of an operand need it in part. What consists
 * of several arrays, as a concatenation, and is needed in part, needs none of them for certain. */
#include "judge/graphs/sure_needs.h"

#include <assert.h>

#include "core/hlo/compare.h"

typedef struct SureResults {
  Arena *arena;
  const Instruction *instruction;
  const LeafLevel *leaves;
  const Instruction *chooser; /* of a select: its predicate, if that is constant */
  LeafLevel most;             /* of all leaves that have elements */
} SureResults;

static LeafLevel in_part(LeafLevel level) { return level == LEAF_WHOLE ? LEAF_IN_PART : level; }

static LeafLevel if_whole(LeafLevel level) {
  return level == LEAF_WHOLE ? LEAF_WHOLE : LEAF_UNNEEDED;
}

/* --- choices --- */

const Instruction *sure_origin(const Instruction *instruction) {
  while (instruction->opcode == HLO_BROADCAST || instruction->opcode == HLO_COPY ||
         instruction->opcode == HLO_RESHAPE || instruction->opcode == HLO_BITCAST)
    instruction = instruction->operands[0];
  return instruction;
}

static const Instruction *copied_constant(const Instruction *instruction) {
  const Instruction *origin = sure_origin(instruction);
  return origin->opcode == HLO_CONSTANT ? origin : nullptr;
}

/* Whether a select by the constant may return elements of its operand. nullptr: by any predicate.
 * Values that are not known may be any. */
static bool may_choose(const Instruction *constant, uint32_t operand) {
  bool chooses = constant == nullptr;
  for (uint32_t i = 0; !chooses && i < constant->literal.count; i++)
    chooses = (constant->literal.values[i] != 0) == (operand == 1);
  return chooses;
}

static LeafLevel select_needs(const SureResults *of, uint32_t operand) {
  Instruction *const *operands = of->instruction->operands;
  bool is_constant = of->chooser != nullptr;
  if (operand == 0) return is_constant || operands[1] == operands[2] ? LEAF_UNNEEDED : of->most;
  if (!may_choose(of->chooser, operand)) return LEAF_UNNEEDED;
  return may_choose(of->chooser, 3 - operand) && is_constant ? in_part(if_whole(of->most))
                                                             : of->most;
}

/* --- functions --- */

/* Marks what a marked instruction, or one before it, is computed from. */
static void mark_computed_from(const Instruction *instruction, bool *marks) {
  marks[instruction->id] = true;
  for (uint32_t id = instruction->id + 1; id-- > 0;) {
    const Instruction *at = instruction->parent->instructions[id];
    bool is_select = at->opcode == HLO_SELECT;
    for (uint32_t i = 0; marks[id] && at->called_count == 0 && i < at->operand_count; i++)
      if (!is_select || i == 0 || may_choose(copied_constant(at->operands[0]), i))
        marks[at->operands[i]->id] = true;
  }
}

/* Whether a result of a function of scalars is computed from a parameter. With `repeats`, the first
 * parameters are earlier results. What a function calls is not followed, and only a tuple at its
 * root is. */
static bool function_needs(const SureResults *of, const Computation *function, uint32_t result,
    uint32_t parameter, bool repeats) {
  const Instruction *root = function->root;
  const uint32_t results = shape_leaf_count(root->shape);
  bool is_tuple = root->opcode == HLO_TUPLE && root->operand_count == results;
  if (!is_tuple && shape_is_tuple(root->shape)) return false;
  assert(result < results && parameter < function->parameter_count);
  ArenaMark mark = arena_mark(of->arena);
  bool *marks = ARENA_NEW(of->arena, bool, function->instruction_count),
       *is_added = ARENA_NEW(of->arena, bool, results);
  for (uint32_t next = result; next < results;) {
    is_added[next] = true;
    mark_computed_from(is_tuple ? root->operands[next] : root, marks);
    next = repeats ? 0 : results;
    while (next < results && (is_added[next] || !marks[function->parameters[next]->id])) next++;
  }
  bool needs = marks[function->parameters[parameter]->id];
  arena_rewind(of->arena, mark);
  return needs;
}

/* The needed results whose function is computed from the parameter. */
static LeafLevel by_function(const SureResults *of, uint32_t parameter, bool repeats) {
  const Instruction *instruction = of->instruction;
  LeafLevel level = LEAF_UNNEEDED;
  for (uint32_t leaf = 0; leaf < shape_leaf_count(instruction->shape); leaf++)
    if (of->leaves[leaf] > level &&
        function_needs(of, instruction->called[0], leaf, parameter, repeats))
      level = of->leaves[leaf];
  return level;
}

static LeafLevel map_needs(const SureResults *of, uint32_t operand) {
  return by_function(of, operand, false);
}

/* The parameters of the function are first the results, and then as many elements. */
static LeafLevel reduce_needs(const SureResults *of, uint32_t operand) {
  const uint32_t inputs = of->instruction->operand_count / 2;
  return by_function(of, operand < inputs ? operand + inputs : operand - inputs, true);
}

/* A window may pass over elements. */
static LeafLevel reduce_window_needs(const SureResults *of, uint32_t operand) {
  LeafLevel level = reduce_needs(of, operand);
  return operand < of->instruction->operand_count / 2 ? in_part(level) : level;
}

static LeafLevel scatter_indices_need(const SureResults *of, uint32_t inputs) {
  LeafLevel level = LEAF_UNNEEDED;
  for (uint32_t i = inputs; i < 2 * inputs; i++) {
    LeafLevel update = by_function(of, i, true);
    if (update > level) level = update;
  }
  return level;
}

/* Updates that are not combined with the elements that they replace may replace all of them, if
 * there are as many. */
static LeafLevel scatter_needs(const SureResults *of, uint32_t operand) {
  const uint32_t inputs = of->instruction->operand_count / 2;
  if (operand == inputs) return scatter_indices_need(of, inputs);
  const LeafLevel by = by_function(of, operand - (operand > inputs), true);
  if (operand > inputs || by != LEAF_UNNEEDED) return by;
  const Shape *whole = of->instruction->operands[operand]->shape,
              *updates = of->instruction->operands[inputs + 1 + operand]->shape;
  return shape_elements(updates) < shape_elements(whole) ? in_part(if_whole(of->leaves[operand]))
                                                         : LEAF_UNNEEDED;
}

/* A result is its operand in another order, which the operands that are compared state. */
static LeafLevel sort_needs(const SureResults *of, uint32_t operand) {
  const Computation *comparator = of->instruction->called[0];
  if (of->leaves[operand] == of->most) return of->most;
  bool is_key = function_needs(of, comparator, 0, 2 * operand, false) ||
                function_needs(of, comparator, 0, 2 * operand + 1, false);
  return is_key ? of->most : of->leaves[operand];
}

/* --- elements of operands --- */

static LeafLevel concatenate_needs(const SureResults *of, uint32_t) { return if_whole(of->most); }

/* Whether an element of the operand is in the result, along one dimension. */
static bool padding_keeps(const PadDim *padding, int64_t size, int64_t result) {
  int64_t step = padding->interior + 1,
          first = padding->low < 0 ? -(padding->low + 1) / step + 1 : 0;
  return first < size && padding->low + first * step < result;
}

static LeafLevel pad_needs(const SureResults *of, uint32_t operand) {
  const Shape *whole = of->instruction->operands[0]->shape;
  bool drops = false, adds = false, keeps = true;
  for (uint32_t i = 0; i < of->instruction->shape->rank; i++) {
    const PadDim *padding = &of->instruction->padding[i];
    drops |= padding->low < 0 || padding->high < 0;
    adds |= padding->low > 0 || padding->high > 0;
    keeps = keeps && padding_keeps(padding, whole->sizes[i], of->instruction->shape->sizes[i]);
  }
  if (operand == 1) return adds ? if_whole(of->most) : LEAF_UNNEEDED;
  if (!keeps) return LEAF_UNNEEDED;
  return drops ? in_part(if_whole(of->most)) : if_whole(of->most);
}

static LeafLevel slice_needs(const SureResults *of, uint32_t) {
  bool is_all = shape_same_sizes(of->instruction->shape, of->instruction->operands[0]->shape);
  return is_all ? of->most : in_part(of->most);
}

/* Whether the clamp leaves one value of the offset. */
static bool offset_is_fixed(
    const Instruction *instruction, const Shape *window, uint32_t operand, uint32_t first) {
  const Shape *whole = instruction->operands[0]->shape;
  bool are_scalars = instruction->operands[first]->shape->rank == 0;
  return are_scalars ? whole->sizes[operand - first] == window->sizes[operand - first]
                     : shape_same_sizes(whole, window);
}

static LeafLevel dynamic_slice_needs(const SureResults *of, uint32_t operand) {
  if (operand == 0) return slice_needs(of, 0);
  return offset_is_fixed(of->instruction, of->instruction->shape, operand, 1) ? LEAF_UNNEEDED
                                                                              : of->most;
}

static LeafLevel dynamic_update_slice_needs(const SureResults *of, uint32_t operand) {
  const Shape *whole = of->instruction->shape, *update = of->instruction->operands[1]->shape;
  LeafLevel level = if_whole(of->most);
  if (operand == 0) return shape_same_sizes(whole, update) ? LEAF_UNNEEDED : in_part(level);
  bool is_fixed = operand > 1 && offset_is_fixed(of->instruction, update, operand, 2);
  return is_fixed ? LEAF_UNNEEDED : level;
}

/* The clamp leaves one value of an index of a dimension that is taken whole. */
static LeafLevel gather_needs(const SureResults *of, uint32_t operand) {
  const Instruction *gather = of->instruction;
  const Ints *indexed = &gather->gather->start_index_map;
  bool is_fixed = true;
  for (uint32_t i = 0; i < indexed->count; i++)
    is_fixed = is_fixed && gather->gather->slice_sizes.values[indexed->values[i]] ==
                               gather->operands[0]->shape->sizes[indexed->values[i]];
  if (operand == 0) return in_part(of->most);
  return is_fixed ? LEAF_UNNEEDED : of->most;
}

/* --- others --- */

/* Results, and aliases of operands before the results of a start, are in the order of the
 * operands. */
static LeafLevel collective_needs(const SureResults *of, uint32_t operand) {
  const Instruction *instruction = of->instruction;
  const uint32_t leaves = shape_leaf_count(instruction->shape),
                 operands = instruction->operand_count;
  bool is_apart = opcode_group(instruction->opcode) == GROUP_all_to_all && operands > 1;
  LeafLevel level = LEAF_UNNEEDED;
  if (is_apart || operands == 1) level = of->most;
  else
    for (uint32_t leaf = operand; leaf < leaves; leaf += operands)
      if (of->leaves[leaf] > level) level = of->leaves[leaf];
  bool is_all = instruction->opcode == HLO_ALL_REDUCE || instruction->opcode == HLO_ALL_GATHER ||
                instruction->opcode == HLO_ALL_REDUCE_START ||
                instruction->opcode == HLO_ALL_GATHER_START;
  return is_all ? level : in_part(level);
}

static LeafLevel nothing_needs(const SureResults *, uint32_t) { return LEAF_UNNEEDED; }

static LeafLevel other_needs(const SureResults *of, uint32_t operand) {
  const Instruction *instruction = of->instruction;
  if (opcode_family(instruction->opcode) == FAMILY_COLLECTIVE) return collective_needs(of, operand);
  bool is_function = instruction->called_count == 0 &&
                     (shape_leaf_count(instruction->shape) == 1 || instruction->operand_count == 1);
  return is_function || instruction->opcode == HLO_CUSTOM_CALL ? of->most : LEAF_UNNEEDED;
}

static LeafLevel (*const needs_of[opcode_count])(const SureResults *of, uint32_t operand) = {
    [HLO_SELECT] = select_needs,
    [HLO_MAP] = map_needs,
    [HLO_REDUCE] = reduce_needs,
    [HLO_REDUCE_WINDOW] = reduce_window_needs,
    [HLO_SCATTER] = scatter_needs,
    [HLO_SORT] = sort_needs,
    [HLO_CONCATENATE] = concatenate_needs,
    [HLO_PAD] = pad_needs,
    [HLO_SLICE] = slice_needs,
    [HLO_DYNAMIC_SLICE] = dynamic_slice_needs,
    [HLO_DYNAMIC_UPDATE_SLICE] = dynamic_update_slice_needs,
    [HLO_GATHER] = gather_needs,
    [HLO_GET_DIMENSION_SIZE] = nothing_needs,
};

static bool leaf_has_elements(const Instruction *instruction, uint32_t leaf) {
  const Shape *shape = shape_leaf(instruction->shape, leaf);
  return !shape_is_array(shape) || shape_elements(shape) != 0;
}

LeafLevel surely_needed(Arena *arena, const Instruction *instruction, const LeafLevel *results,
    const Instruction *chooser, uint32_t operand) {
  SureResults of = {
      .arena = arena, .instruction = instruction, .leaves = results, .chooser = chooser};
  for (uint32_t leaf = 0; leaf < shape_leaf_count(instruction->shape); leaf++)
    if (results[leaf] > of.most && leaf_has_elements(instruction, leaf)) of.most = results[leaf];
  assert(operand < instruction->operand_count);
  if (of.most == LEAF_UNNEEDED) return LEAF_UNNEEDED;
  return (needs_of[instruction->opcode] == nullptr ? other_needs : needs_of[instruction->opcode])(
      &of, operand);
}
