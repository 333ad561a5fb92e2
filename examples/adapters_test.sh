#!/bin/sh
# The adapters for foreign packages pass if their package is installed, and are reported as skipped if not; an altered adapter is detected.
#   adapters_test.sh AFFIRM ROOT BUILT COMPILER    BUILT: where the C++ engines are; COMPILER: a C++ compiler
set -u
affirm=$1 root=$2 built=$3 compiler=${4:-}
export LC_ALL=C
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
maps=$root/examples/maps.txt runs=0 faults=0

# wants STATUS PATTERN COMMAND...: the command has this exit status, and its output matches the grep
# pattern
wants() {
  status=$1 words=$2
  shift 2
  runs=$((runs + 1))
  "$@" >"$here/out" 2>&1
  ended=$?
  if [ $ended -ne "$status" ] || ! grep -q -e "$words" "$here/out"; then
    faults=$((faults + 1))
    echo "FAULT: status $ended, wanted $status and '$words': $*"
    sed 's/^/    | /' "$here/out" | head -8
  fi
}
judge() { "$affirm" check "$maps" --engine-time 120000 --engine-memory 0 "$@"; }
score() { "$affirm" score --verb compose --without-ours --engine-time 120000 --engine-memory 0 "$@"; }
cat >"$here/pairs.txt" <<'END'
(d0)[s0] -> (d0 * 2 + s0), domain: d0 in [0, 3], s0 in [0, 1] ; (d0)[s0] -> (d0 mod 3, s0), domain: d0 in [0, 6], s0 in [0, 4]
(d0, d1){rt0} -> (d0 + rt0, d1 * 3), domain: d0 in [0, 3], d1 in [0, 3], rt0 in [0, 2] ; (d0, d1){rt0} -> (d0 floordiv 2 + d1 + rt0), domain: d0 in [0, 4], d1 in [0, 8], rt0 in [0, 1], d0 + d1 in [1, 9]
(d0) -> (d0, 5 - d0), domain: d0 in [0, 5] ; (d0, d1) -> (d1, d0), domain: d0 in [0, 4], d1 in [0, 5]
END

printf '%s\n' '(d0, d1)[s0] -> (d0 * 2 + s0 - 3, d1 * 4 + d0), domain: d0 in [0, 5], d1 in [0, 2], s0 in [0, 1], d0 + s0 in [1, 5]' >"$here/linear.txt"
printf '%s ; %s\n' '(d0) -> (d0 * 2 + 1), domain: d0 in [0, 3]' '(d0) -> (d0 * 3 - 1), domain: d0 in [0, 5]' >"$here/linear_pair.txt"
echo '(d0, d1)[s0] -> (), domain: d0 in [0, 0], d1 in [0, 0], s0 in [0, 0], max(min(max(0, min(s0, d1)), max(0, d1 mod 2)), min(s0 mod 3, d0)) in [0, 0]' >"$here/quota.txt"
for name in halide presburger isl; do
  library=$built/libengine_$name.so
  if [ ! -e "$library" ]; then echo "skipped: the library of engine-$name is not here"; continue; fi
  case $name in
    halide) wants 0 '6 proved, 0 refuted' judge --engine "$library" ;;
    presburger)
      wants 0 '1 proved, 0 refuted' "$affirm" check "$here/linear.txt" --engine "$library" --engine-time 120000 --engine-memory 0
      wants 0 'compose  *mlir presburger .*  1  *1 ' score --engine "$library" --pairs "$here/linear_pair.txt" ;;
    # isl exceeds its limit of operations while it reads the map: no empty map.
    isl) wants 2 'refused: isl gives up' judge "$here/quota.txt" --engine "$library" ;;
  esac
done

# Debian's Python has Debian's sympy.
python=/usr/bin/python3
if ! command -v $python >/dev/null; then
  echo "skipped: no python3, and so none of the engines in Python"
else
  engine=$root/examples/engine-python/engine.py
  wants 0 '6 proved, 0 refuted' judge --engine-cmd "$python $engine"
  # An engine that removes variables, and the same engine reporting the wrong ones as kept.
  unused=$root/examples/engine-python/unused.py
  echo '(d0, d1, d2)[s0]{rt0, rt1} -> (d1 + s0, rt1), domain: d0 in [0, 3], d1 in [0, 7], d2 in [2, 5], s0 in [0, 1], rt0 in [0, 4], rt1 in [1, 2], d1 + s0 in [0, 6]' >"$here/unused.txt"
  wants 0 '6 proved, 0 refuted' judge --engine-cmd "$python $unused"
  wants 0 '1 proved, 0 refuted' "$affirm" check "$here/unused.txt" --engine-cmd "$python $unused"
  wants 1 '0 proved, 1 refuted' "$affirm" check "$here/unused.txt" --engine-cmd "$python $unused | sed -u 's/kept: d1/kept: d0/'"
  # The trees of engine.py: parsing and printing are inverse, and composition is correct.
  cat >"$here/trees.py" <<'END'
import sys

sys.path.insert(0, sys.argv[1])
from engine import fold, number, serve_algebra

BENT = {"": None, "bent": "mod"}[sys.argv[2]]
serve_algebra("trees", lambda tree, variables: fold(
    tree, lambda name: ("var", name), number, lambda word, a, b: ("floordiv" if word == BENT else word, a, b)))
END
  wants 0 '6 proved, 0 refuted' judge --engine-cmd "$python $here/trees.py $root/examples/engine-python ''"
  wants 0 'compose  *trees  *3  *3 ' score --pairs "$here/pairs.txt" --engine-cmd "$python $here/trees.py $root/examples/engine-python ''"
  wants 1 '2 proved, 4 refuted' judge --engine-cmd "$python $here/trees.py $root/examples/engine-python bent"
  if $python -c 'import sympy' 2>/dev/null; then
    wants 0 '6 proved, 0 refuted' judge --engine-cmd "$python $root/examples/engine-sympy/engine.py"
    wants 0 'compose  *sympy .*  3  *3 ' score --pairs "$here/pairs.txt" --engine-cmd "$python $root/examples/engine-sympy/engine.py"
  else
    echo "skipped: the package python3-sympy is not here"
  fi
fi

# For engines that are not installed: rules, and a source whose syntax and types can be checked.
restated=$root/examples/rules-restated
wants 0 '46 rules: 46 proved, 0 refuted' "$affirm" prove --no-store "$restated/inductor.rules" "$restated/axis_info.rules" "$restated/linear_layouts.rules"
sed 's/hi(x) <= 1/hi(x) <= 2/' "$restated/linear_layouts.rules" >"$here/bent_layouts.rules"
wants 1 ' 1 refuted' "$affirm" prove --no-store "$here/bent_layouts.rules"
sed 's/hi(v) < n$/hi(v) <= n/' "$restated/inductor.rules" >"$here/bent_indices.rules"
wants 1 ' 2 refuted' "$affirm" prove --no-store "$here/bent_indices.rules"
sed 's/=>  x$/=>  x + 1/' "$root/examples/rules-restated/axis_info.rules" >"$here/bent.rules"
wants 1 ' 1 refuted' "$affirm" prove --no-store "$here/bent.rules"
if [ -n "$compiler" ]; then
  wants 0 'it compiles' sh -c '"$@" && echo it compiles' sh "$compiler" -std=c++17 -fsyntax-only -Wall -Wextra -Werror -DENGINE_XLA_STAND_IN -I "$root/include" -I "$root" "$root/examples/engine-xla/engine_xla.cpp"
  sed 's/map.Simplify()/map.Simplify(1)/' "$root/examples/engine-xla/engine_xla.cpp" >"$here/bent.cpp"
  wants 1 'too many arguments' "$compiler" -std=c++17 -fsyntax-only -DENGINE_XLA_STAND_IN -I "$root/include" -I "$root" "$here/bent.cpp"
else
  echo "skipped: no compiler of C++ was named"
fi

# Engines of other projects, found through PYTHONPATH.
echo '(d0) -> ((d0 mod 4) * 2 + d0 floordiv 4), domain: d0 in [0, 11]' >"$here/layout.txt"
if [ -e /usr/bin/python3 ]; then
  wants 0 'it reads' $python -c "import ast, sys; ast.parse(open(sys.argv[1]).read()); print('it reads')" "$root/examples/engine-tvm/engine.py"
fi
for name in tinygrad pycute; do
  if $python -c "import $name" 2>/dev/null; then
    wants 0 '1 proved, 0 refuted' "$affirm" check "$here/layout.txt" --engine-time 120000 --engine-memory 0 --engine-cmd "$python $root/examples/engine-$name/engine.py"
  else
    echo "skipped: $name is not in PYTHONPATH"
  fi
done

echo "$runs runs, $faults faults"
[ $faults -eq 0 ]
