import { keys } from "../keys.ts";
import type { Store } from "../kv/store.ts";
import { untilCommitted } from "../kv/until_committed.ts";

/** A value takes 64 KiB; the texts are ASCII. */
const pieceLength = 60_000;

/** The number of values kept per owner; a further one replaces the oldest. */
export const shownOnceMax = 16;
/** Longer than the lifetime of any value. */
const notedMs = 60 * 60 * 1_000;

/** Stores a sealed text until it is taken or `lifetimeMs` have passed. */
export async function createShownOnce(
  store: Store,
  { id, owner, sealed }: { readonly id: string; readonly owner: string; readonly sealed: string },
  lifetimeMs: number,
): Promise<void> {
  for (const obsolete of await makeRoom(store, owner, id)) await takeShownOnce(store, obsolete);
  const count = Math.ceil(sealed.length / pieceLength);
  const options = { expireIn: lifetimeMs };
  for (let n = 0; n < count; n++) {
    const piece = sealed.slice(n * pieceLength, (n + 1) * pieceLength);
    await store.kv.set(keys.shownOncePiece(id, String(n)), piece, options);
  }
  await store.kv.set(keys.shownOnce(id), count, options);
}

/** Takes the text out. Only one of any concurrent callers gets it. */
export async function takeShownOnce(store: Store, id: string): Promise<string | undefined> {
  const entry = await store.kv.get<number>(keys.shownOnce(id));
  if (entry.value === null) return undefined;
  const { ok } = await store.kv.atomic().check(entry).delete(entry.key).commit();
  if (!ok) return undefined;
  let text = "";
  for (let n = 0; n < entry.value; n++) {
    const key = keys.shownOncePiece(id, String(n));
    text += (await store.kv.get<string>(key)).value ?? "";
    await store.kv.delete(key);
  }
  return text;
}

/** Registers a value for an owner, and returns the values that must go. */
function makeRoom(store: Store, owner: string, id: string): Promise<readonly string[]> {
  return untilCommitted("value shown once", async () => {
    const entry = await store.kv.get<readonly string[]>(keys.shownOnceOf(owner));
    const ids = [...entry.value ?? [], id];
    const { ok } = await store.kv.atomic().check(entry)
      .set(entry.key, ids.slice(-shownOnceMax), { expireIn: notedMs })
      .commit();
    return ok ? ids.slice(0, -shownOnceMax) : undefined;
  });
}
