/* Compares arrays with two builders over one store of terms. Arrays with equal fingerprints in both
 * graphs are cut: their elements are atoms. From the roots backwards, two arrays are proved equal
 * by their elements or, if both are the same operation, by proving their operands equal. Arrays
 * that are proved equal are cut as well. */
#include <string.h>

#include "oracle/equivalence/values_state.h"

static constexpr uint32_t most_forgotten = 32;

void values_weaken(OracleValues *values, VerdictReason part) {
  bool is_mixed = (part == REASON_MORE_READS && values->part == REASON_FEWER_READS) ||
                  (part == REASON_FEWER_READS && values->part == REASON_MORE_READS);
  if (is_mixed) part = REASON_OPEN;
  if (values_rank(part) > values_rank(values->part)) values->part = part;
}

OracleValues *comparison_create(Arena *arena, Terms *terms, const Computation *before,
    const Computation *after, bool is_body, uint64_t most_work, uint32_t nesting) {
  OracleValues *values = ARENA_NEW(arena, OracleValues, 1);
  *values = (OracleValues){.arena = arena,
      .terms = terms,
      .computations = {before, after},
      .nesting = nesting,
      .part = REASON_EXACT,
      .most_work = most_work};
  values->is_built = true;
  values->shared = ARENA_NEW(arena, ValuesShared, 1);
  for (int i = 0; values->is_built && i < 2; i++)
    values->is_built = builder_create(&values->builders[i], arena, terms, build_element,
        values->computations[i], is_body, &values->work, most_work, &values->rejection);
  values->builders[1].side = 1;
  return values;
}

OracleValues *values_of_bodies(
    OracleValues *outer, const Computation *before, const Computation *after, bool is_body) {
  OracleValues *inner = comparison_create(
      outer->arena, outer->terms, before, after, is_body, outer->most_work / 2, outer->nesting + 1);
  inner->in_parts = outer->in_parts;
  inner->grade = outer->grade;
  inner->shared = outer->shared;
  inner->prove_loop = outer->prove_loop;
  return inner;
}

void values_leave_bodies(OracleValues *outer, OracleValues *inner) {
  outer->shared->spent += inner->work;
  inner->work = 0;
  values_weaken(outer, inner->part);
}

bool values_joined(OracleValues *values, Term before, Term after) {
  ValuesShared *shared = values->shared;
  Error error = {};
  if (before == after) return true;
  if (values->grade == LAW_NONE) return false;
  if (!shared->has_laws) {
    if (!laws_own(values->arena, &shared->laws, &error)) return false;
    laws_use(&shared->use, values->arena, values->terms, &shared->laws, values->grade);
    term_ring_create(&shared->ring, values->arena, values->terms, values->grade);
    shared->has_laws = true;
  }
  LawSet used = shared->use.used;
  laws_limit(&shared->use);
  Term normal[2] = {laws_normal(&shared->use, before), laws_normal(&shared->use, after)};
  if (shared->use.is_out) { /* the sums of the ring need no laws */
    shared->use.used = used;
    normal[0] = before;
    normal[1] = after;
  }
  if (normal[0] == normal[1]) return true;
  shared->ring.has_distributed = false;
  if (term_ring_normal(&shared->ring, normal[0]) != term_ring_normal(&shared->ring, normal[1])) {
    shared->use.used = used;
    return false;
  }
  if (shared->ring.has_distributed) laws_mark(&shared->use, "multiply-distributes");
  return true;
}

/* --- cuts --- */

/* Marks the arrays that depend on something that varies; constants stay transparent. */
static void mark_varying(const TermBuilder *builder, bool *varies) {
  for (uint32_t i = 0; i < builder->flow.nodes.count; i++) {
    const Node *node = builder->flow.nodes.items[i];
    OpcodeFamily family = opcode_family(node->instruction->opcode);
    varies[i] = node->is_input || family == FAMILY_OPAQUE || family == FAMILY_COLLECTIVE;
    for (uint32_t k = 0; k < node->operand_count; k++)
      varies[i] = varies[i] || varies[node->operands[k]->number];
  }
}

static bool is_movement(const Node *node) {
  OpcodeFamily family = opcode_family(node->instruction->opcode);
  return family == FAMILY_STRUCTURE || family == FAMILY_SHAPE || family == FAMILY_SOURCE ||
         node->instruction->opcode == HLO_COPY;
}

static bool fingerprint_all(OracleValues *values, uint32_t side) {
  TermBuilder *builder = &values->builders[side];
  Term term;
  for (uint32_t i = 0; i < builder->flow.nodes.count; i++)
    for (uint32_t leaf = 0; leaf < builder->flow.nodes.items[i]->leaf_count; leaf++)
      if (!builder_fingerprint(builder, builder->flow.nodes.items[i], leaf, &term)) return false;
  return true;
}

/* Marks the fingerprints of one side, with one bit. */
static void mark_present(OracleValues *values, uint32_t side, uint8_t *present) {
  TermBuilder *builder = &values->builders[side];
  for (uint32_t i = 0; i < builder->flow.nodes.count; i++)
    for (uint32_t leaf = 0; leaf < builder->flow.nodes.items[i]->leaf_count; leaf++) {
      Term fingerprint = builder->nodes[i].fingerprints[leaf];
      if (fingerprint != no_term) present[fingerprint] |= (uint8_t)(1 << side);
    }
}

bool values_prepare(OracleValues *values) {
  if (values->is_prepared) return true;
  if (!fingerprint_all(values, 0) || !fingerprint_all(values, 1)) return false;
  values->is_prepared = true;
  builder_forget(&values->builders[0]);
  builder_forget(&values->builders[1]);
  uint8_t *present = ARENA_NEW(values->arena, uint8_t, terms_count(values->terms));
  mark_present(values, 0, present);
  mark_present(values, 1, present);
  for (uint32_t side = 0; side < 2; side++) {
    TermBuilder *builder = &values->builders[side];
    bool *varies = ARENA_NEW(values->arena, bool, builder->flow.nodes.count);
    mark_varying(builder, varies);
    for (uint32_t i = 0; i < builder->flow.nodes.count; i++)
      for (uint32_t leaf = 0; leaf < builder->flow.nodes.items[i]->leaf_count; leaf++) {
        Term fingerprint = builder->nodes[i].fingerprints[leaf];
        const Node *node = builder->flow.nodes.items[i];
        if (!node->is_input) builder->nodes[i].atoms[leaf] = no_term;
        builder->nodes[i].is_cut[leaf] = varies[i] && !node->is_input && !is_movement(node) &&
                                         fingerprint != no_term && present[fingerprint] == 3;
      }
  }
  return true;
}

void values_remove_cuts(OracleValues *values) {
  for (uint32_t side = 0; side < 2; side++) {
    TermBuilder *builder = &values->builders[side];
    for (uint32_t i = 0; i < builder->flow.nodes.count; i++)
      memset(builder->nodes[i].is_cut, 0, builder->flow.nodes.items[i]->leaf_count);
    builder_forget(builder);
  }
}

/* --- proving arrays equal --- */

/* Each comparison of two arrays has the whole limit; all comparisons together have most_rounds
 * times the limit. */
static bool values_begin_round(OracleValues *values) {
  values->shared->spent += values->work;
  values->work = 0;
  return values->shared->spent <= most_rounds * values->most_work;
}

static bool build_both(OracleValues *values, const Arrays *arrays, int64_t element, Term terms[2]) {
  for (int side = 0; side < 2; side++)
    if (!builder_element(&values->builders[side], arrays->nodes[side], arrays->leaves[side],
            element, &terms[side])) {
      values->builders[side].depth = 0;
      return false;
    }
  return true;
}

/* Whether there are too many elements, estimated by the work of an element whose neighbours are
 * built. */
static bool is_hopeless(OracleValues *values, const Arrays *arrays) {
  int64_t elements = arrays->nodes[0]->leaves[arrays->leaves[0]].elements;
  if ((uint64_t)elements > values->most_work) return true;
  if (elements < 16) return false;
  Term terms[2];
  uint64_t before = 0;
  for (int64_t i = 0; i < 3; i++) {
    before = values->work;
    if (!build_both(values, arrays, elements / 2 + i, terms)) return true;
  }
  return (values->work - before) * (uint64_t)elements > 2 * values->most_work;
}

/* Compares element by element; 1: equal, 0: not, -1: undecided. */
static int compare_elements(OracleValues *values, const Arrays *arrays) {
  int64_t elements = arrays->nodes[0]->leaves[arrays->leaves[0]].elements;
  if (!values_begin_round(values) || is_hopeless(values, arrays)) return -1;
  for (int64_t i = 0; i < elements; i++) {
    Term terms[2];
    if (!build_both(values, arrays, i, terms)) return -1;
    if (!values_joined(values, terms[0], terms[1])) return 0;
  }
  return 1;
}

static bool same_bodies(OracleValues *values, const Instruction *a, const Instruction *b) {
  if (a->called_count != b->called_count || values->nesting >= most_nesting) return false;
  for (uint32_t i = 0; i < a->called_count; i++) {
    const Computation *before = a->called[i], *after = b->called[i];
    if (before->parameter_count != after->parameter_count ||
        !shape_same_sizes(before->root->shape, after->root->shape) ||
        strcmp(a->called_roles[i], b->called_roles[i]) != 0)
      return false;
    for (uint32_t k = 0; k < before->parameter_count; k++)
      if (!shape_compatible(before->parameters[k]->shape, after->parameters[k]->shape))
        return false;
    OracleValues *inner = values_of_bodies(values, before, after, true);
    if (!inner->is_built || !values_prepare(inner)) return false;
    for (uint32_t leaf = 0; leaf < shape_leaf_count(before->root->shape); leaf++)
      if (!values_prove(inner,
              (Arrays){{inner->builders[0].flow.root, inner->builders[1].flow.root}, {leaf, leaf}},
              0))
        return false;
    values_leave_bodies(values, inner);
  }
  return true;
}

/* Whether both are the same operation with equal bodies. */
static bool same_operation(OracleValues *values, const Arrays *arrays) {
  const Node *a = arrays->nodes[0], *b = arrays->nodes[1];
  const Instruction *one = a->instruction, *other = b->instruction;
  uint32_t signatures[2];
  if (a->is_input || b->is_input || strcmp(collective_name(a), collective_name(b)) != 0 ||
      arrays->leaves[0] - collective_results(a).first !=
          arrays->leaves[1] - collective_results(b).first ||
      a->operand_count != b->operand_count)
    return false;
  for (int side = 0; side < 2; side++)
    if (!builder_array_signature(
            &values->builders[side], arrays->nodes[side], "array", &signatures[side]))
      return false;
  if (signatures[0] == signatures[1]) return true;
  if (one->opcode != HLO_CONDITIONAL && one->opcode != HLO_SORT && one->opcode != HLO_SCATTER &&
      one->opcode != HLO_SELECT_AND_SCATTER && one->opcode != HLO_CUSTOM_CALL &&
      opcode_family(one->opcode) != FAMILY_COLLECTIVE)
    return false;
  const TermSignature *before = signature_at(values->terms, signatures[0]),
                      *after = signature_at(values->terms, signatures[1]);
  return one->called_count > 0 && before->head_length == after->head_length &&
         memcmp(before->text, after->text, before->head_length) == 0 &&
         same_bodies(values, one, other);
}

static bool prove_operands(OracleValues *values, const Arrays *arrays, uint32_t depth) {
  if (depth > 400 || !same_operation(values, arrays)) return false;
  for (uint32_t i = 0; i < arrays->nodes[0]->operand_count; i++) {
    const Node *a = arrays->nodes[0]->operands[i], *b = arrays->nodes[1]->operands[i];
    if (a->leaf_count != b->leaf_count) return false;
    for (uint32_t leaf = 0; leaf < a->leaf_count; leaf++)
      if (!values_prove(values, (Arrays){{a, b}, {leaf, leaf}}, depth + 1)) return false;
  }
  return true;
}

static void unify(OracleValues *values, const Arrays *arrays) {
  const Node *a = arrays->nodes[0], *b = arrays->nodes[1];
  if (a->is_input || b->is_input) return;
  NodeTerms *one = &values->builders[0].nodes[a->number],
            *other = &values->builders[1].nodes[b->number];
  if (one->is_cut[arrays->leaves[0]] || other->is_cut[arrays->leaves[1]] || is_movement(a) ||
      is_movement(b))
    return;
  one->is_cut[arrays->leaves[0]] = other->is_cut[arrays->leaves[1]] = true;
  other->atoms[arrays->leaves[1]] = builder_atoms(&values->builders[0], a, arrays->leaves[0]);
  /* Existing terms remain valid; later terms use the cut. */
  if (values->unified++ >= most_forgotten) return;
  builder_forget(&values->builders[0]);
  builder_forget(&values->builders[1]);
}

static bool was_tried(const OracleValues *values, const Arrays *arrays) {
  for (uint32_t i = 0; i < values->failed.count; i++)
    if (memcmp(values->failed.items[i].nodes, arrays->nodes, sizeof arrays->nodes) == 0 &&
        memcmp(values->failed.items[i].leaves, arrays->leaves, sizeof arrays->leaves) == 0)
      return true;
  return false;
}

bool values_same_fingerprint(const OracleValues *values, const Arrays *arrays) {
  Term terms[2];
  for (int side = 0; side < 2; side++)
    terms[side] = values->builders[side]
                      .nodes[arrays->nodes[side]->number]
                      .fingerprints[arrays->leaves[side]];
  return terms[0] == terms[1] && terms[0] != no_term;
}

/* Whether the arrays are equal on all tries, for any contents of the arrays that both sides
 * share. */
static bool is_equal_in_part(OracleValues *values, const Arrays *arrays) {
  Differing differing;
  ValuesVerdict verdict = {.answer = REASON_OPEN};
  if (!values->in_parts || !values_begin_round(values)) return false;
  ValuesCoverage found = values_find_differing(values, arrays, &differing);
  if (found == FOUND_SOME || differing.is_cut) return false;
  if (differing.count == 0 && found == FOUND_ALL) return true;
  verdict.answer = REASON_TRIED;
  if (differing.count > 0)
    differing_decide(&differing, &arrays->nodes[0]->leaves[arrays->leaves[0]], &verdict);
  if (values_rank(verdict.answer) > values_rank(REASON_TRIED)) return false;
  if (found == FOUND_TRIED) verdict.answer = REASON_TRIED;
  values_weaken(values, verdict.answer);
  return true;
}

static int compare_small(OracleValues *values, const Arrays *arrays, bool is_small) {
  bool is_few = arrays->nodes[0]->leaves[arrays->leaves[0]].elements <= few_elements;
  return is_few == is_small ? compare_elements(values, arrays) : -1;
}

/* Fingerprints exist only for resolved nodes. */
bool values_prove(OracleValues *values, Arrays arrays, uint32_t depth) {
  for (int side = 0; side < 2; side++) builder_resolve(&arrays.nodes[side], &arrays.leaves[side]);
  const Leaf *a = &arrays.nodes[0]->leaves[arrays.leaves[0]],
             *b = &arrays.nodes[1]->leaves[arrays.leaves[1]];
  if (values_same_fingerprint(values, &arrays)) return true;
  if (!shape_compatible(a->shape, b->shape) || was_tried(values, &arrays)) return false;
  if (!shape_is_array(a->shape))
    return values->prove_loop(values, &arrays, depth) || prove_operands(values, &arrays, depth);
  if (values->failed.count > 2000) return false;
  Rejection before = values->rejection;
  bool is_proved = values->prove_loop(values, &arrays, depth);
  is_proved = is_proved || compare_small(values, &arrays, true) == 1;
  values->rejection = before;
  is_proved = is_proved || prove_operands(values, &arrays, depth);
  values->rejection = before;
  is_proved = is_proved || compare_small(values, &arrays, false) == 1;
  values->rejection = before;
  is_proved = is_proved || is_equal_in_part(values, &arrays);
  values->rejection = before;
  if (is_proved) unify(values, &arrays);
  else
    *ARENA_PUSH(values->arena, &values->failed) =
        (Failed){{arrays.nodes[0], arrays.nodes[1]}, {arrays.leaves[0], arrays.leaves[1]}};
  return is_proved;
}

static bool compare_at(
    OracleValues *values, const Arrays *arrays, int64_t element, Differing *differing) {
  Term terms[2];
  for (int side = 0; side < 2; side++)
    if (!builder_element(&values->builders[side], arrays->nodes[side], arrays->leaves[side],
            element, &terms[side]))
      return false;
  if (terms[0] != terms[1]) differing_add(differing, element, terms[0], terms[1]);
  return true;
}

static int64_t tried_element(int64_t elements, int64_t number) {
  static constexpr int64_t step = 0x9e3779b97f4a7c15 & INT64_MAX;
  if (number < 2) return number == 0 ? 0 : elements - 1;
  return (int64_t)((unsigned _BitInt(128))step * (uint64_t)number % (uint64_t)elements);
}

/* Each tried element has a part of the limit. */
static ValuesCoverage try_some(OracleValues *values, const Arrays *arrays, Differing *differing) {
  static constexpr int64_t tried = 24;
  int64_t elements = arrays->nodes[0]->leaves[arrays->leaves[0]].elements;
  uint64_t most = values->most_work;
  bool is_complete = elements > 0;
  for (int64_t i = 0; is_complete && i < tried; i++) {
    if (!values_begin_round(values)) is_complete = false;
    values->builders[0].most_work = values->builders[1].most_work = most / 2;
    is_complete = is_complete && compare_at(values, arrays, tried_element(elements, i), differing);
  }
  for (int side = 0; side < 2; side++) {
    values->builders[side].most_work = most;
    values->builders[side].depth = 0;
  }
  return is_complete ? FOUND_TRIED : FOUND_SOME;
}

Differing values_differing(const OracleValues *values) {
  static constexpr uint64_t most_steps = 40'000'000, steps_of_element = 100;
  uint64_t steps = steps_of_element * values->most_work;
  return (Differing){.arena = values->arena,
      .terms = values->terms,
      .promised = values->promised,
      .lookups = values->builders[0].lookups,
      .is_exact = values->grade <= LAW_EXACT,
      .most_steps = steps < most_steps ? steps : most_steps};
}

ValuesCoverage values_find_differing(
    OracleValues *values, const Arrays *arrays, Differing *differing) {
  int64_t elements = arrays->nodes[0]->leaves[arrays->leaves[0]].elements;
  *differing = values_differing(values);
  bool is_complete = !is_hopeless(values, arrays);
  for (int64_t i = 0; is_complete && i < elements; i++)
    is_complete = compare_at(values, arrays, i, differing);
  if (is_complete) return FOUND_ALL;
  if (values->rejection.is_set && values->rejection.answer != REASON_TOO_LARGE) return FOUND_SOME;
  differing->count = 0;
  differing->is_cut = false;
  ValuesCoverage found = try_some(values, arrays, differing);
  if (!values->rejection.is_set)
    (void)reject(&values->rejection, REASON_TOO_LARGE, "too large: %s of output",
        counted(elements, "element"));
  return found;
}
