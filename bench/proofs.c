/* Proofs at production sizes. For every operand of every instruction of real modules, in both
 * directions, judges the engine's maps against the reads by proof, without the oracle. Instructions
 * that differ in names only share one question. Prints the number of decided questions, the median,
 * the 99th percentile and the worst time, and for each operation the number of undecided questions
 * with the reason of the first. On an interrupt it prints the results so far. The exit status is 1
 * if a map is wrong.
 * bench_proofs [--limit N] [DIRECTORY OR FILE]...: at most N questions a module (2,000). */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/freed_memory.h"
#include "core/base/hash.h"
#include "core/hlo/read/read.h"
#include "core/hlo/shape.h"
#include "judge/maps/judge.h"

static constexpr uint32_t most_questions = 1u << 20, seen_slots = 1u << 21;

typedef struct Worst {
  double time;
  char what[240];
} Worst;

typedef struct ProofsRun {
  Judge *judge;
  uint64_t limit;
  uint64_t modules, unread, questions, repeated, undefined, exact, covers, wrong, undecided,
      no_semantics, rejected;
  uint64_t *seen; /* [seen_slots] hashes of questions, 0 where free */
  double *times;  /* [most_questions] milliseconds */
  Worst worst;
  uint64_t open[opcode_count];
  char why[opcode_count][160];
} ProofsRun;

static volatile sig_atomic_t interrupted;

static void proofs_remember(int) { interrupted = 1; }

static bool is_interrupted(void) { return interrupted != 0; }

/* Shapes and attributes determine most questions. An instruction that may read offsets, or that
 * calls computations, depends on other instructions too, so its hash contains the module and the
 * instruction's address. Never 0. */
static uint64_t hash_question(Arena *arena, uint64_t module, const Question *question) {
  const Instruction *instruction = question->instruction;
  Text text = text_create(arena);
  shape_print(&text, instruction->shape);
  for (uint32_t i = 0; i < instruction->operand_count; i++)
    shape_print(&text, instruction->operands[i]->shape);
  uint64_t hash = hash_text(instruction->opcode + 1u, text.bytes);
  for (uint32_t i = 0; i < instruction->attribute_count; i++) {
    if (strcmp(instruction->attributes[i].name, "metadata") == 0) continue;
    hash = hash_text(
        hash_text(hash, instruction->attributes[i].name), instruction->attributes[i].text);
  }
  bool reads_values = instruction->opcode == HLO_DYNAMIC_SLICE ||
                      instruction->opcode == HLO_DYNAMIC_UPDATE_SLICE ||
                      instruction->opcode == HLO_GATHER || instruction->opcode == HLO_SCATTER ||
                      instruction->called_count > 0;
  if (reads_values) hash = hash_mix(hash_mix(hash, module), (uint64_t)(uintptr_t)instruction);
  hash = hash_mix(hash, question->direction);
  hash = hash_mix(
      hash_mix(hash_mix(hash, question->output), question->operand), question->operand_leaf);
  return hash | 1;
}

static bool is_new(ProofsRun *run, uint64_t hash) {
  for (uint32_t slot = (uint32_t)hash & (seen_slots - 1);; slot = (slot + 1) & (seen_slots - 1)) {
    if (run->seen[slot] == hash) return false;
    if (run->seen[slot] != 0) continue;
    run->seen[slot] = hash;
    return true;
  }
}

static void proofs_note(ProofsRun *run, const Question *question, const char *file, double time) {
  run->times[run->questions++] = time;
  if (time <= run->worst.time) return;
  run->worst.time = time;
  snprintf(run->worst.what, sizeof run->worst.what, "%s of %s, operand %u, %s",
      direction_text(question->direction), question->instruction->name, question->operand, file);
}

static void proofs_count_one(
    ProofsRun *run, const Question *question, const Judgement *judgement, uint64_t *undecided) {
  Opcode opcode = question->instruction->opcode;
  const Verdict *smt = &judgement->by[BY_SMT];
  bool covers =
      smt->reason == REASON_EXTRA ||
      (smt->reason == REASON_CONTAINS && judgement->maps.claim == INDEX_OVER_APPROXIMATION);
  run->exact += smt->reason == REASON_EXACT;
  run->covers += covers;
  if (smt->reason == REASON_EXACT || covers) return;
  run->wrong += smt->reason == REASON_WRONG;
  run->no_semantics += smt->reason == REASON_UNSUPPORTED;
  run->undecided += smt->reason != REASON_WRONG && smt->reason != REASON_UNSUPPORTED;
  ++*undecided;
  if (run->open[opcode]++ == 0)
    snprintf(run->why[opcode], sizeof run->why[opcode], "%s: %.120s", question->instruction->name,
        verdict_text(smt));
}

static void proofs_query(
    ProofsRun *run, const Question *question, const char *file, uint64_t *undecided) {
  static Judgement judgement;
  MapSet maps;
  Error error = {};
  if (!judge_query_engine(run->judge, question, &maps, &error)) {
    run->rejected++;
    return;
  }
  run->undefined += maps.claim == INDEX_UNDEFINED;
  if (maps.claim == INDEX_UNDEFINED) return;
  double start = 1e3 * clock_processor();
  judge_maps(run->judge, question, &maps, &judgement);
  proofs_note(run, question, file, 1e3 * clock_processor() - start);
  if (judge_has_answered(judgement.by, BY_SMT))
    proofs_count_one(run, question, &judgement, undecided);
  else run->rejected++;
}

static void query_instruction(ProofsRun *run, Arena *arena, const Instruction *instruction,
    const char *file, uint64_t *left) {
  static const QuestionFilter both = {
      .o2i = true, .i2o = true, .output = -1, .operand = -1, .operand_leaf = -1};
  QuestionList questions = {};
  uint64_t undecided = 0;
  questions_add(arena, instruction, &both, &questions);
  for (uint32_t i = 0;
      i < questions.count && *left > 0 && run->questions < most_questions && !is_interrupted();
      i++) {
    if (!is_new(run, hash_question(arena, run->modules, &questions.items[i]))) {
      run->repeated++;
      continue;
    }
    --*left;
    proofs_query(run, &questions.items[i], file, &undecided);
  }
}

static void query_module(ProofsRun *run, const Source *source, const char *file) {
  Arena *arena = arena_create();
  MapMark mark = map_context_mark(run->judge->context);
  const Module *module;
  Error error = {};
  uint64_t left = run->limit;
  bool is_read = hlo_read(arena, source, &module, &error);
  run->modules += is_read;
  run->unread += !is_read;
  for (uint32_t i = 0; is_read && i < module->computation_count; i++)
    for (uint32_t k = 0; k < module->computations[i]->instruction_count; k++)
      query_instruction(run, arena, module->computations[i]->instructions[k], file, &left);
  indexer_reset(run->judge->indexer);
  map_context_rewind(run->judge->context, mark);
  arena_destroy(arena);
}

static void query_file(ProofsRun *run, const char *path) {
  Arena *arena = arena_create();
  Source source, *parts;
  uint32_t part_count = 0;
  Error error = {};
  const char *name = strrchr(path, '/') == nullptr ? path : strrchr(path, '/') + 1;
  if (file_read(arena, path, (size_t)1 << 28, &source, &error) &&
      hlo_split(arena, &source, &part_count, &parts, &error))
    for (uint32_t i = 0; i < part_count; i++) query_module(run, &parts[i], name);
  else run->unread++;
  arena_destroy(arena);
}

static int by_name(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

static void query_path(ProofsRun *run, const char *path) {
  struct dirent **entries;
  if (is_interrupted()) return;
  int entry_count = scandir(path, &entries, nullptr, by_name);
  if (entry_count < 0) query_file(run, path);
  for (int i = 0; i < entry_count; i++) {
    if (is_interrupted()) entries[i]->d_name[0] = '.';
    char full[4096];
    int length = snprintf(full, sizeof full, "%s/%s", path, entries[i]->d_name);
    if (entries[i]->d_name[0] != '.' && length > 0 && (size_t)length < sizeof full)
      query_file(run, full);
    free(entries[i]);
  }
  if (entry_count >= 0) free(entries);
}

static int by_size(const void *a, const void *b) {
  return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static void proofs_report(ProofsRun *run) {
  double sum = 0;
  for (uint64_t i = 0; i < run->questions; i++) sum += run->times[i];
  qsort(run->times, run->questions, sizeof *run->times, by_size);
  printf(
      "| modules read | not read | questions | the same again | exact | over-approximation | wrong | undecided | no semantics | undefined | rejected |\n");
  printf("|---|---|---|---|---|---|---|---|---|---|---|\n");
  printf("| %llu | %llu | %llu | %llu | %llu | %llu | %llu | %llu | %llu | %llu | %llu |\n\n",
      (unsigned long long)run->modules, (unsigned long long)run->unread,
      (unsigned long long)run->questions, (unsigned long long)run->repeated,
      (unsigned long long)run->exact, (unsigned long long)run->covers,
      (unsigned long long)run->wrong, (unsigned long long)run->undecided,
      (unsigned long long)run->no_semantics, (unsigned long long)run->undefined,
      (unsigned long long)run->rejected);
  if (is_interrupted()) printf("interrupted; so far\n\n");
  if (run->questions == 0) return;
  printf("median %.2f ms, 99 %% below %.2f ms, worst %.0f ms (%s), all %.1f s\n\n",
      run->times[run->questions / 2], run->times[run->questions * 99 / 100], run->worst.time,
      run->worst.what, sum / 1000);
  printf("| operation | not decided | the first |\n|---|---|---|\n");
  for (uint32_t i = 0; i < opcode_count; i++)
    if (run->open[i] > 0)
      printf("| %s | %llu | %s |\n", opcode_name((Opcode)i), (unsigned long long)run->open[i],
          run->why[i]);
}

int main(int argc, char **argv) {
  ProofsRun run = {.limit = 2000,
      .seen = calloc(seen_slots, sizeof *run.seen),
      .times = calloc(most_questions, sizeof *run.times)};
  Error error = {};
  uint32_t paths = 0;
  freed_memory_keep();
  signal(SIGINT, proofs_remember);
  signal(SIGTERM, proofs_remember);
  run.judge =
      judge_create(&(JudgeOptions){.without_oracle = true, .smt.stop = is_interrupted}, &error);
  if (run.judge == nullptr || run.seen == nullptr || run.times == nullptr) {
    error_print(&error, stderr);
    free(run.seen);
    free(run.times);
    return 3;
  }
  for (int i = 1; i < argc; i++) {
    if (i + 1 < argc && strcmp(argv[i], "--limit") == 0) {
      run.limit = strtoull(argv[++i], nullptr, 10);
      continue;
    }
    query_path(&run, argv[i]);
    paths++;
  }
  if (paths == 0) query_path(&run, AFFIRM_DATA_DIR "/hlo");
  proofs_report(&run);
  judge_destroy(run.judge);
  free(run.seen);
  free(run.times);
  return run.wrong != 0 ? 1 : 0;
}
