/* Measures generation alone: from random bytes to the text of a graph of three operations.
 * bench_fuzz_generate [GRAPHS]       300,000 graphs by default */
#include <stdio.h>
#include <stdlib.h>

#include "core/base/clock.h"
#include "core/base/choices.h"
#include "generate/decode.h"

static constexpr size_t operations = 3;

int main(int argc, char **argv) {
  uint64_t graphs = argc > 1 ? strtoull(argv[1], nullptr, 10) : 300'000, characters = 0;
  Arena *arena = arena_create();
  ArenaMark mark = arena_mark(arena);
  RandomChoices random = choices_of_seed(1);
  double start = clock_processor();
  for (uint64_t i = 0; i < graphs; i++) {
    uint8_t bytes[fuzz_header_bytes + operations * fuzz_record_bytes];
    size_t length;
    for (size_t k = 0; k < sizeof bytes; k++) bytes[k] = (uint8_t)choose(&random.choices, 256);
    characters += fuzz_decode_graph(arena, bytes, sizeof bytes, &length)[0] == 'H' ? length : 0;
    arena_rewind(arena, mark);
  }
  double seconds = clock_processor() - start;
  printf("generation %9llu graphs     %8.2f s %9.0f a second   %llu characters each\n",
      (unsigned long long)graphs, seconds, (double)graphs / seconds,
      (unsigned long long)(graphs == 0 ? 0 : characters / graphs));
  arena_destroy(arena);
}
