import { addAuditEntry, type AuditOptions } from "../audit/audit_entry.ts";
import { keys } from "../keys.ts";
import type { Store } from "../kv/store.ts";

/** The subject of a recording: one key, or every call of an account. */
export interface RecordedSubject {
  readonly accountId: string;
  /** Absent: every call of the account. */
  readonly keyId?: string;
}

/** A time in which requests and answers of calls are recorded. */
export interface Recording extends RecordedSubject {
  readonly startedAtMs: number;
  readonly expiresAtMs: number;
  /** The name of the operator who started it. */
  readonly startedBy: string;
}

/** The place of an account's own recording among those of its keys. */
export const wholeAccount = "*";

function keyOf({ accountId, keyId = wholeAccount }: RecordedSubject): Deno.KvKey {
  return keys.recording(accountId, keyId);
}

/** Starts a recording, or replaces the one of its subject. Gateways follow at once. */
export async function startRecording(
  store: Store,
  recording: Recording,
  { audit }: AuditOptions = {},
): Promise<void> {
  const expireIn = Math.max(1, recording.expiresAtMs - recording.startedAtMs);
  const operation = store.kv.atomic().set(keyOf(recording), { ...recording }, { expireIn });
  await store.commitChange(addAuditEntry(operation, audit));
}

/** Stops a recording. Recorded contents stay until their time is over. */
export async function stopRecording(
  store: Store,
  subject: RecordedSubject,
  { audit }: AuditOptions = {},
): Promise<void> {
  const operation = store.kv.atomic().delete(keyOf(subject));
  await store.commitChange(addAuditEntry(operation, audit));
}

/** The recording of exactly this subject; undefined if there is none. */
export async function getRecording(
  store: Store,
  subject: RecordedSubject,
  nowMs: number,
): Promise<Recording | undefined> {
  const { value } = await store.kv.get<Recording>(keyOf(subject));
  return value !== null && value.expiresAtMs > nowMs ? value : undefined;
}

/** The recordings of an account and its keys, or of everybody. */
export async function listRecordings(
  { kv }: Store,
  { accountId, nowMs }: { readonly accountId?: string; readonly nowMs: number },
): Promise<Recording[]> {
  const prefix = accountId === undefined ? keys.recordings : keys.recordingsOf(accountId);
  const found = await Array.fromAsync(kv.list<Recording>({ prefix }), ({ value }) => value);
  return found.filter(({ expiresAtMs }) => expiresAtMs > nowMs);
}

/** The time until which calls of a key are recorded, for itself or for its account. */
export async function recordedUntil(
  { kv }: Store,
  { id: keyId, accountId }: { readonly id: string; readonly accountId: string },
): Promise<number | undefined> {
  const subjects = [keyOf({ accountId, keyId }), keyOf({ accountId })];
  const found = await kv.getMany(subjects);
  const ends = found.map(({ value }) => (value as Recording | null)?.expiresAtMs ?? 0); // only startRecording writes them
  return Math.max(...ends) || undefined;
}
