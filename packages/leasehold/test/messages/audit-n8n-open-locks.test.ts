/** What the auditor says of locks in n8n that let through whom they should keep out, word for word. Pure. */
import { describe } from 'node:test';
import { type Drawing, type Drawn, findingsOf, HOURLY, messageOf } from '../audit/n8n/build.ts';
import { behindClock, GUARD, MAIL, PROCEED, STORY, when } from '../audit/n8n/parts.ts';
import { assertSaid, type Said } from './said.ts';

const adviceOf = (drawing: Drawing): string => findingsOf(drawing, 'guard.fails-open')[0]?.advice ?? 'no such finding';
const said = (drawing: Drawing): string => messageOf(drawing, 'guard.fails-open');
const partsOf = (drawing: Drawing): string =>
  (findingsOf(drawing, 'guard.fails-open')[0]?.evidence ?? [])
    .map(({ node, part }) => `${String(node)} ${String(part)}`)
    .join(', ');
const sql = (query: string): Drawn => ({
  type: 'postgres',
  typeVersion: 2.5,
  parameters: { operation: 'executeQuery', query },
});

const ACQUIRE = sql("select * from leasehold.acquire('a', '5 min', 'me')");
const CLAIM = sql("select * from leasehold.claim('orders', 'me', array['{{ $json.id }}'])");
const CLAIMED: Drawing = {
  nodes: { ...STORY.nodes, Claim: CLAIM },
  flow: 'Clock > New orders > Claim > Mail > Mark sent',
};
const BOTH: Drawing = {
  nodes: { Clock: HOURLY, Lock: ACQUIRE, 'Got it?': PROCEED, Mail: MAIL, Post: { type: 'slack', typeVersion: 2.2 } },
  flow: 'Clock > Lock > Got it? > Mail > Post; Got it?.1 > Mail',
};
const ALONE: Drawing = { ...BOTH, flow: 'Clock > Lock > Got it? > Mail; Got it?.1 > Mail' };
const SECOND: Drawing = { nodes: { Clock: HOURLY, Lock: GUARD, Mail: MAIL }, flow: 'Clock > Lock; Lock.1 > Mail' };
const TURNED: Drawing = {
  nodes: {
    Clock: HOURLY,
    Lock: ACQUIRE,
    Which: {
      type: 'switch',
      typeVersion: 3.2,
      parameters: { rules: { values: [PROCEED['parameters']] }, options: { fallbackOutput: 'extra' } },
    },
    Mail: MAIL,
  },
  flow: 'Clock > Lock > Which; Which.1 > Mail',
};
const UNOWNED: Drawing = {
  nodes: { ...STORY.nodes, Claim: CLAIM, 'Owned?': when('={{ $json.owned }}', 'true') },
  flow: 'Clock > New orders > Claim > Owned?; Owned?.1 > Mail > Mark sent',
};
const ACQUIRED: Drawing = {
  nodes: { Clock: HOURLY, Lock: ACQUIRE, 'Got it?': when('={{ $json.outcome }}', 'equals', 'acquired'), Mail: MAIL },
  flow: 'Clock > Lock > Got it? > Mail',
};
const FLAG: Drawing = {
  nodes: {
    ...STORY.nodes,
    Flag: sql('select running from flags where id = 1'),
    'Free?': { type: 'if' },
    Take: sql('update flags set running = true where id = 1'),
  },
  flow: 'Clock > Flag > Free? > Take > New orders > Mail > Mark sent',
};
const ADVISORY = behindClock('Lock', sql('select pg_try_advisory_lock(42)'));
const XACT = behindClock('Lock', sql('select pg_try_advisory_xact_lock(42)'));

const SAID: readonly Said[] = [
  [
    () => said(CLAIMED),
    'Nothing asks which records the claim "Claim" owns before "Mail": it answers for each of its ids, and those that another run works are worked all the same.',
  ],
  [
    () => adviceOf(CLAIMED),
    'Let "Claim" give the owned ones only (… where owned), or put an IF directly behind it: {{ $json.owned }} is true goes on, false ends.',
  ],
  [() => partsOf(CLAIMED), 'Claim claims, Mail effect'],
  [
    () => said(ALONE),
    '"Mail" is reached from each output of "Got it?": where the lock "Lock" was not got, the run goes on all the same.',
  ],
  [
    () => said(BOTH),
    '"Mail", "Post" are reached from each output of "Got it?": where the lock "Lock" was not got, the run goes on all the same.',
  ],
  [
    () => adviceOf(ALONE),
    'Let the output of "Got it?" that is taken where it was not got end, or tell somebody and end.',
  ],
  [() => partsOf(ALONE), 'Lock takes, Mail effect'],
  [
    () => said(SECOND),
    '"Mail" stands at the output of "Lock" where the lock "Lock" is held by another run: the work is done exactly when it must not be.',
  ],
  [
    () => said(UNOWNED),
    '"Mail" stands at the output of "Owned?" where the claim "Claim" owns nothing: the work is done exactly when it must not be.',
  ],
  [() => adviceOf(UNOWNED), 'Change the outputs of "Owned?" over: the work belongs where {{ $json.owned }} is true.'],
  [() => adviceOf(SECOND), 'Move the work to the first output of "Lock".'],
  [
    () => said(TURNED),
    '"Mail" stands at the output of "Which" where the lock "Lock" is held by another run: the work is done exactly when it must not be.',
  ],
  [() => adviceOf(TURNED), 'Move the work to the output of "Which" that is taken where {{ $json.proceed }} is true.'],
  [
    () => said(ACQUIRED),
    '"Got it?" goes on only where the outcome of "Lock" is "acquired": after a run that crashed it is "reclaimed", and then the lock is taken, nothing is done, and every start until it expires is skipped.',
  ],
  [() => adviceOf(ACQUIRED), 'Let "Got it?" ask whether {{ $json.proceed }} is true.'],
  [() => partsOf(ACQUIRED), 'Lock takes, Got it? asks'],
  [
    () => said(FLAG),
    '"Flag" reads a flag and "Take" sets it later: two runs that start together both find it free. It has no expiry: after a crash the flag stays until somebody resets it.',
  ],
  [() => partsOf(FLAG), 'Flag reads the flag, Take sets the flag'],
  [
    () => said(ADVISORY),
    '"Lock" takes a lock (pg_try_advisory_lock) that belongs to its connection and not to the run: n8n gives the connection back to a pool, so the lock ends when the pool closes it, at a moment that nobody chose, and a run that gets the same connection takes the lock once more. Another node can give it back only if it happens to get that connection.',
  ],
  [
    () => said(XACT),
    '"Lock" takes a lock (pg_try_advisory_xact_lock) that ends with its transaction, and that is over before the next node begins: it keeps no run out.',
  ],
  [
    () => adviceOf(ADVISORY),
    'Put a Leasehold guard (SQL in a Postgres node: docs/guides/sql.md#n8n) in place of "Lock": its lease is a row, which belongs to the run on whatever connection.',
  ],
];

describe('what the auditor says of locks in n8n that let through', () => assertSaid(SAID));
