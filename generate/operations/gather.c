/* gather and scatter, with and without batching dimensions. A scatter's attributes correspond to a
 * gather's, and its updates have the shape of that gather's result. Each operand dimension belongs
 * to the window, is collapsed, or is batching. The batch shape is one of a list. With batching
 * dimensions it has their sizes in any order, and may have one more dimension. */
#include <assert.h>

#include "generate/operations/operation.h"

static const Tensor batches[] = {
    {}, {1, {1}}, {1, {2}}, {2, {2, 1}}, {1, {3}}, {2, {1, 3}}, {2, {3, 2}}};
static constexpr int64_t further_size = 2;

typedef enum Batching : uint8_t { BATCHING_NONE, BATCHING_MAY, BATCHING_MUST } Batching;

typedef struct Scheme {
  uint32_t length, kept, collapsed_count, batching_count;
  int64_t slice_sizes[tensor_max_rank], start_map[tensor_max_rank], offset_dims[tensor_max_rank];
  int64_t collapsed[tensor_max_rank], batching[tensor_max_rank], indices_batching[tensor_max_rank];
  int64_t vector_dim;
  uint32_t is_batching; /* a set of dimensions */
  Tensor batch, indices, windows;
} Scheme;

/* A collapsed or batching dimension has slice size 1, so it must not be empty. */
static void choose_role(
    const OperationCase *at_hand, Batching batching, uint32_t i, Scheme *scheme) {
  int64_t size = at_hand->in.sizes[i];
  uint64_t roles = size == 0 ? 1 : batching == BATCHING_NONE ? 2 : 3;
  uint64_t role = choose(at_hand->choices, roles);
  scheme->slice_sizes[i] = 1;
  if (role == 0) {
    scheme->slice_sizes[i] = size - choose_between(at_hand->choices, 0, size);
    scheme->kept++;
  }
  if (role == 1) scheme->collapsed[scheme->collapsed_count++] = i;
  if (role == 2) {
    scheme->batching[scheme->batching_count++] = i;
    scheme->is_batching |= 1u << i;
  }
}

static void choose_batch(const OperationCase *at_hand, Scheme *scheme) {
  uint32_t positions[tensor_max_rank], count = scheme->batching_count;
  Tensor *batch = &scheme->batch;
  if (count == 0) {
    assert(at_hand->limits->batch_shapes <= sizeof batches / sizeof *batches);
    *batch = batches[choose(at_hand->choices, at_hand->limits->batch_shapes)];
    return;
  }
  batch->rank = count + (uint32_t)choose(at_hand->choices, 2);
  for (uint32_t i = 0; i < batch->rank; i++) batch->sizes[i] = further_size;
  choose_arrangement(at_hand->choices, batch->rank, count, positions);
  for (uint32_t i = 0; i < count; i++) {
    scheme->indices_batching[i] = positions[i];
    batch->sizes[positions[i]] = at_hand->in.sizes[scheme->batching[i]];
  }
}

/* Chooses nonbatching dimensions in any order. */
static void choose_start_map(const OperationCase *at_hand, Scheme *scheme) {
  uint32_t free[tensor_max_rank], order[tensor_max_rank], count = 0;
  for (uint32_t i = 0; i < at_hand->in.rank; i++)
    if ((scheme->is_batching >> i & 1) == 0) free[count++] = i;
  scheme->length = (uint32_t)choose(at_hand->choices, count + 1);
  choose_arrangement(at_hand->choices, count, scheme->length, order);
  for (uint32_t i = 0; i < scheme->length; i++) scheme->start_map[i] = free[order[i]];
}

/* The index vector is any dimension of the indices. A vector of length 1 may have no dimension. */
static void choose_vector(const OperationCase *at_hand, Scheme *scheme) {
  const Tensor *batch = &scheme->batch;
  uint32_t at = (uint32_t)choose(at_hand->choices, batch->rank + 1 + (scheme->length == 1));
  scheme->indices = *batch;
  scheme->vector_dim = at > batch->rank ? batch->rank : at;
  if (at > batch->rank) return;
  scheme->indices.rank++;
  for (uint32_t i = batch->rank; i > at; i--) scheme->indices.sizes[i] = batch->sizes[i - 1];
  scheme->indices.sizes[at] = scheme->length;
  for (uint32_t i = 0; i < scheme->batching_count; i++)
    scheme->indices_batching[i] += scheme->indices_batching[i] >= at;
}

static bool is_left_out(const Scheme *scheme, uint32_t dimension) {
  bool found = (scheme->is_batching >> dimension & 1) != 0;
  for (uint32_t i = 0; i < scheme->collapsed_count; i++) found |= scheme->collapsed[i] == dimension;
  return found;
}

/* Interleaves the dimensions of the batch and of the window. */
static void choose_positions(const OperationCase *at_hand, Scheme *scheme) {
  uint32_t batch = 0, kept = 0, dimension = 0;
  scheme->windows.rank = scheme->batch.rank + scheme->kept;
  for (uint32_t i = 0; i < scheme->windows.rank; i++) {
    bool has_both = batch < scheme->batch.rank && kept < scheme->kept;
    if (has_both ? choose_bool(at_hand->choices) : batch < scheme->batch.rank) {
      scheme->windows.sizes[i] = scheme->batch.sizes[batch++];
      continue;
    }
    while (is_left_out(scheme, dimension)) dimension++;
    scheme->offset_dims[kept++] = i;
    scheme->windows.sizes[i] = scheme->slice_sizes[dimension++];
  }
}

static bool choose_scheme(
    OperationCase *at_hand, GeneratedOperation id, Batching batching, Scheme *scheme) {
  *scheme = (Scheme){};
  for (uint32_t i = 0; i <= at_hand->in.rank; i++) {
    operation_join(at_hand, id, i, scheme->kept | (uint64_t)scheme->batching_count << 8);
    if (i < at_hand->in.rank) choose_role(at_hand, batching, i, scheme);
  }
  if (batching == BATCHING_MUST && scheme->batching_count == 0) return false;
  choose_start_map(at_hand, scheme);
  choose_batch(at_hand, scheme);
  choose_vector(at_hand, scheme);
  choose_positions(at_hand, scheme);
  return true;
}

static GatherNumbers numbers_of(Builder *builder, const Scheme *scheme, uint32_t rank) {
  return (GatherNumbers){.offset_dims = hlo_build_ints(builder, scheme->kept, scheme->offset_dims),
      .collapsed_slice_dims = hlo_build_ints(builder, scheme->collapsed_count, scheme->collapsed),
      .operand_batching_dims = hlo_build_ints(builder, scheme->batching_count, scheme->batching),
      .start_indices_batching_dims =
          hlo_build_ints(builder, scheme->batching_count, scheme->indices_batching),
      .start_index_map = hlo_build_ints(builder, scheme->length, scheme->start_map),
      .slice_sizes = hlo_build_ints(builder, rank, scheme->slice_sizes),
      .index_vector_dim = scheme->vector_dim};
}

static bool generate_gather_of(OperationCase *at_hand, GeneratedOperation id, Batching batching) {
  Scheme scheme;
  if (!choose_scheme(at_hand, id, batching, &scheme)) return false;
  at_hand->out = scheme.windows;
  if (at_hand->builder == nullptr) return true;
  Instruction *indices = at_hand->source->indices(at_hand->source, &scheme.indices);
  GatherNumbers numbers = numbers_of(at_hand->builder, &scheme, at_hand->in.rank);
  at_hand->result = hlo_build_gather(at_hand->builder, at_hand->operand, indices, &numbers);
  return true;
}

/* Builds a scatter of one array, or of two with the operand's shape. */
static void build_scatter(OperationCase *at_hand, const Scheme *scheme, uint32_t arrays) {
  OperandSource *source = at_hand->source;
  Instruction *operands[5] = {at_hand->operand};
  ElementType types[] = {at_hand->type, at_hand->type};
  if (arrays == 2) operands[1] = source->array(source, at_hand->type, &at_hand->in);
  operands[arrays] = source->indices(source, &scheme->indices);
  for (uint32_t i = 0; i < arrays; i++)
    operands[arrays + 1 + i] = source->array(source, at_hand->type, &scheme->windows);
  GatherNumbers numbers = numbers_of(at_hand->builder, scheme, at_hand->in.rank);
  at_hand->result = hlo_build_scatter(
      at_hand->builder, arrays, operands, &numbers, source->reducer(source, arrays, types));
}

static bool scatter(OperationCase *at_hand, GeneratedOperation id, Batching batching) {
  Scheme scheme;
  if (!choose_scheme(at_hand, id, batching, &scheme)) return false;
  uint32_t arrays = at_hand->limits->has_two_arrays ? 1 + choose_bool(at_hand->choices) : 1;
  at_hand->out = at_hand->in;
  if (at_hand->builder != nullptr) build_scatter(at_hand, &scheme, arrays);
  return true;
}

static Batching batching_of(const OperationCase *at_hand) {
  return at_hand->limits->may_batch ? BATCHING_MAY : BATCHING_NONE;
}

bool generate_gather(OperationCase *at_hand) {
  return generate_gather_of(at_hand, GENERATED_gather, batching_of(at_hand));
}
bool generate_gather_batching(OperationCase *at_hand) {
  return generate_gather_of(at_hand, GENERATED_gather_batching, BATCHING_MUST);
}
bool generate_scatter(OperationCase *at_hand) {
  return scatter(at_hand, GENERATED_scatter, batching_of(at_hand));
}
bool generate_scatter_batching(OperationCase *at_hand) {
  return scatter(at_hand, GENERATED_scatter_batching, BATCHING_MUST);
}
