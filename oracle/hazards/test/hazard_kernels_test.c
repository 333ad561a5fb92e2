/* Random kernels that overwrite a buffer in place and read it by computed offsets, run for all
 * values of the input that offsets are computed from. Another such input is computed outside the
 * kernel: a hazard is found only if there is one whatever its value is, and none is found only if
 * there is none for any value. */
#include "oracle/hazards/hazard.h"

#include "oracle/test/test_module.h"

static uint64_t state_of_kernels = 3;

static uint32_t kernel_below(uint32_t end) {
  state_of_kernels =
      state_of_kernels * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state_of_kernels >> 33) % end;
}

/* ---- kernels ---- */

static constexpr uint32_t most_dealt = 12, dealt_values = 16, most_positions = 6;

/* Offset 0 is the input, offset 1 the one that is computed outside. */
typedef enum DealtOperation : uint8_t {
  DEALT_AND,
  DEALT_ADD,
  DEALT_SUBTRACT,
  DEALT_MINIMUM,
  DEALT_MAXIMUM,
  DEALT_OPERATIONS,
} DealtOperation;

static const char *const dealt_names[DEALT_OPERATIONS] = {
    "and", "add", "subtract", "minimum", "maximum"};

typedef struct DealtOffset {
  DealtOperation operation;
  uint32_t from, constant;
} DealtOffset;

typedef enum DealtKind : uint8_t {
  DEALT_BUFFER,
  DEALT_REVERSE,
  DEALT_SUM,     /* of `a` and `b`, which has the same size */
  DEALT_SLICE,   /* `size` elements of `a` from the offset on */
  DEALT_PART,    /* `size` elements of `a` from `start` on */
  DEALT_EVERY,   /* `size` times element `start` of `a` */
  DEALT_CHOICE,  /* `a` if the offset is less than `start`, else `b` */
  DEALT_BITCAST, /* to integers and back */
  DEALT_KINDS,
} DealtKind;

typedef struct DealtArray {
  DealtKind kind;
  uint32_t size, a, b, offset, start;
} DealtArray;

/* Array 0 is the buffer; the last array is written, as a window of it or as all of it. */
typedef struct DealtKernel {
  uint32_t offset_count, array_count, at;
  DealtOffset offsets[most_dealt];
  DealtArray arrays[most_dealt];
  bool is_window, is_bitcast;
} DealtKernel;

static bool deal_array(const DealtKernel *kernel, DealtArray *array) {
  uint32_t end = kernel->array_count;
  *array = (DealtArray){.kind = (DealtKind)(1 + kernel_below(DEALT_KINDS - 1)),
      .a = kernel_below(end),
      .b = kernel_below(end),
      .offset = kernel_below(kernel->offset_count)};
  if (kernel_below(3) == 0) array->kind = DEALT_SLICE;
  uint32_t size = kernel->arrays[array->a].size;
  array->size = size;
  array->start = kernel_below(dealt_values / 2);
  if (array->kind == DEALT_SLICE || array->kind == DEALT_PART) array->size = 1 + kernel_below(size);
  if (array->kind == DEALT_PART) array->start %= size - array->size + 1;
  if (array->kind == DEALT_EVERY) {
    array->size = 1 + kernel_below(kernel->arrays[0].size);
    array->start %= size;
  }
  return (array->kind != DEALT_SUM && array->kind != DEALT_CHOICE) ||
         kernel->arrays[array->b].size == size;
}

static DealtKernel deal_kernel(void) {
  DealtKernel kernel = {.offset_count = 2, .array_count = 1, .is_window = kernel_below(4) != 0};
  kernel.arrays[0].size = 2 + kernel_below(most_positions - 1);
  for (uint32_t count = kernel_below(4); count > 0; count--) {
    kernel.offsets[kernel.offset_count] =
        (DealtOffset){(DealtOperation)kernel_below(DEALT_OPERATIONS),
            kernel_below(kernel.offset_count), kernel_below(dealt_values / 2)};
    kernel.offset_count++;
  }
  for (uint32_t count = 1 + kernel_below(6); count > 0; count--)
    kernel.array_count += deal_array(&kernel, &kernel.arrays[kernel.array_count]);
  kernel.at = kernel_below(kernel.offset_count);
  kernel.is_bitcast = kernel_below(3) == 0;
  const DealtArray *last = &kernel.arrays[kernel.array_count - 1];
  kernel.is_window |= last->size != kernel.arrays[0].size;
  return kernel;
}

/* ---- as text ---- */

static void print_dealt_array(Text *text, const DealtKernel *kernel, uint32_t i) {
  const DealtArray *array = &kernel->arrays[i];
  uint32_t size = array->size, a = array->a;
  switch (array->kind) {
    case DEALT_BUFFER: text_printf(text, "v0 = f32[%u] parameter(0)\n", size); break;
    case DEALT_REVERSE:
      text_printf(text, "v%u = f32[%u] reverse(v%u), dimensions={0}\n", i, size, a);
      break;
    case DEALT_SUM: text_printf(text, "v%u = f32[%u] add(v%u, v%u)\n", i, size, a, array->b); break;
    case DEALT_SLICE:
      text_printf(text, "v%u = f32[%u] dynamic-slice(v%u, o%u), dynamic_slice_sizes={%u}\n", i,
          size, a, array->offset, size);
      break;
    case DEALT_PART:
      text_printf(text, "v%u = f32[%u] slice(v%u), slice={[%u:%u]}\n", i, size, a, array->start,
          array->start + size);
      break;
    case DEALT_EVERY:
      text_printf(text,
          "s%u = f32[1] slice(v%u), slice={[%u:%u]}\nt%u = f32[] reshape(s%u)\n"
          "v%u = f32[%u] broadcast(t%u), dimensions={}\n",
          i, a, array->start, array->start + 1, i, i, i, size, i);
      break;
    case DEALT_CHOICE:
      text_printf(text,
          "s%u = u4[] constant(%u)\nt%u = pred[] compare(o%u, s%u), direction=LT\n"
          "u%u = pred[%u] broadcast(t%u), dimensions={}\nv%u = f32[%u] select(u%u, v%u, v%u)\n",
          i, array->start, i, array->offset, i, i, size, i, i, size, i, a, array->b);
      break;
    case DEALT_BITCAST:
      text_printf(
          text, "s%u = s32[%u] bitcast(v%u)\nv%u = f32[%u] convert(s%u)\n", i, size, a, i, size, i);
      break;
    case DEALT_KINDS: break;
  }
}

static const char *dealt_text(Arena *arena, const DealtKernel *kernel) {
  Text text = text_create(arena);
  uint32_t last = kernel->array_count - 1, size = kernel->arrays[0].size;
  text_string(&text, "o0 = u4[] parameter(1)\no1 = u4[] parameter(2)\n");
  for (uint32_t i = 2; i < kernel->offset_count; i++)
    text_printf(&text, "c%u = u4[] constant(%u)\no%u = u4[] %s(o%u, c%u)\n", i,
        kernel->offsets[i].constant, i, dealt_names[kernel->offsets[i].operation],
        kernel->offsets[i].from, i);
  for (uint32_t i = 0; i <= last; i++) print_dealt_array(&text, kernel, i);
  const char *root = kernel->is_bitcast ? "w" : "ROOT w";
  if (kernel->is_window)
    text_printf(
        &text, "%s = f32[%u] dynamic-update-slice(v0, v%u, o%u)\n", root, size, last, kernel->at);
  else text_printf(&text, "%s = f32[%u] negate(v%u)\n", root, size, last);
  if (kernel->is_bitcast) text_printf(&text, "ROOT r = s32[1,%u] bitcast(w)\n", size);
  return text.bytes;
}

/* ---- for one value of each input ---- */

static uint32_t dealt_offset(const DealtKernel *kernel, uint32_t i, const uint32_t inputs[2]) {
  if (i < 2) return inputs[i];
  const DealtOffset *offset = &kernel->offsets[i];
  uint32_t from = dealt_offset(kernel, offset->from, inputs), constant = offset->constant;
  switch (offset->operation) {
    case DEALT_AND: return from & constant;
    case DEALT_ADD: return (from + constant) % dealt_values;
    case DEALT_SUBTRACT: return (from + dealt_values - constant) % dealt_values;
    case DEALT_MINIMUM: return from < constant ? from : constant;
    case DEALT_MAXIMUM: return from > constant ? from : constant;
    case DEALT_OPERATIONS: break;
  }
  return 0;
}

static uint32_t dealt_start(uint32_t offset, uint32_t whole, uint32_t size) {
  return offset < whole - size ? offset : whole - size;
}

/* The positions of the buffer that the element reads, as bits. */
static uint32_t dealt_reads(
    const DealtKernel *kernel, uint32_t i, uint32_t element, const uint32_t inputs[2]) {
  const DealtArray *array = &kernel->arrays[i];
  uint32_t whole = kernel->arrays[array->a].size, a = array->a,
           offset = dealt_offset(kernel, array->offset, inputs);
  switch (array->kind) {
    case DEALT_BUFFER: return 1U << element;
    case DEALT_REVERSE: return dealt_reads(kernel, a, whole - 1 - element, inputs);
    case DEALT_SUM:
      return dealt_reads(kernel, a, element, inputs) |
             dealt_reads(kernel, array->b, element, inputs);
    case DEALT_SLICE:
      return dealt_reads(kernel, a, dealt_start(offset, whole, array->size) + element, inputs);
    case DEALT_PART: return dealt_reads(kernel, a, array->start + element, inputs);
    case DEALT_EVERY: return dealt_reads(kernel, a, array->start, inputs);
    case DEALT_CHOICE:
      return dealt_reads(kernel, offset < array->start ? a : array->b, element, inputs);
    case DEALT_BITCAST: return dealt_reads(kernel, a, element, inputs);
    case DEALT_KINDS: break;
  }
  return 0;
}

static bool reads_late(const DealtKernel *kernel, const uint32_t inputs[2]) {
  uint32_t last = kernel->array_count - 1, size = kernel->arrays[last].size, written = 0;
  uint32_t start =
      dealt_start(dealt_offset(kernel, kernel->at, inputs), kernel->arrays[0].size, size);
  for (uint32_t i = 0; i < size; i++) {
    if ((dealt_reads(kernel, last, i, inputs) & written) != 0) return true;
    written |= 1U << (start + i);
  }
  return false;
}

/* For how many values of the input from outside a value of the other one reads too late. */
static uint32_t late_values(const DealtKernel *kernel) {
  uint32_t count = 0;
  for (uint32_t outside = 0; outside < dealt_values; outside++) {
    bool is_late = false;
    for (uint32_t input = 0; input < dealt_values; input++)
      is_late |= reads_late(kernel, (uint32_t[]){input, outside});
    count += is_late;
  }
  return count;
}

static bool is_from_outside(const DealtKernel *kernel, uint32_t offset) {
  while (offset > 1) offset = kernel->offsets[offset].from;
  return offset == 1;
}

/* Whether an offset is computed from the input from outside. */
static bool uses_outside(const DealtKernel *kernel) {
  bool uses = kernel->is_window && is_from_outside(kernel, kernel->at);
  for (uint32_t i = 0; i < kernel->array_count; i++) {
    DealtKind kind = kernel->arrays[i].kind;
    uses |= (kind == DEALT_SLICE || kind == DEALT_CHOICE) &&
            is_from_outside(kernel, kernel->arrays[i].offset);
  }
  return uses;
}

/* ---- both ---- */

static void kernels_read_late_for_some_values(void **) {
  static constexpr uint32_t rounds = 4000;
  static const bool is_computed[] = {false, false, true};
  uint32_t counts[3] = {};
  for (uint32_t i = 0; i < rounds; i++) {
    OracleFixture bench = bench_create();
    DealtKernel kernel = deal_kernel();
    const char *lines = dealt_text(bench.arena, &kernel);
    const Computation *made = root_of(&bench, lines)->parent;
    uint32_t late = late_values(&kernel);
    HazardVerdict verdict;
    oracle_hazard_query(
        bench.arena, &(HazardQuestion){.kernel = made, .is_computed = is_computed}, &verdict);
    bool is_right = verdict.answer == HAZARD_NONE    ? late == 0
                    : verdict.answer == HAZARD_FOUND ? late == dealt_values
                                                     : late > 0 && uses_outside(&kernel);
    if (!is_right)
      fail_msg("%u: answer %u, late for %u values\n%s", i, verdict.answer, late, lines);
    /* Any value of each. */
    oracle_hazard_query(bench.arena, &(HazardQuestion){.kernel = made}, &verdict);
    if (verdict.answer != (late > 0 ? HAZARD_FOUND : HAZARD_NONE))
      fail_msg("%u: answer %u of inputs, late for %u values\n%s", i, verdict.answer, late, lines);
    counts[late == 0 ? 0 : late < dealt_values ? 1 : 2]++;
    bench_destroy(&bench);
  }
  for (uint32_t i = 0; i < 3; i++) assert_true(counts[i] > rounds / 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(kernels_read_late_for_some_values)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
