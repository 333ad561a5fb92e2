/* Scans the header like XLA's parser of HLO: blanks and comments may be between tokens, and the
 * text inside a string or a group is not an attribute. */
#include "core/hlo/header.h"

#include <string.h>

bool header_value(const Module *module, const char *name, Slice *value) {
  if (module->header_rest == nullptr) return false;
  const Source source = {.name = "header",
      .text = module->header_rest,
      .length = strlen(module->header_rest),
      .first_line = 1};
  Error error = {};
  Scanner scan = {.source = &source, .text = source.text, .length = source.length, .error = &error};
  do {
    Slice word;
    if (!scan_accept_word(&scan, &word) || !scan_accept(&scan, '=')) return false;
    size_t start = (scan_blanks(&scan), scan.at);
    if (!scan_value(&scan)) return false;
    *value = scan_slice(&scan, start);
    if (slice_is(word, name)) return true;
  } while (scan_accept(&scan, ','));
  return false;
}

bool module_is_scheduled(const Module *module) {
  Slice value;
  return header_value(module, "is_scheduled", &value) && slice_is(value, "true");
}
