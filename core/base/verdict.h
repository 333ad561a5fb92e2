/* The verdict of a judge about one statement: PROVED, REFUTED or UNKNOWN, with a reason, the scope
 * for which it holds, a witness where it is refuted, and one sentence for people.
 * The reason is what a program may branch on; the sentence is for people alone. A reason says which
 * status it may go with, and what it says of the two halves of an equality: whether anything is
 * missing, and whether anything is too much. Verdicts of several judges are joined half by half.
 * A verdict that is all zeros is UNKNOWN, and was not asked for. */
#ifndef CORE_BASE_VERDICT_H
#define CORE_BASE_VERDICT_H

#include <stdarg.h>

#include "core/base/bindings.h"

typedef enum VerdictStatus : uint8_t {
  VERDICT_UNKNOWN,
  VERDICT_PROVED,
  VERDICT_REFUTED
} VerdictStatus;

typedef enum VerdictReason : uint8_t {
#define REASON(id, status, missing, extra, exit, sentence) REASON_##id,
#include "core/base/verdict_reasons.def"
#undef REASON
} VerdictReason;
static constexpr uint32_t verdict_reason_count = 0
#define REASON(id, status, missing, extra, exit, sentence) +1
#include "core/base/verdict_reasons.def"
#undef REASON
    ;

/* A sample decides nothing but a refutation. */
typedef enum VerdictScope : uint8_t {
  SCOPE_WHOLE,  /* all that the statement speaks of: every value, at the stated sizes */
  SCOPE_SAMPLE, /* some of the runtime values */
} VerdictScope;

typedef struct Verdict {
  VerdictStatus status;
  VerdictReason reason;
  VerdictScope scope;
  uint32_t point_rank, element_rank;
  const int64_t *point;   /* witness: values of the map's variables, or the index that it goes from;
                             of smt the index that it goes to after them */
  const int64_t *element; /* of the oracle about an operation: the index that the map goes to */
  int64_t missing, extra; /* pairs counted, over the runtime values tried */
  uint64_t work;          /* points visited, comparisons made, or the solver's units of resource */
  Bindings at;            /* witness: the point with its names, where the sentence begins with it */
  const char *sentence;   /* for people; nullptr: none. Read it by verdict_text */
  Arena *arena; /* of point, element and text: the context's, so that they live as long as maps */
} Verdict;

/* An empty verdict whose texts and witness go into the arena. */
[[nodiscard]] Verdict verdict_begin(Arena *arena);
/* Sets the reason, its status, and the sentence. A reason that may go with several statuses keeps
 * the stated one. */
[[gnu::format(printf, 3, 4)]] void verdict_decide(
    Verdict *verdict, VerdictReason reason, const char *format, ...);
/* verdict_decide about a witness: the sentence is the bindings and then what is found there. */
[[gnu::format(printf, 4, 5)]] void verdict_differ(
    Verdict *verdict, VerdictReason reason, const Bindings *at, const char *format, ...);
/* Sets reason and status alone. */
void verdict_mark(Verdict *verdict, VerdictReason reason);
/* verdict_decide with arguments of a caller's. */
[[gnu::format(printf, 3, 0)]] void verdict_write(
    Verdict *verdict, VerdictReason reason, const char *format, va_list arguments);
/* Copies `count` values as the point of the witness. */
void verdict_point(Verdict *verdict, uint32_t count, const int64_t *point);
void verdict_element(Verdict *verdict, uint32_t count, const int64_t *element);
/* The sentence, or "". */
[[nodiscard]] const char *verdict_text(const Verdict *verdict);

[[nodiscard]] VerdictStatus verdict_reason_status(VerdictReason reason);
[[nodiscard]] const char *verdict_reason_name(VerdictReason reason);
[[nodiscard]] const char *verdict_reason_sentence(VerdictReason reason);
[[nodiscard]] int verdict_reason_exit(VerdictReason reason);

/* What several verdicts about one equality say together. */
typedef struct Join {
  bool is_dissent;      /* two of them contradict each other: `a` and `b` */
  VerdictReason reason; /* of the deciding verdict, or REASON_OPEN where none decides */
  uint32_t a, b;        /* a: the deciding verdict */
  uint32_t decided;     /* how many of them decide something */
} Join;
/* Half by half: nothing missing, nothing too much. A half that one verdict affirms and another
 * denies is a dissent. The verdict that decides most decides the whole; of equals the first. A
 * sample without a fault decides nothing. */
[[nodiscard]] Join verdict_join(uint32_t count, const Verdict *const *verdicts);
/* Whether the verdict decides a half; a sample decides a refutation alone. */
[[nodiscard]] bool verdict_decides(const Verdict *verdict);

#endif
