import { z } from "zod";
import { keys } from "../keys.ts";
import { conflict, decodeRecord, encodeRecord, type Kind } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";

/** Sign-ins tried since the last that succeeded, from one place or for one account. */
interface SignInAttempts {
  readonly count: number;
  readonly lastAtMs: number;
}

const kind: Kind<SignInAttempts> = {
  name: "sign-in attempts",
  version: 1,
  schema: z.object({ count: z.number(), lastAtMs: z.number() }),
};

const forgottenAfterMs = 24 * 60 * 60 * 1_000;
const raceAttemptsMax = 100;

/**
 * Counts an attempt before it is made, so that none that run at the same time go uncounted.
 * Returns 0 when it may be made, else how long to wait; one that must wait is not counted.
 */
export async function takeSignInAttempt(
  store: Store,
  bucket: string,
  { nowMs, waitMs }: { readonly nowMs: number; readonly waitMs: (count: number) => number },
): Promise<number> {
  const key = keys.signInAttempts(bucket);
  for (let race = 0; race < raceAttemptsMax; race++) {
    const entry = await store.kv.get(key);
    const { count, lastAtMs } = entry.value === null
      ? { count: 0, lastAtMs: 0 }
      : decodeRecord(kind, entry.value);
    const leftMs = lastAtMs + waitMs(count) - nowMs;
    if (count > 0 && leftMs > 0) return leftMs;
    const attempts = encodeRecord(kind, { count: count + 1, lastAtMs: nowMs });
    const { ok } = await store.kv.atomic().check(entry)
      .set(key, attempts, { expireIn: forgottenAfterMs })
      .commit();
    if (ok) return 0;
  }
  throw conflict(kind.name);
}

/** Forgets the attempts of a bucket. */
export async function clearSignInAttempts(store: Store, bucket: string): Promise<void> {
  await store.kv.delete(keys.signInAttempts(bucket));
}

/** Takes back one attempt, leaving those of others from the same place. */
export async function returnSignInAttempt(store: Store, bucket: string): Promise<void> {
  const entry = await store.kv.get(keys.signInAttempts(bucket));
  if (entry.value === null) return;
  const { count, lastAtMs } = decodeRecord(kind, entry.value);
  const operation = store.kv.atomic().check(entry);
  if (count <= 1) await operation.delete(entry.key).commit();
  else {
    const attempts = encodeRecord(kind, { count: count - 1, lastAtMs });
    await operation.set(entry.key, attempts, { expireIn: forgottenAfterMs }).commit();
  }
}
