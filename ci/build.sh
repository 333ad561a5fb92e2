# Sourced by ci/test and ci/gate: configures and builds a build directory. An existing directory keeps its generator.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# configure DIRECTORY [CMAKE OPTION]...
configure() {
  local directory=$1
  shift
  local generator=()
  [ -f "$directory/CMakeCache.txt" ] || generator=(-G Ninja)
  cmake -S . -B "$directory" "${generator[@]}" "$@" >"$directory.log" 2>&1 || { cat "$directory.log"; exit 3; }
  rm -f "$directory.log"
}

# build DIRECTORY [TARGET]...
build() {
  local directory=$1
  shift
  cmake --build "$directory" --parallel "$(nproc)" ${1:+--target "$@"}
}
