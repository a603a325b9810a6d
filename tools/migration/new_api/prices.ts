import { catalogModel } from "../../../lib/catalog/mod.ts";
import { isDated, type Model, type ModelPrice } from "../../../lib/store/catalog/mod.ts";
import type { Options } from "./options.ts";

/** USD per million tokens for a ratio of 1. */
const usdPerRatio = 2;

/** Records with the prices of the models; a model without a ratio keeps the catalog's price. */
export function pricedModels(
  ids: readonly string[],
  options: Options,
  createdAtMs: number,
): readonly Model[] {
  return ids.flatMap((id): Model[] => {
    const price = priceOf(id, options);
    return price === undefined ? [] : [{ id, price, createdAtMs, origin: "console" }];
  });
}

function priceOf(id: string, options: Options): ModelPrice | undefined {
  const perCall = options.modelPrice.get(id);
  if (perCall !== undefined) return { input: 0, output: 0, request: rounded(perCall) };
  const ratio = options.modelRatio.get(id);
  if (ratio === undefined) return undefined;
  const input = rounded(ratio * usdPerRatio);
  return {
    input,
    output: rounded(input * (options.completionRatio.get(id) ?? usualCompletionRatio(id))),
    ...factored("cachedInput", input, options.cacheRatio.get(id)),
    ...factored("cacheWrite", input, options.createCacheRatio.get(id)),
    ...factored("imageInput", input, options.imageRatio.get(id)),
    ...audioRates(id, input, options),
  };
}

function audioRates(id: string, input: number, options: Options): Partial<ModelPrice> {
  const ratio = options.audioRatio.get(id);
  if (ratio === undefined) return {};
  const audioInput = rounded(input * ratio);
  const output = options.audioCompletionRatio.get(id);
  return { audioInput, ...factored("audioOutput", audioInput, output) };
}

function factored(
  name: keyof ModelPrice,
  rate: number,
  factor: number | undefined,
): Partial<ModelPrice> {
  return factor === undefined ? {} : { [name]: rounded(rate * factor) };
}

/** new-api has built-in ratios for well-known models; the catalog knows the vendors' own. */
function usualCompletionRatio(id: string): number {
  const price = catalogModel(id)?.price;
  if (!price || isDated(price) || price.input === 0) return 1;
  return price.output / price.input;
}

/** Without the noise of floating point. */
function rounded(usd: number): number {
  return Number(usd.toPrecision(12));
}
