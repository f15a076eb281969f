import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { it } from 'node:test';
import { createCommandProcess } from '../../src/platform/command-host.ts';

it('a home that is empty or relative is none: what the system has for this user counts', () => {
  const { HOME } = process.env;
  const host = createCommandProcess();
  try {
    for (const home of ['', 'relative', './x']) {
      process.env['HOME'] = home;
      assert.equal(host.homeDirectory(), userInfo().homedir);
    }
    process.env['HOME'] = '/absolute';
    assert.equal(host.homeDirectory(), '/absolute');
  } finally {
    if (HOME === undefined) delete process.env['HOME'];
    else process.env['HOME'] = HOME;
  }
});
