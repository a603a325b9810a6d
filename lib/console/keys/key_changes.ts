import {
  type ApiKeyDraft,
  issueApiKey,
  type IssuedApiKey,
  rotateApiKey,
} from "../../accounts/mod.ts";
import { type ApiKey, deleteApiKey, listApiKeys, updateApiKey } from "../../store/api_keys/mod.ts";
import { unlessTaken } from "../../store/mod.ts";
import { auditChanges, type AuditContext, auditEntry } from "../audit/audit.ts";
import { wordsOf } from "./key_edit.ts";
import { keysOfAccountMax } from "./key_rules.ts";

/** A key that is to be changed. */
type KeyTarget = Pick<ApiKey, "id" | "name">;

/** Refuses a change by throwing; gets the key that the change replaces. */
type Check = (current: ApiKey) => void;
const unchecked: Check = () => {};

/** Creates a key, unless its account has too many (`keysFull`) or one of that name (`nameTaken`). */
export async function createKey(
  ctx: AuditContext,
  draft: ApiKeyDraft,
): Promise<IssuedApiKey | "keysFull" | "nameTaken"> {
  const { services: { store }, nowMs } = ctx.state;
  if (await isFull(ctx, draft.accountId)) return "keysFull";
  const audit = ({ id, name }: ApiKey) =>
    auditEntry(ctx, { kind: "key", action: "created", targetId: id, targetName: name });
  const issued = await unlessTaken(issueApiKey(store, draft, { nowMs, audit }));
  return issued === "taken" ? "nameTaken" : issued;
}

/** Returns true at the limit of keys created in the console; the configuration's do not count. */
async function isFull({ state }: AuditContext, accountId: string): Promise<boolean> {
  const keys = await listApiKeys(state.services.store, { accountId });
  return keys.filter(({ origin }) => origin === "console").length >= keysOfAccountMax;
}

/** Changes a key's settings. Returns undefined if it is gone, and `taken` if its new name is. */
export function changeKey(
  ctx: AuditContext,
  { id, name }: KeyTarget,
  change: (current: ApiKey) => ApiKey,
): Promise<ApiKey | undefined | "taken"> {
  const facts = { kind: "key", action: "changed", targetId: id, targetName: name } as const;
  const audit = auditChanges(ctx, facts, wordsOf);
  return unlessTaken(updateApiKey(ctx.state.services.store, id, change, { audit }));
}

/** Enables or disables a key. Returns undefined if it is gone. */
export function setKeyEnabled(
  ctx: AuditContext,
  { id, name }: KeyTarget,
  { enabled, check = unchecked }: { readonly enabled: boolean; readonly check?: Check },
): Promise<ApiKey | undefined> {
  const action = enabled ? "enabled" : "disabled";
  const audit = auditEntry(ctx, { kind: "key", action, targetId: id, targetName: name });
  return updateApiKey(ctx.state.services.store, id, (current) => {
    check(current);
    return { ...current, enabled };
  }, { audit });
}

/** Gives a key a new secret. `grace` names the grace period of the old one in the audit log. */
export function rotateKey(
  ctx: AuditContext,
  { id, name }: KeyTarget,
  { graceMs, grace, check = unchecked }: {
    readonly graceMs: number;
    readonly grace: string;
    readonly check?: Check;
  },
): Promise<IssuedApiKey | undefined> {
  const { services: { store }, nowMs } = ctx.state;
  const changes = [{ field: "oldSecretEnds", after: grace }];
  const facts = { kind: "key", action: "rotated", targetId: id, targetName: name } as const;
  const audit = (before: ApiKey) => {
    check(before);
    return auditEntry(ctx, { ...facts, changes });
  };
  return rotateApiKey(store, id, { graceMs, nowMs, audit });
}

/** Deletes a key. Returns false if it is gone. */
export function removeKey(
  ctx: AuditContext,
  { id, name }: KeyTarget,
  check: Check = unchecked,
): Promise<boolean> {
  const facts = { kind: "key", action: "deleted", targetId: id, targetName: name } as const;
  const audit = (deleted: ApiKey) => {
    check(deleted);
    return auditEntry(ctx, facts);
  };
  return deleteApiKey(ctx.state.services.store, id, { audit });
}
