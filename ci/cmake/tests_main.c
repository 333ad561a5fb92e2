/* The main of a program of many tests: runs the one that its first argument names, with that test's
 * own main. AFFIRM_TESTS is the file of rows TEST(stem), made by affirm_test_program. Exit status
 * as the test's own; 3 for a name that is none of them, which are printed. */
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
