/* The solver's library, opened at the first call of one of its functions. A program that loads it at
 * its start takes half as long again for that, although most commands never ask the solver
 * (docs/decisions/0105-the-solver-is-opened-on-first-use.md).
 * Each function of z3_library.def is defined here under its own name, hidden from other objects, and
 * calls the library's. AFFIRM_Z3_FILE is the library's name for the dynamic loader; without it the
 * library is linked, and this file is empty. A missing library ends the program, as missing memory
 * does: no verdict may depend on it. */
#ifdef AFFIRM_Z3_FILE
#define Z3_API __attribute__((visibility("hidden")))

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <z3.h>

#define FUNCTION(type, name, parameters, arguments) LIBRARY_##name,
#define PROCEDURE(name, parameters, arguments) LIBRARY_##name,
typedef enum Z3LibraryFunction : uint32_t {
#include "smt/solver/z3_library.def"
  Z3_LIBRARY_COUNT
} Z3LibraryFunction;
#undef FUNCTION
#undef PROCEDURE

#define FUNCTION(type, name, parameters, arguments) #name,
#define PROCEDURE(name, parameters, arguments) #name,
static const char *const library_names[] = {
#include "smt/solver/z3_library.def"
};
#undef FUNCTION
#undef PROCEDURE

static void *library_functions[Z3_LIBRARY_COUNT];
static atomic_bool library_is_open;
static once_flag library_once = ONCE_FLAG_INIT;

[[noreturn]] static void library_is_missing(const char *why) {
  fprintf(stderr, "affirm: the solver cannot be used: %s\n", why == nullptr ? AFFIRM_Z3_FILE : why);
  exit(3);
}

static void library_open(void) {
  void *library = dlopen(AFFIRM_Z3_FILE, RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) library_is_missing(dlerror());
  for (uint32_t i = 0; i < Z3_LIBRARY_COUNT; i++) {
    library_functions[i] = dlsym(library, library_names[i]);
    if (library_functions[i] == nullptr) library_is_missing(dlerror());
  }
  atomic_store_explicit(&library_is_open, true, memory_order_release);
}

static void *library_function(Z3LibraryFunction function) {
  if (!atomic_load_explicit(&library_is_open, memory_order_acquire))
    call_once(&library_once, library_open);
  return library_functions[function];
}

#define FUNCTION(type, name, parameters, arguments)                       \
  type name parameters {                                                  \
    return ((typeof(name) *)library_function(LIBRARY_##name)) arguments;  \
  }
#define PROCEDURE(name, parameters, arguments)                     \
  void name parameters {                                           \
    ((typeof(name) *)library_function(LIBRARY_##name)) arguments;  \
  }
#include "smt/solver/z3_library.def"
#undef FUNCTION
#undef PROCEDURE
#else
typedef int z3_library_is_linked;
#endif
