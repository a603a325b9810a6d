import { type ModelPrices, priceInForce } from "../store/catalog/mod.ts";
import { purposeOf } from "./purpose.ts";
import { catalogModel, catalogModels } from "./well_known.ts";

/** A model to choose from. */
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

/** The catalog lists each vendor's newest models first; unknown models come last. */
function ageOf(id: string): number {
  const known = catalogModel(id);
  return known ? placeOf.get(known.id) ?? Infinity : catalogModels.length;
}

const placeOf = new Map(catalogModels.map(({ id }, at) => [id, at]));
