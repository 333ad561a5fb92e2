/* Decides whether two computations read the same elements of a parameter for each element of an
 * output. The read relation of each, walked from its root, must be contained in the other.
 * Parameters are matched by number, so offsets computed in the same way from parameters are equal
 * terms. A counterexample that needs a value whose computation is not followed here decides
 * nothing. */
#include "smt/solver/confirm.h"
#include "smt/semantics/hlo_walk.h"
#include "smt/relation/relation.h"
#include "smt/solver/session.h"
#include "smt/terms/polynomial.h"

typedef struct Reads {
  Smt *smt;
  RelationWork work;
  const Computation *computations[2];
  WalkAnswer answers[2];
  uint32_t output_leaf, parameter, parameter_leaf, output_rank, parameter_rank;
  Sum *output, *input;
  bool *known;
  Verdict *verdict;
  Error *error;
} Reads;

static bool same_sizes(const Reads *reads, const Shape **output, const Shape **input) {
  const Shape *outputs[2], *inputs[2];
  for (uint32_t i = 0; i < 2; i++) {
    const Computation *computation = reads->computations[i];
    if (reads->parameter >= computation->parameter_count ||
        reads->output_leaf >= shape_leaf_count(computation->root->shape) ||
        reads->parameter_leaf >= shape_leaf_count(computation->parameters[reads->parameter]->shape))
      return error_set(
          reads->error, ERROR_INPUT, "'%s' has no such parameter or leaf", computation->name);
    outputs[i] = shape_leaf(computation->root->shape, reads->output_leaf);
    inputs[i] = shape_leaf(computation->parameters[reads->parameter]->shape, reads->parameter_leaf);
  }
  if (!shape_same_sizes(outputs[0], outputs[1]) || !shape_same_sizes(inputs[0], inputs[1]))
    return error_set(reads->error, ERROR_INPUT,
        "'%s' and '%s' differ in the sizes of what is compared", reads->computations[0]->name,
        reads->computations[1]->name);
  *output = outputs[0];
  *input = inputs[0];
  return true;
}

/* The name of a value in the question that is not a parameter's; nullptr if there is none. */
static const char *foreign_value(const Reads *reads, uint32_t atom_count) {
  for (uint32_t i = 0; i < atom_count; i++) {
    const Sums *sums = reads->work.sums;
    if (sums->atoms[i].kind == ATOM_VALUE && hlo_value_kind(sums, i) != VALUE_OF_PARAMETER)
      return sums->atoms[i].name;
  }
  return nullptr;
}

/* Prints a value of a parameter: its first index is an integer for number and leaf, followed by the
 * element's index. */
static void append_value(Reads *reads, Text *text, const SumAtom *atom, Wide value) {
  Wide position = 0;
  text_string(text, atom->name);
  if (sum_is_constant(reads->work.sums, atom->index[0], &position) &&
      position % ((Wide)1 << 32) != 0)
    text_printf(text, ".%u", (uint32_t)position);
  if (atom->index_count > 1)
    relation_print_point(&reads->work, text, atom->index_count - 1, atom->index + 1);
  text_string(text, " = ");
  wide_print(text, value);
}

/* Prints "where i = 3, k(1) = 0: ". */
static void append_values(Reads *reads, Text *text, uint32_t atom_count) {
  const Sums *sums = reads->work.sums;
  bool is_first = true;
  for (uint32_t i = 0; i < atom_count; i++) {
    if (sums->atoms[i].kind != ATOM_VALUE) continue;
    text_string(text, is_first ? "where " : ", ");
    append_value(reads, text, &sums->atoms[i], reads->work.values[i]);
    is_first = false;
  }
  if (!is_first) text_string(text, ": ");
}

static bool same_reads_refuted(Reads *reads, uint32_t atom_count, bool is_first) {
  RelationWork *work = &reads->work;
  const char *foreign = foreign_value(reads, atom_count);
  if (foreign != nullptr)
    return verdict_set(reads->verdict, VERDICT_UNKNOWN,
        "the counterexample needs a value of '%s', which is not followed", foreign);
  Text text = text_create(work->sums->arena);
  append_values(reads, &text, atom_count);
  relation_print_point(&reads->work, &text, reads->output_rank, reads->output);
  text_string(&text, " reads ");
  relation_print_point(&reads->work, &text, reads->parameter_rank, reads->input);
  relation_values(work, reads->verdict);
  verdict_decide(reads->verdict, is_first ? REASON_FIRST_ONLY : REASON_SECOND_ONLY, "%s %s only",
      text.bytes, is_first ? "before" : "after");
  return true;
}

static bool same_reads_compare(Reads *reads) {
  static const char *const sides[] = {"before", "after"};
  uint32_t atoms = reads->work.sums->atom_count;
  for (uint32_t i = 0; i < 2; i++) {
    VerdictStatus contained = relation_contained(
        &reads->work, &reads->answers[i].relation, &reads->answers[1 - i].relation);
    if (contained == VERDICT_REFUTED) return same_reads_refuted(reads, atoms, i == 0);
    if (contained == VERDICT_UNKNOWN)
      return verdict_set(reads->verdict, VERDICT_UNKNOWN,
          "are the reads %s contained in the other: %s", sides[i], reads->work.reason);
  }
  return verdict_set(reads->verdict, VERDICT_PROVED, "the same reads");
}

static bool same_reads_query(Reads *reads) {
  const Shape *output, *input;
  RelationWork *work = &reads->work;
  for (uint32_t i = 0; i < 2; i++) {
    const Instruction *unbounded = reads->computations[i]->unbounded;
    if (unbounded == nullptr) continue;
    *reads->known = false;
    return verdict_set(
        reads->verdict, VERDICT_UNKNOWN, "a size of '%s' is not known", unbounded->name);
  }
  if (!same_sizes(reads, &output, &input)) return false;
  reads->output_rank = output->rank;
  reads->parameter_rank = input->rank;
  reads->output = relation_visible(work, "d", output->rank);
  reads->input = relation_visible(work, "e", input->rank);
  for (uint32_t i = 0; i < 2; i++) {
    reads->answers[i] = hlo_walk_parameter(work->sums, reads->computations[i], reads->output_leaf,
        reads->output, reads->parameter, reads->parameter_leaf, reads->input);
    if (reads->answers[i].walked == WALK_TOO_MANY)
      return verdict_set(reads->verdict, VERDICT_UNKNOWN, "too many paths through the graph");
    if (reads->answers[i].walked != WALK_LACKS) continue;
    *reads->known = false;
    return verdict_set(reads->verdict, VERDICT_UNKNOWN, "%s", reads->answers[i].lacking);
  }
  return same_reads_compare(reads);
}

bool smt_same_reads(Smt *smt, const Computation *before, const Computation *after,
    uint32_t output_leaf, uint32_t parameter, uint32_t parameter_leaf, bool *known,
    Verdict *verdict, Error *error) {
  Reads reads = {.smt = smt,
      .computations = {before, after},
      .output_leaf = output_leaf,
      .parameter = parameter,
      .parameter_leaf = parameter_leaf,
      .known = known,
      .verdict = verdict,
      .error = error};
  *verdict = verdict_begin(smt->context->arena);
  *known = true;
  ArenaMark mark = arena_mark(smt->arena);
  reads.work = relation_begin(smt);
  bool began = smt_begin(smt);
  bool answered = same_reads_query(&reads);
  budget_end(began);
  relation_end(&reads.work, verdict);
  arena_rewind(smt->arena, mark);
  return answered;
}
