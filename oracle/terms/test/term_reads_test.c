/* The reads of two terms are compared as sets of elements, for all pairs of sets over two arrays. A
 * whole array is the set of its elements. */
#include "oracle/terms/term_reads.h"

#include "oracle/test/test_module.h"

/* Three elements of an array and the whole of it, and one element of another array. */
static constexpr uint32_t read_names = 5, whole_of_three = 3, read_sets = 1U << read_names;

static Term read_of(Terms *terms, uint32_t arrays[2], uint32_t name) {
  if (name == whole_of_three)
    return term_make(terms, TERM_ARRAY, TYPE_f32, arrays[0], 0, 0, nullptr);
  bool is_other = name > whole_of_three;
  return term_make(terms, TERM_ATOM, TYPE_f32, arrays[is_other], is_other ? 1 : name, 0, nullptr);
}

static Term sum_of_reads(Terms *terms, uint32_t arrays[2], uint32_t set) {
  Term children[read_names + 1] = {term_float(terms, TYPE_f32, 1)};
  uint32_t count = 1;
  for (uint32_t name = 0; name < read_names; name++)
    if (set >> name & 1) children[count++] = read_of(terms, arrays, name);
  return term_make(
      terms, TERM_APPLY, TYPE_f32, signature_of(terms, "sum", "sum"), 0, count, children);
}

/* The set with the elements of the whole array in its place. */
static uint32_t elements_of(uint32_t set) {
  uint32_t whole = 1U << whole_of_three, elements = whole - 1;
  return set & whole ? (set & ~whole) | elements : set;
}

static TermReadsAnswer by_sets(uint32_t before, uint32_t after) {
  uint32_t fewer = elements_of(before) & ~elements_of(after),
           more = elements_of(after) & ~elements_of(before);
  return fewer != 0 && more != 0 ? TERM_READS_BOTH
         : fewer != 0            ? TERM_READS_FEWER
         : more != 0             ? TERM_READS_MORE
                                 : TERM_READS_SAME;
}

static void reads_are_sets_of_elements(void **) {
  OracleFixture bench = bench_create();
  const Shape *shape = root_of(&bench, "ROOT p = f32[3] parameter(0)")->shape;
  Terms *terms = terms_create(bench.arena);
  uint32_t arrays[2] = {signature_of(terms, "p", "p"), signature_of(terms, "q", "q")};
  for (int i = 0; i < 2; i++) signature_at(terms, arrays[i])->shape = shape;
  Term sums[read_sets];
  for (uint32_t set = 0; set < read_sets; set++) sums[set] = sum_of_reads(terms, arrays, set);
  TermReads *reads = term_reads_create(bench.arena, terms);
  for (uint32_t before = 0; before < read_sets; before++)
    for (uint32_t after = 0; after < read_sets; after++) {
      Term alone = no_term;
      TermReadsAnswer answer = term_reads_compare(reads, sums[before], sums[after], &alone);
      if (answer != by_sets(before, after))
        fail_msg("%x and %x: %d, not %d", before, after, answer, by_sets(before, after));
      assert_true((alone == no_term) == (answer == TERM_READS_SAME));
    }
  bench_destroy(&bench);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(reads_are_sets_of_elements)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
