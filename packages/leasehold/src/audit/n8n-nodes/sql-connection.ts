/**
 * Locks that databases tie to a connection or to a transaction. A node of n8n has neither for longer than itself: the
 * connection goes back to a pool that other runs take theirs from, and its transaction has ended.
 */
export interface Connection {
  /** The function, as people know it. */
  readonly name: string;
  readonly until: 'connection' | 'transaction';
}

/** Of `plain`, SQL as of `plainSql`; null where it takes none. Giving one back takes none. */
export function connectionLock(plain: string): Connection | null {
  const [, advisory] = /\b(pg_(?:try_)?advisory_(?:xact_)?lock(?:_shared)?)\s*\(/.exec(plain) ?? [];
  if (advisory !== undefined)
    return { name: advisory, until: advisory.includes('xact') ? 'transaction' : 'connection' };
  if (/\bget_lock\s*\(/.test(plain)) return { name: 'get_lock', until: 'connection' };
  if (!/\bsp_getapplock\b/.test(plain)) return null;
  // Its owner is the transaction, unless one is named: that can only be the session then.
  return { name: 'sp_getapplock', until: /@lockowner\s*=/.test(plain) ? 'connection' : 'transaction' };
}
