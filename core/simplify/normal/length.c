/* The printed length of a sum, with default variable names: rules of order "text" decrease it. The
 * recursion is as deep as atoms nest, at most normal_max_depth. */
#include "core/simplify/normal/normal.h"

#include <assert.h>
#include <string.h>

uint64_t digits_of(int64_t value) {
  uint64_t length = value < 0 ? 2 : 1;
  for (uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value; rest >= 10; rest /= 10)
    length++;
  return length;
}

static uint64_t atom_length(const NormalAtom *atom);

static bool is_call(const NormalAtom *atom) { return atom->op == EXPR_MIN || atom->op == EXPR_MAX; }

static uint64_t factor_length(const NormalAtom *atom) {
  return atom_length(atom) + (atom->op == EXPR_VAR || is_call(atom) ? 0 : 2);
}

static uint64_t operand_length(const NormalSum *sum) {
  if (sum_is_atom(sum)) return factor_length(sum->items[0].atom);
  return sum_length(sum) + (sum_is_constant(sum) ? 0 : 2);
}

static uint64_t combined_length(const NormalAtom *atom) {
  static constexpr uint64_t call = sizeof "min(, )" - 1, times = sizeof " * " - 1;
  uint64_t length = 0;
  for (uint32_t i = 0; i < atom->count; i++)
    length +=
        atom->op == EXPR_MUL ? operand_length(atom->arguments[i]) : sum_length(atom->arguments[i]);
  assert(atom->count >= 2);
  return length + (atom->count - 1) * (atom->op == EXPR_MUL ? times : call);
}

static uint64_t atom_length(const NormalAtom *atom) {
  switch (atom->op) {
    case EXPR_VAR: return (atom->var_kind == VAR_RUNTIME ? 2 : 1) + digits_of(atom->var_index);
    case EXPR_FLOORDIV:
      return operand_length(atom->arguments[0]) + sizeof " floordiv " - 1 +
             digits_of(atom->divisor);
    case EXPR_CEILDIV:
      return operand_length(atom->arguments[0]) + sizeof " ceildiv " - 1 + digits_of(atom->divisor);
    case EXPR_MOD:
      return operand_length(atom->arguments[0]) + sizeof " mod " - 1 + digits_of(atom->divisor);
    case EXPR_MUL:
    case EXPR_MIN:
    case EXPR_MAX: return combined_length(atom);
    case EXPR_ADD: return strlen(atom->text);
    case EXPR_CONST: break;
  }
  assert(false);
  return 0;
}

static uint64_t summand_length(const Summand *item, bool is_first) {
  uint64_t sign = is_first ? 0 : 3, times = sizeof " * " - 1;
  if (item->coefficient == 1) return sign + atom_length(item->atom);
  if (item->coefficient == -1) return sign + is_first + factor_length(item->atom);
  bool hides_sign = item->coefficient < 0 && !is_first;
  return sign + factor_length(item->atom) + times + digits_of(item->coefficient) - hides_sign;
}

uint64_t sum_length(const NormalSum *sum) {
  uint64_t length = 0;
  uint32_t leader = sum_leader(sum->items, sum->count);
  for (uint32_t i = 0; i < sum->count; i++) length += summand_length(&sum->items[i], i == leader);
  if (sum->count == 0) return digits_of(sum->constant);
  return sum->constant == 0 ? length : length + 3 + digits_of(sum->constant) - (sum->constant < 0);
}
