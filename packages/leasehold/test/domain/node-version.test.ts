import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSupportedNode, unsupportedNodeMessage } from '../../src/domain/node-version.ts';

test('Node.js 24.15 and later of that line, and 26 and later, are supported', () => {
  for (const version of ['24.15.0', 'v24.15.0', '24.21.0', '26.0.0', '26.0.0-rc.1', '30.1.2']) {
    assert.ok(isSupportedNode(version), version);
  }
});

test('older ones, the 25 line and what is no version are not', () => {
  for (const version of ['20.18.1', '22.99.0', '24.14.9', '25.9.0', '', 'twenty-six', '260']) {
    assert.ok(!isSupportedNode(version), version);
  }
});

test('the refusal is one line, names the version and the remedy', () => {
  const message = unsupportedNodeMessage('20.18.1');
  assert.match(message, /20\.18\.1.*Install Node\.js 24/);
  assert.ok(!message.includes('\n'));
});
