/* Ways to apply gather and scatter, without batching dimensions and with them. A scatter's numbers
 * are a gather's by other names, and its updates have the shape of what that gather gives: so one
 * enumeration serves both.
 * Without batching the batch shape is one of four; with it, the batching dimensions' sizes in all
 * orders, alone or with one more dimension of size 2. */
#include <assert.h>

#include "exhaust/scope_operation.h"

static const Tensor batches[] = {{}, {1, {1}}, {1, {2}}, {2, {2, 1}}};
static constexpr uint32_t batch_count = sizeof batches / sizeof *batches;
static constexpr uint32_t further_count = 2; /* with batching: no further dimension, or one */
static constexpr int64_t further_size = 2;

/* A shape of choices: how long an index is, the batch shape, the collapsed and the batching
 * dimensions. */
typedef struct GatherClass {
  uint32_t length, batch, collapsed, batching;
} GatherClass;

static uint32_t members(uint32_t set) { return (uint32_t)__builtin_popcount(set); }

/* A dimension that is left out has a slice of size 1, so it is not empty. */
static bool is_legal(const Tensor *in, const GatherClass *class) {
  for (uint32_t i = 0; i < in->rank; i++)
    if (in->sizes[i] == 0 && ((class->collapsed | class->batching) >> i & 1) != 0) return false;
  return (class->collapsed & class->batching) == 0 &&
         class->length <= in->rank - members(class->batching);
}

static uint32_t kept_of(const Tensor *in, const GatherClass *class) {
  return in->rank - members(class->collapsed) - members(class->batching);
}

static uint32_t batch_rank(const GatherClass *class) {
  return class->batching == 0 ? batches[class->batch].rank
                              : members(class->batching) + class->batch;
}

static uint64_t batch_ways(const GatherClass *class) {
  return class->batching == 0 ? 1 : arrangements(batch_rank(class), members(class->batching));
}

static uint64_t sizes_of(const Tensor *in, const GatherClass *class) {
  uint64_t ways = 1;
  for (uint32_t i = 0; i < in->rank; i++)
    ways *= ((class->collapsed | class->batching) >> i & 1) != 0 ? 1 : (uint64_t)in->sizes[i] + 1;
  return ways;
}

/* Places of the index vector: every dimension of the indices, and for a length of 1 behind the last
 * without a dimension. */
static uint64_t vector_places(const GatherClass *class) {
  return batch_rank(class) + 1 + (class->length == 1);
}

static uint64_t map_ways(const Tensor *in, const GatherClass *class) {
  return arrangements(in->rank - members(class->batching), class->length);
}

static uint64_t gather_ways(const Tensor *in, const GatherClass *class) {
  if (!is_legal(in, class)) return 0;
  uint32_t kept = kept_of(in, class);
  return map_ways(in, class) * sizes_of(in, class) * vector_places(class) *
         combinations(batch_rank(class) + kept, kept) * batch_ways(class);
}

/* Of one length and batch shape all sets, then the next batch shape, then the next length. */
static bool next_class(const Tensor *in, bool has_batching, GatherClass *class) {
  uint32_t sets = 1u << in->rank;
  if (++class->collapsed < sets) return true;
  class->collapsed = 0;
  if (has_batching && ++class->batching < sets) return true;
  class->batching = has_batching;
  if (++class->batch < (has_batching ? further_count : batch_count)) return true;
  class->batch = 0;
  return ++class->length <= in->rank;
}

static uint64_t count_all(const Tensor *in, bool has_batching) {
  uint64_t count = 0;
  if (has_batching && in->rank == 0) return 0;
  GatherClass class = {.batching = has_batching};
  do count += gather_ways(in, &class);
  while (next_class(in, has_batching, &class));
  return count;
}

typedef struct GatherWay {
  GatherClass class;
  uint32_t kept, start_map[tensor_max_rank], offset_dims[tensor_max_rank], vector_dim;
  uint32_t collapsed_count, collapsed[tensor_max_rank], batching_count, batching[tensor_max_rank],
      indices_batching[tensor_max_rank];
  int64_t slice_sizes[tensor_max_rank];
  Tensor batch, indices;
} GatherWay;

/* The batch shape, and where in it the batching dimensions stand. */
static void make_batch(GatherWay *gather, const Tensor *in, uint64_t place) {
  const GatherClass *class = &gather->class;
  if (class->batching == 0) {
    gather->batch = batches[class->batch];
    return;
  }
  gather->batch.rank = batch_rank(class);
  for (uint32_t i = 0; i < gather->batch.rank; i++) gather->batch.sizes[i] = further_size;
  arrangement_at(gather->batch.rank, gather->batching_count, place, gather->indices_batching);
  for (uint32_t i = 0; i < gather->batching_count; i++)
    gather->batch.sizes[gather->indices_batching[i]] = in->sizes[gather->batching[i]];
}

static void place_vector(GatherWay *gather, uint64_t place) {
  const Tensor *batch = &gather->batch;
  gather->indices = *batch;
  gather->vector_dim = (uint32_t)place;
  if (place > batch->rank) {
    gather->vector_dim = batch->rank;
    return;
  }
  gather->indices.rank = batch->rank + 1;
  for (uint32_t i = batch->rank; i > place; i--) gather->indices.sizes[i] = batch->sizes[i - 1];
  gather->indices.sizes[place] = gather->class.length;
  for (uint32_t i = 0; i < gather->batching_count; i++)
    gather->indices_batching[i] += gather->indices_batching[i] >= place;
}

/* Positions among the dimensions that are not batching, as dimensions. */
static void skip_batching(GatherWay *gather, uint32_t rank) {
  uint32_t free[tensor_max_rank], count = 0;
  for (uint32_t i = 0; i < rank; i++)
    if ((gather->class.batching >> i & 1) == 0) free[count++] = i;
  for (uint32_t i = 0; i < gather->class.length; i++)
    gather->start_map[i] = free[gather->start_map[i]];
}

static void take_sets(GatherWay *gather, uint32_t rank) {
  for (uint32_t i = 0; i < rank; i++) {
    if ((gather->class.collapsed >> i & 1) != 0) gather->collapsed[gather->collapsed_count++] = i;
    if ((gather->class.batching >> i & 1) != 0) gather->batching[gather->batching_count++] = i;
  }
}

static GatherWay gather_at(const Tensor *in, bool has_batching, uint64_t way) {
  GatherWay gather = {.class.batching = has_batching};
  for (uint64_t ways; way >= (ways = gather_ways(in, &gather.class));) {
    way -= ways;
    bool is_class = next_class(in, has_batching, &gather.class);
    assert(is_class);
    (void)is_class;
  }
  const GatherClass *class = &gather.class;
  gather.kept = kept_of(in, class);
  uint32_t out_rank = batch_rank(class) + gather.kept;
  take_sets(&gather, in->rank);
  make_batch(&gather, in, digit_take(&way, batch_ways(class)));
  arrangement_at(in->rank - gather.batching_count, class->length,
      digit_take(&way, map_ways(in, class)), gather.start_map);
  skip_batching(&gather, in->rank);
  place_vector(&gather, digit_take(&way, vector_places(class)));
  combination_at(out_rank, gather.kept, digit_take(&way, combinations(out_rank, gather.kept)),
      gather.offset_dims);
  for (uint32_t i = 0; i < in->rank; i++)
    gather.slice_sizes[i] = ((class->collapsed | class->batching) >> i & 1) != 0
                                ? 1
                                : (int64_t)digit_take(&way, (uint64_t)in->sizes[i] + 1);
  return gather;
}

static Tensor gather_result(const GatherWay *gather) {
  const Tensor *batch = &gather->batch;
  Tensor out = {.rank = batch->rank + gather->kept};
  uint32_t dimension = 0, next_batch = 0, next_offset = 0;
  for (uint32_t i = 0; i < out.rank; i++) {
    if (next_offset < gather->kept && gather->offset_dims[next_offset] == i) {
      while (((gather->class.collapsed | gather->class.batching) >> dimension & 1) != 0)
        dimension++;
      assert(dimension < tensor_max_rank);
      out.sizes[i] = gather->slice_sizes[dimension++];
      next_offset++;
    } else {
      out.sizes[i] = batch->sizes[next_batch++];
    }
  }
  return out;
}

static void write_vector_dim(ScopeWriter *writer, const GatherWay *gather) {
  text_string(writer->text, ", index_vector_dim=");
  text_integer(writer->text, gather->vector_dim);
}

static void write_batching(
    ScopeWriter *writer, const GatherWay *gather, const char *of_operand, const char *of_indices) {
  scope_write_numbers(writer->text, of_operand, gather->batching_count, gather->batching);
  scope_write_numbers(writer->text, of_indices, gather->batching_count, gather->indices_batching);
}

static void write_gather_way(
    const Tensor *in, bool has_batching, uint64_t way, Tensor *out, ScopeWriter *writer) {
  GatherWay gather = gather_at(in, has_batching, way);
  *out = gather_result(&gather);
  if (writer == nullptr) return;
  uint32_t indices = scope_write_parameter(writer, "s32", &gather.indices);
  scope_write_begin(writer, out, "gather");
  text_string(writer->text, ", p");
  text_integer(writer->text, indices);
  text_string(writer->text, ")");
  scope_write_numbers(writer->text, "offset_dims", gather.kept, gather.offset_dims);
  scope_write_numbers(
      writer->text, "collapsed_slice_dims", gather.collapsed_count, gather.collapsed);
  scope_write_numbers(writer->text, "start_index_map", gather.class.length, gather.start_map);
  if (has_batching)
    write_batching(writer, &gather, "operand_batching_dims", "start_indices_batching_dims");
  write_vector_dim(writer, &gather);
  scope_write_sizes(writer->text, "slice_sizes", in->rank, gather.slice_sizes);
  scope_write_end(writer);
}

static void write_scatter_way(
    const Tensor *in, bool has_batching, uint64_t way, Tensor *out, ScopeWriter *writer) {
  *out = *in;
  if (writer == nullptr) return;
  GatherWay gather = gather_at(in, has_batching, way);
  Tensor updates = gather_result(&gather);
  uint32_t indices = scope_write_parameter(writer, "s32", &gather.indices);
  uint32_t update = scope_write_parameter(writer, "f32", &updates);
  scope_write_begin(writer, out, "scatter");
  text_printf(writer->text, ", p%u, p%u)", indices, update);
  scope_write_numbers(writer->text, "update_window_dims", gather.kept, gather.offset_dims);
  scope_write_numbers(
      writer->text, "inserted_window_dims", gather.collapsed_count, gather.collapsed);
  scope_write_numbers(
      writer->text, "scatter_dims_to_operand_dims", gather.class.length, gather.start_map);
  if (has_batching)
    write_batching(writer, &gather, "input_batching_dims", "scatter_indices_batching_dims");
  write_vector_dim(writer, &gather);
  text_string(writer->text, ", to_apply=add");
  scope_write_end(writer);
}

uint64_t count_gather(const ScopeLimits *, const Tensor *in) { return count_all(in, false); }
uint64_t count_scatter(const ScopeLimits *, const Tensor *in) { return count_all(in, false); }
uint64_t count_gather_batching(const ScopeLimits *, const Tensor *in) {
  return count_all(in, true);
}
uint64_t count_scatter_batching(const ScopeLimits *, const Tensor *in) {
  return count_all(in, true);
}

void write_gather(
    const ScopeLimits *, const Tensor *in, uint64_t way, Tensor *out, ScopeWriter *writer) {
  write_gather_way(in, false, way, out, writer);
}
void write_scatter(
    const ScopeLimits *, const Tensor *in, uint64_t way, Tensor *out, ScopeWriter *writer) {
  write_scatter_way(in, false, way, out, writer);
}
void write_gather_batching(
    const ScopeLimits *, const Tensor *in, uint64_t way, Tensor *out, ScopeWriter *writer) {
  write_gather_way(in, true, way, out, writer);
}
void write_scatter_batching(
    const ScopeLimits *, const Tensor *in, uint64_t way, Tensor *out, ScopeWriter *writer) {
  write_scatter_way(in, true, way, out, writer);
}
