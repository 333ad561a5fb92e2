/* Causes are found one after another. Each takes the smallest remaining failure, and folds all
 * failures that contain the cause's operation. */
#include "cli/failures.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/clock.h"

static constexpr uint32_t most_causes = 6, most_stages = 6;

void failures_add(FailureList *failures, const Failure *failure) {
  assert(failure->stage != nullptr && failure->count > 0);
  assert((failure->text == nullptr) == (failure->scope != nullptr));
  if (failures->count == 0) failures->first_seconds = clock_wall() - failures->begin;
  Failure copy = *failure;
  copy.stage = arena_text(failures->arena, failure->stage, strlen(failure->stage));
  if (failure->text != nullptr)
    copy.text = arena_text(failures->arena, failure->text, strlen(failure->text));
  *ARENA_PUSH(failures->arena, failures) = copy;
}

static const char *source_of(Opcode opcode) {
  static const char *const sources[] = {
#define SOURCE(group, file) [GROUP_##group] = file,
#include "cli/group_sources.def"
#undef SOURCE
  };
  static_assert(sizeof sources / sizeof *sources == opcode_group_count);
  return sources[opcode_group(opcode)];
}

/* The smallest failure that is not folded yet. */
static const Failure *smallest_of(const FailureList *failures, const bool *is_folded) {
  const Failure *smallest = nullptr;
  for (uint32_t i = 0; i < failures->count; i++)
    if (!is_folded[i] && (smallest == nullptr || failures->items[i].size < smallest->size))
      smallest = &failures->items[i];
  return smallest;
}

static uint64_t count_with(const FailureList *failures, const bool *is_folded, Opcode opcode) {
  uint64_t count = 0;
  for (uint32_t i = 0; i < failures->count; i++)
    if (!is_folded[i] && opcode_set_has(&failures->items[i].operations, opcode))
      count += failures->items[i].count;
  return count;
}

/* Operations that surround others in every case. One of them is the cause only if the failure has
 * no other operation. */
static bool is_carrier(Opcode opcode) {
  return opcode == HLO_PARAMETER || opcode == HLO_FUSION || opcode == HLO_TUPLE ||
         opcode == HLO_GET_TUPLE_ELEMENT || opcode == HLO_CALL || opcode == HLO_CONSTANT;
}

/* Finds the operation that most remaining failures contain; the first of several. False if the
 * failure has no operation. */
static bool cause_of(
    const FailureList *failures, const bool *is_folded, const Failure *failure, Opcode *cause) {
  uint64_t most = 0;
  for (uint32_t carriers = 0; carriers < 2 && most == 0; carriers++)
    for (uint32_t i = 0; i < opcode_count; i++) {
      Opcode opcode = (Opcode)i;
      if (!opcode_set_has(&failure->operations, opcode) || is_carrier(opcode) != (carriers == 1))
        continue;
      uint64_t count = count_with(failures, is_folded, opcode);
      if (count > most) *cause = opcode;
      if (count > most) most = count;
    }
  return most > 0;
}

static const char *cause_text(const FailureList *failures, bool has_operation, Opcode opcode) {
  if (!has_operation) return "maps and rules";
  return failures->is_foreign
             ? opcode_name(opcode)
             : arena_printf(failures->arena, "%s, %s", opcode_name(opcode), source_of(opcode));
}

const Failure *failures_smallest(const FailureList *failures) {
  const bool *is_folded = ARENA_NEW(failures->arena, bool, failures->count + 1);
  return smallest_of(failures, is_folded);
}

const char *failures_cause(const FailureList *failures, const Failure *failure) {
  const bool *is_folded = ARENA_NEW(failures->arena, bool, failures->count + 1);
  Opcode cause = HLO_PARAMETER;
  bool has_operation = cause_of(failures, is_folded, failure, &cause);
  return cause_text(failures, has_operation, cause);
}

typedef struct StageCount {
  const char *stage;
  uint64_t count;
} StageCount;
typedef struct StageCounts {
  uint32_t count, capacity;
  StageCount *items;
} StageCounts;

/* Adds the failure's count to its stage, and keeps the stages in descending order of their
 * counts. */
static void stage_add(Arena *arena, StageCounts *counts, const Failure *failure) {
  uint32_t at = 0;
  while (at < counts->count && strcmp(counts->items[at].stage, failure->stage) != 0) at++;
  if (at == counts->count) *ARENA_PUSH(arena, counts) = (StageCount){failure->stage, 0};
  counts->items[at].count += failure->count;
  for (; at > 0 && counts->items[at - 1].count < counts->items[at].count; at--) {
    StageCount moved = counts->items[at];
    counts->items[at] = counts->items[at - 1];
    counts->items[at - 1] = moved;
  }
}

static void print_stages(Text *text, const StageCounts *counts) {
  for (uint32_t i = 0; i < counts->count && i < most_stages; i++)
    text_printf(text, "%s%s %" PRIu64, i == 0 ? ": " : ", ", counts->items[i].stage,
        counts->items[i].count);
  if (counts->count > most_stages)
    text_printf(text, ", %s", counted(counts->count - most_stages, "more stage"));
  text_string(text, "\n");
}

/* Folds all failures with the cause of the smallest remaining one, and prints one line. */
static void fold_next(Text *text, const FailureList *failures, bool *is_folded, uint64_t all) {
  const Failure *smallest = smallest_of(failures, is_folded);
  Opcode cause = HLO_PARAMETER;
  bool has_operation = cause_of(failures, is_folded, smallest, &cause);
  StageCounts counts = {};
  uint64_t count = 0;
  for (uint32_t i = 0; i < failures->count; i++) {
    const OpcodeSet *set = &failures->items[i].operations;
    if (is_folded[i] || !(has_operation ? opcode_set_has(set, cause) : opcode_set_is_empty(set)))
      continue;
    is_folded[i] = true;
    count += failures->items[i].count;
    stage_add(failures->arena, &counts, &failures->items[i]);
  }
  text_printf(text, "  %-24s %" PRIu64 " of %" PRIu64 " failure%s%s",
      has_operation ? opcode_name(cause) : "maps and rules", count, all, all == 1 ? "" : "s",
      count == all && all > 1 && has_operation ? ", all of them contain it" : "");
  print_stages(text, &counts);
}

void failures_print(Text *text, const FailureList *failures, const char *counterexample) {
  if (failures->count == 0) return;
  uint64_t all = 0;
  for (uint32_t i = 0; i < failures->count; i++) all += failures->items[i].count;
  const Failure *smallest = failures_smallest(failures);
  size_t length = strlen(counterexample);
  while (length > 0 && counterexample[length - 1] == '\n') length--;
  text_printf(text, "\nthe smallest of %" PRIu64 " counterexample%s, in %s\n  %-12s %s\n%.*s\n\n",
      all, all == 1 ? "" : "s", smallest->stage, "cause", failures_cause(failures, smallest),
      (int)length, counterexample);
  text_printf(text, "failures by operation; the first one %.1f s after the start\n",
      failures->first_seconds);
  bool *is_folded = ARENA_NEW(failures->arena, bool, failures->count);
  for (uint32_t i = 0; i < most_causes && smallest_of(failures, is_folded) != nullptr; i++)
    fold_next(text, failures, is_folded, all);
  uint64_t left = 0;
  for (uint32_t i = 0; i < failures->count; i++)
    if (!is_folded[i]) left += failures->items[i].count;
  if (left > 0) text_printf(text, "  %-24s %" PRIu64 "\n", "other operations", left);
}
