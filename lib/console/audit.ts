import type { Context } from "fresh";
import { type AuditChange, type AuditEntry, createAuditEntry } from "../store/mod.ts";
import { addressOf } from "./request_state.ts";
import type { AccountState } from "./state.ts";

/** What a page did, as it tells it to the audit log. */
export type AuditDraft =
  & Pick<AuditEntry, "kind" | "action" | "targetId" | "targetName" | "reason">
  & { readonly changes?: readonly AuditChange[] };

/**
 * Writes down what who is signed in has just done. Every page that changes something calls it once
 * the change stands.
 */
export async function audit(
  { state: { services, account: { user }, nowMs }, info }: Pick<
    Context<AccountState>,
    "state" | "info"
  >,
  { changes = [], ...draft }: AuditDraft,
): Promise<void> {
  const ip = addressOf({ info });
  await createAuditEntry(services.store, {
    ...draft,
    atMs: nowMs,
    actorId: user.id,
    actorName: user.email,
    changes,
    ...(ip !== undefined && { ip }),
  });
}

/** The fields that differ, as words; `undefined` is nothing. */
export function changesBetween(
  before: Readonly<Record<string, string | undefined>>,
  after: Readonly<Record<string, string | undefined>>,
): AuditChange[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...fields].filter((field) => before[field] !== after[field]).map((field) => ({
    field,
    ...(before[field] !== undefined && { before: before[field] }),
    ...(after[field] !== undefined && { after: after[field] }),
  }));
}
