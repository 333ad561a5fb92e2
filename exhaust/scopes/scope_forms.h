/* Maps written from forms: results and constraints over x, y and z, each a dimension, a range or a
 * runtime variable. */
#ifndef EXHAUST_SCOPES_SCOPE_FORMS_H
#define EXHAUST_SCOPES_SCOPE_FORMS_H

#include "core/base/text.h"

typedef struct FormBounds {
  int lo, hi;
} FormBounds;

static constexpr uint32_t form_most = 4;

typedef struct FormMap {
  const char *kinds; /* one letter per variable x, y, z: d, s or r, grouped by kind */
  FormBounds bounds[3];
  uint32_t result_count, constraint_count;
  const char *results[form_most], *constraints[form_most];
} FormMap;

/* Writes, for example, `(d0)[s0, s1] -> (s0 + d0), domain: d0 in [0, 3], s0 in [0, 2], s1 in [0,
 * 1]`. A form must contain the letters x, y and z only as variables. */
void scope_write_form_map(const FormMap *map, Text *text);

#endif
