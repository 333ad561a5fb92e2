/* Libraries are opened one at a time. A library without one of its functions stays unusable. */
#include "core/base/late_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static const char *library_load(LateLibrary *library) {
  void *loaded = dlopen(library->file, RTLD_LAZY | RTLD_LOCAL);
  for (uint32_t i = 0; loaded != nullptr && i < library->count; i++) {
    library->functions[i] = dlsym(loaded, library->names[i]);
    if (library->functions[i] == nullptr) loaded = nullptr;
  }
  if (loaded != nullptr) {
    atomic_store_explicit(&library->is_open, true, memory_order_release);
    return nullptr;
  }
  const char *why = dlerror();
  return why == nullptr ? library->file : why;
}

const char *late_library_open(LateLibrary *library) {
  static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
  if (atomic_load_explicit(&library->is_open, memory_order_acquire)) return nullptr;
  pthread_mutex_lock(&opening);
  bool is_open = atomic_load_explicit(&library->is_open, memory_order_acquire);
  const char *why = is_open ? nullptr : library_load(library);
  pthread_mutex_unlock(&opening);
  return why;
}

void *late_library_function(LateLibrary *library, uint32_t function) {
  const char *why = late_library_open(library);
  if (why == nullptr) return library->functions[function];
  fprintf(stderr, "affirm: %s cannot be used: %s\n", library->what, why);
  exit(3);
}
