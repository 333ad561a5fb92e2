/* Decides about one leaf of the output: first with cuts, then in parts, then without cuts, by
 * terms, by laws, under every value of the offsets, and by evaluation. */

#include <string.h>

#include "core/hlo/stateful.h"
#include "oracle/equivalence/smaller_element.h"
#include "oracle/equivalence/values_state.h"
#include "oracle/values/cases.h"

static constexpr uint64_t usual_elements = 3'000'000;

/* Terms assume that a stateful operation runs once, and that a size equals its bound. */
static bool is_followed(OracleValues *values, const Computation *entry) {
  const Instruction *stateful;
  if (entry->bounded != nullptr)
    return reject(&values->rejection, REASON_UNSUPPORTED,
        "'%s' depends on a size of which only a bound is known", entry->bounded->name);
  return stateful_runs(values->arena, entry, &stateful) <= STATEFUL_ONCE ||
         reject(&values->rejection, REASON_UNSUPPORTED,
             "'%s' may run several times, with another value each time", stateful->name);
}

OracleValues *oracle_values_create(
    Arena *arena, const Computation *before, const Computation *after, const ValuesLimits *limits) {
  uint64_t elements =
      limits == nullptr || limits->elements == 0 ? usual_elements : limits->elements;
  OracleValues *values =
      comparison_create(arena, terms_create(arena), before, after, false, elements, 0);
  values->prove_loop = values_prove_loop;
  values->builders[0].lookups = values->builders[1].lookups = ARENA_NEW(arena, TermLookups, 1);
  values->promised = promised_create(values->builders, values->computations);
  values->grade = limits == nullptr ? LAW_NONE : limits->grade;
  terms_set_grade(values->terms, values->grade);
  values->whole_work = elements;
  for (int side = 0; side < 2 && limits != nullptr && limits->bytes > 0; side++)
    values->builders[side].most_bytes = limits->bytes;
  values->is_built = values->is_built && is_followed(values, before) && is_followed(values, after);
  return values;
}

/* Forgets compared loops if the limit changes, so that a loop that was past the limit is compared
 * again. */
void oracle_values_limit(OracleValues *values, uint64_t elements) {
  uint64_t most = elements == 0 || elements > values->whole_work ? values->whole_work : elements;
  if (most != values->most_work) values->loops.count = 0;
  values->most_work = most;
  for (int side = 0; side < 2; side++) values->builders[side].most_work = most;
}

static void set_unknown(OracleValues *values, ValuesVerdict *verdict) {
  verdict->answer = REASON_OPEN;
  verdict->by = nullptr;
  snprintf(verdict->reason, sizeof verdict->reason, "%s",
      values->rejection.is_set ? values->rejection.text : "not decided");
  verdict->stopped = arena_text(values->arena, verdict->reason, strlen(verdict->reason));
}

/* Keeps only the elements whose terms no law joins. */
static void join_by_laws(OracleValues *values, Differing *differing) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < differing->count; i++) {
    if (values_joined(values, differing->before[i], differing->after[i])) continue;
    differing->elements[kept] = differing->elements[i];
    differing->before[kept] = differing->before[i];
    differing->after[kept++] = differing->after[i];
  }
  differing->count = kept;
}

static void name_laws(OracleValues *values, ValuesVerdict *verdict) {
  const ValuesShared *shared = values->shared;
  Text text = text_create(values->arena);
  for (uint32_t i = 0; shared->has_laws && i < shared->laws.count; i++)
    if (law_set_has(&shared->use.used, i))
      text_printf(&text, "%s%s", text.length == 0 ? "" : ", ", shared->laws.items[i].name);
  if (text.length > 0 && verdict->answer == REASON_EXACT) verdict->laws = text.bytes;
}

/* Tried elements can refute but prove nothing. */
static void decide_tried(
    OracleValues *values, const Arrays *arrays, Differing *differing, ValuesVerdict *verdict) {
  join_by_laws(values, differing);
  *verdict = (ValuesVerdict){.answer = REASON_TRIED, .by = "terms"};
  if (differing->count > 0)
    differing_decide(differing, &arrays->nodes[0]->leaves[arrays->leaves[0]], verdict);
  if (values_rank(verdict->answer) > values_rank(REASON_TRIED)) return;
  verdict->answer = REASON_TRIED;
  snprintf(verdict->reason, sizeof verdict->reason, "%s", values->rejection.text);
}

/* This takes memory for each term of the store, so it has an arena of its own. */
static bool same_for_all_offsets(OracleValues *values, Differing *differing) {
  Arena *arena = arena_create();
  CasesResult result = cases_compare(arena, values->terms, differing->count, differing->before,
      differing->after, values->most_work * 4, &differing->offsets);
  arena_destroy(arena);
  return result == CASES_SAME;
}

static void judge_whole(OracleValues *values, const Arrays *arrays, ValuesVerdict *verdict) {
  Differing differing;
  values_remove_cuts(values);
  values->shared->spent += values->work;
  values->work = 0;
  ValuesCoverage found = values_find_differing(values, arrays, &differing);
  bool is_complete = found == FOUND_ALL;
  if (found == FOUND_TRIED) {
    decide_tried(values, arrays, &differing, verdict);
    smaller_element(values, arrays, verdict);
    return;
  }
  if (!is_complete && differing.count > 0)
    differing_decide(&differing, &arrays->nodes[0]->leaves[arrays->leaves[0]], verdict);
  if (!is_complete && verdict->answer != REASON_DIFFERENT) {
    *verdict = (ValuesVerdict){};
    set_unknown(values, verdict);
  }
  if (!is_complete) smaller_element(values, arrays, verdict);
  if (!is_complete) return;
  verdict->by = "terms";
  if (differing.count == 0) {
    verdict->answer = REASON_EXACT;
    return;
  }
  if (!differing.is_cut) join_by_laws(values, &differing);
  if (differing.count == 0) {
    verdict->answer = REASON_EXACT;
    verdict->by = "laws";
    return;
  }
  if (!differing.is_cut && same_for_all_offsets(values, &differing)) {
    verdict->answer = REASON_EXACT;
    verdict->by = "offsets";
    return;
  }
  differing_decide(&differing, &arrays->nodes[0]->leaves[arrays->leaves[0]], verdict);
}

/* Whether the graph has loops or other operations that are not evaluated. */
static bool has_bodies(const TermBuilder *builder) {
  for (uint32_t i = 0; i < builder->flow.nodes.count; i++) {
    Opcode opcode = builder->flow.nodes.items[i]->instruction->opcode;
    if (opcode == HLO_WHILE || opcode == HLO_CUSTOM_CALL || opcode == HLO_SCATTER ||
        opcode == HLO_SORT || opcode_family(opcode) == FAMILY_COLLECTIVE)
      return true;
  }
  return false;
}

/* Proves in parts: arrays that are equal on all tries, given what both sides share, count as
 * equal. */
static bool judge_in_parts(OracleValues *values, const Arrays *arrays, ValuesVerdict *verdict) {
  values->shared->spent += values->work;
  values->work = 0;
  values->in_parts = true;
  values->part = REASON_SAME_READS;
  values->failed.count = 0;
  bool is_proved = values_prove(values, *arrays, 0);
  values->in_parts = false;
  values->failed.count = 0;
  /* Arrays found equal only by evaluation must not count as proved for the next output. */
  values->is_prepared = false;
  if (!is_proved || values->part == REASON_OPEN) return false;
  verdict->answer = values->part;
  verdict->by = "parts";
  return true;
}

/* What one part no longer reads, another part may still read. So parts with other reads decide only
 * if the terms of the whole elements have them too. */
static bool whole_reads_alike(OracleValues *values, const Arrays *arrays, ValuesVerdict *parts) {
  Differing differing;
  VerdictReason answer = parts->answer;
  if (answer != REASON_FEWER_READS && answer != REASON_MORE_READS) return true;
  values_remove_cuts(values);
  values->shared->spent += values->work;
  values->work = 0;
  if (values_find_differing(values, arrays, &differing) != FOUND_ALL || differing.is_cut)
    return false;
  join_by_laws(values, &differing);
  differing_decide_reads(&differing, &arrays->nodes[0]->leaves[arrays->leaves[0]], parts);
  return parts->answer == answer;
}

/* Whether the verdict in parts is stronger; a difference is always kept. */
static bool is_weaker(const ValuesVerdict *whole, const ValuesVerdict *parts, bool has_parts) {
  return has_parts && whole->answer != REASON_DIFFERENT &&
         values_rank(parts->answer) < values_rank(whole->answer);
}

/* Arrays and loops that were proved equal for previous outputs may be part of a proof, and with
 * them the laws that were used. */
static void join_earlier_laws(OracleValues *values) {
  if (values->unified > 0 || values->loops.count > 0)
    law_set_join(&values->shared->use.used, &values->shared->earlier);
}

static void same_values_of_leaf(OracleValues *values, uint32_t leaf, ValuesVerdict *verdict) {
  *verdict = (ValuesVerdict){.answer = REASON_EXACT, .by = "fingerprint"};
  if (!values->is_built) {
    set_unknown(values, verdict);
    return;
  }
  values->rejection = (Rejection){};
  values->shared->total += values->shared->spent + values->work;
  values->shared->spent = 0;
  if (values->shared->total > most_outputs * most_rounds * values->most_work) {
    (void)reject(
        &values->rejection, REASON_TOO_LARGE, "too large: the outputs before took all elements");
    set_unknown(values, verdict);
    return;
  }
  Arrays arrays = {{values->builders[0].flow.root, values->builders[1].flow.root}, {leaf, leaf}};
  values->work = 0;
  values->builders[0].depth = values->builders[1].depth = 0;
  if (!values_prepare(values)) {
    set_unknown(values, verdict);
    return;
  }
  for (int side = 0; side < 2; side++) builder_resolve(&arrays.nodes[side], &arrays.leaves[side]);
  if (values_same_fingerprint(values, &arrays)) return;
  if (!shape_is_array(arrays.nodes[0]->leaves[arrays.leaves[0]].shape)) {
    (void)reject(&values->rejection, REASON_UNSUPPORTED, "a value without elements");
    set_unknown(values, verdict);
    return;
  }
  verdict->by = "terms";
  if (values_prove(values, arrays, 0)) {
    join_earlier_laws(values);
    return;
  }
  values->failed.count = 0;
  bool is_opaque = has_bodies(&values->builders[0]) || has_bodies(&values->builders[1]);
  ValuesVerdict parts = {};
  bool has_parts = is_opaque && judge_in_parts(values, &arrays, &parts);
  values->rejection = (Rejection){};
  values->is_prepared = false;
  judge_whole(values, &arrays, verdict);
  if (verdict->answer != REASON_OPEN && !is_weaker(verdict, &parts, has_parts)) return;
  if (!is_opaque) has_parts = values_prepare(values) && judge_in_parts(values, &arrays, &parts);
  if (has_parts && whole_reads_alike(values, &arrays, &parts)) *verdict = parts;
}

void values_query(OracleValues *values, uint32_t leaf, ValuesVerdict *verdict) {
  values->shared->use.used = (LawSet){};
  same_values_of_leaf(values, leaf, verdict);
  name_laws(values, verdict);
  law_set_join(&values->shared->earlier, &values->shared->use.used);
}
