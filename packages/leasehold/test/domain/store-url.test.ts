import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseStoreUrl, storeUrlName } from '../../src/domain/store-url.ts';
import { isLeaseholdError } from '../../src/errors.ts';

function refusalOf(text: string): string {
  try {
    parseStoreUrl(text);
  } catch (error) {
    assert.ok(isLeaseholdError(error, 'STORE_UNUSABLE'), String(error));
    assert.equal(error.cause, undefined, 'a cause would quote the URL');
    return error.message;
  }
  return assert.fail(`${text} was accepted`);
}

test('sqlite: names a file, absolute or not, or the memory of this process', () => {
  for (const [url, path] of [
    ['sqlite:/var/lib/x.db', '/var/lib/x.db'],
    ['sqlite:x.db', 'x.db'],
    ['sqlite:./a b/x.db', './a b/x.db'],
    ['sqlite:///var/lib/x.db', '/var/lib/x.db'],
    ['sqlite::memory:', ':memory:'],
    ['SQLite:x.db', 'x.db'],
    [' sqlite:x.db\n', 'x.db'],
    ['sqlite:C:\\x.db', 'C:\\x.db'],
    ['sqlite:/home/me@work/100%/x?.db', '/home/me@work/100%/x?.db'],
  ] as const) {
    assert.deepEqual(parseStoreUrl(url), { kind: 'sqlite', path, name: `sqlite:${path}` }, url);
  }
});

test('postgres:// and postgresql:// are named by user, host, port and database alone', () => {
  for (const [url, name] of [
    ['postgres://app:secret@db.example:5432/jobs', 'postgres://app@db.example:5432/jobs'],
    ['postgresql://db.example/jobs?user=app&password=secret', 'postgres://db.example/jobs'],
    ['postgres://app:p%40ss@[::1]:5432/jobs', 'postgres://app@[::1]:5432/jobs'],
    ['postgres://app:secret@with@db.example/jobs', 'postgres://app@db.example/jobs'],
    ['postgres:///jobs?host=/run/postgresql', 'postgres:///jobs'],
    ['postgres://app:secret@/jobs?host=/run/postgresql', 'postgres://app@/jobs'],
    ['postgres://%2Frun%2Fpostgresql/jobs', 'postgres://%2Frun%2Fpostgresql/jobs'],
    ['postgres://app%3Asecret@db.example/jobs', 'postgres://db.example/jobs'],
    ['postgres://db.example', 'postgres://db.example'],
  ] as const) {
    assert.deepEqual(parseStoreUrl(url), { kind: 'postgres', url, name }, url);
  }
});

test('a service is named by its origin alone', () => {
  const url = 'https://me:secret@leasehold.example:8443/base?key=secret#secret';
  assert.deepEqual(parseStoreUrl(url), { kind: 'service', url, name: 'https://leasehold.example:8443' });
  assert.equal(storeUrlName('http://127.0.0.1:4747'), 'http://127.0.0.1:4747');
});

test('a bare path is refused, with what to write', () => {
  assert.match(refusalOf('/var/lib/x.db'), /write sqlite:\/var\/lib\/x\.db /);
  assert.match(refusalOf('./x.db'), /write sqlite:\.\/x\.db /);
  assert.match(refusalOf('C:\\x.db'), /write sqlite:PATH/);
});

test('an empty URL, an unknown scheme and a file without a name are refused', () => {
  assert.match(refusalOf(''), /empty/);
  assert.match(refusalOf('  '), /empty/);
  assert.match(refusalOf('mysql://db/x'), /scheme "mysql:"/);
  assert.match(refusalOf('file:///x.db'), /scheme "file:"/);
  assert.match(refusalOf('sqlite:'), /names no file/);
  assert.match(refusalOf('sqlite://host/x.db'), /would name a host/);
  assert.match(refusalOf('sqlite:~/x.db'), /whole path/);
  assert.match(refusalOf('sqlite:a\0b'), /control characters/);
  assert.match(refusalOf('postgres://db:port/x'), /can't be read/);
});

test('a password that splits its URL is refused, not shown in part', () => {
  for (const password of ['12/secret', '12?secret', '12#secret', '/secret', 'a/b@secret']) {
    const message = refusalOf(`postgres://app:${password}@db.example/jobs`);
    assert.match(message, /percent-encode/);
    assert.ok(!message.includes('secret') && !message.includes('12'), message);
  }
});

// Long and unmistakable, so that it can't stand in a message by chance.
// What ends or begins a part of an address comes often: among all graphemes it would be rare.
const delimiters = fc.string({
  maxLength: 3,
  unit: fc.constantFrom('\\', '/', '?', '#', '@', ':', '%', '[', ']', '&', ' '),
});
const secret = fc
  .oneof(fc.string({ minLength: 0, maxLength: 8, unit: 'grapheme' }), delimiters)
  .map((text) => `s3cr3t${text}t3rc3s`);
const around = fc.constantFrom(
  (s: string) => `postgres://app:${s}@db.example/jobs`,
  (s: string) => `postgres://app:${encodeURIComponent(s)}@db.example:5432/jobs`,
  (s: string) => `postgresql://db.example/jobs?password=${s}`,
  (s: string) => `postgres://app:${s}@/jobs?host=/run`,
  (s: string) => `postgres://db.example/jobs?sslkey=${encodeURIComponent(s)}#${s}`,
  (s: string) => `https://${s}@leasehold.example`,
  (s: string) => `https://me:${s}@leasehold.example/base?key=${s}`,
  (s: string) => `https://leasehold.example/${s}`,
  (s: string) => `mysql://app:${s}@db.example/jobs`,
  (s: string) => `app:${s}@db.example/jobs`,
  (s: string) => `host=db.example password=${s}`,
  (s: string) => `postgres:app:${s}`,
  (s: string) => `${s}@db.example`,
  (s: string) => s,
);

test('no secret survives into a name or a refusal, wherever in the URL it stands', () => {
  fc.assert(
    fc.property(secret, around, (hidden, put) => {
      const url = put(hidden);
      let shown = storeUrlName(url);
      try {
        parseStoreUrl(url);
      } catch (error) {
        assert.ok(isLeaseholdError(error, 'STORE_UNUSABLE'), String(error));
        shown += error.message + String(error.cause);
      }
      assert.ok(!/s3cr3t|t3rc3s/i.test(decodeURIComponent(shown)), shown);
    }),
    { numRuns: 5_000 },
  );
});

test('a backslash in a password ends the host of an http address, so the address is refused', () => {
  for (const scheme of ['https', 'http', 'postgres']) {
    const message = refusalOf(`${scheme}://me:s3cr3t\\t3rc3s@leasehold.example`);
    assert.match(message, /percent-encode/);
    assert.doesNotMatch(message, /s3cr3t|t3rc3s/);
  }
});

test('any text at all is taken or refused as unusable, and its name never throws', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom('', 'sqlite:', 'postgres://', 'https://'),
      (text, scheme) => {
        storeUrlName(scheme + text);
        try {
          parseStoreUrl(scheme + text);
        } catch (error) {
          assert.ok(isLeaseholdError(error, 'STORE_UNUSABLE'), String(error));
        }
      },
    ),
    { numRuns: 5_000 },
  );
});
