import { catalogModel } from "../../catalog/mod.ts";
import {
  createModel,
  type DatedModelPrice,
  deleteModel,
  getModel,
  isDated,
  type Model,
  type ModelPrice,
  type ModelPrices,
  type OffPeakPrice,
  priceInForce,
  type ServiceTierPrice,
  type TokenRates,
  updateModel,
} from "../../store/catalog/mod.ts";
import { type AuditContext, auditEntry, type AuditFacts, changesBetween } from "../audit.ts";
import { type RateName, rateNames } from "./price_form.ts";

/** A price and its start; without a start, it applies from the next call on. */
export interface AskedPrice {
  readonly price: ModelPrice;
  readonly fromMs?: number;
}

/** The context of a change, which may refuse the record that it replaces by throwing. */
interface PriceContext extends AuditContext {
  readonly check?: (id: string, current: Model | undefined) => void;
}

/** The model's own prices before and after a change. */
export interface PriceChange {
  readonly before: ModelPrices | undefined;
  readonly after: ModelPrices;
}

/**
 * Sets a model's price and adds an audit entry in the same commit. Returns undefined if the
 * configuration declares the model. A price with a later start keeps the current price until then:
 * the model's own, or the catalog's.
 */
export async function setPrice(
  id: string,
  asked: AskedPrice,
  ctx: PriceContext,
): Promise<PriceChange | undefined> {
  const { services: { store }, nowMs } = ctx.state;
  const current = await getModel(store, id);
  if (current?.origin === "config") return undefined;
  const changeOf = (model: Model) => ({
    before: model.price,
    after: priceAfter(model, asked, nowMs),
  });
  const fresh: Model = { id, createdAtMs: nowMs, origin: "console" };
  let made = changeOf(current ?? fresh);
  ctx.check?.(id, current);
  const change = (model: Model) => {
    ctx.check?.(id, model);
    made = changeOf(model);
    return { ...model, price: made.after };
  };
  const audit = (stored: Model) => setEntry(stored, asked, ctx);
  if (current) await updateModel(store, id, change, { audit });
  else await createModel(store, { ...fresh, price: made.after }, { audit: audit(fresh) });
  return made;
}

function priceAfter({ id, price }: Model, asked: AskedPrice, nowMs: number): ModelPrices {
  const later = asked.fromMs !== undefined && asked.fromMs > nowMs;
  const before = price ?? (later ? catalogModel(id)?.price : undefined);
  return withPrice(before, { ...asked, nowMs });
}

/**
 * Deletes a model's own price, or only the one that starts at `from`; with none left, the catalog's
 * applies. Returns false if the model has no such price or the configuration declares it.
 */
export async function deletePrice(
  id: string,
  { from }: { readonly from?: string },
  ctx: PriceContext,
): Promise<boolean> {
  const { services: { store }, nowMs } = ctx.state;
  const current = await getModel(store, id);
  if (!current?.price || current.origin === "config") return false;
  ctx.check?.(id, current);
  const starts = scheduleOf(current.price).map((one) => one.from);
  if (from !== undefined && !starts.includes(from)) return false;
  const left = from === undefined ? undefined : withoutPrice(current.price, from);
  const before = inForce(current.price, nowMs);
  const after = inForce(left ?? catalogModel(id)?.price, nowMs);
  const words = { ...priceWords(before), priceFrom: from, priceSource: "own" };
  const source = left ? "own" : after ? "catalog" : "nobody";
  const changes = changesBetween(words, { ...priceWords(after), priceSource: source });
  const audit = auditEntry(ctx, { ...factsOf(id), action: "changed", changes });
  if (left === undefined && isBare(current)) {
    const checked = (model: Model) => {
      ctx.check?.(id, model);
      return audit;
    };
    return await deleteModel(store, id, { audit: checked });
  }
  const change = (model: Model) => {
    ctx.check?.(id, model);
    return priced(model, from && model.price ? withoutPrice(model.price, from) : undefined);
  };
  return await updateModel(store, id, change, { audit }) !== undefined;
}

/** The model with this price, or without a price of its own. */
export function priced({ price: _, ...model }: Model, price: ModelPrices | undefined): Model {
  return { ...model, ...(price && { price }) };
}

/** True for a record that holds nothing but a price. */
export function isBare(
  { displayName, ownedBy, contextWindow, maxOutputTokens, members }: Model,
): boolean {
  return [displayName, ownedBy, contextWindow, maxOutputTokens, members]
    .every((one) => one === undefined);
}

function inForce(prices: ModelPrices | undefined, nowMs: number): ModelPrice | undefined {
  return prices && priceInForce(prices, nowMs);
}

function factsOf(id: string): AuditFacts {
  return { kind: "model", action: "changed", targetId: id, targetName: id };
}

function setEntry({ id, price: own }: Model, { price, fromMs }: AskedPrice, ctx: AuditContext) {
  const before = inForce(own ?? catalogModel(id)?.price, ctx.state.nowMs);
  const from = fromMs === undefined ? {} : { priceFrom: momentText(fromMs) };
  const changes = changesBetween(priceWords(before), { ...priceWords(price), ...from });
  return changes.length === 0 ? undefined : auditEntry(ctx, { ...factsOf(id), changes });
}

/** The field name of each rate in the audit log. */
const wordNames = {
  input: "inputPrice",
  output: "outputPrice",
  cachedInput: "cacheReadPrice",
  cacheWrite: "cacheWritePrice",
  cacheWrite1h: "cacheWrite1hPrice",
  cacheWrite12h: "cacheWrite12hPrice",
  reasoning: "reasoningPrice",
  audioInput: "audioInputPrice",
  audioOutput: "audioOutputPrice",
  imageInput: "imageInputPrice",
  imageOutput: "imageOutputPrice",
} as const satisfies Record<RateName, string>;

/** A price in words, as the audit log keeps it. */
export function priceWords(price: ModelPrice | undefined): Record<string, string | undefined> {
  const { request, hostedTools = {}, tiers = [], serviceTiers = {}, regions = {}, offPeak } =
    price ?? {};
  const services = Object.entries(serviceTiers).map(([name, tier = {}]) =>
    `${name}: ${serviceWords(tier)}`
  );
  const places = Object.entries(regions).map(([name, factor]) => `${name}: × ${factor}`);
  const tools = Object.entries(hostedTools).map(([kind, usd]) => `${kind} $${usd}`);
  return {
    ...Object.fromEntries(rateNames.map((name) => [wordNames[name], words(price?.[name])])),
    requestPrice: words(request),
    toolPrices: tools.length > 0 ? tools.join(", ") : undefined,
    tierPrices: tiers.length > 0 ? tiers.map(tierWords).join("; ") : undefined,
    serviceTierPrices: services.length > 0 ? services.join("; ") : undefined,
    regionPrices: places.length > 0 ? places.join("; ") : undefined,
    offPeakPrices: offPeak && offPeakWords(offPeak),
  };
}

function tierWords({ aboveInputTokens, ...rates }: Partial<TokenRates> & {
  readonly aboveInputTokens: number;
}): string {
  return `> ${aboveInputTokens}: ${rateWords(rates).join(", ")}`;
}

function offPeakWords({ times, ...rates }: OffPeakPrice): string {
  const when = times.map(({ days, hours }) => `${days.join(",")} ${hours.join(", ")}`);
  return `${serviceWords(rates)}: ${when.join("; ")}`;
}

function serviceWords({ factor, ...rates }: ServiceTierPrice): string {
  return [...(factor === undefined ? [] : [`× ${factor}`]), ...rateWords(rates)].join(", ");
}

function rateWords(rates: Partial<TokenRates>): string[] {
  return rateNames.flatMap((name) => rates[name] === undefined ? [] : [`${name} $${rates[name]}`]);
}

function words(usd: number | undefined): string | undefined {
  return usd === undefined ? undefined : `$${usd}`;
}

/** Maximum number of prices stored for a model; the oldest are dropped. */
const pricesMax = 50;
const everMs = 0;

/** The prices in order of their start; one without a date has no lower bound. */
export function scheduleOf(prices: ModelPrices | undefined): readonly DatedModelPrice[] {
  if (prices === undefined) return [];
  if (!isDated(prices)) return [{ ...prices, from: momentText(everMs) }];
  return prices.toSorted((a, b) => Date.parse(a.from) - Date.parse(b.from));
}

/**
 * Adds a price that starts at `fromMs`. Without `fromMs` it applies at once: it replaces a price
 * without dates, and is inserted at the current time in a schedule.
 */
export function withPrice(
  prices: ModelPrices | undefined,
  { price, fromMs, nowMs }: {
    readonly price: ModelPrice;
    readonly fromMs?: number;
    readonly nowMs: number;
  },
): ModelPrices {
  if (fromMs === undefined && (prices === undefined || !isDated(prices))) return price;
  const from = momentText(fromMs ?? nowMs);
  const others = scheduleOf(prices).filter((one) => Date.parse(one.from) !== Date.parse(from));
  return scheduleOf([...others, { ...price, from }]).slice(-pricesMax);
}

/** Removes the price that starts at `from`; undefined if none is left. */
function withoutPrice(prices: ModelPrices, from: string): ModelPrices | undefined {
  const left = scheduleOf(prices).filter((one) => one.from !== from);
  return left.length === 0 ? undefined : left;
}

export function momentText(atMs: number): string {
  return new Date(atMs).toISOString().replace(".000Z", "Z");
}
