import { keys } from "../keys.ts";
import { sealFormerChunk } from "../kv/chunked_text.ts";
import type { Store } from "../kv/store.ts";
import { sealFormerConversation } from "../responses/conversation.ts";

/** Progress of sealing the plain contents of earlier releases. */
interface Progress {
  /** The kind to seal next; past the last kind, all are done. */
  readonly kind: number;
  readonly cursor: string;
  /** The isolate at work; others wait until `leftUntilMs` before they take over. */
  readonly by: string;
  readonly runId: string;
  readonly leftUntilMs: number;
}

/** Each returns the sealed value with its lifetime; undefined if the value is sealed already. */
const kinds = [
  { prefix: keys.textChunks, seal: sealFormerChunk },
  { prefix: keys.conversations, seal: sealFormerConversation },
] as const;

const notBegun: Progress = { kind: 0, cursor: "", by: "", runId: "", leftUntilMs: 0 };
const entriesAtOnceMax = 20;
const leftMs = 30_000;

/**
 * Seals contents that earlier releases stored in plain text. Once per store, in one isolate at a
 * time; an interrupted run continues. Returns the number of sealed values.
 */
export async function sealFormerContents(
  store: Store,
  { retentionMs, signal }: { readonly retentionMs: number; readonly signal: AbortSignal },
): Promise<number> {
  const by = crypto.randomUUID();
  let count = 0;
  while (!signal.aborted) {
    const entry = await store.kv.get<Progress>(keys.contentsSealed); // only this function writes it
    const last = entry.value ?? notBegun;
    if (last.kind >= kinds.length || (last.by !== by && isAlive(store, last))) break;
    const { count: sealed, cursor } = await sealSome(store, last, retentionMs);
    count += sealed;
    const progress: Progress = {
      kind: cursor === "" ? last.kind + 1 : last.kind,
      cursor,
      by,
      runId: store.runId,
      leftUntilMs: signal.aborted ? 0 : Date.now() + leftMs,
    };
    const { ok } = await store.kv.atomic().check(entry).set(entry.key, progress).commit();
    if (!ok) break; // another isolate has taken over
  }
  return count;
}

/**
 * Returns true if the isolate at work may still be running. Its process must be this one, unless
 * several processes share the store.
 */
function isAlive(
  { sharedByProcesses, runId }: Store,
  turn: Pick<Progress, "runId" | "leftUntilMs">,
): boolean {
  return (sharedByProcesses || turn.runId === runId) && turn.leftUntilMs > Date.now();
}

async function sealSome(
  store: Store,
  { kind, cursor }: Pick<Progress, "kind" | "cursor">,
  retentionMs: number,
): Promise<{ readonly cursor: string; readonly count: number }> {
  const { prefix, seal } = kinds[kind];
  const entries = store.kv.list<never>({ prefix }, { cursor, limit: entriesAtOnceMax });
  let [read, count] = [0, 0];
  for await (const entry of entries) {
    read++;
    const sealed = await seal(store, entry, retentionMs);
    if (!sealed || sealed.expireIn <= 0) continue;
    const { value, expireIn } = sealed;
    const { ok } = await store.kv.atomic().check(entry).set(entry.key, value, { expireIn })
      .commit();
    if (ok) count++; // otherwise another write sealed or deleted it
  }
  return { cursor: read === entriesAtOnceMax ? entries.cursor : "", count };
}
