/* States and proves the claims. Products of unknowns are opaque integers with the few facts that
 * linear arithmetic needs (query.h). A refutation is replayed like any other, so it yields sizes at
 * which the claim fails. */
#include "smt/semantics/all_sizes.h"

#include "smt/semantics/sizes_statements.h"

#include <assert.h>

#include "smt/solver/session.h"

Sum sizes_unknown(SizesClaim *claim, const char *name, Wide least) {
  Sums *sums = claim->sums;
  uint32_t atom = 0;
  Sum unknown = sum_free(sums, name);
  if (sum_is_atom(sums, unknown, &atom)) *ARENA_PUSH(sums->arena, &claim->work->visible) = atom;
  *ARENA_PUSH(sums->arena, &claim->work->given) =
      (Within){.sum = unknown, .lo = least, .hi = no_bound};
  return unknown;
}

static void visible(
    SizesClaim *claim, const char *prefix, uint32_t rank, const Sum *sizes, Sum *index, Sum *kept) {
  const Sum *made = relation_visible(claim->work, prefix, rank);
  for (uint32_t i = 0; i < rank; i++) {
    index[i] = made[i];
    kept[i] = sizes[i];
  }
}

void sizes_index(SizesClaim *claim, uint32_t rank, const Sum *sizes) {
  claim->index_rank = rank;
  visible(claim, "o", rank, sizes, claim->index, claim->index_size);
}

void sizes_element(SizesClaim *claim, uint32_t rank, const Sum *sizes) {
  claim->element_rank = rank;
  visible(claim, "e", rank, sizes, claim->element, claim->element_size);
}

static void add_box(const SizesClaim *claim, Piece *piece, bool of_element) {
  uint32_t rank = of_element ? claim->element_rank : claim->index_rank;
  const Sum *index = of_element ? claim->element : claim->index,
            *sizes = of_element ? claim->element_size : claim->index_size;
  for (uint32_t i = 0; i < rank; i++) piece_inside(claim->sums, piece, index[i], sizes[i]);
}

Piece sizes_read_piece(const SizesClaim *claim) {
  Piece piece = {};
  add_box(claim, &piece, false);
  add_box(claim, &piece, true);
  return piece;
}

Piece sizes_stated_piece(const SizesClaim *claim) {
  Piece piece = {};
  add_box(claim, &piece, claim->is_inverse);
  return piece;
}

void sizes_result(SizesClaim *claim, Piece *stated, uint32_t at, Sum value) {
  assert(sums_has(claim->sums, value));
  Sum to = claim->is_inverse ? claim->index[at] : claim->element[at];
  if (claim->fault && at == 0) value = sum_add(claim->sums, value, sum_of_constant(claim->sums, 1));
  piece_equal(claim->sums, stated, to, value);
}

static uint32_t results_of(const SizesClaim *claim) {
  return claim->is_complement ? 1 : claim->is_inverse ? claim->index_rank : claim->element_rank;
}

/* The fault for a map without results: the first index of its domain begins at 1. */
static Piece stated_of(SizesClaim *claim, const Piece *stated) {
  Piece piece = piece_copy(claim->sums, stated);
  if (claim->fault && results_of(claim) == 0)
    piece_within(
        claim->sums, &piece, claim->is_inverse ? claim->element[0] : claim->index[0], 1, no_bound);
  return piece;
}

void sizes_add(SizesClaim *claim, const Piece *read, const Piece *stated) {
  assert(read == nullptr || piece_is_well_formed(claim->sums, read));
  assert(stated == nullptr || piece_is_well_formed(claim->sums, stated));
  if (read != nullptr) relation_add(claim->sums, &claim->read, *read);
  if (stated != nullptr) relation_add(claim->sums, &claim->stated, stated_of(claim, stated));
}

static Relation box(const SizesClaim *claim, bool of_element) {
  Relation relation = {};
  Piece piece = {};
  add_box(claim, &piece, of_element);
  relation_add(claim->sums, &relation, piece);
  return relation;
}

/* The pairwise intersections of both relations' pieces. */
static Relation all_sizes_overlap(const SizesClaim *claim) {
  Relation relation = {};
  for (uint32_t i = 0; i < claim->stated.count; i++) {
    for (uint32_t k = 0; k < claim->read.count; k++) {
      Piece piece = piece_copy(claim->sums, &claim->stated.items[i]);
      const Withins *more = &claim->read.items[k].withins;
      for (uint32_t w = 0; w < more->count; w++)
        piece_within(claim->sums, &piece, more->items[w].sum, more->items[w].lo, more->items[w].hi);
      relation_add(claim->sums, &relation, piece);
    }
  }
  return relation;
}

static VerdictStatus all_of(RelationWork *work, const char **what, uint32_t count,
    const Relation *inner, const Relation *outer, const char *const *names) {
  for (uint32_t i = 0; i < count; i++) {
    VerdictStatus answer = relation_contained(work, &inner[i], &outer[i]);
    relation_close(work);
    *what = names[i];
    if (answer != VERDICT_PROVED) return answer;
  }
  return VERDICT_PROVED;
}

static VerdictStatus prove_claim(SizesClaim *claim, const char **what) {
  Relation nothing = {}, either = {};
  if (claim->is_complement) {
    for (uint32_t i = 0; i < claim->stated.count; i++)
      relation_add(claim->sums, &either, claim->stated.items[i]);
    for (uint32_t i = 0; i < claim->read.count; i++)
      relation_add(claim->sums, &either, claim->read.items[i]);
    return all_of(claim->work, what, 2, (Relation[]){box(claim, false), all_sizes_overlap(claim)},
        (Relation[]){either, nothing},
        (const char *const[]){"neither padding nor an element", "padding and an element"});
  }
  return all_of(claim->work, what, 3, (Relation[]){claim->read, claim->stated, claim->stated},
      (Relation[]){claim->stated, claim->read, box(claim, !claim->is_inverse)},
      (const char *const[]){
          "read, and not in the map", "in the map, and not read", "outside the tensor"});
}

typedef struct AllSizesPosition {
  const SizesOperation *operation;
  uint32_t rank, pattern;
  bool is_inverse;
} AllSizesPosition;

static bool find_position(uint32_t at, AllSizesPosition *position) {
  for (uint32_t o = 0; o < sizes_operation_count; o++) {
    for (uint32_t rank = 1; rank <= 4; rank++) {
      uint32_t directions = sizes_operations[o].one_direction ? 1 : 2,
               count = sizes_operations[o].patterns(rank) * directions;
      if (at < count) {
        *position = (AllSizesPosition){.operation = &sizes_operations[o],
            .rank = rank,
            .pattern = at / directions,
            .is_inverse = at % directions == 1};
        return true;
      }
      at -= count;
    }
  }
  return false;
}

uint32_t smt_all_sizes_count(void) {
  AllSizesPosition position;
  uint32_t count = 0;
  while (find_position(count, &position)) count++;
  return count;
}

const char *smt_all_sizes_operation(uint32_t at) {
  AllSizesPosition position;
  return find_position(at, &position) ? position.operation->name : "";
}

static bool all_sizes_refuted(const SizesClaim *claim, Verdict *verdict, const char *what) {
  Text text = text_create(claim->sums->arena);
  const RelationWork *work = claim->work;
  for (uint32_t i = 0; i < work->visible.count; i++) {
    uint32_t atom = work->visible.items[i];
    text_printf(&text, "%s%s=%lld", i == 0 ? "" : ", ", claim->sums->atoms[atom].name,
        (long long)work->values[atom]);
  }
  return verdict_set(verdict, VERDICT_REFUTED, "%s: %s", text.bytes, what);
}

static bool prove_at(Smt *smt, const AllSizesPosition *position, bool fault, Verdict *verdict) {
  ArenaMark mark = arena_mark(smt->arena);
  RelationWork work = relation_begin(smt);
  SizesClaim claim = {.sums = work.sums,
      .work = &work,
      .rank = position->rank,
      .pattern = position->pattern,
      .is_inverse = position->is_inverse,
      .fault = fault};
  const char *what = "";
  position->operation->state(&claim);
  VerdictStatus answer = prove_claim(&claim, &what);
  if (answer == VERDICT_PROVED && relation_is_empty(&work, &claim.read) != VERDICT_REFUTED) {
    answer = VERDICT_UNKNOWN;
    work.reason = "no sizes are found at which anything is read";
  }
  if (answer == VERDICT_PROVED) verdict_set(verdict, VERDICT_PROVED, "at every size");
  else if (answer == VERDICT_REFUTED) all_sizes_refuted(&claim, verdict, what);
  else verdict_set(verdict, VERDICT_UNKNOWN, "%s: %s", what, work.reason);
  relation_end(&work, verdict);
  arena_rewind(smt->arena, mark);
  return true;
}

static SmtSizes sizes_of(const AllSizesPosition *position) {
  return (SmtSizes){.operation = position->operation->name,
      .rank = position->rank,
      .pattern = position->pattern,
      .input_to_output = position->is_inverse};
}

bool smt_all_sizes_statements(
    Arena *arena, uint32_t at, bool fault, SmtSizes *sizes, SmtStatements *statements) {
  AllSizesPosition position;
  *statements = (SmtStatements){};
  if (!find_position(at, &position)) return false;
  *sizes = sizes_of(&position);
  RelationWork work = {.sums = sums_create(arena)};
  SizesClaim claim = {.sums = work.sums,
      .work = &work,
      .rank = position.rank,
      .pattern = position.pattern,
      .is_inverse = position.is_inverse,
      .fault = fault};
  position.operation->state(&claim);
  const Relation inside = box(&claim, !claim.is_complement && !claim.is_inverse);
  return sizes_statements(&claim, &inside, statements);
}

bool smt_all_sizes(
    Smt *smt, uint32_t at, bool fault, SmtSizes *claim, Verdict *verdict, Error *error) {
  AllSizesPosition position;
  *verdict = verdict_begin(smt->context->arena);
  if (!find_position(at, &position))
    return error_set(error, ERROR_INPUT, "there are %u claims about all sizes, none numbered %u",
        smt_all_sizes_count(), at);
  *claim = sizes_of(&position);
  return prove_at(smt, &position, fault, verdict);
}
