import { isJsonObject, type JsonObject } from "../../canonical/mod.ts";
import { findIn, isListIn, type ReadText, withReadMember } from "../../json/mod.ts";
import type { Envelope } from "../codec.ts";
import { refused } from "../schema.ts";

/** The model that a body names. Throws `invalid_request` if it names none. */
export function modelIn({ model }: JsonObject): string {
  if (typeof model === "string" && model !== "") return model;
  throw refused("model", "must be a non-empty string");
}

/** Larger numbers limit nothing, and the product must stay an exact integer. */
const outputTokensMax = 1_000_000_000;
const alternativesMax = 1_000_000;

/**
 * The maximum length and number of answers that a caller requests; to be spread into an envelope.
 * `limits` and `alternatives` hold the values of all aliases: the largest counts, since an upstream
 * may read any of them. Values other than positive numbers count as absent; `decodeRequest` refuses
 * them.
 */
export function answerBounds(
  limits: readonly unknown[],
  alternatives: readonly unknown[] = [],
): Pick<Envelope, "maxOutputTokens" | "alternatives"> {
  const limit = largestOf(limits);
  return {
    maxOutputTokens: limit === undefined ? undefined : Math.min(limit, outputTokensMax),
    alternatives: Math.min(largestOf(alternatives) ?? 1, alternativesMax),
  };
}

/** A stated reasoning budget; undefined if reasoning is off or unlimited. */
export function thinkingBound(budgets: readonly unknown[]): number | undefined {
  const budget = largestOf(budgets);
  return budget === undefined ? undefined : Math.min(budget, outputTokensMax);
}

function largestOf(values: readonly unknown[]): number | undefined {
  let largest: number | undefined;
  for (let at = 0; at < values.length; at++) {
    const count = countIn(values[at]);
    if (count !== undefined && (largest === undefined || count > largest)) largest = count;
  }
  return largest;
}

/** Lenient readers accept a number in quotes, so it counts as a limit, too. */
function countIn(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && number > 0 ? Math.ceil(number) : undefined;
}

const conversationCharsMax = 2000;

/**
 * The value that the turns of one conversation share: the caller's own cache or session key, else
 * the start of the first user turn. Used to stay on one upstream, never shown or stored. `member`
 * is the name of the turns in the body.
 */
export function conversationOf(key: unknown, body: JsonObject, member: string): string | undefined {
  if (typeof key === "string" && key !== "") return key;
  const first = isListIn(body, member) ? findIn(body, member, isUserTurn) : body[member];
  if (typeof first === "string") return first.slice(0, conversationCharsMax);
  if (!isJsonObject(first)) return undefined;
  const words = first.content ?? first.parts;
  return (typeof words === "string" ? words : JSON.stringify(words))?.slice(
    0,
    conversationCharsMax,
  );
}

function isUserTurn(turn: unknown): boolean {
  return isJsonObject(turn) && (turn.role === "user" || turn.role === undefined);
}

/**
 * Sets a limit under every name that states one, else under `unstated`; keeps every other byte of
 * the text.
 */
export function withLimit(
  read: ReadText,
  names: { readonly all: readonly string[]; readonly unstated: string },
  limit: number,
): ReadText {
  const { body } = read;
  const stated = names.all.filter((name) => body[name] !== undefined && body[name] !== null);
  const set = stated.length > 0 ? stated : [names.unstated];
  return set.reduce((changed, name) => withReadMember(changed, name, { value: limit }), read);
}
