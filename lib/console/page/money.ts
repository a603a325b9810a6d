import type { Locale } from "../i18n/mod.ts";

/** Digits of a nano-dollar amount after the point. */
const decimalsMax = 9;
const significant = 4;
const dollar = 1_000_000_000n;

/**
 * - `read`: two decimals from $1 on, four significant digits below, and never fewer than two
 *   decimals.
 * - `change`: like `read`, with a sign.
 * - `exact`: all nine decimals, without trailing zeros.
 * - `bare`: exact too, but whole dollars have no decimals.
 */
type MoneyStyle = "read" | "change" | "exact" | "bare";

/** Formats nano-dollars from their decimal text, because a float would lose digits. */
export function moneyFormat(
  { locale, as }: { readonly locale: Locale; readonly as: MoneyStyle },
): (nanoUsd: bigint) => string {
  const rounds = as === "read" || as === "change";
  return (nanoUsd) => {
    const size = nanoUsd < 0n ? -nanoUsd : nanoUsd;
    const format = keptFormat(locale, as, rounds ? decimalsOf(size) : decimalsMax);
    return format.format(decimalText(size, nanoUsd < 0n)).replace("-", "−");
  };
}

/** The decimals that an amount is read with. */
function decimalsOf(size: bigint): number {
  if (size >= dollar || size === 0n) return 2;
  const zeros = decimalsMax - String(size).length;
  return Math.min(zeros + significant, decimalsMax);
}

function decimalText(size: bigint, negative: boolean) {
  const digits = String(size).padStart(decimalsMax + 1, "0");
  const [whole, rest] = [digits.slice(0, -decimalsMax), digits.slice(-decimalsMax)];
  return `${negative ? "-" : ""}${whole}.${rest}` as `${number}`; // of digits
}

/** Kept by language, style and decimals: each takes longer to create than many amounts to write. */
const formats = new Map<string, Intl.NumberFormat>();

function keptFormat(locale: Locale, as: MoneyStyle, decimals: number): Intl.NumberFormat {
  const name = `${locale} ${as} ${decimals}`;
  const known = formats.get(name) ?? currencyFormat(locale, as, decimals);
  formats.set(name, known);
  return known;
}

function currencyFormat(locale: Locale, as: MoneyStyle, decimals: number): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency: "USD",
    currencyDisplay: "narrowSymbol",
    maximumFractionDigits: decimals,
    signDisplay: as === "change" ? "exceptZero" : "auto",
    trailingZeroDisplay: as === "bare" ? "stripIfInteger" : "auto",
  });
}
