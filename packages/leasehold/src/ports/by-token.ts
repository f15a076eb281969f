/** Who speaks for a claim. */
export interface ByToken {
  /**
   * True where it doesn't come from the claim's own handle: another process may have the token then, and the claim counts as
   * shared from now on: who speaks for one record may be sending the next. Left out: false.
   */
  readonly isByToken?: boolean;
}
