/* Findings of texts: the checks of harness_text.h, in a child that they end. The word names the
 * parser: map_text, rule_text, hlo_text, or `placeless`. Bytes that no case can contain have no
 * body: the bytes themselves are the finding. */
#include <string.h>

#include "fuzz/harness/harness_text.h"
#include "reduce/shrink_form.h"

static const struct {
  FindingKind kind;
  void (*read)(Harness *harness, const Source *source);
} parsers[] = {{FOUND_MAP_TEXT, harness_read_map}, {FOUND_RULE_TEXT, harness_read_rules},
    {FOUND_HLO_TEXT, harness_read_hlo}};

void look_text(void *, const char *wanted, const char *text, size_t length, FaultSignature *) {
  bool any = strcmp(wanted, finding_name(FOUND_PLACELESS)) == 0;
  for (size_t i = 0; i < sizeof parsers / sizeof *parsers && strcmp(wanted, signature_reads) != 0;
       i++) {
    Source source = {.name = "reduced", .text = text, .length = length, .first_line = 1};
    if (any || signature_is_wanted(wanted, finding_name(parsers[i].kind)))
      parsers[i].read(harness_begin(), &source);
  }
}

static bool fits_in_a_line(const char *text, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (text[i] == 0 || text[i] == '\r' ||
        (text[i] == '\n' && i + 1 < length && text[i + 1] != ' '))
      return false;
  return length > 0 && text[0] != ' ' && text[length - 1] != '\n';
}

void describe_text(Hunt *hunt) {
  Shrink *shrink = hunt->shrink;
  shrink->size = (uint32_t)shrink->length;
  shrink->name = signature_is_crash(&shrink->signature) ? "text_crash" : shrink->signature.text;
  bool is_plain = memchr(shrink->smallest, 0, shrink->length) == nullptr;
  if (strcmp(shrink->name, finding_name(FOUND_MAP_TEXT)) == 0 &&
      fits_in_a_line(shrink->smallest, shrink->length))
    shrink->body = arena_printf(shrink->arena, "parse %s\nexact\n", shrink->smallest);
  if (strcmp(shrink->name, finding_name(FOUND_RULE_TEXT)) == 0 && is_plain &&
      strstr(shrink->smallest, "\nend") == nullptr)
    shrink->body =
        arena_printf(shrink->arena, "read-rules\nrules\n%s\nend\nexact\n", shrink->smallest);
  if (strcmp(shrink->name, finding_name(FOUND_HLO_TEXT)) == 0 && is_plain &&
      strstr(shrink->smallest, "\nend") == nullptr)
    shrink->body = arena_printf(shrink->arena, "read hlo\n%s\nend\nexact\n", shrink->smallest);
}
