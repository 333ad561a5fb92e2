#!/bin/sh
# Runs ci/setup with scripts in place of dpkg and apt: which packages it installs and leaves alone, and which errors
# it reports.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin" "$scratch/temporary"
export TMPDIR=$scratch/temporary # for the logs of setups that fail
faults=0

stand_in() { cat >"$scratch/bin/$1" && chmod +x "$scratch/bin/$1"; }
stand_in dpkg-query <<'END'
#!/bin/sh
sed 's/^/ii /' "$SCRATCH/installed"
END
stand_in apt-cache <<'END'
#!/bin/sh
case $1 in
  pkgnames) cat "$SCRATCH/offered" ;;
  show) echo "apt-cache show" >>"$SCRATCH/shown"; shift 2; for name; do grep -xF "$name" "$SCRATCH/offered" | sed 's/^/Package: /'; done ;;
esac
END
stand_in apt-get <<'END'
#!/bin/sh
echo "apt-get $*" >>"$SCRATCH/log"
case "$*" in
  *update) cat "$SCRATCH/after_update" >>"$SCRATCH/offered" ;;
  *install*) echo "apt says much"; [ ! -f "$SCRATCH/broken" ] ;;
esac
END
stand_in id <<'END'
#!/bin/sh
cat "$SCRATCH/user"
END
stand_in sudo <<'END'
#!/bin/sh
exit 1
END

llvm() { for part in clang-$1 libclang-rt-$1-dev llvm-$1 lld-$1 libmlir-$1-dev mlir-$1-tools; do echo $part; done; }
rest() { printf '%s\n' cmake ninja-build make libz3-dev libsqlite3-dev libcjson-dev libcmocka-dev libgmp-dev; }
more() { printf '%s\n' libisl-dev cvc5 libhalide14-0-dev python3-sympy wasi-libc python3 python3-yaml dpkg-dev libclang-rt-19-dev-wasm32 clang-tidy-19 libclang-19-dev libclang-rt-22-dev-wasm32 clang-tidy-22 libclang-22-dev; }
begin() { rm -f "$scratch/broken" "$scratch/shown"; : >"$scratch/log"; : >"$scratch/installed"; : >"$scratch/offered"; : >"$scratch/after_update"; echo 0 >"$scratch/user"; }
expect() {
  status=0
  SCRATCH=$scratch PATH=$scratch/bin:$PATH "$here/setup" >"$scratch/out" 2>&1 || status=$?
  [ $status -eq "$2" ] || { echo "$1: exit status $status, not $2"; cat "$scratch/out"; faults=$((faults + 1)); }
  what=$1
}
logged() { grep -qE -- "$1" "$scratch/log" || { echo "$what: apt was not asked: $1"; cat "$scratch/log"; faults=$((faults + 1)); }; }
untouched() { [ ! -s "$scratch/log" ] || { echo "$what: apt was asked"; cat "$scratch/log"; faults=$((faults + 1)); }; }
said() { grep -qF -- "$1" "$scratch/out" || { echo "$what: not said: $1"; cat "$scratch/out"; faults=$((faults + 1)); }; }

begin; { llvm 19; rest; more; } >"$scratch/installed"
expect "all is there" 0; untouched
[ ! -s "$scratch/out" ] || { echo "all is there: it must say nothing"; faults=$((faults + 1)); }

begin; { llvm 19; rest; llvm 22; more; } >"$scratch/offered"
expect "nothing is there, all is offered" 0; logged "install.* clang-22 "; logged "install.*cvc5"; logged "install.*libclang-rt-22-dev-wasm32"
[ "$(wc -l <"$scratch/shown")" = 1 ] || { echo "apt reads its lists $(wc -l <"$scratch/shown") times for what it offers"; faults=$((faults + 1)); }
! grep -q update "$scratch/log" || { echo "an update that was not needed"; faults=$((faults + 1)); }

! grep -q "apt says much" "$scratch/out" || { echo "$what: apt's output belongs into the log"; faults=$((faults + 1)); }

begin; { llvm 19; rest; more; } >"$scratch/after_update"
expect "fresh lists are needed" 0; logged update; logged "install.* clang-19 "

begin; { llvm 22; rest; more; } >"$scratch/offered"; echo clang-19 >"$scratch/installed"
expect "a compiler without the rest of its LLVM" 0; logged "install.* clang-22 "

begin; { llvm 22; rest; } >"$scratch/installed"
expect "a further judge is not offered" 0; said "goes on without cvc5"; ! grep -q install "$scratch/log" || { echo "installed nothing"; faults=$((faults + 1)); }

begin; rest >"$scratch/offered"
expect "no LLVM is offered" 3; said "apt offers no LLVM from 19"

begin; { llvm 22; more; } >"$scratch/offered"; echo cmake >>"$scratch/offered"
expect "a package is not offered" 3; said "apt does not offer ninja-build"

begin; echo 1000 >"$scratch/user"; { llvm 22; more; } >"$scratch/installed"
expect "neither root nor sudo" 3; said "libz3-dev"; untouched

begin; echo 1000 >"$scratch/user"; { llvm 22; rest; } >"$scratch/installed"
expect "neither root nor sudo, and only a further judge is missing" 0; said "goes on without"; untouched

begin; { llvm 22; rest; more; } >"$scratch/offered"; : >"$scratch/broken"
expect "apt fails" 3; said "apt could not install"; said "apt says much"; logged update

[ $faults -eq 0 ] && echo "setup did what it should"
