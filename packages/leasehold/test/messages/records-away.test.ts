/** What the commands of a claim say where their store is away, word for word. Pure. */
import { describe } from 'node:test';
import { UNHEARD, unheard } from '../../src/cli/records/patience.ts';
import { LeaseholdError } from '../../src/errors.ts';
import { assertSaid } from './said.ts';

const away = (of: keyof typeof UNHEARD, isOpen: boolean) => (): string =>
  (unheard(new LeaseholdError('STORE_UNREACHABLE', 'It is away.'), UNHEARD[of], isOpen) as Error).message;

describe('of a store that is away', () =>
  assertSaid([
    [away('begin', false), 'It is away; the record was not begun: send nothing'],
    [
      away('begin', true),
      'It is away; whether the record was begun is not known: send nothing before begin has answered',
    ],
    [away('verdict', false), 'It is away; the verdict was not stored: give it again'],
    [
      away('verdict', true),
      'It is away; whether the verdict was stored is not known: give it again, the same one counts once',
    ],
    [away('extend', false), 'It is away; the claim was not extended'],
    [away('extend', true), 'It is away; whether the claim was extended is not known: extend it again'],
    [away('return', false), 'It is away; nothing was given back'],
    [away('return', true), 'It is away; whether anything was given back is not known: return it again'],
  ]));
