import { z } from "zod";
import { faults } from "../admin/faults.ts";
import {
  type PriceFaults,
  priceOf,
  type PriceValues,
  rateNames,
  tiersMax,
  withUnasked,
} from "../admin/models/price_form.ts";
import { hostedToolKinds } from "../canonical/mod.ts";
import type {
  ModelPrice,
  OffPeakPrice,
  ServiceTierPrice,
  TokenRates,
} from "../store/catalog/mod.ts";
import { invalidField, ManagementError } from "./http/error.ts";
import { namedObject, snake } from "./http/schema.ts";

/** A rate in an answer. */
const rate = z.string().describe("US dollars for a million tokens, exact");
/** A rate in a request; the form has the rule. */
const rateInput = z.string().max(40).describe("US dollars for a million tokens");

const rates = Object.fromEntries(rateNames.map((name) => [snake(name), rate.optional()]));
const ratesInput = Object.fromEntries(rateNames.map((name) => [snake(name), rateInput.optional()]));

/** A price in an answer. */
export const priceAnswer = namedObject("Price", {
  ...rates,
  request: z.string().optional().describe("US dollars for each call"),
  hosted_tools: z.record(z.string(), z.string()).optional()
    .describe("US dollars for 1,000 calls, by kind"),
  tiers: z.array(z.object({ above_input_tokens: z.number(), ...rates })).optional(),
  service_tiers: z.record(z.string(), z.object({ factor: z.number().optional(), ...rates }))
    .optional(),
  regions: z.record(z.string(), z.number()).optional(),
  off_peak: z.object({
    factor: z.number().optional(),
    ...rates,
    times: z.array(z.object({ days: z.array(z.int()), hours: z.array(z.string()) })),
  }).optional().describe("For calls that begin in some hours of the week, in UTC; Monday is 1"),
});

/** A price in a request. */
export const priceInput = z.strictObject({
  ...ratesInput,
  input: rateInput,
  output: rateInput,
  request: z.string().max(40).optional().describe("US dollars for each call"),
  hosted_tools: z.strictObject(
    Object.fromEntries(hostedToolKinds.map((kind) => [kind, z.string().max(40)])),
  ).partial().optional().describe("US dollars for 1,000 calls, by kind"),
  tiers: z.array(z.strictObject({ above_input_tokens: z.int(), ...ratesInput })).max(tiersMax)
    .optional(),
});
type PriceInput = z.output<typeof priceInput>;

/**
 * The price of a request, by the rules of the form. Keeps the service tiers, regions and
 * off-peak rates of the replaced price. Throws `invalid_request`.
 */
export function readPrice(
  input: PriceInput,
  before: ModelPrice | undefined,
): ModelPrice {
  const result = priceOf(valuesOf(input));
  if (result.type === "valid") return withUnasked(result.price, before);
  throw faultOf(result.faults);
}

function valuesOf({ request = "", hosted_tools: tools = {}, tiers = [], ...own }: PriceInput) {
  return {
    ...ratesIn(own, ""),
    request,
    ...Object.fromEntries(Object.entries(tools).map(([kind, usd]) => [`tool.${kind}`, usd ?? ""])),
    ...Object.assign(
      {},
      ...tiers.map(({ above_input_tokens: above, ...rates }, at) => ({
        [`tier${at}.above`]: String(above),
        ...ratesIn(rates, `tier${at}.`),
      })),
    ),
  } satisfies PriceValues;
}

function ratesIn(rates: Readonly<Record<string, string | undefined>>, prefix: string): PriceValues {
  return Object.fromEntries(
    rateNames.map((name) => [prefix + name, (rates[snake(name)] ?? "").trim()]),
  );
}

function faultOf(found: PriceFaults): ManagementError {
  const [[field, fault]] = Object.entries(found);
  return invalidField(paramOf(field), fault ? faults.price[fault] : "");
}

/** `tier0.cachedInput` as `tiers[0].cached_input`, `tool.rerank` as `hosted_tools.rerank`. */
function paramOf(field: string): string {
  const [, at, rest] = /^tier(\d+)\.(.+)$/.exec(field) ?? [];
  if (at !== undefined) {
    return `tiers[${at}].${rest === "above" ? "above_input_tokens" : snake(rest)}`;
  }
  return field.startsWith("tool.") ? field.replace("tool.", "hosted_tools.") : snake(field);
}

/** A price as an answer has it. */
export function priceJson(price: ModelPrice): z.output<typeof priceAnswer> {
  const { request, hostedTools, tiers, serviceTiers, regions, offPeak } = price;
  return {
    ...ratesJson(price),
    ...(request !== undefined && { request: decimal(request) }),
    ...(hostedTools && { hosted_tools: mapped(hostedTools, decimal) }),
    ...(tiers && {
      tiers: tiers.map((tier) => ({
        above_input_tokens: tier.aboveInputTokens,
        ...ratesJson(tier),
      })),
    }),
    ...(serviceTiers && { service_tiers: mapped(serviceTiers, serviceTierJson) }),
    ...(regions && { regions: mapped(regions, (factor) => factor) }),
    ...(offPeak && { off_peak: offPeakJson(offPeak) }),
  };
}

function offPeakJson({ times, ...rates }: OffPeakPrice) {
  const copied = times.map(({ days, hours }) => ({ days: [...days], hours: [...hours] }));
  return { ...serviceTierJson(rates), times: copied };
}

function serviceTierJson({ factor, ...rates }: ServiceTierPrice) {
  return { ...(factor !== undefined && { factor }), ...ratesJson(rates) };
}

function ratesJson(rates: Partial<TokenRates>): Record<string, string> {
  return Object.fromEntries(rateNames.flatMap((name) => {
    const usd = rates[name];
    return usd === undefined ? [] : [[snake(name), decimal(usd)]];
  }));
}

function mapped<From, To>(
  record: Readonly<Partial<Record<string, From>>>,
  map: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, map(value)]]
    ),
  );
}

const decimals = 9;

/** A number of dollars without an exponent. */
function decimal(usd: number): string {
  return usd.toFixed(decimals).replace(/\.?0+$/, "");
}
