/* Device ids: pairs of a permute, and the groups of the other collectives in their three forms,
 *   {{0,1},{2,3}}   [2,2]<=[2,2]T(1,0)   mesh['x'=2,'y'=2], device_ids=([4]) {'y'}
 * An iota [sizes]T(order) is 0, 1, 2, ... as an array of these sizes, with its dimensions permuted
 * to this order. A mesh names the dimensions of such an array; the axes after it vary within a
 * group, in the order given, and the rest of the mesh numbers the groups. 'x':(p)s is the middle
 * part of axis x, split into p x s x the rest; a group may have several parts of one axis. Iotas
 * and meshes are expanded: at most 1,048,576 ids a module. */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/checked.h"
#include "core/hlo/read/reader.h"

static constexpr uint64_t most_device_ids = 1 << 20;

static bool read_group_lists(Reader *reader, ReplicaGroups *groups) {
  Scanner *scan = &reader->scan;
  struct {
    uint32_t count;
    uint32_t capacity;
    Ints *items;
  } lists = {};
  if (!scan_expect(scan, '{', "before the groups")) return false;
  if (!scan_accept(scan, '}')) {
    do {
      Ints *list = ARENA_PUSH(reader->scratch, &lists);
      if (!read_ints(reader, list)) return false;
    } while (scan_accept(scan, ','));
    if (!scan_expect(scan, '}', "after the groups")) return false;
  }
  groups->count = lists.count;
  groups->groups =
      arena_grow(reader->arena, lists.items, lists.count, lists.count, sizeof *lists.items);
  return true;
}

static bool is_permutation(Reader *reader, const IntList *order) {
  bool *seen = ARENA_NEW(reader->scratch, bool, order->count);
  for (uint32_t i = 0; i < order->count; i++) {
    int64_t at = order->items[i];
    if (at < 0 || at >= order->count || seen[at]) return false;
    seen[at] = true;
  }
  return true;
}

static bool product_of(const IntList *list, int64_t *product) {
  *product = 1;
  for (uint32_t i = 0; i < list->count; i++) {
    if (list->items[i] <= 0 || !mul64(*product, list->items[i], product)) return false;
  }
  return true;
}

/* An array of device ids: sizes, and strides in memory. */
typedef struct DeviceArray {
  IntList sizes;
  IntList strides;
  int64_t count;
  int64_t *ids; /* nullptr: each id is its own position */
} DeviceArray;

static bool spend_device_ids(Reader *reader, int64_t count, size_t start) {
  if (count > (int64_t)(most_device_ids - reader->device_ids)) {
    return read_fail(reader, ERROR_LIMIT, start, reader->scan.at - start,
        "the module's replica groups have more than %" PRIu64 " device ids", most_device_ids);
  }
  reader->device_ids += (uint64_t)count;
  assert(reader->device_ids <= most_device_ids);
  return true;
}

static void add_row_major_strides(Reader *reader, DeviceArray *array) {
  for (uint32_t i = 0; i < array->sizes.count; i++)
    *ARENA_PUSH(reader->scratch, &array->strides) = 1;
  int64_t stride = 1;
  for (uint32_t i = array->sizes.count; i-- > 0; stride *= array->sizes.items[i])
    array->strides.items[i] = stride;
}

/* Lists all elements of the array in row-major order of its dimensions. */
static void list_ids(Reader *reader, const DeviceArray *array, int64_t *ids) {
  uint32_t rank = array->sizes.count;
  assert(rank == array->strides.count && array->count <= (int64_t)most_device_ids);
  int64_t *index = ARENA_NEW(reader->scratch, int64_t, rank);
  int64_t position = 0;
  for (int64_t i = 0; i < array->count; i++) {
    ids[i] = array->ids == nullptr ? position : array->ids[position];
    for (uint32_t j = rank; j-- > 0;) {
      position += array->strides.items[j];
      if (++index[j] < array->sizes.items[j]) break;
      position -= array->strides.items[j] * index[j];
      index[j] = 0;
    }
  }
}

static void reorder(Reader *reader, const IntList *order, DeviceArray *array) {
  DeviceArray moved = {.count = array->count, .ids = array->ids};
  for (uint32_t i = 0; i < order->count; i++) {
    *ARENA_PUSH(reader->scratch, &moved.sizes) = array->sizes.items[order->items[i]];
    *ARENA_PUSH(reader->scratch, &moved.strides) = array->strides.items[order->items[i]];
  }
  *array = moved;
}

/* [sizes] or [sizes]T(order) */
static bool read_iota(Reader *reader, size_t start, DeviceArray *array) {
  Scanner *scan = &reader->scan;
  IntList order = {};
  if (!read_int_list(reader, '[', ',', ']', &array->sizes)) return false;
  if (!product_of(&array->sizes, &array->count)) {
    return read_fail(reader, ERROR_INPUT, start, scan->at - start,
        "expected positive sizes with a product in int64");
  }
  add_row_major_strides(reader, array);
  size_t end = scan->at; /* the name on the next line may begin with T, or be T */
  if (!scan_accept_keyword(scan, "T") || scan_peek(scan) != '(') {
    scan->at = end;
    return true;
  }
  if (!read_int_list(reader, '(', ',', ')', &order)) return false;
  if (order.count != array->sizes.count || !is_permutation(reader, &order)) {
    return read_fail(reader, ERROR_INPUT, start, scan->at - start,
        "expected a permutation of the %s", counted(array->sizes.count, "dimension"));
  }
  reorder(reader, &order, array);
  return true;
}

/* Cuts the array's elements, in order, into groups of `size`. */
static void cut_into_groups(
    Reader *reader, const DeviceArray *array, int64_t size, ReplicaGroups *groups) {
  assert(size > 0 && array->count % size == 0);
  int64_t *ids = ARENA_NEW(reader->arena, int64_t, array->count);
  list_ids(reader, array, ids);
  groups->count = (uint32_t)(array->count / size);
  groups->groups = ARENA_NEW(reader->arena, Ints, groups->count);
  for (uint32_t i = 0; i < groups->count; i++) {
    groups->groups[i] = (Ints){.count = (uint32_t)size, .values = ids + i * size};
  }
}

static bool read_iota_groups(Reader *reader, ReplicaGroups *groups) {
  Scanner *scan = &reader->scan;
  size_t start = scan->at;
  IntList shape = {};
  DeviceArray array = {};
  int64_t count;
  if (!read_int_list(reader, '[', ',', ']', &shape)) return false;
  if (!scan_accept_text(scan, "<=")) return scan_fail(scan, "'<=' after the groups' shape");
  if (!read_iota(reader, start, &array)) return false;
  if (shape.count != 2 || !product_of(&shape, &count) || count != array.count) {
    return read_fail(reader, ERROR_INPUT, start, scan->at - start,
        "expected groups as [count,size]<=[sizes]T(permutation) with equal products");
  }
  if (!spend_device_ids(reader, array.count, start)) return false;
  cut_into_groups(reader, &array, shape.items[1], groups);
  return true;
}

typedef struct Axis {
  Slice name; /* with its quotes */
  int64_t size;
} Axis;

typedef struct AxisList {
  uint32_t count;
  uint32_t capacity;
  Axis *items;
} AxisList;

/* 'name', with any characters inside */
static bool read_axis_name(Reader *reader, Slice *name) {
  size_t start = (scan_blanks(&reader->scan), reader->scan.at);
  if (!scan_string(&reader->scan)) return false;
  *name = scan_slice(&reader->scan, start);
  return true;
}

static uint32_t find_axis(const AxisList *axes, Slice name) {
  uint32_t i = 0;
  while (i < axes->count && (axes->items[i].name.length != name.length ||
                                memcmp(axes->items[i].name.text, name.text, name.length) != 0)) {
    i++;
  }
  return i;
}

/* ['x'=2,'y'=4] */
static bool read_mesh_axes(Reader *reader, AxisList *axes, DeviceArray *array) {
  static constexpr uint32_t most_axes = 100;
  Scanner *scan = &reader->scan;
  size_t start = scan->at;
  if (!scan_expect(scan, '[', "before the axes of a mesh")) return false;
  while (!scan_accept(scan, ']')) {
    Axis axis;
    if (axes->count > 0 && !scan_expect(scan, ',', "between the axes of a mesh")) return false;
    if (axes->count == most_axes)
      return read_fail(reader, ERROR_LIMIT, scan->at, 1, "more than %u axes", most_axes);
    if (!read_axis_name(reader, &axis.name) || !scan_expect(scan, '=', "after an axis") ||
        !scan_integer(scan, &axis.size, "an axis's size")) {
      return false;
    }
    if (find_axis(axes, axis.name) < axes->count) {
      return read_fail(
          reader, ERROR_INPUT, axis.name.offset, axis.name.length, "a second axis of this name");
    }
    *ARENA_PUSH(reader->scratch, axes) = axis;
    *ARENA_PUSH(reader->scratch, &array->sizes) = axis.size;
  }
  if (!product_of(&array->sizes, &array->count)) {
    return read_fail(reader, ERROR_INPUT, start, scan->at - start,
        "expected positive sizes with a product in int64");
  }
  add_row_major_strides(reader, array);
  return true;
}

static bool is_iota(Scanner *scan) {
  size_t start = scan->at;
  bool is = scan_accept(scan, '(') && scan_peek(scan) == '[';
  scan->at = start;
  return is;
}

/* (3,1,2,0) or ([2,2]T(1,0)): the ids at the positions of the mesh */
static bool read_mesh_ids(Reader *reader, int64_t wanted, int64_t **ids) {
  Scanner *scan = &reader->scan;
  size_t start = (scan_blanks(scan), scan->at);
  IntList listed = {};
  DeviceArray iota = {};
  if (is_iota(scan)) {
    if (!scan_expect(scan, '(', "before the ids") || !read_iota(reader, start, &iota) ||
        !scan_expect(scan, ')', "after the ids") || !spend_device_ids(reader, iota.count, start)) {
      return false;
    }
    *ids = ARENA_NEW(reader->scratch, int64_t, iota.count);
    list_ids(reader, &iota, *ids);
  } else {
    if (!read_int_list(reader, '(', ',', ')', &listed)) return false;
    *ids = listed.items;
    iota.count = listed.count;
  }
  return iota.count == wanted || read_fail(reader, ERROR_INPUT, start, scan->at - start,
                                     "%" PRId64 " ids for a mesh of %" PRId64, iota.count, wanted);
}

/* The mesh, cut by the axes that vary within a group. */
typedef struct Partition {
  DeviceArray left;  /* dimensions that are not taken yet: axes of the mesh, some cut into pieces */
  DeviceArray inner; /* dimensions of a group */
  IntList axis;      /* the axis of each dimension in `left`; -1: nothing to take is left of it */
  IntList outer;     /* the product of the sizes before each dimension in `left`, within its axis */
  uint32_t last;     /* the last axis that was taken */
  bool is_ordered;   /* the operation depends on the order of the members */
  int64_t *ids;      /* ids at the positions of the mesh, or nullptr */
} Partition;

static void put_dimension(Reader *reader, DeviceArray *array, int64_t size, int64_t stride) {
  *ARENA_PUSH(reader->scratch, &array->sizes) = size;
  *ARENA_PUSH(reader->scratch, &array->strides) = stride;
}

static void keep_left(Reader *reader, Partition *partition, int64_t size, int64_t stride,
    int64_t axis, int64_t outer) {
  put_dimension(reader, &partition->left, size, stride);
  *ARENA_PUSH(reader->scratch, &partition->axis) = axis;
  *ARENA_PUSH(reader->scratch, &partition->outer) = outer;
}

/* Dimension `at` of what is left becomes `before` x `size` x the rest; the middle one moves to the
 * group. */
static void take_piece(
    Reader *reader, Partition *partition, uint32_t at, int64_t before, int64_t size) {
  const Partition old = *partition;
  assert(at < old.left.sizes.count && old.left.sizes.items[at] % (before * size) == 0);
  partition->left = (DeviceArray){.count = old.left.count};
  partition->axis = partition->outer = (IntList){};
  for (uint32_t i = 0; i < old.left.sizes.count; i++) {
    int64_t whole = old.left.sizes.items[i], stride = old.left.strides.items[i];
    int64_t axis = old.axis.items[i], outer = old.outer.items[i];
    if (i != at) {
      keep_left(reader, partition, whole, stride, axis, outer);
      continue;
    }
    int64_t after = whole / before / size;
    keep_left(reader, partition, before, stride * size * after, before == 1 ? -1 : axis, outer);
    put_dimension(reader, &partition->inner, size, stride * after);
    keep_left(reader, partition, after, stride, after == 1 ? -1 : axis, outer * before * size);
  }
}

/* The dimension of what is left that contains this part of the axis, or the number of them. */
static uint32_t dimension_with(
    const Partition *partition, int64_t axis, int64_t before, int64_t size) {
  uint32_t at = 0;
  for (; at < partition->axis.count; at++) {
    int64_t whole = partition->left.sizes.items[at], outer = partition->outer.items[at];
    if (partition->axis.items[at] == axis && before % outer == 0 && whole % (before / outer) == 0 &&
        whole / (before / outer) % size == 0)
      break;
  }
  return at;
}

/* StableHLO numbers the members in the order of the axes given here, XLA in the order of the mesh.
 */
static bool keeps_order(Reader *reader, Partition *partition, uint32_t axis, Slice name) {
  bool is_kept = !partition->is_ordered || axis >= partition->last;
  partition->last = axis;
  return is_kept ||
         read_fail(reader, ERROR_UNSUPPORTED, name.offset, name.length,
             "the axes are not in the order of the mesh; StableHLO and XLA number such groups differently");
}

static bool fail_axis(Reader *reader, Slice name) {
  return read_fail(
      reader, ERROR_INPUT, name.offset, name.length, "no axis of this name is left in the mesh");
}

/* 'x' or 'x':(2)4 */
static bool read_group_axis(Reader *reader, const AxisList *axes, Partition *partition) {
  Scanner *scan = &reader->scan;
  Slice name;
  if (!read_axis_name(reader, &name)) return false;
  uint32_t number = find_axis(axes, name);
  if (number == axes->count) return fail_axis(reader, name);
  int64_t whole = axes->items[number].size, before = 1, size = whole;
  if (scan_accept(scan, ':') && (!scan_expect(scan, '(', "before a part of an axis") ||
                                    !scan_integer(scan, &before, "an integer") ||
                                    !scan_expect(scan, ')', "before the part's size") ||
                                    !scan_integer(scan, &size, "the part's size"))) {
    return false;
  }
  if (before <= 0 || size <= 0 || whole % before != 0 || whole / before % size != 0) {
    return read_fail(reader, ERROR_INPUT, name.offset, scan->at - name.offset,
        "an axis of %" PRId64 " has no such part", whole);
  }
  uint32_t at = dimension_with(partition, number, before, size);
  if (at == partition->axis.count) return fail_axis(reader, name);
  take_piece(reader, partition, at, before / partition->outer.items[at], size);
  return keeps_order(reader, partition, number, name);
}

/* mesh['x'=2,'y'=4], device_ids=(...) */
static bool read_mesh(Reader *reader, AxisList *axes, Partition *partition) {
  Scanner *scan = &reader->scan;
  size_t start = scan->at;
  if (!scan_accept_keyword(scan, "mesh")) return scan_fail(scan, "replica groups");
  if (!read_mesh_axes(reader, axes, &partition->left) ||
      !spend_device_ids(reader, partition->left.count, start)) {
    return false;
  }
  for (uint32_t i = 0; i < axes->count; i++) {
    *ARENA_PUSH(reader->scratch, &partition->axis) = i;
    *ARENA_PUSH(reader->scratch, &partition->outer) = 1;
  }
  partition->ids = nullptr;
  size_t after = scan->at;
  if (scan_accept(scan, ',') && scan_accept_keyword(scan, "device_ids")) {
    return scan_expect(scan, '=', "before the ids") &&
           read_mesh_ids(reader, partition->left.count, &partition->ids);
  }
  scan->at = after;
  return true;
}

/* The dimensions left of the mesh are the outer ones, the axes of a group the inner ones. */
static void cut_mesh(Reader *reader, const Partition *partition, ReplicaGroups *groups) {
  DeviceArray whole = {.count = partition->left.count, .ids = partition->ids};
  const DeviceArray *parts[] = {&partition->left, &partition->inner};
  for (uint32_t i = 0; i < 2; i++) {
    for (uint32_t j = 0; j < parts[i]->sizes.count; j++) {
      put_dimension(reader, &whole, parts[i]->sizes.items[j], parts[i]->strides.items[j]);
    }
  }
  int64_t size = 1;
  for (uint32_t i = 0; i < partition->inner.sizes.count; i++)
    size *= partition->inner.sizes.items[i];
  cut_into_groups(reader, &whole, size, groups);
}

static bool read_mesh_groups(Reader *reader, Opcode opcode, ReplicaGroups *groups) {
  Scanner *scan = &reader->scan;
  AxisList axes = {};
  Partition partition = {.is_ordered = opcode != HLO_ALL_REDUCE && opcode != HLO_ALL_REDUCE_START};
  if (!read_mesh(reader, &axes, &partition)) return false;
  if (!scan_expect(scan, '{', "before the axes of a group")) return false;
  for (bool first = true; !scan_accept(scan, '}'); first = false) {
    if (!first && !scan_expect(scan, ',', "between the axes of a group")) return false;
    if (!read_group_axis(reader, &axes, &partition)) return false;
  }
  cut_mesh(reader, &partition, groups);
  return true;
}

bool read_replica_groups(Reader *reader, Opcode opcode, ReplicaGroups **groups) {
  *groups = ARENA_NEW(reader->arena, ReplicaGroups, 1);
  switch (scan_peek(&reader->scan)) {
    case '[': return read_iota_groups(reader, *groups);
    case 'm': return read_mesh_groups(reader, opcode, *groups);
    default: return read_group_lists(reader, *groups);
  }
}

bool read_pairs(Reader *reader, Ints *pairs) {
  Scanner *scan = &reader->scan;
  size_t start = (scan_blanks(scan), scan->at);
  ReplicaGroups groups = {};
  if (!read_group_lists(reader, &groups)) return false;
  *pairs = (Ints){
      .count = 2 * groups.count, .values = ARENA_NEW(reader->arena, int64_t, 2 * groups.count)};
  for (uint32_t i = 0; i < groups.count; i++) {
    if (groups.groups[i].count != 2) {
      return read_fail(reader, ERROR_INPUT, start, scan->at - start, "element %u is not a pair", i);
    }
    memcpy(pairs->values + 2 * i, groups.groups[i].values, 2 * sizeof *pairs->values);
  }
  return true;
}
