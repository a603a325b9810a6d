import { z } from "zod";
import { hostedToolKinds } from "../canonical/mod.ts";
import { listOf, must, positiveInteger, strict, time, usdAmount, usdPerMillion } from "./fields.ts";

const optionalRates = {
  cachedInput: usdPerMillion.optional().describe("Read from a cache; absent: as input"),
  cacheWrite: usdPerMillion.optional().describe("Kept five minutes; absent: as input"),
  cacheWrite1h: usdPerMillion.optional().describe("Kept an hour; absent: as cacheWrite"),
  reasoning: usdPerMillion.optional().describe("Absent: as output"),
  audioInput: usdPerMillion.optional().describe("Absent: as input"),
  audioOutput: usdPerMillion.optional().describe("Absent: as output"),
  imageInput: usdPerMillion.optional().describe("Absent: as input"),
  imageOutput: usdPerMillion.optional().describe("Absent: as output"),
};

const rateOfTier = usdPerMillion.optional().describe("Absent: as in the price itself");

const tierSchema = strict({
  aboveInputTokens: positiveInteger
    .describe("It counts for the whole call where the prompt has more tokens than this"),
  input: rateOfTier,
  output: rateOfTier,
  cachedInput: rateOfTier,
  cacheWrite: rateOfTier,
  cacheWrite1h: rateOfTier,
  reasoning: rateOfTier,
  audioInput: rateOfTier,
  audioOutput: rateOfTier,
  imageInput: rateOfTier,
  imageOutput: rateOfTier,
});

const price = {
  input: usdPerMillion,
  output: usdPerMillion,
  ...optionalRates,
  request: usdAmount.optional().describe("USD for each call"),
  hostedTools: strict(
    Object.fromEntries(hostedToolKinds.map((kind) => [kind, usdAmount.optional()])),
  ).optional().describe("USD per 1,000 calls of tools that the vendor runs, by kind"),
  tiers: listOf(tierSchema, "tiers").refine(haveOwnBounds, must("tiers of different lengths"))
    .optional().describe("Other prices for long prompts"),
};

const datedPriceSchema = strict({ from: time.describe("When it begins to count"), ...price });

/** A model's price in USD per million tokens, or a list of prices with the times at which they begin. */
export const priceSchema = z.union([
  strict(price),
  listOf(datedPriceSchema, "prices with from").refine(
    (prices) => prices.length > 0,
    must("a list of at least one price"),
  ),
], must("a price, or a list of prices with from"));

function haveOwnBounds(tiers: readonly { readonly aboveInputTokens: number }[]): boolean {
  return new Set(tiers.map(({ aboveInputTokens }) => aboveInputTokens)).size === tiers.length;
}
