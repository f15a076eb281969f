#!/bin/sh
# What the ci tier needs from Debian and npm cannot bring: PgBouncer, Spin with a C compiler for the model, and libfaketime,
# which tests do without where it is not to be had. Does nothing where they are there.
set -eu

PATH="$PATH:/usr/sbin:/sbin"
has_needed() {
  command -v pgbouncer >/dev/null 2>&1 && command -v spin >/dev/null 2>&1 && command -v gcc >/dev/null 2>&1
}

if has_needed && command -v faketime >/dev/null 2>&1; then
  exit 0
fi
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
  if has_needed; then
    exit 0
  fi
  echo "the ci tier needs PgBouncer, Spin and gcc: install them by hand, for example: sudo apt-get install pgbouncer spin gcc libc6-dev" >&2
  exit 1
fi

echo "installing pgbouncer, spin, gcc and faketime (Debian)"
export DEBIAN_FRONTEND=noninteractive
# The package must not start a pooler of its own; the tests start theirs.
export RUNLEVEL=1
apt-get update -qq
apt-get install -y -qq --no-install-recommends pgbouncer spin gcc libc6-dev >/dev/null
apt-get install -y -qq --no-install-recommends faketime >/dev/null || echo "no faketime here: its tests are skipped"
pgbouncer --version | head -n 1
spin -V
