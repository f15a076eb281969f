import type { ChannelMessage } from '../ports/channel.ts';

/** The JSON object of an alert: the body of a webhook and the line of a log. Its fields only grow. */
export function alertJson(message: ChannelMessage): string {
  const { alertId, eventId, store, at, kind, severity, lock, runId, holder, text, data, dedupKey, attempt } = message;
  return JSON.stringify({
    id: alertId,
    attempt,
    dedupKey,
    store,
    eventId,
    at,
    kind,
    severity,
    lock,
    runId,
    holder,
    message: message.message,
    text,
    data,
  });
}
