/* The map algebra as queries that a user writes: the result of an operation on a map, or a property
 * of one or two maps. */
#ifndef JUDGE_ALGEBRA_ALGEBRA_H
#define JUDGE_ALGEBRA_ALGEBRA_H

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
  uint32_t map_count; /* 1 or 2 */
  bool takes_numbers;
  ObligationKind obligation;
} AlgebraRow;
[[nodiscard]] const AlgebraRow *algebra_row(AlgebraOperation operation);
/* Looks up a word of `length` bytes. */
[[nodiscard]] bool algebra_find(const char *word, size_t length, AlgebraOperation *operation);

typedef struct AlgebraNumbers {
  uint32_t count, capacity;
  int64_t *items;
} AlgebraNumbers;
/* Parses `4,8`: int64 numbers separated by commas, `length` bytes. `()` is none. `numbers` is empty
 * before. */
[[nodiscard]] bool algebra_numbers(
    Arena *arena, const char *text, size_t length, AlgebraNumbers *numbers);

struct AlgebraQuery {
  AlgebraOperation operation;
  AlgebraNumbers numbers; /* if the row takes numbers */
  const Map *maps[2];     /* as many as the row takes */
  uint64_t budget;        /* steps of counting and of enumerating points; 0: the default */
};

typedef enum AlgebraKind : uint8_t {
  ALGEBRA_IS_MAP,
  ALGEBRA_IS_TEXT, /* a number or intervals */
  ALGEBRA_IS_TRUE,
  ALGEBRA_IS_FALSE,    /* `text` names the points */
  ALGEBRA_IS_OPEN,     /* `text` says why */
  ALGEBRA_IS_REJECTED, /* the error says why */
} AlgebraKind;

struct AlgebraAnswer {
  AlgebraKind kind;
  const Map *map;
  const char *text;       /* in the arena of the judge's context */
  uint64_t points;        /* for POINTS */
  const Interval *bounds; /* for IMAGE: one per result; nullptr: there are no points. An empty
                             domain that is not known to be empty has bounds too. */
  bool is_judged;         /* `judgement` is set: for queries about two maps, and after
                             algebra_prove */
  SameJudgement judgement;
};

/* Computes the answer, or asks the judges about two maps. The judge must have a simplifier. */
void algebra_answer(Judge *judge, const AlgebraQuery *query, AlgebraAnswer *answer, Error *error);

/* The computed answer as an obligation for judges that did not compute it. A map, bounds of
 * results, and injectivity go to the list of all points and, as a relation between maps, to oracle
 * and smt. A number of points and a bijection go to the list and to evaluation of every point.
 * `most_listed`: 0 for the default. */
[[nodiscard]] Obligation algebra_obligation(
    const AlgebraQuery *query, const AlgebraAnswer *answer, uint64_t most_listed);
/* Gives the obligation to all judges. OPEN with the reason if no judge decides it. */
void algebra_prove(
    Judge *judge, const AlgebraQuery *query, const AlgebraAnswer *answer, SameJudgement *judgement);

/* Answers and proves the query. Repeats it with a budget of a few steps; an answer that is still
 * returned must hold too. Returns false if the engine rejects the map. */
[[nodiscard]] bool algebra_holds(
    Judge *judge, const AlgebraQuery *query, SameJudgement *judgement, Error *error);

#endif
