#!/usr/bin/env bash
# Builds the Debian packages; lintian must report no error, and the packaged programs must run. With AFFIRM_NIGHTLY a second run must give the same
# bytes. With a bare root
# (created by debootstrap, entered by chroot as root) the packages are installed there by apt and used.
#   ci/package_test.sh BUILD [ROOT]
set -euo pipefail
build=$(realpath "$1") root=${2:-}
fail() { echo "package_test: $*"; exit 1; }
command -v dpkg-deb >/dev/null && command -v dpkg-shlibdeps >/dev/null || { echo "skipped: no dpkg-shlibdeps (dpkg-dev)"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export SOURCE_DATE_EPOCH=1700000000
pack() { (cd "$build" && cpack -G DEB -B "$scratch/$1" >"$scratch/log" 2>&1) || { cat "$scratch/log"; fail "cpack"; }; }
pack first
if [ -n "${AFFIRM_NIGHTLY:-}" ]; then pack second; else echo "skipped: a second run, at night"; fi
packages=$(cd "$scratch/first" && ls ./*.deb)
[ "$(echo "$packages" | wc -l)" = 4 ] || fail "not four packages: $packages"
command -v lintian >/dev/null || echo "skipped: what lintian says of the packages: it is not installed"
for package in $packages; do
  [ ! -d "$scratch/second" ] || cmp "$scratch/first/$package" "$scratch/second/$package" || fail "two runs give different bytes: $package"
  if command -v lintian >/dev/null; then
    lintian --fail-on error --allow-root "$scratch/first/$package" >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "lintian: $package"; }
  fi
  dpkg-deb -x "$scratch/first/$package" "$scratch/tree"
done
for late in libz3 libsqlite3 libisl; do
  dpkg-deb -f "$scratch"/first/affirm_*.deb Depends | grep -q "$late" || fail "the command's package does not depend on $late"
done
checks() { # checks PREFIX COMMAND...: the prefix, and the words before each command
  local prefix=$1 status=0
  shift
  "$@" "$prefix/bin/affirm" simplify '(d0) -> (d0 mod 8), domain: d0 in [0, 7]' | grep -qx '(d0) -> (d0), domain: d0 in \[0, 7\]' || fail "simplify"
  echo 'rule wide  x mod c => x  when c > 0, 0 <= lo(x), hi(x) <= c' | "$@" "$prefix/bin/affirm" prove --no-store - >"$scratch/log" || status=$?
  [ $status = 1 ] && grep -q 'REFUTED at' "$scratch/log" || { cat "$scratch/log"; fail "prove: status $status"; }
}
checks "$scratch/tree/usr"
grep -q '^prefix=/usr$' "$scratch/tree/usr/lib/pkgconfig/affirm.pc" || fail "affirm.pc has another prefix"
grep -aqF "$build/" "$scratch/tree/usr/bin/affirm" "$scratch/tree/usr/lib/libaffirm.a" && fail "the program holds the path of the build"
grep -aqE '\.\./[a-z/_]+\.c' "$scratch/tree/usr/bin/affirm" "$scratch/tree/usr/lib/libaffirm.a" && fail "the program holds paths that depend on where it was built"
if [ -n "$root" ]; then
  cp "$scratch"/first/*.deb "$root/tmp/"
  names=$(cd "$scratch/first" && ls ./affirm_*.deb ./libaffirm*.deb | sed 's|^|/tmp/|')
  chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends --reinstall $names gcc libc6-dev pkgconf python3 >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "apt"; }
  checks /usr chroot "$root"
  cp "$(dirname "$0")/../examples/library-c/gate.c" "$(dirname "$0")"/../examples/python/*.py "$root/tmp/"
  chroot "$root" sh -ec 'cd /tmp && gcc -std=c11 gate.c $(pkg-config --cflags --libs affirm) -o gate && ./gate "(d0, d1) -> (-d0 + 3, d1), domain: d0 in [0, 3], d1 in [0, 2]"' |
    grep -q '^exact' || fail "the example in C"
  chroot "$root" sh -c 'cd tmp && python3 example.py' >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "the example in Python"; }
  echo "installed and used in $root"
fi
echo "four packages"
