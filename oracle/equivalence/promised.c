/* Evaluates each index. Batching dimensions, and tuples in another order than the dimensions that
 * they name, are not followed: then the promise is not shown to be kept. */
#include "oracle/equivalence/promised.h"

#include <string.h>

#include "core/base/table.h"
#include "oracle/semantics/indexed.h"

static constexpr int64_t most_indices = 4'096, most_compared = 1'024; /* compared in pairs */

/* A gather or a scatter with a promise, and its tuples of indices. */
typedef struct Promiser {
  TermBuilder *builder;
  const Node *node;
  bool is_sorted, is_unique, is_followed;
  uint32_t batch_rank;
  int64_t vector_dimension, count, width;
  int64_t sizes[oracle_max_rank]; /* [batch_rank] */
  int64_t *values;                /* [count * width] */
  int64_t *windows;               /* [width]: sizes of the windows of a scatter */
} Promiser;

typedef struct Promisers {
  Promiser *items;
  uint32_t count, capacity;
} Promisers;

typedef struct SeenComputations {
  Table table;
  const Computation **items;
  uint32_t count, capacity;
} SeenComputations;

struct Promised {
  TermBuilder *builders;
  const Computation *computations[2];
  bool is_listed, is_hidden; /* is_hidden: some are made where a flow has no nodes */
  Promisers makers;
};

Promised *promised_create(TermBuilder *builders, const Computation *const computations[2]) {
  Promised *promised = ARENA_NEW(builders->arena, Promised, 1);
  *promised = (Promised){.builders = builders, .computations = {computations[0], computations[1]}};
  return promised;
}

static bool is_promised(const Instruction *instruction, const char *name) {
  const Attribute *attribute = instruction_attribute(instruction, name);
  return attribute != nullptr && strcmp(attribute->text, "true") == 0;
}

static Promiser promiser_of(const Instruction *instruction) {
  bool is_scatter = instruction->opcode == HLO_SCATTER,
       has_indices = is_scatter || instruction->opcode == HLO_GATHER;
  return (Promiser){.is_sorted = has_indices && is_promised(instruction, "indices_are_sorted"),
      .is_unique = is_scatter && is_promised(instruction, "unique_indices")};
}

static bool is_seen(Arena *arena, SeenComputations *seen, const Computation *computation) {
  uint64_t hash = hash_mix(0, (uintptr_t)computation);
  uint32_t item;
  for (TableProbe probe = table_probe(&seen->table, hash); table_next(&seen->table, &probe, &item);)
    if (seen->items[item] == computation) return true;
  table_add(&seen->table, arena, hash, seen->count);
  *ARENA_PUSH(arena, seen) = computation;
  return false;
}

static bool has_node(const Promisers *makers, const Instruction *instruction) {
  for (uint32_t i = 0; i < makers->count; i++)
    if (makers->items[i].node->instruction == instruction) return true;
  return false;
}

/* Calls whose bodies the flow inlines. */
static bool is_inlined(const Instruction *caller) {
  return caller->opcode == HLO_CALL || caller->opcode == HLO_FUSION ||
         caller->opcode == HLO_CONDITIONAL || caller->opcode == HLO_ASYNC_START;
}

/* The search for promises that no node of the flow makes. */
typedef struct HiddenPromises {
  Arena *arena;
  const Promisers *makers;
  SeenComputations seen[2]; /* inlined, and in loops and functions */
} HiddenPromises;

/* Whether the computation, or one that it calls, makes a promise in a loop or a function, or one of
 * which the list has no node. */
static bool hides_promise(HiddenPromises *search, const Computation *computation, bool is_inside) {
  if (is_seen(search->arena, &search->seen[is_inside], computation)) return false;
  for (uint32_t i = 0; i < computation->instruction_count; i++) {
    const Instruction *instruction = computation->instructions[i];
    Promiser made = promiser_of(instruction);
    if ((made.is_sorted || made.is_unique) && (is_inside || !has_node(search->makers, instruction)))
      return true;
    bool is_end = instruction->opcode == HLO_ASYNC_UPDATE || instruction->opcode == HLO_ASYNC_DONE;
    for (uint32_t k = 0; k < instruction->called_count && !is_end; k++)
      if (hides_promise(search, instruction->called[k], is_inside || !is_inlined(instruction)))
        return true;
  }
  return false;
}

static const Node *index_node(const Node *node) {
  return node->operands[node->instruction->opcode == HLO_SCATTER ? node->operand_count / 2 : 1];
}

/* The size of a scatter's window in a dimension of the operand. */
static int64_t window_in(const Node *scatter, int64_t dimension) {
  const ScatterNumbers *numbers = scatter->instruction->scatter;
  const Leaf *updates = &scatter->operands[scatter->operand_count - 1]->leaves[0];
  uint32_t at = 0;
  if (ints_has(&numbers->inserted_window_dims, dimension)) return 1;
  for (int64_t i = 0; i < dimension; i++) at += !ints_has(&numbers->inserted_window_dims, i);
  return updates->sizes[numbers->update_window_dims.values[at]];
}

static bool dims_ascend(const Ints *dims) {
  for (uint32_t i = 1; i < dims->count; i++)
    if (dims->values[i - 1] > dims->values[i]) return false;
  return true;
}

static void set_form(Promiser *made, Arena *arena, const Ints *dims, const Ints *batching) {
  const Leaf *indices = &index_node(made->node)->leaves[0];
  int64_t most = made->is_unique ? most_compared : most_indices;
  made->is_followed = batching->count == 0 && dims_ascend(dims) && indices->elements <= most;
  if (!made->is_followed) return;
  made->count = 1;
  made->width = dims->count;
  for (uint32_t i = 0; i < indices->rank; i++)
    if (i != made->vector_dimension)
      made->count *= made->sizes[made->batch_rank++] = indices->sizes[i];
  made->values = ARENA_NEW(arena, int64_t, made->count * made->width + 1);
  made->windows = ARENA_NEW(arena, int64_t, made->width + 1);
  for (int64_t i = 0; made->is_unique && i < made->width; i++)
    made->windows[i] = window_in(made->node, dims->values[i]);
}

static void add_promiser(Promised *promised, TermBuilder *builder, const Node *node) {
  Promiser made = promiser_of(node->instruction);
  if (node->is_input || (!made.is_sorted && !made.is_unique)) return;
  const GatherNumbers *gather = node->instruction->gather;
  const ScatterNumbers *scatter = node->instruction->scatter;
  made.builder = builder;
  made.node = node;
  if (gather != nullptr) {
    made.vector_dimension = gather->index_vector_dim;
    set_form(&made, builder->arena, &gather->start_index_map, &gather->operand_batching_dims);
  } else if (scatter != nullptr) {
    made.vector_dimension = scatter->index_vector_dim;
    set_form(&made, builder->arena, &scatter->scatter_dims_to_operand_dims,
        &scatter->input_batching_dims);
  }
  *ARENA_PUSH(builder->arena, &promised->makers) = made;
}

static void list_promises(Promised *promised) {
  HiddenPromises search = {.arena = promised->builders->arena, .makers = &promised->makers};
  promised->is_listed = true;
  for (int side = 0; side < 2; side++) {
    TermBuilder *builder = &promised->builders[side];
    for (uint32_t i = 0; i < builder->flow.nodes.count; i++)
      add_promiser(promised, builder, builder->flow.nodes.items[i]);
  }
  for (int side = 0; side < 2; side++)
    promised->is_hidden |= hides_promise(&search, promised->computations[side], false);
}

static bool index_value(const Promiser *made, Evaluation *evaluation, const int64_t *batch,
    int64_t at, int64_t *value) {
  const Node *indices = index_node(made->node);
  int64_t element = index_element(&indices->leaves[0], made->vector_dimension, batch, at);
  Term term;
  if (!builder_element(made->builder, indices, 0, element, &term)) return false;
  Element index = evaluate_term(evaluation, term);
  *value = index.integer;
  return index.is_known && !index.is_coarse && !index.is_rounded &&
         element_type_is_integral(index.type) && (index.type != TYPE_u64 || *value >= 0);
}

/* False if an index has no value. */
static bool evaluate_tuples(const Promiser *made, Evaluation *evaluation) {
  int64_t batch[oracle_max_rank] = {};
  for (int64_t row = 0; row < made->count; row++) {
    int64_t rest = row;
    for (uint32_t i = made->batch_rank; i-- > 0; rest /= made->sizes[i])
      batch[i] = rest % made->sizes[i];
    for (int64_t at = 0; at < made->width; at++)
      if (!index_value(made, evaluation, batch, at, &made->values[row * made->width + at]))
        return false;
  }
  return true;
}

static bool tuples_ascend(const Promiser *made) {
  for (int64_t row = 1; row < made->count; row++) {
    const int64_t *high = &made->values[row * made->width], *low = high - made->width;
    int64_t at = 0;
    while (at < made->width && low[at] == high[at]) at++;
    if (at < made->width && low[at] > high[at]) return false;
  }
  return true;
}

static bool windows_apart(const Promiser *made, int64_t a, int64_t b) {
  const int64_t *one = &made->values[a * made->width], *other = &made->values[b * made->width];
  for (int64_t i = 0; i < made->width; i++) {
    Wide distance = (Wide)one[i] - other[i];
    if (distance >= made->windows[i] || -distance >= made->windows[i]) return true;
  }
  return false;
}

static bool all_windows_apart(const Promiser *made) {
  for (int64_t a = 0; a < made->count; a++)
    for (int64_t b = 0; b < a; b++)
      if (!windows_apart(made, a, b)) return false;
  return true;
}

static bool is_kept(const Promiser *made, Evaluation *evaluation) {
  return made->is_followed && evaluate_tuples(made, evaluation) &&
         (!made->is_sorted || tuples_ascend(made)) && (!made->is_unique || all_windows_apart(made));
}

bool promised_are_kept(void *context, Evaluation *evaluation) {
  Promised *promised = context;
  Rejection before = *promised->builders->rejection;
  if (!promised->is_listed) list_promises(promised);
  bool are_kept = !promised->is_hidden;
  for (uint32_t i = 0; are_kept && i < promised->makers.count; i++)
    are_kept = is_kept(&promised->makers.items[i], evaluation);
  *promised->builders->rejection = before;
  return are_kept;
}
