/* The explorer as a WebAssembly module: a page writes a text into memory and reads rows of HTML.
 * Judges that are not available in a browser return no verdict. All other functions of smt and of
 * foreign engines that the linker misses become imports, and the host ends the module if one is
 * called. One text at a time; its result lives until the next one. */
#include <stdlib.h>
#include <string.h>

#include "cli/explore/answer.h"
#include "core/adapters/mlir/load.h"
#include "judge/obligations/obligation.h"

static Arena *arena;
static char *input;

/* Allocates memory for a text of `length` bytes; frees the previous text and result. */
[[clang::export_name("explorer_input")]] char *explorer_input(size_t length) {
  if (arena != nullptr) arena_destroy(arena);
  arena = arena_create();
  input = arena_alloc(arena, length + 1, 1);
  input[length] = 0;
  return input;
}

/* Returns the rows for the text in that memory. */
[[clang::export_name("explorer_answer")]] const char *explorer_answer(int all) {
  Text text = text_create(arena);
  const Source source = {.name = "text", .text = input, .length = strlen(input), .first_line = 1};
  (void)explore_answer(&text, &source, all != 0);
  return text.bytes;
}

int main(void) { return 0; }

void judge_by_smt(Judge *, const Obligation *, Verdict *) {}
void judge_by_isl(Judge *, const Obligation *, Verdict *) {}
void judge_by_mlir(Judge *, const Obligation *, Verdict *) {}

bool mlir_library(const MlirLibrary **library, Error *error) {
  *library = nullptr;
  return error_set(error, ERROR_ENVIRONMENT, "a browser has no MLIR");
}

/* Debian's compiler runtime for WebAssembly uses stack protection, which its C library does not
 * provide. */
uintptr_t __stack_chk_guard = 0x5afe5afe;
[[noreturn]] void __stack_chk_fail(void);
void __stack_chk_fail(void) { abort(); }
