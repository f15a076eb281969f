-- The comments above the printed statements. No value's place ($1) and no {{ }} may stand in them: a platform would put a value there.

-- step: postgres
-- From leasehold sql, for PostgreSQL 15 to 18. Each statement is a step of its own and commits by itself: paste one at a time.
-- Values take the places of the dollar signs, in the order given. Where a platform maps values into the text instead, write each
-- one in single quotes. How to wire it up in n8n, Make, Zapier and psql: docs/guides/sql.md.

-- step: psql
-- From leasehold sql, for psql and PostgreSQL 15 to 18. Each statement commits by itself; print one with --only, and run it with
-- psql -v NAME=value for each of its values: psql -X -v ON_ERROR_STOP=1 -v holder=me -f claim-next.sql

-- step: sqlite
-- From leasehold sql, for SQLite 3.35 or newer. Each statement commits by itself. Values are bound by name; in the shell by
-- .parameter set :holder "'me'". Wait for other writers: pragma busy_timeout = 5000, or .timeout 5000 in the shell.
-- The clock is the wall clock of the host: where it is set back, claims last longer.

-- step: limits
-- It does not ask a provider whether an effect happened: what may have happened goes to a person, status {=review}.
-- It remembers only the latest claim of a row: a verdict by an older token changes nothing and gives no row back. Keep what you
-- learned and look at the row. Triggers of the table run on each of these updates.
