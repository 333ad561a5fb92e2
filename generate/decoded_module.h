/* For tests: the module that bytes decode to. A text that hlo_read rejects fails the test and is
 * printed. Include this file after cmocka.h. */
#ifndef GENERATE_DECODED_MODULE_H
#define GENERATE_DECODED_MODULE_H

#include "core/hlo/read/read.h"
#include "generate/decode.h"

[[nodiscard]] static inline const Module *decoded_module(
    Arena *arena, const uint8_t *bytes, size_t size) {
  Source *source = ARENA_NEW(arena, Source, 1);
  const Module *module;
  Error error = {};
  *source = (Source){.name = "fuzz", .first_line = 1};
  source->text = fuzz_decode_graph(arena, bytes, size, &source->length);
  if (!hlo_read(arena, source, &module, &error)) fail_msg("%s in\n%s", error.message, source->text);
  return module;
}

#endif
