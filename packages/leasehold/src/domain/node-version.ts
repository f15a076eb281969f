/**
 * Which Node.js Leasehold runs on: 24.15 or newer of the 24 line (`node:sqlite` without a flag, type
 * stripping, `await using`), and 26 or newer. 25 was never a long-term release and is not tested.
 */
export function isSupportedNode(version: string): boolean {
  const match = /^v?(\d+)\.(\d+)\./.exec(version);
  if (match === null) return false;
  const major = Number(match[1]);
  return major === 24 ? Number(match[2]) >= 15 : major >= 26;
}

/** The one line that a user of another Node.js gets. */
export function unsupportedNodeMessage(version: string): string {
  return `Leasehold needs Node.js 24.15 or newer (24.x or 26 and up); this is ${version}. Install Node.js 24, for example from https://nodejs.org, and start again.`;
}
