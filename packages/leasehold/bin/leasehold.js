#!/usr/bin/env node
// The command. Written so that an old Node.js can read it: it must be able to say that it is too old,
// in the words of src/domain/node-version.ts (a test compares them).
import { existsSync } from 'node:fs';
import { keepCompiledCode } from './compiled-code.js';

const [major, minor] = process.versions.node.split('.').map(Number);

if (major >= 26 || (major === 24 && minor >= 15)) {
  keepCompiledCode();
  // A checkout runs from source, so that a build left over from yesterday is never what is tried;
  // the published package has no source.
  const source = new URL('../src/cli/main.ts', import.meta.url);
  void import(existsSync(source) ? source.href : new URL('../dist/cli/main.js', import.meta.url).href);
} else {
  process.stderr.write(
    `Leasehold needs Node.js 24.15 or newer (24.x or 26 and up); this is ${process.versions.node}. ` +
      'Install Node.js 24, for example from https://nodejs.org, and start again.\n',
  );
  process.exitCode = 78;
}
