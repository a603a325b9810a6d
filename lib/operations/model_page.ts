import { type FormatName, GatewayError } from "../canonical/mod.ts";
import type { ModelCard } from "../formats/models.ts";
import type { Call } from "../http/call.ts";

/** A page of a model list. */
export interface ModelPage {
  readonly cards: readonly ModelCard[];
  /** True if more models follow in the requested direction. */
  readonly hasMore: boolean;
}

/**
 * The page that a call requests with its format's parameters, of a list sorted by id; all without
 * any.
 */
export function pageOf({ codec, url }: Call, cards: readonly ModelCard[]): ModelPage {
  return pagers[codec.name](url.searchParams, cards);
}

type Pager = (query: URLSearchParams, cards: readonly ModelCard[]) => ModelPage;

const whole: Pager = (_, cards) => ({ cards, hasMore: false });

const pagers: Readonly<Record<FormatName, Pager>> = {
  "chat-completions": whole,
  responses: whole,
  messages: byNeighbours,
  "generate-content": byToken,
};

/**
 * Pages by sorted id, so that a page can continue after a model that has been removed meanwhile.
 */
function byNeighbours(query: URLSearchParams, cards: readonly ModelCard[]): ModelPage {
  const limit = countIn(query, "limit") ?? cards.length;
  const [after, before] = [query.get("after_id"), query.get("before_id")];
  if (before !== null && after === null) {
    const found = cards.filter(({ id }) => id < before);
    return { cards: found.slice(Math.max(0, found.length - limit)), hasMore: found.length > limit };
  }
  return first(limit, cards.filter(({ id }) => after === null || id > after));
}

function byToken(query: URLSearchParams, cards: readonly ModelCard[]): ModelPage {
  const limit = countIn(query, "pageSize") ?? cards.length;
  const token = query.get("pageToken") ?? "";
  const last = token === "" ? "" : lastOf(token);
  return first(limit, cards.filter(({ id }) => id > last));
}

function first(limit: number, cards: readonly ModelCard[]): ModelPage {
  return { cards: cards.slice(0, limit), hasMore: cards.length > limit };
}

/** The token of the next page; undefined on the last one. */
export function tokenAfter({ cards, hasMore }: ModelPage): string | undefined {
  const last = cards.at(-1);
  return hasMore && last ? base64url(last.id) : undefined;
}

function base64url(id: string): string {
  return new TextEncoder().encode(id).toBase64({ alphabet: "base64url", omitPadding: true });
}

function lastOf(token: string): string {
  try {
    const bytes = Uint8Array.fromBase64(token, { alphabet: "base64url" });
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw refused("pageToken", "must be the nextPageToken of the previous page", cause);
  }
}

/** The largest page size in the vendors' APIs. */
const pageRowsMax = 1_000;

function countIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= pageRowsMax) return count;
  throw refused(name, `must be a whole number from 1 to ${pageRowsMax}`);
}

function refused(param: string, words: string, cause?: unknown): GatewayError {
  return new GatewayError("invalid_request", `Cannot list models: ${param} ${words}`, {
    param,
    cause,
  });
}
