/* isl as an engine: a map is an isl_pw_multi_aff on the box of all its variables, dimensions, range
 * variables, runtime variables. simplify is coalesce and gist on the domain, compose is pullback
 * and the same; isl computes in integers of any size. Expressions are read here, results are
 * written from isl's quasi-affine expressions, the domain from its basic set and the bounds of each
 * variable on it.
 * Not offered: products of two variables; what isl answers in several pieces, as it does for min
 * and max, for one map has one. Rejected: constants that leave int64, what takes isl more than
 * most_operations. */
#include <affirm_engine.h>
#include <errno.h>
#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/ctx.h>
#include <isl/ilp.h>
#include <isl/local_space.h>
#include <isl/options.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>
#include <isl/version.h>

#include "examples/map_text.h"

enum { most_operations = 1000000, deepest = 200 };

static struct {
  isl_ctx *context;
  Out out;
} engine;

static AffirmEngineStatus say(AffirmEngineStatus status, const char *words, const char **text) {
  out_clear(&engine.out);
  out_say(&engine.out, "%s", words);
  *text = engine.out.text;
  return status;
}

/* --- reading: an expression over named variables becomes an isl_pw_aff; null where it does not
 * --- */

typedef struct Reader {
  const char *at;
  const MapText *map;
  const int *place; /* of each variable of the map in the space */
  isl_space *space; /* of a set; KEEP */
  int depth;
  const char *why; /* not null: what is not offered */
} Reader;

static isl_pw_aff *read_sum(Reader *reader);

static int take(Reader *reader, const char *word) {
  while (*reader->at == ' ') reader->at++;
  size_t length = strlen(word);
  if (strncmp(reader->at, word, length) != 0) return 0;
  reader->at += length;
  return 1;
}

static isl_pw_aff *read_number(Reader *reader) {
  char digits[64];
  size_t length = strspn(reader->at, "0123456789");
  if (length >= sizeof digits) return NULL;
  memcpy(digits, reader->at, length);
  digits[length] = 0;
  reader->at += length;
  isl_set *everywhere = isl_set_universe(isl_space_copy(reader->space));
  return isl_pw_aff_val_on_domain(everywhere, isl_val_read_from_str(engine.context, digits));
}

static isl_pw_aff *read_variable(Reader *reader) {
  size_t length = strspn(reader->at, "abcdefghijklmnopqrstuvwxyz0123456789_");
  for (int i = 0; length > 0 && i < reader->map->variables; i++) {
    const char *name = reader->map->variable[i].text;
    if (strlen(name) != length || memcmp(name, reader->at, length) != 0) continue;
    reader->at += length;
    isl_local_space *local = isl_local_space_from_space(isl_space_copy(reader->space));
    return isl_pw_aff_from_aff(
        isl_aff_var_on_domain(local, isl_dim_set, (unsigned)reader->place[i]));
  }
  return NULL;
}

static isl_pw_aff *read_choice(Reader *reader, int is_min) {
  isl_pw_aff *left = read_sum(reader), *right = take(reader, ",") ? read_sum(reader) : NULL;
  if (!take(reader, ")")) right = isl_pw_aff_free(right);
  return is_min ? isl_pw_aff_min(left, right) : isl_pw_aff_max(left, right);
}

static isl_pw_aff *read_factor(Reader *reader) {
  isl_pw_aff *result = NULL;
  if (++reader->depth > deepest) return NULL;
  if (take(reader, "-")) result = isl_pw_aff_neg(read_factor(reader));
  else if (take(reader, "min(")) result = read_choice(reader, 1);
  else if (take(reader, "max(")) result = read_choice(reader, 0);
  else if (take(reader, "(")) {
    result = read_sum(reader);
    if (!take(reader, ")")) result = isl_pw_aff_free(result);
  } else if (*reader->at >= '0' && *reader->at <= '9') result = read_number(reader);
  else result = read_variable(reader);
  reader->depth--;
  return result;
}

/* The value of an expression that is one constant. */
static isl_val *constant_of(const char *from, const char *to) {
  char digits[64];
  size_t length = (size_t)(to - from);
  while (length > 0 && *from == ' ') from++, length--;
  if (length == 0 || length >= sizeof digits || strspn(from, "-0123456789") < length) return NULL;
  memcpy(digits, from, length);
  digits[length] = 0;
  return isl_val_read_from_str(engine.context, digits);
}

static isl_pw_aff *read_product(Reader *reader, isl_pw_aff *left) {
  isl_pw_aff *right = read_factor(reader);
  if (left != NULL && right != NULL && isl_pw_aff_is_cst(left) != isl_bool_true &&
      isl_pw_aff_is_cst(right) != isl_bool_true) {
    reader->why = "a product of two variables";
    isl_pw_aff_free(left);
    isl_pw_aff_free(right);
    return NULL;
  }
  return isl_pw_aff_mul(left, right);
}

static isl_pw_aff *read_division(Reader *reader, isl_pw_aff *left, char operation) {
  const char *from = reader->at;
  isl_pw_aff_free(read_factor(reader));
  isl_val *divisor = constant_of(from, reader->at);
  if (divisor == NULL) {
    isl_pw_aff_free(left);
    return NULL;
  }
  if (operation == 'm') return isl_pw_aff_mod_val(left, divisor);
  left = isl_pw_aff_scale_down_val(left, divisor);
  return operation == 'f' ? isl_pw_aff_floor(left) : isl_pw_aff_ceil(left);
}

static isl_pw_aff *read_term(Reader *reader) {
  isl_pw_aff *left = read_factor(reader);
  while (left != NULL) {
    if (take(reader, "*")) left = read_product(reader, left);
    else if (take(reader, "floordiv")) left = read_division(reader, left, 'f');
    else if (take(reader, "ceildiv")) left = read_division(reader, left, 'c');
    else if (take(reader, "mod")) left = read_division(reader, left, 'm');
    else return left;
  }
  return NULL;
}

static isl_pw_aff *read_sum(Reader *reader) {
  isl_pw_aff *left = read_term(reader);
  while (left != NULL) {
    if (take(reader, "+")) left = isl_pw_aff_add(left, read_term(reader));
    else if (take(reader, "-")) left = isl_pw_aff_sub(left, read_term(reader));
    else return left;
  }
  return NULL;
}

static isl_pw_aff *read_expr(Reader *reader, const char *text) {
  reader->at = text;
  isl_pw_aff *expr = read_sum(reader);
  return expr != NULL && *skip_blanks((char *)reader->at) == 0 ? expr : isl_pw_aff_free(expr);
}

static isl_pw_aff *number(Reader *reader, const char *digits) {
  return isl_pw_aff_val_on_domain(isl_set_universe(isl_space_copy(reader->space)),
      isl_val_read_from_str(engine.context, digits));
}

static isl_set *within(Reader *reader, isl_set *domain, const Piece *piece, isl_pw_aff *value) {
  isl_set *above = isl_pw_aff_ge_set(isl_pw_aff_copy(value), number(reader, piece->lo));
  isl_set *below = isl_pw_aff_le_set(value, number(reader, piece->hi));
  return isl_set_intersect(domain, isl_set_intersect(above, below));
}

static isl_set *read_domain(Reader *reader, const MapText *map) {
  isl_set *domain = isl_set_universe(isl_space_copy(reader->space));
  for (int i = 0; i < map->variables + map->constraints; i++) {
    const Piece *piece =
        i < map->variables ? &map->variable[i] : &map->constraint[i - map->variables];
    domain = within(reader, domain, piece, read_expr(reader, piece->text));
  }
  return domain;
}

/* The map's results, then the variables at `passed`, over the domain of the map. */
static isl_pw_multi_aff *read_function(
    Reader *reader, const MapText *map, int passed_count, const int *passed) {
  isl_pw_aff_list *list = isl_pw_aff_list_alloc(engine.context, map->results + passed_count);
  for (int i = 0; i < map->results; i++)
    list = isl_pw_aff_list_add(list, read_expr(reader, map->result[i].text));
  for (int i = 0; i < passed_count; i++) {
    isl_local_space *local = isl_local_space_from_space(isl_space_copy(reader->space));
    list = isl_pw_aff_list_add(
        list, isl_pw_aff_from_aff(isl_aff_var_on_domain(local, isl_dim_set, (unsigned)passed[i])));
  }
  isl_space *range =
      isl_space_set_alloc(engine.context, 0, (unsigned)(map->results + passed_count));
  isl_space *space = isl_space_map_from_domain_and_range(isl_space_copy(reader->space), range);
  isl_multi_pw_aff *all = isl_multi_pw_aff_from_pw_aff_list(space, list);
  all = isl_multi_pw_aff_intersect_domain(all, read_domain(reader, map));
  return isl_pw_multi_aff_from_multi_pw_aff(all);
}

/* --- writing: 0 where a number leaves int64 or a division is unknown --- */

typedef struct Names {
  int dims, ranges, runtimes;
} Names;

static void write_name(const Names *names, int i) {
  int is_dim = i < names->dims, is_range = !is_dim && i < names->dims + names->ranges;
  out_say(&engine.out,
      is_dim     ? "d%d"
      : is_range ? "s%d"
                 : "rt%d",
      is_dim     ? i
      : is_range ? i - names->dims
                 : i - names->dims - names->ranges);
}

static int write_value(isl_val *value) {
  char *text = isl_val_to_str(value);
  errno = 0;
  int fits = text != NULL && strchr(text, '/') == NULL && (strtoll(text, NULL, 10), errno == 0);
  if (fits) out_say(&engine.out, "%s", text);
  free(text);
  isl_val_free(value);
  return fits;
}

static int write_aff(const Names *names, isl_aff *aff, int depth);

/* `c * `, nothing for 1. */
static int write_factor(isl_val *coefficient, const char **plus) {
  out_say(&engine.out, "%s", *plus);
  *plus = " + ";
  if (isl_val_is_one(coefficient) == isl_bool_true) {
    isl_val_free(coefficient);
    return 1;
  }
  int fits = write_value(coefficient);
  out_say(&engine.out, " * ");
  return fits;
}

/* n * aff of the common denominator n: integers only. `aff floordiv n` is the value, by rounding
 * down where isl means a floor and by exact division elsewhere. */
static int write_numerator(const Names *names, isl_aff *aff, isl_val *denominator, int depth) {
  const char *plus = "";
  int fits = 1, variables = (int)isl_aff_dim(aff, isl_dim_in),
      divisions = (int)isl_aff_dim(aff, isl_dim_div);
  for (int i = 0; fits && i < variables + divisions; i++) {
    enum isl_dim_type type = i < variables ? isl_dim_in : isl_dim_div;
    int place = i < variables ? i : i - variables;
    isl_val *coefficient =
        isl_val_mul(isl_aff_get_coefficient_val(aff, type, place), isl_val_copy(denominator));
    if (isl_val_is_zero(coefficient) == isl_bool_true) {
      isl_val_free(coefficient);
      continue;
    }
    fits = write_factor(coefficient, &plus);
    if (type == isl_dim_in) {
      write_name(names, place);
      continue;
    }
    isl_aff *floor = isl_aff_get_div(aff, place);
    out_say(&engine.out, "(");
    fits = fits && floor != NULL && write_aff(names, floor, depth + 1);
    out_say(&engine.out, ")");
    isl_aff_free(floor);
  }
  isl_val *constant = isl_val_mul(isl_aff_get_constant_val(aff), isl_val_copy(denominator));
  if (isl_val_is_zero(constant) != isl_bool_true || plus[0] == 0) {
    out_say(&engine.out, "%s", plus);
    return fits & write_value(constant);
  }
  isl_val_free(constant);
  return fits;
}

static int write_aff(const Names *names, isl_aff *aff, int depth) {
  isl_val *denominator = isl_aff_get_denominator_val(aff);
  int fits = denominator != NULL && depth < deepest;
  if (fits && isl_val_is_one(denominator) == isl_bool_true) {
    fits = write_numerator(names, aff, denominator, depth);
  } else if (fits) {
    out_say(&engine.out, "(");
    fits = write_numerator(names, aff, denominator, depth);
    out_say(&engine.out, ") floordiv ");
    fits = fits && write_value(isl_val_copy(denominator));
  }
  isl_val_free(denominator);
  return fits;
}

typedef struct Conditions {
  const Names *names;
  isl_set *box;
  int fits;
} Conditions;

static isl_stat write_condition(isl_constraint *constraint, void *user) {
  Conditions *conditions = user;
  isl_aff *aff = isl_constraint_get_aff(constraint);
  isl_val *most = isl_constraint_is_equality(constraint) == isl_bool_true
                      ? isl_val_zero(engine.context)
                      : isl_set_max_val(conditions->box, aff);
  out_say(&engine.out, ", ");
  conditions->fits = conditions->fits && aff != NULL && write_aff(conditions->names, aff, 0);
  out_say(&engine.out, " in [0, ");
  conditions->fits = conditions->fits && write_value(isl_val_floor(most));
  out_say(&engine.out, "]");
  isl_aff_free(aff);
  isl_constraint_free(constraint);
  return isl_stat_ok;
}

/* Bounds of each variable on the domain, then what the domain says beyond them. */
static int write_domain(const Names *names, isl_basic_set *domain) {
  int count = names->dims + names->ranges + names->runtimes;
  Conditions conditions = {names, isl_set_universe(isl_basic_set_get_space(domain)), 1};
  isl_set *whole = isl_set_from_basic_set(isl_basic_set_copy(domain));
  for (int i = 0; i < count && conditions.fits; i++) {
    isl_val *lo = isl_set_dim_min_val(isl_set_copy(whole), i),
            *hi = isl_set_dim_max_val(isl_set_copy(whole), i);
    out_say(&engine.out, i == 0 ? "" : ", ");
    write_name(names, i);
    out_say(&engine.out, " in [");
    conditions.box =
        isl_set_lower_bound_val(conditions.box, isl_dim_set, (unsigned)i, isl_val_copy(lo));
    conditions.box =
        isl_set_upper_bound_val(conditions.box, isl_dim_set, (unsigned)i, isl_val_copy(hi));
    conditions.fits = write_value(lo);
    out_say(&engine.out, ", ");
    conditions.fits &= write_value(hi);
    out_say(&engine.out, "]");
  }
  isl_basic_set *beyond = isl_basic_set_gist(
      isl_basic_set_copy(domain), isl_set_simple_hull(isl_set_copy(conditions.box)));
  if (isl_basic_set_foreach_constraint(beyond, write_condition, &conditions) < 0)
    conditions.fits = 0;
  isl_basic_set_free(beyond);
  isl_set_free(whole);
  isl_set_free(conditions.box);
  return conditions.fits;
}

static int write_map(
    const Names *names, isl_basic_set *domain, isl_multi_aff *function, int results) {
  int fits = 1;
  out_clear(&engine.out);
  out_names(&engine.out, "d", 0, names->dims, '(', ')');
  out_names(&engine.out, "s", 0, names->ranges, '[', ']');
  out_names(&engine.out, "rt", 0, names->runtimes, '{', '}');
  out_say(&engine.out, " -> (");
  for (int i = 0; fits && i < results; i++) {
    isl_aff *aff = isl_multi_aff_get_aff(function, i);
    out_say(&engine.out, i == 0 ? "" : ", ");
    fits = aff != NULL && write_aff(names, aff, 0);
    isl_aff_free(aff);
  }
  out_say(&engine.out, ")");
  if (names->dims + names->ranges + names->runtimes == 0) return fits;
  out_say(&engine.out, ", domain: ");
  return fits && write_domain(names, domain);
}

static isl_stat keep_piece(isl_set *domain, isl_multi_aff *function, void *user) {
  (void)domain;
  *(isl_multi_aff **)user = function;
  isl_set_free(domain);
  return isl_stat_ok;
}

static isl_stat keep_basic_set(isl_basic_set *basic, void *user) {
  *(isl_basic_set **)user = basic;
  return isl_stat_ok;
}

static AffirmEngineStatus write_piece(const Names *names, isl_pw_multi_aff *function,
    isl_set *domain, int results, const char **text) {
  isl_multi_aff *only = NULL;
  isl_basic_set *basic = NULL;
  if (isl_pw_multi_aff_n_piece(function) != 1 || isl_set_n_basic_set(domain) != 1)
    return say(AFFIRM_ENGINE_NOT_OFFERED, "a map in several pieces", text);
  isl_pw_multi_aff_foreach_piece(function, keep_piece, &only);
  isl_set_foreach_basic_set(domain, keep_basic_set, &basic);
  int fits = only != NULL && basic != NULL && write_map(names, basic, only, results);
  isl_multi_aff_free(only);
  isl_basic_set_free(basic);
  *text = engine.out.text;
  return fits ? AFFIRM_ENGINE_ANSWERED
              : say(AFFIRM_ENGINE_REFUSED, "a number that leaves int64, or isl gives up", text);
}

/* TAKE: the function. */
static AffirmEngineStatus give(const Names *names, isl_pw_multi_aff *function, int results,
    const char *why, const char **text) {
  isl_set *domain = isl_set_make_disjoint(isl_set_coalesce(
      isl_set_compute_divs(isl_pw_multi_aff_domain(isl_pw_multi_aff_copy(function)))));
  isl_pw_multi_aff *simple =
      isl_pw_multi_aff_coalesce(isl_pw_multi_aff_gist(function, isl_set_copy(domain)));
  isl_bool is_empty = isl_set_is_empty(domain);
  AffirmEngineStatus status;
  if (why != NULL) status = say(AFFIRM_ENGINE_NOT_OFFERED, why, text);
  else if (simple == NULL || is_empty == isl_bool_error)
    status = say(AFFIRM_ENGINE_REFUSED,
        isl_ctx_last_error_msg(engine.context) == NULL ? "isl gives up"
                                                       : isl_ctx_last_error_msg(engine.context),
        text);
  else if (is_empty == isl_bool_true) status = say(AFFIRM_ENGINE_ANSWERED, "KNOWN EMPTY", text);
  else status = write_piece(names, simple, domain, results, text);
  isl_pw_multi_aff_free(simple);
  isl_set_free(domain);
  isl_ctx_reset_error(engine.context);
  return status;
}

/* --- calls --- */

static void begin_call(void) {
  if (engine.context == NULL) {
    engine.context = isl_ctx_alloc();
    isl_options_set_on_error(engine.context, ISL_ON_ERROR_CONTINUE);
    isl_ctx_set_max_operations(engine.context, most_operations);
  }
  isl_ctx_reset_operations(engine.context);
  isl_ctx_reset_error(engine.context);
}

static AffirmEngineStatus simplify(void *state, const char *map_text, const char **text) {
  (void)state;
  begin_call();
  MapText map;
  AffirmEngineStatus status;
  int place[piece_limit];
  if (map_text_read(map_text, &map)) {
    for (int i = 0; i < map.variables; i++) place[i] = i;
    isl_space *space = isl_space_set_alloc(engine.context, 0, (unsigned)map.variables);
    Reader reader = {NULL, &map, place, space, 0, NULL};
    isl_pw_multi_aff *function = read_function(&reader, &map, 0, NULL);
    isl_space_free(space);
    status =
        give(&(Names){map.dims, map.ranges, map.runtimes}, function, map.results, reader.why, text);
  } else {
    status = say(AFFIRM_ENGINE_NOT_OFFERED, "no plain map, or too large", text);
  }
  map_text_free(&map);
  return status;
}

/* Over one space: the consumer's dimensions; its range variables, the producer's; its runtime
 * variables, the producer's. */
static isl_pw_multi_aff *composed(
    const MapText *consumer, const MapText *producer, const char **why) {
  int count = consumer->variables + producer->ranges + producer->runtimes,
      first_runtime = consumer->dims + consumer->ranges + producer->ranges;
  int consumer_place[piece_limit], producer_place[piece_limit], passed[piece_limit],
      passed_count = 0;
  for (int i = 0; i < consumer->variables; i++)
    consumer_place[i] = i < consumer->dims + consumer->ranges ? i : i + producer->ranges;
  for (int i = 0; i < producer->ranges; i++)
    passed[passed_count++] = consumer->dims + consumer->ranges + i;
  for (int i = 0; i < producer->runtimes; i++)
    passed[passed_count++] = first_runtime + consumer->runtimes + i;
  for (int i = 0; i < producer->variables; i++) producer_place[i] = i;
  isl_space *whole = isl_space_set_alloc(engine.context, 0, (unsigned)count);
  isl_space *inner = isl_space_set_alloc(engine.context, 0, (unsigned)producer->variables);
  Reader first = {NULL, consumer, consumer_place, whole, 0, NULL},
         second = {NULL, producer, producer_place, inner, 0, NULL};
  isl_pw_multi_aff *through = read_function(&first, consumer, passed_count, passed),
                   *last = read_function(&second, producer, 0, NULL);
  isl_space_free(whole);
  isl_space_free(inner);
  *why = first.why != NULL ? first.why : second.why;
  return isl_pw_multi_aff_pullback_pw_multi_aff(last, through);
}

static AffirmEngineStatus compose_read(
    const MapText *consumer, const MapText *producer, const char **text) {
  if (consumer->results != producer->dims)
    return say(
        AFFIRM_ENGINE_REFUSED, "the consumer's results are not the producer's dimensions", text);
  if (consumer->variables + producer->variables > piece_limit)
    return say(AFFIRM_ENGINE_NOT_OFFERED, "too many variables", text);
  const char *why = NULL;
  isl_pw_multi_aff *function = composed(consumer, producer, &why);
  const Names names = {
      consumer->dims, consumer->ranges + producer->ranges, consumer->runtimes + producer->runtimes};
  return give(&names, function, producer->results, why, text);
}

static AffirmEngineStatus compose(
    void *state, const char *consumer_text, const char *producer_text, const char **text) {
  (void)state;
  begin_call();
  MapText consumer, producer;
  int has_both = map_text_read(consumer_text, &consumer);
  has_both &= map_text_read(producer_text, &producer);
  AffirmEngineStatus status =
      has_both ? compose_read(&consumer, &producer, text)
               : say(AFFIRM_ENGINE_NOT_OFFERED, "no plain map, or too large", text);
  map_text_free(&consumer);
  map_text_free(&producer);
  return status;
}

const AffirmEngine *affirm_engine(void) {
  static char name[80];
  static AffirmEngine offered = {AFFIRM_ENGINE_VERSION, name, NULL, NULL, simplify, compose, NULL};
  snprintf(name, sizeof name, "%.60s", isl_version());
  name[strcspn(name, "\n")] = 0;
  return &offered;
}
