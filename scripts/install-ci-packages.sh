#!/bin/sh
# What the ci tier needs from Debian and npm cannot bring: PgBouncer, and libfaketime, which tests do without where it is
# not to be had. Does nothing where they are there.
set -eu

PATH="$PATH:/usr/sbin:/sbin"
if command -v pgbouncer >/dev/null 2>&1 && command -v faketime >/dev/null 2>&1; then
  exit 0
fi
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
  if command -v pgbouncer >/dev/null 2>&1; then
    exit 0
  fi
  echo "the ci tier needs PgBouncer: install it by hand, for example: sudo apt-get install pgbouncer" >&2
  exit 1
fi

echo "installing pgbouncer and faketime (Debian)"
export DEBIAN_FRONTEND=noninteractive
# The package must not start a pooler of its own; the tests start theirs.
export RUNLEVEL=1
apt-get update -qq
apt-get install -y -qq --no-install-recommends pgbouncer >/dev/null
apt-get install -y -qq --no-install-recommends faketime >/dev/null || echo "no faketime here: its tests are skipped"
pgbouncer --version | head -n 1
