/** Holds reports against the published schema. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { AuditReport } from '../../../src/audit/model/report.ts';

export const SCHEMA = JSON.parse(
  readFileSync(new URL('../../../schemas/audit-report.schema.json', import.meta.url), 'utf8'),
) as { $defs: Record<string, { properties: Record<string, { enum?: string[] }> }> };

export const isValidReport = new Ajv2020({ strict: true, allowUnionTypes: true }).compile<AuditReport>(SCHEMA);

/** As it is after a way through JSON. */
export function assertValidReport(report: unknown): void {
  const printed: unknown = JSON.parse(JSON.stringify(report));
  assert.ok(isValidReport(printed), JSON.stringify(isValidReport.errors?.slice(0, 3)));
}
