/* For tests: parses modules, and returns the error of a text as "line:column: message". */
#ifndef CORE_HLO_READ_FROM_TEXT_H
#define CORE_HLO_READ_FROM_TEXT_H

#include <string.h>

#include "core/hlo/read/read.h"

[[maybe_unused]] static Source source_of(const char *text, size_t length) {
  return (Source){.name = "test.hlo", .text = text, .length = length, .first_line = 1};
}

/* nullptr, with the error set, if the text is rejected. */
[[maybe_unused]] static const Module *module_of(Arena *arena, const char *text, Error *error) {
  Source *source = ARENA_NEW(arena, Source, 1);
  *source = source_of(text, strlen(text));
  const Module *module;
  return hlo_read(arena, source, &module, error) ? module : nullptr;
}

[[maybe_unused]] static const char *rejection(Arena *arena, const char *text) {
  Error error = {};
  if (module_of(arena, text, &error) != nullptr) return "read";
  return arena_printf(arena, "%u:%u: %s", error.line, error.column, error.message);
}

/* Computations that the instructions of the tests call. */
#define CALLEES \
  "add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }\n" \
  "add2 { a = f32[] parameter(0) b = s32[] parameter(1) c = f32[] parameter(2) d = s32[] parameter(3)\n" \
  "  e = f32[] add(a, c) f = s32[] add(b, d) ROOT g = (f32[], s32[]) tuple(e, f) }\n" \
  "less { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = pred[] compare(a, b), direction=LT }\n" \
  "id { ROOT a = f32[4] parameter(0) }\n" \
  "yes { a = f32[4] parameter(0) ROOT b = pred[] constant(true) }\n"

/* CALLEES and an entry with these instructions; the entry's first instruction is on line 8. */
[[maybe_unused]] static const char *with_callees(Arena *arena, const char *instructions) {
  return arena_printf(arena, "%sENTRY main {\n%s\n}", CALLEES, instructions);
}

#endif
