import { isJsonObject, type JsonObject } from "../canonical/mod.ts";
import { memberText, withMember, withMembers } from "../json/mod.ts";
import type { ServerSentEvent } from "./wire.ts";
import { restOf } from "./wire_value.ts";

/**
 * The members of a usage object in which an upstream states its price (OpenRouter, xAI; 2026-11). It
 * is the operator's: callers never see it.
 */
export const priceMembers: readonly string[] = [
  "cost",
  "cost_details",
  "cost_in_usd_ticks",
  "is_byok",
];
const noPrice = Object.fromEntries(priceMembers.map((name) => [name, undefined]));
/** The members of an answer or an event that may hold the usage, if it is not at the top. */
const holders = ["response", "message"];

/**
 * The JSON text of an answer or an event without a stated price; the same text if it has none.
 * OpenRouter writes white space before an answer that takes long (2026-11).
 */
export function withoutPrice(text: string): string {
  const mayState = text.includes('"cost') && text.includes('"usage"') && /^\s*\{/.test(text);
  if (!mayState) return text;
  return holders.reduce((left, name) => {
    const inner = memberText(left, name);
    return inner?.startsWith("{") ? withMember(left, name, withoutOwnPrice(inner)) : left;
  }, withoutOwnPrice(text));
}

/** An event without a stated price; the same event if it has none. */
export function eventWithoutPrice(event: ServerSentEvent): ServerSentEvent {
  const data = withoutPrice(event.data);
  return data === event.data ? event : { ...event, data };
}

function withoutOwnPrice(text: string): string {
  const usage = memberText(text, "usage");
  if (!usage?.startsWith("{") || !usage.includes('"cost')) return text;
  return withMember(text, "usage", withMembers(usage, noPrice));
}

/** Returns true if an upstream stated its price in an answer's object. */
export function statesPrice({ usage }: JsonObject): boolean {
  return isJsonObject(usage) && priceMembers.some((name) => usage[name] !== undefined);
}

/** A whole answer's object without its stated price. */
export function bodyWithoutPrice(body: JsonObject): JsonObject {
  return isJsonObject(body.usage) ? { ...body, usage: restOf(body.usage, priceMembers) } : body;
}
