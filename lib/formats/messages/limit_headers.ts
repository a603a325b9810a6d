import { limitHeadersIn, type LimitHeaderStyle } from "../limit_headers.ts";

/** `anthropic-ratelimit-requests-remaining`, and the time of a reset as `2026-11-21T23:00:00Z`. */
const style: LimitHeaderStyle = {
  name: (kind, fact) => `anthropic-ratelimit-${kind}-${fact}`,
  reset: (resetsAtMs) => wholeSecond(resetsAtMs),
};

export const limitHeaders = limitHeadersIn(style);

/** Rounds up to a whole second. */
function wholeSecond(atMs: number): string {
  return new Date(Math.ceil(atMs / 1_000) * 1_000).toISOString().replace(".000Z", "Z");
}
