/** Which store which user of a host picks, as `doctor` sees it: real files in homes of their own. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { placeFacts, type PlaceQuestion } from '../../src/cli/doctor/store-places.ts';
import { storeUrl } from '../../src/cli/store-location.ts';
import { judgePlaces, type PlaceFacts } from '../../src/domain/doctor-places.ts';
import { parseAccounts } from '../../src/platform/host-facts.ts';
import type { CommandHost } from '../../src/ports/command-host.ts';

describe('which store who picks', () => {
  /** A host with homes in a folder, and the question asked there. */
  class Homes implements Disposable {
    readonly folder: string = mkdtempSync(join(tmpdir(), 'leasehold-homes-'));
    env: Record<string, string | undefined> = {};

    write(name: string, content: unknown = ''): string {
      const path = join(this.folder, name);
      mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
      return path;
    }

    question(): Omit<PlaceQuestion, 'option'> {
      const home = (name: string): string => join(this.folder, name);
      const host = {
        env: this.env,
        homeDirectory: () => home('me'),
        workingDirectory: () => this.folder,
      } as unknown as CommandHost;
      const passwd = `me:x:1000:1000::${home('me')}:/bin/sh\nadmin:x:0:0::${home('admin')}:/bin/sh\nbroken`;
      return { host, userId: 1_000, accounts: parseAccounts(passwd), systemFile: home('etc.json') };
    }

    ask(option: { store?: string; config?: string } = {}): PlaceFacts & { readonly picked: string } {
      const question = this.question();
      const picked = storeUrl(option, question.host, question.systemFile);
      return { ...placeFacts({ ...question, option }), picked };
    }

    [Symbol.dispose](): void {
      rmSync(this.folder, { recursive: true });
    }
  }

  const pickOf = ({ places }: PlaceFacts): string | null => places.find(({ store }) => store !== null)?.store ?? null;

  it('the first place that names one is what every other command uses', () => {
    using homes = new Homes();
    const steps: (() => { store?: string; config?: string } | void)[] = [
      () => {},
      () => void homes.write('me/.config/leasehold.json', { store: 'sqlite:/user' }),
      () => void homes.write('etc.json', { store: 'sqlite:/system' }),
      () => void (homes.env['LEASEHOLD_CONFIG'] = homes.write('environment.json', { store: 'sqlite:/environment' })),
      () => ({ config: homes.write('asked.json', { store: 'sqlite:/asked' }) }),
      () => void (homes.env['LEASEHOLD_STORE'] = 'sqlite:/variable'),
      () => ({ store: 'sqlite:/option' }),
    ];
    for (const step of steps) {
      const facts = homes.ask(step() ?? {});
      assert.equal(pickOf(facts), facts.picked);
    }
  });

  it("another user's own store is seen, and no longer counts once the system names one for all", () => {
    using homes = new Homes();
    const store = homes.write('admin/.local/state/leasehold/leasehold.db');
    const facts = homes.ask();
    assert.deepEqual(facts.others, [{ user: 'admin', store: `sqlite:${store}` }]);
    const found = judgePlaces(facts).find(({ check }) => check === 'stores');
    assert.equal(found?.result, 'warning');
    assert.match(found?.message ?? '', /user admin has sqlite:/);
    homes.write('admin/.config/leasehold.json', { store: 'sqlite:/named' });
    assert.deepEqual(homes.ask().others, [{ user: 'admin', store: 'sqlite:/named' }]);
    homes.write('etc.json', { store: 'sqlite:/system' });
    assert.deepEqual(homes.ask().others, []);
  });

  it('a user into whose directories this one may not look is named', {
    skip: userInfo().uid === 0 && 'root may look everywhere',
  }, () => {
    using homes = new Homes();
    homes.write('admin/.local/state/leasehold/leasehold.db');
    chmodSync(join(homes.folder, 'admin'), 0);
    const { others, hiddenUsers } = homes.ask();
    chmodSync(join(homes.folder, 'admin'), 0o700);
    assert.deepEqual([others, hiddenUsers], [[], ['admin']]);
  });

  it('a configuration with a password is named as a fault, and its password is not', () => {
    using homes = new Homes();
    homes.write('etc.json', { store: 'postgres://jobs:geheim@db/jobs' });
    homes.env['LEASEHOLD_STORE'] = 'postgres://me:geheim@db/jobs';
    const facts = homes.ask();
    assert.match(facts.places.map(({ fault }) => fault ?? '').join(), /has a password in its store/);
    assert.doesNotMatch(JSON.stringify(facts.places), /geheim/);
    assert.equal(pickOf(facts), 'postgres://me@db/jobs');
  });

  it('a file that was asked for and is not there, or names none, decides and is a problem', () => {
    using homes = new Homes();
    const judged = (config: string): string => {
      const { places } = placeFacts({ ...homes.question(), option: { config } });
      const [found] = judgePlaces({ places, files: [], others: [], hiddenUsers: [], userId: 1_000 });
      assert.equal(found?.result, 'problem');
      return found.message;
    };
    assert.match(judged('none.json'), /none\.json is not there/);
    homes.write('empty.json', {});
    assert.match(judged('empty.json'), /empty\.json names no store/);
  });

  it('the mode of each configuration file is looked at', () => {
    using homes = new Homes();
    chmodSync(homes.write('etc.json', { store: 'sqlite:/system' }), 0o666);
    const found = judgePlaces(homes.ask()).filter(({ check, result }) => check === 'config' && result === 'warning');
    assert.match(found[0]?.message ?? '', /mode 0666: others may name another store/);
  });
});
