/* Scans the header like XLA's parser of HLO: blanks and comments may be between tokens, and the
 * text inside a string or a group is not an attribute. */
#include "core/hlo/header.h"

#include <string.h>

#include "core/base/text.h"

/* The attributes of a header, one by one. */
typedef struct HeaderScan {
  Source source;
  Error error;
  Scanner scan;
  bool is_over;
} HeaderScan;

static void header_open(const Module *module, HeaderScan *header) {
  const char *text = module->header_rest == nullptr ? "" : module->header_rest;
  header->source =
      (Source){.name = "header", .text = text, .length = strlen(text), .first_line = 1};
  header->error = (Error){};
  header->scan = (Scanner){.source = &header->source,
      .text = text,
      .length = header->source.length,
      .error = &header->error};
  header->is_over = false;
}

/* False at the end, or at a text that is no attribute. */
static bool header_next(HeaderScan *header, Slice *name, Slice *value) {
  Scanner *scan = &header->scan;
  if (header->is_over || !scan_accept_word(scan, name) || !scan_accept(scan, '=')) return false;
  size_t start = (scan_blanks(scan), scan->at);
  if (!scan_value(scan)) return false;
  *value = scan_slice(scan, start);
  header->is_over = !scan_accept(scan, ',');
  return true;
}

bool header_value(const Module *module, const char *name, Slice *value) {
  HeaderScan header;
  Slice word;
  header_open(module, &header);
  while (header_next(&header, &word, value))
    if (slice_is(word, name)) return true;
  return false;
}

const char *header_without(Arena *arena, const Module *module, const char *name) {
  HeaderScan header;
  Slice word, value;
  Text kept = text_create(arena);
  header_open(module, &header);
  while (header_next(&header, &word, &value))
    if (!slice_is(word, name))
      text_printf(&kept, "%s%.*s=%.*s", kept.length == 0 ? "" : ", ", (int)word.length, word.text,
          (int)value.length, value.text);
  return kept.length == 0 ? nullptr : kept.bytes;
}

bool module_is_scheduled(const Module *module) {
  Slice value;
  return header_value(module, "is_scheduled", &value) && slice_is(value, "true");
}
