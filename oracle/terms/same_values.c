/* Two builders over one store of terms. Arrays with equal fingerprints in both graphs are cut:
 * their elements are atoms. From the roots backwards two arrays are proved equal by their elements,
 * or, where both are the same operation, by proving their operands equal; arrays that are proved
 * equal are cut as well. What cannot be proved so is asked again without cuts. */
#include "oracle/terms/same_values.h"

#include <string.h>

#include "oracle/terms/build.h"
#include "oracle/terms/differing.h"
#include "oracle/terms/laws.h"
#include "oracle/values/cases.h"

static constexpr uint64_t usual_elements = 3'000'000;
static constexpr int64_t few_elements = 1 << 14;
static constexpr uint32_t most_nesting = 8;
static constexpr uint32_t most_forgotten = 32;
static constexpr uint64_t most_rounds = 16;

typedef struct Failed {
  const Node *nodes[2];
  uint32_t leaves[2];
} Failed;

struct OracleValues {
  Arena *arena;
  Terms *terms;
  const Computation *computations[2];
  Builder builders[2];
  bool is_built, is_prepared;
  bool in_parts;     /* arrays also count as equal where only evaluation finds them so */
  ValuesAnswer part; /* the weakest answer that was drawn so */
  uint32_t nesting;
  LawGrade grade;
  uint32_t unified;
  uint64_t work, most_work, spent; /* `spent`: on the outputs asked before */
  Refusal refusal;
  struct {
    uint32_t count, capacity;
    Failed *items;
  } failed;
};

static OracleValues *values_create(Arena *arena, Terms *terms, const Computation *before,
    const Computation *after, bool is_body, uint64_t most_work, uint32_t nesting) {
  OracleValues *values = ARENA_NEW(arena, OracleValues, 1);
  *values = (OracleValues){.arena = arena,
      .terms = terms,
      .computations = {before, after},
      .nesting = nesting,
      .most_work = most_work};
  values->is_built = true;
  for (int i = 0; values->is_built && i < 2; i++)
    values->is_built = builder_create(&values->builders[i], arena, terms, build_element,
        values->computations[i], is_body, &values->work, most_work, &values->refusal);
  return values;
}

OracleValues *oracle_values_create(
    Arena *arena, const Computation *before, const Computation *after, const ValuesLimits *limits) {
  uint64_t elements =
      limits == nullptr || limits->elements == 0 ? usual_elements : limits->elements;
  OracleValues *values =
      values_create(arena, terms_create(arena), before, after, false, elements, 0);
  values->grade = limits == nullptr ? LAW_NONE : limits->grade;
  return values;
}

/* --- cuts --- */

/* Where something that varies lies behind the array: constants stay transparent. */
static void mark_varying(const Builder *builder, bool *varies) {
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
  Builder *builder = &values->builders[side];
  Term term;
  for (uint32_t i = 0; i < builder->flow.nodes.count; i++)
    for (uint32_t leaf = 0; leaf < builder->flow.nodes.items[i]->leaf_count; leaf++)
      if (!builder_fingerprint(builder, builder->flow.nodes.items[i], leaf, &term)) return false;
  return true;
}

/* Marks by fingerprint what a side has, in one bit. */
static void mark_present(OracleValues *values, uint32_t side, uint8_t *present) {
  Builder *builder = &values->builders[side];
  for (uint32_t i = 0; i < builder->flow.nodes.count; i++)
    for (uint32_t leaf = 0; leaf < builder->flow.nodes.items[i]->leaf_count; leaf++) {
      Term fingerprint = builder->nodes[i].fingerprints[leaf];
      if (fingerprint != no_term) present[fingerprint] |= (uint8_t)(1 << side);
    }
}

static bool prepare(OracleValues *values) {
  if (values->is_prepared) return true;
  if (!fingerprint_all(values, 0) || !fingerprint_all(values, 1)) return false;
  values->is_prepared = true;
  builder_forget(&values->builders[0]);
  builder_forget(&values->builders[1]);
  uint8_t *present = ARENA_NEW(values->arena, uint8_t, terms_count(values->terms));
  mark_present(values, 0, present);
  mark_present(values, 1, present);
  for (uint32_t side = 0; side < 2; side++) {
    Builder *builder = &values->builders[side];
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

static void remove_cuts(OracleValues *values) {
  for (uint32_t side = 0; side < 2; side++) {
    Builder *builder = &values->builders[side];
    for (uint32_t i = 0; i < builder->flow.nodes.count; i++)
      memset(builder->nodes[i].is_cut, 0, builder->flow.nodes.items[i]->leaf_count);
    builder_forget(builder);
  }
}

/* --- proving arrays equal --- */

typedef struct Arrays {
  const Node *nodes[2];
  uint32_t leaves[2];
} Arrays;

static bool prove(OracleValues *values, Arrays arrays, uint32_t depth);

/* Each comparison of two arrays has the limit to itself, and all of them most_rounds times as much.
 */
static bool begin_round(OracleValues *values) {
  values->spent += values->work;
  values->work = 0;
  return values->spent <= most_rounds * values->most_work;
}

/* Element by element; 1: equal, 0: not, -1: not decided. */
static int compare_elements(OracleValues *values, const Arrays *arrays) {
  int64_t elements = arrays->nodes[0]->leaves[arrays->leaves[0]].elements;
  if (!begin_round(values)) return -1;
  for (int64_t i = 0; i < elements; i++) {
    Term terms[2];
    for (int side = 0; side < 2; side++)
      if (!builder_element(&values->builders[side], arrays->nodes[side], arrays->leaves[side], i,
              &terms[side])) {
        values->builders[side].depth = 0;
        return -1;
      }
    if (terms[0] != terms[1]) return 0;
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
    OracleValues *inner = values_create(values->arena, values->terms, before, after, true,
        values->most_work / 2, values->nesting + 1);
    inner->in_parts = values->in_parts;
    if (!inner->is_built || !prepare(inner)) return false;
    for (uint32_t leaf = 0; leaf < shape_leaf_count(before->root->shape); leaf++)
      if (!prove(inner,
              (Arrays){{inner->builders[0].flow.root, inner->builders[1].flow.root}, {leaf, leaf}},
              0))
        return false;
    if (inner->part > values->part) values->part = inner->part;
  }
  return true;
}

/* Both are the same operation, bodies aside. */
static bool same_operation(OracleValues *values, const Arrays *arrays) {
  const Node *a = arrays->nodes[0], *b = arrays->nodes[1];
  const Instruction *one = a->instruction, *other = b->instruction;
  uint32_t signatures[2];
  if (a->is_input || b->is_input || one->opcode != other->opcode ||
      arrays->leaves[0] != arrays->leaves[1] || a->operand_count != b->operand_count)
    return false;
  for (int side = 0; side < 2; side++)
    if (!builder_array_signature(
            &values->builders[side], arrays->nodes[side], "array", &signatures[side]))
      return false;
  if (signatures[0] == signatures[1]) return true;
  if (one->opcode != HLO_WHILE && one->opcode != HLO_CONDITIONAL && one->opcode != HLO_SORT &&
      one->opcode != HLO_SCATTER && one->opcode != HLO_SELECT_AND_SCATTER &&
      one->opcode != HLO_CUSTOM_CALL && one->opcode != HLO_ALL_REDUCE)
    return false;
  const char *head = strstr(signature_at(values->terms, signatures[0])->text, "={t"),
             *tail = strstr(signature_at(values->terms, signatures[1])->text, "={t");
  if (head == nullptr || tail == nullptr) return false;
  size_t lengths[] = {(size_t)(head - signature_at(values->terms, signatures[0])->text),
      (size_t)(tail - signature_at(values->terms, signatures[1])->text)};
  return lengths[0] == lengths[1] &&
         memcmp(signature_at(values->terms, signatures[0])->text,
             signature_at(values->terms, signatures[1])->text, lengths[0]) == 0 &&
         same_bodies(values, one, other);
}

static bool prove_operands(OracleValues *values, const Arrays *arrays, uint32_t depth) {
  if (depth > 400 || !same_operation(values, arrays)) return false;
  for (uint32_t i = 0; i < arrays->nodes[0]->operand_count; i++) {
    const Node *a = arrays->nodes[0]->operands[i], *b = arrays->nodes[1]->operands[i];
    if (a->leaf_count != b->leaf_count) return false;
    for (uint32_t leaf = 0; leaf < a->leaf_count; leaf++)
      if (!prove(values, (Arrays){{a, b}, {leaf, leaf}}, depth + 1)) return false;
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
  /* What was built before stays right; forgetting lets later terms see the cut. */
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

static bool same_fingerprint(const OracleValues *values, const Arrays *arrays) {
  Term terms[2];
  for (int side = 0; side < 2; side++)
    terms[side] = values->builders[side]
                      .nodes[arrays->nodes[side]->number]
                      .fingerprints[arrays->leaves[side]];
  return terms[0] == terms[1] && terms[0] != no_term;
}

static bool find_differing(OracleValues *values, const Arrays *arrays, Differing *differing);

/* Equal on all tries, whatever the arrays that both sides share hold. */
static bool is_equal_in_part(OracleValues *values, const Arrays *arrays) {
  Differing differing;
  ValuesVerdict verdict = {.answer = VALUES_UNKNOWN};
  if (!values->in_parts || !begin_round(values) || !find_differing(values, arrays, &differing))
    return false;
  if (differing.count == 0) return true;
  if (differing.is_cut) return false;
  differing_decide(&differing, &arrays->nodes[0]->leaves[arrays->leaves[0]], &verdict);
  if (verdict.answer > VALUES_MORE_READS) return false;
  if (verdict.answer > values->part) values->part = verdict.answer;
  return true;
}

static int compare_small(OracleValues *values, const Arrays *arrays, bool is_small) {
  bool is_few = arrays->nodes[0]->leaves[arrays->leaves[0]].elements <= few_elements;
  return is_few == is_small ? compare_elements(values, arrays) : -1;
}

/* Fingerprints are of nodes that are resolved. */
static bool prove(OracleValues *values, Arrays arrays, uint32_t depth) {
  for (int side = 0; side < 2; side++) builder_resolve(&arrays.nodes[side], &arrays.leaves[side]);
  const Leaf *a = &arrays.nodes[0]->leaves[arrays.leaves[0]],
             *b = &arrays.nodes[1]->leaves[arrays.leaves[1]];
  if (same_fingerprint(values, &arrays)) return true;
  if (!shape_compatible(a->shape, b->shape) || was_tried(values, &arrays)) return false;
  if (!shape_is_array(a->shape)) return prove_operands(values, &arrays, depth);
  if (values->failed.count > 2000) return false;
  Refusal before = values->refusal;
  bool is_proved = compare_small(values, &arrays, true) == 1;
  values->refusal = before;
  is_proved = is_proved || prove_operands(values, &arrays, depth);
  values->refusal = before;
  is_proved = is_proved || compare_small(values, &arrays, false) == 1;
  values->refusal = before;
  is_proved = is_proved || is_equal_in_part(values, &arrays);
  values->refusal = before;
  if (is_proved) unify(values, &arrays);
  else
    *ARENA_PUSH(values->arena, &values->failed) =
        (Failed){{arrays.nodes[0], arrays.nodes[1]}, {arrays.leaves[0], arrays.leaves[1]}};
  return is_proved;
}

/* --- without cuts --- */

static void set_unknown(OracleValues *values, ValuesVerdict *verdict) {
  verdict->answer = VALUES_UNKNOWN;
  snprintf(verdict->reason, sizeof verdict->reason, "%s",
      values->refusal.is_set ? values->refusal.text : "not decided");
  verdict->stopped = verdict->reason;
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

/* Elements with other terms. Of arrays past the limit a few are tried, the first, the last and some
 * between: enough to refute, never to prove. */
static bool find_differing(OracleValues *values, const Arrays *arrays, Differing *differing) {
  static constexpr int64_t tried = 64;
  int64_t elements = arrays->nodes[0]->leaves[arrays->leaves[0]].elements;
  *differing = (Differing){.arena = values->arena, .terms = values->terms};
  bool is_large = (uint64_t)elements > values->most_work;
  for (int64_t i = 0; i < (is_large ? tried : elements); i++) {
    int64_t element = !is_large        ? i
                      : i < tried / 2  ? i
                      : i + 1 == tried ? elements - 1
                                       : elements / tried * i;
    if (!compare_at(values, arrays, element, differing)) return false;
  }
  return !is_large || refuse(&values->refusal, REASON_TOO_LARGE,
                          "too large: %lld elements of output", (long long)elements);
}

/* Keeps the elements whose terms no law joins; false where the laws cannot be read. */
static void join_by_laws(OracleValues *values, Differing *differing, ValuesVerdict *verdict) {
  Laws laws;
  LawUse use;
  Error error = {};
  if (values->grade == LAW_NONE || !laws_own(values->arena, &laws, &error)) return;
  laws_use(&use, values->arena, values->terms, &laws, values->grade);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < differing->count; i++) {
    if (laws_normal(&use, differing->before[i]) == laws_normal(&use, differing->after[i])) continue;
    differing->elements[kept] = differing->elements[i];
    differing->before[kept] = differing->before[i];
    differing->after[kept++] = differing->after[i];
  }
  differing->count = kept;
  Text text = text_create(values->arena);
  for (uint32_t i = 0; i < laws.count; i++)
    if (use.used[i]) text_printf(&text, "%s%s", text.length == 0 ? "" : ", ", laws.items[i].name);
  if (text.length > 0) verdict->laws = text.bytes;
}

static void ask_whole(OracleValues *values, const Arrays *arrays, ValuesVerdict *verdict) {
  Differing differing;
  remove_cuts(values);
  values->spent += values->work;
  values->work = 0;
  bool is_complete = find_differing(values, arrays, &differing);
  if (!is_complete && differing.count > 0)
    differing_decide(&differing, &arrays->nodes[0]->leaves[arrays->leaves[0]], verdict);
  if (!is_complete && verdict->answer != VALUES_DIFFERENT) {
    *verdict = (ValuesVerdict){};
    set_unknown(values, verdict);
  }
  if (!is_complete) return;
  verdict->by = "terms";
  if (differing.count == 0) {
    verdict->answer = VALUES_SAME;
    return;
  }
  if (!differing.is_cut) join_by_laws(values, &differing, verdict);
  if (differing.count == 0) {
    verdict->answer = VALUES_SAME;
    verdict->by = "laws";
    return;
  }
  if (!differing.is_cut &&
      cases_compare(values->arena, values->terms, differing.count, differing.before,
          differing.after, values->most_work * 4) == CASES_SAME) {
    verdict->answer = VALUES_SAME;
    verdict->by = "offsets";
    return;
  }
  differing_decide(&differing, &arrays->nodes[0]->leaves[arrays->leaves[0]], verdict);
}

/* Loops, and other operations that are not evaluated. */
static bool has_bodies(const Builder *builder) {
  for (uint32_t i = 0; i < builder->flow.nodes.count; i++) {
    Opcode opcode = builder->flow.nodes.items[i]->instruction->opcode;
    if (opcode == HLO_WHILE || opcode == HLO_CUSTOM_CALL || opcode == HLO_SCATTER ||
        opcode == HLO_SORT || opcode_family(opcode) == FAMILY_COLLECTIVE)
      return true;
  }
  return false;
}

/* Part by part: what is equal on all tries, given what both sides share, counts as equal. */
static bool ask_in_parts(OracleValues *values, const Arrays *arrays, ValuesVerdict *verdict) {
  values->spent += values->work;
  values->work = 0;
  values->in_parts = true;
  values->part = VALUES_SAME_READS;
  values->failed.count = 0;
  bool is_proved = prove(values, *arrays, 0);
  values->in_parts = false;
  values->failed.count = 0;
  if (!is_proved) return false;
  verdict->answer = values->part;
  verdict->by = "parts";
  /* What was found equal by evaluation alone must not count as proved for the next output. */
  values->is_prepared = false;
  return true;
}

void oracle_values_ask(OracleValues *values, uint32_t leaf, ValuesVerdict *verdict) {
  *verdict = (ValuesVerdict){.answer = VALUES_SAME, .by = "fingerprint"};
  if (!values->is_built) {
    set_unknown(values, verdict);
    return;
  }
  values->refusal = (Refusal){};
  values->spent += values->work;
  if (values->spent > most_rounds * values->most_work) {
    (void)refuse(
        &values->refusal, REASON_TOO_LARGE, "too large: the outputs before took all elements");
    set_unknown(values, verdict);
    return;
  }
  Arrays arrays = {{values->builders[0].flow.root, values->builders[1].flow.root}, {leaf, leaf}};
  values->work = 0;
  values->builders[0].depth = values->builders[1].depth = 0;
  if (!prepare(values)) {
    set_unknown(values, verdict);
    return;
  }
  for (int side = 0; side < 2; side++) builder_resolve(&arrays.nodes[side], &arrays.leaves[side]);
  if (same_fingerprint(values, &arrays)) return;
  verdict->by = "terms";
  if (prove(values, arrays, 0)) return;
  values->failed.count = 0;
  bool is_opaque = has_bodies(&values->builders[0]) || has_bodies(&values->builders[1]);
  if (is_opaque && ask_in_parts(values, &arrays, verdict)) return;
  values->refusal = (Refusal){};
  values->is_prepared = false;
  ask_whole(values, &arrays, verdict);
  if (verdict->answer != VALUES_UNKNOWN || is_opaque) return;
  ValuesVerdict parts = {};
  if (prepare(values) && ask_in_parts(values, &arrays, &parts)) *verdict = parts;
}
