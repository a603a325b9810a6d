import { type ApiKey, deleteApiKey, listApiKeys, updateApiKey } from "../../store/api_keys/mod.ts";
import { type AuditContext, auditEntry } from "../audit/audit.ts";
import type { AccountState } from "../session/state.ts";

export const bulkActions = ["disable", "enable", "delete"] as const;
/** The actions on several keys at once. */
type BulkAction = typeof bulkActions[number];

const auditActions = {
  disable: "disabled",
  enable: "enabled",
  delete: "deleted",
} as const satisfies Record<BulkAction, string>;

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
  for (const { id, name } of keys) {
    const facts = { kind: "key", targetId: id, targetName: name } as const;
    const audit = auditEntry(ctx, { ...facts, action: auditActions[action] });
    if (await change(ctx, id, { action, audit })) changed++;
  }
  return changed;
}

async function change(
  { state: { services: { store } } }: AuditContext,
  id: string,
  { action, audit }: {
    readonly action: BulkAction;
    readonly audit: ReturnType<typeof auditEntry>;
  },
): Promise<boolean> {
  if (action === "delete") return await deleteApiKey(store, id, { audit });
  const enabled = action === "enable";
  return await updateApiKey(store, id, (key) => ({ ...key, enabled }), { audit }) !== undefined;
}
