import { type ApiKey, createApiKey, updateApiKey } from "../store/api_keys/mod.ts";
import type { AuditDraft, ChangeOptions } from "../store/audit/mod.ts";
import { newId, type Store, StoreError } from "../store/mod.ts";
import { keptParts, newApiKeySecret } from "./secrets.ts";

/** The fields of a key that its owner chooses. */
export type ApiKeyDraft = Omit<
  ApiKey,
  | "id"
  | "digest"
  | "publicKey"
  | "prefix"
  | "lastFour"
  | "previous"
  | "createdAtMs"
  | "lastUsedAtMs"
  | "origin"
>;

export interface IssuedApiKey {
  readonly apiKey: ApiKey;
  /** Shown once; only its digest is stored. */
  readonly secret: string;
}

/** Creates a key with a new secret, without storing it. */
export function newApiKey(draft: ApiKeyDraft, nowMs: number): IssuedApiKey {
  const secret = newApiKeySecret();
  const apiKey: ApiKey = {
    ...draft,
    id: newId("key"),
    ...keptParts(secret),
    createdAtMs: nowMs,
    origin: "console",
  };
  return { apiKey, secret };
}

/** Throws `StoreError` with `already_exists` if the account has a key of that name. */
export async function issueApiKey(
  store: Store,
  draft: ApiKeyDraft,
  { nowMs, audit }: { readonly nowMs: number; readonly audit?: (apiKey: ApiKey) => AuditDraft },
): Promise<IssuedApiKey> {
  const issued = newApiKey(draft, nowMs);
  await createApiKey(store, issued.apiKey, { audit: audit?.(issued.apiKey) });
  return issued;
}

/**
 * Gives a key a new secret; its name, limits and history stay. The old secret stops working after
 * `graceMs`, and the secret of an earlier rotation stops at once. Returns undefined if there is no
 * such key. Throws `StoreError` with `protected` for a device, which refreshes its secret itself.
 */
export async function rotateApiKey(
  store: Store,
  id: string,
  { graceMs, nowMs, audit }: {
    readonly graceMs: number;
    readonly nowMs: number;
    readonly audit?: ChangeOptions<ApiKey>["audit"];
  },
): Promise<IssuedApiKey | undefined> {
  const secret = newApiKeySecret();
  const apiKey = await updateApiKey(store, id, ({ previous: _, ...current }) => {
    if (current.device) throw new StoreError("protected", deviceFault);
    return {
      ...current,
      ...keptParts(secret),
      ...(graceMs > 0 ? { previous: previousOf(current, nowMs + graceMs) } : {}),
    };
  }, { audit });
  return apiKey === undefined ? undefined : { apiKey, secret };
}

const deviceFault = "Cannot rotate API key: it is a device, which refreshes its secret itself. " +
  "Delete it to sign the device out";

/** The secret of a key as the one that a new secret replaces. */
export function previousOf(
  { digest, publicKey, prefix, lastFour }: ApiKey,
  expiresAtMs: number,
): NonNullable<ApiKey["previous"]> {
  return { digest, ...(publicKey && { publicKey }), prefix, lastFour, expiresAtMs };
}
