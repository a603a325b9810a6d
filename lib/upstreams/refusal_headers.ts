/**
 * The headers of an upstream's refusal, lower-case, with a date in `retry-after` as seconds from now
 * (RFC 9110, 10.2.3): codecs know no clock. Now is what the upstream's own `date` says, where it says
 * it, so that its clock may be wrong.
 */
export function refusalHeaders(headers: Headers, nowMs: number): Readonly<Record<string, string>> {
  const plain = Object.fromEntries(headers);
  const until = dateIn(plain["retry-after"]);
  if (until === undefined) return plain;
  const seconds = Math.max(0, Math.ceil((until - (dateIn(plain.date) ?? nowMs)) / 1000));
  return { ...plain, "retry-after": String(seconds) };
}

/** Milliseconds since the epoch; undefined for what is no HTTP date, all of which begin with the day's name. */
function dateIn(text: string | undefined): number | undefined {
  const ms = text !== undefined && /^\s*[A-Za-z]{3}/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
