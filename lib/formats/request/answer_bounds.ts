import type { Envelope } from "../codec.ts";

/** Larger numbers bound nothing, and their product must stay an exact integer. */
const outputTokensMax = 1_000_000_000;
const alternativesMax = 1_000_000;

/**
 * How much of an answer a caller asks for at most; to be spread into an envelope. `limits` and
 * `alternatives` are the values under all names of one: the largest counts, since an upstream may
 * read any of them. What is no positive number counts as not said; whoever decodes the request refuses it.
 */
export function answerBounds(
  limits: readonly unknown[],
  alternatives: readonly unknown[] = [],
): Pick<Envelope, "maxOutputTokens" | "alternatives"> {
  const limit = largestOf(limits);
  return {
    ...(limit !== undefined && { maxOutputTokens: Math.min(limit, outputTokensMax) }),
    alternatives: Math.min(largestOf(alternatives) ?? 1, alternativesMax),
  };
}

/** A stated budget of thinking, to be spread into an envelope; what switches it off or leaves it open is none. */
export function thinkingBound(
  budgets: readonly unknown[],
): Pick<Envelope, "thinkingTokens"> {
  const budget = largestOf(budgets);
  return budget === undefined ? {} : { thinkingTokens: Math.min(budget, outputTokensMax) };
}

function largestOf(values: readonly unknown[]): number | undefined {
  const counts = values.map(countIn).filter((count) => count !== undefined);
  return counts.length > 0 ? Math.max(...counts) : undefined;
}

/** Lenient readers take a number in quotes too, so that it bounds what they will do. */
function countIn(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && number > 0 ? Math.ceil(number) : undefined;
}
