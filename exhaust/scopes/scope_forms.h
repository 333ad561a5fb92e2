/* Maps written from forms: results and constraints over x, y and z, each of which is a dimension, a
 * range or a runtime variable. */
#ifndef JUDGE_SCOPE_FORMS_H
#define JUDGE_SCOPE_FORMS_H

#include "core/base/text.h"

typedef struct FormBounds {
  int lo, hi;
} FormBounds;

static constexpr uint32_t form_most = 4;

typedef struct FormMap {
  const char *kinds; /* a letter a variable: d, s or r, those of a kind together: x, y and z are the
                        first, the second and the third */
  FormBounds bounds[3];
  uint32_t result_count, constraint_count;
  const char *results[form_most], *constraints[form_most];
} FormMap;

/* `(d0)[s0, s1] -> (s0 + d0), domain: d0 in [0, 3], s0 in [0, 2], s1 in [0, 1]`. No form has x, y
 * or z in a word. */
void scope_write_form_map(const FormMap *map, Text *text);

#endif
