/**
 * The store's clock as design §4 tells it. Instants are ms since the sequence began, on that clock.
 *
 * Within one boot nothing but time moves it. At a boot it is based on the wall clock, at the first call that
 * writes; before that call there is no other clock than the wall.
 */
export class ModelClock {
  now = 0;
  /** Time that really passed, by a clock that nobody steps: never smaller than before. */
  elapsed = 0;
  /** How far the wall clock is ahead of the store's. */
  #wallAhead = 0;
  #isBased = false;

  pass(ms: number): void {
    this.now += ms;
    this.elapsed += ms;
  }

  stepWall(ms: number): void {
    if (this.#isBased) this.#wallAhead += ms;
    else this.#jump(ms);
  }

  /** The host restarts, or another one takes over, and its wall clock is off by `ms`. */
  restart(ms: number): void {
    this.#jump(this.#wallAhead + ms);
    this.#wallAhead = 0;
    this.#isBased = false;
  }

  wrote(): void {
    this.#isBased = true;
  }

  /** A jump ahead can't be told from time that passed. */
  #jump(ms: number): void {
    this.now += ms;
    this.elapsed += Math.max(0, ms);
  }
}
