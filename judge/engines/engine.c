/* Converts questions to texts and texts to maps. Variables are sent with plain names (d0, s0, rt0)
 * and without sources, so that an engine needs little of the grammar. Sources are restored if the
 * number of runtime variables is unchanged. Analyses are parsed as in audits: with or without
 * headings, among log lines. */
#include "judge/engines/engine.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/foreign.h"
#include "core/base/hash.h"
#include "core/base/program.h"
#include "core/hlo/print/print.h"
#include "core/map/text.h"
#include "judge/audit/audit.h"
#include "judge/engines/kept.h"

static constexpr char host_name[] = "affirm-engine-host";

struct Engine {
  Arena *arena;
  const char *argv[4];
  const char *name, *option;
  bool offers[engine_verb_count];
  EngineProcess *process;
  const Module *module;
  Text module_text; /* of `module`, printed on first use */
  bool has_module_text;
  Arena *texts; /* for the current call */
  ArenaMark texts_mark;
  EngineReply reply;
  EngineAnswered answered;
};

const char *engine_verb_text(EngineVerb verb) {
  static const char *const texts[] = {"analyse", "simplify", "compose"};
  static_assert(sizeof texts / sizeof *texts == engine_verb_count);
  return texts[verb];
}

const char *engine_name(const Engine *engine) { return engine->name; }
bool engine_offers(const Engine *engine, EngineVerb verb) { return engine->offers[verb]; }
const char *engine_option(const Engine *engine) { return engine->option; }

/* The contents of each word of a shell command that names a file, by path or in PATH. `found` is
 * set to whether these are the files that it runs: there is one, and no `cd` stands before. */
static uint64_t mark_of_command(Arena *arena, const char *command, bool *found) {
  static const char between[] = " \t\n'\"();|&<>=";
  uint64_t mark = 0;
  const char *directories = getenv("PATH");
  bool changes_directory = false;
  *found = false;
  for (const char *at = command; *(at += strspn(at, between)) != 0;) {
    int length = (int)strcspn(at, between);
    uint64_t contents = program_file_hash(arena_printf(arena, "%.*s", length, at));
    bool is_name = memchr(at, '/', (size_t)length) == nullptr;
    for (const char *path = directories; contents == 0 && is_name && path != nullptr;) {
      size_t size = strcspn(path, ":");
      contents = program_file_hash(arena_printf(arena, "%.*s/%.*s", (int)size, path, length, at));
      path = path[size] == 0 ? nullptr : path + size + 1;
    }
    mark = hash_mix(mark, contents);
    *found |= contents != 0;
    changes_directory |= length == 2 && memcmp(at, "cd", 2) == 0;
    at += length;
  }
  *found &= !changes_directory;
  return mark;
}

/* A hash of the engine's files, if they are found. */
static uint64_t mark_of_files(const Engine *engine, bool *found) {
  const char *command = engine->argv[2];
  if (command != nullptr) return mark_of_command(engine->texts, command, found);
  const uint64_t mark = program_file_hash(engine->argv[1]);
  *found = mark != 0;
  return mark;
}

uint64_t engine_mark(const Engine *engine) {
  bool found;
  uint64_t mark = checksum_bytes(checksum_start, engine->name, strlen(engine->name));
  mark = checksum_bytes(mark, engine->option, strlen(engine->option));
  return hash_mix(mark, mark_of_files(engine, &found));
}

bool engine_has_mark(const Engine *engine, Error *error) {
  bool found;
  (void)mark_of_files(engine, &found);
  return found ||
         error_set(error, ERROR_ENVIRONMENT,
             "the files of the engine %s are not found from this directory, so that a journal could not tell it from a changed one; name them by their paths, without cd",
             engine->argv[2] == nullptr ? engine->argv[1] : engine->argv[2]);
}

uint64_t engine_starts(const Engine *engine) { return engine_process_starts(engine->process); }
uint64_t engine_requests(const Engine *engine) { return engine_process_requests(engine->process); }
uint64_t engine_interrupted(const Engine *engine) {
  return engine_process_interrupted(engine->process);
}
uint64_t engine_set_time(Engine *engine, uint64_t milliseconds) {
  return engine_process_set_time(engine->process, milliseconds);
}
void engine_set_end(Engine *engine, double end) { engine_process_set_end(engine->process, end); }
const EngineAnswered *engine_answered(const Engine *engine) { return &engine->answered; }

void engine_answered_add(Engine *engine, const EngineAnswered *more) {
  EngineAnswered *answered = &engine->answered;
  for (uint32_t i = 0; i < 2; i++) opcode_set_unite(&answered->analysed[i], &more->analysed[i]);
  answered->simplify |= more->simplify;
  answered->compose |= more->compose;
  answered->in_case |= more->in_case;
}

void engine_note_answered(Engine *engine, const Question *question) {
  opcode_set_add(&engine->answered.analysed[question->direction], question->instruction->opcode);
}

void engine_note_answered_case(Engine *engine) { engine->answered.in_case = true; }

void engine_set_stop(Engine *engine, bool (*stop)(void)) {
  engine_process_set_stop(engine->process, stop);
}
const EngineReply *engine_reply(const Engine *engine) { return &engine->reply; }

const char *engine_reply_text(const Engine *engine) {
  const char *kind = engine->reply.is_cut ? "no answer" : engine_kind_text(engine->reply.kind),
             *why = engine->reply.is_cut ? "the run ended before it" : engine->reply.why;
  return arena_printf(engine->texts, "%s%s%s", kind, why[0] == 0 ? "" : ": ", why);
}

/* --- starting an engine --- */

/* The path in AFFIRM_ENGINE_HOST, else the host in the directory of the running program. */
static const char *host_path(Arena *arena) {
  const char *stated = getenv("AFFIRM_ENGINE_HOST");
  if (stated != nullptr && stated[0] != 0) return stated;
  char directory[4096];
  if (!program_directory(sizeof directory, directory)) return host_name;
  return arena_printf(arena, "%s/%s", directory, host_name);
}

static void set_command(Engine *engine, const EngineOptions *options) {
  assert((options->library == nullptr) != (options->command == nullptr));
  if (options->command != nullptr) {
    engine->argv[0] = "/bin/sh", engine->argv[1] = "-c", engine->argv[2] = options->command;
    engine->option =
        arena_printf(engine->arena, "--engine-cmd %s", shell_word(engine->arena, options->command));
    return;
  }
  bool is_here = strchr(options->library, '/') == nullptr && access(options->library, F_OK) == 0;
  engine->argv[0] = host_path(engine->arena);
  engine->argv[1] =
      is_here ? arena_printf(engine->arena, "./%s", options->library) : options->library;
  engine->option =
      arena_printf(engine->arena, "--engine %s", shell_word(engine->arena, engine->argv[1]));
}

static bool has_word(const char *words, const char *word) {
  size_t length = strlen(word);
  for (const char *at = strstr(words, word); at != nullptr; at = strstr(at + 1, word))
    if ((at == words || at[-1] == ' ') && (at[length] == 0 || at[length] == ' ')) return true;
  return false;
}

static bool come_up(Engine *engine, Error *error) {
  const char *offers;
  if (!engine_process_hello(engine->process, engine->texts, &engine->name, &offers, &engine->reply))
    return error_set(error, ERROR_ENVIRONMENT, "the engine %s does not start: %.240s",
        engine->argv[2] != nullptr ? engine->argv[2] : engine->argv[1], engine_reply_text(engine));
  bool any = false;
  for (uint32_t i = 0; i < engine_verb_count; i++)
    any |= engine->offers[i] = has_word(offers, engine_verb_text((EngineVerb)i));
  return any || error_set(error, ERROR_ENVIRONMENT,
                    "the engine %s offers none of analyse, simplify, compose", engine->name);
}

Engine *engine_create(const EngineOptions *options, Error *error) {
  Arena *arena = arena_create();
  Engine *engine = ARENA_NEW(arena, Engine, 1);
  *engine = (Engine){.arena = arena, .texts = arena_create()};
  engine->texts_mark = arena_mark(engine->texts);
  set_command(engine, options);
  engine->process = engine_process_create(engine->argv, &options->limits);
  if (come_up(engine, error)) return engine;
  engine_destroy(engine);
  return nullptr;
}

void engine_destroy(Engine *engine) {
  if (engine == nullptr) return;
  engine_process_destroy(engine->process);
  if (engine->has_module_text) arena_destroy(engine->module_text.arena);
  arena_destroy(engine->texts);
  arena_destroy(engine->arena);
}

/* --- calls --- */

void engine_set_module(Engine *engine, const Module *module) {
  engine->module = module;
  if (engine->has_module_text) arena_destroy(engine->module_text.arena);
  engine->has_module_text = false;
}

static const char *module_text(Engine *engine) {
  assert(engine->module != nullptr);
  if (!engine->has_module_text) {
    engine->module_text = text_create(arena_create());
    hlo_print(&engine->module_text, engine->module);
    engine->has_module_text = true;
  }
  return engine->module_text.bytes;
}

/* NAME if the entry has this instruction, or no other computation has one of this name; otherwise
 * COMPUTATION/NAME. */
static const char *instruction_path(Engine *engine, const Instruction *instruction) {
  bool is_ambiguous = false;
  for (uint32_t i = 0; i < engine->module->computation_count && !instruction->parent->is_entry;
      i++) {
    const Computation *computation = engine->module->computations[i];
    for (uint32_t k = 0; k < computation->instruction_count && computation != instruction->parent;
        k++)
      is_ambiguous |= strcmp(computation->instructions[k]->name, instruction->name) == 0;
  }
  if (!is_ambiguous) return instruction->name;
  Text path = text_create(engine->texts);
  instruction_print_path(&path, instruction);
  return path.bytes;
}

[[gnu::format(printf, 3, 4)]] static EngineKind say(
    Engine *engine, EngineKind kind, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  engine->reply.kind = kind;
  engine->reply.quoted = engine->reply.words = 0;
  char *why = arena_write(engine->texts, format, arguments);
  va_end(arguments);
  for (char *at = why; *at != 0; at++)
    if ((unsigned char)*at < ' ') *at = ' ';
  engine->reply.why = why;
  return kind;
}

static constexpr size_t answer_shown = 200;
/* Like say, followed by the start of the answer. */
static EngineKind say_of_answer(
    Engine *engine, EngineKind kind, const char *what, const char *answer) {
  bool is_long = strlen(answer) > answer_shown;
  (void)say(engine, kind, "%s, in the answer %.*s%s", what, (int)answer_shown, answer,
      is_long ? "..." : "");
  engine->reply.quoted = strlen(what);
  return kind;
}

void engine_note(Engine *engine, EngineKind kind, const char *what, const char *why) {
  engine->reply = (EngineReply){.why = ""};
  (void)say(engine, kind, "%s%s", what, why);
}

/* Frees the texts of the previous call. */
static bool begin_call(Engine *engine, EngineVerb verb) {
  arena_rewind(engine->texts, engine->texts_mark);
  engine->reply = (EngineReply){.why = ""};
  if (engine->offers[verb]) return true;
  (void)say(engine, ENGINE_NOT_OFFERED, "%s offers no %s", engine->name, engine_verb_text(verb));
  return false;
}

static bool has_ended(const EngineReply *reply) {
  return reply->kind == ENGINE_CRASHED || reply->kind == ENGINE_ABORTED ||
         reply->kind == ENGINE_EXITED;
}

/* Inserts a note between the reason and the last words. */
static void say_after_others(Arena *arena, EngineReply *reply, uint64_t others) {
  size_t words = reply->words == 0 ? strlen(reply->why) : reply->words;
  Text why = text_create(arena);
  text_append(&why, reply->why, words);
  text_printf(&why, ", only after %llu earlier questions", (unsigned long long)others);
  if (reply->words != 0) reply->words = why.length;
  text_string(&why, reply->why + words);
  reply->why = why.bytes;
  reply->earlier = others;
}

/* If a request ends a process that had answered others, it is repeated in a fresh process. If that
 * process does not end, the reply says so. */
static Text engine_request(Engine *engine, uint32_t count, const char *const *fields) {
  Text answer = text_create(engine->texts), again = text_create(engine->texts);
  engine_process_query(engine->process, count, fields, &answer, &engine->reply);
  uint64_t others = engine_process_served(engine->process);
  if (others == 0 || !has_ended(&engine->reply)) return answer;
  EngineReply alone;
  engine_process_query(engine->process, count, fields, &again, &alone);
  if (!has_ended(&alone) && !alone.is_cut) say_after_others(engine->texts, &engine->reply, others);
  return answer;
}

static const char *plain_text(Engine *engine, MapContext *context, const Map *map) {
  Map plain = *map;
  plain.sources = nullptr;
  Variable **kinds[] = {&plain.dims, &plain.ranges, &plain.runtimes};
  const uint32_t counts[] = {plain.dim_count, plain.range_count, plain.runtime_count};
  for (size_t k = 0; k < 3; k++) {
    Variable *copy = ARENA_NEW(engine->texts, Variable, counts[k]);
    for (uint32_t i = 0; i < counts[k]; i++) copy[i].bounds = (*kinds[k])[i].bounds;
    *kinds[k] = copy;
  }
  return map_text(engine->texts, context, &plain, MAP_STYLE_STATED);
}

typedef struct Wanted {
  uint32_t dims, runtimes, results;
} Wanted;

static EngineKind check_rank(
    Engine *engine, const char *answer, const Map *map, const Wanted *wanted) {
  if (map->state == MAP_UNDEFINED) return say(engine, ENGINE_UNDEFINED, "the text says UNDEFINED");
  if (map->state == MAP_KNOWN_EMPTY) return ENGINE_ANSWERED;
  if (map->dim_count == wanted->dims && map->runtime_count == wanted->runtimes &&
      map->result_count == wanted->results)
    return ENGINE_ANSWERED;
  const char *what = arena_printf(engine->texts, "%s, %s and %s, expected %u, %u and %u",
      counted(map->dim_count, "dimension"), counted(map->runtime_count, "runtime variable"),
      counted(map->result_count, "result"), wanted->dims, wanted->runtimes, wanted->results);
  return say_of_answer(engine, ENGINE_RANK, what, answer);
}

static EngineKind say_error(Engine *engine, const Error *error, const char *answer) {
  EngineKind kind = error->kind == ERROR_OVERFLOW ? ENGINE_OVERFLOW : ENGINE_GARBAGE;
  const char *what =
      arena_printf(engine->texts, "%u:%u: %s", error->line, error->column, error->message);
  return say_of_answer(engine, kind, what, answer);
}

static EngineKind read_answer(Engine *engine, MapContext *context, const char *answer,
    const Wanted *wanted, const Map **map) {
  const Source source = {
      .name = "answer", .text = answer, .length = strlen(answer), .first_line = 1};
  Error error = {};
  if (map_parse(context, &source, map, &error)) return check_rank(engine, answer, *map, wanted);
  return say_error(engine, &error, answer);
}

/* The judged map has all variables of the request, including those that the engine removed. */
static EngineKind read_simplified(Engine *engine, MapContext *context, const char *answer,
    const Map *queried, const Map **simplified) {
  VariablesKept kept;
  const char *text, *why;
  Error error = {};
  if (!kept_read(engine->texts, queried, answer, &kept, &text, &why))
    return say_of_answer(engine, ENGINE_GARBAGE, why, answer);
  EngineKind kind = read_answer(engine, context, text,
      &(Wanted){kept.counts[VAR_DIM], kept.counts[VAR_RUNTIME], queried->result_count}, simplified);
  if (kind != ENGINE_ANSWERED || !kept.is_stated || (*simplified)->state != MAP_PLAIN) return kind;
  return kept_restore(context, queried, &kept, *simplified, simplified, &error)
             ? kind
             : say_error(engine, &error, answer);
}

static const Map *with_sources(MapContext *context, const Map *map, const Map *of) {
  if (of->sources == nullptr || map->state != MAP_PLAIN || map->runtime_count != of->runtime_count)
    return map;
  Map *copy = ARENA_NEW(context->arena, Map, 1);
  *copy = *map;
  copy->sources = of->sources;
  return copy;
}

EngineKind engine_simplify(
    Engine *engine, MapContext *context, const Map *map, const Map **simplified) {
  if (!begin_call(engine, ENGINE_SIMPLIFY)) return engine->reply.kind;
  assert(map->state != MAP_UNDEFINED);
  const char *const fields[] = {"simplify", plain_text(engine, context, map)};
  Text answer = engine_request(engine, 2, fields);
  if (engine->reply.kind != ENGINE_ANSWERED) return engine->reply.kind;
  EngineKind kind = read_simplified(engine, context, answer.bytes, map, simplified);
  engine->answered.simplify |= kind == ENGINE_ANSWERED;
  if (kind == ENGINE_ANSWERED) *simplified = with_sources(context, *simplified, map);
  return kind;
}

EngineKind engine_compose(Engine *engine, MapContext *context, const Map *consumer,
    const Map *producer, const Map **composed) {
  if (!begin_call(engine, ENGINE_COMPOSE)) return engine->reply.kind;
  const char *const fields[] = {
      "compose", plain_text(engine, context, consumer), plain_text(engine, context, producer)};
  Text answer = engine_request(engine, 3, fields);
  if (engine->reply.kind != ENGINE_ANSWERED) return engine->reply.kind;
  const Wanted wanted = {consumer->dim_count, consumer->runtime_count + producer->runtime_count,
      producer->result_count};
  EngineKind kind = read_answer(engine, context, answer.bytes, &wanted, composed);
  engine->answered.compose |= kind == ENGINE_ANSWERED;
  return kind;
}

static bool is_same_pair(const Question *a, const Question *b) {
  assert(a->instruction == b->instruction);
  return a->direction == b->direction && a->output == b->output && a->operand == b->operand &&
         a->operand_leaf == b->operand_leaf;
}

/* True if a line starts with `beginning`; log lines may precede it. */
static bool has_line(const char *text, const char *beginning) {
  size_t length = strlen(beginning);
  for (const char *at = text; at != nullptr; at = strchr(at, '\n'), at += at != nullptr)
    if (strncmp(at, beginning, length) == 0) return true;
  return false;
}

/* Counts the blocks of a printed answer that are about the question, and returns the first one. An
 * answer without headings is one block. The query counts the leaves of the output, so a heading of
 * the answer does too. */
static const PrintedBlock *find_block(
    Engine *engine, const Question *question, const Text *answer, uint32_t *count) {
  const PrintedBlock *found = nullptr;
  *count = 0;
  Text text = text_create(engine->texts);
  bool has_heading = has_line(answer->bytes, "Output ") || has_line(answer->bytes, "Operand ");
  if (!has_heading) question_print_heading(&text, question);
  text_printf(&text, "%s%s\n", has_heading ? "" : ":\n", answer->bytes);
  Source *source = ARENA_NEW(engine->texts, Source, 1);
  *source = (Source){.name = "answer",
      .text = text.bytes,
      .length = text.length,
      .first_line = has_heading ? 1 : 0};
  Printed *printed = ARENA_NEW(engine->texts, Printed, 1);
  Error error = {};
  Audit *audit = audit_create(engine->texts);
  if (!printed_parse(engine->texts, source, printed, &error)) return nullptr;
  for (uint32_t i = 0; i < printed->count; i++) {
    Question printed_question;
    if (audit_match_leaves(question->instruction, &printed->items[i], &printed_question, audit) &&
        is_same_pair(&printed_question, question) && (*count)++ == 0)
      found = &printed->items[i];
  }
  return found;
}

static EngineKind kind_of(Engine *engine, const Audit *audit) {
  if (audit->answer == REASON_MALFORMED)
    return say(engine,
        audit->is_misfit     ? ENGINE_RANK
        : audit->is_overflow ? ENGINE_OVERFLOW
                             : ENGINE_GARBAGE,
        "%s", audit->text);
  if (audit->answer == REASON_UNDEFINED) return say(engine, ENGINE_UNDEFINED, "%s", audit->text);
  return say(engine, ENGINE_REJECTED, "not read: %.440s", audit->text);
}

EngineKind engine_analyse(
    Engine *engine, MapContext *context, const Question *question, MapSet *maps) {
  *maps = (MapSet){};
  if (!begin_call(engine, ENGINE_ANALYSE)) return engine->reply.kind;
  Arena *texts = engine->texts;
  const char *const fields[] = {"analyse", direction_text(question->direction),
      instruction_path(engine, question->instruction), arena_printf(texts, "%u", question->output),
      arena_printf(texts, "%u", question->operand),
      arena_printf(texts, "%u", question->operand_leaf), module_text(engine)};
  Text answer = engine_request(engine, 7, fields);
  if (engine->reply.kind != ENGINE_ANSWERED) return engine->reply.kind;
  uint32_t count;
  const PrintedBlock *block = find_block(engine, question, &answer, &count);
  if (count != 1)
    return say_of_answer(engine, ENGINE_GARBAGE,
        count == 0 ? "no maps of the pair that was asked for"
                   : "the pair that was asked for has two headings",
        answer.bytes);
  Audit *audit = audit_create(texts);
  Text why = text_create(texts);
  if (!audit_read_maps(context, context->arena, question, block, &why, maps, audit))
    return kind_of(engine, audit);
  return ENGINE_ANSWERED;
}
