import { readFileSync } from 'node:fs';
import { platform } from 'node:os';
import type { Account, HostFacts } from '../domain/doctor-host.ts';
import { nodeVersion } from './node-version.ts';
import { processIdentity } from './process-identity.ts';

/** A directory service may list a whole company. */
const ACCOUNTS_MAX = 500;

/** What `doctor` judges this host by. Reads `/proc` and `/etc/passwd`, as far as they are there. */
export function hostFacts(): HostFacts {
  const { bootId, startTicks } = processIdentity();
  return {
    nodeVersion: nodeVersion(),
    system: platform(),
    bootId,
    startTicks,
    userId: process.getuid?.() ?? null,
    accounts: readAccounts(),
  };
}

function readAccounts(): Account[] {
  try {
    return parseAccounts(readFileSync('/etc/passwd', 'utf8'));
  } catch {
    return [];
  }
}

/** The lines of a passwd(5) text that have a user id and an absolute home; the first 500. */
export function parseAccounts(text: string): Account[] {
  const accounts = text.split('\n').flatMap((line): Account[] => {
    const [name = '', , id = '', , , home = ''] = line.split(':');
    return name !== '' && /^\d+$/.test(id) && home.startsWith('/') ? [{ name, id: Number(id), home }] : [];
  });
  return accounts.slice(0, ACCOUNTS_MAX);
}
