/* Lists the elements and whole arrays that two terms read. An element that only one side lists is
 * also read by the other side if that side reads the whole array, or all its elements. */
#include "oracle/terms/term_reads.h"

#include "core/base/stack.h"

/* What both sides read of one array, in one comparison. */
typedef struct ReadsOfArray {
  uint32_t round;
  bool is_whole[2];
  int64_t elements[2];
} ReadsOfArray;

struct TermReads {
  Arena *arena;
  const Terms *terms;
  uint32_t round;         /* of comparisons; marks of earlier rounds do not count */
  uint32_t *visited[2];   /* by term: the round in which the side had it */
  ReadsOfArray *of_array; /* by signature */
  uint32_t count, capacity;
  Term *items; /* that this comparison reads */
  uint64_t steps;
};

static bool term_is_read(const Terms *terms, Term term) {
  const TermData *data = term_data(terms, term);
  if (data->kind == TERM_ATOM) return !signature_at(terms, data->signature)->is_nan;
  return data->kind == TERM_ARRAY && data->count == 0;
}

static uint32_t signatures_of_reads(const Terms *terms) {
  uint32_t count = 0;
  for (Term term = 0; term < terms_count(terms); term++)
    if (term_is_read(terms, term) && term_data(terms, term)->signature >= count)
      count = term_data(terms, term)->signature + 1;
  return count;
}

TermReads *term_reads_create(Arena *arena, const Terms *terms) {
  TermReads *reads = ARENA_NEW(arena, TermReads, 1);
  *reads = (TermReads){.arena = arena, .terms = terms};
  for (int side = 0; side < 2; side++)
    reads->visited[side] = ARENA_NEW(arena, uint32_t, terms_count(terms));
  reads->of_array = ARENA_NEW(arena, ReadsOfArray, signatures_of_reads(terms));
  return reads;
}

static ReadsOfArray *reads_of_array(TermReads *reads, Term term) {
  ReadsOfArray *of = &reads->of_array[term_data(reads->terms, term)->signature];
  if (of->round != reads->round) *of = (ReadsOfArray){.round = reads->round};
  return of;
}

static void list_read(TermReads *reads, int side, Term term) {
  ReadsOfArray *of = reads_of_array(reads, term);
  if (term_data(reads->terms, term)->kind == TERM_ARRAY) of->is_whole[side] = true;
  else of->elements[side]++;
  *ARENA_PUSH(reads->arena, reads) = term;
}

/* Lists what the term reads; false if it has too many terms. */
static bool list_reads(TermReads *reads, int side, Term term) {
  static constexpr uint64_t most_steps = 100'000'000;
  if (reads->visited[side][term] == reads->round) return true;
  if (reads->steps++ > most_steps || stack_is_low()) return false;
  reads->visited[side][term] = reads->round;
  if (term_is_read(reads->terms, term)) list_read(reads, side, term);
  uint32_t count = term_data(reads->terms, term)->count;
  for (uint32_t i = 0; i < count; i++)
    if (!list_reads(reads, side, term_children(reads->terms, term)[i])) return false;
  return true;
}

static bool is_read_by(TermReads *reads, int side, Term term) {
  const TermData *data = term_data(reads->terms, term);
  const ReadsOfArray *of = reads_of_array(reads, term);
  if (reads->visited[side][term] == reads->round || of->is_whole[side]) return true;
  const Shape *shape = signature_at(reads->terms, data->signature)->shape;
  return data->kind == TERM_ARRAY && shape != nullptr && shape_is_array(shape) &&
         of->elements[side] == shape_elements(shape);
}

TermReadsAnswer term_reads_compare(TermReads *reads, Term before, Term after, Term *alone) {
  bool has_alone[2] = {};
  Term first = no_term;
  reads->round++;
  reads->count = 0;
  if (!list_reads(reads, 0, before) || !list_reads(reads, 1, after)) return TERM_READS_LARGE;
  for (uint32_t i = 0; i < reads->count; i++)
    for (int side = 0; side < 2; side++)
      if (!is_read_by(reads, side, reads->items[i])) {
        has_alone[1 - side] = true;
        if (reads->items[i] < first) first = reads->items[i];
      }
  if (first != no_term) *alone = first;
  return has_alone[0] && has_alone[1] ? TERM_READS_BOTH
         : has_alone[0]               ? TERM_READS_FEWER
         : has_alone[1]               ? TERM_READS_MORE
                                      : TERM_READS_SAME;
}
