import { keys } from "../keys.ts";
import type { Store } from "../kv/store.ts";
import { openContent, sealContent, type SealedContent } from "./sealed_content.ts";
import { type StoredResponse, type StoredResponseEntry } from "./stored_response.ts";

/** Maximum size of a pack of events: a piece of the stream's bytes, cut anywhere. */
export const eventPackBytesMax = 60_000;
const packDigits = 6;
const deletionsMax = 500;

/** Appends packs; readers see them once the response's record counts them. */
export async function putEventPacks(
  store: Store,
  response: Pick<StoredResponse, "accountId" | "id">,
  { from, packs }: { readonly from: number; readonly packs: readonly Uint8Array<ArrayBuffer>[] },
): Promise<void> {
  for (let at = 0; at < packs.length; at += packsPerCommitMax) {
    const operation = store.kv.atomic();
    for (const [place, pack] of packs.slice(at, at + packsPerCommitMax).entries()) {
      const key = packKey(response, from + at + place);
      operation.set(key, await sealContent(store, key, pack), { expireIn: eventsKeptMs });
    }
    await operation.commit();
  }
}

const packsPerCommitMax = 10;

/** Retention of events for resuming a stream: longer than the longest answer takes. */
const eventsKeptMs = 3 * 3_600_000;

/** Returns one pack of a response's events; undefined if it has expired. Throws `unreadable`. */
export async function getEventPack(
  store: Store,
  response: Pick<StoredResponse, "accountId" | "id">,
  at: number,
): Promise<Uint8Array | undefined> {
  const { key, value } = await store.kv.get<SealedContent>(packKey(response, at));
  if (value === null) return undefined;
  return await openContent(store, key, value);
}

/** Deletes all events of a response. */
export async function deleteEvents(store: Store, response: StoredResponse): Promise<void> {
  const packs = response.background?.eventPacks ?? 0;
  for (let at = 0; at < packs; at += deletionsMax) {
    const operation = store.kv.atomic();
    for (let pack = at; pack < Math.min(packs, at + deletionsMax); pack++) {
      operation.delete(packKey(response, pack));
    }
    await operation.commit();
  }
}

/**
 * Streams every version of a record from now on, until the record is deleted or the reader is
 * cancelled.
 */
export function watchStoredResponse(
  store: Store,
  { accountId, id }: { readonly accountId: string; readonly id: string },
): ReadableStream<StoredResponseEntry | undefined> {
  const key = keys.storedResponse(accountId, id);
  return store.kv.watch<StoredResponse>([key]).pipeThrough(
    new TransformStream({
      transform: ([{ value, versionstamp }], controller) =>
        controller.enqueue(value === null ? undefined : { response: value, versionstamp }),
    }),
  );
}

function packKey({ accountId, id }: Pick<StoredResponse, "accountId" | "id">, at: number) {
  return keys.responseEvents(accountId, id, String(at).padStart(packDigits, "0"));
}
