#!/usr/bin/env bash
# The same build as for any other service.
exec bash "$SRC/affirm/ci/oss-fuzz/build.sh"
