/* The algebra of maps as statements that a user writes: what an operation makes of a map, or what
 * is true of one or two maps. */
#ifndef JUDGE_ALGEBRA_H
#define JUDGE_ALGEBRA_H

#include "core/analysis/algebra.h"
#include "judge/maps/same.h"

typedef enum AlgebraOperation : uint8_t {
#define OPERATION(id, text, numbers, maps, obligation, help) ALGEBRA_##id,
#include "judge/algebra/algebra.def"
#undef OPERATION
} AlgebraOperation;
static constexpr uint32_t algebra_operation_count = 0
#define OPERATION(id, text, numbers, maps, obligation, help) +1
#include "judge/algebra/algebra.def"
#undef OPERATION
    ;

typedef struct AlgebraRow {
  const char *text, *help;
  bool takes_numbers;
  uint32_t map_count; /* 1 or 2 */
  ObligationKind obligation;
} AlgebraRow;
[[nodiscard]] const AlgebraRow *algebra_row(AlgebraOperation operation);
/* The word is `length` bytes long. */
[[nodiscard]] bool algebra_find(const char *word, size_t length, AlgebraOperation *operation);

typedef struct AlgebraNumbers {
  uint32_t count, capacity;
  int64_t *items;
} AlgebraNumbers;
/* `4,8`: numbers of int64 between commas, `length` bytes long. */
[[nodiscard]] bool algebra_numbers(
    Arena *arena, const char *text, size_t length, AlgebraNumbers *numbers);

struct AlgebraQuery {
  AlgebraOperation operation;
  AlgebraNumbers numbers; /* where the row takes them */
  const Map *maps[2];     /* as many as the row takes */
  uint64_t budget;        /* steps of counting and of going through points; 0: the default */
};

typedef enum AlgebraKind : uint8_t {
  ALGEBRA_IS_MAP,
  ALGEBRA_IS_TEXT, /* a number, intervals */
  ALGEBRA_IS_TRUE,
  ALGEBRA_IS_FALSE,    /* `text` has the points */
  ALGEBRA_IS_OPEN,     /* `text` says why */
  ALGEBRA_IS_REJECTED, /* the error says why */
} AlgebraKind;

struct AlgebraAnswer {
  AlgebraKind kind;
  const Map *map;
  const char *text;       /* in the arena of the judge's context */
  uint64_t points;        /* of POINTS */
  const Interval *bounds; /* of IMAGE: one for each result; nullptr where there are no points */
  bool is_judged;         /* of what the judges answer, and after algebra_prove */
  SameJudgement judgement;
};

/* Computes, or asks the judges about two maps. The judge has a simplifier. */
void algebra_answer(Judge *judge, const AlgebraQuery *query, AlgebraAnswer *answer, Error *error);

/* What was computed, as an obligation to the judges that took no part in it: a map, bounds of
 * results, and whether points share results to the list of all points, and to oracle and smt as
 * the relation that it must be; a number of points and a bijection to the list and to evaluation of
 * every point. `most_listed`: 0 for the default. */
[[nodiscard]] Obligation algebra_obligation(
    const AlgebraQuery *query, const AlgebraAnswer *answer, uint64_t most_listed);
/* Puts it to all of them. OPEN, with the reason, where nobody can judge it. */
void algebra_prove(
    Judge *judge, const AlgebraQuery *query, const AlgebraAnswer *answer, SameJudgement *judgement);

/* Asks and proves; then with a budget of a few steps, with which what is still answered must hold
 * as well. False where the engine rejects the map. */
[[nodiscard]] bool algebra_holds(
    Judge *judge, const AlgebraQuery *query, SameJudgement *judgement, Error *error);

#endif
