-- Records as they are listed, in the order of id and version.

-- name: records_of_pool
select r.pool, r.id, r.version, r.state, r.effect_key, r.attempt, r.claimed_at, r.begun_at, r.provider_ref, r.error,
  r.not_before, r.updated_at, r.evidence_ref, r.evidence_at,
  case when r.state = 'claimed' then c.lease_until end as lease_until,
  coalesce(c.holder, (select f.holder from former_owners f
    where f.pool = r.pool and f.id = r.id and f.version = r.version
    order by f.until_at desc limit 1)) as claimed_by
from records r left join claims c on c.token = r.token
where r.pool = :pool and (r.id, r.version) > (:after_id, :after_version)
  and (:state is null or r.state = :state)
order by r.id, r.version limit :limit;

-- States that few records are in, each by its own index: a pool has a million that are done.
-- name: records_for_a_person
select r.pool, r.id, r.version, r.state, r.effect_key, r.attempt, r.claimed_at, r.begun_at, r.provider_ref, r.error,
  r.not_before, r.updated_at, r.evidence_ref, r.evidence_at,
  case when r.state = 'claimed' then c.lease_until end as lease_until,
  coalesce(c.holder, (select f.holder from former_owners f
    where f.pool = r.pool and f.id = r.id and f.version = r.version
    order by f.until_at desc limit 1)) as claimed_by
from records r indexed by records_attention left join claims c on c.token = r.token
where r.pool = :pool and (r.id, r.version) > (:after_id, :after_version)
  and r.state = :state and r.state in ('review', 'failed')
order by r.id, r.version limit :limit;

-- name: claimed_records
select r.pool, r.id, r.version, r.state, r.effect_key, r.attempt, r.claimed_at, r.begun_at, r.provider_ref, r.error,
  r.not_before, r.updated_at, r.evidence_ref, r.evidence_at,
  case when r.state = 'claimed' then c.lease_until end as lease_until,
  coalesce(c.holder, (select f.holder from former_owners f
    where f.pool = r.pool and f.id = r.id and f.version = r.version
    order by f.until_at desc limit 1)) as claimed_by
from records r indexed by records_of_claim left join claims c on c.token = r.token
where r.pool = :pool and (r.id, r.version) > (:after_id, :after_version)
  and r.state = 'claimed'
order by r.id, r.version limit :limit;

-- name: cancelled_records
select r.pool, r.id, r.version, r.state, r.effect_key, r.attempt, r.claimed_at, r.begun_at, r.provider_ref, r.error,
  r.not_before, r.updated_at, r.evidence_ref, r.evidence_at,
  case when r.state = 'claimed' then c.lease_until end as lease_until,
  coalesce(c.holder, (select f.holder from former_owners f
    where f.pool = r.pool and f.id = r.id and f.version = r.version
    order by f.until_at desc limit 1)) as claimed_by
from records r indexed by records_cancelled left join claims c on c.token = r.token
where r.pool = :pool and (r.id, r.version) > (:after_id, :after_version)
  and r.state = 'cancelled'
order by r.id, r.version limit :limit;

-- name: records_of_id
select r.pool, r.id, r.version, r.state, r.effect_key, r.attempt, r.claimed_at, r.begun_at, r.provider_ref, r.error,
  r.not_before, r.updated_at, r.evidence_ref, r.evidence_at,
  case when r.state = 'claimed' then c.lease_until end as lease_until,
  coalesce(c.holder, (select f.holder from former_owners f
    where f.pool = r.pool and f.id = r.id and f.version = r.version
    order by f.until_at desc limit 1)) as claimed_by
from records r left join claims c on c.token = r.token
where r.pool = :pool and r.id = :id and (:after_version is null or r.version > :after_version)
  and (:state is null or r.state = :state)
order by r.version limit :limit;
