// A C++ program whose global locale groups digits, which Z3 prints by, has the answers of one whose
// locale does not. Ends with 77 if the locale is not here.
#include <cstdio>
#include <cstring>
#include <locale>
#include <stdexcept>

#include "include/affirm.h"

static AffirmStatus compare(AffirmVerdict *verdict, AffirmContext *context) {
  const AffirmMap *a = affirm_map_parse(context, "a",
      "(d0, d1) -> (d0 * 123456 + d1), domain: d0 in [0, 5000000], d1 in [0, 123455]");
  const AffirmMap *b = affirm_map_parse(context, "b",
      "(d0, d1) -> (d0 * 123456 + d1 + (d0 + d1) floordiv 5123455), "
      "domain: d0 in [0, 5000000], d1 in [0, 123455]");
  return affirm_maps_same(context, a, b, verdict);
}

int main() {
  try {
    std::locale::global(std::locale("de_DE.UTF-8"));
  } catch (const std::runtime_error &) {
    std::puts("there is no locale de_DE.UTF-8");
    return 77;
  }
  AffirmContext *context = affirm_context_create();
  AffirmVerdict verdict = {};
  AffirmStatus status = compare(&verdict, context);
  std::printf("%s %s\n", verdict.verdict, verdict.text);
  bool is_whole = std::strstr(verdict.text, "d0 = 5000000, d1 = 123455") != nullptr;
  affirm_context_destroy(context);
  return status == AFFIRM_REFUTED && is_whole ? 0 : 1;
}
