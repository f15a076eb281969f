/** How long a `Retry-After` asks to wait, in seconds or until a date; null where it says nothing that makes sense. */
export function retryAfterMs(header: string | null, wallMs: number): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const untilMs = Date.parse(header) - wallMs;
  return Number.isNaN(untilMs) || untilMs <= 0 ? null : Math.ceil(untilMs);
}
