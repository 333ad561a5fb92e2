/* Reduce: reduced dimensions are range variables, the others are output dimensions in order. Each
 * output of a variadic reduce reads every operand. An initial value is read for every output
 * element.
 *
 * Scan along one dimension: outputs that keep the dimension read the prefix (the suffix if
 * reversed), final carries read all of it. A body over slices that is not elementwise may mix the
 * elements of a slice: other dimensions are then read in full, an over-approximation. */
#include "core/hlo/attribute.h"

#include <assert.h>
#include "core/index/family.h"

bool reads_reduce(const IndexQuery *query, IndexResult *answer, Error *error) {
  const Instruction *reduce = query->instruction;
  if (query->operand >= reduce->operand_count / 2) return answer_scalar(query, answer, error);
  Build build = build_over(query->context, query->output);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < query->input->rank; i++) {
    bool reduced = ints_has(&reduce->dimensions, i);
    build_result(&build,
        reduced ? build_range(&build, 0, query->input->sizes[i] - 1) : build_dim(&build, kept++));
  }
  assert(kept == query->output->rank);
  return answer_finish(query, answer, &build, error);
}

/* The element of the scanned dimension that is read at `position`; nullptr: for the final carry. */
static Expr scanned(Build *build, const Expr *position, int64_t size, bool reversed) {
  Expr element = build_range(build, 0, size - 1);
  if (position == nullptr) return element;
  Expr after =
      reversed ? build_minus(build, element, *position) : build_minus(build, *position, element);
  build_require(build, after, 0, size - 1);
  return element;
}

typedef struct Scanning {
  uint32_t along;
  bool keeps_dimension; /* the output has the scanned dimension */
  bool is_data;         /* the operand has the scanned dimension */
  bool reversed;
  bool mixes_slices;
} Scanning;

static bool has_sizes_of(const Shape *array, const Shape *slice) {
  return !shape_is_array(array) || array->rank == 0 || shape_same_sizes(array, slice);
}

/* True if each element of a slice keeps its index: elementwise operations over slices and
 * constants, and tuples. */
static bool keeps_positions(const Instruction *instruction, const Shape *slice) {
  OpcodeFamily family = opcode_family(instruction->opcode);
  bool is_known =
      family == FAMILY_ELEMENTWISE || instruction->opcode == HLO_TUPLE ||
      instruction->opcode == HLO_GET_TUPLE_ELEMENT || instruction->opcode == HLO_PARAMETER ||
      instruction->opcode == HLO_CONSTANT ||
      (instruction->opcode == HLO_BROADCAST && instruction->operands[0]->shape->rank == 0);
  for (uint32_t leaf = 0; is_known && leaf < shape_leaf_count(instruction->shape); leaf++)
    is_known = has_sizes_of(shape_leaf(instruction->shape, leaf), slice);
  return is_known;
}

/* True if the body may mix the elements of a slice. The slices have one shape; a body over scalars
 * mixes nothing. */
static bool body_mixes(const Instruction *scan) {
  const Computation *body = scan->called_count > 0 ? scan->called[0] : nullptr;
  if (body == nullptr || body->parameter_count == 0) return true;
  const Shape *slice = body->parameters[0]->shape;
  bool mixes = !shape_is_array(slice);
  for (uint32_t i = 0; i < body->parameter_count && !mixes; i++)
    mixes = !shape_is_array(body->parameters[i]->shape) ||
            !shape_same_sizes(body->parameters[i]->shape, slice);
  for (uint32_t i = 0; i < body->instruction_count && !mixes; i++)
    mixes = !keeps_positions(body->instructions[i], slice);
  return mixes;
}

static Scanning scanning(const IndexQuery *query) {
  const Instruction *scan = query->instruction;
  uint32_t rank = shape_leaf(scan->operands[0]->shape, 0)->rank;
  return (Scanning){
      .along = (uint32_t)scan->dimensions.values[0],
      .keeps_dimension = query->output->rank == rank,
      .is_data = query->input->rank == rank,
      .reversed = attribute_is(scan, "is_reverse", "true"),
      .mixes_slices = rank > 1 && body_mixes(scan),
  };
}

static Expr scan_element(Build *build, const Scanning *one, uint32_t i, int64_t size) {
  if (one->is_data && i == one->along) {
    Expr position = one->keeps_dimension ? build_dim(build, i) : build_const(build, 0);
    return scanned(build, one->keeps_dimension ? &position : nullptr, size, one->reversed);
  }
  if (one->mixes_slices) return build_span(build, size);
  uint32_t dimension = one->is_data ? i : i + (i >= one->along);
  return build_dim(build, one->keeps_dimension ? dimension : dimension - (dimension > one->along));
}

bool reads_scan(const IndexQuery *query, IndexResult *answer, Error *error) {
  if (query->instruction->dimensions.count != 1) {
    answer_claim(answer, INDEX_UNDEFINED, "scan without one dimension");
    return true;
  }
  Scanning one = scanning(query);
  if (one.mixes_slices)
    answer_claim(
        answer, INDEX_OVER_APPROXIMATION, "the body of a scan may mix the elements of a slice");
  Build build = build_over(query->context, query->output);
  for (uint32_t i = 0; i < query->input->rank; i++)
    build_result(&build, scan_element(&build, &one, i, query->input->sizes[i]));
  return answer_finish(query, answer, &build, error);
}
