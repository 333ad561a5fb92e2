/* The record is embedded in the program. */
#include "cli/report/fired.h"

#include <stdlib.h>
#include <string.h>

static const char recorded[] = {
#embed "../../corpus/fired.txt" suffix(, 0)
};

const char *fired_text(void) { return recorded; }

static bool is_of_engine(const Rule *rule) {
  for (uint32_t i = 0; i < rules_engine_source_count(); i++)
    if (string_ends_with(rule->file, rules_engine_source(i).name)) return true;
  return false;
}

int64_t fired_on_corpus(const Rule *rule) {
  size_t length = strlen(rule->name);
  if (!is_of_engine(rule)) return -1;
  for (const char *line = recorded; line != nullptr; line = strchr(line, '\n')) {
    line += *line == '\n';
    if (strncmp(line, rule->name, length) == 0 && line[length] == ' ')
      return strtoll(line + length, nullptr, 10);
  }
  return -1;
}
