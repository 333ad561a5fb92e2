/* The host program's settings change no answer, and are unchanged after each call: the locale and
 * the floating-point modes. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fenv.h>
#include <ftw.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <pmmintrin.h>
#endif

#include "include/affirm.h"

/* glibc keeps the parsed text of LOCPATH. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:argz_add_sep\n"; }

#define MODULE_OF(instructions) "HloModule m\nENTRY e {\n" instructions "}\n"

/* Decides in a context of its own whether the modules have the same values. */
static AffirmStatus equivalent(const char *before, const char *after) {
  AffirmContext *context = affirm_context_create();
  const AffirmModule *first = affirm_module_read(context, "before", before),
                     *second = affirm_module_read(context, "after", after);
  AffirmStatus status =
      affirm_modules_equivalent(context, first, second, AFFIRM_LAWS_EXACT, 0, nullptr);
  affirm_context_destroy(context);
  return status;
}

static const char half_more[] = MODULE_OF("  ROOT k = f32[] constant(1.5)\n"),
                  one[] = MODULE_OF("  ROOT k = f32[] constant(1)\n");

/* Rounded up, the sum is 0.30000000000000004, and so is the constant. */
static const char sum[] = MODULE_OF("  a = f64[] constant(0.1)\n  b = f64[] constant(0.2)\n"
                                    "  ROOT r = f64[] add(a, b)\n"),
                  sum_rounded_up[] = MODULE_OF("  ROOT r = f64[] constant(0.3)\n");

static const char subnormal[] = MODULE_OF("  a = f32[] constant(1e-38)\n  b = f32[] constant(0.1)\n"
                                          "  ROOT r = f32[] multiply(a, b)\n"),
                  zero[] = MODULE_OF("  ROOT r = f32[] constant(0)\n");

static void rounding_of_the_host_proves_nothing(void **) {
  static const int roundings[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  for (size_t i = 0; i < sizeof roundings / sizeof *roundings; i++) {
    fesetround(roundings[i]);
    AffirmStatus status = equivalent(sum, sum_rounded_up);
    int after = fegetround();
    fesetround(FE_TONEAREST);
    assert_int_not_equal(status, AFFIRM_PROVED);
    assert_int_equal(after, roundings[i]);
  }
}

#if defined(__x86_64__)
static void subnormal_numbers_of_the_host_are_no_zeros(void **) {
  uint32_t usual = _mm_getcsr();
  _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON);
  _MM_SET_DENORMALS_ZERO_MODE(_MM_DENORMALS_ZERO_ON);
  uint32_t before = _mm_getcsr();
  AffirmStatus status = equivalent(subnormal, zero);
  uint32_t after = _mm_getcsr();
  _mm_setcsr(usual);
  assert_int_equal(status, AFFIRM_REFUTED);
  assert_int_equal(after, before);
}
#else
static void subnormal_numbers_of_the_host_are_no_zeros(void **) {
  assert_int_equal(equivalent(subnormal, zero), AFFIRM_REFUTED);
}
#endif

/* Without the usual modes a division of the library would end the process. */
static void exceptions_of_the_host_stay_outside(void **) {
  static const char quotient[] =
      MODULE_OF("  a = f32[] constant(1)\n  b = f32[] constant(0)\n"
                "  c = f32[] divide(a, b)\n  ROOT r = f32[] subtract(c, c)\n"),
                    rest[] = MODULE_OF("  ROOT r = f32[] constant(1)\n");
  AffirmStatus usual = equivalent(quotient, rest);
  feclearexcept(FE_ALL_EXCEPT);
  if (feenableexcept(FE_DIVBYZERO | FE_INVALID) == -1) skip();
  AffirmStatus status = equivalent(quotient, rest);
  int enabled = fegetexcept();
  fedisableexcept(FE_ALL_EXCEPT);
  assert_int_equal(status, usual);
  assert_int_equal(enabled, FE_DIVBYZERO | FE_INVALID);
  assert_int_equal(fetestexcept(FE_DIVBYZERO | FE_INVALID), 0);
}

/* Compiles the locale into the directory; false if this is not possible here. */
static bool locale_compile(const char *directory) {
  char path[256];
  snprintf(path, sizeof path, "%s/de_DE.UTF-8", directory);
  pid_t child = fork();
  if (child == 0) {
    if (freopen("/dev/null", "w", stdout) == nullptr ||
        freopen("/dev/null", "w", stderr) == nullptr)
      _exit(127);
    execlp("localedef", "localedef", "-i", "de_DE", "-f", "UTF-8", path, (char *)nullptr);
    _exit(127);
  }
  int ended = 0;
  return child > 0 && waitpid(child, &ended, 0) == child && WIFEXITED(ended) &&
         WEXITSTATUS(ended) <= 1 && setenv("LOCPATH", directory, true) == 0;
}

static int locale_remove_one(const char *path, const struct stat *, int, struct FTW *) {
  return remove(path);
}
static void locale_remove(const char *directory) {
  assert_int_equal(nftw(directory, locale_remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}

static bool has_comma(void) {
  char text[16];
  snprintf(text, sizeof text, "%.1f", 1.5);
  return strcmp(text, "1,5") == 0;
}

static void answers_in_a_locale_with_commas(void) {
  assert_true(has_comma());
  assert_int_equal(equivalent(half_more, one), AFFIRM_REFUTED);
  assert_true(has_comma());
  AffirmContext *context = affirm_context_create();
  const AffirmModule *first = affirm_module_read(context, "m", half_more),
                     *second = affirm_module_read(context, "m", one);
  AffirmVerdict verdict;
  (void)affirm_modules_equivalent(context, first, second, AFFIRM_LAWS_EXACT, 0, &verdict);
  if (strstr(verdict.text, "1.5 before, 1 after") == nullptr) fail_msg("%s", verdict.text);
  affirm_context_destroy(context);
  assert_true(has_comma());
}

/* The locale of the process, then that of the thread. */
static void commas_of_the_host_are_no_points(void **) {
  char directory[200];
  const char *scratch = getenv("TMPDIR");
  snprintf(directory, sizeof directory, "%s/affirm-locale-XXXXXX",
      scratch == nullptr ? P_tmpdir : scratch);
  assert_non_null(mkdtemp(directory));
  bool is_there = setlocale(LC_ALL, "de_DE.UTF-8") != nullptr ||
                  (locale_compile(directory) && setlocale(LC_ALL, "de_DE.UTF-8") != nullptr);
  if (is_there) answers_in_a_locale_with_commas();
  setlocale(LC_ALL, "C");
  locale_t commas = is_there ? newlocale(LC_ALL_MASK, "de_DE.UTF-8", (locale_t)0) : (locale_t)0;
  if (is_there) {
    assert_true(commas != (locale_t)0);
    uselocale(commas);
    answers_in_a_locale_with_commas();
    assert_true(uselocale(LC_GLOBAL_LOCALE) == commas);
    freelocale(commas);
  }
  locale_remove(directory);
  if (is_there) return;
  print_message("there is no locale de_DE.UTF-8, and localedef cannot make it\n");
  skip();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rounding_of_the_host_proves_nothing),
      cmocka_unit_test(subnormal_numbers_of_the_host_are_no_zeros),
      cmocka_unit_test(exceptions_of_the_host_stay_outside),
      cmocka_unit_test(commas_of_the_host_are_no_points),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
