#!/usr/bin/env bash
# Installs a build into a scratch prefix and uses it as a user would: the command, and the library from C11, C++17, CMake and Python. The installed
# libraries export only affirm_ symbols. Wrong input must fail through each of them.
#   ci/install_test.sh BUILD ROOT
set -euo pipefail
build=$1 root=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix
fail() { echo "install_test: $*"; exit 1; }
# expect STATUS COMMAND...: prints the command's output
expect() {
  local wanted=$1 status=0
  shift
  "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
  [ "$status" = "$wanted" ] || { cat "$scratch/out" "$scratch/err"; fail "status $status instead of $wanted: $*"; }
}
says() { grep -qF -- "$1" "$scratch/out" "$scratch/err" || { cat "$scratch/out" "$scratch/err"; fail "not said: $1"; }; }

cmake --install "$build" --prefix "$prefix" >"$scratch/log" || { cat "$scratch/log"; fail "cmake --install"; }
for file in bin/affirm bin/affirm-engine-host include/affirm.h include/affirm_engine.h lib/libaffirm.a lib/libaffirm.so lib/affirm/affirm-mlir.so \
  lib/cmake/affirm/affirmConfig.cmake lib/pkgconfig/affirm.pc $(cat "$root/ci/install_files.txt"); do
  [ -e "$prefix/$file" ] || fail "not installed: $file"
done
# Every relative link of an installed document leads to an installed file, and the commands of the documents run without the sources.
links=0
while IFS=: read -r file link; do
  links=$((links + 1))
  [ -e "$(dirname "$file")/${link%%#*}" ] || fail "$file has a link to a file that is not installed: $link"
done < <(grep -roE --include='*.md' '\]\([^)]*\)' "$prefix/share/doc/affirm" | sed -E 's/\]\((.*)\)$/\1/' | grep -vE ':(https?:|#)')
[ $links -gt 20 ] || fail "few links were found in the documents"
grep -q 'CONTRIBUTING.md in the sources' "$prefix/share/doc/affirm/README.md" || fail "a link to the sources is not text"
if command -v python3 >/dev/null; then
  expect 0 python3 "$root/cli/test/docs_check.py" "$prefix/bin/affirm" "$prefix"/share/doc/affirm/README.md "$prefix"/share/doc/affirm/docs/*.md
fi
expect 0 "$prefix/bin/affirm" simplify '(d0) -> (d0 mod 8), domain: d0 in [0, 7]'
says '(d0) -> (d0), domain: d0 in [0, 7]'
# The places of rules that --explain prints are in the installed files, and a document says where those are.
expect 0 "$prefix/bin/affirm" simplify --explain '(d0) -> (d0 mod 8), domain: d0 in [0, 7]'
place=$(grep -oE 'core/rules/[a-z]+\.rules:[0-9]+' "$scratch/out" | head -n 1)
name=$(basename "${place%:*}")
sed -n "${place##*:}p" "$prefix/share/affirm/rules/$name" | grep -q '^rule ' || fail "no rule at $place of share/affirm/rules"
grep -qF "\`share/affirm/rules/" "$prefix/share/doc/affirm/docs/first-rule.md" || fail "first-rule.md does not say where the rules are installed"
printf '(d0) -> (d0 mod 8), domain: d0 in [0, 7]\n' >"$scratch/map.txt"
# Certificates of a map and of all rules, by what is installed alone.
cat "$prefix"/share/affirm/rules/*.rules >"$scratch/engine.rules"
expect 0 "$prefix/bin/affirm" simplify --certificate "$scratch/map.cert" "$scratch/map.txt"
expect 0 "$prefix/bin/affirm-check" "$scratch/engine.rules" "$scratch/map.cert"; says '1 accepted'
expect 0 "$prefix/bin/affirm" prove --no-store --quiet --certificate "$scratch/certificates" "$scratch/engine.rules"
cat "$scratch"/certificates/*.cert >"$scratch/all.cert"
expect 0 "$prefix/bin/affirm-check" "$scratch/engine.rules" "$scratch/all.cert"
[ "$(wc -l <"$scratch/out")" = "$(grep -c '^rule ' "$scratch/engine.rules")" ] || fail "not every rule has an accepted certificate"
if [ -e "$build/explorer/index.html" ]; then
  expect 0 "$prefix/bin/affirm" explore --page "$scratch/page.html" "$scratch/map.txt"
  grep -q 'd0 mod 8' "$scratch/page.html" || fail "the installed explorer does not have the file"
fi

# Both libraries export exactly the functions of the header.
sed -n 's/^AFFIRM_API .*\b\(affirm_[a-z_]*\)(.*/\1/p' "$prefix/include/affirm.h" | sort >"$scratch/declared"
[ "$(wc -l <"$scratch/declared")" -gt 40 ] || fail "few functions were found in affirm.h"
for library in "-D $prefix/lib/libaffirm.so" "-g $prefix/lib/libaffirm.a"; do
  nm --defined-only $library | awk 'NF == 3 && $2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort >"$scratch/defined"
  diff "$scratch/declared" "$scratch/defined" || fail "$library does not define what affirm.h declares"
done

export PKG_CONFIG_PATH=$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib
command -v pkg-config >/dev/null && flags=$(pkg-config --cflags --libs affirm) || flags="-I$prefix/include -L$prefix/lib -laffirm"
exact='(d0, d1) -> (-d0 + 3, d1 mod 3), domain: d0 in [0, 3], d1 in [0, 2]'
wrong='(d0, d1) -> (d0, d1), domain: d0 in [0, 3], d1 in [0, 2]'
printf 'rule right  x mod c => x  when c > 0, 0 <= lo(x), hi(x) < c\n' >"$scratch/right.rules"
printf 'rule wrong  x mod c => x  when c > 0, 0 <= lo(x), hi(x) <= c\n' >"$scratch/wrong.rules"
printf 'rule broken  x mod => x\n' >"$scratch/broken.rules"
printf '# a remark\n' >"$scratch/remark.rules"
: >"$scratch/empty.rules"
{ cat "$scratch/right.rules"; printf '\000'; cat "$scratch/wrong.rules"; } >"$scratch/nul.rules"
use() { # use GATE PROVE
  expect 0 "$1" "$exact"; says exact; says mod-
  expect 1 "$1" "$wrong"; says wrong
  expect 3 "$1" '(d0) -> ('; says '<map>:1:'
  expect 0 "$2" "$scratch/right.rules"; says 'right: proved'
  expect 1 "$2" "$scratch/wrong.rules"; says 'wrong: refuted'
  expect 3 "$2" "$scratch/broken.rules"; says 'broken.rules:1:'
  expect 3 "$2" "$scratch/remark.rules"; says 'no rules'
  for unread in "$scratch/empty.rules" "$scratch/nul.rules" "$scratch"; do
    expect 3 "$2" "$unread"; says 'cannot be read as text'
  done
}
used=0
for compilers in "gcc g++" "clang clang++" "clang-22 clang++-22"; do
  set -- $compilers
  command -v "$1" >/dev/null && command -v "$2" >/dev/null || continue
  "$1" -std=c11 -Wall -Wextra -Wpedantic -Werror "$root/examples/library-c/gate.c" $flags -o "$scratch/gate"
  "$2" -std=c++17 -Wall -Wextra -Wpedantic -Werror "$root/examples/library-cpp/prove.cpp" $flags -o "$scratch/prove"
  use "$scratch/gate" "$scratch/prove"
  used=$((used + 1))
done
[ $used -gt 0 ] || fail "no pair of compilers was tried"

# The CMake package, shared and static, used by a separate project.
mkdir "$scratch/project"
cat >"$scratch/project/CMakeLists.txt" <<CMAKE
cmake_minimum_required(VERSION 3.25)
project(stranger LANGUAGES C CXX)
find_package(affirm 0.3 REQUIRED)
foreach(kind affirm static)
  add_executable(gate_\${kind} $root/examples/library-c/gate.c)
  add_executable(prove_\${kind} $root/examples/library-cpp/prove.cpp)
  target_link_libraries(gate_\${kind} affirm::\${kind})
  target_link_libraries(prove_\${kind} affirm::\${kind})
endforeach()
CMAKE
cmake -S "$scratch/project" -B "$scratch/project/build" -DCMAKE_PREFIX_PATH="$prefix" >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "find_package"; }
cmake --build "$scratch/project/build" >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "the package does not link"; }
use "$scratch/project/build/gate_affirm" "$scratch/project/build/prove_affirm"
(unset LD_LIBRARY_PATH; use "$scratch/project/build/gate_static" "$scratch/project/build/prove_static")

if command -v python3 >/dev/null; then
  export AFFIRM_LIBRARY=$prefix/lib/libaffirm.so.0 PYTHONDONTWRITEBYTECODE=1
  expect 0 python3 "$root/examples/python/example.py"
  says '(d0) -> (d0 * 2), domain: d0 in [0, 9] proved'
  says 'wrong refuted'
  says 'bad.map:1:10: error:'
  AFFIRM_LIBRARY=$scratch/nowhere.so expect 1 python3 "$root/examples/python/example.py"
  says 'nowhere.so: cannot open shared object file: No such file or directory; set AFFIRM_LIBRARY to the path of libaffirm.so.0'
  # Every function and class has a docstring.
  expect 0 python3 -c "
import ast, sys
tree = ast.parse(open('$root/examples/python/affirm.py').read())
bare = [node.name for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith('_') and not ast.get_docstring(node)]
sys.exit(f'no docstring: {bare}' if bare else 0)"
  # Every argument and every result has a type.
  expect 0 python3 -c "
import ast, sys
tree = ast.parse(open('$root/examples/python/affirm.py').read())
functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
bare = [f.name for f in functions if f.returns is None or any(a.annotation is None for a in f.args.args if a.arg not in ('self', 'cls'))]
sys.exit(f'no types: {bare}' if bare or len(functions) < 30 else 0)"
  # `pip install .` in a separate environment, without a network, installs the typed package; two wheels have the same bytes.
  cp -r "$root/examples/python" "$scratch/python"
  if python3 -m venv "$scratch/venv" >"$scratch/log" 2>&1; then
    (cd "$scratch/python" && expect 0 "$scratch/venv/bin/python" -m pip --disable-pip-version-check install --quiet --no-index .)
    [ -e "$scratch"/venv/lib/python3*/site-packages/affirm/py.typed ] || fail "the installed package has no mark that it is typed"
    (cd / && expect 0 "$scratch/venv/bin/python" -I -c "import affirm; assert affirm.__file__.startswith('$scratch/venv'); print(affirm.version())" && says 0.3.0)
    cp "$root/examples/python/example.py" "$scratch/example.py"
    expect 0 "$scratch/venv/bin/python" "$scratch/example.py"
    says 'wrong refuted'
    for run in first second; do
      mkdir "$scratch/$run"
      (cd "$scratch/python" && expect 0 "$scratch/venv/bin/python" -c "import wheel_backend; wheel_backend.build_wheel('$scratch/$run')")
    done
    cmp "$scratch"/first/*.whl "$scratch"/second/*.whl || fail "two wheels differ"
  else
    echo "skipped: pip install in an environment of its own: python3 -m venv does not run (python3-venv)"
  fi
fi
echo "installed, and used through $used pairs of compilers"
