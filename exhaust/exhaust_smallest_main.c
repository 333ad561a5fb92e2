/* Finds the smallest case of the gate's scopes that fails, for witnesses of an engine with a
 * mutant. All cases are sorted by size (exhaust/case_size.h), and the first that fails is printed
 * with its scope, number and size. A case that ends the process fails. Exit status 1 if a case
 * fails, 2 if one does not end in time, which is printed too and shows nothing.
 *
 *     exhaust_smallest [SCOPE...]
 *     exhaust_smallest --order FILE
 *     exhaust_smallest --size <TEXT
 *
 * The second form asks all scopes and keeps their order in the file for the next program, since
 * sizes take seconds. The third prints the size of a text. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "core/base/process.h"
#include "exhaust/case_size.h"
#include "exhaust/exhaust.h"

static constexpr double smallest_look = 10; /* seconds in which no case ends: it hangs */
static constexpr uint32_t smallest_most_scopes = 128;

typedef struct SizedCase {
  CaseSize size;
  uint32_t scope, number;
} SizedCase;

typedef struct SmallestSearch {
  ScopePlan *plans[smallest_most_scopes];
  Examiner *examiners[smallest_most_scopes];
  SizedCase *cases;
  uint64_t count;
  _Atomic uint64_t *at; /* shared with the child: the case that is being judged */
} SmallestSearch;

static int sized_compare(const void *first, const void *second) {
  const SizedCase *a = first, *b = second;
  int order = case_size_compare(&a->size, &b->size);
  if (order == 0) order = (a->scope > b->scope) - (a->scope < b->scope);
  return order != 0 ? order : (a->number > b->number) - (a->number < b->number);
}

static void search_add(SmallestSearch *search, uint32_t scope) {
  search->plans[scope] = scope_plan_create(&scopes[scope], TIER_GATE);
  search->count += search->plans[scope]->count;
}

static SizedCase *size_scope(const SmallestSearch *search, uint32_t scope, SizedCase *next) {
  const ScopePlan *plan = search->plans[scope];
  Arena *arena = arena_create();
  Text text = text_create(arena);
  for (uint32_t k = 0; plan != nullptr && k < plan->count; k++) {
    text.length = 0;
    scope_write_case(plan, k, &text);
    *next++ = (SizedCase){case_size(text.bytes), scope, k};
  }
  arena_destroy(arena);
  return next;
}

static void search_sort(SmallestSearch *search) {
  SizedCase *next = search->cases;
  for (uint32_t i = 0; i < scope_count && i < smallest_most_scopes; i++)
    next = size_scope(search, i, next);
  qsort(search->cases, search->count, sizeof *search->cases, sized_compare);
}

/* Reads or writes the sorted cases. */
static bool order_kept(SmallestSearch *search, const char *path, bool is_written) {
  FILE *file = fopen(path, is_written ? "w" : "r");
  if (file == nullptr) return false;
  size_t count = is_written ? fwrite(search->cases, sizeof *search->cases, search->count, file)
                            : fread(search->cases, sizeof *search->cases, search->count, file);
  return fclose(file) == 0 && count == search->count;
}

static bool smallest_fails(SmallestSearch *search, const SizedCase *sized) {
  Error error = {};
  Examiner **examiner = &search->examiners[sized->scope];
  if (*examiner == nullptr) {
    const ScopePlan *plan = search->plans[sized->scope];
    *examiner = examiner_create(plan, nullptr, &error);
    if (*examiner != nullptr) examiner_call_all(*examiner, exhaust_usual_stride(plan));
  }
  return *examiner == nullptr ||
         examiner_judge(*examiner, sized->number, &(ExhaustTally){}) == STATUS_REFUTED;
}

static int search_all(void *state) {
  SmallestSearch *search = state;
  for (uint64_t i = 0; i < search->count; i++) {
    *search->at = i;
    if (smallest_fails(search, &search->cases[i])) return STATUS_REFUTED;
  }
  return STATUS_PROVED;
}

static void print_found(const SmallestSearch *search, const SizedCase *found, const char *how) {
  Arena *arena = arena_create();
  Text text = text_create(arena);
  scope_write_case(search->plans[found->scope], found->number, &text);
  printf("%s %" PRIu32 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %s\n%s\n",
      scopes[found->scope].name, found->number, found->size.operations, found->size.rank,
      found->size.elements, found->size.constant, how, text.bytes);
  arena_destroy(arena);
}

static int search_run(SmallestSearch *search) {
  void *shared =
      mmap(nullptr, sizeof *search->at, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return STATUS_BAD;
  search->at = shared;
  ProcessStart start = {.body = search_all, .state = search, .in = -1, .out = -1, .err = -1};
  pid_t child = process_start(&start);
  int ended = 0;
  bool is_hung = false;
  if (child < 0) return STATUS_BAD;
  for (uint64_t last = search->count; !process_wait(child, smallest_look, &ended);
      last = *search->at)
    if (last == *search->at) {
      ended = process_kill(child);
      is_hung = true;
      break;
    }
  if (WIFEXITED(ended) && WEXITSTATUS(ended) == STATUS_PROVED) return STATUS_PROVED;
  bool is_refuted = WIFEXITED(ended) && WEXITSTATUS(ended) == STATUS_REFUTED;
  print_found(search, &search->cases[*search->at],
      is_hung      ? "hung"
      : is_refuted ? "refuted"
                   : "ended");
  return is_hung ? STATUS_UNDECIDED : STATUS_REFUTED;
}

static int print_size(void) {
  static char text[1 << 16];
  text[fread(text, 1, sizeof text - 1, stdin)] = 0;
  CaseSize size = case_size(text);
  printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", size.operations, size.rank,
      size.elements, size.constant);
  return STATUS_PROVED;
}

static bool is_named(uint32_t scope, int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], scopes[scope].name) == 0) return true;
  return argc == 1;
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--size") == 0) return print_size();
  const char *order = argc == 3 && strcmp(argv[1], "--order") == 0 ? argv[2] : nullptr;
  SmallestSearch search = {};
  for (uint32_t i = 0; i < scope_count && i < smallest_most_scopes; i++)
    if (scopes[i].sizes[TIER_GATE].rank > 0 && is_named(i, order == nullptr ? argc : 1, argv))
      search_add(&search, i);
  search.cases = calloc(search.count + 1, sizeof *search.cases);
  if (search.count == 0 || search.cases == nullptr) return STATUS_BAD;
  if (order == nullptr || !order_kept(&search, order, false)) {
    search_sort(&search);
    if (order != nullptr && !order_kept(&search, order, true)) return STATUS_BAD;
  }
  int status = search_run(&search);
  free(search.cases);
  return status;
}
