import { z } from "zod";
import { keys } from "../keys.ts";
import { decodeRecord, encodeRecord, type Kind } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import { untilCommitted } from "../kv/until_committed.ts";

/** A search of the log that a user comes back to. */
export interface LogView {
  /** Unique among the user's. */
  readonly name: string;
  /** What stands behind `?` in the log's address. */
  readonly query: string;
}

/** How a user likes to read lists; it changes nothing but what that user sees. */
export interface ReadingChoices {
  /** By name. */
  readonly logViews: readonly LogView[];
  /** Which columns the list of keys has; absent means the usual ones. */
  readonly keyColumns?: readonly string[];
}

/** The most views that a user keeps. */
export const logViewsMax = 20;

const kind: Kind<ReadingChoices> = {
  name: "reading choices",
  version: 1,
  schema: z.object({
    logViews: z.array(z.object({ name: z.string(), query: z.string() })),
    keyColumns: z.array(z.string()).optional(),
  }),
};

const none: ReadingChoices = { logViews: [] };

/** What a user chose; nothing where the user never did. */
export async function getReadingChoices(store: Store, userId: string): Promise<ReadingChoices> {
  const { value } = await store.kv.get(keys.readingChoices(userId));
  return value === null ? none : decodeRecord(kind, value);
}

/** Changes what a user chose; whoever changes it at the same time does so before or after. */
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
