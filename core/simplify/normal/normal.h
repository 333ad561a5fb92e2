/* The normal form in which maps are simplified: a sum is a constant and summands coefficient *
 * atom, collected, without zeros, in
 * the canonical order of atoms; an atom is a variable, a division of a sum by a constant, or a
 * product, minimum or maximum of
 * sums, flat and sorted, minima and maxima with each argument once; or, where a coefficient would
 * leave int64 though no value does, an
 * expression kept as it was stated (op EXPR_ADD, without arguments). Hash-consed within one
 * simplification: equal sums are the same pointer.
 * The canonical order looks at structure and the numbers of variables alone, never at addresses,
 * hashes or the order of input: products, mod, floordiv, ceildiv, min, max, variables, what is kept
 * as stated; within a class by the first variable that occurs, then by divisor, then by the
 * arguments. */
#ifndef CORE_SIMPLIFY_NORMAL_H
#define CORE_SIMPLIFY_NORMAL_H

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
  uint64_t weight; /* of the atoms together */
  Summand *items;
  uint32_t count;
  uint32_t hash;
  uint32_t lead; /* the first variable that occurs */
  uint16_t depth;
  uint16_t ops;     /* bit (1 << op) for each operator among the atoms */
  uint16_t all_ops; /* the same, of what stands inside too */
  bool has_factors; /* some coefficient is neither 1 nor -1 */
  bool is_bounded;
  uint32_t bounds_epoch;
  uint32_t rewritten_memo;
  Interval bounds;
  NormalSum *rewritten;
  uint32_t expr_stamp; /* of the writing in which `expr` stands for the sum */
  Expr expr;
  uint32_t known_epoch; /* a constraint speaks of this sum */
  const struct KnownSum *known;
  uint32_t congruent_epoch; /* a constraint fixes its remainder */
  const struct KnownSum *congruent;
  uint64_t ticket; /* marks sums during one walk */
  uint32_t place;
};

struct NormalAtom {
  uint64_t key; /* orders most pairs */
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
    const char *text; /* of an expression an opaque term (op EXPR_ADD): what orders it */
  };
  Interval bounds; /* over the variables' bounds, valid in bounds_epoch */
  uint32_t bounds_epoch;
  uint32_t rewritten_memo;
  NormalSum *rewritten; /* what the rules make of it, valid in rewritten_memo */
  uint64_t ticket;      /* of the open sum in which it has its place */
  uint32_t place;
  uint32_t expr_stamp;
  Expr expr; /* in the context's pool, valid at expr_stamp; of what is an opaque term always, of a
                variable where it is not 0 */
  bool is_bounded, is_open; /* is_open: rules are being tried on it */
  Summand self;
  NormalSum alone; /* the sum 1 * atom; without items until it is asked for */
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
  Bump nodes; /* sums and atoms: as long as the call */
  Bump temp;  /* released by marks */
  NodeTable atoms, sums;
  uint32_t stamp;    /* of this call: slots of other calls count as free */
  bool has_overflow; /* some arithmetic left int64 since the flag was cleared (closure.h) */
} Normal;

/* Atoms nest at most this deep; deeper ones are rejected. */
static constexpr uint16_t normal_max_depth = expr_max_depth;

void normal_create(Normal *normal, Arena *arena);
/* Forgets all nodes: in constant time. */
void normal_reset(Normal *normal);

[[nodiscard]] int atom_compare(const NormalAtom *a, const NormalAtom *b);
[[nodiscard]] int sum_compare(const NormalSum *a, const NormalSum *b);

/* Weights saturate here; what is this heavy is not compared any more. */
static constexpr uint64_t weight_limit = UINT64_C(1) << 60;

/* Once for each variable. */
[[nodiscard]] NormalAtom *atom_variable(Normal *normal, VarKind kind, uint32_t index);
/* nullptr when the atom would nest too deep. */
[[nodiscard]] NormalAtom *atom_division(
    Normal *normal, ExprOp op, NormalSum *argument, int64_t divisor);
/* Products, minima and maxima of at least two sums; sorts `arguments` in place and copies them. */
[[nodiscard]] NormalAtom *atom_combined(
    Normal *normal, ExprOp op, NormalSum **arguments, uint32_t count);
/* An expression an opaque term, its operands sorted; `text` is how it prints. */
[[nodiscard]] NormalAtom *atom_stated(
    Normal *normal, Expr expr, const char *text, uint32_t tree_size);
/* Sorts, and keeps one of each. */
[[nodiscard]] uint32_t sums_distinct(NormalSum **sums, uint32_t count);
[[nodiscard]] NormalSum *sum_constant(Normal *normal, int64_t value);
[[nodiscard]] NormalSum *sum_atom(NormalAtom *atom);
[[nodiscard]] static inline bool sum_is_constant(const NormalSum *sum) { return sum->count == 0; }
/* 1 * atom and nothing else. */
[[nodiscard]] static inline bool sum_is_atom(const NormalSum *sum) {
  return sum->count == 1 && sum->constant == 0 && sum->items[0].coefficient == 1;
}

/* The greatest common divisor of at least one coefficient and of the constant, with the sign of the
 * first coefficient. Without the sign where a quotient would be 2^63; 0 where the divisor is. Each
 * coefficient and the constant divided by it fit. */
[[nodiscard]] int64_t summands_content(const Summand *items, uint32_t count, int64_t constant);

/* The summand that is written first: the first one that is added, if there is one. */
[[nodiscard]] static inline uint32_t sum_leader(const Summand *items, uint32_t count) {
  if (count == 0 || items[0].coefficient > 0) return 0;
  for (uint32_t i = 1; i < count; i++)
    if (items[i].coefficient > 0) return i;
  return 0;
}
/* The position of the summand that is written at `turn`. */
[[nodiscard]] static inline uint32_t sum_turn(uint32_t leader, uint32_t turn) {
  return turn == 0 ? leader : turn <= leader ? turn - 1 : turn;
}

/* Characters in print; the name of a variable counts as d0, s0 or rt0. */
[[nodiscard]] uint64_t sum_length(const NormalSum *sum);
[[nodiscard]] uint64_t digits_of(int64_t value);

/* A sum under construction: summands in any order, in temporary memory. */
typedef struct Gather {
  Normal *normal;
  Summand *items;
  uint32_t count, capacity;
  int64_t constant;  /* modulo 2^64 */
  int32_t carries;   /* the constant is constant + carries * 2^64 */
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
/* Sorts, collects and drops zeros in place. False on overflow. */
[[nodiscard]] bool gather_collect(Gather *gather);
/* Collects and interns. nullptr on overflow. */
[[nodiscard]] NormalSum *gather_finish(Gather *gather);
/* For assertions. Summands in canonical order, each atom once, no zero; atoms well-formed: divisors
 * above 0, arguments sorted, those of minima and maxima distinct. What stands inside was looked at
 * when it was made. */
[[nodiscard]] bool summands_are_canonical(const Summand *items, uint32_t count);
[[nodiscard]] bool atom_is_canonical(const NormalAtom *atom);
/* A sum of summands that are collected already. */
[[nodiscard]] NormalSum *sum_intern(
    Normal *normal, const Summand *items, uint32_t count, int64_t constant);

#endif
