import { type ApiKey, listApiKeys } from "../../store/api_keys/mod.ts";
import type { AuditContext } from "../audit/audit.ts";
import type { AccountState } from "../session/state.ts";
import { removeKey, setKeyEnabled } from "./key_changes.ts";

export const bulkActions = ["disable", "enable", "delete"] as const;
/** The actions on several keys at once. */
type BulkAction = typeof bulkActions[number];

/** Returns the account's own keys of these ids that the console may change; ignores all others. */
export async function chosenKeys(
  { services: { store }, account: { user } }: AccountState,
  ids: readonly string[],
): Promise<ApiKey[]> {
  const keys = await listApiKeys(store, { accountId: user.id });
  return keys.filter(({ id, origin }) => origin === "console" && ids.includes(id));
}

/**
 * Changes each key in a commit of its own, with its audit entry. Returns the number of changed
 * keys.
 */
export async function changeKeys(
  ctx: AuditContext,
  keys: readonly ApiKey[],
  action: BulkAction,
): Promise<number> {
  let changed = 0;
  for (const key of keys) if (await change(ctx, key, action)) changed++;
  return changed;
}

async function change(ctx: AuditContext, key: ApiKey, action: BulkAction): Promise<boolean> {
  if (action === "delete") return await removeKey(ctx, key);
  return await setKeyEnabled(ctx, key, { enabled: action === "enable" }) !== undefined;
}
