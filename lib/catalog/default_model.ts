import { type ModelPrices, priceInForce } from "../store/catalog/mod.ts";
import { catalogModel, catalogModels } from "./well_known.ts";
import { purposeOf } from "./purpose.ts";

/** A model that may be chosen. */
export interface Choosable {
  readonly id: string;
  /** In USD per million tokens; absent: as the catalog says. */
  readonly price?: { readonly input: number; readonly output: number };
}

/** How much more than the cheapest a newer model may cost to be chosen. */
const dearerMax = 3;

/**
 * The model that a first call asks wherever one is shown: for chat, priced, and the newest that the
 * catalog knows of those that cost hardly more than the cheapest. Undefined where there is none for
 * chat.
 */
export function defaultModel(models: readonly Choosable[], nowMs: number): string | undefined {
  const forChat = models.filter(({ id }) => purposeOf(id) === "chat");
  const priced = forChat.flatMap((model) => {
    const usd = costOf(model, nowMs);
    return usd === undefined ? [] : [{ id: model.id, usd, age: ageOf(model.id) }];
  });
  const most = dearerMax * Math.min(...priced.map(({ usd }) => usd));
  const [newest] = priced.filter(({ usd }) => usd <= most)
    .sort((a, b) => a.age - b.age || a.usd - b.usd || (a.id < b.id ? -1 : 1));
  return (newest ?? forChat[0])?.id;
}

function costOf({ id, price }: Choosable, nowMs: number): number | undefined {
  const listed: ModelPrices | undefined = catalogModel(id)?.price;
  const counted = price ?? (listed && priceInForce(listed, nowMs));
  return counted && counted.input + counted.output;
}

/** The catalog's vendors list their newest models first; what it does not know stands behind them. */
function ageOf(id: string): number {
  const known = catalogModel(id);
  return known ? placeOf.get(known.id) ?? Infinity : catalogModels.length;
}

const placeOf = new Map(catalogModels.map(({ id }, at) => [id, at]));
