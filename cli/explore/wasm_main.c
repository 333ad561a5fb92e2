/* The explorer as a WebAssembly module: a page writes a text into memory and reads rows of HTML.
 * Judges and engines that a browser has not are never asked; what stands here in their place ends
 * the module if they are. One text at a time; the answer lives until the next one. */
#include <stdlib.h>
#include <string.h>

#include "cli/explore/answer.h"
#include "core/adapters/mlir/load.h"
#include "judge/obligations/obligation.h"

static Arena *arena;
static char *input;

/* Memory for a text of so many bytes. */
[[clang::export_name("explorer_input")]] char *explorer_input(size_t length) {
  if (arena != nullptr) arena_destroy(arena);
  arena = arena_create();
  input = arena_alloc(arena, length + 1, 1);
  input[length] = 0;
  return input;
}

/* Of the text that was written there. */
[[clang::export_name("explorer_answer")]] const char *explorer_answer(int all) {
  Text text = text_create(arena);
  const Source source = {.name = "text", .text = input, .length = strlen(input), .first_line = 1};
  explore_answer(&text, &source, all != 0);
  return text.bytes;
}

int main(void) { return 0; }

Smt *smt_create(const MapContext *, const SmtOptions *) { abort(); }
void smt_destroy(Smt *) { abort(); }
SmtValues *smt_values_create(Smt *, const Computation *, const Computation *) { abort(); }
void smt_values_destroy(SmtValues *values) {
  if (values != nullptr) abort();
}
bool smt_values_ask(SmtValues *, uint32_t, Verdict *, Error *) { abort(); }
void judge_by_smt(Judge *, const Obligation *, Verdict *) {}
void judge_by_isl(Judge *, const Obligation *, Verdict *) {}
void judge_by_mlir(Judge *, const Obligation *, Verdict *) {}

bool engine_offers(const Engine *, EngineVerb) { abort(); }
EngineKind engine_analyse(Engine *, MapContext *, const Question *, MapSet *) { abort(); }
EngineKind engine_simplify(Engine *, MapContext *, const Map *, const Map **) { abort(); }
const EngineReply *engine_reply(const Engine *) { abort(); }
void engine_note(Engine *, EngineKind, const char *, const char *) { abort(); }
void engine_print_reply(const Engine *, char *, size_t) { abort(); }

bool mlir_library(const MlirLibrary **library, Error *error) {
  *library = nullptr;
  return error_set(error, ERROR_ENVIRONMENT, "a browser has no MLIR");
}

/* Debian's compiler runtime for WebAssembly is built with stack protection, and its C library has
 * none. */
uintptr_t __stack_chk_guard = 0x5afe5afe;
[[noreturn]] void __stack_chk_fail(void);
void __stack_chk_fail(void) { abort(); }
