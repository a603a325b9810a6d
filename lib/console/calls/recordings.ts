import { HttpError } from "fresh";
import { may } from "../../accounts/mod.ts";
import {
  type NamedSubject,
  recordingHours,
  startRecordingOf,
  stopRecordingOf,
} from "../../admin/recordings.ts";
import { getApiKey } from "../../store/api_keys/mod.ts";
import { getRecording, listRecordings, type Recording } from "../../store/recordings/mod.ts";
import { readForm } from "../page/form.ts";
import { tryLoad } from "../page/reading.ts";
import type { AccountState, PageAuditContext } from "../session/state.ts";

/** The recordings that hold for a key or a user. */
export interface RecordingState {
  /** Of the key or the user itself. */
  readonly own?: Recording;
  /** Of all calls of the key's user. */
  readonly ofUser?: Recording;
  /** True if the reader may start and stop recordings. */
  readonly isChangeable: boolean;
}

/** Reads the recordings that hold for a key, or for a user as a whole. */
export async function readRecordingState(
  { services: { store }, account: { user, viewer }, nowMs }: AccountState,
  subject: Pick<NamedSubject, "accountId" | "keyId">,
): Promise<RecordingState> {
  const { accountId, keyId } = subject;
  const [own, ofUser] = await Promise.all([
    tryLoad(getRecording(store, subject, nowMs)),
    keyId === undefined ? undefined : tryLoad(getRecording(store, { accountId }, nowMs)),
  ]);
  const isChangeable = viewer === undefined && may(user, "recordings:write");
  return { isChangeable, ...(own && { own }), ...(ofUser && { ofUser }) };
}

/** Starts or stops a recording, as the posted form says. Throws `HttpError` 403 for members. */
export async function changeRecording(
  ctx: PageAuditContext & { readonly req: Request },
  subject: NamedSubject,
): Promise<void> {
  if (!may(ctx.state.account.user, "recordings:write")) throw new HttpError(403);
  const wanted = (await readForm(ctx.req)).get("hours");
  const hours = recordingHours.find((one) => String(one) === wanted);
  if (hours === undefined) await stopRecordingOf(ctx, subject);
  else await startRecordingOf(ctx, subject, hours);
}

/** A recording of the reader's own calls. */
export interface OwnRecording extends Recording {
  /** Absent if all calls are recorded. */
  readonly keyName?: string;
}

/** The recordings of the reader's own calls, with the names of keys. */
export async function readOwnRecordings(
  { services: { store }, account: { user }, nowMs }: AccountState,
): Promise<OwnRecording[]> {
  const found = await tryLoad(listRecordings(store, { accountId: user.id, nowMs })) ?? [];
  return await Promise.all(found.map(async (one) => {
    const key = one.keyId === undefined ? undefined : await getApiKey(store, one.keyId);
    return { ...one, ...(key && { keyName: key.name }) };
  }));
}
