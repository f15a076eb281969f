import { overlapObserved } from './history/overlap-observed.ts';
import type { AuditRule, SharedRule } from './rule.ts';

/** What is judged of each workflow. What its definition alone tells comes with it. */
export const AUDIT_RULES: readonly AuditRule[] = [overlapObserved];

/** What is judged of all of them together. */
export const SHARED_RULES: readonly SharedRule[] = [];
