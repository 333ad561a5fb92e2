/* One worker of a run. A counter that all processes share distributes the chunks. */
#include "exhaust/exhaust_work.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"

/* The rest of a chunk often has a smaller failed case, and takes less time than this unless an
 * engine hangs. */
static constexpr double seconds_after_first = 1;

static bool has_failed_long_ago(const ExhaustOptions *options, const SharedWork *shared) {
  return options->first && shared->first_failed > 0 &&
         clock_wall() >= shared->first_failed + seconds_after_first;
}

bool exhaust_should_stop(const ExhaustOptions *options, const SharedWork *shared) {
  return shared->stop || (options->stop != nullptr && options->stop()) ||
         has_failed_long_ago(options, shared);
}

const WorkProgress *slot_progress(const Slot *slot) { return &slot->steps[slot->current]; }

/* Copies the current step into the unused slot. step_end makes the copy current. */
static WorkProgress *step_begin(Slot *slot) {
  WorkProgress *next = &slot->steps[!slot->current];
  *next = slot->steps[slot->current];
  return next;
}
static void step_end(Slot *slot) { slot->current = !slot->current; }

/* Inserts by rank: lost cases first, then failed, then open. Higher ranks displace lower ones, so
 * an engine with many undecided cases still shows its faults. */
static void keep_case(WorkProgress *progress, KeptCase kept, KeptRank rank) {
  JournalChunk *chunk = &progress->chunk;
  uint32_t at = progress->upto[rank];
  assert(at <= chunk->kept && chunk->kept <= journal_kept);
  if (at == journal_kept) return;
  if (chunk->kept < journal_kept) chunk->kept++;
  memmove(&chunk->cases[at + 1], &chunk->cases[at], (chunk->kept - at - 1) * sizeof *chunk->cases);
  chunk->cases[at] = kept;
  for (uint32_t i = rank; i < kept_rank_count; i++)
    if (progress->upto[i] < journal_kept) progress->upto[i]++;
}

static void note_case(Slot *slot, SharedWork *shared, const ScopePlan *plan,
    const ExhaustTally *tally, KeptCase kept, KeptRank rank) {
  WorkProgress *progress = step_begin(slot);
  exhaust_tally_add(&progress->chunk.tally, tally);
  if (tally->failed > 0 || tally->open > 0) keep_case(progress, kept, rank);
  progress->next++;
  step_end(slot);
  shared->cases++;
  if (tally->failed == 0) return;
  if (shared->first_failed == 0) shared->first_failed = clock_wall();
  FaultGroup group = fault_group_of_case(plan, &kept);
  fault_groups_add(&slot->groups, &group);
}

void slot_lose(
    Slot *slot, SharedWork *shared, const ScopePlan *plan, ExhaustCount count, const char *end) {
  KeptCase kept = {.number = slot_progress(slot)->next};
  ExhaustTally tally = {.cases = 1, .failed = 1};
  snprintf(kept.end, sizeof kept.end, "%s", end);
  tally.counts[count] = 1;
  note_case(slot, shared, plan, &tally, kept, KEPT_LOST);
}

static void note_faults(Slot *slot, const Examiner *examiner) {
  FaultWitness witness = {.size = examiner->text.length, .number = examiner->number};
  snprintf(witness.text, sizeof witness.text, "case %llu", (unsigned long long)examiner->number);
  for (uint32_t i = 0; i < examiner->found_count; i++)
    engine_faults_note(&slot->faults, &examiner->found[i], &witness);
}

/* Returns false if the run was stopped between two cases. */
static bool judge_chunk(
    Examiner *examiner, const ExhaustOptions *options, SharedWork *shared, Slot *slot) {
  for (uint64_t k; (k = slot_progress(slot)->next) < slot_progress(slot)->end;) {
    if (exhaust_should_stop(options, shared)) return false;
    slot->number = k;
    ExhaustTally tally = {};
    Status status = examiner_judge(examiner, k, &tally);
    note_faults(slot, examiner);
    if (options->engine != nullptr) slot->answered = *engine_answered(options->engine);
    note_case(slot, shared, examiner->plan, &tally,
        (KeptCase){.number = k, .is_open = status != STATUS_REFUTED},
        status == STATUS_REFUTED ? KEPT_FAILED : KEPT_OPEN);
  }
  return true;
}

/* Returns false if no chunk is left. */
static bool take_chunk(
    const ExhaustOptions *options, const Journal *journal, SharedWork *shared, Slot *slot) {
  uint64_t number;
  do number = options->shard + shared->next++ * options->shards;
  while (number < journal->chunk_count && journal_has(journal, number));
  if (number >= journal->chunk_count) return false;
  uint64_t first = number * journal->head.chunk_size, left = journal->head.cases - first;
  WorkProgress *progress = step_begin(slot);
  *progress = (WorkProgress){.is_open = true,
      .next = first,
      .end = first + (left < journal->head.chunk_size ? left : journal->head.chunk_size),
      .chunk.number = number};
  step_end(slot);
  return true;
}

static bool finish_chunk(
    const ExhaustOptions *options, const Journal *journal, SharedWork *shared, Slot *slot) {
  slot->number = UINT64_MAX;
  if (!journal_append(journal, &slot_progress(slot)->chunk)) {
    shared->unwritten = errno == 0 ? ENOSPC : errno;
    shared->stop = true;
    return false;
  }
  if (options->first && slot_progress(slot)->chunk.tally.failed > 0) shared->stop = true;
  step_begin(slot)->is_open = false;
  step_end(slot);
  return true;
}

int exhaust_work(const ScopePlan *plan, const ExhaustOptions *options, const Journal *journal,
    SharedWork *shared, Slot *slot) {
  Error error = {};
  slot->number = UINT64_MAX;
  Examiner *examiner = examiner_create_of(plan, options->rules, options->engine, &error);
  if (examiner == nullptr) return worker_broken;
  examiner->accepted = options->accepted;
  examiner->simplifies_twice = options->simplifies_twice;
  examiner->opcodes = options->opcodes;
  if (options->wants_exact) examiner_want_exact(examiner);
  if (options->engine != nullptr)
    engine_set_stop(options->engine, nullptr); /* the parent ends us */
  examiner_call_all(examiner, options->stride);
  slot->is_at_work = true;
  bool is_written = true;
  while (is_written && !exhaust_should_stop(options, shared)) {
    if (!slot_progress(slot)->is_open && !take_chunk(options, journal, shared, slot)) break;
    if (!judge_chunk(examiner, options, shared, slot)) break;
    is_written = finish_chunk(options, journal, shared, slot);
  }
  slot->is_at_work = false;
  examiner_destroy(examiner);
  return is_written ? 0 : worker_broken;
}
