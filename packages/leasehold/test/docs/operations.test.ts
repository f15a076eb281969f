/** docs/operations.md: its configuration is one, and its check of a signature accepts ours and nothing else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signatureOf } from '../../src/alerts/webhook/signature.ts';
import { parseChannels } from '../../src/domain/channel-spec.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import { codeBlocks, readPage } from './pages.ts';

const PAGE = readPage('docs/operations.md');

test('the configuration on the page is one', () => {
  const [block = '{}'] = codeBlocks(PAGE, 'json');
  const text = block.replace('env:OPS_WEBHOOK_URL', 'https://ops.example/');
  const { alerts } = JSON.parse(text) as { alerts: { channels: object } };
  assert.deepEqual(
    parseChannels(alerts.channels).map((channel) => [channel.name, channel.type, channel.filter.minSeverity]),
    [
      ['ops', 'webhook', 'warning'],
      ['pager', 'webhook', 'critical'],
      ['book', 'log', 'warning'],
    ],
  );
});

test('the check of a signature on the page accepts ours, and no other body, time or secret', async () => {
  const source = codeBlocks(PAGE, 'js').find((block) => block.includes('function isGenuine'));
  assert.ok(source !== undefined);
  const url = `data:text/javascript,${encodeURIComponent(`${source}\nexport { isGenuine };`)}`;
  const { isGenuine } = (await import(url)) as {
    isGenuine: (secret: string, headers: object, body: string) => boolean;
  };
  const seconds = Math.floor(systemClock.read().wallMs / 1_000);
  const headersAt = (timestamp: number): object => ({
    'leasehold-timestamp': String(timestamp),
    'leasehold-signature': signatureOf('secret', String(timestamp), '{"a":1}'),
  });
  assert.equal(isGenuine('secret', headersAt(seconds), '{"a":1}'), true);
  assert.equal(isGenuine('secret', headersAt(seconds), '{"a":2}'), false);
  assert.equal(isGenuine('other', headersAt(seconds), '{"a":1}'), false);
  assert.equal(isGenuine('secret', headersAt(seconds - 600), '{"a":1}'), false);
  assert.equal(
    isGenuine('secret', { ...headersAt(seconds - 10), 'leasehold-timestamp': String(seconds) }, '{"a":1}'),
    false,
  );
  assert.equal(isGenuine('secret', {}, '{"a":1}'), false);
});
