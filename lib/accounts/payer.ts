import { GatewayError } from "../canonical/mod.ts";
import type { ApiKey } from "../store/api_keys/mod.ts";
import type { KnownKey } from "../store/directory/mod.ts";
import { admit, type Caller, type From, type KeyDirectory } from "./authorize.ts";

/**
 * Who pays for a call that the console makes for who is signed in: one of the account's API keys,
 * or the account itself in one of its groups. Whether they may is for the console to know.
 */
export type Payer =
  | { readonly type: "key"; readonly keyId: string }
  | { readonly type: "playground"; readonly accountId: string; readonly groupId: string };

/** Where payers are found. */
export interface PayerDirectory extends KeyDirectory {
  /** By its id, for who may use it without its secret. */
  keyById(id: string): Promise<KnownKey | undefined>;
  /** The key with the account that pays for it. */
  withAccount(apiKey: ApiKey): Promise<KnownKey>;
}

/** What the log calls the calls that an account makes in the console. */
export const playgroundKeyName = "Playground";

/**
 * The key id of an account's calls in the playground. No record stands behind it: what the console
 * calls by itself needs no secret, is listed nowhere and has no limits besides the account's and the
 * group's.
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
