import type { Context } from "fresh";
import type { AuditChange, AuditDraft, AuditEntry } from "../../store/audit/mod.ts";
import { clientAddress } from "../session/request_state.ts";
import type { AccountState } from "../session/state.ts";

/** The part of a request's context that an audit entry needs. */
export type AuditContext = Pick<Context<AccountState>, "state" | "info">;

/** The target and action of an audit entry. */
export type AuditFacts =
  & Pick<AuditEntry, "kind" | "action" | "targetId" | "targetName" | "reason">
  & { readonly changes?: readonly AuditChange[] };

/** A record as text by field; undefined for an empty field. Never a secret. */
export type AuditWords = Readonly<Record<string, string | undefined>>;

/** Drafts the entry of the signed-in user, to be written in the same commit as the change. */
export function auditEntry(
  { state: { account: { user }, nowMs }, info }: AuditContext,
  { changes = [], ...facts }: AuditFacts,
): AuditDraft {
  const ip = clientAddress({ info });
  return {
    ...facts,
    atMs: nowMs,
    actorId: user.id,
    actorName: user.email,
    changes,
    ...(ip !== undefined && { ip }),
  };
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
