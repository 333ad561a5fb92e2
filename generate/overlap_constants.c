/* Each equation is between two products of constants. An equation with a single unknown determines
 * it. Other unknowns are chosen, the outer rule's letters first. */
#include "generate/overlap_constants.h"

#include <string.h>

#include "core/base/checked.h"
#include "core/base/hash.h"

static constexpr uint32_t max_unknowns = 2 * rule_max_letters + 1, max_equations = 24,
                          scale_unknown = 2 * rule_max_letters;

/* A product of an integer and unknowns. */
typedef struct ConstantProduct {
  int64_t factor;
  uint32_t count;
  uint32_t unknowns[pattern_max_factors + 1];
} ConstantProduct;

typedef struct ConstantEquation {
  ConstantProduct left, right;
} ConstantEquation;

typedef struct ConstantSearch {
  const Overlap *overlap;
  uint64_t number;
  uint32_t equation_count;
  ConstantEquation equations[max_equations];
  bool is_known[max_unknowns];
  int64_t values[max_unknowns];
} ConstantSearch;

uint64_t overlap_choice(uint64_t number, uint64_t slot, uint64_t count) {
  uint64_t within = 3 + number / 8;
  if (within > count) within = count;
  return hash_mix(hash_mix(number, slot), slot * 7919 + 1) % within;
}

/* Returns false if a factor is neither an integer nor a constant letter. */
static bool product_times(
    ConstantProduct *product, uint32_t first, uint32_t count, const RuleTerm *const *factors) {
  for (uint32_t i = 0; i < count; i++) {
    const RuleTerm *factor = factors[i];
    if (factor->kind == TERM_CONSTANT_LETTER && product->count < pattern_max_factors)
      product->unknowns[product->count++] = first + factor->letter;
    else if (factor->kind != TERM_INTEGER ||
             mul64(product->factor, factor->value, &product->factor) == false)
      return false;
  }
  return true;
}

static void equation_add(
    ConstantSearch *search, const ConstantProduct *left, const ConstantProduct *right) {
  if (search->equation_count < max_equations)
    search->equations[search->equation_count++] = (ConstantEquation){*left, *right};
}

static void equal_terms(ConstantSearch *search, const RuleTerm *outer, const RuleTerm *inner) {
  Pattern left, right;
  ConstantProduct one = {.factor = 1}, other = {.factor = 1};
  if (!pattern_flatten(outer, &left) || !pattern_flatten(inner, &right)) return;
  if (left.count != 1 || right.count != 1) return;
  if (product_times(&one, 0, left.items[0].factor_count, left.items[0].factors) &&
      product_times(&other, rule_max_letters, right.items[0].factor_count, right.items[0].factors))
    equation_add(search, &one, &other);
}

static const FormItem *item_of(const RuleForm *form, uint32_t number) {
  const FormSum *sum = form_around(form, number);
  for (uint32_t i = 0; i < sum->count; i++)
    if (sum->items[i].number == number) return &sum->items[i];
  return nullptr;
}

static void equal_coefficients(ConstantSearch *search, uint32_t outer, uint32_t inner) {
  const RuleForm *form = search->overlap->inner;
  const FormItem *left = item_of(search->overlap->outer, outer), *right = item_of(form, inner);
  bool is_root = form->operators[inner].within == 0;
  if (left == nullptr || right == nullptr || (is_root && form->root == FORM_ATOM)) return;
  ConstantProduct one = {.factor = left->sign}, other = {.factor = right->sign};
  if (!product_times(&one, 0, left->factor_count, left->factors) ||
      !product_times(&other, rule_max_letters, right->factor_count, right->factors))
    return;
  if (is_root && form->root == FORM_SUM) other.unknowns[other.count++] = scale_unknown;
  equation_add(search, &one, &other);
}

static void equations_of(ConstantSearch *search) {
  const Overlap *overlap = search->overlap;
  if (overlap->inner->root == FORM_CONSTRAINT) {
    equal_terms(search, overlap->outer->rule->left.lo, overlap->inner->rule->left.lo);
    equal_terms(search, overlap->outer->rule->left.hi, overlap->inner->rule->left.hi);
  }
  for (uint32_t i = 1; overlap->inner->root != FORM_LETTER && i <= overlap->outer->operator_count;
      i++) {
    uint32_t inner = overlap->same[i];
    if (inner == 0) continue;
    const FormOperator *one = &overlap->outer->operators[i],
                       *other = &overlap->inner->operators[inner];
    if (one->divisor != nullptr) equal_terms(search, one->divisor, other->divisor);
    equal_coefficients(search, i, inner);
  }
}

/* The value of the known factors. Counts the unknown ones; `unknown` receives one of them. */
static bool product_known(const ConstantSearch *search, const ConstantProduct *product,
    int64_t *known, uint32_t *unknowns, uint32_t *unknown) {
  *known = product->factor;
  for (uint32_t i = 0; i < product->count; i++) {
    uint32_t at = product->unknowns[i];
    if (!search->is_known[at]) {
      ++*unknowns;
      *unknown = at;
    } else if (!mul64(*known, search->values[at], known)) return false;
  }
  return true;
}

/* Returns false if the sides cannot be equal. `moved` is set if an unknown was determined. */
static bool equation_use(ConstantSearch *search, const ConstantEquation *equation, bool *moved) {
  int64_t left, right;
  uint32_t left_unknowns = 0, right_unknowns = 0, unknown = 0;
  if (!product_known(search, &equation->left, &left, &left_unknowns, &unknown) ||
      !product_known(search, &equation->right, &right, &right_unknowns, &unknown))
    return false;
  if (left_unknowns + right_unknowns == 0) return left == right;
  if (left_unknowns + right_unknowns > 1) return true;
  int64_t whole = left_unknowns == 1 ? right : left, part = left_unknowns == 1 ? left : right;
  if (part == 0 || (part == -1 && whole == INT64_MIN) || whole % part != 0) return false;
  search->is_known[unknown] = *moved = true;
  search->values[unknown] = whole / part;
  return true;
}

static bool equations_use(ConstantSearch *search) {
  for (bool moved = true; moved;) {
    moved = false;
    for (uint32_t i = 0; i < search->equation_count; i++)
      if (!equation_use(search, &search->equations[i], &moved)) return false;
  }
  return true;
}

static bool unknown_choose(ConstantSearch *search, uint32_t unknown) {
  static const int64_t values[] = {
      2, 3, 1, 4, 6, 0, -1, 5, 12, 8, -2, 7, -3, 10, 16, 9, -4, 15, -6, 100};
  if (search->is_known[unknown]) return true;
  search->is_known[unknown] = true;
  search->values[unknown] =
      values[overlap_choice(search->number, unknown, sizeof values / sizeof *values)];
  return equations_use(search);
}

bool overlap_constants(
    Arena *arena, const Overlap *overlap, uint64_t number, OverlapConstants *constants) {
  ConstantSearch *search = ARENA_NEW(arena, ConstantSearch, 1);
  *search = (ConstantSearch){.overlap = overlap, .number = number};
  equations_of(search);
  bool agrees = equations_use(search);
  for (uint32_t i = 0; agrees && i < overlap->outer->rule->constant_count; i++)
    agrees = unknown_choose(search, i);
  for (uint32_t i = 0; agrees && i < overlap->inner->rule->constant_count; i++)
    agrees = unknown_choose(search, rule_max_letters + i);
  agrees = agrees && unknown_choose(search, scale_unknown);
  memcpy(constants->outer, search->values, sizeof constants->outer);
  memcpy(constants->inner, search->values + rule_max_letters, sizeof constants->inner);
  constants->scale = overlap->inner->root == FORM_SUM ? search->values[scale_unknown] : 1;
  return agrees && constants->scale != 0;
}

int64_t overlap_factor(const FormItem *item, const int64_t *constants) {
  int64_t value = item->sign;
  for (uint32_t i = 0; i < item->factor_count; i++) {
    const RuleTerm *factor = item->factors[i];
    int64_t one = factor->kind == TERM_INTEGER           ? factor->value
                  : factor->kind == TERM_CONSTANT_LETTER ? constants[factor->letter]
                                                         : 1;
    if (!mul64(value, one, &value)) return 0;
  }
  return value;
}
