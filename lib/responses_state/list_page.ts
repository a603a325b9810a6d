import { GatewayError, type JsonObject } from "../canonical/mod.ts";
import type { StateCodec } from "../formats/state_codec.ts";
import type { NamedItem } from "./exchange.ts";

/** Which part of a list is asked for. */
export interface ListQuery {
  readonly limit: number;
  readonly order: "asc" | "desc";
  /** The id of the last item that the caller has. */
  readonly after?: string;
}

const limitMax = 100;
const limitDefault = 20;

/** Reads `limit`, `order` and `after`. Throws `invalid_request`. */
export function listQueryOf({ searchParams }: URL): ListQuery {
  const limit = Number(searchParams.get("limit") ?? limitDefault);
  if (!Number.isInteger(limit) || limit < 1 || limit > limitMax) {
    throw refused("limit", `must be a whole number from 1 to ${limitMax}`);
  }
  const order = searchParams.get("order") ?? "desc";
  if (order !== "asc" && order !== "desc") throw refused("order", "must be asc or desc");
  const after = searchParams.get("after");
  return { limit, order, ...(after !== null && after !== "" && { after }) };
}

/** A page of items as a list of the format. Throws `item_not_found` where `after` names none. */
export function listPage(
  state: StateCodec,
  items: readonly NamedItem[],
  { limit, order, after }: ListQuery,
): JsonObject {
  const ordered = order === "asc" ? items : items.toReversed();
  const from = after === undefined ? 0 : ordered.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && from === 0) throw noSuchItem(after);
  const page = ordered.slice(from, from + limit);
  return {
    object: "list",
    data: page.map(({ item, id }) => state.listed(item, id)),
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
    has_more: from + limit < ordered.length,
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
