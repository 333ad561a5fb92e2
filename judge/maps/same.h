/* Are two maps the same? By enumeration where the domain is small, by proof everywhere; both are
 * asked, and must not differ.
 * Same map: the same variables, and at every point the same membership and the same results, or no
 * point on either side. Same relation: the same pairs of dimensions and results, whatever the range
 * variables. Contained: each pair of the first map is one of the second. */
#ifndef JUDGE_SAME_H
#define JUDGE_SAME_H

#include "judge/maps/judge.h"

typedef enum SameKind : uint8_t { SAME_MAP, SAME_RELATION, SAME_CONTAINED } SameKind;

typedef enum SameWord : uint8_t {
  SAME_WORD_PROVED,
  SAME_WORD_REFUTED,
  SAME_WORD_UNKNOWN,
  SAME_WORD_DISAGREE
} SameWord;

typedef struct SameJudgement {
  SameWord word;
  bool has_oracle, has_smt;
  SameVerdict oracle;
  SmtVerdict smt;
  char text[600]; /* the point at which they differ; why nothing is known; who stands alone */
} SameJudgement;

/* One judge's answer. False where it is not there or refuses. */
[[nodiscard]] bool same_by_oracle(Judge *judge, SameKind kind, const Map *before, const Map *after,
    SameVerdict *verdict, Error *error);
[[nodiscard]] bool same_by_smt(Judge *judge, SameKind kind, const Map *before, const Map *after,
    SmtVerdict *verdict, Error *error);

/* Never fails: what a judge refuses is said in the judgement. */
void judge_same(
    Judge *judge, SameKind kind, const Map *before, const Map *after, SameJudgement *judgement);
[[nodiscard]] const char *same_word_text(SameWord word);
[[nodiscard]] Status same_word_status(SameWord word);
/* "enumerated 64 points and proved" */
void same_print_judges(Text *text, const SameJudgement *judgement);

#endif
