import { createHmac } from 'node:crypto';

/**
 * `sha256=` and the HMAC-SHA256, in hexadecimal, of the timestamp as it stands in its header, a dot, and the body byte
 * for byte. With the timestamp inside, a request that somebody recorded can't be sent again later under a new one.
 */
export function signatureOf(secret: string, timestamp: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}
