"""Maps, modules and rules of affirm, through ctypes over libaffirm.so.

    import affirm
    with affirm.Context() as context:
        map = context.map("(d0) -> (d0 mod 8), domain: d0 in [0, 7]")
        print(map.simplify())

The library is found through the variable AFFIRM_LIBRARY, else by the system's loader.
Maps, modules and rules live as long as their context. A context belongs to one thread at a time.
"""
from __future__ import annotations

import ctypes
import ctypes.util
import enum
import os
from typing import Iterator, NamedTuple, Optional, Sequence


class Status(enum.IntEnum):
    """The exit statuses of the command. Only PROVED is a pass."""

    PROVED = 0
    REFUTED = 1
    UNKNOWN = 2
    FAILED = 3


class Verdict(NamedTuple):
    """The result of the judges: a status, the verdict, and the counterexample or the reason."""

    status: Status
    verdict: str
    text: str


class Step(NamedTuple):
    """One rewrite of a map, with the whole map before and after it."""

    rule: str
    bindings: str
    facts: str
    before: str
    after: str


class Error(ValueError):
    """An error with its location in the input; line and column are 0 if it has none."""

    def __init__(self, text: str, message: str, line: int, column: int) -> None:
        """Stores the message and the location; `text` is shown."""
        super().__init__(text)
        self.message, self.line, self.column = message, line, column


class _Error(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("message", ctypes.c_char_p), ("source", ctypes.c_char_p),
                ("line", ctypes.c_uint32), ("column", ctypes.c_uint32), ("width", ctypes.c_uint32)]


class _Interval(ctypes.Structure):
    _fields_ = [("lo", ctypes.c_int64), ("hi", ctypes.c_int64)]


class _Verdict(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("verdict", ctypes.c_char_p), ("text", ctypes.c_char_p)]


class _Question(ctypes.Structure):
    _fields_ = [("instruction", ctypes.c_void_p), ("direction", ctypes.c_int), ("output", ctypes.c_uint32),
                ("operand", ctypes.c_uint32), ("operand_leaf", ctypes.c_uint32)]


class _Step(ctypes.Structure):
    _fields_ = [("rule", ctypes.c_char_p), ("file", ctypes.c_char_p), ("line", ctypes.c_uint32),
                ("result", ctypes.c_int32), ("constraint", ctypes.c_int32), ("bindings", ctypes.c_char_p),
                ("facts", ctypes.c_char_p), ("before", ctypes.c_char_p), ("after", ctypes.c_char_p)]


_P, _S, _U = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint32
_VALUES = ctypes.POINTER(ctypes.c_int64)
_SIGNATURES = {
    "affirm_version": (_S, []),
    "affirm_context_create": (_P, []),
    "affirm_context_destroy": (None, [_P]),
    "affirm_context_limit": (None, [_P, _U]),
    "affirm_error": (ctypes.POINTER(_Error), [_P]),
    "affirm_error_text": (_S, [_P]),
    "affirm_error_clear": (None, [_P]),
    "affirm_map_parse": (_P, [_P, _S, _S]),
    "affirm_map_text": (_S, [_P, _P]),
    "affirm_map_variable_count": (_U, [_P, ctypes.c_int]),
    "affirm_map_result_count": (_U, [_P]),
    "affirm_map_compose": (_P, [_P, _P, _P]),
    "affirm_map_simplify": (_P, [_P, _P, ctypes.POINTER(_P)]),
    "affirm_map_inverse": (_P, [_P, _P]),
    "affirm_map_evaluate": (ctypes.c_int, [_P, _P, _U, _VALUES, _VALUES]),
    "affirm_map_point_count": (ctypes.c_bool, [_P, _P, ctypes.POINTER(ctypes.c_uint64)]),
    "affirm_points_begin": (ctypes.c_bool, [_P, _U, _VALUES]),
    "affirm_points_next": (ctypes.c_bool, [_P, _U, _VALUES]),
    "affirm_trace_count": (_U, [_P]),
    "affirm_trace_step": (ctypes.c_bool, [_P, _P, _U, ctypes.POINTER(_Step)]),
    "affirm_maps_same": (ctypes.c_int, [_P, _P, _P, ctypes.POINTER(_Verdict)]),
    "affirm_maps_same_relation": (ctypes.c_int, [_P, _P, _P, ctypes.POINTER(_Verdict)]),
    "affirm_maps_contained": (ctypes.c_int, [_P, _P, _P, ctypes.POINTER(_Verdict)]),
    "affirm_map_injective": (ctypes.c_int, [_P, _P, ctypes.POINTER(_Verdict)]),
    "affirm_module_read": (_P, [_P, _S, _S]),
    "affirm_module_text": (_S, [_P, _P]),
    "affirm_module_root": (_P, [_P]),
    "affirm_module_find": (_P, [_P, _P, _S]),
    "affirm_maps_compute": (_P, [_P, ctypes.POINTER(_Question)]),
    "affirm_maps_create": (_P, [_P, _U, ctypes.POINTER(_P)]),
    "affirm_maps_count": (_U, [_P]),
    "affirm_maps_at": (_P, [_P, _P, _U]),
    "affirm_maps_judge": (ctypes.c_int, [_P, ctypes.POINTER(_Question), _P, ctypes.POINTER(_Verdict)]),
    "affirm_modules_equivalent": (ctypes.c_int, [_P, _P, _P, ctypes.c_int, _U, ctypes.POINTER(_Verdict)]),
    "affirm_rules_parse": (_P, [_P, _S, _S]),
    "affirm_rules_count": (_U, [_P]),
    "affirm_rule_name": (_S, [_P, _P, _U]),
    "affirm_rule_prove": (ctypes.c_int, [_P, _P, _U, ctypes.POINTER(_Verdict)]),
}


def _load() -> ctypes.CDLL:
    """Opens the library and declares the functions that this module uses."""
    path = os.environ.get("AFFIRM_LIBRARY") or ctypes.util.find_library("affirm") or "libaffirm.so.0"
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise OSError(f"{error}; set AFFIRM_LIBRARY to the path of libaffirm.so.0") from None
    for name, (result, arguments) in _SIGNATURES.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


_library = _load()


def _number(value: int, lowest: int, highest: int) -> int:
    """Returns the value; ctypes would truncate a value out of range and so change the question."""
    if not lowest <= value <= highest:
        raise OverflowError(f"{value} is not in [{lowest}, {highest}]")
    return value


def _natural(value: int) -> int:
    """A value of uint32_t."""
    return _number(value, 0, 2**32 - 1)


def _bytes(text: str) -> bytes:
    """Returns the text for C, where a NUL would end it."""
    if "\0" in text:
        raise ValueError("the text has a NUL")
    return text.encode()


def version() -> str:
    """The version of the library, such as "0.3.0"."""
    return _library.affirm_version().decode()


class Map:
    """An indexing map. str() gives its text, which reads back to the same map."""

    def __init__(self, context: Context, handle: int) -> None:
        """Used only by Context and Map: Context.map parses a text."""
        self._context, self._pointer = context, handle

    @property
    def _handle(self) -> int:
        """The library's map, while its context is open."""
        self._context._open()
        return self._pointer

    def __str__(self) -> str:
        """The map in one line."""
        return self._context._text("affirm_map_text", self._handle)

    def simplify(self) -> Map:
        """The same map in normal form."""
        return self._context._map("affirm_map_simplify", self._handle, None)

    def steps(self) -> list[Step]:
        """The rewrites that lead to the normal form."""
        trace, step = _P(), _Step()
        self._context._call("affirm_map_simplify", self._handle, ctypes.byref(trace))
        steps = []
        for index in range(_library.affirm_trace_count(trace)):
            self._context._call("affirm_trace_step", trace, index, ctypes.byref(step))
            texts = (step.rule, step.bindings, step.facts, step.before, step.after)
            steps.append(Step(*(text.decode() for text in texts)))
        return steps

    def compose(self, producer: Map) -> Map:
        """Composes this map (first) with the producer's."""
        return self._context._map("affirm_map_compose", self._handle, producer._handle)

    def inverse(self) -> Map:
        """Returns the map from results to dimensions, defined exactly on the results of points."""
        return self._context._map("affirm_map_inverse", self._handle)

    def variable_count(self) -> int:
        """Dimensions, range variables and runtime variables together."""
        return sum(_library.affirm_map_variable_count(self._handle, kind) for kind in range(3))

    def evaluate(self, values: Sequence[int]) -> Optional[list[int]]:
        """The results at a point, or None outside the domain."""
        results = (ctypes.c_int64 * max(1, _library.affirm_map_result_count(self._handle)))()
        point = (ctypes.c_int64 * max(1, len(values)))(*(_number(value, -2**63, 2**63 - 1) for value in values))
        state = _library.affirm_map_evaluate(self._context._handle, self._handle, len(values), point, results)
        if state == 3:
            raise self._context._error()
        if state == 2:
            raise OverflowError("a value leaves int64")
        return list(results[:_library.affirm_map_result_count(self._handle)]) if state == 0 else None

    def points(self) -> Iterator[tuple[int, ...]]:
        """Yields all points within the bounds, ignoring constraints; the last variable varies
        fastest."""
        count = self.variable_count()
        values = (ctypes.c_int64 * max(1, count))()
        more = _library.affirm_points_begin(self._handle, count, values)
        while more:
            yield tuple(values[:count])
            more = _library.affirm_points_next(self._handle, count, values)

    def point_count(self) -> int:
        """The number of points of the domain."""
        count = ctypes.c_uint64()
        self._context._call("affirm_map_point_count", self._handle, ctypes.byref(count))
        return count.value

    def same(self, other: Map) -> Verdict:
        """Whether both maps are the same, point by point."""
        return self._context._verdict("affirm_maps_same", self._handle, other._handle)

    def same_relation(self, other: Map) -> Verdict:
        """Whether both have the same pairs of dimensions and results, whatever the range
        variables."""
        return self._context._verdict("affirm_maps_same_relation", self._handle, other._handle)

    def contained_in(self, outer: Map) -> Verdict:
        """Whether each pair of this map is a pair of the other."""
        return self._context._verdict("affirm_maps_contained", self._handle, outer._handle)

    def injective(self) -> Verdict:
        """Whether different points have different results."""
        return self._context._verdict("affirm_map_injective", self._handle)


class Module:
    """A verified HLO module. str() gives its text."""

    def __init__(self, context: Context, handle: int) -> None:
        """Used only by Context: Context.module parses a text."""
        self._context, self._pointer = context, handle

    @property
    def _handle(self) -> int:
        """The library's module, while its context is open."""
        self._context._open()
        return self._pointer

    def __str__(self) -> str:
        """The module as HLO text."""
        return self._context._text("affirm_module_text", self._handle)

    def _question(self, instruction: Optional[str], operand: int, inverse: bool, output: int, leaf: int) -> _Question:
        """The question about an instruction; the root unless one is named."""
        if instruction is None:
            found = _library.affirm_module_root(self._handle)
        else:
            found = self._context._call("affirm_module_find", self._handle, _bytes(instruction))
        return _Question(found, int(inverse), _natural(output), _natural(operand), _natural(leaf))

    def maps(self, operand: int, instruction: Optional[str] = None, *, inverse: bool = False,
             output: int = 0, leaf: int = 0) -> list[Map]:
        """The engine's maps of an operand: a union."""
        question = self._question(instruction, operand, inverse, output, leaf)
        maps = self._context._call("affirm_maps_compute", ctypes.byref(question))
        return [self._context._map("affirm_maps_at", maps, index)
                for index in range(_library.affirm_maps_count(maps))]

    def judge(self, operand: int, maps: Sequence[Map], instruction: Optional[str] = None, *,
              inverse: bool = False, output: int = 0, leaf: int = 0) -> Verdict:
        """Whether the union of the maps is exactly what is read; both judges are asked."""
        question = self._question(instruction, operand, inverse, output, leaf)
        handles = (_P * max(1, len(maps)))(*(map._handle for map in maps))
        union = self._context._call("affirm_maps_create", len(maps), handles)
        return self._context._verdict("affirm_maps_judge", ctypes.byref(question), union)

    def equivalent(self, after: Module, *, laws: int = 1, output: int = 0) -> Verdict:
        """Whether both modules compute the same values. Laws: 0 none, 1 exact, 2 ieee, 3 fast."""
        return self._context._verdict("affirm_modules_equivalent", self._handle, after._handle,
                                      _natural(laws), _natural(output))


class Context:
    """Owns everything that is parsed and computed through it. Use it in a `with` statement."""

    def __init__(self, seconds: int = 0) -> None:
        """`seconds` limits a single question to the judges about reads; 0 selects the default of
        20."""
        limit = _natural(seconds)
        self._handle = _library.affirm_context_create()
        if not self._handle:
            raise MemoryError("no context")
        _library.affirm_context_limit(self._handle, limit)

    def __enter__(self) -> Context:
        """The context itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Frees the context and everything that it owns."""
        _library.affirm_context_destroy(self._handle)
        self._handle = None

    def _open(self) -> None:
        """Raises ValueError if the context is closed."""
        if self._handle is None:
            raise ValueError("the context is closed")

    def _error(self) -> Error:
        """Returns the context's error as an exception, and clears it in the context."""
        error = _library.affirm_error(self._handle).contents
        text = _library.affirm_error_text(self._handle).decode(errors="replace")
        raised = Error(text, error.message.decode(errors="replace"), error.line, error.column)
        _library.affirm_error_clear(self._handle)
        return raised

    def _call(self, name: str, *arguments: object) -> int:
        """Calls a function of the library; an error becomes an exception."""
        self._open()
        result = getattr(_library, name)(self._handle, *arguments)
        if not result:
            raise self._error()
        return result

    def _text(self, name: str, *arguments: object) -> str:
        """The text that a function of the library returns."""
        return self._call(name, *arguments).decode()  # type: ignore[attr-defined]

    def _map(self, name: str, *arguments: object) -> Map:
        """The map that a function of the library returns."""
        return Map(self, self._call(name, *arguments))

    def _verdict(self, name: str, *arguments: object) -> Verdict:
        """The verdict that a function of the library sets."""
        verdict = _Verdict()
        status = Status(getattr(_library, name)(self._handle, *arguments, ctypes.byref(verdict)))
        if status == Status.FAILED:
            raise self._error()
        return Verdict(status, verdict.verdict.decode(), verdict.text.decode())

    def map(self, text: str, name: str = "<map>") -> Map:
        """Parses a map."""
        return self._map("affirm_map_parse", _bytes(name), _bytes(text))

    def module(self, text: str, name: str = "<module>") -> Module:
        """Parses and verifies an HLO module."""
        return Module(self, self._call("affirm_module_read", _bytes(name), _bytes(text)))

    def prove(self, text: str, name: str = "<rules>") -> dict[str, Verdict]:
        """Proves each rule of a text for all values of its letters."""
        rules = self._call("affirm_rules_parse", _bytes(name), _bytes(text))
        return {self._text("affirm_rule_name", rules, index): self._verdict("affirm_rule_prove", rules, index)
                for index in range(_library.affirm_rules_count(rules))}
