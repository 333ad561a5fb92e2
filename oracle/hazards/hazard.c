/* First, the time at which each buffer position is overwritten is computed. Then, for each element,
 * the positions that it reads: a position that was overwritten earlier is the hazard. Code that
 * runs after the update reads the final buffer, whatever the order of its own loops. Reads are the
 * atoms of an element's term. A pick by an offset of the window itself is decided by the offset's
 * value; every other pick may read each of its candidates for which inputs are found. Outputs of
 * one kernel with the same number of elements are computed side by side. The buffer may be several
 * parameters: an atom of any of them is a read of its position. */
#include "oracle/hazards/hazard.h"

#include <string.h>

#include "core/base/stack.h"
#include "oracle/symbolic/build.h"
#include "oracle/hazards/feasible.h"
#include "oracle/hazards/hazard_memory.h"

static constexpr int64_t most_positions = 1 << 20;
static constexpr uint64_t most_work = 20'000'000;
static constexpr uint32_t most_offsets = 1 << 12, most_path = 16;

/* The elements that a loop nest computes for one output leaf. */
typedef struct LoopNest {
  const Node *root;
  uint32_t leaf;
  const Node *update; /* the dynamic-update-slice; nullptr: every element is written */
  const Leaf *space;  /* the iteration space: the window, or the output */
  uint32_t order[oracle_max_rank];
  Term offsets[oracle_max_rank]; /* of the update */
} LoopNest;

/* A parameter's leaf that is the buffer. */
typedef struct BufferView {
  HazardInput input;
  uint32_t signature; /* of its atoms */
  const Leaf *leaf;
} BufferView;

typedef struct Hazard {
  Arena *arena;
  const HazardQuestion *question;
  HazardVerdict *verdict;
  Terms *terms;
  TermBuilder builder;
  Rejection rejection;
  uint64_t builder_work, work;
  uint32_t view_count; /* the first is the question's parameter */
  BufferView *views;
  const Leaf *output;
  const Node *written; /* the update that is written into the buffer; nullptr: every element is */
  int64_t *times;      /* [position]: the time at which it is overwritten; -1: never */
  int64_t values[oracle_max_rank], most[oracle_max_rank];
  uint32_t *seen, stamp;
  Feasible feasible;
  uint32_t path_count; /* picks above the current term; more than most_path are not listed */
  Position path[most_path + oracle_max_rank];
  uint64_t dismissed;  /* reads that would be hazards, and that no inputs were found to lead to */
  bool is_doubtful;    /* a read that would be a hazard, for which no inputs were found */
  uint32_t fewer;      /* operations above the current term that may read only a part of it */
  const char *doubt;   /* why a read that would be a hazard may not occur; or nullptr */
  bool is_limited;     /* such a read is chosen by inputs: little more is looked for */
  bool is_here;        /* at the current offsets there is a hazard, whatever the inputs are */
  HazardVerdict shown; /* such a hazard, if the answer of one is set */
  const LoopNest *writer;
  bool is_apart;       /* outputs of other sizes are looked at: they are computed at any time */
  bool by_index;       /* outputs side by side are computed index by index, not in memory order */
  bool has_two_orders; /* an output has the writer's sizes and another layout */
} Hazard;

static void hazard_unknown(HazardVerdict *verdict, const char *why) {
  verdict->answer = HAZARD_UNKNOWN;
  if (verdict->reason[0] == 0) snprintf(verdict->reason, sizeof verdict->reason, "%s", why);
}

static bool hazard_begin(Hazard *hazard, Arena *arena, const Computation *kernel) {
  hazard->arena = arena;
  hazard->terms = terms_create(arena);
  return builder_create(&hazard->builder, arena, hazard->terms, build_element, kernel, false,
      &hazard->builder_work, most_work, &hazard->rejection);
}

bool oracle_hazard_updates(Arena *arena, const Computation *kernel, uint32_t output,
    uint32_t *parameter, uint32_t *parameter_leaf) {
  Hazard hazard = {};
  ArenaMark mark = arena_mark(arena);
  bool updates =
      hazard_begin(&hazard, arena, kernel) &&
      hazard_updated(hazard.builder.flow.root, output, parameter, parameter_leaf) != nullptr;
  arena_rewind(arena, mark); /* the graph of the kernel */
  return updates;
}

/* --- positions and times --- */

static bool has_plain_layout(const Shape *shape) {
  return shape->layout_rest == nullptr || strchr(shape->layout_rest, 'T') == nullptr;
}

static bool has_sizes_of(const Leaf *one, const Leaf *other) {
  return one->rank == other->rank &&
         memcmp(one->sizes, other->sizes, one->rank * sizeof *one->sizes) == 0;
}

/* The array in memory that the nest writes: a bitcast of an update may have other dimensions. */
static const Leaf *written_leaf(const LoopNest *nest) {
  return nest->update != nullptr ? &nest->update->leaves[0] : &nest->root->leaves[nest->leaf];
}

static bool set_order(const Hazard *hazard, LoopNest *nest) {
  const HazardQuestion *question = hazard->question;
  const Leaf *space = nest->space;
  const Shape *shape = written_leaf(nest)->shape; /* the window has its rank and its order */
  bool used[oracle_max_rank] = {};
  for (uint32_t i = 0; i < space->rank; i++) {
    uint32_t major = space->rank - 1 - i;
    nest->order[i] = question->order_count > 0 ? question->order[i]
                     : shape->has_layout       ? shape->minor_to_major[major]
                                               : i;
    if (nest->order[i] >= space->rank || used[nest->order[i]]) return false;
    used[nest->order[i]] = true;
  }
  if (hazard->by_index && hazard->writer != nullptr && has_sizes_of(space, hazard->writer->space))
    memcpy(nest->order, hazard->writer->order, sizeof nest->order);
  return true;
}

/* The element that is computed at `time`. */
static void element_at(const LoopNest *nest, int64_t time, int64_t *at) {
  for (uint32_t i = nest->space->rank; i-- > 0;) {
    at[nest->order[i]] = time % nest->space->sizes[nest->order[i]];
    time /= nest->space->sizes[nest->order[i]];
  }
}

static bool is_buffer_input(const HazardQuestion *question, uint32_t parameter, uint32_t leaf) {
  bool is_it = parameter == question->parameter && leaf == question->parameter_leaf;
  for (uint32_t i = 0; i < question->same_count; i++)
    is_it |= parameter == question->same[i].parameter && leaf == question->same[i].leaf;
  return is_it;
}

/* The buffer holds one output. An update of another array that is written there copies all
 * elements, and so does another update of the buffer, which is written elsewhere. */
static bool begin_nest(Hazard *hazard, uint32_t leaf, LoopNest *nest) {
  uint32_t parameter = UINT32_MAX, parameter_leaf = 0;
  const HazardQuestion *question = hazard->question;
  *nest = (LoopNest){.root = hazard->builder.flow.root, .leaf = leaf};
  nest->update = hazard_updated(nest->root, leaf, &parameter, &parameter_leaf);
  bool is_buffer = is_buffer_input(question, parameter, parameter_leaf);
  bool copies_all = leaf == question->output
                        ? !is_buffer
                        : question->reads_after || (is_buffer && nest->update != hazard->written);
  if (copies_all) nest->update = nullptr;
  nest->space =
      nest->update != nullptr ? &nest->update->operands[1]->leaves[0] : &nest->root->leaves[leaf];
  return (question->order_count == 0 || question->order_count == nest->space->rank) &&
         set_order(hazard, nest);
}

static bool build_offsets(Hazard *hazard, LoopNest *nest) {
  const Node *update = nest->update;
  uint32_t rank = update == nullptr ? 0 : update->operands[0]->leaves[0].rank;
  if (update != nullptr && update->operand_count != 2 + rank)
    return reject(
        &hazard->rejection, REASON_UNSUPPORTED, "an update has another number of offsets");
  for (uint32_t i = 0; i < rank; i++)
    if (!builder_element(&hazard->builder, update->operands[2 + i], 0, 0, &nest->offsets[i]))
      return false;
  return true;
}

static bool find_offsets(Hazard *hazard, LoopNest *nest) {
  const Node *update = nest->update;
  const Leaf *base = &update->operands[0]->leaves[0];
  uint64_t cases = 1;
  for (uint32_t i = 0; i < base->rank; i++) {
    hazard->most[i] = base->sizes[i] - nest->space->sizes[i];
    hazard->values[i] = 0;
    if (terms_is_known_offset(
            hazard->terms, nest->offsets[i], hazard->most[i] + 1, &hazard->values[i]))
      hazard->most[i] = -1;
    else cases *= (uint64_t)hazard->most[i] + 1;
    if (cases > most_offsets) return false;
  }
  return true;
}

static bool next_offsets(Hazard *hazard, uint32_t rank) {
  for (uint32_t i = 0; i < rank; i++) {
    if (hazard->most[i] <= 0) continue;
    if (++hazard->values[i] <= hazard->most[i]) return true;
    hazard->values[i] = 0;
  }
  return false;
}

static void note_writes(Hazard *hazard, const LoopNest *nest, int64_t positions) {
  int64_t at[oracle_max_rank] = {};
  memset(hazard->times, 0xff, (size_t)positions * sizeof *hazard->times);
  const Leaf *target = written_leaf(nest);
  for (int64_t time = 0; time < nest->space->elements; time++) {
    element_at(nest, time, at);
    for (uint32_t i = 0; nest->update != nullptr && i < nest->space->rank; i++)
      at[i] += hazard->values[i];
    int64_t position = leaf_position(target, at);
    hazard->times[position] = time;
  }
}

/* --- reads --- */

typedef struct ReadAt {
  const LoopNest *nest;
  int64_t time;
  bool for_offset; /* of its window */
} ReadAt;

static bool found(Hazard *hazard, const ReadAt *read, const LoopNest *writer, int64_t position,
    const BufferView *view, HazardVerdict *verdict) {
  verdict->answer = HAZARD_FOUND;
  verdict->reader_output = read->nest->leaf;
  verdict->reads_offset = read->for_offset;
  verdict->reader_input = view->input;
  verdict->rank = writer->space->rank;
  verdict->reader_rank = read->nest->space->rank;
  element_at(writer, hazard->times[position], verdict->writer);
  element_at(read->nest, read->time, verdict->reader);
  verdict->buffer_rank = hazard->views[0].leaf->rank;
  leaf_at_position(hazard->views[0].leaf, position, verdict->buffer);
  Text text = text_create(hazard->arena);
  if (writer->update != nullptr) text_integers(&text, ", ", writer->space->rank, hazard->values);
  verdict->offsets = writer->update != nullptr ? text.bytes : nullptr;
  return true;
}

/* Whether inputs lead to this read while the window is at the current offsets, and why these may
 * not occur. */
static VerdictStatus read_status(Hazard *hazard, const LoopNest *writer, const char **doubt) {
  uint32_t count = hazard->path_count;
  bool is_listed = count <= most_path;
  VerdictStatus status = VERDICT_UNKNOWN;
  for (uint32_t i = 0; is_listed && writer->update != nullptr && i < writer->space->rank; i++)
    if (hazard->most[i] > 0)
      hazard->path[count++] =
          (Position){writer->offsets[i], hazard->values[i], hazard->most[i] + 1};
  if (is_listed) status = positions_are_feasible(&hazard->feasible, count, hazard->path);
  if (status == VERDICT_PROVED) *doubt = positions_depend(&hazard->feasible, count, hazard->path);
  return status;
}

/* After a doubtful choice only a hazard without a doubt is still looked for, and not for long. */
static void note_doubt(Hazard *hazard, const char *doubt) {
  static constexpr uint64_t most_after = 1'000'000;
  if (doubt == nullptr) return;
  if (hazard->path_count > 0 && hazard->work < most_work - most_after && !hazard->is_limited)
    hazard->work = most_work - most_after;
  hazard->is_limited |= hazard->path_count > 0;
  hazard->doubt = doubt;
}

/* A read of an element that was overwritten. It is the hazard if there are inputs that lead to it,
 * and all of them occur. True also if nothing more can be found while the window is at the current
 * offsets: there is a hazard, and its offsets are doubtful themselves. */
static bool note_read(Hazard *hazard, const ReadAt *read, const LoopNest *writer, int64_t position,
    const BufferView *view) {
  const char *doubt = nullptr;
  VerdictStatus status = read_status(hazard, writer, &doubt);
  bool is_read = hazard->fewer == 0;
  if (status == VERDICT_PROVED && !is_read)
    doubt =
        "an element may be read after it was overwritten: which elements an operation reads is not followed";
  if (status == VERDICT_PROVED && doubt == nullptr)
    return found(hazard, read, writer, position, view, hazard->verdict);
  hazard->dismissed++;
  hazard->is_doubtful |= status == VERDICT_UNKNOWN;
  note_doubt(hazard, doubt);
  if (hazard->path_count > 0 || !is_read) return false;
  hazard->is_here = true;
  if (doubt != nullptr && hazard->shown.answer == HAZARD_NONE)
    (void)found(hazard, read, writer, position, view, &hazard->shown);
  return doubt != nullptr;
}

static bool read_atom(Hazard *hazard, const ReadAt *read, const LoopNest *writer,
    const BufferView *view, int64_t element) {
  int64_t at[oracle_max_rank] = {};
  leaf_index(view->leaf, element, at);
  int64_t position = leaf_position(view->leaf, at), time = hazard->times[position];
  bool is_any = hazard->question->reads_after || hazard->is_apart,
       is_before = time >= 0 && (is_any || time < read->time);
  return is_before && note_read(hazard, read, writer, position, view);
}

/* The parameter that an atom or a whole array is; nullptr: not the buffer. */
static const BufferView *view_of(const Hazard *hazard, const TermData *data) {
  if (data->kind != TERM_ATOM && data->kind != TERM_ARRAY) return nullptr;
  for (uint32_t i = 0; i < hazard->view_count; i++)
    if (data->signature == hazard->views[i].signature) return &hazard->views[i];
  return nullptr;
}

/* The candidate of a pick that is read; -1: any of them. */
static int64_t picked(
    const Hazard *hazard, const LoopNest *writer, const TermData *data, Term offset) {
  for (uint32_t i = 0; writer->update != nullptr && i < writer->space->rank; i++)
    if (offset == writer->offsets[i] && hazard->most[i] == (int64_t)data->count - 2)
      return hazard->values[i];
  return -1;
}

/* Whether the atom or the whole array is an element that was overwritten earlier. */
static bool is_overwritten(Hazard *hazard, const ReadAt *read, const LoopNest *writer, Term term) {
  const TermData *data = term_data(hazard->terms, term);
  const BufferView *view = view_of(hazard, data);
  if (view != nullptr && data->kind == TERM_ATOM)
    return read_atom(hazard, read, writer, view, (int64_t)data->payload);
  for (int64_t i = 0; view != nullptr && data->count == 0 && i < view->leaf->elements; i++)
    if (read_atom(hazard, read, writer, view, i)) return true;
  return false;
}

/* Whether an element may depend only on parts of the arrays that are the term's children: the
 * operation is not followed, or was too large. An opaque one that runs alone reads all. */
static bool reads_fewer(const Hazard *hazard, const TermData *data) {
  const Terms *terms = hazard->terms;
  if (data->kind != TERM_APPLY) return false;
  const TermSignature *of = signature_at(terms, data->signature);
  const Instruction *instruction = of->instruction;
  if (!of->is_opaque || of->sorts != SORTS_NOT || instruction == nullptr) return false;
  switch (opcode_family(instruction->opcode)) {
    case FAMILY_ELEMENTWISE:
    case FAMILY_SOURCE:
    case FAMILY_SHAPE:
    case FAMILY_REDUCE:
    case FAMILY_DYNAMIC:
    case FAMILY_CALL: return true;
    case FAMILY_CONTRACT:
      return instruction->opcode == HLO_DOT || instruction->opcode == HLO_CONVOLUTION;
    case FAMILY_ORDER: return shape_leaf(instruction->shape, 0)->rank > 1;
    case FAMILY_OPAQUE: return !hazard->question->reads_after;
    case FAMILY_STRUCTURE:
    case FAMILY_COLLECTIVE: return false;
  }
  return false;
}

/* Whether the term reads a position that was overwritten earlier. */
static bool reads_overwritten(
    Hazard *hazard, const ReadAt *read, const LoopNest *writer, Term term) {
  const TermData *data = term_data(hazard->terms, term);
  if (hazard->work <= most_work && stack_is_low()) {
    (void)reject(&hazard->rejection, REASON_TOO_LARGE, "%s", stack_low_text);
    hazard->work = most_work + 1;
  }
  if (hazard->seen[term] == hazard->stamp || hazard->work++ > most_work) return false;
  hazard->seen[term] = hazard->stamp;
  uint64_t dismissed = hazard->dismissed;
  int64_t candidate = data->kind == TERM_PICK
                          ? picked(hazard, writer, data, term_children(hazard->terms, term)[0])
                          : -1;
  bool is_choice = data->kind == TERM_PICK && candidate < 0,
       is_found = is_overwritten(hazard, read, writer, term),
       is_partial = reads_fewer(hazard, data);
  hazard->fewer += is_partial;
  for (uint32_t i = 0; !is_found && i < data->count; i++) {
    if (candidate >= 0 && i > (uint64_t)candidate + 1) break;
    if (candidate >= 0 && i > 0) i = (uint32_t)candidate + 1;
    bool is_chosen = is_choice && i > 0;
    const Term *children = term_children(hazard->terms, term);
    if (is_chosen && hazard->path_count < most_path)
      hazard->path[hazard->path_count] = (Position){children[0], i - 1, data->count - 1};
    hazard->path_count += is_chosen;
    is_found = reads_overwritten(hazard, read, writer, children[i]);
    hazard->path_count -= is_chosen;
  }
  hazard->fewer -= is_partial;
  if (hazard->dismissed > dismissed) hazard->seen[term] = 0; /* other picks may lead here */
  return is_found;
}

static bool term_at(Hazard *hazard, const LoopNest *nest, int64_t time, Term *term) {
  int64_t at[oracle_max_rank] = {};
  element_at(nest, time, at);
  const Node *node = nest->update != nullptr ? nest->update->operands[1] : nest->root;
  uint32_t leaf = nest->update != nullptr ? 0 : nest->leaf;
  return builder_element(&hazard->builder, node, leaf, leaf_element(nest->space, at), term);
}

/* Builds all terms before any is walked, because marks are kept by term. */
static Term *build_terms(Hazard *hazard, const LoopNest *nest) {
  Term *terms = ARENA_NEW(hazard->arena, Term, nest->space->elements + 1);
  for (int64_t time = 0; time < nest->space->elements; time++)
    if (!term_at(hazard, nest, time, &terms[time])) return nullptr;
  return terms;
}

/* Whether elements of `nest` read what `writer` has overwritten, under the current offsets. */
static bool find_hazard(
    Hazard *hazard, const LoopNest *nest, const LoopNest *writer, const Term *terms) {
  for (int64_t time = 0; time < nest->space->elements; time++) {
    hazard->stamp++;
    if (reads_overwritten(hazard, &(ReadAt){nest, time, false}, writer, terms[time])) return true;
    for (uint32_t i = 0; nest->update != nullptr && i < nest->space->rank; i++)
      if (reads_overwritten(hazard, &(ReadAt){nest, time, true}, writer, nest->offsets[i]))
        return true;
  }
  return false;
}

/* The same number of elements, each as wide. */
static bool has_width_of(const Leaf *leaf, const Leaf *output) {
  return leaf->elements == output->elements &&
         element_type_bits(leaf->shape->type) == element_type_bits(output->shape->type);
}

/* Adds a parameter that is the buffer. */
static bool add_view(Hazard *hazard, HazardInput input) {
  const Flow *flow = &hazard->builder.flow;
  if (input.parameter >= flow->input_count ||
      input.leaf >= flow->inputs[input.parameter]->leaf_count)
    return reject(&hazard->rejection, REASON_UNSUPPORTED, "no such output or parameter");
  const Node *node = flow->inputs[input.parameter];
  const Leaf *leaf = &node->leaves[input.leaf];
  if (!has_width_of(leaf, hazard->output))
    return reject(&hazard->rejection, REASON_UNSUPPORTED, "the buffers are of different sizes");
  if (!has_plain_layout(leaf->shape))
    return reject(&hazard->rejection, REASON_UNSUPPORTED, "a layout with tiles is not followed");
  hazard->views[hazard->view_count++] =
      (BufferView){input, builder_atoms(&hazard->builder, node, input.leaf), leaf};
  return true;
}

static bool add_views(Hazard *hazard) {
  const HazardQuestion *question = hazard->question;
  hazard->views = ARENA_NEW(hazard->arena, BufferView, question->same_count + 1);
  if (!add_view(hazard, (HazardInput){question->parameter, question->parameter_leaf})) return false;
  for (uint32_t i = 0; i < question->same_count; i++)
    if (!add_view(hazard, question->same[i])) return false;
  return true;
}

static void mark_computed(Hazard *hazard) {
  const Flow *flow = &hazard->builder.flow;
  for (uint32_t i = 0; hazard->question->is_computed != nullptr && i < flow->input_count; i++)
    for (uint32_t k = 0; hazard->question->is_computed[i] && k < flow->inputs[i]->leaf_count; k++) {
      uint32_t atoms = builder_atoms(&hazard->builder, flow->inputs[i], k);
      signature_at(hazard->terms, atoms)->is_computed = true;
    }
}

static bool hazard_prepare(Hazard *hazard, LoopNest *writer) {
  const HazardQuestion *question = hazard->question;
  const Flow *flow = &hazard->builder.flow;
  if (question->output >= flow->root->leaf_count)
    return reject(&hazard->rejection, REASON_UNSUPPORTED, "no such output or parameter");
  hazard->output = &flow->root->leaves[question->output];
  if (!add_views(hazard)) return false;
  mark_computed(hazard);
  if (hazard->output->elements > most_positions)
    return reject(&hazard->rejection, REASON_TOO_LARGE, "too large: %s of a buffer",
        counted(hazard->output->elements, "element"));
  if (!has_plain_layout(hazard->output->shape))
    return reject(&hazard->rejection, REASON_UNSUPPORTED, "a layout with tiles is not followed");
  if (!begin_nest(hazard, question->output, writer))
    return reject(
        &hazard->rejection, REASON_UNSUPPORTED, "the loop order does not name each dimension once");
  if (writer->update != nullptr && !has_width_of(&writer->update->leaves[0], hazard->output))
    return reject(&hazard->rejection, REASON_UNSUPPORTED,
        "an update of elements of another width is not followed");
  hazard->written = writer->update;
  hazard->writer = writer;
  hazard->times = ARENA_NEW(hazard->arena, int64_t, hazard->output->elements + 1);
  return writer->update == nullptr ||
         (build_offsets(hazard, writer) &&
             (find_offsets(hazard, writer) ||
                 reject(&hazard->rejection, REASON_TOO_LARGE,
                     "too large: more than %u offsets of the window", most_offsets)));
}

/* Checks every output that is computed side by side with the written one, or after it; or those of
 * other sizes. */
static bool check_readers(Hazard *hazard, const LoopNest *writer, uint32_t *skipped) {
  uint32_t leaves = hazard->builder.flow.root->leaf_count, rank = writer->space->rank;
  LoopNest *nests = ARENA_NEW(hazard->arena, LoopNest, leaves);
  Term **terms = ARENA_NEW(hazard->arena, Term *, leaves);
  for (uint32_t leaf = 0; leaf < leaves; leaf++) {
    bool is_after = hazard->question->reads_after;
    if (is_after && leaf == hazard->question->output) continue;
    bool begins = begin_nest(hazard, leaf, &nests[leaf]),
         is_apart = !is_after && nests[leaf].space->elements != writer->space->elements;
    if (!begins || is_apart != hazard->is_apart) {
      *skipped += !begins || is_apart;
      continue;
    }
    hazard->has_two_orders |= !is_after && has_sizes_of(nests[leaf].space, writer->space) &&
                              memcmp(nests[leaf].order, writer->order, sizeof writer->order) != 0;
    terms[leaf] = build_terms(hazard, &nests[leaf]);
    if (terms[leaf] == nullptr || !build_offsets(hazard, &nests[leaf])) return false;
  }
  hazard->seen = ARENA_NEW(hazard->arena, uint32_t, terms_count(hazard->terms));
  hazard->feasible.known = ARENA_NEW(hazard->arena, Dependence, terms_count(hazard->terms));
  bool is_certain = true; /* at all offsets so far there is a hazard */
  do {
    note_writes(hazard, writer, hazard->output->elements);
    hazard->is_here = false;
    for (uint32_t leaf = 0; leaf < leaves; leaf++)
      if (terms[leaf] != nullptr && find_hazard(hazard, &nests[leaf], writer, terms[leaf])) break;
    if (hazard->verdict->answer == HAZARD_FOUND) return true;
    is_certain &= hazard->is_here;
  } while (hazard->work <= most_work && writer->update != nullptr && next_offsets(hazard, rank));
  if (hazard->work <= most_work && is_certain && hazard->shown.answer == HAZARD_FOUND)
    *hazard->verdict = hazard->shown;
  return hazard->work <= most_work ||
         reject(&hazard->rejection, REASON_TOO_LARGE, "too large: more than %llu reads",
             (unsigned long long)most_work);
}

/* Whether it is known that no output of another size reads what is overwritten. */
static bool is_safe_apart(Hazard *hazard, const LoopNest *writer) {
  static constexpr int64_t most_elements = 1 << 14; /* of all outputs: more take long */
  const HazardVerdict none = *hazard->verdict;
  const Node *root = hazard->builder.flow.root;
  int64_t elements = 0;
  uint32_t skipped = 0;
  for (uint32_t i = 0; i < root->leaf_count; i++) {
    if (root->leaves[i].elements > most_elements - elements) return false;
    elements += root->leaves[i].elements;
  }
  hazard->is_apart = true;
  bool is_safe = check_readers(hazard, writer, &skipped) && skipped == 0 && !hazard->is_doubtful &&
                 hazard->doubt == nullptr && hazard->verdict->answer == HAZARD_NONE;
  hazard->is_doubtful = false;
  hazard->doubt = nullptr;
  *hazard->verdict = none;
  return is_safe;
}

/* Returns whether the outputs that are computed side by side may be computed in two orders. */
static bool decide_hazard(
    Arena *arena, const HazardQuestion *question, bool by_index, HazardVerdict *verdict) {
  Hazard hazard = {.question = question, .verdict = verdict, .by_index = by_index};
  LoopNest writer = {};
  uint32_t skipped = 0;
  *verdict = (HazardVerdict){.answer = HAZARD_NONE};
  if (!hazard_begin(&hazard, arena, question->kernel) || !hazard_prepare(&hazard, &writer)) {
    hazard_unknown(verdict, hazard.rejection.text);
    return false;
  }
  verdict->writes_window = writer.update != nullptr;
  hazard.shown = *verdict;
  hazard.feasible.terms = hazard.terms;
  bool is_checked = check_readers(&hazard, &writer, &skipped),
       is_none = is_checked && verdict->answer == HAZARD_NONE && hazard.doubt == nullptr &&
                 !hazard.is_doubtful;
  if (is_none && skipped > 0 && is_safe_apart(&hazard, &writer)) skipped = 0;
  if (verdict->answer == HAZARD_NONE && hazard.doubt != nullptr)
    hazard_unknown(verdict, hazard.doubt);
  else if (!is_checked) hazard_unknown(verdict, hazard.rejection.text);
  else if (verdict->answer == HAZARD_NONE && hazard.is_doubtful)
    hazard_unknown(verdict,
        "an element is read after it was overwritten, if computed offsets take certain values; no inputs were found for which they do");
  else if (verdict->answer == HAZARD_NONE && question->is_written_twice)
    hazard_unknown(verdict,
        arena_printf(arena, "output %u is written into the same buffer", question->other_output));
  else if (verdict->answer == HAZARD_NONE && skipped > 0)
    hazard_unknown(verdict, "an output of another size is not computed side by side");
  return hazard.has_two_orders;
}

/* Code may compute outputs of other layouts in the order of each memory, or index by index. */
static void decide_in_both_orders(
    Arena *arena, const HazardQuestion *question, HazardVerdict *verdict) {
  HazardVerdict by_index;
  if (!decide_hazard(arena, question, false, verdict) || verdict->answer == HAZARD_UNKNOWN) return;
  (void)decide_hazard(arena, question, true, &by_index);
  if (by_index.answer == verdict->answer) return;
  *verdict = (HazardVerdict){.writes_window = verdict->writes_window};
  hazard_unknown(verdict,
      "outputs with other layouts are computed side by side: each in the order of its memory, or "
      "index by index; only one of these is safe (--order decides)");
}

void oracle_hazard_query(Arena *arena, const HazardQuestion *question, HazardVerdict *verdict) {
  *verdict = (HazardVerdict){.answer = HAZARD_NONE};
  if (question->unbounded != nullptr)
    hazard_unknown(
        verdict, arena_printf(arena, "a size of '%s' is not known", question->unbounded->name));
  else if (question->undecided != nullptr) hazard_unknown(verdict, question->undecided);
  else if (question->unfollowed != nullptr)
    hazard_unknown(verdict, arena_printf(arena, "which elements '%s' overwrites is not known",
                                question->unfollowed->name));
  else decide_in_both_orders(arena, question, verdict);
  if (verdict->answer != HAZARD_FOUND || question->reads_at_most == nullptr) return;
  *verdict = (HazardVerdict){.writes_window = verdict->writes_window};
  hazard_unknown(verdict, question->reads_at_most);
}
