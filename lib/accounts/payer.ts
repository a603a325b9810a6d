import { GatewayError } from "../canonical/mod.ts";
import type { ApiKey } from "../store/api_keys/mod.ts";
import type { KnownKey } from "../store/directory/mod.ts";
import { admit, type Caller, type From, type KeyDirectory } from "./authorize.ts";

/**
 * The payer of a call that the console makes for a signed-in user: one of the account's API keys,
 * or the account itself in one of its groups. The console checks the permission.
 */
export type Payer =
  | { readonly type: "key"; readonly keyId: string }
  | { readonly type: "playground"; readonly accountId: string; readonly groupId: string };

/** Finds payers. */
export interface PayerDirectory extends KeyDirectory {
  /** Finds a key by its id, for callers that may use it without its secret. */
  keyById(id: string): Promise<KnownKey | undefined>;
  /** Adds the paying account to a key. */
  withAccount(apiKey: ApiKey): Promise<KnownKey>;
}

/** The key name that the log shows for an account's calls in the console. */
export const playgroundKeyName = "Playground";

/**
 * Returns the key id of an account's calls in the playground. There is no record of this key: the
 * calls need no secret, and only the limits of the account and the group apply.
 */
export function playgroundKeyId(accountId: string): string {
  return `playground_${accountId}`;
}

/** Returns the caller for a payer. Throws like `authorize` if the key may not be used. */
export async function authorizePayer(
  payer: Payer,
  from: From,
  directory: PayerDirectory,
): Promise<Caller> {
  if (payer.type === "playground") {
    return admit(await directory.withAccount(playgroundKey(payer)), from, directory);
  }
  const key = await directory.keyById(payer.keyId);
  if (!key) throw new GatewayError("invalid_api_key", "The API key was deleted");
  const caller = admit(key, from, directory);
  directory.touchKey(key.id, from.nowMs);
  return caller;
}

function playgroundKey(
  { accountId, groupId }: Extract<Payer, { readonly type: "playground" }>,
): ApiKey {
  return {
    id: playgroundKeyId(accountId),
    accountId,
    groupId,
    name: playgroundKeyName,
    digest: "",
    prefix: "",
    lastFour: "",
    enabled: true,
    createdAtMs: 0,
    origin: "console",
  };
}
