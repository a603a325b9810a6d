import { z } from "zod";
import { keys } from "../keys.ts";
import { conflict, decodeRecord, encodeRecord, type Kind } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";

/** Sign-in attempts since the last success, from one address or for one account. */
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
 * Counts an attempt before it is made, so that concurrent attempts are counted too. Returns 0 if it
 * may be made, or else the time to wait, without counting.
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

/** Takes back one attempt, and keeps the other attempts from the same address. */
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
