import { may } from "../accounts/mod.ts";
import { createAuditEntry } from "../store/audit/mod.ts";
import type { RequestLogRow } from "../store/log/mod.ts";
import {
  getRecordedContent,
  type RecordedContent,
  type RecordedSubject,
  startRecording,
  stopRecording,
} from "../store/recordings/mod.ts";
import { getUser, type User } from "../store/users/mod.ts";
import { type AuditContext, auditEntry } from "./audit.ts";

const hourMs = 3_600_000;

/** The times for which a recording can be started in the console, in hours. */
export const recordingHours = [1, 24, 168] as const;

/** A key, or an account as a whole, with the name for the audit log. */
export interface NamedSubject extends RecordedSubject {
  readonly name: string;
}

/** Records the contents of calls of a key or a user for a time, at most `recordingDaysMax`. */
export async function startRecordingOf(
  ctx: AuditContext,
  subject: NamedSubject,
  hours: number,
): Promise<void> {
  const { services: { store, config: { limits } }, account, nowMs } = ctx.state;
  const { name: _, ...recorded } = subject;
  const expiresAtMs = nowMs + Math.min(hours, 24 * limits.recordingDaysMax) * hourMs;
  const changes = [{ field: "recordedUntil", after: new Date(expiresAtMs).toISOString() }];
  const facts = { ...await targetOf(ctx, subject), action: "recording-started", changes } as const;
  const startedBy = account.user.email;
  const recording = { ...recorded, startedBy, startedAtMs: nowMs, expiresAtMs };
  await startRecording(store, recording, { audit: auditEntry(ctx, facts) });
}

/** Stops a recording before its end. */
export async function stopRecordingOf(ctx: AuditContext, subject: NamedSubject): Promise<void> {
  const facts = { ...await targetOf(ctx, subject), action: "recording-stopped" } as const;
  await stopRecording(ctx.state.services.store, subject, { audit: auditEntry(ctx, facts) });
}

async function targetOf(
  { state: { services: { store }, account } }: AuditContext,
  { accountId, keyId, name }: NamedSubject,
) {
  if (keyId === undefined) return { kind: "user", targetId: accountId, targetName: name } as const;
  const owner = accountId === account.user.id ? undefined : await getUser(store, accountId);
  const targetName = owner ? `${name} (${owner.email})` : name;
  return { kind: "key", targetId: keyId, targetName } as const;
}

/** True for the owner of a call, and for users who may read contents of others. */
export function mayReadContent(
  user: User,
  { accountId }: Pick<RequestLogRow, "accountId">,
): boolean {
  return accountId === user.id || may(user, "recordings:read");
}

/**
 * Reads the content of a call that the reader may read; undefined if there is none. Reading another
 * user's content has an entry in the audit log, before it is shown. Throws `unreadable`.
 */
export async function readContent(
  ctx: AuditContext,
  call: Pick<RequestLogRow, "id" | "accountId" | "keyId" | "keyName">,
): Promise<{ content: RecordedContent; expiresAtMs: number } | undefined> {
  const { services: { store }, account: { user, token }, nowMs } = ctx.state;
  const found = await getRecordedContent(store, call, nowMs);
  if (!found || (call.accountId === user.id && !token)) return found;
  const owner = await getUser(store, call.accountId);
  const targetName = owner ? `${call.keyName} (${owner.email})` : call.keyName;
  const target = { kind: "call", targetId: call.id, targetName } as const;
  await createAuditEntry(store, auditEntry(ctx, { ...target, action: "content-read" }));
  return found;
}
