/* A run writes at most some hundred files, so that the names are searched one after another. */
#include "cli/prove/proof_files.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/inputs.h"
#include "core/base/file.h"
#include "core/base/text.h"

/* Letters, digits and `_`, of which a theorem's name consists too, are kept; so is `-` elsewhere.
 */
static void print_file_name(Text *text, const char *name, bool is_theorem) {
  for (const char *c = name; *c != 0; c++) {
    bool is_plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                    (*c >= '0' && *c <= '9') || *c == '_' || (*c == '-' && !is_theorem);
    text_append(text, is_plain ? c : "_", 1);
  }
}

static bool is_written(const ProofFiles *files, const char *path) {
  for (uint32_t i = 0; i < files->count; i++)
    if (strcmp(files->items[i], path) == 0) return true;
  return false;
}

const char *proof_files_add(
    ProofFiles *files, const char *directory, const char *name, const char *ending, Error *error) {
  if (mkdir(directory, 0777) != 0 && errno != EEXIST) {
    (void)error_set(error, ERROR_ENVIRONMENT, "%.200s: %s", directory, strerror(errno));
    return nullptr;
  }
  Text base = text_create(files->arena);
  text_printf(&base, "%s/", directory);
  bool is_theorem = strcmp(ending, ".v") == 0;
  print_file_name(&base, name, is_theorem);
  const char *path = base.bytes, *whole = arena_printf(files->arena, "%s%s", path, ending);
  for (uint32_t number = 2; is_written(files, whole); number++) {
    path = arena_printf(files->arena, "%s%c%u", base.bytes, is_theorem ? '_' : '-', number);
    whole = arena_printf(files->arena, "%s%s", path, ending);
  }
  *ARENA_PUSH(files->arena, files) = whole;
  return path;
}

bool proof_files_write(
    const ProofFiles *files, const char *path, const char *text, size_t length, Error *error) {
  for (int i = 0; i < files->input_count; i++)
    if (input_has(files->inputs[i], input_name_is_rules, path))
      return error_of_file(
          error, ERROR_ENVIRONMENT, path, "it is an input, so it is not overwritten");
  for (size_t i = 0; i < sizeof files->results / sizeof *files->results; i++)
    if (files->results[i] != nullptr && input_is_same_file(files->results[i], path))
      return error_of_file(
          error, ERROR_ENVIRONMENT, path, "--junit or --sarif would write the same file");
  return file_write(path, text, length, error);
}
