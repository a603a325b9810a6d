import { assertEquals } from "@std/assert";
import {
  collect,
  type FormatName,
  type JsonObject,
  noUsage,
  type Usage,
} from "../../lib/canonical/mod.ts";
import { codecs } from "../../lib/formats/mod.ts";
import { chargedRow, type Hold } from "../../lib/ledger/hold.ts";
import { createPrices } from "../../lib/ledger/prices.ts";
import { statedNanoUsd } from "../../lib/ledger/upstream_cost.ts";
import type { CostTerms } from "../../lib/store/catalog/mod.ts";
import { upstreamNanoUsdOf } from "../../lib/store/log/mod.ts";
import { decoded } from "../formats/codec_suite.ts";
import { sampleModel, sampleRow } from "../store/samples.ts";
import { type WireAnswer, wireFormats } from "./cost_wire.ts";

/** Charge and cost of the same usage, exact to the nano-dollar, against amounts computed by hand. */

const own = sampleModel({
  id: "acme",
  price: {
    input: 4,
    cachedInput: 0.4,
    cacheWrite: 5,
    cacheWrite1h: 8,
    cacheWrite12h: 10,
    output: 20,
    tiers: [{
      aboveInputTokens: 100_000,
      input: 8,
      cachedInput: 0.8,
      cacheWrite: 10,
      cacheWrite1h: 16,
      cacheWrite12h: 20,
      output: 30,
    }],
    serviceTiers: { fast: { factor: 2 }, flex: { factor: 0.5 } },
    regions: { us: 1.1 },
  },
});
/** Dearer for callers than on the vendor's list. */
const dearer = sampleModel({ id: "gpt-6-sol", price: { input: 3, output: 30 } });
const prices = createPrices(() => [own, dearer]);

interface Settled {
  readonly terms?: CostTerms;
  readonly ratio?: number;
  readonly model?: string;
  readonly upstreamModel?: string;
}

function settled(
  usage: Usage | undefined,
  { terms, ratio = 1, model = own.id, upstreamModel = model }: Settled = {},
) {
  const { priceFor, upstreamPriceFor } = prices;
  const price = priceFor({ model, upstreamModel }, 1);
  const estimate = { caller: { group: { priceRatio: ratio } }, model, price, upstreamPriceFor };
  const hold = { estimate, terms } as unknown as Hold; // a charge reads nothing else
  return chargedRow(sampleRow(1, { model, upstreamModel, usage }), hold).row;
}

/** Tokens of a call, apart from its tier and region. */
interface Size {
  readonly input: number;
  readonly read: number;
  readonly written: number;
  readonly writtenLong: number;
  readonly output: number;
}

const sizes = {
  short: { input: 10_001, read: 40_003, written: 6_007, writtenLong: 4_009, output: 1_013 },
  long: { input: 70_001, read: 90_003, written: 6_007, writtenLong: 4_009, output: 1_013 },
} as const satisfies Record<string, Size>;

/** Nano-dollars for each token. */
const shortRates = { input: 4_000, read: 400, written: 5_000, output: 20_000 } as const;
const longRates = { input: 8_000, read: 800, written: 10_000, output: 30_000 } as const;

interface Way {
  readonly format: FormatName;
  /** The rate of its longer cache writes, for short prompts; absent: it has none. */
  readonly writtenLong?: number;
  /** Absent: it states no writes. */
  readonly hasWrites: boolean;
  readonly tier: (factor: number) => JsonObject;
  readonly regions: readonly number[];
  readonly answer: (size: Size, tier: JsonObject, region: number) => WireAnswer;
}

const ways: readonly Way[] = [
  {
    format: "chat-completions",
    hasWrites: true,
    regions: [1],
    tier: serviceTier,
    answer: ({ input, read, written, output }, tier) => ({
      usage: {
        prompt_tokens: input + read + written,
        prompt_tokens_details: { cached_tokens: read, cache_write_tokens: written },
        completion_tokens: output,
        total_tokens: input + read + written + output,
      },
      beside: tier,
    }),
  },
  {
    format: "responses",
    hasWrites: true,
    writtenLong: 10_000,
    regions: [1],
    tier: serviceTier,
    answer: ({ input, read, written, writtenLong, output }, tier) => ({
      usage: {
        input_tokens: input + read + written + writtenLong,
        input_tokens_details: {
          cached_tokens: read,
          cache_write_tokens: written + writtenLong,
          cache_write_tokens_details: { ttl_30m_tokens: written, ttl_12h_tokens: writtenLong },
        },
        output_tokens: output,
        output_tokens_details: { reasoning_tokens: 13 },
        total_tokens: input + read + written + writtenLong + output,
      },
      beside: tier,
    }),
  },
  {
    format: "messages",
    hasWrites: true,
    writtenLong: 8_000,
    regions: [1, 1.1],
    tier: (factor) => ({ speed: factor === 2 ? "fast" : "standard" }),
    answer: ({ input, read, written, writtenLong, output }, tier, region) => ({
      usage: {
        input_tokens: input,
        cache_read_input_tokens: read,
        cache_creation_input_tokens: written + writtenLong,
        cache_creation: {
          ephemeral_5m_input_tokens: written,
          ephemeral_1h_input_tokens: writtenLong,
        },
        output_tokens: output,
        ...tier,
        ...(region !== 1 && { inference_geo: "us" }),
      },
    }),
  },
  {
    format: "generate-content",
    hasWrites: false,
    regions: [1],
    tier: (factor) => ({ trafficType: trafficTypes[factor] }),
    answer: ({ input, read, output }, tier) => ({
      usage: {
        promptTokenCount: input + read,
        cachedContentTokenCount: read,
        candidatesTokenCount: output - 13,
        thoughtsTokenCount: 13,
        totalTokenCount: input + read + output,
        ...tier,
      },
    }),
  },
];

const trafficTypes: Readonly<Record<number, string>> = {
  1: "ON_DEMAND",
  2: "ON_DEMAND_PRIORITY",
  0.5: "ON_DEMAND_FLEX",
};

function serviceTier(factor: number): JsonObject {
  return factor === 1 ? {} : { service_tier: factor === 2 ? "priority" : "flex" };
}

/** The amount by hand; the factors have at most two decimals, and no line needs rounding. */
function amountOf(
  { hasWrites, writtenLong = 0 }: Way,
  size: Size,
  factors: readonly number[],
): bigint {
  const isLong = size === sizes.long;
  const rates = isLong ? longRates : shortRates;
  const tokens = size.input * rates.input + size.read * rates.read + size.output * rates.output +
    (hasWrites ? size.written * rates.written : 0) +
    size.writtenLong * writtenLong * (isLong ? 2 : 1);
  const hundredths = factors.reduce((all, one) => all * BigInt(Math.round(one * 100)), 1n);
  const amount = BigInt(tokens) * hundredths;
  const divisor = 100n ** BigInt(factors.length);
  assertEquals(amount % divisor, 0n, "this row would need rounding");
  return amount / divisor;
}

const [groupRatio, costFactor] = [1.25, 0.7];

for (const way of ways) {
  const factors = way.format === "messages" ? [1, 2] : [1, 2, 0.5];
  for (const factor of factors) {
    for (const region of way.regions) {
      for (const [length, size] of Object.entries(sizes)) {
        const name = `${way.format}, tier × ${factor}, region × ${region}, ${length} prompt`;
        Deno.test(`charge and cost, whole and streamed: ${name}`, () => {
          const answer = way.answer(size, way.tier(factor), region);
          for (const usage of usagesOf(way.format, answer)) {
            const row = settled(usage, { ratio: groupRatio, terms: { factor: costFactor } });
            assertEquals(row.costNanoUsd, amountOf(way, size, [factor, region, groupRatio]));
            assertEquals(row.upstreamCost, {
              nanoUsd: amountOf(way, size, [factor, region, costFactor]),
            });
          }
        });
      }
    }
  }
}

/** The usage as each reader finds it. */
function usagesOf(format: FormatName, answer: WireAnswer): (Usage | undefined)[] {
  const [codec, wire] = [codecs[format], wireFormats[format]];
  const events = wire.stream(answer);
  const reader = codec.usageReader.stream();
  for (const event of events) reader.push(event);
  const whole = wire.whole(answer);
  return [
    codec.usageReader.usage(whole),
    codec.decodeResponse(whole).usage,
    reader.result().usage,
    collect(decoded(codec, events)).usage,
  ];
}

const million: Usage = { ...noUsage, inputTokens: 1_000_000, outputTokens: 1_000_000 };
const usd = 1_000_000_000n;

Deno.test("a row does not grow by a cost that equals its charge", () => {
  assertEquals(settled({ ...noUsage, inputTokens: 1_000 }).upstreamCost, undefined);
  assertEquals(settled(million, { model: "gpt-6-luna" }).upstreamCost, undefined);
  assertEquals(settled(undefined, { terms: { factor: 2 } }).upstreamCost, undefined);
});

const termRows: readonly (Settled & { readonly name: string; readonly usd: number })[] = [
  { name: "the list price, not the operator's own", model: "gpt-6-sol", usd: 12 },
  {
    name: "the list price of what the upstream calls it",
    model: "acme",
    upstreamModel: "gpt-6-sol",
    usd: 12,
  },
  { name: "half of the list price", model: "gpt-6-sol", terms: { factor: 0.5 }, usd: 6 },
  { name: "nothing", model: "gpt-6-sol", terms: { factor: 0 }, usd: 0 },
  {
    name: "an own price, without the factor",
    model: "gpt-6-sol",
    terms: { factor: 0.5, prices: { "gpt-6-sol": { input: 1, output: 2 } } },
    usd: 3,
  },
  {
    name: "the own price of the upstream's name",
    model: "acme",
    upstreamModel: "large",
    terms: { prices: { acme: { input: 9, output: 9 }, large: { input: 1, output: 2 } } },
    usd: 3,
  },
  { name: "of a model without a price here", model: "nobody", terms: ownTerms(), usd: 3 },
  { name: "a name of every object is no price", model: "gpt-6-sol", terms: hiddenTerms(), usd: 12 },
];

function ownTerms(): CostTerms {
  return { prices: { nobody: { input: 1, output: 2 } } };
}

function hiddenTerms(): CostTerms {
  return { prices: Object.create({ "gpt-6-sol": { input: 1, output: 2 } }) };
}

for (const { name, usd: dollars, ...options } of termRows) {
  Deno.test(`an upstream costs ${name}`, () => {
    const short = { ...noUsage, inputTokens: 100_000, outputTokens: 100_000 };
    const row = settled(short, { ratio: 1.5, ...options });
    assertEquals(upstreamNanoUsdOf(row), BigInt(dollars) * usd / 10n);
  });
}

const statedRows: readonly { name: string; fields: JsonObject; nanoUsd?: bigint }[] = [
  { name: "dollars", fields: { cost: 0.00014 }, nanoUsd: 140_000n },
  { name: "an exponent", fields: { cost: 1.5e-7 }, nanoUsd: 150n },
  { name: "no dollars", fields: { cost: 0 }, nanoUsd: 0n },
  { name: "ticks, rounded", fields: { cost_in_usd_ticks: 37_756_005 }, nanoUsd: 3_775_601n },
  {
    name: "another vendor's bill for the operator's key",
    fields: { cost: 0.001, is_byok: true, cost_details: { upstream_inference_cost: 0.02 } },
    nanoUsd: 21_000_000n,
  },
  {
    name: "details that the price includes",
    fields: { cost: 0.001, is_byok: false, cost_details: { upstream_inference_cost: 0.001 } },
    nanoUsd: 1_000_000n,
  },
  { name: "a text", fields: { cost: "0.001" } },
  { name: "less than nothing", fields: { cost: -1, cost_in_usd_ticks: -1 } },
  { name: "more than any call costs", fields: { cost: 1e15 } },
  { name: "parts", fields: { cost: { total_cost: 1 } } },
];

for (const { name, fields, nanoUsd } of statedRows) {
  Deno.test(`a price that the upstream states: ${name}`, () => {
    const counts = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    for (const usage of usagesOf("chat-completions", { usage: { ...counts, ...fields } })) {
      assertEquals(usage && statedNanoUsd(usage), nanoUsd);
      const { upstreamCost } = settled(usage, { terms: { factor: 0.5 } });
      if (nanoUsd !== undefined) assertEquals(upstreamCost, { nanoUsd, isStated: true });
      else assertEquals(upstreamCost?.isStated, undefined);
    }
  });
}

Deno.test("a price that the upstream states is found in responses and messages", () => {
  const cost = { cost: 0.5 };
  const responses = { input_tokens: 10, output_tokens: 5, total_tokens: 15, ...cost };
  const found = [
    ...usagesOf("responses", { usage: responses }),
    ...usagesOf("messages", { usage: { input_tokens: 10, output_tokens: 5, ...cost } }),
  ];
  for (const usage of found) assertEquals(usage && statedNanoUsd(usage), usd / 2n);
});
