/* Folds integers. Constants and iotas are known; data movement is followed to the element that is
 * moved; arithmetic is folded with the element type's semantics: if the bounds of a result may
 * leave the type, it is wrapped, lo + (x - lo) mod 2^bits.
 *
 * divide truncates: x / 0 = -1 (all bits set), MIN / -1 = MIN; remainder has the dividend's sign: x
 * rem 0 = x, MIN rem -1 = 0. Not folded: expressions of 64 bits that may wrap, unsigned 64-bit
 * values past INT64_MAX, and anything that takes more than `budget` steps, so that diamonds stay
 * cheap. The budget limits the recursion. */
#include "core/index/runtime/fold.h"

#include <assert.h>

#include "core/base/checked.h"
#include "core/hlo/attribute.h"
#include "core/index/dispatch.h"
#include "core/index/ops/structure.h"
#include "core/map/bounds.h"

static constexpr uint32_t max_steps = 200;

typedef struct Folding {
  MapContext *context;
  const Map *box;
  Build build; /* only for expressions */
  uint32_t budget;
} Folding;

typedef struct FoldKnown {
  Expr expr;
  Interval bounds;
} FoldKnown;

static bool fold(
    Folding *folding, const Instruction *instruction, const Expr *index, FoldKnown *known);

static bool known_expr(Folding *folding, Expr expr, FoldKnown *known) {
  known->expr = expr;
  return !folding->build.overflow &&
         expr_bounds(folding->context, folding->box, expr, &known->bounds);
}

static bool known_number(Folding *folding, int64_t value, FoldKnown *known) {
  return known_expr(folding, build_const(&folding->build, value), known);
}

static bool is_number(const FoldKnown *known) { return known->bounds.lo == known->bounds.hi; }

/* The value of the low bits in the type. False for unsigned values past INT64_MAX. */
static bool fold_wrapped(ElementType type, uint64_t low, int64_t *value) {
  uint32_t bits = element_type_bits(type);
  if (bits < 64) low &= (UINT64_C(1) << bits) - 1;
  bool negative = element_type_is_signed(type) && (low >> (bits - 1) & 1) != 0;
  if (negative && bits < 64) low |= ~((UINT64_C(1) << bits) - 1);
  *value = (int64_t)low;
  return element_type_is_signed(type) || *value >= 0;
}

static bool fold_fits(ElementType type, const FoldKnown *known) {
  Interval range;
  return type_interval(type, &range) && range.lo <= known->bounds.lo &&
         known->bounds.hi <= range.hi;
}

/* The value of the low bits in the type: the value itself if it fits, else lo + (x - lo) mod
 * 2^bits. */
static bool fold_wrap(Folding *folding, ElementType type, FoldKnown *known) {
  Interval range;
  Build *build = &folding->build;
  if (fold_fits(type, known)) return true;
  if (type == TYPE_pred || !type_interval(type, &range) || element_type_bits(type) > 32)
    return false;
  Expr above =
      build_mod(build, build_plus_const(build, known->expr, -range.lo), range.hi - range.lo + 1);
  return known_expr(folding, build_plus_const(build, above, range.lo), known) &&
         fold_fits(type, known);
}

static bool fold_constant(
    Folding *folding, const Instruction *constant, const Expr *index, FoldKnown *known) {
  const Shape *shape = constant->shape;
  int64_t at = 0;
  if (constant->literal.count == 0 || (int64_t)constant->literal.count != shape_elements(shape))
    return false;
  bool uniform = true;
  for (uint32_t i = 1; i < constant->literal.count; i++)
    uniform &= constant->literal.values[i] == constant->literal.values[0];
  for (uint32_t i = 0; !uniform && i < shape->rank; i++) {
    Interval bounds;
    if (!expr_bounds(folding->context, folding->box, index[i], &bounds) || bounds.lo != bounds.hi)
      return false;
    if (bounds.lo < 0 || bounds.lo >= shape->sizes[i]) return false;
    at = at * shape->sizes[i] + bounds.lo;
  }
  return known_number(folding, constant->literal.values[at], known) &&
         fold_fits(shape->type, known);
}

static bool fold_operand(Folding *folding, const Instruction *instruction, uint32_t operand,
    const Expr *index, FoldKnown *known) {
  const Instruction *source = instruction->operands[operand];
  return source->shape->rank == 0 ? fold(folding, source, nullptr, known)
                                  : fold(folding, source, index, known);
}

/* --- arithmetic on numbers --- */

static bool divide_numbers(ElementType type, bool remainder, int64_t a, int64_t b, uint64_t *low) {
  if (b == 0) {
    *low = remainder ? (uint64_t)a : UINT64_MAX;
  } else if (b == -1) {
    *low = remainder ? 0 : 0 - (uint64_t)a;
  } else {
    *low = (uint64_t)(remainder ? a % b : a / b);
  }
  return type != TYPE_pred;
}

/* The arithmetic shift takes the highest bit as the sign, also for unsigned types. */
static bool shift_numbers(Opcode opcode, ElementType type, int64_t a, int64_t b, uint64_t *low) {
  uint32_t bits = element_type_bits(type);
  if (bits == 0 || bits > 64) return false;
  bool outside = b < 0 || b >= bits;
  uint64_t narrow = bits < 64 ? (uint64_t)a & ((UINT64_C(1) << bits) - 1) : (uint64_t)a,
           sign = UINT64_C(1) << (bits - 1);
  int64_t extended = (int64_t)((narrow ^ sign) - sign);
  if (opcode == HLO_SHIFT_LEFT) *low = outside ? 0 : (uint64_t)a << b;
  if (opcode == HLO_SHIFT_RIGHT_LOGICAL) *low = outside ? 0 : narrow >> b;
  if (opcode == HLO_SHIFT_RIGHT_ARITHMETIC)
    *low = (uint64_t)(outside ? (extended < 0 ? -1 : 0) : extended >> b);
  return true;
}

/* The low 64 bits of the result; false for an opcode that is not arithmetic on two integers. */
static bool number_of(Opcode opcode, ElementType type, int64_t a, int64_t b, uint64_t *low) {
  if (opcode == HLO_ADD) *low = (uint64_t)a + (uint64_t)b;
  else if (opcode == HLO_SUBTRACT) *low = (uint64_t)a - (uint64_t)b;
  else if (opcode == HLO_MULTIPLY) *low = (uint64_t)a * (uint64_t)b;
  else if (opcode == HLO_DIVIDE) return divide_numbers(type, false, a, b, low);
  else if (opcode == HLO_REMAINDER) return divide_numbers(type, true, a, b, low);
  else if (opcode == HLO_MAXIMUM) *low = (uint64_t)max64(a, b);
  else if (opcode == HLO_MINIMUM) *low = (uint64_t)min64(a, b);
  else if (opcode == HLO_AND) *low = (uint64_t)a & (uint64_t)b;
  else if (opcode == HLO_OR) *low = (uint64_t)a | (uint64_t)b;
  else if (opcode == HLO_XOR) *low = (uint64_t)a ^ (uint64_t)b;
  else if (opcode == HLO_SHIFT_LEFT || opcode == HLO_SHIFT_RIGHT_LOGICAL ||
           opcode == HLO_SHIFT_RIGHT_ARITHMETIC)
    return shift_numbers(opcode, type, a, b, low);
  else return false;
  return true;
}

/* --- arithmetic on expressions --- */

/* HLO's x / c and x rem c, for a number c other than 0 and an x of constant sign. The quotient is
 * |x| floordiv |c| with the sign of x / c; the remainder has the sign of x. */
static bool fold_truncated(
    Folding *folding, bool remainder, const FoldKnown *x, int64_t c, FoldKnown *known) {
  Build *build = &folding->build;
  bool positive = x->bounds.lo >= 0;
  if (c == 0 || c == INT64_MIN || (!positive && x->bounds.hi > 0)) return false;
  Expr magnitude = positive ? x->expr : build_times(build, x->expr, -1);
  int64_t divisor = c > 0 ? c : -c;
  Expr result =
      remainder ? build_mod(build, magnitude, divisor) : build_floordiv(build, magnitude, divisor);
  bool negate = remainder ? !positive : positive != (c > 0);
  return known_expr(folding, negate ? build_times(build, result, -1) : result, known);
}

static bool fold_combine(
    Folding *folding, Opcode opcode, const FoldKnown *a, const FoldKnown *b, FoldKnown *known) {
  Build *build = &folding->build;
  ExprPool *pool = folding->context->pool;
  if (opcode == HLO_ADD) return known_expr(folding, build_plus(build, a->expr, b->expr), known);
  if (opcode == HLO_SUBTRACT)
    return known_expr(folding, build_minus(build, a->expr, b->expr), known);
  if (opcode == HLO_MAXIMUM)
    return known_expr(folding, expr_binary(pool, EXPR_MAX, a->expr, b->expr), known);
  if (opcode == HLO_MINIMUM)
    return known_expr(folding, expr_binary(pool, EXPR_MIN, a->expr, b->expr), known);
  if (opcode == HLO_MULTIPLY && is_number(b))
    return known_expr(folding, build_times(build, a->expr, b->bounds.lo), known);
  if (opcode == HLO_MULTIPLY && is_number(a))
    return known_expr(folding, build_times(build, b->expr, a->bounds.lo), known);
  if (opcode == HLO_DIVIDE && is_number(b))
    return fold_truncated(folding, false, a, b->bounds.lo, known);
  if (opcode == HLO_REMAINDER && is_number(b))
    return fold_truncated(folding, true, a, b->bounds.lo, known);
  return false;
}

static bool fold_binary(
    Folding *folding, const Instruction *instruction, const Expr *index, FoldKnown *known) {
  FoldKnown a, b;
  ElementType type = instruction->shape->type;
  uint64_t low;
  int64_t value;
  if (type == TYPE_pred || !number_of(instruction->opcode, type, 0, 1, &low)) return false;
  if (!fold_operand(folding, instruction, 0, index, &a) ||
      !fold_operand(folding, instruction, 1, index, &b))
    return false;
  if (!is_number(&a) || !is_number(&b))
    return fold_combine(folding, instruction->opcode, &a, &b, known) &&
           fold_wrap(folding, type, known);
  return number_of(instruction->opcode, type, a.bounds.lo, b.bounds.lo, &low) &&
         fold_wrapped(type, low, &value) && known_number(folding, value, known);
}

static bool fold_negated(
    Folding *folding, ElementType type, const FoldKnown *operand, FoldKnown *known) {
  int64_t value;
  if (is_number(operand))
    return fold_wrapped(type, 0 - (uint64_t)operand->bounds.lo, &value) &&
           known_number(folding, value, known);
  return known_expr(folding, build_times(&folding->build, operand->expr, -1), known) &&
         fold_wrap(folding, type, known);
}

static bool fold_unary(
    Folding *folding, const Instruction *instruction, const Expr *index, FoldKnown *known) {
  FoldKnown operand;
  Opcode opcode = instruction->opcode;
  ElementType type = instruction->shape->type;
  int64_t value;
  if (opcode != HLO_NEGATE && opcode != HLO_ABS && opcode != HLO_CONVERT) return false;
  if (type == TYPE_pred || !fold_operand(folding, instruction, 0, index, &operand)) return false;
  if (opcode == HLO_NEGATE) return fold_negated(folding, type, &operand, known);
  if (opcode == HLO_ABS && operand.bounds.lo < 0)
    return operand.bounds.hi <= 0 && fold_negated(folding, type, &operand, known);
  *known = operand;
  if (!is_number(&operand)) return fold_wrap(folding, type, known);
  return fold_wrapped(type, (uint64_t)operand.bounds.lo, &value) &&
         known_number(folding, value, known);
}

/* 1, 0, or -1 where the bounds do not decide. */
static int less(Interval a, Interval b, bool or_equal) {
  if (or_equal ? a.hi <= b.lo : a.hi < b.lo) return 1;
  if (or_equal ? a.lo > b.hi : a.lo >= b.hi) return 0;
  return -1;
}

static int equal(Interval a, Interval b) {
  if (a.lo == a.hi && b.lo == b.hi && a.lo == b.lo) return 1;
  return a.hi < b.lo || b.hi < a.lo ? 0 : -1;
}

static int negation(int truth) { return truth < 0 ? truth : 1 - truth; }

static int fold_compared(const Instruction *compare, Interval a, Interval b) {
  if (attribute_is(compare, "direction", "LT")) return less(a, b, false);
  if (attribute_is(compare, "direction", "LE")) return less(a, b, true);
  if (attribute_is(compare, "direction", "GT")) return less(b, a, false);
  if (attribute_is(compare, "direction", "GE")) return less(b, a, true);
  if (attribute_is(compare, "direction", "EQ")) return equal(a, b);
  return attribute_is(compare, "direction", "NE") ? negation(equal(a, b)) : -1;
}

static bool fold_compare(
    Folding *folding, const Instruction *compare, const Expr *index, FoldKnown *known) {
  FoldKnown a, b;
  if (!fold_operand(folding, compare, 0, index, &a) ||
      !fold_operand(folding, compare, 1, index, &b))
    return false;
  int truth = fold_compared(compare, a.bounds, b.bounds);
  return truth >= 0 && known_number(folding, truth, known);
}

static bool fold_select(
    Folding *folding, const Instruction *select, const Expr *index, FoldKnown *known) {
  FoldKnown predicate;
  if (!fold_operand(folding, select, 0, index, &predicate) || !is_number(&predicate)) return false;
  return fold_operand(folding, select, predicate.bounds.lo != 0 ? 1 : 2, index, known);
}

/* min(max(x, least), most) */
static bool fold_clamp(
    Folding *folding, const Instruction *clamp, const Expr *index, FoldKnown *known) {
  FoldKnown least, value, most;
  if (!fold_operand(folding, clamp, 0, index, &least) ||
      !fold_operand(folding, clamp, 1, index, &value) ||
      !fold_operand(folding, clamp, 2, index, &most))
    return false;
  return fold_combine(folding, HLO_MAXIMUM, &value, &least, &value) &&
         fold_combine(folding, HLO_MINIMUM, &value, &most, known);
}

/* --- data movement --- */

static bool inside(Folding *folding, const Map *map, const Expr *index) {
  for (uint32_t i = 0; i < map->dim_count; i++) {
    Interval bounds;
    if (!expr_bounds(folding->context, folding->box, index[i], &bounds)) return false;
    if (bounds.lo < map->dims[i].bounds.lo || bounds.hi > map->dims[i].bounds.hi) return false;
  }
  return map->range_count == 0 && map->runtime_count == 0 && map->constraint_count == 0;
}

/* Whether each element is one of an operand, or an integer with the bits of one. */
static bool keeps_bits(const Instruction *moved) {
  if (moved->opcode != HLO_BITCAST) return moved->opcode != HLO_BITCAST_CONVERT;
  ElementType from = moved->operands[0]->shape->type, to = moved->shape->type;
  bool is_flag = from == TYPE_pred || to == TYPE_pred;
  return from == to ||
         (element_type_is_integral(from) && element_type_is_integral(to) && !is_flag &&
             element_type_bits(from) == element_type_bits(to));
}

/* Operations that move elements: folds the one operand whose map is defined for all values of the
 * index. */
static bool fold_moved(
    Folding *folding, const Instruction *moved, const Expr *index, FoldKnown *known) {
  if (!keeps_bits(moved)) return false;
  for (uint32_t operand = 0; operand < moved->operand_count; operand++) {
    IndexResult answer;
    Error ignored = {};
    if (!operation_maps(folding->context, moved, OUTPUT_TO_INPUT, 0, operand, 0, &answer, &ignored))
      return false;
    if (answer.claim != INDEX_EXACT || answer.count != 1 ||
        !inside(folding, answer.items[0], index))
      continue;
    const Map *map = answer.items[0];
    Expr *from = ARENA_NEW(folding->context->arena, Expr, map->result_count);
    if (!expr_substitute(folding->context->pool, folding->context->arena,
            &(Substitution){.dims = index}, map->result_count, map->results, from, &ignored))
      return false;
    return fold(folding, moved->operands[operand], from, known) &&
           (moved->opcode != HLO_BITCAST || fold_wrap(folding, moved->shape->type, known));
  }
  return false;
}

/* The array that a structural instruction returns, followed through tuples; nullptr if there is
 * none. */
static const Instruction *followed(const Instruction *instruction) {
  uint32_t leaf = 0;
  for (uint32_t steps = 0; steps < max_steps && is_structural(instruction->opcode); steps++) {
    bool found = false;
    for (uint32_t operand = 0; !found && operand < instruction->operand_count; operand++) {
      uint32_t leaves = shape_leaf_count(instruction->operands[operand]->shape);
      for (uint32_t from = 0; !found && from < leaves; from++) {
        if (!structure_connects(instruction, leaf, operand, from)) continue;
        instruction = instruction->operands[operand];
        leaf = from;
        found = true;
      }
    }
    if (!found) return nullptr;
  }
  return shape_is_array(instruction->shape) ? instruction : nullptr;
}

static bool fold_iota(
    Folding *folding, const Instruction *iota, const Expr *index, FoldKnown *known) {
  ElementType type = iota->shape->type;
  return known_expr(folding, index[iota->number], known) && fold_wrap(folding, type, known);
}

static bool fold(
    Folding *folding, const Instruction *instruction, const Expr *index, FoldKnown *known) {
  assert(index != nullptr || instruction->shape->rank == 0);
  if (folding->budget == 0) return false;
  folding->budget--;
  instruction = followed(instruction);
  if (instruction == nullptr || !element_type_is_integral(instruction->shape->type)) return false;
  if (instruction->opcode == HLO_CONSTANT) return fold_constant(folding, instruction, index, known);
  if (instruction->opcode == HLO_IOTA) return fold_iota(folding, instruction, index, known);
  if (opcode_family(instruction->opcode) == FAMILY_SHAPE)
    return fold_moved(folding, instruction, index, known);
  if (instruction->opcode == HLO_COMPARE) return fold_compare(folding, instruction, index, known);
  if (instruction->opcode == HLO_SELECT) return fold_select(folding, instruction, index, known);
  if (instruction->opcode == HLO_CLAMP) return fold_clamp(folding, instruction, index, known);
  if (instruction->operand_count == 1) return fold_unary(folding, instruction, index, known);
  return instruction->operand_count == 2 && fold_binary(folding, instruction, index, known);
}

bool fold_element(MapContext *context, const Map *box, const Instruction *instruction,
    const Expr *index, Expr *value, Interval *bounds) {
  Folding folding = {
      .context = context, .box = box, .build = build_start(context), .budget = max_steps};
  FoldKnown known;
  if (!fold(&folding, instruction, index, &known)) return false;
  *value = known.expr;
  *bounds = known.bounds;
  return true;
}
