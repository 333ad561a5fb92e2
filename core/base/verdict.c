/* The table of reasons, and the join of any number of verdicts. */
#include "core/base/verdict.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

/* One half of an equality: whether anything is missing, or whether anything is extra. */
typedef enum Half : uint8_t { HALF_OPEN, HALF_NO, HALF_YES } Half;

static constexpr struct {
  VerdictStatus status;
  Half missing, extra;
  uint8_t exit;
} rows[] = {
#define REASON(id, status, missing, extra, exit, sentence) \
  {VERDICT_##status, HALF_##missing, HALF_##extra, exit},
#include "core/base/verdict_reasons.def"
#undef REASON
};

VerdictStatus verdict_reason_status(VerdictReason reason) { return rows[reason].status; }

int verdict_reason_exit(VerdictReason reason) { return rows[reason].exit; }

const char *verdict_reason_name(VerdictReason reason) {
  static const char *const names[] = {
#define REASON(id, status, missing, extra, exit, sentence) #id,
#include "core/base/verdict_reasons.def"
#undef REASON
  };
  return names[reason];
}

const char *verdict_reason_sentence(VerdictReason reason) {
  static const char *const sentences[] = {
#define REASON(id, status, missing, extra, exit, sentence) sentence,
#include "core/base/verdict_reasons.def"
#undef REASON
  };
  return sentences[reason];
}

Verdict verdict_begin(Arena *arena) { return (Verdict){.arena = arena}; }

const char *verdict_text(const Verdict *verdict) {
  return verdict->sentence == nullptr ? "" : verdict->sentence;
}

/* A sample proves nothing, and a pair that seems extra may be needed by values that were not
 * sampled. */
void verdict_mark(Verdict *verdict, VerdictReason reason) {
  bool is_sampled = verdict->scope == SCOPE_SAMPLE && rows[reason].missing == HALF_NO;
  verdict->reason = reason;
  verdict->status = is_sampled ? VERDICT_UNKNOWN : rows[reason].status;
}

void verdict_write(Verdict *verdict, VerdictReason reason, const char *format, va_list arguments) {
  assert(verdict->arena != nullptr);
  verdict->sentence = arena_write(verdict->arena, format, arguments);
  verdict_mark(verdict, reason);
}

void verdict_decide(Verdict *verdict, VerdictReason reason, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  verdict_write(verdict, reason, format, arguments);
  va_end(arguments);
}

void verdict_differ(
    Verdict *verdict, VerdictReason reason, const Bindings *at, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const char *found = arena_write(verdict->arena, format, arguments);
  va_end(arguments);
  Text text = text_create(verdict->arena);
  verdict->at = bindings_copy(verdict->arena, at);
  bindings_print(&text, at);
  verdict_decide(verdict, reason, "%s%s%s", text.bytes, text.length == 0 ? "" : ": ", found);
}

static const int64_t *verdict_copied(Arena *arena, uint32_t count, const int64_t *values) {
  int64_t *copy = ARENA_NEW(arena, int64_t, count + 1);
  if (count > 0) memcpy(copy, values, count * sizeof *values);
  return copy;
}

void verdict_point(Verdict *verdict, uint32_t count, const int64_t *point) {
  verdict->point_rank = count;
  verdict->point = verdict_copied(verdict->arena, count, point);
}

void verdict_element(Verdict *verdict, uint32_t count, const int64_t *element) {
  verdict->element_rank = count;
  verdict->element = verdict_copied(verdict->arena, count, element);
}

static Half half_of(const Verdict *verdict, bool is_extra) {
  Half half = is_extra ? rows[verdict->reason].extra : rows[verdict->reason].missing;
  bool is_sampled = verdict->scope == SCOPE_SAMPLE && rows[verdict->reason].missing != HALF_YES;
  return is_sampled ? HALF_OPEN : half;
}

static uint32_t decided_halves(const Verdict *verdict) {
  bool is_missing = half_of(verdict, false) == HALF_YES;
  return is_missing
             ? 2
             : (half_of(verdict, false) != HALF_OPEN) + (half_of(verdict, true) != HALF_OPEN);
}

bool verdict_decides(const Verdict *verdict) { return decided_halves(verdict) > 0; }

/* True if both decide a half, differently. */
static bool contradict(const Verdict *a, const Verdict *b) {
  bool dissent = false;
  for (uint32_t half = 0; half < 2; half++) {
    Half x = half_of(a, half == 1), y = half_of(b, half == 1);
    dissent |= x != HALF_OPEN && y != HALF_OPEN && x != y;
  }
  return dissent;
}

Join verdict_join(uint32_t count, const Verdict *const *verdicts) {
  Join join = {.reason = REASON_OPEN};
  uint32_t most = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t halves = decided_halves(verdicts[i]);
    if (halves == 0) continue; /* it contradicts nothing */
    join.decided++;
    for (uint32_t k = 0; k < i && !join.is_dissent; k++)
      if (contradict(verdicts[k], verdicts[i]))
        join = (Join){.is_dissent = true, .reason = REASON_DISSENT, .a = k, .b = i};
    if (join.is_dissent) return join;
    if (halves <= most) continue;
    most = halves;
    join.a = i;
    join.reason = verdicts[i]->reason;
  }
  return join;
}
