"""Simplifies a map, judges it, and proves two rules. Exit status 0 where the verdicts are as expected."""
import sys
from typing import Callable

import affirm

RULES = """
rule right  x mod c => x  when c > 0, 0 <= lo(x), hi(x) < c
rule wrong  x mod c => x  when c > 0, 0 <= lo(x), hi(x) <= c
"""
REVERSE = """HloModule m
ENTRY e {
  p = f32[4,3] parameter(0)
  ROOT r = f32[4,3] reverse(p), dimensions={0}
}
"""


def is_rejected(call: Callable[[], object], error: type[Exception]) -> bool:
    """Whether the call raises this error."""
    try:
        call()
    except error:
        return True
    return False


def main() -> int:
    """Prints each verdict."""
    with affirm.Context() as context:
        before = context.map("(d0) -> (d0 * 6 floordiv 3 mod 64), domain: d0 in [0, 9]")
        after = before.simplify()
        print(after, before.same(after).verdict)
        for step in before.steps():
            print(" ", step.rule, step.bindings)
        assert [before.evaluate(point) for point in before.points()] == [[2 * d] for d in range(10)]

        module = context.module(REVERSE, "reverse.hlo")
        maps = module.maps(0)
        exact = module.judge(0, maps)
        wrong = module.judge(0, [context.map("(d0, d1) -> (d0, d1), domain: d0 in [0, 3], d1 in [0, 2]")])
        print(maps[0], exact.verdict)
        print(wrong.verdict, wrong.text)

        verdicts = context.prove(RULES)
        for name, verdict in verdicts.items():
            print(name, verdict.verdict, verdict.text)
        try:
            context.map("(d0) -> (d1)", "bad.map")
        except affirm.Error as error:
            print(error, end="")
            assert (error.line, error.column) == (1, 10)
        # Values that C would truncate are an error, and so is a map of another context.
        assert is_rejected(lambda: before.evaluate([2**64]), OverflowError)
        assert is_rejected(lambda: module.maps(2**32), OverflowError)
        assert is_rejected(lambda: context.map("(d0) -> (d0), domain: d0 in [0, 3]\0 "), ValueError)
        with affirm.Context() as other:
            foreign = other.map("(d0) -> (d0), domain: d0 in [0, 9]")
            assert is_rejected(lambda: foreign.same(before), affirm.Error)
        assert is_rejected(lambda: list(foreign.points()), ValueError)
        statuses = [exact.status, wrong.status] + [verdict.status for verdict in verdicts.values()]
    return 0 if statuses == [0, 1, 0, 1] else 1


if __name__ == "__main__":
    sys.exit(main())
