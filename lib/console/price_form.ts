import { catalogModel } from "../catalog/mod.ts";
import {
  type AuditDraft,
  createModel,
  type Directory,
  getModel,
  isDated,
  type ModelPrice,
  priceInForce,
  type Store,
  updateModel,
} from "../store/mod.ts";
import { modelRows } from "./model_rows.ts";

export const priceFields = ["input", "output", "cachedInput", "cacheWrite", "request"] as const;
export type PriceField = typeof priceFields[number];
export type PriceValues = Readonly<Record<"model" | PriceField, string>>;
export type PriceFaults = Readonly<
  Partial<Record<"model" | PriceField, "model" | "fixed" | "price">>
>;

/** One model and the price that counts for it now. */
export interface PriceRow {
  readonly id: string;
  readonly source: "own" | "catalog" | "nobody" | "declared";
  /** In USD per million tokens, before any group's ratio. */
  readonly price?: ModelPrice;
  /** Whether there is more to it than the fields of the form. */
  readonly hasMore: boolean;
}

export function readPriceForm(form: URLSearchParams): PriceValues {
  const text = (name: string) => (form.get(name) ?? "").trim().slice(0, 300);
  return {
    model: text("model"),
    input: text("input"),
    output: text("output"),
    cachedInput: text("cachedInput"),
    cacheWrite: text("cacheWrite"),
    request: text("request"),
  };
}

const required: readonly PriceField[] = ["input", "output"];

/** The price that a form asks for, or which of its fields are at fault. */
export function priceOf(values: PriceValues): ModelPrice | PriceFaultsFound {
  const read = priceFields.map((field) => [field, readPrice(values[field])] as const);
  const faults = Object.fromEntries(
    read.filter(([field, amount]) =>
      amount === undefined && (values[field] !== "" || required.includes(field))
    ).map(([field]) => [field, "price" as const]),
  );
  const isModel = /^[^\s*]{1,200}$/.test(values.model);
  const all: PriceFaults = { ...(!isModel && { model: "model" as const }), ...faults };
  if (Object.keys(all).length > 0) return { faults: all };
  const amounts = Object.fromEntries(read.filter(([, amount]) => amount !== undefined));
  return { input: amounts.input ?? 0, output: amounts.output ?? 0, ...amounts };
}

export interface PriceFaultsFound {
  readonly faults: PriceFaults;
}

function readPrice(text: string): number | undefined {
  return /^\d{1,6}([.,]\d{1,9})?$/.test(text) ? Number(text.replace(",", ".")) : undefined;
}

/** Sets a model's price; false where the configuration declares the model. */
export async function setPrice(
  store: Store,
  id: string,
  { price, nowMs, audit }: {
    readonly price: ModelPrice;
    readonly nowMs: number;
    readonly audit?: AuditDraft;
  },
): Promise<boolean> {
  const current = await getModel(store, id);
  if (current?.origin === "config") return false;
  if (current) await updateModel(store, id, (model) => ({ ...model, price }), { audit });
  else await createModel(store, { id, price, createdAtMs: nowMs, origin: "console" }, { audit });
  return true;
}

/** Every model that somebody serves or that has a record, by name. */
export function priceRows(
  directory: Pick<Directory, "groups" | "models" | "upstreams">,
  nowMs: number,
): PriceRow[] {
  const served = modelRows(directory.groups(), directory, nowMs).map(({ id }) => id);
  const own = new Map(directory.models().map((model) => [model.id, model]));
  return [...new Set([...served, ...own.keys()])].sort().map((id) => {
    const model = own.get(id);
    const prices = model?.price ?? catalogModel(id)?.price;
    const price = prices && priceInForce(prices, nowMs);
    const source = !price
      ? "nobody"
      : !model?.price
      ? "catalog"
      : model.origin === "config"
      ? "declared"
      : "own";
    const hasMore = prices !== undefined &&
      (isDated(prices) || prices.tiers !== undefined || prices.hostedTools !== undefined);
    return { id, source, price, hasMore };
  });
}

/** A price in words, as the audit log keeps it. */
export function priceWords(price: ModelPrice | undefined): Record<string, string | undefined> {
  const words = (usd: number | undefined) => usd === undefined ? undefined : `$${usd}`;
  return {
    inputPrice: words(price?.input),
    outputPrice: words(price?.output),
    cacheReadPrice: words(price?.cachedInput),
    cacheWritePrice: words(price?.cacheWrite),
    requestPrice: words(price?.request),
  };
}
