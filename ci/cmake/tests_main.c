/* The main function of a program with several tests: calls the main function of the test that its
 * first argument names. A second argument is a pattern of cmocka (`*` and `?`): only the functions
 * whose names match it are run. AFFIRM_TESTS is a file of rows TEST(stem), written by
 * affirm_test_program. Returns the test's exit status; an unknown name prints all names and returns
 * 3. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define TEST(stem) int stem##_main(void);
#include AFFIRM_TESTS
#undef TEST

int main(int count, char **words) {
  if (count == 3) cmocka_set_test_filter(words[2]);
#define TEST(stem) \
  if ((count == 2 || count == 3) && strcmp(words[1], #stem) == 0) return stem##_main();
#include AFFIRM_TESTS
#undef TEST
  fprintf(stderr, "%s: name one of\n", words[0]);
#define TEST(stem) fprintf(stderr, "  %s\n", #stem);
#include AFFIRM_TESTS
#undef TEST
  return 3;
}
