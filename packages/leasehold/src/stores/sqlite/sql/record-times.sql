-- By the order of arrival: an index would have to be sorted first.
-- name: settled_records
select token, claimed_at, updated_at from records not indexed
where pool = :pool and state in ('done', 'failed') and token is not null and claimed_at is not null
order by no desc limit :limit;
