import {
  admitDevice,
  type ApiKeyDraft,
  groupedCode,
  issueApiKey,
  type IssuedApiKey,
  refuseDevice,
  rotateApiKey,
} from "../../accounts/mod.ts";
import { type ApiKey, deleteApiKey, listApiKeys, updateApiKey } from "../../store/api_keys/mod.ts";
import { digestOf, unlessTaken } from "../../store/mod.ts";
import { getUser } from "../../store/users/mod.ts";
import {
  auditChanges,
  type AuditContext,
  auditEntry,
  checkedEntry,
  type RecordCheck,
} from "../audit.ts";
import { boundsWords } from "../bounds.ts";
import { keysOfAccountMax } from "./key_rules.ts";

/** A key that is to be changed. */
type KeyTarget = Pick<ApiKey, "id" | "name" | "accountId">;

/** Creates a key, unless its account has too many (`keysFull`) or one of that name (`nameTaken`). */
export async function createKey(
  ctx: AuditContext,
  draft: ApiKeyDraft,
): Promise<IssuedApiKey | "keysFull" | "nameTaken"> {
  const { services: { store }, nowMs } = ctx.state;
  if (await isFull(ctx, draft.accountId)) return "keysFull";
  const owner = await ownerOf(ctx, draft);
  const audit = (made: ApiKey) => auditEntry(ctx, { ...targetOf(made, owner), action: "created" });
  const issued = await unlessTaken(issueApiKey(store, draft, { nowMs, audit }));
  return issued === "taken" ? "nameTaken" : issued;
}

/**
 * Lets the device with a code act as a new key of the acting account, which is named after the
 * code. Refuses an account that has too many keys (`keysFull`) and a code that was answered before
 * (`codeUsed`).
 */
export async function createDevice(
  ctx: AuditContext,
  { code, groupId }: { readonly code: string; readonly groupId: string },
): Promise<ApiKey | "keysFull" | "codeUsed"> {
  const { services: { store }, nowMs, account: { user } } = ctx.state;
  if (await isFull(ctx, user.id)) return "keysFull";
  const draft = { accountId: user.id, name: deviceName(code), groupId, enabled: true };
  const audit = (made: ApiKey) =>
    auditEntry(ctx, { ...targetOf(made, undefined), action: "created" });
  return await admitDevice(store, { code, draft, audit }, nowMs) ?? "codeUsed";
}

/** Refuses the device with a code. Returns false if the code was answered before. */
export async function declineDevice(ctx: AuditContext, code: string): Promise<boolean> {
  const { services: { store }, nowMs } = ctx.state;
  const target = targetOf({ id: digestOf(code), name: deviceName(code) }, undefined);
  const audit = auditEntry(ctx, { ...target, action: "refused" });
  return await refuseDevice(store, { code, audit }, nowMs);
}

function deviceName(code: string): string {
  return `Claude Code ${groupedCode(code, 4)}`;
}

/** Returns true at the limit of keys created in the console; the configuration's do not count. */
async function isFull({ state }: AuditContext, accountId: string): Promise<boolean> {
  const keys = await listApiKeys(state.services.store, { accountId });
  return keys.filter(({ origin }) => origin === "console").length >= keysOfAccountMax;
}

/** Changes a key's settings. Returns undefined if it is gone, and `taken` if its new name is. */
export async function changeKey(
  ctx: AuditContext,
  key: KeyTarget,
  change: (current: ApiKey) => ApiKey,
): Promise<ApiKey | undefined | "taken"> {
  const facts = { ...targetOf(key, await ownerOf(ctx, key)), action: "changed" } as const;
  const audit = auditChanges(ctx, facts, keyWords);
  return await unlessTaken(updateApiKey(ctx.state.services.store, key.id, change, { audit }));
}

/** Enables or disables a key. Returns undefined if it is gone. */
export async function setKeyEnabled(
  ctx: AuditContext,
  key: KeyTarget,
  { enabled, check }: { readonly enabled: boolean; readonly check?: RecordCheck<ApiKey> },
): Promise<ApiKey | undefined> {
  const action = enabled ? "enabled" : "disabled";
  const audit = auditEntry(ctx, { ...targetOf(key, await ownerOf(ctx, key)), action });
  return await updateApiKey(ctx.state.services.store, key.id, (current) => {
    check?.(current);
    return { ...current, enabled };
  }, { audit });
}

/** Gives a key a new secret. `grace` names the grace period of the old one in the audit log. */
export async function rotateKey(
  ctx: AuditContext,
  key: KeyTarget,
  { graceMs, grace, check }: {
    readonly graceMs: number;
    readonly grace: string;
    readonly check?: RecordCheck<ApiKey>;
  },
): Promise<IssuedApiKey | undefined> {
  const { services: { store }, nowMs } = ctx.state;
  const changes = [{ field: "oldSecretEnds", after: grace }];
  const target = targetOf(key, await ownerOf(ctx, key));
  const audit = checkedEntry(ctx, { ...target, action: "rotated", changes }, check);
  return await rotateApiKey(store, key.id, { graceMs, nowMs, audit });
}

/** Deletes a key. Returns false if it is gone. */
export async function removeKey(
  ctx: AuditContext,
  key: KeyTarget,
  check?: RecordCheck<ApiKey>,
): Promise<boolean> {
  const target = targetOf(key, await ownerOf(ctx, key));
  const audit = checkedEntry(ctx, { ...target, action: "deleted" }, check);
  return await deleteApiKey(ctx.state.services.store, key.id, { audit });
}

/** The e-mail address of a key's owner; undefined for the account that acts. */
async function ownerOf(
  { state: { services: { store }, account } }: AuditContext,
  { accountId }: Pick<ApiKey, "accountId">,
): Promise<string | undefined> {
  return accountId === account.user.id ? undefined : (await getUser(store, accountId))?.email;
}

/** The key as an audit entry names it: another account's with its owner. */
function targetOf({ id, name }: Pick<ApiKey, "id" | "name">, owner: string | undefined) {
  const targetName = owner === undefined ? name : `${name} (${owner})`;
  return { kind: "key", targetId: id, targetName } as const;
}

/** A key in words, for the audit log. */
export function keyWords(apiKey: ApiKey): Readonly<Record<string, string | undefined>> {
  const { name, groupId, expiresAtMs, models, ipAllowList, metadata = {} } = apiKey;
  const entries = Object.entries(metadata).map((entry) => entry.join("="));
  return {
    name,
    group: groupId,
    expires: expiresAtMs === undefined ? undefined : new Date(expiresAtMs).toISOString(),
    models: models?.join(", "),
    addresses: ipAllowList?.join(", "),
    alerts: apiKey.alertPercents?.join(", "),
    metadata: entries.length > 0 ? entries.sort().join(", ") : undefined,
    ...boundsWords(apiKey),
  };
}
