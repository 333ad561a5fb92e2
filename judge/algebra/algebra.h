/* The algebra of maps as statements that a user writes: what an operation makes of a map, or what
 * is true of one or two maps. */
#ifndef JUDGE_ALGEBRA_H
#define JUDGE_ALGEBRA_H

#include "core/analysis/algebra.h"
#include "judge/maps/same.h"

typedef enum AlgebraOperation : uint8_t {
#define OPERATION(id, text, numbers, maps, help) ALGEBRA_##id,
#include "judge/algebra/algebra.def"
#undef OPERATION
} AlgebraOperation;
static constexpr uint32_t algebra_operation_count = 0
#define OPERATION(id, text, numbers, maps, help) +1
#include "judge/algebra/algebra.def"
#undef OPERATION
    ;

typedef struct AlgebraRow {
  const char *text, *help;
  bool takes_numbers;
  uint32_t map_count; /* 1 or 2 */
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

typedef struct AlgebraQuery {
  AlgebraOperation operation;
  AlgebraNumbers numbers; /* where the row takes them */
  const Map *maps[2];     /* as many as the row takes */
  uint64_t budget;        /* steps of counting and of going through points; 0: the default */
} AlgebraQuery;

typedef enum AlgebraKind : uint8_t {
  ALGEBRA_IS_MAP,
  ALGEBRA_IS_TEXT, /* a number, intervals */
  ALGEBRA_IS_TRUE,
  ALGEBRA_IS_FALSE,    /* `text` has the points */
  ALGEBRA_IS_OPEN,     /* `text` says why */
  ALGEBRA_IS_REJECTED, /* the error says why */
} AlgebraKind;

typedef struct AlgebraAnswer {
  AlgebraKind kind;
  const Map *map;
  const char *text;       /* in the arena of the judge's context */
  uint64_t points;        /* of POINTS */
  const Interval *bounds; /* of IMAGE: one for each result; nullptr where there are no points */
  bool is_judged;         /* of what the judges answer, and after algebra_prove */
  SameJudgement judgement;
} AlgebraAnswer;

/* Computes, or asks the judges about two maps. The judge has a simplifier. */
void algebra_answer(Judge *judge, const AlgebraQuery *query, AlgebraAnswer *answer, Error *error);

/* Holds what was computed against a judge that took no part in it: a map, bounds of results, and
 * whether points share results, against the relation that it must be (oracle and smt), a number of
 * points and a bijection against evaluation of every point. The word is UNKNOWN, with the reason,
 * where nobody can judge it. */
void algebra_prove(
    Judge *judge, const AlgebraQuery *query, const AlgebraAnswer *answer, SameJudgement *judgement);

/* Asks and proves; then with a budget of a few steps, with which what is still answered must hold
 * as well. False where the engine rejects the map. */
[[nodiscard]] bool algebra_holds(
    Judge *judge, const AlgebraQuery *query, SameJudgement *judgement, Error *error);

/* The same by a blind list of all points alone, for small maps: UNKNOWN with more than `most` of
 * them, and about two maps. */
void algebra_enumerate(Judge *judge, const AlgebraQuery *query, const AlgebraAnswer *answer,
    uint64_t most, SameJudgement *judgement);

#endif
