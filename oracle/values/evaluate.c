/* Evaluates terms recursively and caches each value for the assignment. A fold starts at its
 * initial values and applies its function to one tuple after the other. The terms of functions are
 * evaluated with the current arguments, and cached for this application. */
#include "oracle/values/evaluate.h"

#include <math.h>
#include <string.h>

#include "core/base/stack.h"
#include "oracle/semantics/arithmetic.h"
#include "oracle/values/bits.h"
#include "oracle/values/fold_orders.h"
#include "oracle/values/zero_signs.h"

static constexpr uint32_t most_depth = 20000;
static constexpr uint32_t most_inputs = 16;

/* The operation of a fold whose function is one operation of its two arguments, in whatever order
 * it is folded. */
static bool fold_operation(const Terms *terms, const TermData *fold, Opcode *opcode) {
  const TermSignature *of = signature_at(terms, fold->signature);
  if (of->is_products || of->is_opaque || of->body_count != 1 ||
      !term_is_free_of_order(terms, of->body[0]))
    return false;
  *opcode = signature_at(terms, term_data(terms, of->body[0])->signature)->instruction->opcode;
  return true;
}

/* Collects the inputs that are initial values of folds, and constants that are operands of
 * operations, and looks for picks. */
static void look_at_terms(Evaluation *evaluation) {
  const Terms *terms = evaluation->terms;
  Opcode opcode;
  for (Term term = 0; term < terms_count(terms); term++) {
    const TermData *data = term_data(terms, term);
    inputs_collect_constant(&evaluation->constants, terms, term);
    evaluation->has_picks |= data->kind == TERM_PICK;
    if (data->kind == TERM_ATOM && !signature_at(terms, data->signature)->is_opaque) {
      inputs_collect_array(&evaluation->constants, data);
      evaluation->constants.atom_count += !signature_at(terms, data->signature)->is_body;
    }
    if (data->kind != TERM_FOLD || data->count == 0 || !fold_operation(terms, data, &opcode))
      continue;
    Term init = term_children(terms, term)[0];
    if (term_data(terms, init)->kind != TERM_ATOM) continue;
    evaluation->neutral[init] = (uint8_t)(opcode + 1);
  }
}

void evaluation_set_graph(Evaluation *evaluation, uint32_t count, const Term *results) {
  const Terms *terms = evaluation->terms;
  bool *reached = ARENA_NEW(evaluation->arena, bool, evaluation->capacity);
  uint8_t *first = ARENA_NEW(evaluation->arena, uint8_t, evaluation->capacity);
  Opcode opcode;
  for (uint32_t i = 0; i < count; i++) reached[results[i]] = true;
  for (Term term = terms_count(terms); term-- > 0;) { /* children come before their terms */
    const TermData *data = term_data(terms, term);
    if (!reached[term]) continue;
    for (uint32_t i = 0; i < data->count; i++) reached[term_children(terms, term)[i]] = true;
    if (data->kind != TERM_FOLD || data->count == 0 || !fold_operation(terms, data, &opcode))
      continue;
    Term init = term_children(terms, term)[0];
    evaluation->is_of_two[init] |= first[init] != 0 && first[init] != opcode + 1;
    first[init] = (uint8_t)(opcode + 1);
  }
}

static Element neutral_value(Opcode opcode, ElementType type) {
  bool is_integral = element_type_is_integral(type);
  Wide lowest = is_integral ? integer_lowest(type) : 0,
       highest = is_integral ? integer_highest(type) : 0;
  if (opcode == HLO_MAXIMUM)
    return is_integral ? element_of_integer(type, (int64_t)lowest)
                       : element_of_real(type, -INFINITY);
  if (opcode == HLO_MINIMUM)
    return is_integral ? element_of_integer(type, (int64_t)(uint64_t)highest)
                       : element_of_real(type, INFINITY);
  int64_t value = opcode == HLO_MULTIPLY ? 1 : opcode == HLO_AND ? -1 : 0;
  return is_integral ? element_of_integer(type, value) : element_of_real(type, (double)value);
}

void evaluation_create(
    Evaluation *evaluation, Arena *arena, const Terms *terms, uint64_t most_steps) {
  static constexpr uint32_t looked_up = 1 << 14; /* terms that looking up may make */
  uint32_t capacity = terms_count(terms) + looked_up;
  *evaluation = (Evaluation){.arena = arena,
      .terms = terms,
      .capacity = capacity,
      .values = ARENA_NEW(arena, Element, capacity),
      .stamps = ARENA_NEW(arena, uint64_t, capacity),
      .neutral = ARENA_NEW(arena, uint8_t, capacity),
      .is_of_two = ARENA_NEW(arena, bool, capacity),
      .most_steps = most_steps};
  look_at_terms(evaluation);
}

bool evaluation_is_free_of_order(const Evaluation *evaluation, Term fold) {
  const Terms *terms = evaluation->terms;
  const TermData *data = term_data(terms, fold);
  const TermSignature *of = signature_at(terms, data->signature);
  Opcode opcode;
  int64_t init;
  if (of->is_products) return !of->is_opaque;
  return data->count > 0 && fold_operation(terms, data, &opcode) &&
         terms_is_constant(terms, term_children(terms, fold)[0], &init) &&
         init == neutral_value(opcode, data->type).integer;
}

Element evaluation_atom(const Evaluation *evaluation, Term term) {
  const TermData *data = term_data(evaluation->terms, term);
  const TermSignature *of = signature_at(evaluation->terms, data->signature);
  if (of->is_opaque) return (Element){.type = data->type};
  if (of->is_nan) {
    Element value = element_of_real(data->type, (double)NAN);
    value.is_stated_nan = true;
    return value;
  }
  if (evaluation->fixed != nullptr && term < evaluation->capacity &&
      evaluation->fixed[term].is_known)
    return evaluation->fixed[term];
  if (term < evaluation->capacity && evaluation->neutral[term] != 0) {
    Element value = neutral_value((Opcode)(evaluation->neutral[term] - 1), data->type);
    value.is_coarse = evaluation->is_of_two[term];
    return value;
  }
  if (evaluation->zeros != nullptr && term < evaluation->capacity && evaluation->zeros[term])
    return element_type_is_integral(data->type) ? element_of_integer(data->type, 0)
                                                : element_of_real(data->type, 0);
  return inputs_value(&evaluation->constants, evaluation->assignment, data);
}

/* A cached value is valid for one assignment and one set of zeroed and fixed inputs, or for one
 * application of a function. */
static uint64_t evaluation_stamp(const Evaluation *evaluation) {
  if (evaluation->application != 0) return UINT64_C(1) << 63 | evaluation->application;
  return ((uint64_t)evaluation->round << 32) + evaluation->assignment + 1;
}

static Element term_evaluate(Evaluation *evaluation, Term term, const Element *arguments);

/* Applies a function, a term over a body's atoms. */
static Element evaluate_function(Evaluation *evaluation, Term body, const Element *arguments) {
  uint64_t outer = evaluation->application;
  evaluation->application = ++evaluation->applications;
  Element value = term_evaluate(evaluation, body, arguments);
  evaluation->application = outer;
  return value;
}

static Element evaluate_products(
    Evaluation *evaluation, const TermData *data, const Term *children, const Element *arguments) {
  Element sum = element_type_is_integral(data->type) ? element_of_integer(data->type, 0)
                                                     : element_of_real(data->type, 0);
  SummandRange range = no_summands;
  for (uint32_t i = 0; i < data->count; i++) {
    const Term *pair = term_children(evaluation->terms, children[i]);
    Element left = element_factor(data->type, term_evaluate(evaluation, pair[0], arguments)),
            right = element_factor(data->type, term_evaluate(evaluation, pair[1], arguments));
    sum = element_multiply_add(data->type, &sum, &left, &right);
    element_add_summand(&range, left.real * right.real, sum.real);
  }
  element_end_sum(&sum, &range);
  return sum;
}

/* The fold of the operands in one of the orders. */
static Element evaluate_ordered(Evaluation *evaluation, const TermData *data, const Term *children,
    const Element *arguments, uint32_t inputs, uint32_t order) {
  const TermSignature *of = signature_at(evaluation->terms, data->signature);
  Element state[2 * most_inputs], next[most_inputs];
  Opcode opcode;
  bool is_one = fold_operation(evaluation->terms, data, &opcode),
       is_sum = is_one && opcode == HLO_ADD, is_product = is_one && opcode == HLO_MULTIPLY;
  for (uint32_t i = 0; i < inputs; i++)
    state[i] = term_evaluate(evaluation, children[i], arguments);
  SummandRange range = no_summands;
  FactorRange factors = no_factors;
  element_add_summand(&range, state[data->payload].real, 0);
  element_add_factor(&factors, state[data->payload].real);
  for (uint32_t i = inputs; i < data->count; i++) {
    uint32_t at = inputs + folded_at(order, data->count - inputs, i - inputs);
    const Term *tuple = term_children(evaluation->terms, children[at]);
    for (uint32_t k = 0; k < inputs; k++)
      state[inputs + k] = term_evaluate(evaluation, tuple[k], arguments);
    for (uint32_t k = 0; k < inputs; k++)
      next[k] = evaluate_function(evaluation, of->body[k], state);
    for (uint32_t k = 0; k < inputs; k++) state[k] = next[k];
    const Element *operand = &state[inputs + data->payload], *sum = &state[data->payload];
    element_add_summand(&range, operand->real, sum->real);
    element_add_factor(&factors, operand->real);
  }
  Element *result = &state[data->payload];
  if (is_product) element_end_product(result, &factors);
  if (is_sum || (!is_one && result->is_rounded)) element_end_sum(result, &range);
  return *result;
}

/* Whether the initial value is computed, and is not the neutral element of the fold's operation. It
 * may be folded any number of times. A constant is the neutral element of whoever wrote it. */
static bool starts_elsewhere(Evaluation *evaluation, const TermData *data, Term init, Opcode opcode,
    const Element *arguments) {
  const TermData *first = term_data(evaluation->terms, init);
  bool is_input =
      first->kind == TERM_ATOM && !signature_at(evaluation->terms, first->signature)->is_body;
  if (first->kind == TERM_CONSTANT || is_input) return false;
  Element value = term_evaluate(evaluation, init, arguments),
          neutral = neutral_value(opcode, data->type);
  bool is_neutral = element_type_is_integral(data->type) ? value.integer == neutral.integer
                                                         : value.real == neutral.real;
  return !value.is_known || value.is_rounded || value.is_coarse || !is_neutral;
}

static bool same_element(const Element *a, const Element *b) {
  uint64_t bits_a, bits_b;
  memcpy(&bits_a, &a->real, sizeof bits_a);
  memcpy(&bits_b, &b->real, sizeof bits_b);
  return a->integer == b->integer && bits_a == bits_b;
}

static constexpr uint32_t most_tree_depth = 12;

/* Folds the tuples from `from` on, as a tree of two halves each. */
static void evaluate_tree(Evaluation *evaluation, const TermData *data, const Term *tuples,
    const Element *arguments, uint32_t inputs, uint32_t from, uint32_t end, Element *results) {
  const TermSignature *of = signature_at(evaluation->terms, data->signature);
  if (end - from == 1) {
    const Term *tuple = term_children(evaluation->terms, tuples[from]);
    for (uint32_t k = 0; k < inputs; k++)
      results[k] = term_evaluate(evaluation, tuple[k], arguments);
    return;
  }
  Element state[2 * most_inputs];
  uint32_t middle = from + (end - from) / 2;
  evaluate_tree(evaluation, data, tuples, arguments, inputs, from, middle, state);
  evaluate_tree(evaluation, data, tuples, arguments, inputs, middle, end, state + inputs);
  for (uint32_t k = 0; k < inputs; k++)
    results[k] = evaluate_function(evaluation, of->body[k], state);
}

/* The initial values and a tree of all tuples. */
static Element evaluate_halves(Evaluation *evaluation, const TermData *data, const Term *children,
    const Element *arguments, uint32_t inputs) {
  Element state[2 * most_inputs];
  for (uint32_t i = 0; i < inputs; i++)
    state[i] = term_evaluate(evaluation, children[i], arguments);
  evaluate_tree(evaluation, data, children + inputs, arguments, inputs, 0, data->count - inputs,
      state + inputs);
  return evaluate_function(
      evaluation, signature_at(evaluation->terms, data->signature)->body[data->payload], state);
}

/* Whether some order gives another value. */
static bool depends_on_order(Evaluation *evaluation, const TermData *data, const Term *children,
    const Element *arguments, uint32_t inputs, const Element *value) {
  for (uint32_t order = 1; order < tried_orders(data->count - inputs); order++) {
    Element other = evaluate_ordered(evaluation, data, children, arguments, inputs, order);
    if (!other.is_known || elements_differ(value, &other) || elements_differ_exactly(value, &other))
      return true;
  }
  if (data->count - inputs > 1U << most_tree_depth) return false;
  Element other = evaluate_halves(evaluation, data, children, arguments, inputs);
  return !other.is_known || elements_differ(value, &other) ||
         elements_differ_exactly(value, &other);
}

/* Whether the function of an initial value that is no constant and of itself is another value. */
static bool moves_initial(Evaluation *evaluation, const TermData *data, const Term *children,
    const Element *arguments, uint32_t inputs) {
  const TermSignature *of = signature_at(evaluation->terms, data->signature);
  Element state[2 * most_inputs];
  for (uint32_t i = 0; i < inputs; i++)
    state[i] = state[inputs + i] = term_evaluate(evaluation, children[i], arguments);
  for (uint32_t i = 0; i < inputs; i++) {
    if (term_data(evaluation->terms, children[i])->kind == TERM_CONSTANT) continue;
    Element twice = evaluate_function(evaluation, of->body[i], state);
    if (!twice.is_known || !same_element(&twice, &state[i])) return true;
  }
  return false;
}

/* The order of a fold is not stated, and initial values may be folded any number of times. If the
 * function is not one operation, some orders are tried: where they differ, the value refutes
 * nothing. */
static Element evaluate_fold(
    Evaluation *evaluation, const TermData *data, const Term *children, const Element *arguments) {
  const TermSignature *of = signature_at(evaluation->terms, data->signature);
  if (of->is_opaque) return (Element){.type = data->type};
  if (of->is_products) return evaluate_products(evaluation, data, children, arguments);
  uint32_t inputs = term_data(evaluation->terms, children[data->count - 1])->count;
  if (inputs > most_inputs || of->body_count < inputs) return (Element){.type = data->type};
  Element value = evaluate_ordered(evaluation, data, children, arguments, inputs, 0);
  Opcode opcode;
  bool is_one = fold_operation(evaluation->terms, data, &opcode);
  if (is_one ? starts_elsewhere(evaluation, data, children[0], opcode, arguments)
             : moves_initial(evaluation, data, children, arguments, inputs))
    value.is_coarse = true;
  if (!is_one && data->count >= inputs + 2 &&
      depends_on_order(evaluation, data, children, arguments, inputs, &value))
    value.is_coarse = true;
  return element_passed(data->type, value);
}

/* The candidate that the offset picks; false if the offset has no value. */
static bool find_picked(Evaluation *evaluation, const TermData *data, const Term *children,
    const Element *arguments, Element *offset, Term *picked) {
  *offset = term_evaluate(evaluation, children[0], arguments);
  if (!offset->is_known || !element_type_is_integral(offset->type)) return false;
  *picked = children[1 + offset_clamp(offset->type, offset->integer, (int64_t)data->count - 1)];
  return true;
}

static Element evaluate_pick(
    Evaluation *evaluation, const TermData *data, const Term *children, const Element *arguments) {
  Term picked;
  Element offset;
  if (!find_picked(evaluation, data, children, arguments, &offset, &picked))
    return (Element){.type = data->type};
  Element value = term_evaluate(evaluation, picked, arguments);
  value.is_rounded = value.is_rounded || offset.is_rounded;
  value.is_coarse = value.is_coarse || offset.is_coarse;
  return value;
}

/* A line that is being sorted: `count` tuples of `width` elements. */
typedef struct SortedLine {
  Evaluation *evaluation;
  const TermSignature *of;
  uint32_t count, width;
  Element *elements;
} SortedLine;

/* 1 if tuple a comes before tuple b, 0 if not, -1 if unknown. */
static int line_before(const SortedLine *line, uint32_t a, uint32_t b) {
  Element arguments[2 * most_inputs] = {};
  for (uint32_t i = 0; i < line->width; i++) {
    arguments[2 * i] = line->elements[a * line->width + i];
    arguments[2 * i + 1] = line->elements[b * line->width + i];
  }
  Element before = evaluate_function(line->evaluation, line->of->body[0], arguments);
  return before.is_known && !before.is_coarse ? before.integer != 0 : -1;
}

/* Sorts the positions; false if the comparison is inconsistent, as that of a NaN, which is before
 * and after no number, or leaves the order open. */
static bool sort_positions(const SortedLine *line, uint32_t *positions) {
  for (uint32_t i = 0; i < line->count; i++) {
    uint32_t at = i;
    for (; at > 0; at--) {
      int before = line_before(line, i, positions[at - 1]);
      if (before < 0) return false;
      if (before == 0) break;
      positions[at] = positions[at - 1];
    }
    positions[at] = i;
  }
  uint32_t ranks[longest_line] = {};
  for (uint32_t i = 1; i < line->count; i++)
    ranks[i] = ranks[i - 1] + (line_before(line, positions[i - 1], positions[i]) == 1);
  for (uint32_t i = 0; i < line->count; i++)
    for (uint32_t k = i + 1; k < line->count; k++) {
      bool is_before = ranks[i] < ranks[k];
      if (line_before(line, positions[k], positions[i]) != 0 ||
          line_before(line, positions[i], positions[k]) != is_before)
        return false;
      if (is_before || line->of->sorts == SORTS_STABLE) continue;
      for (uint32_t at = 0; at < line->width; at++)
        if (!same_element(&line->elements[positions[i] * line->width + at],
                &line->elements[positions[k] * line->width + at]))
          return false;
    }
  return true;
}

static void sort_line(Evaluation *evaluation, const TermSignature *of, Term term,
    const Element *arguments, LastSort *sorted) {
  static constexpr uint32_t widest = 4;
  const Terms *terms = evaluation->terms;
  const TermData *held = term_data(terms, term);
  const Term *tuples = term_children(terms, term);
  uint32_t positions[longest_line];
  Element elements[longest_line * widest];
  SortedLine line = {evaluation, of, held->count, term_data(terms, tuples[0])->count, elements};
  sorted->is_known = sorted->is_rounded = false;
  if (line.count > longest_line || line.width > widest) return;
  for (uint32_t i = 0; i < line.count; i++)
    for (uint32_t k = 0; k < line.width; k++) {
      Element *element = &elements[i * line.width + k];
      *element = term_evaluate(evaluation, term_children(terms, tuples[i])[k], arguments);
      if (!element->is_known) return;
      sorted->is_rounded = sorted->is_rounded || element->is_rounded || element->is_coarse;
    }
  sorted->is_known = sort_positions(&line, positions);
  for (uint32_t i = 0; sorted->is_known && i < line.count; i++)
    sorted->positions[i] = (uint8_t)positions[i];
}

/* Returns the sorted line; cached if it does not depend on arguments of a function. */
static LastSort sorted_line(
    Evaluation *evaluation, const TermData *data, Term line, const Element *arguments) {
  static constexpr uint32_t capacity = sizeof evaluation->sorted / sizeof *evaluation->sorted;
  uint64_t stamp = evaluation_stamp(evaluation);
  for (uint32_t i = 0; arguments == nullptr && i < capacity; i++) {
    const LastSort *kept = &evaluation->sorted[i];
    if (kept->line == line && kept->signature == data->signature && kept->stamp == stamp)
      return *kept;
  }
  LastSort sorted = {.line = line, .signature = data->signature, .stamp = stamp};
  sort_line(evaluation, signature_at(evaluation->terms, data->signature), line, arguments, &sorted);
  if (arguments == nullptr) evaluation->sorted[evaluation->sorted_count++ % capacity] = sorted;
  return sorted;
}

static Element evaluate_sort(
    Evaluation *evaluation, const TermData *data, const Term *children, const Element *arguments) {
  const Terms *terms = evaluation->terms;
  LastSort sorted = sorted_line(evaluation, data, children[0], arguments);
  if (!sorted.is_known) return (Element){.type = data->type};
  Term tuple = term_children(terms, sorted.line)[sorted.positions[data->payload & UINT32_MAX]];
  Element value = term_evaluate(
      evaluation, term_children(terms, tuple)[(uint32_t)(data->payload >> 48)], arguments);
  value.is_rounded = value.is_coarse = sorted.is_rounded;
  return value;
}

static Element evaluate_bits(
    Evaluation *evaluation, const TermData *data, const Term *children, const Element *arguments) {
  static constexpr uint32_t most_parts = 64;
  const TermSignature *of = signature_at(evaluation->terms, data->signature);
  Element parts[most_parts], result = {.type = data->type};
  if (data->count > most_parts) return result;
  bool has_open_sign = false;
  for (uint32_t i = 0; i < data->count; i++) {
    parts[i] = term_evaluate(evaluation, children[i], arguments);
    has_open_sign |= evaluation->is_lenient && element_has_open_sign(&parts[i]);
  }
  bool is_known = of->bits == BITS_PART
                      ? element_part(data->type, data->payload, &parts[0], &result)
                      : element_join(data->type, data->count, parts, &result);
  result.is_coarse = result.is_coarse || has_open_sign;
  return is_known ? result : (Element){.type = data->type};
}

/* Whether the updates have one result in every order: sums and products of integers that no order
 * rounds, and extrema, but for a NaN's payload and a zero's sign, which are not decided here. */
static bool is_exact_in_any_order(
    const TermSignature *of, const Element operands[2], const Element *result) {
  int digits;
  if (!element_precision(result->type, &digits)) return false;
  Opcode opcode = of->instruction->opcode;
  bool is_sum = opcode == HLO_ADD;
  if (opcode == HLO_MAXIMUM || opcode == HLO_MINIMUM) return true;
  double most = ldexp(1, digits), largest = is_sum ? most / of->number : most;
  for (uint32_t i = 0; i < 2; i++)
    if (!isfinite(operands[i].real) || operands[i].real != rint(operands[i].real) ||
        fabs(operands[i].real) > largest)
      return false;
  return is_sum || (result->real != 0 && fabs(result->real) <= most);
}

static Element evaluate_apply(
    Evaluation *evaluation, const TermData *data, const Term *children, const Element *arguments) {
  const TermSignature *of = signature_at(evaluation->terms, data->signature);
  Element operands[3], result = {.type = data->type};
  if (of->sorts != SORTS_NOT) return evaluate_sort(evaluation, data, children, arguments);
  if (of->bits != BITS_NOT) return evaluate_bits(evaluation, data, children, arguments);
  if (of->is_opaque || of->instruction == nullptr || data->count == 0 || data->count > 3)
    return result;
  for (uint32_t i = 0; i < data->count; i++)
    operands[i] = term_evaluate(evaluation, children[i], arguments);
  ApplyElements *apply = evaluation->is_lenient ? element_apply_any_sign : element_apply;
  if (!apply(of->instruction, data->count, operands, &result)) return (Element){.type = data->type};
  if (of->is_unordered && !is_exact_in_any_order(of, operands, &result)) result.is_coarse = true;
  if (evaluation->is_lenient &&
      element_has_overflowed(of->instruction->opcode, data->count, operands, &result))
    result.is_coarse = true;
  return result;
}

static Element evaluate_constant(const Evaluation *evaluation, Term term) {
  const TermData *data = term_data(evaluation->terms, term);
  Element value = element_of_constant(data->type, data->payload);
  value.error = terms_constant_error(evaluation->terms, term);
  value.is_rounded = value.error > 0;
  return value;
}

static Element evaluate_new(Evaluation *evaluation, Term term, const Element *arguments) {
  const TermData *data = term_data(evaluation->terms, term);
  const Term *children = term_children(evaluation->terms, term);
  switch (data->kind) {
    case TERM_ATOM: {
      const TermSignature *of = signature_at(evaluation->terms, data->signature);
      if (of->is_body && arguments == nullptr) return (Element){.type = data->type};
      if (of->is_body) return element_passed(data->type, arguments[of->number]);
      return evaluation_atom(evaluation, term);
    }
    case TERM_CONSTANT: return evaluate_constant(evaluation, term);
    case TERM_APPLY: {
      LookedUp found;
      return arguments == nullptr && evaluation_looked_up(evaluation, term, &found)
                 ? term_evaluate(evaluation, found.element, nullptr)
                 : evaluate_apply(evaluation, data, children, arguments);
    }
    case TERM_FOLD: return evaluate_fold(evaluation, data, children, arguments);
    case TERM_PICK: return evaluate_pick(evaluation, data, children, arguments);
    case TERM_TUPLE:
    case TERM_ARRAY: break;
  }
  return (Element){.type = data->type};
}

static Element term_evaluate(Evaluation *evaluation, Term term, const Element *arguments) {
  bool is_kept = term < evaluation->capacity;
  uint64_t stamp = evaluation_stamp(evaluation);
  if (is_kept && evaluation->stamps[term] == stamp) return evaluation->values[term];
  Element value = {};
  if (evaluation->steps++ > evaluation->most_steps || evaluation->depth > most_depth ||
      stack_is_low())
    return value;
  evaluation->depth++;
  value = evaluate_new(evaluation, term, arguments);
  evaluation->depth--;
  if (is_kept) {
    evaluation->stamps[term] = stamp;
    evaluation->values[term] = value;
  }
  return value;
}

/* Whether the term is an operation with an operand whose sign is open, as that of a zero, and may
 * move the result (zero_signs.h). */
static bool reads_open_sign(Evaluation *evaluation, Term term) {
  const TermData *data = term_data(evaluation->terms, term);
  Element operands[3];
  if (!evaluation->is_lenient || data->kind != TERM_APPLY || data->count > 3) return false;
  const TermSignature *of = signature_at(evaluation->terms, data->signature);
  if (of->is_opaque || of->instruction == nullptr || of->sorts != SORTS_NOT) return false;
  for (uint32_t i = 0; i < data->count; i++)
    operands[i] = term_evaluate(evaluation, term_children(evaluation->terms, term)[i], nullptr);
  return element_reads_zero_signs(of->instruction, data->count, operands);
}

const char *evaluation_why_coarse(Evaluation *evaluation, Term term) {
  const TermData *data = term_data(evaluation->terms, term);
  Opcode opcode;
  if (term < evaluation->capacity && evaluation->is_of_two[term])
    return "which is the initial value of folds of several operations";
  bool starts = data->kind == TERM_FOLD && fold_operation(evaluation->terms, data, &opcode) &&
                starts_elsewhere(
                    evaluation, data, term_children(evaluation->terms, term)[0], opcode, nullptr);
  if (starts) return "whose initial value may be folded several times";
  return reads_open_sign(evaluation, term) ? "whose result the sign of a zero may decide"
                                           : "whose rounding may depend on the order of operations";
}

Element evaluate_term(Evaluation *evaluation, Term term) {
  return term_evaluate(evaluation, term, nullptr);
}

bool evaluation_refutes(Evaluation *evaluation) {
  if (evaluation->keeps_promises == nullptr ||
      evaluation->keeps_promises(evaluation->promised, evaluation))
    return true;
  evaluation->broke_promise = true;
  return false;
}

bool evaluation_picked(Evaluation *evaluation, Term pick, Term *picked) {
  const TermData *data = term_data(evaluation->terms, pick);
  const Term *children = term_children(evaluation->terms, pick);
  Element offset;
  return find_picked(evaluation, data, children, nullptr, &offset, picked);
}

bool evaluation_looked_up(Evaluation *evaluation, Term term, LookedUp *found) {
  if (evaluation->look_up == nullptr ||
      !signature_at(evaluation->terms, term_data(evaluation->terms, term)->signature)->is_opaque ||
      !evaluation->look_up(evaluation->lookups, evaluation, term, found))
    return false;
  for (uint32_t i = 0; i < found->count; i++)
    if (found->offsets[i] != no_term && found->offsets[i] >= evaluation->capacity) return false;
  return found->element < evaluation->capacity;
}
