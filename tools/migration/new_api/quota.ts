/** Nano-dollars of a quota, rounded down. */
export function nanoOfQuota(quota: number, quotaPerUnit: number): bigint {
  const perQuota = 1_000_000_000 / quotaPerUnit; // 2,000 for the usual 500,000
  if (Number.isSafeInteger(perQuota)) return BigInt(Math.trunc(quota)) * BigInt(perQuota);
  return BigInt(Math.floor(quota * perQuota));
}
