-- name: begin_record
update records set attempt = min(attempt, 9007199254740990) + 1, is_begun = 1, begun_at = :now, first_begun_at = coalesce(first_begun_at, :now),
  updated_at = :now
where no = :no
returning attempt;
