/**
 * A provider that sends mail, over real HTTP, in the words of Postmark's API: `POST /email`, and the search
 * `GET /messages/outbound` by a metadata field. It recognises no key: whatever it accepts twice is sent twice. It counts
 * by itself what it has sent, so that the verdict is the target's and not the sender's.
 *
 * What it does to a request is drawn from a seed: accept it, accept it and cut the connection, take it late, refuse it.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** What may go wrong; shares of 1. What is left is accepted and answered. */
export interface MailFaults {
  /** Sent, and the connection is cut before the answer. */
  readonly lostAnswers?: number;
  /** The connection is cut first, and the mail goes out `commitDelayMs` later. */
  readonly lateEffects?: number;
  /** 503 without an effect. */
  readonly unavailable?: number;
  /** How long an answer takes, in ms. */
  readonly answerMs?: number;
  readonly commitDelayMs?: number;
  /** Until a mail shows in the search. */
  readonly visibilityDelayMs?: number;
}

interface SentMail {
  readonly messageId: string;
  readonly record: string;
  readonly effectKey: string;
  readonly sentAt: number;
}

interface MailRequest {
  readonly To?: string;
  readonly Metadata?: Readonly<Record<string, string>>;
}

export class MailProvider implements AsyncDisposable {
  readonly sent: SentMail[] = [];
  requests = 0;
  lookups = 0;
  readonly #faults: MailFaults;
  readonly #random: () => number;
  readonly #server: Server;

  private constructor(faults: MailFaults, random: () => number) {
    this.#faults = faults;
    this.#random = random;
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async open(faults: MailFaults = {}, random: () => number = Math.random): Promise<MailProvider> {
    const provider = new MailProvider(faults, random);
    await new Promise<void>((resolve) => provider.#server.listen(0, '127.0.0.1', resolve));
    return provider;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** How many mails went out for each record. */
  counts(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { record } of this.sent) counts.set(record, (counts.get(record) ?? 0) + 1);
    return counts;
  }

  /** The records for which more than one mail went out. */
  doubled(): string[] {
    return [...this.counts()].filter(([, count]) => count > 1).map(([record]) => record);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = new URL(request.url ?? '/', 'http://provider');
      if (request.method === 'POST' && url.pathname === '/email') await this.#take(request, response);
      else if (url.pathname === '/messages/outbound') this.#search(url, response);
      else response.writeHead(404).end();
    } catch {
      // Its sender was killed in the middle of the request.
      response.destroy();
    }
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const mail = (await json(request)) as MailRequest;
    this.requests += 1;
    const { lostAnswers = 0, lateEffects = 0, unavailable = 0, answerMs = 0, commitDelayMs = 0 } = this.#faults;
    const drawn = this.#random();
    if (drawn < unavailable) return void response.writeHead(503).end();
    if (drawn < unavailable + lateEffects) {
      response.destroy();
      await sleep(commitDelayMs);
      this.#send(mail);
      return;
    }
    const messageId = this.#send(mail);
    if (drawn < unavailable + lateEffects + lostAnswers) return void response.destroy();
    if (answerMs > 0) await sleep(answerMs);
    this.#answer(response, {
      To: mail.To,
      SubmittedAt: new Date().toISOString(),
      MessageID: messageId,
      ErrorCode: 0,
      Message: 'OK',
    });
  }

  #send({ Metadata = {} }: MailRequest): string {
    const messageId = randomUUID();
    const { record = '', effect_key: effectKey = '' } = Metadata;
    this.sent.push({ messageId, record, effectKey, sentAt: performance.now() });
    return messageId;
  }

  #search(url: URL, response: ServerResponse): void {
    this.lookups += 1;
    const key = url.searchParams.get('metadata_effect_key');
    const visibleAt = performance.now() - (this.#faults.visibilityDelayMs ?? 0);
    const found = this.sent.filter((mail) => mail.effectKey === key && mail.sentAt <= visibleAt);
    const messages = found.map(({ messageId, record }) => ({
      MessageID: messageId,
      Status: 'Sent',
      Metadata: { record },
    }));
    this.#answer(response, { TotalCount: messages.length, Messages: messages });
  }

  #answer(response: ServerResponse, body: unknown): void {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }
}
