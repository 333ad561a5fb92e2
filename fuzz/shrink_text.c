/* Findings of texts: what harness_text.h asks of a text, in a child that it ends. The word says of which parser: map_text, rule_text, hlo_text, or `placeless`.
 * Of what no case can hold (bytes of no text) there is no body: the bytes themselves are the finding. */
#include <string.h>

#include "fuzz/harness_text.h"
#include "fuzz/shrink_form.h"

static const struct {
  const char *word;
  void (*read)(Harness *harness, const Source *source);
} parsers[] = {{"map_text", harness_read_map}, {"rule_text", harness_read_rules}, {"hlo_text", harness_read_hlo}};

void look_text(void *, const char *wanted, const char *text, size_t length, Sight *) {
  bool any = strcmp(wanted, "placeless") == 0;
  for (size_t i = 0; i < sizeof parsers / sizeof *parsers && strcmp(wanted, sight_reads) != 0; i++) {
    Source source = {.name = "reduced", .text = text, .length = length, .first_line = 1};
    if (any || hunt_wants(wanted, parsers[i].word)) parsers[i].read(harness_begin(), &source);
  }
}

static bool fits_in_a_line(const char *text, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (text[i] == 0 || text[i] == '\r' || (text[i] == '\n' && i + 1 < length && text[i + 1] != ' ')) return false;
  return length > 0 && text[0] != ' ' && text[length - 1] != '\n';
}

void describe_text(Hunt *hunt) {
  Shrink *shrink = hunt->shrink;
  shrink->size = (uint32_t)shrink->length;
  shrink->name = sight_is_crash(&shrink->sight) ? "text_crash" : shrink->sight.text;
  bool is_plain = memchr(shrink->smallest, 0, shrink->length) == nullptr;
  if (strcmp(shrink->name, "map_text") == 0 && fits_in_a_line(shrink->smallest, shrink->length)) shrink->body = arena_printf(shrink->arena, "parse %s\nexact\n", shrink->smallest);
  if (strcmp(shrink->name, "rule_text") == 0 && is_plain && strstr(shrink->smallest, "\nend") == nullptr)
    shrink->body = arena_printf(shrink->arena, "read-rules\nrules\n%s\nend\nexact\n", shrink->smallest);
  if (strcmp(shrink->name, "hlo_text") == 0 && is_plain && strstr(shrink->smallest, "\nend") == nullptr)
    shrink->body = arena_printf(shrink->arena, "read hlo\n%s\nend\nexact\n", shrink->smallest);
}
