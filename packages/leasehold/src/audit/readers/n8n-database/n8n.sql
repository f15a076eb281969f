-- What is read of n8n's own tables, by SQLite and by PostgreSQL alike. {table} becomes its quoted name with schema and
-- prefix; {e.column} the column, or null in versions of n8n that have none of that name (so it is never an error); with
-- " ms" an instant in ms since 1970, or in SQLite its text. fill-query.ts does so. Nothing is ever written.

-- name: workflows
select cast(w.id as text) as "id", {w.name} as "name", {w.active} as "active", {w.isArchived} as "isArchived",
  {w.nodes} as "nodes", {w.connections} as "connections", {w.settings} as "settings", cast({w.versionId} as text) as "versionId",
  {w.updatedAt ms} as "updatedAt",
  null as "publishedId", null as "publishedNodes", null as "publishedConnections"
from {workflow_entity} as w
where cast(w.id as text) > $1
order by cast(w.id as text)
limit 100;

-- name: published_workflows
select cast(w.id as text) as "id", {w.name} as "name", {w.active} as "active", {w.isArchived} as "isArchived",
  {w.nodes} as "nodes", {w.connections} as "connections", {w.settings} as "settings", cast({w.versionId} as text) as "versionId",
  {w.updatedAt ms} as "updatedAt",
  h."versionId" as "publishedId", {h.nodes} as "publishedNodes", {h.connections} as "publishedConnections"
from {workflow_entity} as w
left join {workflow_history} as h on h."versionId" = w."activeVersionId"
where cast(w.id as text) > $1
order by cast(w.id as text)
limit 100;

-- name: open_runs
select e.id as "id", cast({e.workflowId} as text) as "workflowId", {e.status} as "status", {e.mode} as "mode",
  {e.finished} as "finished", {e.startedAt ms} as "startedAt", {e.stoppedAt ms} as "stoppedAt",
  {e.createdAt ms} as "createdAt", {e.waitTill ms} as "waitTill", {e.retryOf} as "retryOf",
  {e.workflowVersionId} as "workflowVersionId", {e.deduplicationKey} as "deduplicationKey"
from {execution_entity} as e
where {e.deletedAt} is null and e.id < cast($1 as bigint)
  and ({e.status} in ('running', 'waiting', 'new') or (({e.status} is null or {e.status} = 'unknown') and {e.stoppedAt} is null))
order by e.id desc
limit 200;

-- name: ended_runs
-- Those that are marked as deleted included: until they are pruned they are known, and without them slots look empty.
select e.id as "id", cast({e.workflowId} as text) as "workflowId", {e.status} as "status", {e.mode} as "mode",
  {e.finished} as "finished", {e.startedAt ms} as "startedAt", {e.stoppedAt ms} as "stoppedAt",
  {e.createdAt ms} as "createdAt", {e.waitTill ms} as "waitTill", {e.retryOf} as "retryOf",
  {e.workflowVersionId} as "workflowVersionId", {e.deduplicationKey} as "deduplicationKey"
from {execution_entity} as e
where e.id < cast($1 as bigint) and ({e.deletedAt} is null or {e.stoppedAt} is not null)
  and not ({e.status} is not null and {e.status} in ('running', 'waiting', 'new'))
  and not (({e.status} is null or {e.status} = 'unknown') and {e.stoppedAt} is null)
order by e.id desc
limit 200;

-- name: deleted_runs
select cast(count(*) as float8) as "count"
from {execution_entity} as e
where {e.deletedAt} is not null
  and ({e.stoppedAt} is null or ({e.status} is not null and {e.status} in ('running', 'waiting', 'new')));

-- name: kept_runs
-- Of those that n8n's own counts are about: ended, and neither of the editor nor of a chat.
select cast({e.workflowId} as text) as "workflowId", cast(count(*) as float8) as "ended",
  cast(count(case when {e.status} = 'success' or ({e.status} is null and {e.finished}) then 1 end) as float8) as "succeeded"
from {execution_entity} as e
where {e.deletedAt} is null and {e.stoppedAt} is not null and {e.mode} not in ('manual', 'chat')
  and ({e.status} is null or {e.status} not in ('running', 'waiting', 'new'))
group by {e.workflowId};

-- name: counted_runs
select cast(s."workflowId" as text) as "workflowId", cast(sum(s.count) as float8) as "ended",
  cast(sum(case when s.name = 'production_success' then s.count else 0 end) as float8) as "succeeded"
from {workflow_statistics} as s
where s.name in ('production_success', 'production_error') and s."workflowId" is not null
group by s."workflowId";

-- name: publications
select cast(p."workflowId" as text) as "workflowId", p.event as "event", {p.createdAt ms} as "at"
from {workflow_publish_history} as p
order by p.id desc
limit 50000;
