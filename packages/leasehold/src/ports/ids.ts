/** Random ids. Only `platform/` implements it for production; tests may count instead. */
export interface Ids {
  /** A new random id, 122 bits or more, safe to use as a token. */
  newId(): string;
  /** A number from 0 (inclusive) to 1 (exclusive), for jitter. */
  random(): number;
}
