/* Offsets that are different elements of inputs take any positions of their type. All others are
 * evaluated for values of the elements of inputs that they depend on: for all values of narrow
 * types, and otherwise for values near the wanted positions and at the limits of the type. Of more
 * than a few elements, as below a reduction, one has such values while all others are 0, 1, -1 or
 * at a limit. Offsets that share no element are solved one after the other. */
#include "oracle/hazards/feasible.h"

#include <math.h>
#include <string.h>

#include "core/base/stack.h"
#include "oracle/values/element.h"

static constexpr uint32_t most_atoms = 64, most_varied = 3, most_alone = 8, most_depth = 64,
                          most_tried = 48, most_offsets = 64, most_constants = 4;
static constexpr uint64_t most_evaluated = 2'000'000, most_of_many = 1'000'000;
static constexpr int64_t nan_value = INT64_MIN + 1;

/* The value of all elements that are not varied. */
typedef enum Others : uint8_t {
  OTHERS_ZERO,
  OTHERS_ONE,
  OTHERS_MINUS_ONE,
  OTHERS_LEAST,
  OTHERS_LARGEST,
} Others;

/* An element of an input, and the values to try. */
typedef struct FreeElement {
  Term atom;
  bool is_complete; /* all values of its type are tried */
  uint32_t count, at;
  int64_t tried[256];
} FreeElement;

typedef struct FeasibleSearch {
  Feasible *feasible;
  uint32_t atom_count, varied_count, constant_count;
  Term atoms[most_atoms];
  FreeElement varied[most_varied];
  Others others;
  int64_t constants[most_constants]; /* of the offsets, the first ones */
} FeasibleSearch;

static const TermData *data_of(const Feasible *feasible, Term term) {
  return term_data(feasible->terms, term);
}

static int64_t least_of(ElementType type) {
  return element_type_is_signed(type) ? (int64_t)-(UINT64_C(1) << (element_type_bits(type) - 1))
                                      : 0;
}

/* Of an unsigned type of 64 bits the largest signed number. */
static int64_t largest_of(ElementType type) {
  uint32_t bits = type == TYPE_pred ? 1 : element_type_bits(type);
  uint32_t digits = bits - (element_type_is_signed(type) || bits == 64);
  return (int64_t)((UINT64_C(1) << digits) - 1);
}

/* Whether all offsets are different elements that can take their positions. */
static bool are_free(const Feasible *feasible, uint32_t count, const Position *positions) {
  for (uint32_t i = 0; i < count; i++) {
    const TermData *data = data_of(feasible, positions[i].offset);
    if (data->kind != TERM_ATOM || !element_type_is_integral(data->type) ||
        positions[i].position > largest_of(data->type))
      return false;
    for (uint32_t k = 0; k < i; k++)
      if (positions[k].offset == positions[i].offset) return false;
  }
  return true;
}

/* --- the elements that offsets depend on --- */

static void note_constant(FeasibleSearch *search, Element value) {
  static constexpr double large = 1e15;
  if (search->constant_count == most_constants) return;
  if (element_type_is_integral(value.type))
    search->constants[search->constant_count++] = value.integer;
  else if (fabs(value.real) < large)
    search->constants[search->constant_count++] = (int64_t)floor(value.real);
}

/* Whether a fold of integers has one value: a sum of products, or one operation of which the order
 * does not matter, from a constant. */
static bool is_any_order(const Terms *terms, Term fold) {
  const TermData *data = term_data(terms, fold);
  const TermSignature *of = signature_at(terms, data->signature);
  int64_t init;
  if (of->is_opaque || !element_type_is_integral(data->type)) return false;
  return of->is_products ||
         (of->body_count == 1 && data->count > 1 && term_is_free_of_order(terms, of->body[0]) &&
             term_data(terms, term_children(terms, fold)[data->count - 1])->count == 1 &&
             terms_is_constant(terms, term_children(terms, fold)[0], &init));
}

static bool collect_atoms(FeasibleSearch *search, Term term, uint32_t depth) {
  Feasible *feasible = search->feasible;
  TermData data = *data_of(feasible, term);
  if (data.kind == TERM_CONSTANT) {
    note_constant(search, element_of_constant(data.type, data.payload));
    return true;
  }
  if (depth == most_depth || ++feasible->work > most_evaluated) return false;
  if (data.kind == TERM_ATOM) {
    for (uint32_t i = 0; i < search->atom_count; i++)
      if (search->atoms[i] == term) return true;
    if (search->atom_count == most_atoms) return false;
    search->atoms[search->atom_count++] = term;
    return true;
  }
  bool is_followed = data.kind == TERM_APPLY || data.kind == TERM_PICK || data.kind == TERM_TUPLE ||
                     (data.kind == TERM_FOLD && is_any_order(feasible->terms, term));
  if (!is_followed) return false;
  for (uint32_t i = 0; i < data.count; i++)
    if (!collect_atoms(search, term_children(feasible->terms, term)[i], depth + 1)) return false;
  return true;
}

static bool is_in_type(ElementType type, int64_t value) {
  return !element_type_is_integral(type) || (value >= least_of(type) && value <= largest_of(type));
}

static void try_value(FreeElement *element, ElementType type, int64_t value) {
  if (!is_in_type(type, value) || element->count == most_tried) return;
  for (uint32_t i = 0; i < element->count; i++)
    if (element->tried[i] == value) return;
  element->tried[element->count++] = value;
}

static void choose_values(
    const FeasibleSearch *search, FreeElement *element, uint32_t count, const Position *positions) {
  ElementType type = data_of(search->feasible, element->atom)->type;
  bool is_integral = element_type_is_integral(type);
  int64_t least = is_integral ? least_of(type) : INT64_MIN,
          largest = is_integral ? largest_of(type) : INT64_MAX;
  static constexpr int64_t all = 255;
  element->count = element->at = 0;
  element->is_complete = is_integral && (type == TYPE_pred || element_type_bits(type) <= 8);
  for (int64_t value = least; element->is_complete && value <= largest; value++)
    element->tried[element->count++] = value;
  if (element->is_complete) return;
  static_assert(all < (int64_t)(sizeof element->tried / sizeof *element->tried));
  for (uint32_t i = 0; i < count; i++) {
    int64_t at = positions[i].position, last = positions[i].count - 1;
    const int64_t near[] = {at, at - 1, at + 1, -at, last - at, last + 1 - at, at / 2, (at + 1) / 2,
        2 * at, last, last + 1};
    for (size_t k = 0; k < sizeof near / sizeof *near; k++) try_value(element, type, near[k]);
  }
  for (uint32_t i = 0; i < search->constant_count; i++)
    for (uint64_t k = 0; k < 3; k++)
      try_value(element, type, (int64_t)((uint64_t)search->constants[i] - 1 + k));
  static constexpr int64_t few = 3;
  for (int64_t value = -few; value <= few; value++) try_value(element, type, value);
  try_value(element, type, least);
  try_value(element, type, largest);
  if (!is_integral) try_value(element, type, nan_value);
}

/* --- evaluation --- */

/* Of a float, numbers at the limits stand for a NaN and the infinities. */
static Element tried_element(ElementType type, int64_t value) {
  if (element_type_is_integral(type)) return element_of_integer(type, value);
  if (value == nan_value) return element_of_real(type, (double)NAN);
  return element_of_real(type, value == INT64_MIN   ? -(double)INFINITY
                               : value == INT64_MAX ? (double)INFINITY
                                                    : (double)value);
}

static bool offset_value(FeasibleSearch *search, Term term, uint32_t depth, Element *value);

static bool picked_value(
    FeasibleSearch *search, const TermData *data, Term term, uint32_t depth, Element *value) {
  Element offset;
  const Term *children = term_children(search->feasible->terms, term);
  if (!offset_value(search, children[0], depth + 1, &offset)) return false;
  int64_t at = offset_clamp(offset.type, offset.integer, (int64_t)data->count - 1);
  return offset_value(search, children[1 + at], depth + 1, value);
}

/* One step of a fold; a pair of a contraction is added as a product. */
static bool folded_value(
    FeasibleSearch *search, Term fold, Term tuple, uint32_t depth, Element *value) {
  const Terms *terms = search->feasible->terms;
  const TermData *data = term_data(terms, fold);
  const TermSignature *of = signature_at(terms, data->signature);
  Element parts[2] = {};
  for (uint32_t i = 0; i < term_data(terms, tuple)->count; i++)
    if (!offset_value(search, term_children(terms, tuple)[i], depth + 1, &parts[i])) return false;
  if (of->is_products) {
    *value = element_multiply_add(data->type, value, &parts[0], &parts[1]);
    return value->is_known;
  }
  const Element operands[2] = {*value, parts[0]};
  const Instruction *step =
      signature_at(terms, term_data(terms, of->body[0])->signature)->instruction;
  return step != nullptr && element_apply(step, 2, operands, value);
}

static bool fold_value(FeasibleSearch *search, Term fold, uint32_t depth, Element *value) {
  const Terms *terms = search->feasible->terms;
  TermData data = *term_data(terms, fold);
  bool is_products = signature_at(terms, data.signature)->is_products;
  int64_t init = 0;
  if (!is_any_order(terms, fold) ||
      (!is_products && !terms_is_constant(terms, term_children(terms, fold)[0], &init)))
    return false;
  *value = element_of_integer(data.type, init);
  for (uint32_t i = is_products ? 0 : 1; i < data.count; i++)
    if (!folded_value(search, fold, term_children(terms, fold)[i], depth, value)) return false;
  return true;
}

/* Of an element of an input. */
static Element free_value(const FeasibleSearch *search, Term atom) {
  ElementType type = data_of(search->feasible, atom)->type;
  bool is_integral = element_type_is_integral(type);
  for (uint32_t i = 0; i < search->varied_count; i++)
    if (search->varied[i].atom == atom)
      return tried_element(type, search->varied[i].tried[search->varied[i].at]);
  switch (search->others) {
    case OTHERS_ZERO: return tried_element(type, 0);
    case OTHERS_ONE: return tried_element(type, 1);
    case OTHERS_MINUS_ONE: return tried_element(type, -1);
    case OTHERS_LEAST: return tried_element(type, is_integral ? least_of(type) : INT64_MIN);
    case OTHERS_LARGEST: break;
  }
  return tried_element(type, is_integral ? largest_of(type) : INT64_MAX);
}

/* False if the value is not known exactly. */
static bool offset_value(FeasibleSearch *search, Term term, uint32_t depth, Element *value) {
  Terms *terms = search->feasible->terms;
  TermData data = *term_data(terms, term);
  if (depth == most_depth || ++search->feasible->work > most_evaluated) return false;
  if (data.kind == TERM_CONSTANT) {
    *value = element_of_constant(data.type, data.payload);
    return true;
  }
  if (data.kind == TERM_PICK) return picked_value(search, &data, term, depth, value);
  if (data.kind == TERM_FOLD) return fold_value(search, term, depth, value);
  if (data.kind == TERM_ATOM) {
    *value = free_value(search, term);
    return value->is_known;
  }
  Element operands[3];
  const TermSignature *of = signature_at(terms, data.signature);
  if (data.kind != TERM_APPLY || of->is_opaque || of->instruction == nullptr || data.count == 0 ||
      data.count > sizeof operands / sizeof *operands)
    return false;
  for (uint32_t i = 0; i < data.count; i++)
    if (!offset_value(search, term_children(terms, term)[i], depth + 1, &operands[i])) return false;
  return element_apply(of->instruction, data.count, operands, value) && value->is_known &&
         value->is_exact && !value->is_rounded;
}

/* Whether the current values give all positions; `is_known` is cleared if one is not known. */
static bool holds(
    FeasibleSearch *search, uint32_t count, const Position *positions, bool *is_known) {
  for (uint32_t i = 0; i < count; i++) {
    Element offset;
    if (!offset_value(search, positions[i].offset, 0, &offset) ||
        !element_type_is_integral(offset.type)) {
      *is_known = false;
      return false;
    }
    if (offset_clamp(offset.type, offset.integer, positions[i].count) != positions[i].position)
      return false;
  }
  return true;
}

static bool next_values(FeasibleSearch *search) {
  for (uint32_t i = 0; i < search->varied_count; i++) {
    if (++search->varied[i].at < search->varied[i].count) return true;
    search->varied[i].at = 0;
  }
  return false;
}

/* Varies the elements from `first` on, at most `count` of them. */
static void vary(FeasibleSearch *search, uint32_t first, uint32_t count, uint32_t position_count,
    const Position *positions) {
  for (search->varied_count = 0;
      search->varied_count < count && first + search->varied_count < search->atom_count;
      search->varied_count++) {
    FreeElement *element = &search->varied[search->varied_count];
    element->atom = search->atoms[first + search->varied_count];
    choose_values(search, element, position_count, positions);
  }
}

/* Tries all combinations of the values of the varied elements. */
static VerdictStatus try_combinations(
    FeasibleSearch *search, uint32_t count, const Position *positions) {
  bool is_known = true, is_complete = search->varied_count == search->atom_count;
  for (uint32_t i = 0; i < search->varied_count; i++)
    is_complete = is_complete && search->varied[i].is_complete;
  do {
    if (search->feasible->work > most_evaluated) return VERDICT_UNKNOWN;
    if (holds(search, count, positions, &is_known)) return VERDICT_PROVED;
  } while (next_values(search));
  return is_known && is_complete ? VERDICT_REFUTED : VERDICT_UNKNOWN;
}

/* Of many elements the first ones are varied, one at a time, then some together. */
static VerdictStatus vary_some(FeasibleSearch *search, uint32_t count, const Position *positions) {
  static constexpr Others all[] = {
      OTHERS_ZERO, OTHERS_ONE, OTHERS_MINUS_ONE, OTHERS_LEAST, OTHERS_LARGEST};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    for (uint32_t i = 0; i < search->atom_count && i < most_alone; i++) {
      search->others = all[k];
      vary(search, i, 1, count, positions);
      if (try_combinations(search, count, positions) == VERDICT_PROVED) return VERDICT_PROVED;
    }
  search->others = OTHERS_ZERO;
  vary(search, 0, most_varied, count, positions);
  return try_combinations(search, count, positions);
}

/* This has steps of its own, which no other question lacks. */
static VerdictStatus try_many(FeasibleSearch *search, uint32_t count, const Position *positions) {
  static constexpr uint64_t first = most_evaluated - most_of_many;
  Feasible *feasible = search->feasible;
  uint64_t work = feasible->work;
  feasible->work = first + feasible->work_of_many;
  VerdictStatus status = vary_some(search, count, positions);
  feasible->work_of_many = feasible->work - first;
  feasible->work = work;
  return status;
}

static VerdictStatus search_solve(
    FeasibleSearch *search, uint32_t count, const Position *positions) {
  if (search->atom_count > most_varied) return try_many(search, count, positions);
  vary(search, 0, most_varied, count, positions);
  return try_combinations(search, count, positions);
}

static bool shares_element(const FeasibleSearch *search, const FeasibleSearch *other) {
  for (uint32_t i = 0; i < search->atom_count; i++)
    for (uint32_t k = 0; k < other->atom_count; k++)
      if (search->atoms[i] == other->atoms[k]) return true;
  return false;
}

/* Moves to `group` the first of the `count` positions and all that share elements with it, also
 * through others. Returns how many are left. */
static uint32_t take_group(FeasibleSearch *search, uint32_t count, Position *positions,
    uint32_t *group_count, Position *group, bool *is_collected) {
  uint32_t left = 0;
  *group_count = 0;
  *is_collected = true;
  for (bool any = true; any;) {
    any = false;
    left = 0;
    for (uint32_t i = 0; i < count; i++) {
      FeasibleSearch own = {.feasible = search->feasible};
      *is_collected = *is_collected && collect_atoms(&own, positions[i].offset, 0);
      bool is_taken = (*group_count == 0 && !any) || shares_element(search, &own);
      if (!is_taken) positions[left++] = positions[i];
      if (!is_taken) continue;
      group[(*group_count)++] = positions[i];
      *is_collected = *is_collected && collect_atoms(search, positions[i].offset, 0);
      any = true;
    }
    count = left;
  }
  return left;
}

VerdictStatus positions_are_feasible(
    Feasible *feasible, uint32_t count, const Position *positions) {
  Position rest[most_offsets], group[most_offsets];
  VerdictStatus all = VERDICT_PROVED;
  if (are_free(feasible, count, positions)) return VERDICT_PROVED;
  if (count > most_offsets) return VERDICT_UNKNOWN;
  memcpy(rest, positions, count * sizeof *rest);
  for (uint32_t group_count; count > 0;) {
    FeasibleSearch search = {.feasible = feasible};
    bool is_collected;
    count = take_group(&search, count, rest, &group_count, group, &is_collected);
    VerdictStatus status =
        is_collected ? search_solve(&search, group_count, group) : VERDICT_UNKNOWN;
    if (status == VERDICT_REFUTED) return status;
    if (status == VERDICT_UNKNOWN) all = status;
  }
  return all;
}

/* --- inputs that do not take any value --- */

static Dependence dependence_of_atom(const TermSignature *atom) {
  if (atom->is_computed) return DEPENDENCE_COMPUTED;
  return atom->is_opaque || atom->is_nan ? DEPENDENCE_LITERAL : DEPENDENCE_NONE;
}

static Dependence dependence_of(const Feasible *feasible, Term term) {
  Dependence *known = &feasible->known[term];
  if (*known != DEPENDENCE_NOT_ASKED) return *known;
  if (stack_is_low()) return DEPENDENCE_COMPUTED;
  const TermData *data = data_of(feasible, term);
  Dependence found = data->kind == TERM_ATOM
                         ? dependence_of_atom(signature_at(feasible->terms, data->signature))
                         : DEPENDENCE_NONE;
  for (uint32_t i = 0; i < data->count; i++) {
    Dependence child = dependence_of(feasible, term_children(feasible->terms, term)[i]);
    if (child > found) found = child;
  }
  return *known = found;
}

const char *positions_depend(const Feasible *feasible, uint32_t count, const Position *positions) {
  Dependence found = DEPENDENCE_NONE;
  for (uint32_t i = 0; i < count; i++) {
    Dependence one = dependence_of(feasible, positions[i].offset);
    if (one > found) found = one;
  }
  if (found == DEPENDENCE_NONE) return nullptr;
  return found == DEPENDENCE_COMPUTED
             ? "an element may be read after it was overwritten: it depends on offsets that are computed outside"
             : "an element may be read after it was overwritten: it depends on a constant whose numbers are not followed";
}
