/** Advice quotes names of the input, too, and goes to people who may not see that. Pure. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { audited } from '../../../src/audit/audited-workflow.ts';
import { auditOf } from '../n8n/build.ts';
import { STORY } from '../n8n/parts.ts';
import { known } from '../stage.ts';

describe('advice in a report', () => {
  it('has no e-mail address and no password in it, whatever it quotes', () => {
    const advice = 'Put a guard between "jane@shop.test" and "api_key=abc123def456".';
    const context = known([], { definition: auditOf(STORY) });
    const { findings } = audited(context, [
      { rule: 'guard.missing', severity: 'info', message: 'm', evidence: [], advice },
    ]);
    assert.doesNotMatch(findings[0]?.advice ?? 'jane@', /jane@|abc123/);
  });
});
