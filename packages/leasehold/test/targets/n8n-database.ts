/**
 * n8n's own tables, as far as they are read, in SQLite and in PostgreSQL: column for column those of n8n 2.41.1, read from
 * databases that it had made, and those of n8n 0.200 (before there was a status), put together from its migrations.
 * Rows are written as n8n writes them: in SQLite instants are UTC text without a zone.
 */
export type N8nVersion = '2.41.1' | '0.200';
export type Engine = 'sqlite' | 'postgres';

export interface ExecutionRow {
  readonly id: number;
  readonly workflowId?: string;
  readonly status?: string;
  readonly mode?: string;
  readonly finished?: boolean;
  /** Instants in ms. */
  readonly createdAt?: number;
  readonly startedAt?: number | null;
  readonly stoppedAt?: number | null;
  readonly waitTill?: number | null;
  readonly deletedAt?: number | null;
  readonly retryOf?: string | null;
  readonly deduplicationKey?: string | null;
  readonly workflowVersionId?: string | null;
}

const INSTANT: Readonly<Record<Engine, string>> = { sqlite: 'datetime(3)', postgres: 'timestamp(3) with time zone' };

/** What makes the tables; `prefix` as DB_TABLE_PREFIX has it. */
export function n8nTables(engine: Engine, version: N8nVersion = '2.41.1', prefix = ''): string {
  const instant = INSTANT[engine];
  const json = engine === 'sqlite' ? 'text' : 'json';
  const serial = engine === 'sqlite' ? 'integer primary key autoincrement not null' : 'serial primary key';
  if (version === '0.200') {
    const zoneless = engine === 'sqlite' ? 'datetime' : 'timestamp(3) without time zone';
    return `
      create table "${prefix}execution_entity" ("id" ${serial}, "data" text not null, "finished" boolean not null,
        "mode" varchar not null, "retryOf" varchar, "retrySuccessId" varchar, "startedAt" ${zoneless} not null,
        "stoppedAt" ${zoneless}, "workflowData" ${json} not null, "workflowId" varchar, "waitTill" ${zoneless});
      create table "${prefix}workflow_entity" ("id" ${serial}, "name" varchar(128) not null, "active" boolean not null,
        "nodes" ${json}, "connections" ${json} not null, "createdAt" ${zoneless} not null, "updatedAt" ${zoneless} not null,
        "settings" ${json}, "staticData" ${json}, "pinData" ${json});`;
  }
  return `
    create table "${prefix}workflow_entity" ("id" varchar(36) primary key not null, "name" varchar(128) not null,
      "active" boolean not null, "nodes" ${json}, "connections" ${json}, "settings" ${json}, "staticData" ${json},
      "pinData" ${json}, "versionId" char(36), "triggerCount" integer not null default 0, "meta" ${json},
      "parentFolderId" varchar(36) default null, "createdAt" ${instant} not null default current_timestamp,
      "updatedAt" ${instant} not null default current_timestamp, "isArchived" boolean not null default false,
      "versionCounter" integer not null default 1, "description" text, "activeVersionId" varchar(36),
      "nodeGroups" ${json} not null default '[]', "sourceWorkflowId" varchar);
    create table "${prefix}workflow_history" ("versionId" varchar(36) primary key not null, "workflowId" varchar(36) not null,
      "authors" varchar(255) not null, "createdAt" ${instant} not null default current_timestamp,
      "updatedAt" ${instant} not null default current_timestamp, "nodes" ${json} not null, "connections" ${json} not null,
      "name" varchar(128), "autosaved" boolean not null default false, "description" text,
      "nodeGroups" ${json} not null default '[]');
    create table "${prefix}execution_entity" ("id" ${serial}, "workflowId" varchar(36) not null,
      "finished" boolean not null, "mode" varchar not null, "retryOf" varchar, "retrySuccessId" varchar,
      "startedAt" ${instant}, "stoppedAt" ${instant}, "waitTill" ${instant}, "status" varchar not null,
      "deletedAt" ${instant}, "createdAt" ${instant} not null default current_timestamp,
      "storedAt" varchar(2) not null default 'db', "tracingContext" ${json}, "deduplicationKey" varchar(255),
      "jsonSizeBytes" bigint not null default 0, "workflowVersionId" varchar(36) default null,
      "binaryDataSizeBytes" bigint not null default 0, "usedPrivateCredentials" boolean not null default false);
    create table "${prefix}workflow_statistics" ("id" ${serial}, "count" bigint default 0, "latestEvent" ${instant},
      "name" varchar(128) not null, "workflowId" varchar(36) not null, "rootCount" bigint default 0,
      "workflowName" varchar(128));
    create table "${prefix}workflow_publish_history" ("id" ${serial}, "workflowId" varchar(36) not null,
      "versionId" varchar(36), "event" varchar(36) not null, "userId" varchar(36),
      "createdAt" ${instant} not null default current_timestamp);`;
}

/** One `insert` a row. */
export function insertExecution(
  engine: Engine,
  row: ExecutionRow,
  version: N8nVersion = '2.41.1',
  prefix = '',
): string {
  const instant = (ms: number | null | undefined): string => instantText(engine, ms);
  const { id, workflowId = 'wf1', mode = 'trigger', startedAt = null, stoppedAt = null, waitTill = null } = row;
  const old: Record<string, string> = {
    id: String(id),
    workflowId: text(workflowId),
    finished: String(row.finished ?? (row.status ?? 'success') === 'success'),
    mode: text(mode),
    retryOf: text(row.retryOf ?? null),
    startedAt: instant(startedAt),
    stoppedAt: instant(stoppedAt),
    waitTill: instant(waitTill),
  };
  const columns: Record<string, string> =
    version === '0.200'
      ? { ...old, data: "'[]'", workflowData: "'{}'" }
      : {
          ...old,
          status: text(row.status ?? 'success'),
          deletedAt: instant(row.deletedAt),
          createdAt: instant(row.createdAt ?? startedAt ?? 0),
          deduplicationKey: text(row.deduplicationKey ?? null),
          workflowVersionId: text(row.workflowVersionId ?? null),
        };
  const names = Object.keys(columns).map((name) => `"${name}"`);
  return `insert into "${prefix}execution_entity" (${names.join(', ')}) values (${Object.values(columns).join(', ')});`;
}

/** A row of any other table: texts, numbers, booleans, and objects as JSON. */
export function insertRow(table: string, row: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(row).map((name) => `"${name}"`);
  const values = Object.values(row).map((value) =>
    typeof value === 'number' || typeof value === 'boolean' ? String(value) : text(plain(value)),
  );
  return `insert into "${table}" (${names.join(', ')}) values (${values.join(', ')});`;
}

/** As n8n stores an instant. */
export function instantText(engine: Engine, ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return 'null';
  const iso = new Date(ms).toISOString();
  return text(engine === 'sqlite' ? iso.replace('T', ' ').replace('Z', '') : iso);
}

function plain(value: unknown): string | null {
  if (value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function text(value: string | null): string {
  return value === null ? 'null' : `'${value.replaceAll("'", "''")}'`;
}
