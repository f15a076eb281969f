import type { ReleaseAnswer } from '../domain/answers.ts';
import type { ReleaseRequest } from '../ports/store.ts';

/**
 * Makes the release of one start repeatable: `release` by hand and the one of `await using` are one
 * release, answered once. A repeat goes to the store again only where it brings a status that was
 * missing, or where the earlier one failed; it then says what the earlier one meant to say as well,
 * so that a status isn't forgotten over an outage.
 */
export class RepeatableRelease {
  readonly #send: (request: ReleaseRequest) => Promise<ReleaseAnswer>;
  #answer: ReleaseAnswer | null = null;
  #said: ReleaseRequest | null = null;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(send: (request: ReleaseRequest) => Promise<ReleaseAnswer>) {
    this.#send = send;
  }

  /** One at a time, in the order of the calls. */
  ask(request: ReleaseRequest): Promise<ReleaseAnswer> {
    const turn = this.#turn.then(() => this.#ask(request));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #ask(request: ReleaseRequest): Promise<ReleaseAnswer> {
    const said = this.#said;
    const bringsStatus = request.status !== null && (said === null || said.status === null);
    if (this.#answer !== null && !bringsStatus) return this.#answer;
    this.#said = {
      ...request,
      status: request.status ?? said?.status ?? null,
      afterMs: request.afterMs > 0 ? request.afterMs : (said?.afterMs ?? 0),
    };
    this.#answer = await this.#send(this.#said);
    return this.#answer;
  }
}
