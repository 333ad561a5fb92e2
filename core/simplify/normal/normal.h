/* The normal form in which maps are simplified. A sum is a constant and summands coefficient *
 * atom: collected, without zeros, in the canonical order of atoms. An atom is a variable, a
 * division of a sum by a constant, or a product, minimum or maximum of sums, flattened and sorted;
 * minima and maxima have each argument once. If a coefficient would leave int64 although no value
 * does, an atom is an opaque term (op EXPR_ADD, without arguments). Nodes are hash-consed within
 * one simplification: equal sums are the same pointer.
 *
 * The canonical order depends only on structure and variable numbers, never on addresses, hashes or
 * the order of input: products, mod, floordiv, ceildiv, min, max, variables, opaque terms. Within a
 * class it is by the first variable that occurs, then by divisor, then by the arguments. */
#ifndef CORE_SIMPLIFY_NORMAL_NORMAL_H
#define CORE_SIMPLIFY_NORMAL_NORMAL_H

#include "core/expr/expr.h"
#include "core/map/map.h"
#include "core/simplify/facts/bump.h"

typedef struct NormalAtom NormalAtom;
typedef struct NormalSum NormalSum;

typedef struct Summand {
  int64_t coefficient;
  NormalAtom *atom;
} Summand;

struct NormalSum {
  int64_t constant;
  uint64_t weight; /* of all atoms */
  Summand *items;
  uint32_t count;
  uint32_t hash;
  uint32_t lead; /* the first variable that occurs */
  uint16_t depth;
  uint16_t ops;     /* bit (1 << op) for each operator among the atoms */
  uint16_t all_ops; /* the same, including operators inside the atoms */
  bool has_factors; /* some coefficient is neither 1 nor -1 */
  bool is_bounded;
  uint32_t bounds_epoch;
  uint32_t rewritten_memo;
  Interval bounds;
  NormalSum *rewritten;
  uint32_t expr_stamp; /* valid for `expr` if it equals the simplifier's `writing` */
  Expr expr;
  uint32_t known_epoch; /* epoch of the fact from a constraint on this sum */
  const struct KnownSum *known;
  uint32_t congruent_epoch; /* epoch of the fact from a constraint that fixes its remainder */
  const struct KnownSum *congruent;
  uint64_t ticket; /* identifies a walk that marks sums */
  uint32_t position;
};

struct NormalAtom {
  uint64_t key; /* decides the order of most pairs */
  ExprOp op;
  VarKind var_kind;
  uint16_t depth;
  uint16_t all_ops;
  uint32_t var_index;
  uint32_t hash;
  uint64_t weight; /* docs/matching.md; saturates */
  uint32_t count;  /* of arguments: 1 for divisions */
  int64_t divisor; /* of divisions */
  union {
    NormalSum **arguments;
    const char *text; /* of an opaque term (op EXPR_ADD): its text, by which it is ordered */
  };
  Interval bounds; /* from the variables' bounds, valid in bounds_epoch */
  uint32_t bounds_epoch;
  uint32_t rewritten_memo;
  NormalSum *rewritten; /* what the rules rewrite it to, valid in rewritten_memo */
  uint64_t ticket;      /* of the open sum that contains it at `place` */
  uint32_t position;
  uint32_t expr_stamp;
  Expr expr; /* in the context's pool, valid at expr_stamp; always valid for an opaque term, and for
              * a variable if not 0 */
  bool is_bounded, is_open; /* is_open: rules are being tried on it */
  Summand self;
  NormalSum alone; /* the sum 1 * atom; without items until sum_atom is called */
};

typedef struct NodeSlot {
  uint32_t stamp, hash;
  void *node;
} NodeSlot;

typedef struct NodeTable {
  NodeSlot *slots;
  uint32_t mask, count;
} NodeTable;

typedef struct Normal {
  Arena *arena;
  Bump nodes; /* sums and atoms, which live as long as the call */
  Bump temp;  /* released by marks */
  NodeTable atoms, sums;
  uint32_t stamp;    /* of this call: slots with other stamps are free */
  bool has_overflow; /* arithmetic has left int64 since the flag was cleared (closure.h) */
  uint64_t numbers;  /* of all sums made since it was cleared: bitwise or of their magnitudes */
} Normal;

/* Atoms that nest deeper are rejected. */
static constexpr uint16_t normal_max_depth = expr_max_depth;

void normal_create(Normal *normal, Arena *arena);
/* Removes all nodes in constant time. */
void normal_reset(Normal *normal);

[[nodiscard]] int atom_compare(const NormalAtom *a, const NormalAtom *b);
[[nodiscard]] int sum_compare(const NormalSum *a, const NormalSum *b);

/* Weights saturate here; saturated weights are not compared. */
static constexpr uint64_t weight_limit = UINT64_C(1) << 60;

/* Called once for each variable. */
[[nodiscard]] NormalAtom *atom_variable(Normal *normal, VarKind kind, uint32_t index);
/* nullptr if the atom would nest too deep. */
[[nodiscard]] NormalAtom *atom_division(
    Normal *normal, ExprOp op, NormalSum *argument, int64_t divisor);
/* Products, minima and maxima of at least two sums; sorts `arguments` in place and copies them. */
[[nodiscard]] NormalAtom *atom_combined(
    Normal *normal, ExprOp op, NormalSum **arguments, uint32_t count);
/* An opaque term for an expression with sorted operands; `text` is its printed form. */
[[nodiscard]] NormalAtom *atom_stated(
    Normal *normal, Expr expr, const char *text, uint32_t tree_size);
/* Sorts the sums and removes duplicates; returns the number that remain. */
[[nodiscard]] uint32_t sums_distinct(NormalSum **sums, uint32_t count);
[[nodiscard]] NormalSum *sum_constant(Normal *normal, int64_t value);
[[nodiscard]] NormalSum *sum_atom(NormalAtom *atom);
[[nodiscard]] static inline bool sum_is_constant(const NormalSum *sum) { return sum->count == 0; }
/* True for 1 * atom and nothing else. */
[[nodiscard]] static inline bool sum_is_atom(const NormalSum *sum) {
  return sum->count == 1 && sum->constant == 0 && sum->items[0].coefficient == 1;
}

/* The greatest common divisor of the coefficients, of which there is at least one, and the
 * constant, with the sign of the first coefficient. Positive if a quotient would be 2^63; 0 if the
 * divisor itself would be. Each coefficient and the constant divided by it fit int64. */
[[nodiscard]] int64_t summands_content(const Summand *items, uint32_t count, int64_t constant);

/* The summand that is written first: the first one with a positive coefficient, if there is one. */
[[nodiscard]] static inline uint32_t sum_leader(const Summand *items, uint32_t count) {
  if (count == 0 || items[0].coefficient > 0) return 0;
  for (uint32_t i = 1; i < count; i++)
    if (items[i].coefficient > 0) return i;
  return 0;
}
/* The index of the summand that is written at `turn`. */
[[nodiscard]] static inline uint32_t sum_turn(uint32_t leader, uint32_t turn) {
  return turn == 0 ? leader : turn <= leader ? turn - 1 : turn;
}

/* The printed length in characters; variables count as d0, s0 or rt0. */
[[nodiscard]] uint64_t sum_length(const NormalSum *sum);
[[nodiscard]] uint64_t digits_of(int64_t value);

/* A sum under construction: summands in any order, in temporary memory. */
typedef struct Gather {
  Normal *normal;
  Summand *items;
  uint32_t count, capacity;
  int64_t constant;  /* modulo 2^64 */
  int32_t carries;   /* the exact constant is constant + carries * 2^64 */
  bool has_overflow; /* a product left int64 */
} Gather;

[[nodiscard]] Gather gather_create(Normal *normal, uint32_t capacity);
void gather_constant(Gather *gather, int64_t scale, int64_t value);
void gather_atom(Gather *gather, int64_t coefficient, NormalAtom *atom);
void gather_items(Gather *gather, int64_t scale, const Summand *items, uint32_t count);
static inline void gather_sum(Gather *gather, int64_t scale, const NormalSum *sum) {
  gather_items(gather, scale, sum->items, sum->count);
  gather_constant(gather, scale, sum->constant);
}
/* Sorts, merges and removes zeros in place. False on overflow. */
[[nodiscard]] bool gather_collect(Gather *gather);
/* Collects and interns. nullptr on overflow. */
[[nodiscard]] NormalSum *gather_finish(Gather *gather);
/* For assertions: summands are in canonical order, each atom occurs once, no coefficient is zero;
 * atoms are well-formed: divisors above 0, arguments sorted. Arguments themselves were checked when
 * they were created. */
[[nodiscard]] bool summands_are_canonical(const Summand *items, uint32_t count);
[[nodiscard]] bool atom_is_canonical(const NormalAtom *atom);
/* Interns a sum of summands that are already collected. */
[[nodiscard]] NormalSum *sum_intern(
    Normal *normal, const Summand *items, uint32_t count, int64_t constant);

#endif
