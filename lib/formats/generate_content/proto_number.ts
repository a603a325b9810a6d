/** A number; proto3 JSON writes 64-bit ones as strings. */
export function protoNumber(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** A count of tokens or calls: never negative, fractional or infinite. */
export function protoCount(value: unknown): number {
  return Math.max(0, Math.trunc(protoNumber(value) ?? 0));
}
