/* The names of grades. */
#include "core/base/law_grade.h"

#include <string.h>

bool law_grade_named(const char *name, LawGrade *grade) {
  static const char *const names[] = {"none", "exact", "ieee", "fast"};
  for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) {
      *grade = (LawGrade)i;
      return true;
    }
  return false;
}
