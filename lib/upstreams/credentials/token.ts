import { jsonIn, lacking } from "./ask.ts";
import type { Expiring } from "./renewed.ts";

/** Reads an access token and its end from the answer of a token service of Google or Microsoft. */
export function tokenIn(text: string, nowMs: number): Expiring<string> {
  const answer = jsonIn(text);
  const token = answer?.access_token ?? answer?.accessToken;
  if (typeof token !== "string" || token === "") throw lacking("a token");
  return { value: token, endsAtMs: endIn(answer ?? {}, nowMs) };
}

/** Services without an end in their answer issue tokens for an hour. */
const usualSeconds = 3_600;

function endIn(
  { expires_in: seconds, expires_on: atSeconds, expireTime }: Readonly<Record<string, unknown>>,
  nowMs: number,
): number {
  if (typeof expireTime === "string") return endAt(expireTime);
  if (seconds !== undefined) return nowMs + Number(seconds) * 1_000;
  return atSeconds !== undefined ? Number(atSeconds) * 1_000 : nowMs + usualSeconds * 1_000;
}

/** The epoch milliseconds of an ISO time. */
export function endAt(time: string): number {
  const atMs = Date.parse(time);
  if (Number.isNaN(atMs)) throw lacking("the time of its end");
  return atMs;
}
