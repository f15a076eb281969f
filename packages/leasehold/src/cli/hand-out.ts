import type { CommandHost } from '../ports/command-host.ts';

/** Writes what only its reader can use, a token. Null once somebody can read it, else why nobody can. */
export async function handOut(host: CommandHost, text: string): Promise<string | null> {
  if (host.isStdoutClosed()) return 'is closed';
  const errorCode = await host.writeOut(text);
  if (errorCode === null) return null;
  return errorCode === 'EPIPE' ? 'has no reader any more' : `can't be written (${errorCode})`;
}
