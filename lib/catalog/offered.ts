import {
  type Model,
  type ModelPrices,
  priceInForce,
  servesGroup,
  type UpstreamList,
  type UpstreamRecord,
} from "../store/catalog/mod.ts";
import { patternMatcher } from "../store/mod.ts";
import { purposeOf } from "./capability.ts";
import { catalogModel, catalogPlace } from "./well_known.ts";

/** The sources of model names. */
export interface NameSources {
  upstreams(): readonly UpstreamRecord[];
  /** Model lists of the upstreams, by upstream id. */
  upstreamLists(): ReadonlyMap<string, UpstreamList>;
  /** The operator's records of models. */
  models(): readonly Pick<Model, "id" | "members">[];
}

/**
 * The public names of an upstream, each once: its configured names, and for a pattern the names
 * that it lists itself, else the operator's own names. The catalog adds none: it knows the vendors'
 * models, not this upstream's.
 */
export function offeredNames(
  { id: upstreamId, models }: Pick<UpstreamRecord, "id" | "models">,
  sources: Pick<NameSources, "models" | "upstreamLists">,
): string[] {
  const listed = sources.upstreamLists().get(upstreamId)?.models;
  const names = models.flatMap(({ id, upstreamModel }) => {
    if (!id.includes("*")) return [id];
    const own = upstreamModel === undefined ? listed : undefined; // with a mapping, the upstream's own names are not public
    return (own ?? sources.models()).map((one) => one.id).filter(patternMatcher(id));
  });
  return [...new Set(names)];
}

/**
 * The public names that enabled upstreams serve to a group, and the virtual models with such a
 * member, each once.
 */
export function namesForGroup(groupId: string, sources: NameSources): string[] {
  const served = new Set(
    sources.upstreams()
      .filter((upstream) => upstream.enabled && servesGroup(upstream, groupId))
      .flatMap((upstream) => offeredNames(upstream, sources)),
  );
  const virtual = sources.models().filter(({ members }) =>
    members?.some(({ model }) => served.has(model))
  );
  return [...new Set([...served, ...virtual.map(({ id }) => id)])];
}

interface Choosable {
  readonly id: string;
  /** In USD per million tokens; default: the catalog's price. */
  readonly price?: { readonly input: number; readonly output: number };
}

/** Maximum price of a newer model, as a multiple of the cheapest that costs something. */
const dearerMax = 3;

/**
 * The default model of a first call: a chat model with a price, the newest in the catalog of those
 * that cost little more than the cheapest. Undefined without a chat model.
 */
export function defaultModel(models: readonly Choosable[], nowMs: number): string | undefined {
  const forChat = models.filter(({ id }) => purposeOf(id) === "chat");
  const priced = forChat.flatMap((model) => {
    const usd = costOf(model, nowMs);
    return usd === undefined ? [] : [{ id: model.id, usd, age: ageOf(model.id) }];
  });
  const paid = priced.filter(({ usd }) => usd > 0);
  const choosable = paid.length > 0 ? paid : priced; // free ones are often limited previews
  const most = dearerMax * Math.min(...choosable.map(({ usd }) => usd));
  const [newest] = choosable.filter(({ usd }) => usd <= most)
    .sort((a, b) => a.age - b.age || a.usd - b.usd || (a.id < b.id ? -1 : 1));
  return (newest ?? forChat[0])?.id;
}

function costOf({ id, price }: Choosable, nowMs: number): number | undefined {
  const listed: ModelPrices | undefined = catalogModel(id)?.price;
  const counted = price ?? (listed && priceInForce(listed, nowMs));
  return counted && counted.input + counted.output;
}

/** Unknown models come last. */
function ageOf(id: string): number {
  const known = catalogModel(id);
  return known ? catalogPlace(known) : Number.MAX_SAFE_INTEGER;
}
