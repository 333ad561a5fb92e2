/* The oracle's terms and smt's proofs are the judges of values. A leaf of another element type in
 * the two graphs is unknown: its values do not stand for each other. */
#include "judge/graphs/equiv_values.h"

#include "judge/graphs/equiv_call.h"

const char *equiv_values_text(ValuesAnswer answer) {
  static const char *const texts[] = {
#define ANSWER(id, text, status, help) [VALUES_##id] = text,
#include "judge/graphs/equiv_values.def"
#undef ANSWER
  };
  return texts[answer];
}

Status equiv_values_status(ValuesAnswer answer) {
  static constexpr Status statuses[] = {
#define ANSWER(id, text, status, help) [VALUES_##id] = STATUS_##status,
#include "judge/graphs/equiv_values.def"
#undef ANSWER
  };
  return statuses[answer];
}

bool equiv_values_open(Arena *arena, const Module *before, const Module *after,
    const ValuesLimits *limits, Smt *smt, EquivValues *values, Error *error) {
  if (!equiv_entries_match(before, after, error)) return false;
  *values = (EquivValues){.output = before->entry->root->shape,
      .leaf_count = shape_leaf_count(before->entry->root->shape)};
  for (uint32_t i = 0; i < values->leaf_count; i++)
    if (shape_leaf(values->output, i)->type != shape_leaf(after->entry->root->shape, i)->type)
      return error_set(error, ERROR_INPUT, "output leaf %u has another element type after", i);
  for (uint32_t i = 0; i < before->entry->parameter_count; i++)
    if (!shape_compatible(before->entry->parameters[i]->shape, after->entry->parameters[i]->shape))
      return error_set(error, ERROR_INPUT, "parameter %u has another element type after", i);
  values->oracle = oracle_values_create(arena, before->entry, after->entry, limits);
  values->smt = smt;
  if (smt != nullptr) values->proof = smt_values_create(smt, before->entry, after->entry);
  return true;
}

bool equiv_values_create(Arena *arena, const Module *before, const Module *after,
    const ValuesLimits *limits, EquivValues *values, Error *error) {
  return equiv_values_open(arena, before, after, limits, nullptr, values, error);
}

void equiv_values_ask(const EquivValues *values, uint32_t leaf, ValuesVerdict *verdict) {
  oracle_values_ask(values->oracle, leaf, verdict);
}

void equiv_values_close(EquivValues *values) {
  smt_values_destroy(values->proof);
  values->proof = nullptr;
}

static void ask_proof(const EquivValues *values, uint32_t leaf, Verdict *proof) {
  Error error = {};
  *proof = (Verdict){};
  if (values->proof != nullptr && !smt_values_ask(values->proof, leaf, proof, &error))
    verdict_decide(proof, REASON_REJECTED, "%s", error.message);
}

static void say_both(EquivValuesVerdict *verdict, const char *oracle) {
  snprintf(verdict->reason, sizeof verdict->reason, "%.200s; smt: %.160s", oracle,
      verdict_text(&verdict->proof));
}

/* Proved: the answer is the same values, unless the oracle has evaluated them to be different. */
static void join_proved(EquivValuesVerdict *verdict) {
  switch (verdict->values.answer) {
    case VALUES_SAME: verdict->judges = "oracle+smt"; return;
    case VALUES_DIFFERENT:
      verdict->is_disagreement = true;
      say_both(verdict, "oracle: evaluated to different values");
      return;
    case VALUES_SAME_READS:
    case VALUES_FEWER_READS:
    case VALUES_MORE_READS:
    case VALUES_TRIED:
    case VALUES_UNKNOWN:
      verdict->values = (ValuesVerdict){.answer = VALUES_SAME, .by = "proof"};
      verdict->judges = "smt";
      verdict->reason[0] = 0;
      return;
  }
}

/* Terms that differ, at an element that nobody has evaluated. */
static void join_refuted(EquivValuesVerdict *verdict) {
  Text text = text_create(verdict->proof.arena);
  if (verdict->values.answer != VALUES_UNKNOWN) return;
  for (uint32_t i = 0; i < verdict->proof.point_rank; i++)
    text_printf(&text, "%s%lld", i == 0 ? "" : ", ", (long long)verdict->proof.point[i]);
  snprintf(verdict->reason, sizeof verdict->reason,
      "%.200s; smt: %.100s, at element (%.60s), which is not evaluated", verdict->values.reason,
      verdict_text(&verdict->proof), text.bytes);
}

void equiv_values_join(EquivValuesVerdict *verdict) {
  snprintf(verdict->reason, sizeof verdict->reason, "%s", verdict->values.reason);
  verdict->judges = verdict->values.answer == VALUES_UNKNOWN ? nullptr : "oracle";
  switch (verdict->proof.status) {
    case VERDICT_PROVED: join_proved(verdict); break;
    case VERDICT_REFUTED: join_refuted(verdict); break;
    case VERDICT_UNKNOWN:
      if (verdict->values.answer == VALUES_UNKNOWN && verdict->proof.reason != REASON_NOT_ASKED)
        say_both(verdict, verdict->values.reason);
      break;
  }
}

void equiv_values_judge(const EquivValues *values, uint32_t leaf, EquivValuesVerdict *verdict) {
  *verdict = (EquivValuesVerdict){};
  oracle_values_ask(values->oracle, leaf, &verdict->values);
  ask_proof(values, leaf, &verdict->proof);
  equiv_values_join(verdict);
}

const char *equiv_values_answer_text(const EquivValuesVerdict *verdict) {
  return verdict->is_disagreement ? "disagree" : equiv_values_text(verdict->values.answer);
}

Status equiv_values_answer_status(const EquivValuesVerdict *verdict) {
  return verdict->is_disagreement ? STATUS_BAD : equiv_values_status(verdict->values.answer);
}
