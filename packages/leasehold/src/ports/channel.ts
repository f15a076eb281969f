import type { Alert, AlertFilter } from '../domain/alert.ts';

/**
 * Where alerts go. One that is not surely there is not confirmed: it is sent again, with the same id.
 *
 * Never throws: what goes wrong is an answer, whose words carry no URL, no secret and no text of the receiver.
 */
export interface Channel {
  /** As the configuration calls it. */
  readonly name: string;
  readonly filter: AlertFilter;
  /** Ends when `signal` fires, at the latest; that is then the answer. */
  send(message: ChannelMessage, signal: AbortSignal): Promise<SendAnswer>;
}

/** What a channel is to say. */
export interface ChannelMessage extends Alert {
  /** The store, without credentials. */
  readonly store: string;
  /** The event's words and what to do about it, as one sentence. */
  readonly text: string;
  /** 1 for the first. */
  readonly attempt: number;
}

/** What came of a send. `said` is for logs: no URL, no secret. */
export type SendAnswer =
  | { readonly confirmed: true; readonly said: string }
  | {
      readonly confirmed: false;
      readonly said: string;
      /** How long the receiver asks to be left alone; null where it doesn't say. */
      readonly retryAfterMs: number | null;
    };
