/* Partitions the target of a scatter. An update element is placed only by its own row of indices.
 * So an element of the target depends only on the rows of the updates that it is part of. Rows that
 * share an element of the target are joined, and each joined set of rows has its own part of the
 * target. Elements that are part of no update form one more part, without rows. */
#include <assert.h>

#include "oracle/semantics/indexed.h"
#include "oracle/evaluate/read_set.h"

static constexpr int64_t most_rows = 4096;

typedef struct Division {
  ReadSet *set;
  int64_t row_count;
  int64_t *joined;  /* [row_count]: a row of the same part; the row itself if it is the first */
  uint64_t **masks; /* [row_count]: the elements of the part, if the row is its first */
} Division;

static int64_t first_of(const Division *division, int64_t row) {
  assert(row >= 0 && row < division->row_count && division->joined[row] <= row);
  while (division->joined[row] != row) row = division->joined[row];
  return row;
}

/* Collects the target elements that the updates of each row depend on. */
static void collect_rows(Division *division, const Node *scatter) {
  ReadSet *set = division->set;
  uint32_t inputs = scatter->instruction->operand_count / 2;
  for (int64_t row = 0; row < division->row_count; row++) {
    division->joined[row] = row;
    division->masks[row] = ARENA_NEW(set->arena, uint64_t, set->sets.words);
  }
  for (uint32_t i = inputs + 1; i < scatter->operand_count; i++) {
    const Node *updates = scatter->operands[i];
    if (!updates->reaches) continue;
    for (int64_t element = 0; element < updates->leaves[0].elements; element++)
      sets_add(&set->sets,
          updates == set->target ? (uint32_t)(1 + element) : updates->sets[element],
          division->masks[scatter_row_of(scatter, element)]);
  }
}

static bool shares_overlap(const uint64_t *a, const uint64_t *b, uint32_t words) {
  for (uint32_t i = 0; i < words; i++)
    if ((a[i] & b[i]) != 0) return true;
  return false;
}

/* Joins a row with every earlier part that contains one of its elements. */
static void join_row(Division *division, int64_t row) {
  uint32_t words = division->set->sets.words;
  for (int64_t other = 0; other < row; other++) {
    if (division->joined[other] != other ||
        !shares_overlap(division->masks[other], division->masks[row], words))
      continue;
    int64_t first = first_of(division, row);
    if (first == other) continue;
    assert(division->joined[first] == first);
    int64_t kept = first < other ? first : other, gone = first < other ? other : first;
    for (uint32_t i = 0; i < words; i++) division->masks[kept][i] |= division->masks[gone][i];
    division->joined[gone] = kept;
  }
}

static void push_share(
    ReadSet *set, Share *shares, uint32_t *count, const uint64_t *mask, const uint8_t *rows) {
  bool is_empty = true;
  for (uint32_t i = 0; i < set->words; i++) is_empty = is_empty && mask[i] == 0;
  if (!is_empty) shares[(*count)++] = (Share){.mask = mask, .rows = rows};
}

static void list_shares(Division *division, uint32_t *count, Share *shares) {
  ReadSet *set = division->set;
  uint64_t *rest = ARENA_NEW(set->arena, uint64_t, set->words);
  for (int64_t element = 0; element < set->operand->elements; element++) bits_set(rest, element);
  for (int64_t row = 0; row < division->row_count; row++) {
    if (division->joined[row] != row) continue;
    uint8_t *rows = ARENA_NEW(set->arena, uint8_t, division->row_count);
    for (int64_t other = row; other < division->row_count; other++)
      rows[other] = first_of(division, other) == row;
    for (uint32_t i = 0; i < set->words; i++) {
      assert((division->masks[row][i] & ~rest[i]) == 0);
      rest[i] &= ~division->masks[row][i];
    }
    push_share(set, shares, count, division->masks[row], rows);
  }
  push_share(set, shares, count, rest, ARENA_NEW(set->arena, uint8_t, division->row_count));
}

/* Updates that are themselves placed by values belong to no fixed row. */
static bool can_divide(const ReadSet *set) {
  if (set->cuts.count != 1 || set->cuts.items[0]->instruction->opcode != HLO_SCATTER) return false;
  const Node *scatter = set->cuts.items[0];
  bool is_plain = true;
  for (uint32_t i = scatter->instruction->operand_count / 2 + 1; i < scatter->operand_count; i++)
    is_plain =
        is_plain && !scatter->operands[i]->is_dynamic && scatter->operands[i]->leaf_count == 1;
  return is_plain && scatter_row_count(scatter) <= most_rows;
}

bool read_set_shares(ReadSet *set, uint32_t *count, const Share **shares) {
  *count = 0;
  if (set->is_unread || !can_divide(set)) return false;
  const Node *scatter = set->cuts.items[0];
  Division division = {.set = set, .row_count = scatter_row_count(scatter)};
  division.joined = ARENA_NEW(set->arena, int64_t, division.row_count);
  division.masks = ARENA_NEW(set->arena, uint64_t *, division.row_count);
  collect_rows(&division, scatter);
  for (int64_t row = 1; row < division.row_count; row++) join_row(&division, row);
  Share *made = ARENA_NEW(set->arena, Share, division.row_count + 1);
  list_shares(&division, count, made);
  *shares = made;
  return *count > 1;
}

void read_set_only_rows(ReadSet *set, const uint8_t *rows) { set->reading.rows = rows; }
