import { keys } from "../keys.ts";
import type { Database } from "../kv/database.ts";
import type { SecretBox } from "../kv/secret_box.ts";
import type { Store } from "../kv/store.ts";

const context = "secret check";

/**
 * Returns a line for the operator if the store's secret has changed since the last start: earlier
 * sealed values cannot be opened. Only one isolate reports each change.
 */
export async function secretChange(
  kv: Database,
  secretBox: SecretBox,
): Promise<readonly string[]> {
  const entry = await kv.get<string>(keys.secretCheck); // only this function writes it
  if (entry.value !== null && await opens(entry.value, secretBox)) return [];
  const sealed = await secretBox.seal("", context);
  const { ok } = await kv.atomic().check(entry).set(entry.key, sealed).commit();
  return ok && entry.value !== null ? [changed] : []; // if the commit fails, another isolate reports it
}

/** Returns true if the secret opens the store's sealed values; undefined for a new store. */
export async function hasRightSecret(
  { kv, secretBox }: Pick<Store, "kv" | "secretBox">,
): Promise<boolean | undefined> {
  const { value } = await kv.get<string>(keys.secretCheck);
  return value === null ? undefined : await opens(value, secretBox);
}

const changed =
  "The store was sealed under another secret: stored responses, conversations and upstreams' " +
  "credentials cannot be read. Stop the gateway and restore the former TESSERA_SECRET or secret " +
  "file, or continue without them and enter the credentials again";

function opens(sealed: string, secretBox: SecretBox): Promise<boolean> {
  return secretBox.open(sealed, context).then(() => true, () => false);
}
