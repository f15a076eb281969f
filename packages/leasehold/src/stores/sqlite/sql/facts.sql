-- What the file says of itself, for `doctor`. Nothing here writes.

-- name: library
select sqlite_version() as version;

-- name: journal_mode
pragma journal_mode;

-- name: synchronous
pragma synchronous;

-- name: quick_check
pragma quick_check(1);
