import type { AdminToken } from "../store/admin_tokens/mod.ts";
import type { AuditChange, AuditDraft, AuditEntry } from "../store/audit/mod.ts";
import type { Settings } from "../store/catalog/mod.ts";
import type { User } from "../store/users/mod.ts";
import type { AdminServices } from "./services.ts";

/** The part of a request's context that an audit entry needs. */
export interface AuditContext {
  readonly info: Deno.ServeHandlerInfo;
  readonly state: ActingState;
}

/** The target and action of an audit entry. */
export type AuditFacts =
  & Pick<AuditEntry, "kind" | "action" | "targetId" | "targetName" | "reason">
  & { readonly changes?: readonly AuditChange[] };

/** A record as text by field; undefined for an empty field. Never a secret. */
export type AuditWords = Readonly<Record<string, string | undefined>>;

/**
 * Drafts the entry of the signed-in user or the API token, to be written in the same commit as the
 * change.
 */
export function auditEntry(
  { state: { account, nowMs }, info }: AuditContext,
  { changes = [], ...facts }: AuditFacts,
): AuditDraft {
  const ip = clientAddress({ info });
  return {
    ...facts,
    atMs: nowMs,
    ...actorOf(account),
    changes,
    ...(ip !== undefined && { ip }),
  };
}

/** Refuses a change by throwing; gets the record as stored before it. */
export type RecordCheck<Record> = (current: Record) => void;

/** Drafts the entry of a change that `check` may still refuse. */
export function checkedEntry<Record>(
  ctx: AuditContext,
  facts: AuditFacts,
  check?: RecordCheck<Record>,
): (current: Record) => AuditDraft {
  return (current) => {
    check?.(current);
    return auditEntry(ctx, facts);
  };
}

function actorOf({ user, token }: ActingAccount): Pick<AuditEntry, "actorId" | "actorName"> {
  if (token === undefined) return { actorId: user.id, actorName: user.email };
  return { actorId: token.id, actorName: `${token.name} (API token of ${user.email})` };
}

/** Returns the audit entry of a change: the fields whose `words` differ. Undefined if none do. */
export function auditChanges<Record>(
  ctx: AuditContext,
  facts: AuditFacts,
  words: (record: Record) => AuditWords,
): (before: Record, after: Record) => AuditDraft | undefined {
  return (before, after) => {
    const changes = changesBetween(words(before), words(after));
    return changes.length === 0 ? undefined : auditEntry(ctx, { ...facts, changes });
  };
}

/** The fields whose words differ. */
export function changesBetween(before: AuditWords, after: AuditWords): AuditChange[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...fields].filter((field) => before[field] !== after[field]).map((field) => ({
    field,
    ...(before[field] !== undefined && { before: before[field] }),
    ...(after[field] !== undefined && { after: after[field] }),
  }));
}

/** The state that the console's pages and the management API have in common. */
export interface ActingState {
  readonly services: AdminServices;
  readonly nowMs: number;
  /** The site's settings. */
  readonly settings: Settings;
  readonly account: ActingAccount;
}

/** The account that acts, itself or through an API token. */
export interface ActingAccount {
  readonly user: User;
  /** The API token that acts for the user; absent in the console. */
  readonly token?: Pick<AdminToken, "id" | "name">;
}

/** The client's address, if the connection has one. */
export function clientAddress({ info }: Pick<AuditContext, "info">): string | undefined {
  return "hostname" in info.remoteAddr ? info.remoteAddr.hostname : undefined;
}
