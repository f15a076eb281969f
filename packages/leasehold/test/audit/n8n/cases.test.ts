/** Workflows of the shape of those that people published, with what is wrong in them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { audit, auditOf, type Drawing } from './build.ts';

const RECENT =
  "CREATE TABLE IF NOT EXISTS posts (id serial primary key, title text, posted_at timestamptz);\nSELECT title FROM posts WHERE posted_at > now() - interval '7 days' ORDER BY posted_at DESC LIMIT 20;";

/** Every six hours: what was posted lately, a picture and a text, a public post, and then the note of it. */
export const POSTER: Drawing = {
  name: 'Picture of the hour',
  nodes: {
    'Every 6 hours': {
      type: 'scheduleTrigger',
      typeVersion: 1.2,
      parameters: { rule: { interval: [{ field: 'hours', hoursInterval: 6 }] } },
    },
    'Check recent': {
      type: 'postgres',
      typeVersion: 2.4,
      parameters: { operation: 'executeQuery', query: RECENT },
      credentials: { postgres: { id: 'pg1', name: 'db' } },
    },
    'Pick a topic': {
      type: 'code',
      typeVersion: 2,
      parameters: { jsCode: 'return items.filter((item) => item.json.title)' },
    },
    'Make picture': {
      type: 'httpRequest',
      typeVersion: 4.2,
      parameters: { method: 'POST', url: 'https://api.openai.com/v1/images' },
    },
    'Is it good?': { type: 'if', typeVersion: 2 },
    'Set caption': { type: 'set', typeVersion: 3.4 },
    'Make container': {
      type: 'httpRequest',
      typeVersion: 4.2,
      parameters: { method: 'POST', url: 'https://graph.facebook.com/v19.0/1/media' },
    },
    Publish: {
      type: 'httpRequest',
      typeVersion: 4.2,
      parameters: { method: 'POST', url: 'https://graph.facebook.com/v19.0/1/media_publish' },
    },
    'Note post': {
      type: 'postgres',
      typeVersion: 2.4,
      parameters: { table: { __rl: true, value: 'posts', mode: 'list' } },
      credentials: { postgres: { id: 'pg1', name: 'db' } },
    },
    'Note failure': {
      type: 'postgres',
      typeVersion: 2.4,
      parameters: { operation: 'executeQuery', query: "INSERT INTO posts (title) VALUES ('{{ $json.title }}')" },
      credentials: { postgres: { id: 'pg1', name: 'db' } },
    },
  },
  flow: 'Every 6 hours > Check recent > Pick a topic > Make picture > Is it good?; Is it good?.0 > Set caption > Make container > Publish > Note post; Is it good?.1 > Note failure',
};

const INVOICES: Drawing = {
  name: 'Invoice auto-send',
  nodes: {
    'Each morning': {
      type: 'scheduleTrigger',
      typeVersion: 1.1,
      parameters: { rule: { interval: [{ triggerAtHour: 9 }] } },
    },
    'Open invoices': {
      type: 'airtable',
      typeVersion: 2,
      parameters: {
        operation: 'search',
        base: { __rl: true, value: 'appInvoices0001' },
        table: { __rl: true, value: 'tblInvoices00001' },
      },
    },
    'Make PDF': {
      type: 'httpRequest',
      typeVersion: 4.1,
      parameters: { method: 'POST', url: 'https://pdf.test/render' },
    },
    'Send invoice': { type: 'gmail', typeVersion: 2.1, parameters: { sendTo: '={{ $json.mail }}' } },
    'Set status': {
      type: 'airtable',
      typeVersion: 2,
      parameters: {
        operation: 'update',
        base: { __rl: true, value: 'appInvoices0001' },
        table: { __rl: true, value: 'tblInvoices00001' },
      },
    },
  },
  flow: 'Each morning > Open invoices > Make PDF > Send invoice > Set status',
};

/** A sketch, with nothing filled in: what it does stands in types and names. */
const SKETCH: Record<string, unknown> = {
  name: 'Invoice auto-send',
  nodes: [
    ['Airtable Trigger', 'airtableTrigger'],
    ['Make PDF', 'httpRequest'],
    ['Send by Gmail', 'gmail'],
    ['Update Airtable status', 'airtable'],
  ].map(([name, type]) => ({ name, type: `n8n-nodes-base.${type}`, position: [0, 0], parameters: {} })),
  connections: {
    'Airtable Trigger': { main: [[{ node: 'Make PDF', type: 'main', index: 0 }]] },
    'Make PDF': { main: [[{ node: 'Send by Gmail', type: 'main', index: 0 }]] },
    'Send by Gmail': { main: [[{ node: 'Update Airtable status', type: 'main', index: 0 }]] },
  },
};

const CALLER: Drawing = {
  name: 'relance-devis-envoye-24h',
  tags: ['crm', 'téléphone'],
  nodes: {
    Démarrer: { type: 'manualTrigger' },
    'Chercher les devis': {
      type: 'httpRequest',
      typeVersion: 4.2,
      parameters: {
        method: 'POST',
        url: 'https://api.hubapi.com/crm/v3/objects/deals/search',
        jsonBody: '={ "from": "{{ $now.minus({ days: 1 }) }}" }',
      },
    },
    'Lire le devis': {
      type: 'hubspot',
      typeVersion: 2.2,
      parameters: { resource: 'deal', operation: 'get', dealId: { __rl: true, value: '={{ $json.results[0].id }}' } },
    },
    Appeler: { type: 'twilio', typeVersion: 1, parameters: { resource: 'call', to: '={{ $json.phone }}' } },
  },
  flow: 'Démarrer > Chercher les devis > Lire le devis > Appeler',
};

describe('workflows of the shape of published ones', () => {
  it('a read that also creates a table is a read, and the ways to the two notes count 6 and 3 nodes (C142)', () => {
    assert.deepEqual(auditOf(POSTER).paths, [
      { read: 'Check recent', firstWrite: 'Note post', steps: 6, effectBeforeMark: true },
      { read: 'Check recent', firstWrite: 'Note failure', steps: 3, effectBeforeMark: false },
    ]);
  });

  it('what is public before it is noted is found (C142)', () => {
    const found = auditOf(POSTER).findings.find(({ rule }) => rule === 'window.effect-before-mark');
    assert.equal(found?.severity, 'critical');
    assert.match(found.message, /"Make container", "Publish" can't be taken back/);
  });

  it('a status that is written after the mail is found (C143)', () => {
    const { paths, findings } = auditOf(INVOICES);
    assert.deepEqual(paths, [{ read: 'Open invoices', firstWrite: 'Set status', steps: 2, effectBeforeMark: true }]);
    assert.equal(findings.find(({ rule }) => rule === 'window.effect-before-mark')?.severity, 'critical');
  });

  it('in a sketch the trigger is the read, missing versions are the newest, and an empty node does as its name says (C143)', () => {
    const [workflow] = audit(SKETCH).workflows;
    assert.deepEqual(workflow?.paths, [
      { read: 'Airtable Trigger', firstWrite: 'Update Airtable status', steps: 2, effectBeforeMark: true },
    ]);
    const told = workflow.findings.map(({ rule, severity }) => `${rule} ${severity}`);
    assert.deepEqual(told, ['window.effect-before-mark warning']);
    assert.equal(workflow.findings[0]?.evidence.at(-1)?.['does'], 'airtable without parameters, by its name an update');
  });

  it('a search by POST is a read, only its first result is used, nothing is marked, and nothing starts it (C144)', () => {
    const { paths, findings, schedule } = auditOf(CALLER);
    assert.equal(schedule, null);
    assert.deepEqual(paths, [{ read: 'Chercher les devis', firstWrite: null, steps: null, effectBeforeMark: true }]);
    const rules = findings.map(({ rule, severity }) => `${rule} ${severity}`);
    for (const rule of ['window.no-status-write warning', 'items.dropped warning', 'schedule.never-fires info'])
      assert.ok(rules.includes(rule), `${rule} in ${rules.join(', ')}`);
  });
});
