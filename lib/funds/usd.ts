const nanoPerUsd = 1_000_000_000n;
/** Nano-dollars in a cent. */
export const nanoPerCent = 10_000_000n;

/**
 * Reads an entered amount (`5`, `0.50`, `12,5`) in nano-dollars; undefined unless it is above 0.
 */
export function readUsd(entered: string): bigint | undefined {
  const match = /^(\d{1,7})(?:[.,](\d{1,9}))?$/.exec(entered.trim().replace(/^\$\s*/, ""));
  if (match === null) return undefined;
  const [, whole, fraction = ""] = match;
  const nanoUsd = BigInt(whole) * nanoPerUsd + BigInt(fraction.padEnd(9, "0"));
  return nanoUsd > 0n ? nanoUsd : undefined;
}
