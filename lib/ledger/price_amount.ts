import { BoundedMap } from "../bounded_map.ts";

/** Parses decimal amounts into exact integers: no amount of money is ever a float. */

/** USD to nano-dollars, rounded half up: `0.0375` and `"0.0375"` are both 37,500,000. */
export function nanoUsdOf(usd: number | string): bigint {
  return scaled(usd, 9);
}

/** A ratio of 1: ratios are integers in millionths. */
export const ratioUnit = 1_000_000n;
/** The largest ratio of a group; anything larger is a typing error. */
const ratioMax = 1_000_000;

/** A group's ratio such as 1.1 in millionths, rounded half up. */
export function ratioOf(priceRatio: number): bigint {
  if (priceRatio === 1) return ratioUnit;
  return knownRatios.getOrInsert(
    priceRatio,
    () => scaled(Math.min(Math.max(priceRatio, 0), ratioMax), 6),
  );
}

/** Kept, because groups have few ratios and every call needs one. */
const knownRatios = new BoundedMap<number, bigint>(1_000);

export function maxAmount(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

export function minAmount(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/** The quotient of two non-negative numbers, rounded half up. */
export function dividedHalfUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend * 2n + divisor) / (divisor * 2n);
}

/** More digits than any amount has; longer texts would only waste processor time. */
const digitsMax = 30;
const decimal = /^(\d+)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i;

/** Reads the digits from a number's shortest text, which is what its author wrote. */
function scaled(amount: number | string, places: number): bigint {
  const text = String(amount);
  const [, whole = "", fraction = "", exponent = "0"] = decimal.exec(text) ?? [];
  const power = places - fraction.length + Number(exponent);
  if (whole === "" || text.length > digitsMax || power > digitsMax) {
    throw new RangeError("Cannot read an amount: write it as a decimal number such as 0.25");
  }
  const digits = BigInt(whole + fraction);
  return power >= 0 ? digits * 10n ** BigInt(power) : dividedHalfUp(digits, 10n ** BigInt(-power));
}
