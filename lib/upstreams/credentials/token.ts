import { objectIn } from "../../formats/wire_value.ts";
import { lacking } from "./ask.ts";
import type { Expiring } from "./renewed.ts";

/** Reads an access token and its end from the answer of a token service of Google or Microsoft. */
export function tokenIn(text: string, nowMs: number): Expiring<string> {
  const answer = objectIn(text);
  const token = answer?.access_token ?? answer?.accessToken;
  if (!isHeaderText(token)) throw lacking("a token");
  return { value: token, endsAtMs: endIn(answer ?? {}, nowMs) };
}

/** Returns true for a text that a header can carry as it is, such as a token or a key. */
export function isHeaderText(value: unknown): value is string {
  return typeof value === "string" && /^[\x21-\x7e]+$/.test(value);
}

/** Services without an end in their answer issue tokens for an hour. */
const usualSeconds = 3_600;

function endIn(
  { expires_in: seconds, expires_on: atSeconds, expireTime }: Readonly<Record<string, unknown>>,
  nowMs: number,
): number {
  if (typeof expireTime === "string") return endAt(expireTime);
  const endsAtMs = isNumeric(seconds) ? nowMs + Number(seconds) * 1_000 : Number(atSeconds) * 1_000;
  return Number.isNaN(endsAtMs) ? nowMs + usualSeconds * 1_000 : endsAtMs;
}

function isNumeric(value: unknown): boolean {
  return typeof value === "number" || typeof value === "string" && !Number.isNaN(Number(value));
}

/** The epoch milliseconds of an ISO time. */
export function endAt(time: string): number {
  const atMs = Date.parse(time);
  if (Number.isNaN(atMs)) throw lacking("the time of its end");
  return atMs;
}
