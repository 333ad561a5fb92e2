/* Integer terms as linear sums over atoms, hash-consed: equal sums have equal handles.
 * sum = constant + sum of coefficient * atom, atoms in ascending order, no zero coefficient.
 * An atom is a free integer, or a nonlinear term: floordiv, min, max, a product of two atoms, or
 * the value of an HLO element. Products of sums are multiplied out. x mod c is x - c * (x floordiv
 * c), so each pair (x, c) has one quotient wherever it occurs. Arithmetic is in 128 bits. A
 * coefficient past 2^100, or sums of more than most_terms terms in all, set `overflow` permanently,
 * and callers must then discard the results. */
#ifndef SMT_TERMS_SUMS_H
#define SMT_TERMS_SUMS_H

#include "core/base/arena.h"
#include "core/base/table.h"

typedef _BitInt(128) Wide;

typedef struct Sum {
  uint32_t at;
} Sum;

typedef struct SumTerm {
  uint32_t atom;
  Wide coefficient;
} SumTerm;

typedef struct SumNode {
  uint32_t term_count;
  SumTerm *terms;
  Wide constant;
} SumNode;

typedef enum AtomKind : uint8_t {
  ATOM_FREE,
  ATOM_QUOTIENT, /* a floordiv divisor */
  ATOM_MIN,
  ATOM_MAX,
  ATOM_PRODUCT, /* a * b, each one atom */
  ATOM_RATIO,   /* a floordiv b if b >= 1; otherwise unconstrained. `product` is b * the atom */
  ATOM_VALUE,   /* element `index` of the value of `instruction`: equal indices have equal values,
                   nothing else is known */
} AtomKind;

typedef struct SumAtom {
  AtomKind kind;
  bool bounded; /* lo <= atom <= hi is known (asserted wherever the atom is used) */
  Sum a, b, product;
  Wide divisor;
  Wide lo, hi;
  const char *name; /* of a free atom and a value */
  const void *instruction;
  uint32_t index_count;
  Sum *index;
} SumAtom;

/* Used as the instruction of values that are an unknown function of one operation; `first` is an
 * instruction with that operation. */
typedef struct ValueFunction {
  const void *first;
} ValueFunction;

typedef struct Sums {
  Arena *arena;
  SumNode *sums;  /* [sum_count]; [0] is the constant 0 */
  SumAtom *atoms; /* [atom_count] */
  uint32_t sum_count, sum_capacity, atom_count, atom_capacity;
  Table sum_table, atom_table; /* of sums; of atoms that are not free */
  bool overflow;
  uint64_t terms;       /* of all sums that were built, including duplicates */
  bool too_deep;        /* the walk to a value was cut, so equal values may be different atoms */
  uint32_t value_depth; /* of the current walks to values */
  uint32_t value_steps;
  const void **callers; /* [caller_count]: numbers of the calls through which values are followed */
  uint32_t caller_count, caller_capacity;
  ValueFunction **functions; /* [function_count]: operations whose values are unknown functions */
  uint32_t function_count, function_capacity;
} Sums;

[[nodiscard]] Sums *sums_create(Arena *arena);

/* For assertions: whether the sum, the atom, or each of `count` sums belongs to this table. A
 * handle of another table is out of range or denotes another sum. */
[[nodiscard]] static inline bool sums_has(const Sums *sums, Sum sum) {
  return sum.at < sums->sum_count;
}
[[nodiscard]] static inline bool sums_has_atom(const Sums *sums, uint32_t atom) {
  return atom < sums->atom_count;
}
[[nodiscard]] bool sums_has_all(const Sums *sums, uint32_t count, const Sum *items);

/* 256 MB of terms. */
static constexpr uint64_t most_terms = (uint64_t)1 << 23;
/* The reason of `overflow`, as text. */
[[nodiscard]] const char *sums_overflow_reason(const Sums *sums);

[[nodiscard]] Sum sum_of_constant(Sums *sums, Wide value);
/* A new integer, different from all others. */
[[nodiscard]] Sum sum_free(Sums *sums, const char *name);
[[nodiscard]] Sum sum_free_within(Sums *sums, const char *name, Wide lo, Wide hi);
[[nodiscard]] Sum sum_of_atom(Sums *sums, uint32_t atom);

[[nodiscard]] Sum sum_add(Sums *sums, Sum a, Sum b);
/* Adds by halves: adding in sequence, n summands would create sums of n*n/2 terms in all. */
[[nodiscard]] Sum sum_of_all(Sums *sums, uint32_t count, const Sum *summands);
[[nodiscard]] Sum sum_subtract(Sums *sums, Sum a, Sum b);
[[nodiscard]] Sum sum_scale(Sums *sums, Sum a, Wide factor);
/* divisor > 0 is asserted. */
[[nodiscard]] Sum sum_floordiv(Sums *sums, Sum a, Wide divisor);
[[nodiscard]] Sum sum_mod(Sums *sums, Sum a, Wide divisor);
[[nodiscard]] Sum sum_min(Sums *sums, Sum a, Sum b);
[[nodiscard]] Sum sum_max(Sums *sums, Sum a, Sum b);
[[nodiscard]] Sum sum_product(Sums *sums, Sum a, Sum b);
[[nodiscard]] Sum sum_ratio(Sums *sums, Sum a, Sum b);
/* max(lo, min(a, hi)), as HLO clamps. */
[[nodiscard]] Sum sum_clamp(Sums *sums, Wide lo, Sum a, Wide hi);
[[nodiscard]] Sum sum_value(Sums *sums, const void *instruction, const char *name,
    uint32_t index_count, const Sum *index, Wide lo, Wide hi);

[[nodiscard]] static inline bool sum_same(Sum a, Sum b) { return a.at == b.at; }
[[nodiscard]] bool sum_is_constant(const Sums *sums, Sum sum, Wide *value);
/* Whether the sum is exactly one atom with coefficient 1. */
[[nodiscard]] bool sum_is_atom(const Sums *sums, Sum sum, uint32_t *atom);

[[nodiscard]] Wide sum_coefficient(const Sums *sums, Sum sum, uint32_t atom);

/* Replaces atoms inside the sum and inside its atoms: by[a] for a < count if set[a]. Recursion is
 * as deep as atoms nest. */
typedef struct AtomChange {
  uint32_t count;
  const bool *set; /* [count] */
  const Sum *by;   /* [count] */
} AtomChange;
[[nodiscard]] Sum sum_replace(Sums *sums, const AtomChange *change, Sum sum);

/* The same for `count` sums; shared work is done once. */
void sums_replace(Sums *sums, const AtomChange *change, uint32_t count, Sum *changed);
/* Replaces one atom in `count` sums; shared work is done once. */
void sums_replace_atom(Sums *sums, uint32_t atom, Sum by, uint32_t count, Sum *changed);
/* `depends` [atom_count] is true for some free atoms; sets it for every atom that contains one of
 * them. */
void sums_mark_dependent(const Sums *sums, bool *depends);
[[nodiscard]] bool sum_depends(const Sums *sums, const bool *depends, Sum sum);
/* The atoms that contain a value of an HLO element: a new [atom_count]. */
[[nodiscard]] bool *sums_dependent_on_values(const Sums *sums);
/* Marks the atoms of the sum in `inside` [atom_count]. */
void sum_mark_atoms(const Sums *sums, Sum sum, bool *inside);
/* Marks the atoms inside the marked atoms. */
void sums_mark_arguments(const Sums *sums, bool *inside);

/* `values` [atom_count] contains the values of the atoms of kinds FREE and VALUE; computes the
 * others. False past 128 bits. */
[[nodiscard]] bool sums_complete(const Sums *sums, Wide *values);
/* Computes one atom whose arguments have values. */
[[nodiscard]] bool sums_complete_atom(const Sums *sums, Wide *values, uint32_t at);
/* Over completed values. False past 2^100. */
[[nodiscard]] bool sum_evaluate(const Sums *sums, const Wide *values, Sum sum, Wide *value);

/* Whether both atoms are the value of the same element at these values. */
[[nodiscard]] bool value_atoms_agree(
    const Sums *sums, const Wide *values, const SumAtom *a, const SumAtom *b);

/* An interval that contains the sum if each free atom is within its known bounds. False if an atom
 * is unbounded. */
[[nodiscard]] bool sum_bounds(const Sums *sums, Sum sum, Wide *lo, Wide *hi);

/* The same, but tighter: a part of the form x - c*(x floordiv c) is in [0, c - 1]. */
[[nodiscard]] bool sum_range(Sums *sums, Sum sum, Wide *lo, Wide *hi);

/* Bounds the atoms from number `first` on again, by the present bounds of their arguments: products
 * by those of their factors; all others become unbounded. */
void sums_bound_again(Sums *sums, uint32_t first);

[[nodiscard]] Wide wide_floordiv(Wide x, Wide divisor);
[[nodiscard]] static inline Wide wide_absolute(Wide a) { return a < 0 ? -a : a; }
/* (known * sign(c) - lo) floordiv |c|: the value of s in c*s + rest = known with rest * sign(c) in
 * [lo, lo + |c| - 1]. */
[[nodiscard]] Sum sum_divided_off(Sums *sums, Sum known, Wide c, Wide lo);

#endif
