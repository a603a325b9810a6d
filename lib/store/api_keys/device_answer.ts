import { addAuditEntry, type AuditOptions } from "../audit/audit_entry.ts";
import { keys } from "../keys.ts";
import { decodeRecord, encodeRecord, type Kind } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import { addApiKey, type ApiKey } from "./api_key.ts";

/** A person's answer to a device that asks to sign in. */
interface DeviceAnswer {
  /** The key that the device becomes; absent if the person refused. */
  readonly keyId?: string;
  readonly isCollected: boolean;
  readonly expiresAtMs: number;
}

const kind: Kind<DeviceAnswer> = { name: "answer to a device", version: 1 };

/**
 * Stores the first answer to a device, by the digest of its code, and the key that it becomes; no
 * key refuses it. Returns false if the code was answered before, or the key's name is taken.
 */
export async function answerDevice(
  store: Store,
  { digest, expiresAtMs, apiKey, audit }: AuditOptions & {
    readonly digest: string;
    readonly expiresAtMs: number;
    readonly apiKey?: ApiKey;
  },
): Promise<boolean> {
  const key = keys.deviceAnswer(digest);
  const answer = { isCollected: false, expiresAtMs, ...(apiKey && { keyId: apiKey.id }) };
  const operation = store.kv.atomic().check({ key, versionstamp: null })
    .set(key, encodeRecord(kind, answer), { expireIn: Math.max(1, expiresAtMs - Date.now()) });
  if (apiKey) addApiKey(operation, apiKey);
  return await store.commitChange(addAuditEntry(operation, audit));
}

/**
 * Returns the id of the key that a device becomes, to one caller only; the others get `gone`.
 * Undefined if nobody has answered yet.
 */
export async function collectDevice(
  store: Store,
  digest: string,
): Promise<{ readonly keyId: string } | "refused" | "gone" | undefined> {
  const entry = await store.kv.get(keys.deviceAnswer(digest));
  if (entry.value === null) return undefined;
  const answer = decodeRecord(kind, entry.value);
  const { keyId, isCollected, expiresAtMs } = answer;
  if (keyId === undefined) return "refused";
  if (isCollected) return "gone";
  const collected = encodeRecord(kind, { ...answer, isCollected: true });
  const expireIn = Math.max(1, expiresAtMs - Date.now());
  const { ok } = await store.kv.atomic().check(entry).set(entry.key, collected, { expireIn })
    .commit();
  return ok ? { keyId } : "gone";
}
