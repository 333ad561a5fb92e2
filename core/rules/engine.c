/* The engine's own rules, embedded from the files in files.def. Keeps: the embedded text is the
 * text of the file. */
#include "core/rules/rule.h"

#include <assert.h>
#include <string.h>

typedef struct Embedded {
  const char *name;
  const unsigned char *bytes; /* terminated by a NUL */
} Embedded;

#define RULES_BEGIN(name) \
  { \
    name, (const unsigned char[]) {
#define RULES_END \
  } \
  } \
  ,
static const Embedded files[] = {
#include "core/rules/files.def"
};
#undef RULES_BEGIN
#undef RULES_END

uint32_t rules_engine_source_count(void) { return sizeof files / sizeof files[0]; }

Source rules_engine_source(uint32_t index) {
  assert(index < rules_engine_source_count());
  const char *text = (const char *)files[index].bytes;
  return (Source){.name = files[index].name, .text = text, .length = strlen(text), .first_line = 1};
}

bool rules_engine(Arena *arena, RuleSet *rules, Error *error) {
  for (uint32_t i = 0; i < rules_engine_source_count(); i++) {
    Source source = rules_engine_source(i);
    if (!rules_parse(arena, &source, rules, error)) return false;
  }
  return true;
}
