import type { Envelope } from "../codec.ts";

/** Larger numbers limit nothing, and the product must stay an exact integer. */
const outputTokensMax = 1_000_000_000;
const alternativesMax = 1_000_000;

/**
 * The maximum length and number of answers that a caller requests; to be spread into an envelope.
 * `limits` and `alternatives` hold the values of all aliases: the largest counts, since an upstream
 * may read any of them. Values other than positive numbers count as absent; `decodeRequest` refuses
 * them.
 */
export function answerBounds(
  limits: readonly unknown[],
  alternatives: readonly unknown[] = [],
): Pick<Envelope, "maxOutputTokens" | "alternatives"> {
  const limit = largestOf(limits);
  return {
    maxOutputTokens: limit === undefined ? undefined : Math.min(limit, outputTokensMax),
    alternatives: Math.min(largestOf(alternatives) ?? 1, alternativesMax),
  };
}

/** A stated reasoning budget; undefined if reasoning is off or unlimited. */
export function thinkingBound(budgets: readonly unknown[]): number | undefined {
  const budget = largestOf(budgets);
  return budget === undefined ? undefined : Math.min(budget, outputTokensMax);
}

function largestOf(values: readonly unknown[]): number | undefined {
  let largest: number | undefined;
  for (let at = 0; at < values.length; at++) {
    const count = countIn(values[at]);
    if (count !== undefined && (largest === undefined || count > largest)) largest = count;
  }
  return largest;
}

/** Lenient readers accept a number in quotes, so it counts as a limit, too. */
function countIn(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && number > 0 ? Math.ceil(number) : undefined;
}
