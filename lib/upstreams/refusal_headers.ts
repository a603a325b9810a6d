/**
 * The lower-case headers of an upstream's refusal, with a `retry-after` date converted to seconds
 * (RFC 9110, 10.2.3), because codecs have no clock. The current time is the upstream's own `date`
 * if it sends one, so that a wrong clock there does no harm.
 */
export function refusalHeaders(
  headers: Headers,
  nowMs: number,
): Readonly<Record<string, string>> {
  const plain = Object.fromEntries(headers);
  const until = dateIn(plain["retry-after"]);
  if (until === undefined) return plain;
  const seconds = Math.max(0, Math.ceil((until - (dateIn(plain.date) ?? nowMs)) / 1000));
  return { ...plain, "retry-after": String(seconds) };
}

/** Parses an HTTP date, which begins with a weekday, to epoch milliseconds; else undefined. */
function dateIn(text: string | undefined): number | undefined {
  const ms = text !== undefined && /^\s*[A-Za-z]{3}/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
