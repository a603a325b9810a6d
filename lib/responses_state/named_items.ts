import { GatewayError, type JsonObject } from "../canonical/mod.ts";
import type { ChunkedText } from "../store/mod.ts";
import { getItemExchange, getStoredResponse, readExchanges } from "../store/responses/mod.ts";
import type { ResponsesDeps } from "./dependencies.ts";
import { type Exchange, exchangeIn, namedItems } from "./exchange.ts";
import { idCharsMax, type Owner, sealsIn } from "./history.ts";

/** A request's items with references resolved, and the upstream that made each seal. */
interface Resolved {
  readonly items: readonly JsonObject[];
  readonly seals: ReadonlyMap<string, string>;
  /** True if a stored item replaced a reference or a bare thought. */
  readonly changed: boolean;
}

/** Returns true if any item is a reference to a stored one, or a thought without its content. */
export function namesAny({ state }: Pick<Owner, "state">, items: readonly JsonObject[]): boolean {
  return items.some((item) => nameIn(state, item) !== undefined);
}

/**
 * Replaces references and bare thoughts with the stored items. Throws if the target of a reference
 * is not stored; a thought that is not stored is left unchanged.
 */
export async function resolvedItems(
  deps: ResponsesDeps,
  owner: Owner,
  items: readonly JsonObject[],
): Promise<Resolved> {
  if (!namesAny(owner, items)) return { items, seals: new Map(), changed: false };
  const { state } = owner;
  const finder = new ItemFinder(deps, owner);
  const newest = new Set(newestThoughts(owner, items));
  const found = await Promise.all(items.map(async (item) => {
    const reference = state.referenceIn(item);
    if (reference !== undefined) return await finder.find(reference) ?? notFound(reference);
    const thought = newest.has(item) ? state.bareThoughtIn(item) : undefined;
    const known = thought === undefined ? undefined : await finder.find(thought);
    return known && state.bareThoughtIn(known) === undefined ? known : item;
  }));
  return {
    items: found,
    seals: sealsIn(state, finder.exchanges),
    changed: found.some((item, place) => item !== items[place]),
  };
}

/**
 * The most thoughts looked up for one request, newest first: each may need a read of another
 * answer.
 */
const thoughtsFoundMax = 64;

function newestThoughts({ state }: Owner, items: readonly JsonObject[]): readonly JsonObject[] {
  return items.filter((item) => state.bareThoughtIn(item) !== undefined).slice(-thoughtsFoundMax);
}

function nameIn(state: Owner["state"], item: JsonObject): string | undefined {
  return state.referenceIn(item) ?? state.bareThoughtIn(item);
}

/** Finds stored items by their ids; each id and each exchange is read once. */
class ItemFinder {
  readonly #deps: ResponsesDeps;
  readonly #owner: Owner;
  readonly #items = new Map<string, Promise<JsonObject | undefined>>();
  readonly #exchanges = new Map<string, Promise<Exchange | undefined>>();
  readonly #found = new Set<Exchange>();
  readonly #named = new Map<Exchange, ReadonlyMap<string, JsonObject>>();

  constructor(deps: ResponsesDeps, owner: Owner) {
    this.#deps = deps;
    this.#owner = owner;
  }

  /** The exchanges in which items were found. */
  get exchanges(): readonly Exchange[] {
    return [...this.#found];
  }

  find(id: string): Promise<JsonObject | undefined> {
    const known = this.#items.get(id) ?? this.#read(id);
    this.#items.set(id, known);
    return known;
  }

  async #read(id: string): Promise<JsonObject | undefined> {
    const kept = await this.#exchangeOf(id);
    if (!kept) return undefined;
    const reading = this.#exchanges.get(kept.id) ?? this.#readExchange(kept);
    this.#exchanges.set(kept.id, reading);
    const exchange = await reading;
    if (!exchange) return undefined;
    const found = this.#namedIn(exchange, kept).get(id);
    if (found) this.#found.add(exchange);
    return found;
  }

  /** Indexes an exchange's items by id, the first of equal ids. Cached: a request may name many. */
  #namedIn(exchange: Exchange, kept: ChunkedText): ReadonlyMap<string, JsonObject> {
    const known = this.#named.get(exchange);
    if (known) return known;
    const items = namedItems(this.#owner.state, exchange, kept).toReversed();
    const named = new Map(items.map(({ id, item }) => [id, item]));
    this.#named.set(exchange, named);
    return named;
  }

  async #readExchange(kept: ChunkedText): Promise<Exchange | undefined> {
    const texts = await readExchanges(this.#deps.store, [kept]);
    return texts && exchangeIn(texts[0]);
  }

  async #exchangeOf(id: string): Promise<ChunkedText | undefined> {
    const { store, now } = this.#deps;
    const { accountId, state } = this.#owner;
    const answerId = state.answerOfItem(id);
    if (answerId === undefined) {
      return await getItemExchange(store, accountId, id.slice(0, idCharsMax));
    }
    const entry = await getStoredResponse(store, { accountId, id: answerId, nowMs: now() });
    return entry?.response.exchange;
  }
}

function notFound(id: string): never {
  throw new GatewayError(
    "item_not_found",
    `Item with id '${id.slice(0, idCharsMax)}' not found. Send the whole item`,
    { param: "input" },
  );
}
