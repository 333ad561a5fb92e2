/* Terms over elements: what one element of an array is computed from.
 * Keeps: terms are hash-consed, so two terms of one store are equal if and only if their numbers
 * are. A term's children have smaller numbers than the term. The children of a fold are sorted
 * after its initial values, unless its function depends on their order: a fold is a multiset, or a
 * sequence. */
#ifndef ORACLE_TERMS_TERM_H
#define ORACLE_TERMS_TERM_H

#include "core/hlo/graph.h"
#include "core/base/law_grade.h"
#include "core/base/text.h"

typedef uint32_t Term;
static constexpr Term no_term = UINT32_MAX;

typedef enum TermKind : uint8_t {
  TERM_ATOM,     /* element `payload` of an array that both graphs share */
  TERM_CONSTANT, /* integral: the value; floating: the bits of the value as a double */
  TERM_APPLY,    /* an operation of elements, or (payload) one element of an opaque operation */
  TERM_TUPLE,    /* the arguments of one step of a fold */
  TERM_FOLD,     /* `payload`: the output leaf; children: initial values, then tuples */
  TERM_PICK,     /* child 1 + c, where c is the value of child 0 clamped to 0 .. count - 2 */
  TERM_ARRAY,    /* all elements of an array in row-major order */
} TermKind;

/* Whether an operation sorts a line, and whether the sort is stable. */
typedef enum Sorts : uint8_t { SORTS_NOT, SORTS, SORTS_STABLE } Sorts;

/* A bitcast-convert between widths, the first element the lowest bits: BITS_PART is part `payload`
 * of one element, BITS_JOINED is one element joined of several. */
typedef enum Bits : uint8_t { BITS_NOT, BITS_PART, BITS_JOINED } Bits;

/* Shared by the terms of one operation or array: the operation with its attributes, or the array of
 * an atom. */
typedef struct TermSignature {
  const char *text; /* canonical */
  const char *name; /* for output */
  const Instruction *instruction;
  const Shape *shape; /* of an atom's array */
  uint32_t body_count;
  Term *body;            /* of a fold: the results of its function over the body's own atoms */
  bool is_products;      /* the fold of a contraction: sums of products of pairs */
  bool has_like_factors; /* of these, both factors of a pair have the same precision */
  bool is_opaque;        /* without arithmetic here */
  bool is_ordered;       /* of a fold: its tuples are a sequence, and not a multiset */
  bool is_unordered;     /* a float operation of at most `number` updates in no stated order */
  Bits bits;             /* a bitcast-convert between widths */
  Sorts sorts;           /* an element of a sorted line; the body is the comparison */
  bool is_namesake;      /* atom of an elided constant whose name occurs several times */
  bool is_nan;           /* atom of a literal that is a NaN */
  bool is_computed;      /* atom of an input that is computed outside, and may take few values */
  bool is_body;          /* atom of a body: `number` is the parameter */
  uint32_t number;
  size_t head_length; /* of an operation on arrays: the text before its called computations */
} TermSignature;

typedef struct TermData {
  TermKind kind;
  ElementType type;
  uint32_t signature, count, first;
  uint64_t payload;
} TermData;

typedef struct Terms Terms;
[[nodiscard]] Terms *terms_create(Arena *arena);
[[nodiscard]] uint32_t terms_count(const Terms *terms);
[[nodiscard]] const TermData *term_data(const Terms *terms, Term term);
[[nodiscard]] const Term *term_children(const Terms *terms, Term term);

/* The signature of a text; a new one is zero except for its text and name. */
[[nodiscard]] uint32_t signature_of(Terms *terms, const char *text, const char *name);
/* The operation without attributes, as in the graphs; created if no graph has it. */
[[nodiscard]] uint32_t signature_of_operation(
    Terms *terms, Opcode opcode, ElementType type, uint32_t count);
[[nodiscard]] TermSignature *signature_at(const Terms *terms, uint32_t signature);

/* The cached results of a called computation, over its own arguments. */
typedef struct TermsBody {
  const Computation *computation;
  uint32_t count;
  const Term *results;
} TermsBody;
[[nodiscard]] const TermsBody *terms_find_body(const Terms *terms, const Computation *computation);
void terms_add_body(
    Terms *terms, const Computation *computation, uint32_t count, const Term *results);

/* The term with these parts, without simplification. */
[[nodiscard]] Term term_make(Terms *terms, TermKind kind, ElementType type, uint32_t signature,
    uint64_t payload, uint32_t count, const Term *children);
[[nodiscard]] Term term_constant(Terms *terms, ElementType type, int64_t value);
[[nodiscard]] Term term_float(Terms *terms, ElementType type, double value);
[[nodiscard]] bool terms_is_constant(const Terms *terms, Term term, int64_t *value);
/* How far rounding may have moved a float that was folded from other constants. */
[[nodiscard]] double terms_constant_error(const Terms *terms, Term constant);
/* The errors that folded constants keep. A float with a kept error that is not small is a constant
 * of its own, and what such an error may move past a jump is not folded. Where more than small
 * errors are kept, neither is what the sign of a zero decides. */
typedef enum ConstantErrors : uint8_t {
  ERRORS_SMALL,    /* only small ones */
  ERRORS_OVERFLOW, /* also of a number beyond the range of its type, which may be any number */
  ERRORS_ALL,      /* all; each rounded constant is a constant of its own */
} ConstantErrors;
/* For the terms that are made from now on; before, small errors are kept. */
void terms_keep_errors(Terms *terms, ConstantErrors kept);
/* Whether a constant was folded to a number that rounding, or the sign of a zero, may have moved.
 */
[[nodiscard]] bool terms_has_rounded(const Terms *terms);
/* The position of an offset of this type among `count` positions, after HLO's clamp. An unsigned
 * 64-bit value that is represented as a negative number is large. */
[[nodiscard]] int64_t offset_clamp(ElementType type, int64_t value, int64_t count);
/* Whether the offset is a constant, and its position. */
[[nodiscard]] bool terms_is_known_offset(
    const Terms *terms, Term offset, int64_t count, int64_t *position);

/* Applies an operation to elements. Constants are folded if the result is exact, and a select whose
 * predicate is a constant is its branch. */
[[nodiscard]] Term term_apply(
    Terms *terms, uint32_t signature, uint32_t count, const Term *children);
/* The operands of which commutative operations are sorted. A float operation with exchanged
 * operands may return another NaN. */
typedef enum OperandSorting : uint8_t {
  SORTING_NOTHING,
  SORTING_INTEGERS,
  SORTING_ALL,
} OperandSorting;
/* Returns the previous setting. */
OperandSorting terms_sort_operands(Terms *terms, OperandSorting sorting);
/* What may differ in the terms that are compared. */
void terms_set_grade(Terms *terms, LawGrade grade);
[[nodiscard]] LawGrade terms_grade(const Terms *terms);
/* Whether the payload of a NaN and the sign of a zero do not count. */
[[nodiscard]] bool terms_has_one_nan(const Terms *terms);
[[nodiscard]] Term term_pick(Terms *terms, Term offset, uint32_t count, const Term *candidates);
/* Sorts the tuples of a multiset, and the factors of pairs where these are alike. A fold over
 * nothing is its initial value; a fold of one tuple is its function. */
[[nodiscard]] Term term_fold(Terms *terms, ElementType type, uint32_t signature, uint32_t leaf,
    uint32_t init_count, const Term *inits, uint32_t count, Term *tuples);
/* Whether the operation returns the same for exchanged operands: a sum, a product, an extremum, a
 * conjunction, a disjunction. Of floats, it may return another NaN or zero. */
[[nodiscard]] bool opcode_commutes(Opcode opcode);
/* A term like `data` with other children [data->count], as its constructor builds it; a fold sorts
 * its tuples in place. A pick is left as it is. */
[[nodiscard]] Term term_rebuild(Terms *terms, const TermData *data, Term *children);
/* The opcode of an operation that is not opaque; false for any other term. */
[[nodiscard]] bool term_operation(const Terms *terms, Term term, Opcode *opcode);
/* Whether the function, a term over a body's two atoms, is one operation of both whose order of
 * application does not matter: a sum, a product, an extremum, a conjunction, a disjunction. */
[[nodiscard]] bool term_is_free_of_order(const Terms *terms, Term body);
/* Whether it is such an operation of two arguments of the type, which are not rounded then. */
[[nodiscard]] bool term_folds_type(const Terms *terms, Term body, ElementType type);
/* Whether a fold by the function is a multiset: the order of its operands, and of its applications,
 * does not matter, or is not compared. The function is one operation as above, or an extremum of
 * integers as a select by a comparison. Arguments and result may be converted to types that keep
 * the values of the function's result, apart from the rounding of floats. */
[[nodiscard]] bool term_folds_a_multiset(const Terms *terms, Term body);
/* Whether the function commutes and associates at the grade: an operation of integers, or one of
 * floats that changes no more than the grade allows. */
[[nodiscard]] bool term_regroups(const Terms *terms, Term body);
/* Folds `count` copies of a constant, without an initial value. False if the function is no such
 * operation, or if the order of a float's roundings may decide. */
[[nodiscard]] bool term_fold_copies(
    Terms *terms, Term body, Term constant, uint32_t count, Term *folded);
/* The parameters on which a term over a body's atoms depends, one bit each. */
[[nodiscard]] uint64_t term_parameters(const Terms *terms, Term body);
/* The element that an operation or a call passes on as one of the type: a conversion if the type
 * represents it. Otherwise it may be rounded, which is an operation of its own. */
[[nodiscard]] Term term_passed(Terms *terms, ElementType type, Term term);
/* The term with the atoms of a body replaced by `arguments`, by parameter. */
[[nodiscard]] Term term_substitute(Terms *terms, Term body, const Term *arguments);

/* Descends into both terms as long as exactly one child differs; returns the number of operations
 * descended. */
[[nodiscard]] uint32_t terms_part(const Terms *terms, Term *before, Term *after);
void terms_print(Text *text, const Terms *terms, Term term, uint32_t depth);

#endif
