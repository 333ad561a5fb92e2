/* The main function of a program with several tests: calls the main function of the test that its
 * first argument names. AFFIRM_TESTS is a file of rows TEST(stem), written by affirm_test_program.
 * Returns the test's exit status; an unknown name prints all names and returns 3. */
#include <stdio.h>
#include <string.h>

#define TEST(stem) int stem##_main(void);
#include AFFIRM_TESTS
#undef TEST

int main(int count, char **words) {
#define TEST(stem) \
  if (count == 2 && strcmp(words[1], #stem) == 0) return stem##_main();
#include AFFIRM_TESTS
#undef TEST
  fprintf(stderr, "%s: name one of\n", words[0]);
#define TEST(stem) fprintf(stderr, "  %s\n", #stem);
#include AFFIRM_TESTS
#undef TEST
  return 3;
}
