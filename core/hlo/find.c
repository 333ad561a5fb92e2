/* No name contains a slash, so COMPUTATION/NAME has one reading. */
#include "core/hlo/find.h"

#include <string.h>

#include "core/hlo/compare.h"

static const char *name_without_sign(const char *name) { return name + (*name == '%'); }

static const Instruction *find_in_computation(
    const Module *module, const char *name, size_t length, const char *rest) {
  for (uint32_t i = 0; i < module->computation_count; i++) {
    const char *computation = module->computations[i]->name;
    if (strncmp(computation, name, length) == 0 && computation[length] == 0)
      return computation_find(module->computations[i], name_without_sign(rest));
  }
  return nullptr;
}

static bool find_anywhere(
    const Module *module, const char *name, const Instruction **found, Error *error) {
  const Computation *first = nullptr;
  const Instruction *only = nullptr;
  for (uint32_t i = 0; i < module->computation_count; i++) {
    const Computation *computation = module->computations[i];
    const Instruction *instruction = computation_find(computation, name);
    if (instruction == nullptr) continue;
    if (first != nullptr)
      return error_set(error, ERROR_INPUT,
          "several computations have an instruction '%.50s': say %.50s/%.50s or %.50s/%.50s", name,
          first->name, name, computation->name, name);
    first = computation;
    only = instruction;
  }
  *found = only;
  return true;
}

bool instruction_find(
    const Module *module, const char *name, const Instruction **found, Error *error) {
  name = name_without_sign(name);
  const char *slash = strchr(name, '/');
  *found = slash != nullptr ? find_in_computation(module, name, (size_t)(slash - name), slash + 1)
           : module->entry != nullptr ? computation_find(module->entry, name)
                                      : nullptr;
  return *found != nullptr || slash != nullptr || find_anywhere(module, name, found, error);
}
