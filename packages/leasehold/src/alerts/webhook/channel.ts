import type { WebhookSpec } from '../../domain/channel-spec.ts';
import type { Channel, SendAnswer } from '../../ports/channel.ts';
import type { Clock } from '../../ports/clock.ts';
import { alertJson } from '../alert-json.ts';
import { post } from './post.ts';
import { retryAfterMs } from './retry-after.ts';
import { signatureOf } from './signature.ts';

/**
 * POSTs each alert as JSON. A 2xx in time is the only confirmation: after anything else nobody knows whether the
 * receiver has it, so it is sent again, with the same id in `Leasehold-Alert-Id`.
 *
 * Of the URL only its host is ever said: the rest may be a secret.
 */
export function webhookChannel(spec: WebhookSpec, clock: Clock): Channel {
  const url = new URL(spec.url);
  const { name, filter, secret } = spec;
  return {
    name,
    filter,
    async send(message, signal) {
      const body = alertJson(message);
      const timestamp = String(Math.floor(clock.read().wallMs / 1_000));
      const headers = {
        'Content-Type': 'application/json',
        'Content-Length': String(Buffer.byteLength(body)),
        'User-Agent': 'leasehold',
        'Leasehold-Alert-Id': message.alertId,
        'Leasehold-Timestamp': timestamp,
        ...(secret === null ? {} : { 'Leasehold-Signature': signatureOf(secret, timestamp, body) }),
      };
      try {
        const { status, retryAfter } = await post(url, headers, body, signal);
        if (status >= 200 && status <= 299) return { confirmed: true, said: `${url.host} answered ${status}` };
        const redirect = status >= 300 && status <= 399 ? ', and redirects are not followed' : '';
        return failed(`${url.host} answered ${status}${redirect}`, retryAfterMs(retryAfter, clock.read().wallMs));
      } catch (error) {
        return failed(signal.aborted ? `${url.host} did not answer in time` : `${url.host}: ${codeOf(error)}`, null);
      }
    },
  };
}

function failed(said: string, retryAfter: number | null): SendAnswer {
  return { confirmed: false, said, retryAfterMs: retryAfter };
}

/** Never the message of an error: it may quote the URL. */
function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  if (typeof code === 'string' && /^[\w-]{1,64}$/.test(code)) return code;
  return typeof name === 'string' && /^\w{1,64}$/.test(name) ? name : 'unknown error';
}
