import { GatewayError, type JsonObject } from "../canonical/mod.ts";
import type { StateCodec } from "../formats/state_codec.ts";
import type { NamedItem } from "./exchange.ts";

/** The part of a list that a caller requests. */
export interface ItemQuery {
  readonly limit: number;
  readonly order: "asc" | "desc";
  /** The id of the last item that the caller received. */
  readonly after?: string;
}

const limitMax = 100;
const limitDefault = 20;

/** Reads `limit`, `order` and `after`. Throws `invalid_request`. */
export function itemQueryOf({ searchParams }: URL): ItemQuery {
  const limit = Number(searchParams.get("limit") ?? limitDefault);
  if (!Number.isInteger(limit) || limit < 1 || limit > limitMax) {
    throw refused("limit", `must be a whole number from 1 to ${limitMax}`);
  }
  const order = searchParams.get("order") ?? "desc";
  if (order !== "asc" && order !== "desc") throw refused("order", "must be asc or desc");
  const after = searchParams.get("after");
  return { limit, order, ...(after !== null && after !== "" && { after }) };
}

/** A part of a list in the requested order; `hasMore` is true if more entries follow. */
export interface ListPart<Entry> {
  readonly entries: readonly Entry[];
  readonly hasMore: boolean;
}

/** Returns the requested part of a list. Throws `item_not_found` if `after` is not in the list. */
export function listPart<Entry extends { readonly id: string }>(
  entries: readonly Entry[],
  { limit, order, after }: ItemQuery,
): ListPart<Entry> {
  const ordered = order === "asc" ? entries : entries.toReversed();
  const from = after === undefined ? 0 : ordered.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && from === 0) throw noSuchItem(after);
  return { entries: ordered.slice(from, from + limit), hasMore: from + limit < ordered.length };
}

/** Encodes a part of a list of items in the format. */
export function listBody(
  state: StateCodec,
  { entries, hasMore }: ListPart<NamedItem>,
): JsonObject {
  return {
    object: "list",
    data: entries.map(({ item, id }) => state.listed(item, id)),
    first_id: entries[0]?.id ?? null,
    last_id: entries.at(-1)?.id ?? null,
    has_more: hasMore,
  };
}

export function noSuchItem(id: string): GatewayError {
  return new GatewayError("item_not_found", `Item with id '${id.slice(0, 100)}' not found`);
}

function refused(param: string, problem: string): GatewayError {
  return new GatewayError("invalid_request", `Cannot read the query: ${param} ${problem}`, {
    param,
  });
}
