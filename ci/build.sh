# Sourced by ci/test and ci/gate: how a build folder is made and built. Keeps the generator that a folder already has.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# configure FOLDER [CMAKE OPTION]...
configure() {
  local folder=$1
  shift
  local generator=()
  [ -f "$folder/CMakeCache.txt" ] || generator=(-G Ninja)
  cmake -S . -B "$folder" "${generator[@]}" "$@" >"$folder.log" 2>&1 || { cat "$folder.log"; exit 3; }
  rm -f "$folder.log"
}

# build FOLDER [TARGET]...
build() {
  local folder=$1
  shift
  cmake --build "$folder" --parallel "$(nproc)" ${1:+--target "$@"}
}
