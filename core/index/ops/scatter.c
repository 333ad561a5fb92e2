/* Scatter. Operand: the element with the same index. Updates: every update element whose window
 * contains the index. The scatter dimensions of the updates are range variables, and rt are the
 * components of their index vectors:
 *   update window element = d_k - rt_k, in [0, window_k - 1].
 * Over-approximation: a window that leaves the operand is skipped as a whole, but rt is bounded to
 * windows inside, so that a skipped window may be included. Indices: any index vector can name the
 * element, so all of them are read. */
#include <assert.h>

#include "core/index/family.h"

typedef struct Scattering {
  const Instruction *scatter;
  const ScatterNumbers *numbers;
  const Shape *indices, *updates;
  Build build;
  Expr *update; /* [rank of the updates] */
  Expr *batch;  /* the scatter dimensions of the updates, in order */
} Scattering;

static Scattering scattering(const IndexQuery *query) {
  const Instruction *scatter = query->instruction;
  uint32_t inputs = (scatter->operand_count - 1) / 2;
  Scattering made = {
      .scatter = scatter,
      .numbers = scatter->scatter,
      .indices = scatter->operands[inputs]->shape,
      .updates = scatter->operands[inputs + 1]->shape,
      .build = build_over(query->context, query->output),
  };
  made.update = ARENA_NEW(query->context->arena, Expr, made.updates->rank);
  made.batch = ARENA_NEW(query->context->arena, Expr, made.updates->rank);
  uint32_t next = 0;
  for (uint32_t i = 0; i < made.updates->rank; i++)
    if (!ints_has(&made.numbers->update_window_dims, i))
      made.update[i] = made.batch[next++] = build_range(&made.build, 0, made.updates->sizes[i] - 1);
  return made;
}

static Expr component(Scattering *one, uint32_t j, Interval clamp) {
  Expr *index = ARENA_NEW(one->build.context->arena, Expr, one->indices->rank);
  uint32_t next = 0;
  for (uint32_t i = 0; i < one->indices->rank; i++)
    index[i] = i == (uint32_t)one->numbers->index_vector_dim ? build_const(&one->build, j)
                                                             : one->batch[next++];
  uint32_t inputs = (one->scatter->operand_count - 1) / 2;
  return build_runtime(
      &one->build, clamp, one->scatter->operands[inputs], one->indices->rank, index);
}

/* The start of the update's window in operand dimension k, where the window has `window`
 * elements. */
static Expr window_start(Scattering *one, uint32_t k, int64_t size, int64_t window) {
  const ScatterNumbers *numbers = one->numbers;
  uint32_t j = ints_find(&numbers->scatter_dims_to_operand_dims, k);
  if (j != UINT32_MAX) return component(one, j, (Interval){0, size - window});
  uint32_t b = ints_find(&numbers->input_batching_dims, k);
  if (b == UINT32_MAX) return build_const(&one->build, 0);
  int64_t of_indices = numbers->scatter_indices_batching_dims.values[b];
  return one->batch[of_indices - (of_indices > numbers->index_vector_dim)];
}

static bool reads_updates(const IndexQuery *query, IndexResult *answer, Error *error) {
  Scattering one = scattering(query);
  const ScatterNumbers *numbers = one.numbers;
  uint32_t next = 0;
  for (uint32_t k = 0; k < query->output->rank; k++) {
    bool inserted =
        ints_has(&numbers->inserted_window_dims, k) || ints_has(&numbers->input_batching_dims, k);
    int64_t dimension = inserted ? 0 : numbers->update_window_dims.values[next++];
    int64_t window = inserted ? 1 : one.updates->sizes[dimension];
    Expr start = window_start(&one, k, query->output->sizes[k], window);
    Expr element = build_minus(&one.build, build_dim(&one.build, k), start);
    build_require(&one.build, element, 0, window - 1);
    if (!inserted) one.update[dimension] = element;
  }
  assert(next == numbers->update_window_dims.count);
  for (uint32_t i = 0; i < one.updates->rank; i++) build_result(&one.build, one.update[i]);
  answer_claim(answer, INDEX_OVER_APPROXIMATION, "update windows out of bounds are skipped");
  return answer_finish(query, answer, &one.build, error);
}

bool reads_scatter(const IndexQuery *query, IndexResult *answer, Error *error) {
  uint32_t inputs = (query->instruction->operand_count - 1) / 2;
  if (query->operand < inputs) return answer_identity(query, answer, error);
  if (query->operand > inputs) return reads_updates(query, answer, error);
  answer_claim(answer, INDEX_OVER_APPROXIMATION, "any index vector may name the element");
  return answer_everything(query, answer, error);
}
