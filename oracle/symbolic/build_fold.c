/* Folds: a reduction, a window, a dot and a convolution are the multisets of their argument tuples,
 * or sequences in row-major order if the function depends on their order (fold_order.c).
 * A reduce and a reduce-window of the same tuples are the same fold; padding and holes contribute
 * no tuple. A dot and a convolution fold pairs, in which the order is not compared if both operands
 * have one precision. A fold with several inputs folds whole tuples, unless the function's result
 * depends on its own input only. */
#include "oracle/symbolic/build.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

#include "core/hlo/compare.h"
#include "oracle/symbolic/precision.h"

static constexpr uint32_t most_inputs = 16;

/* Whether a result of a function depends on no parameters except those of input `leaf`. */
static bool uses_own_only(const Terms *terms, Term body, uint32_t leaf, uint32_t inputs) {
  uint64_t own = UINT64_C(1) << leaf | UINT64_C(1) << (leaf + inputs);
  return (term_parameters(terms, body) & ~own) == 0;
}

/* What a fold's function returns. */
typedef struct FoldResults {
  uint32_t count;
  Term *items;
  bool is_alone; /* the result depends on its own input only, and is over parameters 0 and 1 */
} FoldResults;

/* `as_written`: operations of floats with exchanged operands are different ones. */
static bool fold_results(
    TermBuilder *builder, const Node *node, uint32_t leaf, bool as_written, FoldResults *results) {
  const Computation *called = node->instruction->called[0];
  uint32_t inputs = node->instruction->operand_count / 2;
  Term *written;
  if (!builder_body(builder, called, &results->count, &written) ||
      !(as_written ? builder_body : builder_folded)(
          builder, called, &results->count, &results->items))
    return false;
  results->is_alone =
      inputs == 1 ||
      (leaf < results->count && uses_own_only(builder->terms, written[leaf], leaf, inputs) &&
          uses_own_only(builder->terms, results->items[leaf], leaf, inputs));
  if (!results->is_alone || inputs == 1) return true;
  Term arguments[2 * most_inputs] = {}, *alone = ARENA_NEW(builder->arena, Term, 1);
  Instruction *const *parameters = called->parameters;
  arguments[leaf] = builder_argument(builder, 0, parameters[leaf]->shape);
  arguments[leaf + inputs] = builder_argument(builder, 1, parameters[leaf + inputs]->shape);
  OperandSorting sorting =
      terms_sort_operands(builder->terms, as_written ? SORTING_INTEGERS : SORTING_ALL);
  *alone = term_substitute(builder->terms, results->items[leaf], arguments);
  (void)terms_sort_operands(builder->terms, sorting);
  results->items = alone;
  results->count = 1;
  return true;
}

/* The fold's function. If the order of its applications matters, then so does the order of the
 * operands of its operations of floats, unless the grade does not distinguish NaNs and zeros. */
static bool fold_signature(
    TermBuilder *builder, const Node *node, uint32_t leaf, bool *is_alone, uint32_t *signature) {
  uint32_t inputs = node->instruction->operand_count / 2;
  FoldResults results;
  if (node->instruction->called_count != 1 || inputs > most_inputs)
    return builder_reject(builder, node, "its function");
  if (builder->nodes[node->number].folds[leaf] != no_term) {
    *signature = builder->nodes[node->number].folds[leaf];
    *is_alone = inputs == 1 || signature_at(builder->terms, *signature)->body_count < inputs;
    return true;
  }
  if (!fold_results(builder, node, leaf, false, &results)) return false;
  bool is_ordered = results.count > 1 || !term_folds_a_multiset(builder->terms, results.items[0]);
  if (is_ordered && !terms_has_one_nan(builder->terms) &&
      !fold_results(builder, node, leaf, true, &results))
    return false;
  Text text = text_create(builder->arena), name = text_create(builder->arena);
  text_string(&text, "fold");
  for (uint32_t i = 0; i < results.count; i++) text_printf(&text, " t%u", results.items[i]);
  text_string(&name, "fold of ");
  terms_print(&name, builder->terms, results.items[0], 1);
  *signature = signature_of(builder->terms, text.bytes, name.bytes);
  TermSignature *made = signature_at(builder->terms, *signature);
  made->body = results.items;
  made->body_count = results.count;
  made->is_ordered = is_ordered;
  made->instruction = node->instruction;
  builder->nodes[node->number].folds[leaf] = *signature;
  *is_alone = results.is_alone;
  return true;
}

typedef struct Tuples {
  uint32_t count, capacity;
  Term *items;
} Tuples;

/* Adds a tuple: the element `at` of the inputs first .. end - 1. */
static bool add_tuple(TermBuilder *builder, const Node *node, uint32_t first, uint32_t end,
    const int64_t *at, Tuples *tuples) {
  Term elements[most_inputs];
  for (uint32_t i = first; i < end; i++) {
    const Leaf *leaf = &node->operands[i]->leaves[0];
    if (!builder_element(
            builder, node->operands[i], 0, leaf_element(leaf, at), &elements[i - first]))
      return false;
  }
  *ARENA_PUSH(builder->arena, tuples) = term_make(builder->terms, TERM_TUPLE, TYPE_opaque,
      signature_of(builder->terms, "tuple", ""), 0, end - first, elements);
  return builder_spend(builder, node, 1);
}

/* The input position of offset w of the window at output position o; -1 for padding or a hole. */
static int64_t window_position(const WindowDim *window, int64_t o, int64_t w, int64_t size) {
  Wide from = (Wide)o * window->stride + (Wide)w * window->window_dilation - window->pad_low, at;
  return from >= 0 && wide_divides(window->base_dilation, from, &at) && at < size ? (int64_t)at
                                                                                  : -1;
}

/* Collects all tuples that one output element folds: along the dimensions of a reduce, or in a
 * window. */
static bool collect_tuples(TermBuilder *builder, const Node *node, uint32_t first, uint32_t end,
    const int64_t *output, uint32_t dimension, uint32_t kept, int64_t *at, Tuples *tuples) {
  const Leaf *input = &node->operands[0]->leaves[0];
  const Instruction *instruction = node->instruction;
  if (dimension == input->rank) return add_tuple(builder, node, first, end, at, tuples);
  bool is_window = instruction->opcode == HLO_REDUCE_WINDOW;
  bool is_along = !is_window && ints_has(&instruction->dimensions, dimension);
  int64_t steps = is_window  ? instruction->window->dims[dimension].size
                  : is_along ? input->sizes[dimension]
                             : 1;
  for (int64_t step = 0; step < steps; step++) {
    at[dimension] = is_window  ? window_position(&instruction->window->dims[dimension],
                                     output[dimension], step, input->sizes[dimension])
                    : is_along ? step
                               : output[kept];
    if (at[dimension] >= 0 && !collect_tuples(builder, node, first, end, output, dimension + 1,
                                  kept + !is_along, at, tuples))
      return false;
  }
  return true;
}

static uint64_t window_positions(const Node *node) {
  uint64_t positions = 1;
  for (uint32_t i = 0; i < node->instruction->window->rank; i++)
    positions *= (uint64_t)node->instruction->window->dims[i].size;
  return positions;
}

/* Whether the function of `arguments` returns the first half of them. */
static bool returns_first(
    TermBuilder *builder, uint32_t signature, uint32_t count, const Term *arguments) {
  for (uint32_t i = 0; i < count; i++) {
    const TermSignature *of = signature_at(builder->terms, signature);
    if (i >= of->body_count ||
        term_substitute(builder->terms, of->body[i], arguments) != arguments[i])
      return false;
  }
  return true;
}

/* Whether folding the initial values once more changes nothing: it returns what was folded before
 * them. Where the order does not matter, or where nothing else is folded, that may be themselves.
 */
static bool is_neutral(TermBuilder *builder, const Node *node, uint32_t signature, uint32_t first,
    uint32_t count, const Term *inits, bool is_alone) {
  assert(count <= most_inputs);
  Term arguments[2 * most_inputs] = {};
  Instruction *const *parameters = node->instruction->called[0]->parameters;
  memcpy(arguments, inits, count * sizeof *inits);
  memcpy(arguments + count, inits, count * sizeof *inits);
  if (!returns_first(builder, signature, count, arguments)) return false;
  if (is_alone || (count == 1 && term_is_free_of_order(builder->terms,
                                     signature_at(builder->terms, signature)->body[0])))
    return true;
  for (uint32_t i = 0; i < count; i++)
    arguments[i] = builder_argument(builder, i, parameters[first + i]->shape);
  return returns_first(builder, signature, count, arguments);
}

/* Whether the position of a window, in row-major order, is over padding or a hole. */
static bool is_over_padding(const Node *node, const int64_t *output, uint64_t position) {
  const Leaf *input = &node->operands[0]->leaves[0];
  for (uint32_t i = input->rank; i-- > 0;) {
    const WindowDim *window = &node->instruction->window->dims[i];
    int64_t offset = (int64_t)(position % (uint64_t)window->size);
    position /= (uint64_t)window->size;
    if (window_position(window, output[i], offset, input->sizes[i]) < 0) return true;
  }
  return false;
}

/* Prints each run of positions over padding, with its first position and the one after it. */
static void print_padded_runs(Text *text, const Node *node, const int64_t *output) {
  uint64_t positions = window_positions(node);
  bool was_padding = false;
  for (uint64_t i = 0; i <= positions; i++) {
    bool is_padding = i < positions && is_over_padding(node, output, i);
    if (is_padding != was_padding)
      text_printf(text, is_padding ? " %llu" : "-%llu", (unsigned long long)i);
    was_padding = is_padding;
  }
}

/* The signature of a window over padding with an initial value that is not neutral. Documents
 * differ on whether the padding is folded. So such a fold is equal only to a fold of the same
 * signature, which is over as many positions of padding, and is not evaluated. If the function does
 * not commute and associate at the grade, it is over the same positions of the sequence. */
static bool padded_signature(TermBuilder *builder, const Node *node, const int64_t *output,
    uint64_t padding, uint32_t *signature) {
  const TermSignature of = *signature_at(builder->terms, *signature);
  Text text = text_create(builder->arena);
  bool is_ordered = of.is_ordered || !term_regroups(builder->terms, of.body[0]);
  text_printf(&text, "%s over padding of %llu", of.text, (unsigned long long)padding);
  if (is_ordered) {
    if (!builder_spend(builder, node, window_positions(node))) return false;
    text_string(&text, " at");
    print_padded_runs(&text, node, output);
  }
  *signature = signature_of(builder->terms, text.bytes, "fold over padding");
  TermSignature *padded = signature_at(builder->terms, *signature);
  padded->is_opaque = true;
  padded->is_ordered = is_ordered;
  padded->instruction = of.instruction;
  return true;
}

/* The function as it is written, applied to the initial values and the only tuple, which are those
 * of the inputs from `first` on. */
static bool fold_of_one(TermBuilder *builder, const Node *node, uint32_t leaf, uint32_t first,
    const Term *inits, Term tuple, Term *term) {
  uint32_t count, inputs = node->instruction->operand_count / 2,
                  folded = term_data(builder->terms, tuple)->count;
  Term *results, arguments[2 * most_inputs] = {};
  assert(first + folded <= inputs && inputs <= most_inputs);
  memcpy(arguments + first, inits, folded * sizeof *inits);
  memcpy(arguments + inputs + first, term_children(builder->terms, tuple), folded * sizeof *inits);
  if (!builder_body(builder, node->instruction->called[0], &count, &results)) return false;
  if (leaf >= count) return builder_reject(builder, node, "its function");
  *term = term_substitute(builder->terms, results[leaf], arguments);
  return true;
}

bool build_reduce(
    TermBuilder *builder, const Node *node, uint32_t leaf, int64_t element, Term *term) {
  int64_t output[oracle_max_rank] = {}, at[oracle_max_rank] = {};
  uint32_t signature, inputs = node->instruction->operand_count / 2;
  bool is_alone = false;
  Term inits[most_inputs] = {};
  Tuples tuples = {};
  const Leaf *input = &node->operands[0]->leaves[0];
  if (node->instruction->opcode == HLO_REDUCE_WINDOW &&
      (node->instruction->window == nullptr || node->instruction->window->rank != input->rank))
    return builder_reject(builder, node, "its window");
  if (!fold_signature(builder, node, leaf, &is_alone, &signature)) return false;
  leaf_index(&node->leaves[leaf], element, output);
  uint32_t first = is_alone ? leaf : 0, end = is_alone ? leaf + 1 : inputs;
  for (uint32_t i = first; i < end; i++)
    if (!builder_element(builder, node->operands[inputs + i], 0, 0, &inits[i - first]))
      return false;
  if (!collect_tuples(builder, node, first, end, output, 0, 0, at, &tuples)) return false;
  bool is_padded =
      node->instruction->opcode == HLO_REDUCE_WINDOW && tuples.count < window_positions(node) &&
      !is_neutral(builder, node, signature, first, end - first, inits, tuples.count == 0);
  if (is_padded &&
      !padded_signature(builder, node, output, window_positions(node) - tuples.count, &signature))
    return false;
  if (tuples.count == 1 && !is_padded)
    return fold_of_one(builder, node, leaf, first, inits, tuples.items[0], term);
  *term = term_fold(builder->terms, node->leaves[leaf].shape->type, signature, leaf - first,
      end - first, inits, tuples.count, tuples.items);
  return true;
}

/* --- sums of products --- */

/* The precisions of both operands, written {left,right}; "" if there are none. Returns what follows
 * them, which is empty. */
static const char *read_precisions(const Instruction *instruction, Source words[2]) {
  static const char between[] = " \t\r\n,{}";
  const Attribute *attribute = instruction_attribute(instruction, "operand_precision");
  const char *at = attribute == nullptr ? "" : attribute->text;
  for (uint32_t i = 0; i < 2; i++) {
    at += strspn(at, between);
    words[i] = (Source){.text = at, .length = strcspn(at, between)};
    at += words[i].length;
  }
  return at + strspn(at, between);
}

static int compare_precisions(const Source words[2]) {
  size_t shared = words[0].length < words[1].length ? words[0].length : words[1].length;
  int order = strncasecmp(words[0].text, words[1].text, shared);
  return order != 0 ? order
                    : (words[0].length > words[1].length) - (words[0].length < words[1].length);
}

/* A product is the same if its operands are exchanged with their precisions: the operand of the
 * first precision stands first, and of one precision the smaller term. */
static Term make_pair(TermBuilder *builder, const Node *node, Term left, Term right) {
  Source words[2];
  (void)read_precisions(node->instruction, words);
  int order = compare_precisions(words);
  bool is_exchanged = order > 0 || (order == 0 && left > right);
  Term pair[] = {is_exchanged ? right : left, is_exchanged ? left : right};
  return term_make(builder->terms, TERM_TUPLE, TYPE_opaque,
      signature_of(builder->terms, "tuple", ""), 0, 2, pair);
}

/* In the order of make_pair. */
static void print_precisions(Text *text, const Instruction *instruction) {
  Source words[2];
  const char *rest = read_precisions(instruction, words);
  bool is_exchanged = compare_precisions(words) > 0;
  for (uint32_t i = 0; i < 2; i++) {
    const Source *word = &words[is_exchanged ? 1 - i : i];
    text_printf(text, i == 0 ? " {%.*s" : ",%.*s}", (int)word->length, word->text);
  }
  text_string(text, rest);
}

static uint32_t products_signature(TermBuilder *builder, const Node *node) {
  static const char *const names[] = {"algorithm", "preferred_element_type"};
  if (builder->nodes[node->number].signature != no_term)
    return builder->nodes[node->number].signature;
  Text text = text_create(builder->arena);
  text_printf(&text, "products %s", element_type_name(node->leaves[0].shape->type));
  const Attribute *precision = instruction_attribute(node->instruction, "operand_precision");
  bool is_default = operand_precision(precision) == PRECISION_DEFAULT;
  if (!is_default) print_precisions(&text, node->instruction);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const Attribute *attribute = instruction_attribute(node->instruction, names[i]);
    if (attribute != nullptr) text_printf(&text, " %s=%s", names[i], attribute->text);
  }
  uint32_t signature = signature_of(builder->terms, text.bytes, "sum of products");
  Source words[2];
  TermSignature *made = signature_at(builder->terms, signature);
  (void)read_precisions(node->instruction, words);
  made->is_products = true;
  made->has_like_factors = is_default || compare_precisions(words) == 0;
  made->instruction = node->instruction;
  builder->nodes[node->number].signature = signature;
  return signature;
}

/* Fills the batch and kept dimensions of one operand from the output's index. */
static void position_side(const Leaf *leaf, const Ints *batch, const Ints *contracting,
    const int64_t *output, uint32_t first_kept, int64_t *at) {
  for (uint32_t i = 0; i < leaf->rank; i++) {
    if (ints_has(batch, i)) at[i] = output[ints_find(batch, i)];
    else if (!ints_has(contracting, i)) at[i] = output[first_kept++];
  }
}

static bool is_of_products(const Instruction *instruction) {
  return operand_precision(instruction_attribute(instruction, "operand_precision")) !=
         PRECISION_OTHER;
}

bool build_dot(TermBuilder *builder, const Node *node, int64_t element, Term *term) {
  if (!is_of_products(node->instruction)) return build_opaque(builder, node, 0, element, term);
  const DotNumbers *dot = node->instruction->dot;
  const Leaf *left = &node->operands[0]->leaves[0], *right = &node->operands[1]->leaves[0];
  int64_t output[oracle_max_rank], at[2][oracle_max_rank] = {}, steps = 1;
  Tuples tuples = {};
  if (dot == nullptr) return builder_reject(builder, node, "no dimensions");
  leaf_index(&node->leaves[0], element, output);
  uint32_t contracted = dot->lhs_contracting.count, batches = dot->lhs_batch.count;
  uint32_t left_kept = left->rank - batches - contracted;
  position_side(left, &dot->lhs_batch, &dot->lhs_contracting, output, batches, at[0]);
  position_side(right, &dot->rhs_batch, &dot->rhs_contracting, output, batches + left_kept, at[1]);
  for (uint32_t i = 0; i < contracted; i++) steps *= left->sizes[dot->lhs_contracting.values[i]];
  for (int64_t step = 0; step < steps; step++) {
    int64_t rest = step;
    Term pair[2];
    for (uint32_t i = contracted; i-- > 0;) {
      int64_t size = left->sizes[dot->lhs_contracting.values[i]];
      at[0][dot->lhs_contracting.values[i]] = at[1][dot->rhs_contracting.values[i]] = rest % size;
      rest /= size;
    }
    if (!builder_element(builder, node->operands[0], 0, leaf_element(left, at[0]), &pair[0]) ||
        !builder_element(builder, node->operands[1], 0, leaf_element(right, at[1]), &pair[1]) ||
        !builder_spend(builder, node, 1))
      return false;
    *ARENA_PUSH(builder->arena, &tuples) = make_pair(builder, node, pair[0], pair[1]);
  }
  *term = term_fold(builder->terms, node->leaves[0].shape->type, products_signature(builder, node),
      0, 0, nullptr, tuples.count, tuples.items);
  return true;
}

typedef struct BuildFoldKernel {
  TermBuilder *builder;
  const Node *node;
  int64_t input[oracle_max_rank], kernel[oracle_max_rank], output[oracle_max_rank];
  Tuples tuples;
} BuildFoldKernel;

/* Enumerates the kernel positions of the spatial dimensions from `spatial` on. */
static bool collect_pairs(BuildFoldKernel *of, uint32_t spatial) {
  const Instruction *instruction = of->node->instruction;
  const ConvolutionNumbers *numbers = instruction->convolution;
  const Leaf *input = &of->node->operands[0]->leaves[0],
             *kernel = &of->node->operands[1]->leaves[0];
  Term pair[2];
  if (spatial == numbers->input_spatial.count) {
    if (!builder_element(
            of->builder, of->node->operands[0], 0, leaf_element(input, of->input), &pair[0]) ||
        !builder_element(
            of->builder, of->node->operands[1], 0, leaf_element(kernel, of->kernel), &pair[1]))
      return false;
    *ARENA_PUSH(of->builder->arena, &of->tuples) =
        make_pair(of->builder, of->node, pair[0], pair[1]);
    return builder_spend(of->builder, of->node, 1);
  }
  const WindowDim *window = &instruction->window->dims[spatial];
  int64_t *in = &of->input[numbers->input_spatial.values[spatial]],
          *k = &of->kernel[numbers->kernel_spatial.values[spatial]];
  for (*k = 0; *k < window->size; ++*k) {
    *in = window_position(window, of->output[numbers->output_spatial.values[spatial]],
        window->reversal ? window->size - 1 - *k : *k,
        input->sizes[numbers->input_spatial.values[spatial]]);
    if (*in >= 0 && !collect_pairs(of, spatial + 1)) return false;
  }
  return true;
}

bool build_convolution(TermBuilder *builder, const Node *node, int64_t element, Term *term) {
  const Instruction *instruction = node->instruction;
  const ConvolutionNumbers *numbers = instruction->convolution;
  const Leaf *output = &node->leaves[0], *kernel = &node->operands[1]->leaves[0];
  if (!is_of_products(instruction)) return build_opaque(builder, node, 0, element, term);
  if (numbers == nullptr || instruction->number < 1 || instruction->batch_group_count < 1 ||
      (instruction->window == nullptr ? 0 : instruction->window->rank) !=
          numbers->input_spatial.count)
    return builder_reject(builder, node, "its dimensions");
  BuildFoldKernel of = {.builder = builder, .node = node};
  leaf_index(output, element, of.output);
  int64_t f = of.output[numbers->output_feature], features = output->sizes[numbers->output_feature];
  int64_t per_group = kernel->sizes[numbers->kernel_input_feature];
  of.kernel[numbers->kernel_output_feature] = f;
  of.input[numbers->input_batch] =
      f / (features / instruction->batch_group_count) * output->sizes[numbers->output_batch] +
      of.output[numbers->output_batch];
  for (int64_t c = 0; c < per_group; c++) {
    of.kernel[numbers->kernel_input_feature] = c;
    of.input[numbers->input_feature] = f / (features / instruction->number) * per_group + c;
    if (!collect_pairs(&of, 0)) return false;
  }
  *term = term_fold(builder->terms, output->shape->type, products_signature(builder, node), 0, 0,
      nullptr, of.tuples.count, of.tuples.items);
  return true;
}
