/* The verdict of a judge about one statement: PROVED, REFUTED or UNKNOWN, with a reason, the scope
 * for which it holds, a witness if it is refuted, and one sentence for people.
 *
 * Programs may branch on the reason, never on the sentence. A reason determines its status and what
 * is known of the two halves of an equality: whether anything is missing, and whether anything is
 * extra. Verdicts of several judges are joined half by half. A verdict that is all zeros is UNKNOWN
 * with reason NOT_ASKED. */
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

/* A sample can refute but never prove. */
typedef enum VerdictScope : uint8_t {
  SCOPE_WHOLE,  /* everything the statement covers: every value, at the stated sizes */
  SCOPE_SAMPLE, /* some of the runtime values */
} VerdictScope;

typedef struct Verdict {
  VerdictStatus status;
  VerdictReason reason;
  VerdictScope scope;
  uint32_t point_rank, element_rank;
  const int64_t *point;   /* witness: the values of the map's variables, or the index that the map
                           * goes from; smt appends the index that it goes to */
  const int64_t *element; /* oracle, about an operation: the index that the map goes to */
  int64_t missing, extra; /* counted pairs, over the runtime values tried */
  uint64_t work;          /* points visited, comparisons made, or the solver's resource units */
  Bindings at;            /* witness: the point with its names, if the sentence begins with it */
  const char *sentence;   /* for people; nullptr: none. Read it with verdict_text */
  Arena *arena; /* of point, element and text: the context's arena, so that they live as long as
                 * maps */
} Verdict;

/* An empty verdict; its texts and witness are allocated in the arena. */
[[nodiscard]] Verdict verdict_begin(Arena *arena);
/* Sets the reason, the reason's status, and the sentence. On a sample, a reason whose missing half
 * is NO gets the status UNKNOWN. */
[[gnu::format(printf, 3, 4)]] void verdict_decide(
    Verdict *verdict, VerdictReason reason, const char *format, ...);
/* verdict_decide with a witness: the sentence is the bindings followed by the formatted text. */
[[gnu::format(printf, 4, 5)]] void verdict_differ(
    Verdict *verdict, VerdictReason reason, const Bindings *at, const char *format, ...);
/* Sets only reason and status. */
void verdict_mark(Verdict *verdict, VerdictReason reason);
/* verdict_decide with a va_list. */
[[gnu::format(printf, 3, 0)]] void verdict_write(
    Verdict *verdict, VerdictReason reason, const char *format, va_list arguments);
/* Copies `count` values as the witness's point. */
void verdict_point(Verdict *verdict, uint32_t count, const int64_t *point);
void verdict_element(Verdict *verdict, uint32_t count, const int64_t *element);
/* The sentence, or "". */
[[nodiscard]] const char *verdict_text(const Verdict *verdict);

[[nodiscard]] VerdictStatus verdict_reason_status(VerdictReason reason);
[[nodiscard]] const char *verdict_reason_name(VerdictReason reason);
[[nodiscard]] const char *verdict_reason_sentence(VerdictReason reason);
[[nodiscard]] int verdict_reason_exit(VerdictReason reason);

/* The joined result of several verdicts about one equality. */
typedef struct Join {
  bool is_dissent;      /* verdicts `a` and `b` contradict each other */
  VerdictReason reason; /* of the deciding verdict; REASON_OPEN if none decides */
  uint32_t a, b;        /* a: the deciding verdict */
  uint32_t decided;     /* how many verdicts decide something */
} Join;
/* Joins half by half: is anything missing, is anything extra. If one verdict affirms a half and
 * another denies it, that is a dissent. The verdict with most decided halves decides; of equals,
 * the first. A sample without a fault decides nothing. */
[[nodiscard]] Join verdict_join(uint32_t count, const Verdict *const *verdicts);
/* True if the verdict decides a half. A sample decides only a refutation. */
[[nodiscard]] bool verdict_decides(const Verdict *verdict);

#endif
