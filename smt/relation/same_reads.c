/* Decides whether two computations read the same elements of a parameter for each element of an
 * output. The read relation of each, walked from its root, must be contained in the other.
 * Parameters are matched by number, so offsets computed in the same way from parameters are equal
 * terms. A counterexample that needs a value whose computation is not followed here decides
 * nothing. */
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

/* The value of an element of a parameter in a model. */
typedef struct ReadsValue {
  const Instruction *parameter; /* of the first graph, whose names are printed */
  uint32_t leaf, rank;
  Wide *index; /* [rank] */
  Wide value;
} ReadsValue;

typedef struct ReadsValues {
  ReadsValue *items;
  uint32_t count, capacity;
} ReadsValues;

/* Its first index is an integer for number and leaf, followed by the element's index. False if
 * there is no such element, as where a position that no read has is outside of the array. */
static bool element_of(const Reads *reads, uint32_t at, ReadsValue *element) {
  const Sums *sums = reads->work.sums;
  const SumAtom *atom = &sums->atoms[at];
  Wide code = 0;
  if (!sum_is_constant(sums, atom->index[0], &code)) return false;
  *element = (ReadsValue){.parameter = reads->computations[0]->parameters[(uint32_t)(code >> 32)],
      .leaf = (uint32_t)code,
      .rank = atom->index_count - 1,
      .index = ARENA_NEW(sums->arena, Wide, atom->index_count),
      .value = reads->work.values[at]};
  const Shape *shape = shape_leaf(element->parameter->shape, element->leaf);
  for (uint32_t i = 0; i < element->rank; i++)
    if (!sum_evaluate(sums, reads->work.values, atom->index[i + 1], &element->index[i]) ||
        element->index[i] < 0 || element->index[i] >= shape->sizes[i])
      return false;
  return true;
}

static bool is_one_element(const ReadsValue *a, const ReadsValue *b) {
  if (a->parameter != b->parameter || a->leaf != b->leaf) return false;
  for (uint32_t i = 0; i < a->rank; i++)
    if (a->index[i] != b->index[i]) return false;
  return true;
}

/* Adds the element unless it is known. False if it is known with another value. */
static bool add_value(Reads *reads, ReadsValues *values, const ReadsValue *element) {
  for (uint32_t i = 0; i < values->count; i++)
    if (is_one_element(&values->items[i], element)) return values->items[i].value == element->value;
  *ARENA_PUSH(reads->work.sums->arena, values) = *element;
  return true;
}

/* Each element once. None, if the model has two values for one. */
static ReadsValues values_of_model(Reads *reads, uint32_t atom_count) {
  ReadsValues values = {};
  for (uint32_t i = 0; i < atom_count; i++) {
    ReadsValue element;
    if (reads->work.sums->atoms[i].kind != ATOM_VALUE || !element_of(reads, i, &element)) continue;
    if (!add_value(reads, &values, &element)) return (ReadsValues){};
  }
  return values;
}

/* Prints "k.1(0, 2) = 3". */
static void append_value(Text *text, const ReadsValue *element) {
  text_string(text, element->parameter->name);
  if (element->leaf > 0) text_printf(text, ".%u", element->leaf);
  for (uint32_t i = 0; i < element->rank; i++) {
    text_string(text, i == 0 ? "(" : ", ");
    wide_print(text, element->index[i]);
  }
  text_string(text, element->rank == 0 ? " = " : ") = ");
  wide_print(text, element->value);
}

/* Prints "where i = 3, k(1) = 0: ". */
static void append_values(Reads *reads, Text *text, uint32_t atom_count) {
  ReadsValues values = values_of_model(reads, atom_count);
  for (uint32_t i = 0; i < values.count; i++) {
    text_string(text, i == 0 ? "where " : ", ");
    append_value(text, &values.items[i]);
  }
  if (values.count > 0) text_string(text, ": ");
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

/* Whether the relation has a piece with these constraints. */
static bool has_piece(const Relation *relation, const Piece *piece) {
  for (uint32_t i = 0; i < relation->count; i++)
    if (piece_is_stated_as(&relation->items[i], piece)) return true;
  return false;
}

/* The pieces of one side that the other does not have: all others need no proof. */
static Relation pieces_of_side(const Reads *reads, uint32_t side) {
  const Relation *own = &reads->answers[side].relation, *other = &reads->answers[1 - side].relation;
  Relation alone = {};
  for (uint32_t i = 0; i < own->count; i++)
    if (!has_piece(other, &own->items[i])) relation_add(reads->work.sums, &alone, own->items[i]);
  return alone;
}

/* With values the solver is asked about each piece of one side and all of the other. */
static bool has_too_many_pieces(const Reads *reads, const Relation alone[2]) {
  static constexpr uint64_t most_pairs = 65'536;
  const Sums *sums = reads->work.sums;
  bool has_values = false;
  for (uint32_t i = 0; i < sums->atom_count && !has_values; i++)
    has_values = sums->atoms[i].kind == ATOM_VALUE;
  return has_values &&
         ((uint64_t)alone[0].count * reads->answers[1].relation.count > most_pairs ||
             (uint64_t)alone[1].count * reads->answers[0].relation.count > most_pairs);
}

static bool same_reads_compare(Reads *reads) {
  static const char *const sides[] = {"before", "after"};
  uint32_t atoms = reads->work.sums->atom_count;
  Relation alone[] = {pieces_of_side(reads, 0), pieces_of_side(reads, 1)};
  if (has_too_many_pieces(reads, alone))
    return verdict_set(
        reads->verdict, VERDICT_UNKNOWN, "too many paths through the graph, with offsets");
  for (uint32_t i = 0; i < 2; i++) {
    VerdictStatus contained =
        relation_contained(&reads->work, &alone[i], &reads->answers[1 - i].relation);
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
