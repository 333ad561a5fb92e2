/* A sum is a sorted tuple of products, with its constant as payload; a product is a sorted tuple of
 * factors, with its coefficient as payload. Both wrap around at the width of the type. An operation
 * whose sum would be too long remains a factor. */
#include "oracle/terms/ring.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/stack.h"
#include "oracle/semantics/arithmetic.h"
#include "oracle/values/element.h"

static constexpr uint32_t most_factors = 6, most_products = 4096;
static constexpr uint64_t most_steps = 4'000'000;

typedef struct RingProduct {
  uint64_t coefficient;
  uint32_t count;
  Term factors[most_factors];
} RingProduct;

typedef struct RingSum {
  uint32_t count, capacity;
  RingProduct *items; /* a constant has no factor */
} RingSum;

void term_ring_create(Ring *ring, Arena *arena, Terms *terms, LawGrade grade) {
  *ring = (Ring){.arena = arena, .terms = terms, .grade = grade};
}

static bool is_ring(ElementType type) {
  return element_type_is_integral(type) && type != TYPE_pred;
}

static uint64_t wrapped(ElementType type, uint64_t value) {
  return (uint64_t)integer_wrap(type, (Wide)(int64_t)value);
}

static const Instruction *operation_of(const Terms *terms, const TermData *data) {
  if (data->kind != TERM_APPLY) return nullptr;
  const TermSignature *of = signature_at(terms, data->signature);
  return of->is_opaque ? nullptr : of->instruction;
}

/* The operation of a fold of one input whose function is one operation of its two arguments. */
static bool folded_operation(const Terms *terms, const TermData *data, Opcode *opcode) {
  const TermSignature *of = signature_at(terms, data->signature);
  if (data->kind != TERM_FOLD || of->is_opaque || of->is_products || of->body_count != 1 ||
      data->count == 0)
    return false;
  const Term *children = term_children(terms, of->body[0]);
  const TermData *body = term_data(terms, of->body[0]);
  const Instruction *instruction = operation_of(terms, body);
  if (instruction == nullptr || body->count != 2 || body->type != data->type) return false;
  uint32_t numbers = 0;
  for (uint32_t i = 0; i < 2; i++) {
    const TermData *argument = term_data(terms, children[i]);
    if (argument->kind != TERM_ATOM || argument->type != data->type) return false;
    const TermSignature *array = signature_at(terms, argument->signature);
    if (!array->is_body || array->number > 1) return false;
    numbers |= 1U << array->number;
  }
  *opcode = instruction->opcode;
  return numbers == 3;
}

static Term ring_of(Ring *ring, Term term);

/* --- sums --- */

static void sum_add(Ring *ring, RingSum *sum, const RingProduct *product) {
  *ARENA_PUSH(ring->arena, sum) = *product;
}

static int compare_factors(const void *a, const void *b) {
  Term x = *(const Term *)a, y = *(const Term *)b;
  return (x > y) - (x < y);
}

static int compare_products(const void *a, const void *b) {
  const RingProduct *x = a, *y = b;
  if (x->count != y->count) return x->count < y->count ? -1 : 1;
  for (uint32_t i = 0; i < x->count; i++)
    if (x->factors[i] != y->factors[i]) return x->factors[i] < y->factors[i] ? -1 : 1;
  return 0;
}

/* Adds a canonical term times a coefficient to a sum. */
static void add_term(Ring *ring, RingSum *sum, Term term, uint64_t coefficient) {
  const TermData *data = term_data(ring->terms, term);
  if (data->kind == TERM_CONSTANT) {
    sum_add(ring, sum, &(RingProduct){.coefficient = coefficient * data->payload});
    return;
  }
  uint32_t sums = signature_of(ring->terms, "ring sum", "sum"),
           products = signature_of(ring->terms, "ring product", "product");
  data = term_data(ring->terms, term);
  if (data->kind == TERM_TUPLE && data->signature == sums) {
    TermData held = *data;
    if (held.payload != 0)
      sum_add(ring, sum, &(RingProduct){.coefficient = coefficient * held.payload});
    for (uint32_t i = 0; i < held.count; i++)
      add_term(ring, sum, term_children(ring->terms, term)[i], coefficient);
    return;
  }
  RingProduct product = {.coefficient = coefficient, .count = 1, .factors = {term}};
  if (data->kind == TERM_TUPLE && data->signature == products) {
    product.coefficient *= data->payload;
    product.count = data->count;
    memcpy(product.factors, term_children(ring->terms, term), data->count * sizeof(Term));
  }
  sum_add(ring, sum, &product);
}

static Term product_term(Ring *ring, ElementType type, const RingProduct *product) {
  if (product->count == 1 && product->coefficient == 1) return product->factors[0];
  return term_make(ring->terms, TERM_TUPLE, type,
      signature_of(ring->terms, "ring product", "product"), product->coefficient, product->count,
      product->factors);
}

/* Combines like products. */
static Term sum_term(Ring *ring, ElementType type, RingSum *sum) {
  uint32_t count = 0;
  uint64_t constant = 0;
  if (sum->count > 1) qsort(sum->items, sum->count, sizeof *sum->items, compare_products);
  for (uint32_t i = 0; i < sum->count;) {
    RingProduct product = sum->items[i];
    for (i++; i < sum->count && compare_products(&product, &sum->items[i]) == 0; i++)
      product.coefficient += sum->items[i].coefficient;
    product.coefficient = wrapped(type, product.coefficient);
    if (product.count == 0) constant = product.coefficient;
    else if (product.coefficient != 0) sum->items[count++] = product;
  }
  if (count == 0) return term_constant(ring->terms, type, (int64_t)constant);
  Term *terms = ARENA_NEW(ring->arena, Term, count);
  for (uint32_t i = 0; i < count; i++) terms[i] = product_term(ring, type, &sum->items[i]);
  if (count == 1 && constant == 0) return terms[0];
  qsort(terms, count, sizeof *terms, compare_factors);
  return term_make(ring->terms, TERM_TUPLE, type, signature_of(ring->terms, "ring sum", "sum"),
      constant, count, terms);
}

/* Adds the product of two canonical terms; false if it is too long. */
static bool add_multiplied(Ring *ring, RingSum *sum, Term left, Term right) {
  RingSum a = {}, b = {};
  add_term(ring, &a, left, 1);
  add_term(ring, &b, right, 1);
  if ((uint64_t)a.count * b.count + sum->count > most_products) return false;
  ring->has_distributed = ring->has_distributed || a.count > 1 || b.count > 1;
  for (uint32_t i = 0; i < a.count; i++)
    for (uint32_t k = 0; k < b.count; k++) {
      RingProduct product = a.items[i];
      if (product.count + b.items[k].count > most_factors) return false;
      product.coefficient *= b.items[k].coefficient;
      memcpy(product.factors + product.count, b.items[k].factors, b.items[k].count * sizeof(Term));
      product.count += b.items[k].count;
      qsort(product.factors, product.count, sizeof(Term), compare_factors);
      sum_add(ring, sum, &product);
    }
  return true;
}

static Term converted(Ring *ring, Term term, ElementType type);

/* Adds the pairs of a contraction. Operands are converted to the type of its sum. */
static bool add_pairs(Ring *ring, RingSum *sum, Term term) {
  TermData data = *term_data(ring->terms, term);
  ring->has_distributed = true;
  for (uint32_t i = 0; i < data.count; i++) {
    Term pair = term_children(ring->terms, term)[i], sides[2];
    for (uint32_t k = 0; k < 2; k++) {
      Term side = term_children(ring->terms, pair)[k];
      if (!is_ring(term_data(ring->terms, side)->type)) return false;
      sides[k] = converted(ring, ring_of(ring, side), data.type);
    }
    if (!add_multiplied(ring, sum, sides[0], sides[1])) return false;
  }
  return true;
}

static bool add_folded(Ring *ring, RingSum *sum, Term term) {
  TermData data = *term_data(ring->terms, term);
  for (uint32_t i = 0; i < data.count; i++) {
    Term child = term_children(ring->terms, term)[i];
    if (i > 0) child = term_children(ring->terms, child)[0];
    add_term(ring, sum, ring_of(ring, child), 1);
  }
  return sum->count <= most_products;
}

/* Returns whether the term is a sum; `made` is then its canonical form. */
static bool sum_of(Ring *ring, Term term, Term *made) {
  TermData data = *term_data(ring->terms, term);
  const Instruction *operation = operation_of(ring->terms, &data);
  Opcode opcode = operation == nullptr ? HLO_TUPLE : operation->opcode, folded;
  RingSum sum = {};
  bool is_sum = false;
  if (!is_ring(data.type)) return false;
  if (opcode == HLO_MULTIPLY)
    is_sum = add_multiplied(ring, &sum, ring_of(ring, term_children(ring->terms, term)[0]),
        ring_of(ring, term_children(ring->terms, term)[1]));
  else if (opcode == HLO_ADD || opcode == HLO_SUBTRACT || opcode == HLO_NEGATE) {
    is_sum = true;
    for (uint32_t i = 0; i < data.count; i++) {
      bool is_taken = opcode == HLO_NEGATE || (opcode == HLO_SUBTRACT && i == 1);
      add_term(ring, &sum, ring_of(ring, term_children(ring->terms, term)[i]),
          is_taken ? UINT64_MAX : 1);
    }
  } else if (data.kind == TERM_FOLD && folded_operation(ring->terms, &data, &folded))
    is_sum = folded == HLO_ADD && add_folded(ring, &sum, term);
  else if (data.kind == TERM_FOLD) {
    const TermSignature *of = signature_at(ring->terms, data.signature);
    is_sum = of->is_products && !of->is_opaque && add_pairs(ring, &sum, term);
  }
  if (is_sum) *made = sum_term(ring, data.type, &sum);
  return is_sum;
}

/* --- sets --- */

static bool is_lattice(Opcode opcode, ElementType type) {
  return element_type_is_integral(type) &&
         (opcode == HLO_MAXIMUM || opcode == HLO_MINIMUM || opcode == HLO_AND || opcode == HLO_OR);
}

static int64_t neutral_of(Opcode opcode, ElementType type) {
  if (opcode == HLO_MAXIMUM) return (int64_t)integer_lowest(type);
  if (opcode == HLO_MINIMUM) return (int64_t)(uint64_t)integer_highest(type);
  return opcode == HLO_OR ? 0 : (int64_t)(uint64_t)integer_wrap(type, -1);
}

typedef struct RingMembers {
  uint32_t count, capacity;
  Term *items;
} RingMembers;

static void add_members(Ring *ring, RingMembers *members, Opcode opcode, Term term) {
  TermData data = *term_data(ring->terms, term);
  const Instruction *operation = operation_of(ring->terms, &data);
  Opcode folded = HLO_TUPLE;
  bool is_same = operation != nullptr && operation->opcode == opcode;
  bool is_fold = !is_same && data.kind == TERM_FOLD &&
                 folded_operation(ring->terms, &data, &folded) && folded == opcode;
  if ((!is_same && !is_fold) || stack_is_low()) {
    *ARENA_PUSH(ring->arena, members) = ring_of(ring, term);
    return;
  }
  for (uint32_t i = 0; i < data.count; i++) {
    Term child = term_children(ring->terms, term)[i];
    if (is_fold && i > 0) child = term_children(ring->terms, child)[0];
    add_members(ring, members, opcode, child);
  }
}

static bool set_of(Ring *ring, Term term, Term *made) {
  TermData data = *term_data(ring->terms, term);
  const Instruction *operation = operation_of(ring->terms, &data);
  Opcode opcode = operation == nullptr ? HLO_TUPLE : operation->opcode;
  if (operation == nullptr && !folded_operation(ring->terms, &data, &opcode)) return false;
  if (!is_lattice(opcode, data.type)) return false;
  RingMembers members = {};
  add_members(ring, &members, opcode, term);
  if (members.count > 1) qsort(members.items, members.count, sizeof(Term), compare_factors);
  Term neutral = term_constant(ring->terms, data.type, neutral_of(opcode, data.type));
  uint32_t count = 0;
  for (uint32_t i = 0; i < members.count; i++)
    if (members.items[i] != neutral && (count == 0 || members.items[count - 1] != members.items[i]))
      members.items[count++] = members.items[i];
  const char *name = opcode_name(opcode);
  if (count == 0) *made = neutral;
  else if (count == 1) *made = members.items[0];
  else
    *made = term_make(ring->terms, TERM_TUPLE, data.type,
        signature_of(ring->terms, arena_printf(ring->arena, "set %s", name), name), 0, count,
        members.items);
  return true;
}

/* --- comparisons and conversions --- */

static bool keeps_values(const Ring *ring, ElementType from, ElementType to) {
  return (from == to || element_type_is_integral(from) || ring->grade > LAW_EXACT) &&
         type_keeps_values(from, to);
}

/* Removes conversions of both sides to a type that represents all values, because they keep the
 * order. */
static void strip_conversions(Ring *ring, Term *sides) {
  uint32_t conversions = signature_of(ring->terms, "ring convert", "convert");
  Term inner[2];
  for (uint32_t i = 0; i < 2; i++) {
    const TermData *data = term_data(ring->terms, sides[i]);
    if (data->kind != TERM_TUPLE || data->signature != conversions) return;
    inner[i] = term_children(ring->terms, sides[i])[0];
  }
  ElementType from = term_data(ring->terms, inner[0])->type,
              to = term_data(ring->terms, sides[0])->type;
  if (from != term_data(ring->terms, inner[1])->type || !is_ring(from) ||
      !keeps_values(ring, from, to))
    return;
  memcpy(sides, inner, sizeof inner);
}

static bool compare_of(Ring *ring, Term term, Term *made) {
  TermData data = *term_data(ring->terms, term);
  const Instruction *operation = operation_of(ring->terms, &data);
  if (operation == nullptr || operation->opcode != HLO_COMPARE || data.count != 2) return false;
  const Attribute *direction = instruction_attribute(operation, "direction"),
                  *type = instruction_attribute(operation, "type");
  if (direction == nullptr) return false;
  Term sides[2];
  for (uint32_t i = 0; i < 2; i++) sides[i] = ring_of(ring, term_children(ring->terms, term)[i]);
  strip_conversions(ring, sides);
  const char *name = direction->text;
  bool is_converse = strncmp(name, "G", 1) == 0;
  bool is_symmetric = strncmp(name, "EQ", 2) == 0 || strncmp(name, "NE", 2) == 0;
  if (is_converse || (is_symmetric && sides[0] > sides[1])) {
    Term first = sides[0];
    sides[0] = sides[1];
    sides[1] = first;
  }
  Text text = text_create(ring->arena);
  text_printf(&text, "ring compare %c%c %s", is_converse ? 'L' : name[0], name[1],
      type == nullptr ? "" : type->text);
  *made = term_make(ring->terms, TERM_TUPLE, data.type,
      signature_of(ring->terms, text.bytes, "compare"), 0, 2, sides);
  return true;
}

/* Whether a conversion through `by` equals a direct conversion: the first step keeps every value,
 * and the second step converts each value as the direct conversion does. */
static bool is_one_step(const Ring *ring, ElementType from, ElementType by, ElementType to) {
  if (!keeps_values(ring, from, by)) return false;
  bool wraps = element_type_is_integral(from) && !element_type_is_integral(by) &&
               element_type_is_integral(to);
  return !wraps || to == TYPE_pred || keeps_values(ring, from, to);
}

static Term converted(Ring *ring, Term term, ElementType type) {
  uint32_t conversions = signature_of(ring->terms, "ring convert", "convert");
  for (;;) {
    const TermData *data = term_data(ring->terms, term);
    if (data->type == type) return term;
    if (data->kind == TERM_CONSTANT && element_type_is_integral(data->type) && is_ring(type))
      return term_constant(ring->terms, type,
          (int64_t)(uint64_t)integer_wrap(
              type, integer_wrap(data->type, (Wide)(int64_t)data->payload)));
    if (data->kind != TERM_TUPLE || data->signature != conversions) break;
    Term inner = term_children(ring->terms, term)[0];
    if (!is_one_step(ring, term_data(ring->terms, inner)->type, data->type, type)) break;
    term = inner;
  }
  return term_make(ring->terms, TERM_TUPLE, type, conversions, 0, 1, &term);
}

static bool convert_of(Ring *ring, Term term, Term *made) {
  const TermData *data = term_data(ring->terms, term);
  const Instruction *operation = operation_of(ring->terms, data);
  if (operation == nullptr || operation->opcode != HLO_CONVERT || data->count != 1) return false;
  ElementType type = data->type;
  int bits;
  if (!element_type_is_integral(type) && !element_precision(type, &bits)) return false;
  Term operand = ring_of(ring, term_children(ring->terms, term)[0]);
  *made = converted(ring, operand, type);
  return true;
}

/* Simplifies a bitcast of a bitcast, and the real or imaginary part of a complex number. */
static bool part_of(Ring *ring, Term term, Term *made) {
  TermData data = *term_data(ring->terms, term);
  const Instruction *operation = operation_of(ring->terms, &data);
  if (operation == nullptr || data.count != 1) return false;
  Opcode opcode = operation->opcode;
  Term operand = ring_of(ring, term_children(ring->terms, term)[0]);
  TermData inner = *term_data(ring->terms, operand);
  if (opcode == HLO_REAL || opcode == HLO_IMAG) {
    const Instruction *whole = operation_of(ring->terms, &inner);
    if (whole == nullptr || whole->opcode != HLO_COMPLEX || inner.count != 2) return false;
    *made = term_children(ring->terms, operand)[opcode == HLO_IMAG];
    return term_data(ring->terms, *made)->type == data.type;
  }
  if (opcode != HLO_BITCAST_CONVERT || data.type == TYPE_pred || inner.type == TYPE_pred ||
      element_type_bits(inner.type) != element_type_bits(data.type))
    return false;
  uint32_t bits = signature_of(ring->terms, "ring bits", "bitcast-convert");
  if (inner.kind == TERM_TUPLE && inner.signature == bits)
    operand = term_children(ring->terms, operand)[0];
  *made = operand;
  if (term_data(ring->terms, operand)->type != data.type)
    *made = term_make(ring->terms, TERM_TUPLE, data.type, bits, 0, 1, &operand);
  return true;
}

/* A select of 1 if a flag holds and of 0 otherwise is the flag converted. */
static bool flag_of(Ring *ring, Term term, Term *made) {
  const TermData *data = term_data(ring->terms, term);
  const Term *children = term_children(ring->terms, term);
  if (data->kind != TERM_PICK || data->count != 3 ||
      term_data(ring->terms, children[0])->type != TYPE_pred || data->type == TYPE_pred)
    return false;
  bool is_integral = element_type_is_integral(data->type);
  int bits;
  if (!is_integral && !element_precision(data->type, &bits)) return false;
  for (uint32_t i = 0; i < 2; i++) {
    const TermData *candidate = term_data(ring->terms, children[1 + i]);
    double one_or_zero = i;
    uint64_t wanted = i;
    if (!is_integral) memcpy(&wanted, &one_or_zero, sizeof wanted);
    bool is_wanted = (uint64_t)candidate->payload == wanted;
    if (candidate->kind != TERM_CONSTANT || !is_wanted) return false;
  }
  ElementType type = data->type;
  *made = converted(ring, ring_of(ring, children[0]), type);
  return true;
}

/* --- all other operations --- */

/* The same operation with canonical operands. */
static Term rebuilt(Ring *ring, Term term) {
  TermData data = *term_data(ring->terms, term);
  if (data.count == 0) return term;
  Term *children = ARENA_NEW(ring->arena, Term, data.count);
  for (uint32_t i = 0; i < data.count; i++)
    children[i] = ring_of(ring, term_children(ring->terms, term)[i]);
  const TermSignature *of =
      data.kind == TERM_FOLD ? signature_at(ring->terms, data.signature) : nullptr;
  if (of != nullptr && !of->is_opaque && !of->is_ordered) {
    Term last = term_children(ring->terms, term)[data.count - 1];
    uint32_t inits = of->is_products ? 0 : term_data(ring->terms, last)->count;
    qsort(children + inits, data.count - inits, sizeof(Term), compare_factors);
  }
  return term_make(
      ring->terms, data.kind, data.type, data.signature, data.payload, data.count, children);
}

static void ring_reserve(Ring *ring) {
  uint32_t count = terms_count(ring->terms), capacity = count + count / 2 + 1;
  if (count <= ring->capacity) return;
  Term *kept = ARENA_NEW(ring->arena, Term, capacity);
  if (ring->capacity > 0) memcpy(kept, ring->kept, ring->capacity * sizeof *kept);
  memset(kept + ring->capacity, 0xff, (capacity - ring->capacity) * sizeof *kept);
  ring->kept = kept;
  ring->capacity = capacity;
}

static Term ring_of(Ring *ring, Term term) {
  ring_reserve(ring);
  if (ring->kept[term] != no_term) return ring->kept[term];
  if (ring->steps++ > most_steps || stack_is_low()) return term;
  Term made;
  if (!sum_of(ring, term, &made) && !set_of(ring, term, &made) && !compare_of(ring, term, &made) &&
      !convert_of(ring, term, &made) && !flag_of(ring, term, &made) && !part_of(ring, term, &made))
    made = rebuilt(ring, term);
  ring->kept[term] = made;
  return made;
}

Term term_ring_normal(Ring *ring, Term term) { return ring_of(ring, term); }
