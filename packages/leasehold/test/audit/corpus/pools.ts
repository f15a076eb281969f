/** Workflows beside one another: one table for two, copies, and triggers that bring records. */
import { type Drawn, draw, type Drawing, HOURLY } from '../n8n/build.ts';
import { MAIL, MARK_ROW, READ_ROWS, SHAPE, WEBHOOK } from '../n8n/parts.ts';
import { type Known, n8n, type Sample } from './corpus.ts';
import { node, STORY_FINDS } from './parts.ts';

const STORY: Drawing = {
  nodes: { Clock: HOURLY, Read: READ_ROWS, Mail: MAIL, Mark: MARK_ROW },
  flow: 'Clock > Read > Mail > Mark',
};
/** The same table, by another way. */
const OTHER: Drawing = {
  nodes: { Tick: HOURLY, Rows: READ_ROWS, Shape: SHAPE, Say: { type: 'slack', typeVersion: 2.2 }, Done: MARK_ROW },
  flow: 'Tick > Rows > Shape > Say > Done',
};
const ELSEWHERE = { base: { __rl: true, value: 'appOrders00001' }, table: { __rl: true, value: 'tblOther0000001' } };
const at = (drawn: Drawn, place: object): Drawn => ({
  ...drawn,
  parameters: { ...(drawn['parameters'] as object), ...place },
});

/** The story, and a second workflow in a file beside it. */
function beside(name: string, other: Drawing, known: Known, own: Drawing = STORY): Sample {
  const second = draw({ settings: { timezone: 'UTC' }, id: `${name}-other`, name: 'The other one', ...other });
  return n8n(name, own, known, { files: { 'other.json': second } });
}

const ALONE: Known = { finds: STORY_FINDS };
const SHARED: Known = { finds: [...STORY_FINDS, 'pool.shared warning'] };
const PG = (query: string, account: string): Drawn => ({
  type: 'postgres',
  typeVersion: 2.4,
  parameters: { operation: 'executeQuery', query },
  credentials: { postgres: { id: account, name: account } },
});
const pg = (account: string): Drawing => ({
  nodes: {
    Clock: HOURLY,
    Read: PG("select * from orders where state = 'new' limit 5", account),
    Mail: MAIL,
    Mark: PG("update orders set state = 'done' where id = 7", account),
  },
  flow: 'Clock > Read > Mail > Mark',
});
/** The same places by another messenger: no copy, and one pool all the same. */
const other = (drawing: Drawing): Drawing => ({
  ...drawing,
  nodes: { ...drawing.nodes, Mail: { type: 'slack', typeVersion: 2.2 } },
});
/** A node more that changes nothing makes it no other workflow. */
const copied = (drawing: Drawing): Drawing => ({
  ...drawing,
  nodes: { ...drawing.nodes, More: SHAPE },
  flow: `${drawing.flow} > More`,
});

const SHEET = { documentId: { __rl: true, value: 'doc1' }, sheetName: { __rl: true, value: 'gid=0' } };
const NEW_ROWS: Drawn = node('googleSheetsTrigger', 1, { ...SHEET, event: 'rowAdded' });
const MARK_SHEET: Drawn = node('googleSheets', 4.5, { operation: 'update', ...SHEET });

export const POOLS: readonly Sample[] = [
  beside('one-table-for-two', OTHER, SHARED),
  beside('one-table-for-two-of-which-one-is-off', { ...OTHER, active: false }, ALONE),
  beside(
    'two-tables-for-two',
    { ...OTHER, nodes: { ...OTHER.nodes, Rows: at(READ_ROWS, ELSEWHERE), Done: at(MARK_ROW, ELSEWHERE) } },
    ALONE,
  ),
  beside(
    'the-other-only-reads',
    { nodes: { Tick: HOURLY, Rows: READ_ROWS, Shape: SHAPE }, flow: 'Tick > Rows > Shape' },
    ALONE,
  ),
  beside(
    'a-copy-that-is-active',
    { ...STORY, name: 'a copy that is active copy' },
    { finds: [...STORY_FINDS, 'pool.shared critical'] },
  ),
  beside('a-copy-with-a-node-more', copied(STORY), { finds: [...STORY_FINDS, 'pool.shared critical'] }),
  beside('a-copy-that-is-off', { ...STORY, active: false }, ALONE),
  beside('one-database-for-two', other(pg('a1')), SHARED, pg('a1')),
  beside('two-databases-for-two', other(pg('b2')), ALONE, pg('a1')),
  n8n(
    'a-poll-whose-rows-are-marked-after-the-mail',
    { nodes: { New: NEW_ROWS, Mail: MAIL, Mark: MARK_SHEET }, flow: 'New > Mail > Mark' },
    { finds: ['window.effect-before-mark warning'], paths: [['New', 'Mark', 1, true]] },
  ),
  n8n(
    'a-poll-whose-rows-are-marked-first',
    { nodes: { New: NEW_ROWS, Mail: MAIL, Mark: MARK_SHEET }, flow: 'New > Mark > Mail' },
    { finds: [], paths: [['New', 'Mark', 0, false]] },
  ),
  n8n('a-poll-that-marks-nothing', { nodes: { New: NEW_ROWS, Mail: MAIL }, flow: 'New > Mail' }, { finds: [] }),
  n8n(
    'a-webhook-that-mails',
    { nodes: { Hook: WEBHOOK, Mail: MAIL }, flow: 'Hook > Mail' },
    { finds: [], schedule: null },
  ),
  n8n(
    'a-webhook-that-reads-and-marks',
    { nodes: { Hook: WEBHOOK, Read: READ_ROWS, Mail: MAIL, Mark: MARK_ROW }, flow: 'Hook > Read > Mail > Mark' },
    {
      finds: ['window.effect-before-mark critical', 'window.read-to-write warning'],
      paths: [['Read', 'Mark', 1, true]],
    },
  ),
  n8n(
    'by-hand-reads-and-marks',
    {
      nodes: { Hand: { type: 'manualTrigger' }, Read: READ_ROWS, Mail: MAIL, Mark: MARK_ROW },
      flow: 'Hand > Read > Mail > Mark',
    },
    {
      finds: ['window.effect-before-mark warning', 'window.read-to-write info', 'schedule.never-fires info'],
      paths: [['Read', 'Mark', 1, true]],
    },
  ),
];
