/* affirm explore: prints the explorer's page with a file in it. The page is built by the target
 * explorer and is beside the program or in share/affirm. Its mark `<!-- given to affirm
 * VERSION -->` is replaced by the file; a page of another version is rejected. */
#define _GNU_SOURCE /* memmem */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/explore/answer.h"
#include "cli/options.h"
#include "cli/session.h"
#include "core/base/file.h"
#include "core/base/program.h"
#include "core/base/foreign.h"

static constexpr char mark[] = "<!-- given to affirm " AFFIRM_VERSION " -->";

static bool read_beside(Arena *arena, const char *relative, Source *page) {
  char path[PATH_MAX];
  Error error = {};
  return program_directory(sizeof path, path) &&
         file_read(arena, arena_printf(arena, "%s/%s", path, relative), file_limit, page, &error);
}

static bool read_page(Arena *arena, Source *page) {
  return read_beside(arena, "explorer/index.html", page) ||
         read_beside(arena, "../share/affirm/explorer/index.html", page);
}

static Status explore_write(Arena *arena, const Source *given, const char *output) {
  Source page;
  if (!read_page(arena, &page))
    return session_usage(
        "no explorer/index.html beside this program or in ../share/affirm; the target explorer builds it, with wasi-libc and libclang-rt-NN-dev-wasm32");
  const char *at = memmem(page.text, page.length, mark, strlen(mark));
  if (at == nullptr)
    return session_usage(
        "%s is no page of affirm " AFFIRM_VERSION "; the target explorer builds it", page.name);
  Text text = text_create(arena);
  text_append(&text, page.text, (size_t)(at - page.text));
  text_string(&text, "<pre hidden id=\"given\"");
  html_attribute(&text, "file", given->name);
  html_between(&text, ">\n", given->text, "</pre>");
  at += strlen(mark);
  text_append(&text, at, page.length - (size_t)(at - page.text));
  bool is_done = session_write(output, text.bytes, text.length) &&
                 session_print(arena_printf(arena, "%s\n", output));
  return is_done ? STATUS_PROVED : STATUS_BAD;
}

/* Prints the rows exactly as the page shows them: the text has no file name there. */
static Status print_rows(const char *path, bool all) {
  Arena *arena = arena_create();
  Source source;
  Error error = {};
  Status status = STATUS_BAD;
  if (file_read_text(arena, path, file_limit, &source, &error)) {
    Text text = text_create(arena);
    text_printf(&text, "<!-- %s -->\n", source.name);
    source.name = "text";
    status = explore_answer(&text, &source, all);
    if (!session_print(text.bytes)) status = status_worse(status, STATUS_BAD);
  } else {
    status = session_fail(&error);
  }
  arena_destroy(arena);
  return status;
}

/* The page contains the text, and is valid UTF-8. */
static bool explore_check_text(const Source *given, Error *error) {
  for (size_t at = 0; at < given->length;) {
    size_t length = utf8_length(given->text + at);
    unsigned char byte = (unsigned char)given->text[at];
    if (byte == 0) return error_at(error, ERROR_INPUT, given, at, 1, "a byte 0x00 in the text");
    if (length == 0)
      return error_at(error, ERROR_INPUT, given, at, 1,
          "byte 0x%02x is not UTF-8; save the file as UTF-8", byte);
    at += length;
  }
  return true;
}

static Status write_given(const char *path, const char *output) {
  Arena *arena = arena_create();
  Source given;
  Error error = {};
  Status status =
      file_read_text(arena, path, file_limit, &given, &error) && explore_check_text(&given, &error)
          ? explore_write(arena, &given, output)
          : session_fail(&error);
  arena_destroy(arena);
  return status;
}

int cli_explore(int argc, char **argv) {
  const char *output = "explorer.html";
  bool rows = false, all = false;
  const Option options[] = {
      {"page", OPTION_OUTPUT, &output, "FILE: write the page to this file (explorer.html)",
          nullptr},
      {"rows", OPTION_FLAG, &rows,
          "print the rows that the page shows for each file; write no page", nullptr},
      {"all", OPTION_FLAG, &all, "include every instruction of every computation", nullptr},
  };
  static const OptionUse uses[] = {{"page", "none"}};
  const Command table = {.usage = "explore FILE [OPTION]...",
      .about =
          "Writes one self-contained page that shows the maps, pictures, steps and the enumerating judge's verdict of a text while it is typed, and prints its path. The file is HLO, maps or rules.",
      .notes =
          "HLO, then lines `Output 0 operand 0:` with maps below them: those maps are judged.\nTwo modules: their values are compared.\nExit status of --rows: the worst of its rows; no rule is proved here, so that a rule has 1 or 2.",
      OPTION_TABLE(options),
      MODE_TABLE("rows", uses)};
  int first, ended;
  if (!options_parse(&table, argc, argv, &first, &ended)) return ended;
  if (argc == first || (!rows && argc - first != 1))
    return session_end(session_usage("explore needs one file"));
  session_catch_signals();
  Status status = rows ? STATUS_PROVED : write_given(argv[first], output);
  for (int i = first; rows && i < argc && !session_is_interrupted(); i++)
    status = status_worse(status, print_rows(argv[i], all));
  return session_end(status);
}
