import { keys } from "../keys.ts";
import { decodeRecord, encodeRecord, type Kind } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import { untilCommitted } from "../kv/until_committed.ts";

/** A saved search of the log. */
export interface LogView {
  /** Unique among the user's. */
  readonly name: string;
  /** The query of the log's address. */
  readonly query: string;
}

/** A user's reading preferences; they affect only this user's view. */
export interface ReadingChoices {
  /** By name. */
  readonly logViews: readonly LogView[];
  /** Columns of the list of keys; absent means the defaults. */
  readonly keyColumns?: readonly string[];
}

/** The most views that a user keeps. */
export const logViewsMax = 20;

const kind: Kind<ReadingChoices> = { name: "reading choices", version: 1 };

const none: ReadingChoices = { logViews: [] };

/** Returns a user's preferences; empty if none were saved. */
export async function getReadingChoices(store: Store, userId: string): Promise<ReadingChoices> {
  const { value } = await store.kv.get(keys.readingChoices(userId));
  return value === null ? none : decodeRecord(kind, value);
}

/** Changes a user's preferences; concurrent changes are applied one after the other. */
export async function updateReadingChoices(
  store: Store,
  userId: string,
  change: (choices: ReadingChoices) => ReadingChoices,
): Promise<void> {
  await untilCommitted("reading choices", async () => {
    const entry = await store.kv.get(keys.readingChoices(userId));
    const current = entry.value === null ? none : decodeRecord(kind, entry.value);
    const operation = store.kv.atomic().check(entry);
    operation.set(entry.key, encodeRecord(kind, change(current)));
    return (await operation.commit()).ok ? true : undefined;
  });
}
