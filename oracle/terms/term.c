/* The store of terms: one table of terms, one of signatures, both with open addressing. */
#include "oracle/terms/term.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/base/table.h"
#include "oracle/values/zero_signs.h"

typedef struct ConstantError {
  Term constant;
  double error;
} ConstantError;

/* The terms of a body that have children or are atoms; children come first. */
typedef struct BodyTerms {
  uint32_t count, capacity;
  Term *items;
} BodyTerms;

typedef struct TermNumbers {
  uint32_t *slots, mask, used;
} TermNumbers;

struct Terms {
  Arena *arena;
  struct {
    uint32_t count, capacity;
    TermData *items;
  } terms;
  struct {
    uint32_t count, capacity;
    uint64_t *items;
  } hashes;
  struct {
    uint32_t count, capacity;
    Term *items;
  } children;
  struct {
    uint32_t count, capacity;
    TermSignature *items;
  } signatures;
  struct {
    uint32_t count, capacity;
    uint64_t *items;
  } signature_hashes;
  TermNumbers by_term, by_text;
  struct {
    uint32_t count, capacity;
    TermsBody *items;
  } bodies;
  struct {
    uint32_t count, capacity;
    ConstantError *items;
  } errors; /* of folded constants, each once */
  Table errors_by_term;
  ConstantErrors kept_errors;
  bool has_rounded; /* a fold of constants was inexact, or left the range of its type */
  OperandSorting sorting;
  LawGrade grade;
  struct {
    uint32_t capacity, round;
    uint32_t *rounds;        /* by term: the round in which it was replaced */
    Term *items;             /* by term: what it became */
    const BodyTerms **lists; /* by body: nullptr until first use */
  } replaced;                /* by one substitution each round */
};

static constexpr uint32_t empty_slot = UINT32_MAX;

static void numbers_resize(
    Arena *arena, TermNumbers *numbers, uint32_t capacity, uint32_t count, const uint64_t *hashes) {
  numbers->slots = ARENA_NEW(arena, uint32_t, capacity);
  numbers->mask = capacity - 1;
  memset(numbers->slots, 0xff, capacity * sizeof *numbers->slots);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t at = (uint32_t)hashes[i] & numbers->mask;
    while (numbers->slots[at] != empty_slot) at = (at + 1) & numbers->mask;
    numbers->slots[at] = i;
  }
}

Terms *terms_create(Arena *arena) {
  Terms *terms = ARENA_NEW(arena, Terms, 1);
  terms->arena = arena;
  numbers_resize(arena, &terms->by_term, 1024, 0, nullptr);
  numbers_resize(arena, &terms->by_text, 256, 0, nullptr);
  return terms;
}

uint32_t terms_count(const Terms *terms) { return terms->terms.count; }
const TermData *term_data(const Terms *terms, Term term) {
  assert(term < terms->terms.count);
  return &terms->terms.items[term];
}
const Term *term_children(const Terms *terms, Term term) {
  return terms->children.items + terms->terms.items[term].first;
}
TermSignature *signature_at(const Terms *terms, uint32_t signature) {
  assert(signature < terms->signatures.count);
  return &terms->signatures.items[signature];
}

uint32_t signature_of(Terms *terms, const char *text, const char *name) {
  uint64_t hash = 7;
  for (const char *c = text; *c != 0; c++) hash = hash_mix(hash, (unsigned char)*c);
  TermNumbers *numbers = &terms->by_text;
  uint32_t at = (uint32_t)hash & numbers->mask;
  for (; numbers->slots[at] != empty_slot; at = (at + 1) & numbers->mask) {
    uint32_t found = numbers->slots[at];
    if (terms->signature_hashes.items[found] == hash &&
        strcmp(terms->signatures.items[found].text, text) == 0)
      return found;
  }
  uint32_t made = terms->signatures.count;
  numbers->slots[at] = made;
  *ARENA_PUSH(terms->arena, &terms->signatures) =
      (TermSignature){.text = arena_text(terms->arena, text, strlen(text)), .name = name};
  *ARENA_PUSH(terms->arena, &terms->signature_hashes) = hash;
  if (2 * terms->signatures.count > numbers->mask)
    numbers_resize(terms->arena, numbers, 4 * (numbers->mask + 1), terms->signatures.count,
        terms->signature_hashes.items);
  return made;
}

uint32_t signature_of_operation(Terms *terms, Opcode opcode, ElementType type, uint32_t count) {
  const char *name = opcode_name(opcode);
  const char *text = arena_printf(terms->arena, "%s %s", element_type_name(type), name);
  uint32_t signature = signature_of(terms, text, name);
  if (signature_at(terms, signature)->instruction != nullptr) return signature;
  Instruction *made = ARENA_NEW(terms->arena, Instruction, 1);
  Shape *shape = ARENA_NEW(terms->arena, Shape, 1);
  *shape = (Shape){.type = type};
  *made = (Instruction){.name = name, .opcode = opcode, .shape = shape, .operand_count = count};
  signature_at(terms, signature)->instruction = made;
  return signature;
}

/* A linear search, because a module has few bodies. */
const TermsBody *terms_find_body(const Terms *terms, const Computation *computation) {
  for (uint32_t i = 0; i < terms->bodies.count; i++)
    if (terms->bodies.items[i].computation == computation) return &terms->bodies.items[i];
  return nullptr;
}

void terms_add_body(
    Terms *terms, const Computation *computation, uint32_t count, const Term *results) {
  *ARENA_PUSH(terms->arena, &terms->bodies) = (TermsBody){computation, count, results};
}

static bool term_equals(const Terms *terms, Term term, const TermData *data, const Term *children) {
  const TermData *other = &terms->terms.items[term];
  return other->kind == data->kind && other->type == data->type &&
         other->signature == data->signature && other->payload == data->payload &&
         other->count == data->count &&
         (data->count == 0 || memcmp(terms->children.items + other->first, children,
                                  data->count * sizeof *children) == 0);
}

Term term_make(Terms *terms, TermKind kind, ElementType type, uint32_t signature, uint64_t payload,
    uint32_t count, const Term *children) {
  TermData data = {kind, type, signature, count, terms->children.count, payload};
  uint64_t hash = hash_mix(hash_mix(((uint64_t)kind << 8) + type, signature), payload);
  for (uint32_t i = 0; i < count; i++) hash = hash_mix(hash, children[i]);
  TermNumbers *numbers = &terms->by_term;
  uint32_t at = (uint32_t)hash & numbers->mask;
  for (; numbers->slots[at] != empty_slot; at = (at + 1) & numbers->mask) {
    uint32_t found = numbers->slots[at];
    if (terms->hashes.items[found] == hash && term_equals(terms, found, &data, children))
      return found;
  }
  Term made = terms->terms.count;
  numbers->slots[at] = made;
  *ARENA_PUSH(terms->arena, &terms->terms) = data;
  *ARENA_PUSH(terms->arena, &terms->hashes) = hash;
  for (uint32_t i = 0; i < count; i++) {
    Term child = children[i]; /* may point into the list that grows */
    *ARENA_PUSH(terms->arena, &terms->children) = child;
  }
  if (2 * terms->terms.count > numbers->mask)
    numbers_resize(
        terms->arena, numbers, 4 * (numbers->mask + 1), terms->terms.count, terms->hashes.items);
  return made;
}

Term term_constant(Terms *terms, ElementType type, int64_t value) {
  return term_make(terms, TERM_CONSTANT, type, 0, (uint64_t)value, 0, nullptr);
}

Term term_float(Terms *terms, ElementType type, double value) {
  uint64_t bits;
  double held = isnan(value) ? (double)NAN : value;
  memcpy(&bits, &held, sizeof bits);
  return term_make(terms, TERM_CONSTANT, type, 0, bits, 0, nullptr);
}

bool terms_is_constant(const Terms *terms, Term term, int64_t *value) {
  const TermData *data = term_data(terms, term);
  if (data->kind != TERM_CONSTANT || !element_type_is_integral(data->type)) return false;
  *value = (int64_t)data->payload;
  return true;
}

int64_t offset_clamp(ElementType type, int64_t value, int64_t count) {
  if (type == TYPE_u64 && value < 0) return count - 1;
  return value < 0 ? 0 : value >= count ? count - 1 : value;
}

bool terms_is_known_offset(const Terms *terms, Term offset, int64_t count, int64_t *position) {
  int64_t value;
  if (!terms_is_constant(terms, offset, &value)) return false;
  *position = offset_clamp(term_data(terms, offset)->type, value, count);
  return true;
}

static ConstantError *constant_error_of(const Terms *terms, Term constant) {
  uint32_t item;
  for (TableProbe probe = table_probe(&terms->errors_by_term, hash_mix(0, constant));
      table_next(&terms->errors_by_term, &probe, &item);)
    if (terms->errors.items[item].constant == constant) return &terms->errors.items[item];
  return nullptr;
}

double terms_constant_error(const Terms *terms, Term constant) {
  const ConstantError *found = constant_error_of(terms, constant);
  return found == nullptr ? 0 : found->error;
}

void terms_keep_errors(Terms *terms, ConstantErrors kept) { terms->kept_errors = kept; }

bool terms_has_rounded(const Terms *terms) { return terms->has_rounded; }

/* Keeps the largest error. */
static Term constant_with_error(Terms *terms, Term constant, double error) {
  ConstantError *found = constant_error_of(terms, constant);
  if (found != nullptr) {
    found->error = fmax(found->error, error);
    return constant;
  }
  table_add(&terms->errors_by_term, terms->arena, hash_mix(0, constant), terms->errors.count);
  *ARENA_PUSH(terms->arena, &terms->errors) = (ConstantError){constant, error};
  return constant;
}

/* A constant that no literal is equal to. */
static Term constant_of_its_own(Terms *terms, Term literal) {
  TermData data = *term_data(terms, literal);
  uint32_t signature = signature_of(terms, "rounded", "rounded");
  return term_make(terms, TERM_CONSTANT, data.type, signature, data.payload, 0, nullptr);
}

/* A small error is kept with the number. A large one is that of a jump, and would blur each literal
 * that is equal to it. */
static Term float_with_error(Terms *terms, ElementType type, double value, double error) {
  Term constant = term_float(terms, type, value);
  if (!(error > 0)) return constant;
  terms->has_rounded = true;
  if (terms->kept_errors == ERRORS_ALL || (terms->kept_errors == ERRORS_OVERFLOW && isinf(error)))
    return constant_with_error(terms, constant_of_its_own(terms, constant), error);
  return error <= ldexp(fabs(value), -10) ? constant_with_error(terms, constant, error) : constant;
}

/* Whether the kept errors may move the result past a jump. */
static bool may_jump_by_errors(
    const Terms *terms, uint32_t count, const Element *operands, const Element *result) {
  if (!element_type_is_integral(result->type) || !result->is_coarse) return false;
  if (terms->kept_errors != ERRORS_OVERFLOW) return terms->kept_errors == ERRORS_ALL;
  for (uint32_t i = 0; i < count; i++)
    if (isinf(operands[i].error)) return true;
  return false;
}

/* Whether the result is kept open because the sign of a zero decides it. */
static bool may_turn_by_zeros(Terms *terms, const Instruction *instruction, uint32_t count,
    const Element *operands, const Element *result) {
  Element any;
  if (!element_reads_zero_signs(instruction, count, operands) ||
      !element_apply_any_sign(instruction, count, operands, &any) ||
      (!any.is_either_sign && any.is_coarse == result->is_coarse && any.error == result->error))
    return false;
  terms->has_rounded = true;
  return terms->kept_errors != ERRORS_SMALL;
}

/* The sign and the bits of a NaN that is computed are not known. */
static bool is_nan(const Element *value) {
  return !element_type_is_integral(value->type) && isnan(value->real);
}

/* Folds the operation on constants if its result is exact. */
static bool fold_constants(Terms *terms, const Instruction *instruction, uint32_t count,
    const Term *children, Term *folded) {
  Element operands[3], result;
  if (instruction == nullptr || count == 0 || count > 3) return false;
  for (uint32_t i = 0; i < count; i++) {
    const TermData *data = term_data(terms, children[i]);
    if (data->kind != TERM_CONSTANT) return false;
    operands[i] = element_of_constant(data->type, data->payload);
    operands[i].error = terms_constant_error(terms, children[i]);
  }
  if (!element_apply(instruction, count, operands, &result) || !result.is_exact ||
      is_nan(&result) || may_jump_by_errors(terms, count, operands, &result) ||
      may_turn_by_zeros(terms, instruction, count, operands, &result))
    return false;
  if (element_has_overflowed(instruction->opcode, count, operands, &result)) {
    terms->has_rounded = true;
    if (terms->kept_errors != ERRORS_SMALL) result.error = (double)INFINITY;
  }
  *folded = element_type_is_integral(result.type)
                ? term_constant(terms, result.type, result.integer)
                : float_with_error(terms, result.type, result.real, result.error);
  return true;
}

OperandSorting terms_sort_operands(Terms *terms, OperandSorting sorting) {
  OperandSorting previous = terms->sorting;
  terms->sorting = sorting;
  return previous;
}

void terms_set_grade(Terms *terms, LawGrade grade) { terms->grade = grade; }

LawGrade terms_grade(const Terms *terms) { return terms->grade; }

bool terms_has_one_nan(const Terms *terms) { return terms->grade >= LAW_IEEE; }

bool opcode_commutes(Opcode opcode) {
  return opcode == HLO_ADD || opcode == HLO_MULTIPLY || opcode == HLO_MAXIMUM ||
         opcode == HLO_MINIMUM || opcode == HLO_AND || opcode == HLO_OR || opcode == HLO_XOR;
}

static bool sorts_operands(const Terms *terms, const Instruction *instruction) {
  return opcode_commutes(instruction->opcode) &&
         (terms->sorting == SORTING_ALL || (terms->sorting == SORTING_INTEGERS &&
                                               element_type_is_integral(instruction->shape->type)));
}

bool term_is_free_of_order(const Terms *terms, Term body) {
  const TermData *data = term_data(terms, body);
  if (data->kind != TERM_APPLY || data->count != 2) return false;
  const TermSignature *of = signature_at(terms, data->signature);
  if (of->is_opaque || of->instruction == nullptr) return false;
  Opcode opcode = of->instruction->opcode;
  const TermData *left = term_data(terms, term_children(terms, body)[0]),
                 *right = term_data(terms, term_children(terms, body)[1]);
  if (left->kind != TERM_ATOM || right->kind != TERM_ATOM) return false;
  const TermSignature *one = signature_at(terms, left->signature),
                      *other = signature_at(terms, right->signature);
  return one->is_body && other->is_body && one->number != other->number && opcode_commutes(opcode);
}

bool term_folds_type(const Terms *terms, Term body, ElementType type) {
  const Term *children = term_children(terms, body);
  return term_is_free_of_order(terms, body) && term_data(terms, body)->type == type &&
         term_data(terms, children[0])->type == type && term_data(terms, children[1])->type == type;
}

Term term_apply(Terms *terms, uint32_t signature, uint32_t count, const Term *children) {
  const Instruction *instruction = signature_at(terms, signature)->instruction;
  Term folded;
  assert(instruction->opcode != HLO_SELECT || count == 3);
  if (instruction->opcode == HLO_SELECT)
    return term_pick(terms, children[0], 2, (Term[]){children[2], children[1]});
  if (signature_at(terms, signature)->is_unordered)
    return term_make(terms, TERM_APPLY, instruction->shape->type, signature, 0, count, children);
  if (fold_constants(terms, instruction, count, children, &folded)) return folded;
  Term sorted[2] = {children[0], count > 1 ? children[1] : 0};
  bool is_exchanged = count == 2 && sorts_operands(terms, instruction) && sorted[0] > sorted[1];
  if (is_exchanged) children = (Term[]){sorted[1], sorted[0]};
  return term_make(terms, TERM_APPLY, instruction->shape->type, signature, 0, count, children);
}

Term term_pick(Terms *terms, Term offset, uint32_t count, const Term *candidates) {
  int64_t position;
  bool all_same = true;
  assert(count > 0);
  ElementType type = term_data(terms, candidates[0])->type;
  for (uint32_t i = 1; i < count; i++) {
    all_same = all_same && candidates[i] == candidates[0];
    if (term_data(terms, candidates[i])->type != type) type = TYPE_opaque;
  }
  if (all_same) return candidates[0];
  if (terms_is_known_offset(terms, offset, count, &position)) return candidates[position];
  Term *children = malloc((count + 1) * sizeof *children);
  if (children == nullptr) arena_out_of_memory((count + 1) * sizeof *children);
  children[0] = offset;
  memcpy(children + 1, candidates, count * sizeof *candidates);
  Term made = term_make(
      terms, TERM_PICK, type, signature_of(terms, "pick", "pick"), 0, count + 1, children);
  free(children);
  return made;
}

static int compare_terms(const void *a, const void *b) {
  Term x = *(const Term *)a, y = *(const Term *)b;
  return (x > y) - (x < y);
}

/* A fold of constants by one operation, whose result no order changes. */
static bool constants_folded(Terms *terms, ElementType type, const Instruction *operation,
    uint32_t count, const Term *constants, Term *folded) {
  bool is_integral = element_type_is_integral(type);
  double *values = malloc(count * sizeof *values), sum, errors = 0;
  if (values == nullptr) arena_out_of_memory(count * sizeof *values);
  bool is_done = true;
  for (uint32_t i = 0; i < count && is_done; i++) {
    const TermData *data = term_data(terms, constants[i]);
    is_done = data->kind == TERM_CONSTANT && data->type == type;
    errors += terms_constant_error(terms, constants[i]);
    if (is_done && !is_integral) memcpy(&values[i], &data->payload, sizeof *values);
  }
  if (is_done && !is_integral && operation->opcode == HLO_ADD) {
    is_done = element_exact_sum(type, count, values, &sum);
    if (is_done) *folded = float_with_error(terms, type, sum, errors);
  } else if (is_done && (is_integral || operation->opcode != HLO_MULTIPLY)) {
    *folded = constants[0];
    for (uint32_t i = 1; i < count && is_done; i++)
      is_done = fold_constants(terms, operation, 2, (Term[]){*folded, constants[i]}, folded);
  } else is_done = false;
  free(values);
  return is_done;
}

static bool fold_is_constant(Terms *terms, ElementType type, Term body, Term init, uint32_t count,
    const Term *tuples, Term *folded) {
  if (term_data(terms, init)->kind != TERM_CONSTANT || !term_folds_type(terms, body, type))
    return false;
  for (uint32_t i = 0; i < count; i++)
    if (term_data(terms, tuples[i])->count != 1) return false;
  Term *constants = malloc((count + 1) * sizeof *constants);
  if (constants == nullptr) arena_out_of_memory((count + 1) * sizeof *constants);
  constants[0] = init;
  for (uint32_t i = 0; i < count; i++) constants[i + 1] = term_children(terms, tuples[i])[0];
  const Instruction *operation =
      signature_at(terms, term_data(terms, body)->signature)->instruction;
  bool is_folded = constants_folded(terms, type, operation, count + 1, constants, folded);
  free(constants);
  return is_folded;
}

bool term_fold_copies(Terms *terms, Term body, Term constant, uint32_t count, Term *folded) {
  assert(count > 0 && term_data(terms, constant)->kind == TERM_CONSTANT);
  if (!term_folds_type(terms, body, term_data(terms, constant)->type)) return false;
  Term *constants = malloc(count * sizeof *constants);
  if (constants == nullptr) arena_out_of_memory(count * sizeof *constants);
  for (uint32_t i = 0; i < count; i++) constants[i] = constant;
  const Instruction *operation =
      signature_at(terms, term_data(terms, body)->signature)->instruction;
  bool is_folded = constants_folded(
      terms, term_data(terms, constant)->type, operation, count, constants, folded);
  free(constants);
  return is_folded;
}

/* In each pair the smaller term stands first. */
static void sort_factors(Terms *terms, uint32_t count, Term *pairs) {
  for (uint32_t i = 0; i < count; i++) {
    TermData pair = *term_data(terms, pairs[i]);
    const Term *factors = term_children(terms, pairs[i]);
    if (factors[0] <= factors[1]) continue;
    pairs[i] = term_make(terms, pair.kind, pair.type, pair.signature, pair.payload, 2,
        (Term[]){factors[1], factors[0]});
  }
}

Term term_fold(Terms *terms, ElementType type, uint32_t signature, uint32_t leaf,
    uint32_t init_count, const Term *inits, uint32_t count, Term *tuples) {
  const TermSignature *of = signature_at(terms, signature);
  if (count == 0 && init_count > 0 && !of->is_opaque) return inits[leaf];
  if (count == 0 && !of->is_opaque)
    return element_type_is_integral(type) ? term_constant(terms, type, 0)
                                          : term_float(terms, type, 0);
  if (count == 1 && !of->is_products && !of->is_opaque && of->body_count > leaf &&
      init_count <= 16) {
    Term arguments[32];
    memcpy(arguments, inits, init_count * sizeof *inits);
    memcpy(arguments + init_count, term_children(terms, tuples[0]), init_count * sizeof *inits);
    return term_substitute(terms, of->body[leaf], arguments);
  }
  Term folded;
  if (init_count == 1 && !of->is_products && !of->is_opaque && of->body_count > leaf &&
      fold_is_constant(terms, type, of->body[leaf], inits[0], count, tuples, &folded))
    return folded;
  if (of->has_like_factors) sort_factors(terms, count, tuples);
  if (count > 0 && !of->is_ordered) qsort(tuples, count, sizeof *tuples, compare_terms);
  Term *children = malloc((init_count + count + 1) * sizeof *children); /* never zero bytes */
  if (children == nullptr) arena_out_of_memory((init_count + count) * sizeof *children);
  if (init_count > 0) memcpy(children, inits, init_count * sizeof *inits);
  if (count > 0) memcpy(children + init_count, tuples, count * sizeof *tuples);
  Term made = term_make(terms, TERM_FOLD, type, signature, leaf, init_count + count, children);
  free(children);
  return made;
}

Term term_rebuild(Terms *terms, const TermData *data, Term *children) {
  const TermSignature *of = signature_at(terms, data->signature);
  if (data->kind == TERM_APPLY && !of->is_opaque)
    return term_apply(terms, data->signature, data->count, children);
  if (data->kind != TERM_FOLD || of->is_opaque)
    return term_make(
        terms, data->kind, data->type, data->signature, data->payload, data->count, children);
  uint32_t inits = of->is_products ? 0 : term_data(terms, children[data->count - 1])->count;
  return term_fold(terms, data->type, data->signature, (uint32_t)data->payload, inits, children,
      data->count - inits, children + inits);
}

bool term_operation(const Terms *terms, Term term, Opcode *opcode) {
  const TermData *data = term_data(terms, term);
  if (data->kind != TERM_APPLY) return false;
  const TermSignature *of = signature_at(terms, data->signature);
  if (of->is_opaque || of->instruction == nullptr) return false;
  *opcode = of->instruction->opcode;
  return true;
}

Term term_passed(Terms *terms, ElementType type, Term term) {
  ElementType from = term_data(terms, term)->type;
  if (from == type || !element_type_is_floating(from) || !element_type_is_floating(type))
    return term;
  if (type_keeps_values(from, type))
    return term_apply(terms, signature_of_operation(terms, HLO_CONVERT, type, 1), 1, &term);
  uint32_t signature = signature_of(
      terms, arena_printf(terms->arena, "passed as %s", element_type_name(type)), "passed on");
  signature_at(terms, signature)->is_opaque = true;
  return term_make(terms, TERM_APPLY, type, signature, 0, 1, &term);
}

static void replaced_reserve(Terms *terms, Term body) {
  uint32_t held = terms->replaced.capacity, capacity = 2 * body + 64;
  if (body < held) return;
  terms->replaced.rounds = ARENA_NEW(terms->arena, uint32_t, capacity);
  terms->replaced.items = ARENA_NEW(terms->arena, Term, capacity);
  terms->replaced.lists =
      arena_grow(terms->arena, terms->replaced.lists, held, capacity, sizeof(BodyTerms *));
  memset(terms->replaced.lists + held, 0, (capacity - held) * sizeof(BodyTerms *));
  terms->replaced.capacity = capacity;
}

/* Adds a term that this round has not met. */
static void list_term(Terms *terms, Term term, BodyTerms *list) {
  const TermData *data = term_data(terms, term);
  if (terms->replaced.rounds[term] == terms->replaced.round) return;
  terms->replaced.rounds[term] = terms->replaced.round;
  if (data->count > 0 || data->kind == TERM_ATOM) *ARENA_PUSH(terms->arena, list) = term;
}

static const BodyTerms *terms_of_body(Terms *terms, Term body) {
  if (terms->replaced.lists[body] != nullptr) return terms->replaced.lists[body];
  BodyTerms *list = ARENA_NEW(terms->arena, BodyTerms, 1);
  terms->replaced.round++;
  list_term(terms, body, list);
  for (uint32_t at = 0; at < list->count; at++)
    for (uint32_t i = 0; i < term_data(terms, list->items[at])->count; i++)
      list_term(terms, term_children(terms, list->items[at])[i], list);
  if (list->count > 1) qsort(list->items, list->count, sizeof(Term), compare_terms);
  return terms->replaced.lists[body] = list;
}

/* A term of which all children are replaced. */
static Term replace_in(Terms *terms, Term term, const Term *arguments) {
  TermData data = *term_data(terms, term);
  if (data.kind == TERM_ATOM) {
    const TermSignature *of = signature_at(terms, data.signature);
    return of->is_body && data.payload == 0 ? term_passed(terms, data.type, arguments[of->number])
                                            : term;
  }
  Term *children = malloc(data.count * sizeof *children);
  if (children == nullptr) arena_out_of_memory(data.count * sizeof *children);
  for (uint32_t i = 0; i < data.count; i++) {
    Term child = term_children(terms, term)[i];
    bool is_replaced = terms->replaced.rounds[child] == terms->replaced.round;
    children[i] = is_replaced ? terms->replaced.items[child] : child;
  }
  Term made = data.kind == TERM_APPLY && !signature_at(terms, data.signature)->is_opaque
                  ? term_apply(terms, data.signature, data.count, children)
              : data.kind == TERM_PICK ? term_pick(terms, children[0], data.count - 1, children + 1)
                                       : term_make(terms, data.kind, data.type, data.signature,
                                             data.payload, data.count, children);
  free(children);
  return made;
}

/* Each term of the body is rebuilt once, however often the body has it. */
Term term_substitute(Terms *terms, Term body, const Term *arguments) {
  replaced_reserve(terms, body);
  const BodyTerms *list = terms_of_body(terms, body);
  terms->replaced.round++;
  for (uint32_t at = 0; at < list->count; at++) {
    Term term = list->items[at];
    terms->replaced.items[term] = replace_in(terms, term, arguments);
    terms->replaced.rounds[term] = terms->replaced.round;
  }
  return list->count > 0 ? terms->replaced.items[body] : body;
}
