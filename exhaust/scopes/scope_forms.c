/* Substitutes letter by letter. A variable is named by its kind and its number within the kind. */
#include "exhaust/scopes/scope_forms.h"

static const char *prefix_of(char kind) { return kind == 'd' ? "d" : kind == 's' ? "s" : "rt"; }

static void write_variable(Text *text, const char *kinds, uint32_t variable) {
  uint32_t number = 0;
  for (uint32_t i = 0; i < variable; i++) number += kinds[i] == kinds[variable];
  text_printf(text, "%s%u", prefix_of(kinds[variable]), number);
}

static void write_form(Text *text, const char *kinds, const char *form) {
  for (; *form != 0; form++)
    if (*form >= 'x' && *form <= 'z') write_variable(text, kinds, (uint32_t)(*form - 'x'));
    else text_append(text, form, 1);
}

static void write_variables(
    Text *text, const char *kinds, char of, const char *open, const char *close) {
  bool is_first = true;
  for (uint32_t i = 0; kinds[i] != 0; i++) {
    if (kinds[i] != of) continue;
    text_string(text, is_first ? open : ", ");
    write_variable(text, kinds, i);
    is_first = false;
  }
  if (is_first && of == 'd') text_string(text, open);
  if (!is_first || of == 'd') text_string(text, close);
}

void scope_write_form_map(const FormMap *map, Text *text) {
  write_variables(text, map->kinds, 'd', "(", ")");
  write_variables(text, map->kinds, 's', "[", "]");
  write_variables(text, map->kinds, 'r', "{", "}");
  text_string(text, " -> (");
  for (uint32_t i = 0; i < map->result_count; i++) {
    if (i > 0) text_string(text, ", ");
    write_form(text, map->kinds, map->results[i]);
  }
  text_string(text, "), domain: ");
  for (uint32_t i = 0; map->kinds[i] != 0; i++) {
    if (i > 0) text_string(text, ", ");
    write_variable(text, map->kinds, i);
    text_printf(text, " in [%d, %d]", map->bounds[i].lo, map->bounds[i].hi);
  }
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    text_string(text, ", ");
    write_form(text, map->kinds, map->constraints[i]);
  }
}
