import { z } from "zod";
import { hostedToolKinds, serviceTierOf } from "../canonical/mod.ts";
import type { UpstreamCostTerms } from "../store/catalog/mod.ts";
import {
  fieldListOf,
  must,
  positiveInteger,
  strict,
  time,
  usdAmount,
  usdPerMillion,
} from "./fields.ts";

const factorText = "a number above 0, at most 100";
const nameText = "a name such as fast";
const name = z.string(must(nameText)).regex(/^[a-z0-9][a-z0-9_-]{0,31}$/, must(nameText));

const optionalRates = {
  cachedInput: usdPerMillion.optional().describe(
    "Tokens read from a cache; absent: the input rate",
  ),
  cacheWrite: usdPerMillion.optional().describe(
    "Cache writes kept for five minutes; absent: the input rate",
  ),
  cacheWrite1h: usdPerMillion.optional().describe(
    "Cache writes kept for an hour; absent: the cacheWrite rate",
  ),
  cacheWrite12h: usdPerMillion.optional().describe(
    "Cache writes kept for 12 hours; absent: the cacheWrite1h rate",
  ),
  reasoning: usdPerMillion.optional().describe("Absent: as output"),
  audioInput: usdPerMillion.optional().describe("Absent: as input"),
  audioOutput: usdPerMillion.optional().describe("Absent: as output"),
  imageInput: usdPerMillion.optional().describe("Absent: as input"),
  imageOutput: usdPerMillion.optional().describe("Absent: as output"),
};

const rateOfTier = usdPerMillion.optional().describe("Absent: the rate of the price itself");

const ratesOfTier = {
  input: rateOfTier,
  output: rateOfTier,
  cachedInput: rateOfTier,
  cacheWrite: rateOfTier,
  cacheWrite1h: rateOfTier,
  cacheWrite12h: rateOfTier,
  reasoning: rateOfTier,
  audioInput: rateOfTier,
  audioOutput: rateOfTier,
  imageInput: rateOfTier,
  imageOutput: rateOfTier,
};

const tierSchema = strict({
  aboveInputTokens: positiveInteger
    .describe("The tier applies to the whole call if the prompt has more tokens than this"),
  ...ratesOfTier,
});

const priceFactor = z.number(must(factorText)).positive(must(factorText)).max(
  100,
  must(factorText),
);

const serviceTierSchema = strict({
  factor: priceFactor.optional()
    .describe("Multiplier for the standard rates that the tier does not state; absent: 1"),
  ...ratesOfTier,
});

/** Rates by service tier, each tier once: `priority` is an alias of `fast`. */
const serviceTiersSchema = z.record(name, serviceTierSchema)
  .refine(nameTiersOnce, must("each service tier once: fast and priority are the same tier"));

const hoursText = "hours in UTC such as 04:00-06:00";
const hours = z.string(must(hoursText))
  .regex(/^([01]\d|2[0-3]):[0-5]\d-([01]\d:[0-5]\d|2[0-3]:[0-5]\d|24:00)$/, must(hoursText));
const dayText = "a day from 1 (Monday) to 7";
const day = z.int(must(dayText)).min(1, must(dayText)).max(7, must(dayText));

const offPeakSchema = strict({
  factor: priceFactor.optional()
    .describe("Multiplier for the standard rates that are not stated here; absent: 1"),
  ...ratesOfTier,
  times: fieldListOf(
    strict({ days: fieldListOf(day, "days"), hours: fieldListOf(hours, "hours") }),
    "times",
  )
    .describe("Days, of which 1 is Monday, with their hours in UTC"),
});

const price = {
  input: usdPerMillion,
  output: usdPerMillion,
  ...optionalRates,
  request: usdAmount.optional().describe("USD for each call"),
  hostedTools: strict(
    Object.fromEntries(hostedToolKinds.map((kind) => [kind, usdAmount.optional()])),
  ).optional().describe("USD per 1,000 calls of tools that the vendor runs, by kind"),
  tiers: fieldListOf(tierSchema, "tiers").refine(haveOwnBounds, must("tiers of different lengths"))
    .optional().describe("Long-context tiers"),
  serviceTiers: serviceTiersSchema.optional()
    .describe("Prices of service tiers, such as fast, flex and ultrafast"),
  regions: z.record(name, priceFactor).optional()
    .describe(
      "Multipliers for calls that are bound to a region, such as us; regional is any other place of a cloud",
    ),
  offPeak: offPeakSchema.optional()
    .describe("Rates for calls that begin in some hours of the week"),
};

const { tiers, serviceTiers, hostedTools, regions } = price;
/** The larger parts of a price, which a dated one has, too. */
export const priceParts = { tiers, serviceTiers, hostedTools, regions } as const;

const datedPriceSchema = strict({ from: time.describe("Start of its validity"), ...price });

/** A model's price in USD per million tokens, or a list of prices with their start times. */
export const priceSchema = z.union([
  strict(price),
  fieldListOf(datedPriceSchema, "prices with from").refine(
    (prices) => prices.length > 0,
    must("a list of at least one price"),
  ),
], must("a price, or a list of prices with from"));

const costFactorText = "a number of at least 0 and at most 100";
const costFactor = z.number(must(costFactorText)).min(0, must(costFactorText))
  .max(100, must(costFactorText));
const credentialId = "a credential's name in the log, such as 1a2b3c4d";

const costTerms = {
  factor: costFactor.optional().describe("Multiplies the list prices (1)"),
  prices: z.record(z.string().min(1).max(200), priceSchema).optional().describe(
    "Prices instead of the list prices, by the upstream's name of a model or its public name",
  ),
};

/** The cost of an upstream's calls for the operator. */
export const costsSchema: z.ZodType<UpstreamCostTerms> = strict({
  ...costTerms,
  credentials: z.record(
    z.string(must(credentialId)).regex(/^[0-9a-f]{8}$/, must(credentialId)),
    strict(costTerms),
  ).optional().describe("Other terms of single credentials, by their names in the log"),
});

function nameTiersOnce(tiers: Readonly<Record<string, unknown>>): boolean {
  const names = Object.keys(tiers).map((name) => serviceTierOf(name) ?? name);
  return new Set(names).size === names.length;
}

function haveOwnBounds(tiers: readonly { readonly aboveInputTokens: number }[]): boolean {
  return new Set(tiers.map(({ aboveInputTokens }) => aboveInputTokens)).size === tiers.length;
}
