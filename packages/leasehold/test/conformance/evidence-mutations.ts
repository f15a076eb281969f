/** Guards of evidence taken out of the engine and of the SQL functions: see mutations.ts and postgres-mutations.ts. */
import type { Mutation } from './mutations.ts';
import type { PostgresMutation } from './postgres-mutations.ts';

const EVIDENCE = 'domain/evidence.ts';
const DECIDE = 'domain/acquire.ts';

const RENEWED = 'evidence of a lease that was renewed since changes nothing';
const TAKEN = 'evidence of a holder whose lock another has taken since changes nothing';
const FOUR = 'a lease is extended to four of its lengths past the last renewal, and then the clock decides';
const ON_PURPOSE = 'a holder that has stopped renewing on purpose is not extended';
const DRAINS = 'a live holder does not hold up its force-release';
const LIVE = 'a holder that is alive keeps its live lease as it is';
const EVENT = 'the lease of a live holder that has run out goes on, for everybody, and that is an event of its run';
const NO_RENEWAL = 'an extension is no renewal: when the holder last renewed stays what it was';
const FREES = 'proof that a holder has ended frees its live lease at once, and its run is told so';
const NOT_KNOWN = 'what is not known changes nothing: the clock decides, and the reclaim says what was said';
const NOBODY = 'where there is nobody to ask, or nothing to ask about, the answer is that of any start';
const NO_EVIDENCE = 'evidence about a holder that nobody can be asked after is no evidence';
const ODD = 'a lease without an end, a length or a start, or renewed in the future, is not extended';
const SAYS_MORE = 'a renewal can say more of its holder, on the lock and on its run';

export const EVIDENCE_MUTATIONS: readonly Mutation[] = [
  {
    name: 'evidence is not compared with the end of the lease',
    edits: [
      {
        file: EVIDENCE,
        from: 'lock.fence === evidence.fence && lock.leaseUntil === (evidence.leaseUntil?.getTime() ?? null)',
        to: 'lock.fence === evidence.fence',
      },
    ],
    caught: [RENEWED],
  },
  {
    name: 'evidence is not compared with the fence',
    edits: [{ file: EVIDENCE, from: 'lock.fence === evidence.fence && ', to: '' }],
    caught: [TAKEN],
  },
  {
    name: 'an extension has no bound',
    edits: [{ file: EVIDENCE, from: 'const LEASES_MAX = 4;', to: 'const LEASES_MAX = 400;' }],
    caught: [FOUR, 'a holder that never renewed is extended to four leases past its start'],
  },
  {
    name: 'a lease that is not to be extended is',
    edits: [{ file: EVIDENCE, from: " || holderInfo?.['extendable'] === false", to: '' }],
    caught: [ON_PURPOSE],
  },
  {
    name: 'a live lease is extended as well',
    edits: [{ file: EVIDENCE, from: '!isExpired(lock, now) || drainUntil', to: 'drainUntil' }],
    caught: [LIVE],
  },
  {
    name: 'a lease that drains is extended',
    edits: [{ file: EVIDENCE, from: '!isExpired(lock, now) || drainUntil !== null || ', to: '' }],
    caught: [DRAINS],
  },
  {
    name: 'what is unknown frees a lock',
    edits: [
      { file: EVIDENCE, from: "if (evidence.state === 'ended') return", to: "if (evidence.state !== 'alive') return" },
    ],
    caught: [NOT_KNOWN],
  },
  {
    name: 'what is unknown extends a lease',
    edits: [
      {
        file: EVIDENCE,
        from: "evidence.state === 'alive' ? extendedEnd",
        to: "evidence.state !== 'ended' ? extendedEnd",
      },
    ],
    caught: [NOT_KNOWN],
  },
  {
    name: 'proof of the end waits for the clock',
    edits: [
      {
        file: DECIDE,
        from: "if (weight.kind === 'ended') return",
        to: "if (weight.kind === 'ended' && isExpired(lock, now)) return",
      },
    ],
    caught: [FREES],
  },
  {
    name: 'a caller is sent to ask whom it can not ask',
    edits: [{ file: EVIDENCE, from: 'return probes.includes(system) ?', to: 'return probes.length > 0 ?' }],
    caught: [NOBODY],
  },
  {
    name: 'evidence counts of a holder that has no probe',
    edits: [
      {
        file: EVIDENCE,
        from: "if (typeof system !== 'string') return",
        to: "if (typeof system !== 'string' && evidence === null) return",
      },
    ],
    caught: [NO_EVIDENCE],
  },
  {
    name: 'a renewal in the future bounds nothing',
    edits: [{ file: EVIDENCE, from: ' || renewedAt === null || renewedAt > now)', to: ' || renewedAt === null)' }],
    caught: [ODD],
  },
  {
    name: 'an extension counts as a renewal',
    edits: [
      {
        file: 'stores/sqlite/sql/locks.sql',
        from: 'update locks set lease_until = :lease_until where name = :name;',
        to: 'update locks set renewed_at = lease_until, lease_until = :lease_until where name = :name;',
      },
    ],
    caught: [NO_RENEWAL, FOUR],
  },
  {
    name: 'an extension is silent',
    edits: [{ file: 'stores/sqlite/evidence.ts', from: "kind: 'lease.extended',", to: "kind: 'clock.fault'," }],
    caught: [EVENT],
  },
  {
    name: 'what a renewal says of its holder stays off its run',
    edits: [
      {
        file: 'stores/sqlite/renew.ts',
        from: 'if (holderInfo !== null) noteHolderInfo',
        to: 'if (now < 0 && holderInfo !== null) noteHolderInfo',
      },
    ],
    caught: [SAYS_MORE],
  },
];

export const POSTGRES_EVIDENCE_MUTATIONS: readonly PostgresMutation[] = [
  {
    name: 'evidence is not compared with the end of the lease',
    edits: [
      {
        name: '_is_about',
        from: "date_trunc('milliseconds', state.lease_until) is not distinct from",
        to: 'state.lease_until is not null or now() =',
      },
    ],
    caught: [RENEWED],
  },
  {
    name: 'evidence is not compared with the fence',
    edits: [{ name: '_is_about', from: "state.fence = (evidence ->> 'fence')::bigint", to: 'evidence is not null' }],
    caught: [TAKEN],
  },
  {
    name: 'an extension has no bound',
    edits: [{ name: '_extended_end', from: '4 * state.lease_ms', to: '400 * state.lease_ms' }],
    caught: [FOUR],
  },
  {
    name: 'a lease that is not to be extended is',
    edits: [{ name: '_extended_end', from: "state.holder_info -> 'extendable' = 'false'", to: 'false' }],
    caught: [ON_PURPOSE],
  },
  {
    name: 'a lease that drains is extended',
    edits: [
      { name: '_extended_end', from: 'state.lease_until > now_at or state.drain_until is not null', to: 'false' },
    ],
    caught: [DRAINS],
  },
  {
    name: 'what is unknown frees a lock',
    edits: [
      {
        name: '_weigh_evidence',
        from: "if evidence ->> 'state' = 'ended' then",
        to: "if evidence ->> 'state' <> 'alive' then",
      },
    ],
    caught: [NOT_KNOWN],
  },
  {
    name: 'evidence counts of a holder that has no probe',
    edits: [
      {
        name: '_weigh_evidence',
        from: "if jsonb_typeof(state.holder_info -> 'probe') is distinct from 'string' then",
        to: "if state.holder_info ->> 'probe' is null and evidence is null then",
      },
    ],
    caught: [NO_EVIDENCE],
  },
  {
    name: 'an extension counts as a renewal',
    edits: [
      {
        name: '_extend',
        from: 'set lease_until = extended',
        to: 'set renewed_at = lease_until, lease_until = extended',
      },
    ],
    caught: [NO_RENEWAL],
  },
  {
    name: 'what a renewal says of its holder stays off its run',
    edits: [{ name: 'renew', from: 'if renew.holder_info is not null then', to: 'if false then' }],
    caught: [SAYS_MORE],
  },
];
