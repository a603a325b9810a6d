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
  /** By its id, for who may use it without its secret. */
  keyById(id: string): Promise<KnownKey | undefined>;
  /** The key with the account that pays for it. */
  withAccount(apiKey: ApiKey): Promise<KnownKey>;
}

/** The key name that the log shows for an account's calls in the console. */
export const playgroundKeyName = "Playground";

/**
 * Returns the key id of an account's calls in the playground. It has no record: these calls need no
 * secret, are listed nowhere, and have only the limits of the account and the group.
 */
export function playgroundKeyId(accountId: string): string {
  return `playground_${accountId}`;
}

/** Finds the caller by who pays. Throws what `authorize` throws for a key that may not be used. */
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
