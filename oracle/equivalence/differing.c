/* The smallest element with different values under some assignment is the counterexample. If there
 * is none, elements whose inputs have few bits are compared under all values of these. If others
 * remain and each has a value under some assignment, the atoms of the terms are compared as reads.
 * If an element has no value, the first operation without arithmetic is named. */
#include "oracle/equivalence/differing.h"

#include <string.h>

#include "core/base/stack.h"
#include "oracle/terms/term_reads.h"
#include "oracle/values/all_inputs.h"
#include "oracle/values/witness.h"

static void differing_grow(Differing *differing) {
  static constexpr uint32_t first = 16;
  uint32_t count = differing->count, capacity = count == 0 ? first : 2 * count;
  differing->elements = arena_grow(
      differing->arena, differing->elements, count, capacity, sizeof *differing->elements);
  differing->before =
      arena_grow(differing->arena, differing->before, count, capacity, sizeof *differing->before);
  differing->after =
      arena_grow(differing->arena, differing->after, count, capacity, sizeof *differing->after);
  differing->capacity = capacity;
}

void differing_add(Differing *differing, int64_t element, Term before, Term after) {
  if (differing->count == differing_most) {
    differing->is_cut = true;
    return;
  }
  if (differing->count == differing->capacity) differing_grow(differing);
  differing->elements[differing->count] = element;
  differing->before[differing->count] = before;
  differing->after[differing->count++] = after;
}

static const char *print_value(Arena *arena, Element value) {
  Text text = text_create(arena);
  element_print(&text, value);
  return text.bytes;
}

static void set_point(
    const Differing *differing, uint32_t at, const Leaf *leaf, ValuesVerdict *verdict) {
  verdict->has_point = true;
  verdict->rank = leaf->rank;
  leaf_index(leaf, differing->elements[at], verdict->point);
  Term apart[2] = {differing->before[at], differing->after[at]};
  uint32_t depth = terms_part(differing->terms, &apart[0], &apart[1]);
  for (uint32_t side = 0; side < 2; side++) {
    Text text = text_create(differing->arena);
    terms_print(&text, differing->terms, apart[side], 3);
    verdict->sides[side] = text.bytes;
  }
  Text text = text_create(differing->arena);
  if (depth > 0)
    text_printf(&text, "the terms differ inside %s that both have: ", counted(depth, "operation"));
  text_printf(&text, "%s before, %s after", verdict->sides[0], verdict->sides[1]);
  verdict->terms = text.bytes;
}

/* The comparison that refutes under an assignment. */
static ElementsDiffer *differ_under(uint32_t assignment) {
  if (inputs_are_wide(assignment)) return elements_differ_exactly;
  if (assignment >= evaluation_assignments) return elements_differ_by_overflow;
  return inputs_have_edges(assignment) ? elements_differ_exactly : elements_differ;
}

/* Tries the assignments; `known` marks the elements that had a value. */
static bool try_assignments(Differing *differing, Evaluation *evaluation, uint32_t first,
    uint32_t end, uint8_t *known, uint32_t *smallest, uint32_t *assignment) {
  *smallest = differing->count;
  for (uint32_t try = first; try < end; try++) {
    evaluation->assignment = try;
    ElementsDiffer *differ = differ_under(try);
    for (uint32_t i = 0; i < *smallest; i++) {
      Element before = evaluate_term(evaluation, differing->before[i]),
              after = evaluate_term(evaluation, differing->after[i]);
      known[i] |= before.is_known && after.is_known && !before.is_coarse && !after.is_coarse;
      if (!differ(&before, &after) || !evaluation_refutes(evaluation)) continue;
      *smallest = i;
      *assignment = try;
    }
    if (evaluation->steps > evaluation->most_steps) break;
  }
  return *smallest < differing->count;
}

static bool find_different(Differing *differing, Evaluation *evaluation, uint8_t *known,
    uint32_t *smallest, uint32_t *assignment) {
  uint32_t end = evaluation->has_picks ? evaluation_assignments : evaluation_usual;
  return try_assignments(differing, evaluation, 0, end, known, smallest, assignment);
}

/* Integers of the full width are tried last, in the steps that are left. */
static bool find_wide(Differing *differing, Evaluation *evaluation, uint8_t *known,
    uint32_t *smallest, uint32_t *assignment) {
  uint64_t steps = evaluation->steps;
  if (evaluation->constants.array_count == 0 || steps > evaluation->most_steps) return false;
  bool is_found = try_assignments(differing, evaluation, evaluation_first_wide,
      evaluation_first_wide + evaluation_wide, known, smallest, assignment);
  evaluation->steps = steps;
  return is_found;
}

/* Marks the terms that depend on an integer input. Children come before their terms. */
static uint8_t *mark_of_integers(const Differing *differing) {
  const Terms *terms = differing->terms;
  uint8_t *marks = ARENA_NEW(differing->arena, uint8_t, terms_count(terms));
  for (Term term = 0; term < terms_count(terms); term++) {
    const TermData *data = term_data(terms, term);
    if (data->kind == TERM_ATOM && data->type != TYPE_pred && element_type_is_integral(data->type))
      marks[term] = !signature_at(terms, data->signature)->is_opaque;
    for (uint32_t i = 0; i < data->count && !marks[term]; i++)
      marks[term] = marks[term_children(terms, term)[i]];
  }
  return marks;
}

/* The pairs that depend on an integer input; `from` gets their positions. */
static Differing pairs_of_integers(const Differing *differing, uint32_t *from) {
  const uint8_t *marks = mark_of_integers(differing);
  Differing pairs = *differing;
  pairs.count = 0;
  pairs.before = ARENA_NEW(differing->arena, Term, differing->count);
  pairs.after = ARENA_NEW(differing->arena, Term, differing->count);
  for (uint32_t i = 0; i < differing->count; i++) {
    if (!marks[differing->before[i]] && !marks[differing->after[i]]) continue;
    from[pairs.count] = i;
    pairs.before[pairs.count] = differing->before[i];
    pairs.after[pairs.count++] = differing->after[i];
  }
  return pairs;
}

/* Notable integers are tried on the pairs that are left, in few steps. */
static bool find_notable(const Differing *differing, Evaluation *evaluation, uint8_t *known,
    uint32_t *smallest, uint32_t *assignment) {
  static constexpr uint64_t most_steps = 100'000;
  static constexpr uint32_t most_pairs = 1 << 17;
  uint64_t steps = evaluation->steps, limit = evaluation->most_steps;
  if (evaluation->constants.array_count == 0 || steps > limit || differing->count == 0)
    return false;
  uint32_t *from = ARENA_NEW(differing->arena, uint32_t, differing->count);
  uint8_t *pair_known = ARENA_NEW(differing->arena, uint8_t, differing->count);
  Differing pairs = pairs_of_integers(differing, from);
  if (pairs.count == 0) return false;
  uint32_t tries = inputs_notable_tries(&evaluation->constants);
  if (tries > most_pairs / pairs.count) tries = most_pairs / pairs.count;
  if (limit > steps + most_steps) evaluation->most_steps = steps + most_steps;
  bool is_found = try_assignments(&pairs, evaluation, evaluation_first_notable,
      evaluation_first_notable + tries, pair_known, smallest, assignment);
  for (uint32_t i = 0; i < pairs.count; i++) known[from[i]] |= pair_known[i];
  if (is_found) *smallest = from[*smallest];
  evaluation->steps = steps;
  evaluation->most_steps = limit;
  return is_found;
}

/* Whether both terms are operations of one floating input. False for more than a few terms. */
static bool is_of_one_input(const Terms *terms, Term term, uint32_t *steps, Term *input) {
  const TermData *data = term_data(terms, term);
  if ((*steps)++ > 64) return false;
  if (data->kind == TERM_CONSTANT) return true;
  if (data->kind == TERM_ATOM) {
    if (*input == no_term && !element_type_is_integral(data->type)) *input = term;
    return *input == term;
  }
  if (data->kind != TERM_APPLY) return false;
  for (uint32_t i = 0; i < data->count; i++)
    if (!is_of_one_input(terms, term_children(terms, term)[i], steps, input)) return false;
  return true;
}

/* Finds an infinite intermediate value that only one side has. With one input, a different order of
 * operations cannot cause it. */
static bool find_overflow(
    Differing *differing, Evaluation *evaluation, uint32_t *smallest, uint32_t *assignment) {
  for (uint32_t i = 0; i < differing->count; i++) {
    uint32_t steps = 0;
    Term input = no_term;
    if (!is_of_one_input(differing->terms, differing->before[i], &steps, &input) ||
        !is_of_one_input(differing->terms, differing->after[i], &steps, &input) || input == no_term)
      continue;
    for (uint32_t try = 0; try < evaluation_large; try++) {
      evaluation->assignment = *assignment = evaluation_assignments + try;
      Element before = evaluate_term(evaluation, differing->before[i]),
              after = evaluate_term(evaluation, differing->after[i]);
      *smallest = i;
      if (elements_differ_by_overflow(&before, &after) && evaluation_refutes(evaluation))
        return true;
    }
  }
  return false;
}

/* The reads of all elements together. */
static TermReadsAnswer join_reads(TermReadsAnswer all, TermReadsAnswer one) {
  if (all == one || one == TERM_READS_SAME) return all;
  if (all == TERM_READS_SAME || one == TERM_READS_LARGE) return one;
  return all == TERM_READS_LARGE ? all : TERM_READS_BOTH;
}

static VerdictReason reads_reason(TermReadsAnswer answer) {
  switch (answer) {
    case TERM_READS_SAME: return REASON_SAME_READS;
    case TERM_READS_MORE: return REASON_MORE_READS;
    case TERM_READS_FEWER: return REASON_FEWER_READS;
    case TERM_READS_BOTH:
    case TERM_READS_LARGE: break;
  }
  return REASON_OPEN;
}

void differing_decide_reads(const Differing *differing, const Leaf *leaf, ValuesVerdict *verdict) {
  TermReads *reads = term_reads_create(differing->arena, differing->terms);
  TermReadsAnswer all = TERM_READS_SAME;
  uint32_t first = 0;
  Term alone = no_term;
  for (uint32_t i = 0; i < differing->count && all != TERM_READS_LARGE; i++) {
    Term element = no_term;
    all = join_reads(
        all, term_reads_compare(reads, differing->before[i], differing->after[i], &element));
    if (alone != no_term || element == no_term) continue;
    first = i;
    alone = element;
  }
  verdict->answer = reads_reason(all);
  set_point(differing, first, leaf, verdict);
  if (verdict->answer == REASON_OPEN)
    snprintf(verdict->reason, sizeof verdict->reason,
        all == TERM_READS_BOTH ? "other elements are read, and no input was found that shows it"
                               : "too large: the terms read too much to compare it");
  if (alone == no_term) return;
  Text text = text_create(differing->arena);
  terms_print(&text, differing->terms, alone, 1);
  verdict->element = text.bytes;
}

/* The first operation without arithmetic below a term; with `is_elided`, the first elided
 * constant. */
static const TermSignature *find_opaque(
    const Terms *terms, Term term, bool is_elided, uint8_t *seen) {
  const TermData *data = term_data(terms, term);
  if (seen[term] || stack_is_low()) return nullptr;
  seen[term] = 1;
  bool has_signature = data->kind == TERM_APPLY || data->kind == TERM_FOLD ||
                       data->kind == TERM_ATOM || (data->kind == TERM_ARRAY && data->count == 0);
  const TermSignature *of = has_signature ? signature_at(terms, data->signature) : nullptr;
  bool is_atom = data->kind == TERM_ATOM || data->kind == TERM_ARRAY;
  if (of != nullptr && of->is_opaque && is_atom == is_elided) return of;
  for (uint32_t i = 0; i < data->count; i++) {
    const TermSignature *found = find_opaque(terms, term_children(terms, term)[i], is_elided, seen);
    if (found != nullptr) return found;
  }
  return nullptr;
}

/* The reason why a comparison stops: an elided constant on one side only, otherwise the first
 * operation without arithmetic. */
static const char *find_stopper(const Differing *differing, uint32_t at) {
  const TermSignature *found[4];
  for (uint32_t i = 0; i < 4; i++) {
    uint8_t *seen = ARENA_NEW(differing->arena, uint8_t, terms_count(differing->terms));
    Term term = i % 2 == 0 ? differing->before[at] : differing->after[at];
    found[i] = find_opaque(differing->terms, term, i < 2, seen);
    if (i < 2 && found[i] != nullptr && found[i]->is_namesake)
      return arena_printf(
          differing->arena, "constant '%s' {...}, one of several of that name", found[i]->name);
  }
  if ((found[0] == nullptr) != (found[1] == nullptr)) return "constant {...}";
  const TermSignature *of = found[2] != nullptr ? found[2] : found[3];
  return of != nullptr ? of->name : found[0] != nullptr ? "constant {...}" : nullptr;
}

static bool has_value(const Element *value) { return value->is_known && !value->is_coarse; }

/* The first term without a value of which all parts have values. */
static Term find_valueless(Evaluation *evaluation, Term term, uint8_t *seen) {
  const TermData *data = term_data(evaluation->terms, term);
  if (seen[term] || stack_is_low()) return no_term;
  seen[term] = 1;
  for (uint32_t i = 0; i < data->count; i++) {
    Term found = find_valueless(evaluation, term_children(evaluation->terms, term)[i], seen);
    if (found != no_term) return found;
  }
  if (data->kind == TERM_TUPLE || data->kind == TERM_ARRAY) return no_term;
  Element value = evaluate_term(evaluation, term);
  return has_value(&value) ? no_term : term;
}

/* Why a term has no value that may differ. */
static const char *why_valueless(Evaluation *evaluation, Term term) {
  return evaluate_term(evaluation, term).is_known ? evaluation_why_coarse(evaluation, term)
                                                  : "which is not evaluated";
}

/* "add of c64", and why it has no value. */
static const char *name_valueless(
    const Differing *differing, Evaluation *evaluation, uint32_t at, const char **why) {
  uint8_t *seen = ARENA_NEW(differing->arena, uint8_t, terms_count(differing->terms));
  evaluation->assignment = 0;
  Term found = find_valueless(evaluation, differing->before[at], seen);
  if (found == no_term) found = find_valueless(evaluation, differing->after[at], seen);
  if (found == no_term) return "a value";
  const TermData *data = term_data(differing->terms, found);
  *why = why_valueless(evaluation, found);
  bool is_named = data->kind == TERM_APPLY || data->kind == TERM_FOLD;
  return arena_printf(differing->arena, "%s of %s",
      is_named                  ? signature_at(differing->terms, data->signature)->name
      : data->kind == TERM_ATOM ? "an input"
                                : "a value",
      element_type_name(data->type));
}

static void set_unknown_values(const Differing *differing, Evaluation *evaluation, uint32_t at,
    const Leaf *leaf, ValuesVerdict *verdict) {
  const char *why = "which is not evaluated";
  const char *name = find_stopper(differing, at);
  if (name == nullptr) name = name_valueless(differing, evaluation, at, &why);
  verdict->answer = REASON_OPEN;
  verdict->by = nullptr;
  verdict->stopped = name;
  set_point(differing, at, leaf, verdict);
  snprintf(verdict->reason, sizeof verdict->reason, "terms differ across %s, %s", name, why);
}

static void set_different(Differing *differing, Evaluation *evaluation, uint32_t at,
    const Leaf *leaf, ValuesVerdict *verdict) {
  verdict->answer = REASON_DIFFERENT;
  verdict->by = "values";
  set_point(differing, at, leaf, verdict);
  verdict->values[0] =
      print_value(differing->arena, evaluate_term(evaluation, differing->before[at]));
  verdict->values[1] =
      print_value(differing->arena, evaluate_term(evaluation, differing->after[at]));
  verdict->at =
      evaluation_inputs(evaluation, differing->before[at], differing->after[at], &verdict->inputs);
}

/* An assignment differs; of its inputs few are kept. */
static void set_found(Differing *differing, Evaluation *evaluation, uint32_t at,
    uint32_t assignment, const Leaf *leaf, ValuesVerdict *verdict) {
  evaluation->assignment = assignment;
  evaluation_use_few_inputs(
      evaluation, differing->before[at], differing->after[at], differ_under(assignment));
  set_different(differing, evaluation, at, leaf, verdict);
}

/* Compares the elements under all values of their inputs. Elements that are equal are dropped;
 * returns whether one is different. */
static bool compare_all_inputs(
    Differing *differing, Evaluation *evaluation, uint8_t *known, uint32_t *smallest) {
  static constexpr uint64_t most_steps = 20'000'000;
  uint64_t steps = evaluation->steps, limit = evaluation->most_steps;
  uint32_t kept = 0;
  if (!element_type_is_integral(term_data(differing->terms, differing->before[0])->type))
    return false;
  AllInputs all = all_inputs_create(evaluation);
  evaluation->steps = 0;
  evaluation->most_steps = most_steps;
  AllInputsResult result = ALL_INPUTS_UNKNOWN;
  for (uint32_t i = 0; i < differing->count && result != ALL_INPUTS_DIFFER; i++) {
    result = all_inputs_compare(&all, differing->before[i], differing->after[i]);
    if (result == ALL_INPUTS_SAME) continue;
    *smallest = kept;
    known[kept] = known[i];
    differing->elements[kept] = differing->elements[i];
    differing->before[kept] = differing->before[i];
    differing->after[kept++] = differing->after[i];
  }
  differing->count = kept;
  evaluation->steps = steps;
  evaluation->most_steps = limit;
  return result == ALL_INPUTS_DIFFER;
}

/* Whether the term is an input that may have any value. */
static bool is_free_input(const Evaluation *evaluation, Term term) {
  const TermData *data = term_data(evaluation->terms, term);
  if (data->kind != TERM_ATOM) return false;
  const TermSignature *of = signature_at(evaluation->terms, data->signature);
  return !of->is_opaque && !of->is_body && !of->is_nan && evaluation->neutral[term] == 0;
}

/* Fixes the offsets; false if one of them is no input. */
static bool fix_offsets(const Differing *differing, Evaluation *evaluation) {
  const CasesDifference *offsets = &differing->offsets;
  if (evaluation->fixed == nullptr)
    evaluation->fixed = ARENA_NEW(evaluation->arena, Element, evaluation->capacity);
  for (uint32_t i = 0; i < offsets->count; i++) {
    Term input = offsets->variables[i];
    if (!is_free_input(evaluation, input)) return false;
    evaluation->fixed[input] =
        element_of_integer(term_data(differing->terms, input)->type, offsets->values[i]);
  }
  evaluation->round++;
  return true;
}

/* Compares the two terms that differ under some offsets, under those and a few values of the other
 * inputs. */
static bool compare_at_offsets(
    Differing *differing, Evaluation *evaluation, uint32_t *smallest, uint32_t *assignment) {
  static constexpr uint32_t tries = 8;
  *smallest = differing->offsets.pair;
  if (differing->offsets.count == 0 || !fix_offsets(differing, evaluation)) return false;
  for (*assignment = 0; *assignment < tries; ++*assignment) {
    evaluation->assignment = *assignment;
    Element before = evaluate_term(evaluation, differing->before[*smallest]),
            after = evaluate_term(evaluation, differing->after[*smallest]);
    if (differ_under(*assignment)(&before, &after) && evaluation_refutes(evaluation)) return true;
  }
  for (uint32_t i = 0; i < differing->offsets.count; i++)
    evaluation->fixed[differing->offsets.variables[i]] = (Element){};
  evaluation->round++;
  return false;
}

/* Once more, with values of elements of large parameters. What is equal then is not proved equal.
 */
static bool find_looked_up(
    Differing *differing, Evaluation *evaluation, uint32_t *smallest, uint32_t *assignment) {
  Lookups *lookups = lookups_create(differing->arena, differing->lookups);
  bool had_picks = evaluation->has_picks;
  uint64_t steps = evaluation->steps;
  if (lookups == nullptr) return false;
  evaluation->look_up = lookups_find;
  evaluation->lookups = lookups;
  evaluation->has_picks = true;
  evaluation->round++;
  uint8_t *known = ARENA_NEW(differing->arena, uint8_t, differing->count);
  if (find_different(differing, evaluation, known, smallest, assignment)) return true;
  evaluation->look_up = nullptr;
  evaluation->has_picks = had_picks;
  evaluation->steps = steps;
  evaluation->round++;
  return false;
}

static void set_too_large(const Differing *differing, bool is_long, ValuesVerdict *verdict) {
  verdict->answer = REASON_OPEN;
  verdict->by = nullptr;
  if (is_long)
    snprintf(verdict->reason, sizeof verdict->reason,
        "too large: more than %llu steps of evaluation", (unsigned long long)differing->most_steps);
  else
    snprintf(verdict->reason, sizeof verdict->reason,
        "too large: the terms of more than %u elements differ, and only these were evaluated",
        differing_most);
  verdict->stopped = verdict->reason;
}

static void set_promised(const Differing *differing, const Leaf *leaf, ValuesVerdict *verdict) {
  verdict->answer = REASON_OPEN;
  verdict->by = nullptr;
  set_point(differing, 0, leaf, verdict);
  snprintf(verdict->reason, sizeof verdict->reason,
      "the values differ only for indices that are not shown to keep the graphs' promises about "
      "them");
  verdict->stopped = verdict->reason;
}

static void decide_in_scratch(Differing *differing, const Leaf *leaf, ValuesVerdict *verdict) {
  Evaluation evaluation;
  uint32_t smallest, assignment = 0;
  uint8_t *known = ARENA_NEW(differing->arena, uint8_t, differing->count);
  evaluation_create(&evaluation, differing->arena, differing->terms, differing->most_steps);
  evaluation.is_lenient = !differing->is_exact;
  evaluation_set_graph(&evaluation, differing->count, differing->before);
  evaluation_set_graph(&evaluation, differing->count, differing->after);
  evaluation.promised = differing->promised;
  evaluation.keeps_promises = differing->promised == nullptr ? nullptr : promised_are_kept;
  if (find_different(differing, &evaluation, known, &smallest, &assignment) ||
      (differing->is_exact && find_overflow(differing, &evaluation, &smallest, &assignment)) ||
      compare_at_offsets(differing, &evaluation, &smallest, &assignment) ||
      find_wide(differing, &evaluation, known, &smallest, &assignment) ||
      find_looked_up(differing, &evaluation, &smallest, &assignment)) {
    set_found(differing, &evaluation, smallest, assignment, leaf, verdict);
    return;
  }
  bool is_long = evaluation.steps > evaluation.most_steps;
  if (compare_all_inputs(differing, &evaluation, known, &smallest)) {
    set_different(differing, &evaluation, smallest, leaf, verdict);
    return;
  }
  if (!is_long && find_notable(differing, &evaluation, known, &smallest, &assignment)) {
    set_found(differing, &evaluation, smallest, assignment, leaf, verdict);
    return;
  }
  if (differing->is_cut || (is_long && differing->count > 0)) {
    set_too_large(differing, is_long, verdict);
    return;
  }
  if (differing->count == 0) {
    verdict->answer = REASON_EXACT;
    verdict->by = "inputs";
    return;
  }
  if (evaluation.broke_promise) {
    set_promised(differing, leaf, verdict);
    return;
  }
  for (uint32_t i = 0; i < differing->count; i++)
    if (!known[i]) {
      set_unknown_values(differing, &evaluation, i, leaf, verdict);
      return;
    }
  verdict->by = "values";
  differing_decide_reads(differing, leaf, verdict);
}

static const char *kept_text(Arena *arena, const char *text) {
  return text == nullptr ? nullptr : arena_text(arena, text, strlen(text));
}

/* Evaluation takes memory for each term of the store, so it has an arena of its own. */
void differing_decide(Differing *differing, const Leaf *leaf, ValuesVerdict *verdict) {
  Arena *kept = differing->arena;
  differing->arena = arena_create();
  decide_in_scratch(differing, leaf, verdict);
  const char **const texts[] = {&verdict->terms, &verdict->sides[0], &verdict->sides[1],
      &verdict->inputs, &verdict->values[0], &verdict->values[1], &verdict->element,
      &verdict->stopped};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) *texts[i] = kept_text(kept, *texts[i]);
  verdict->at = bindings_copy(kept, &verdict->at);
  arena_destroy(differing->arena);
  differing->arena = kept;
}
