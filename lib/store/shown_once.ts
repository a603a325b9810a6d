import { keys } from "./keys.ts";
import type { Store } from "./store.ts";

/** A value takes 64 KiB; texts here are ASCII. */
const pieceLength = 60_000;

/** Keeps a text, which must be sealed, until it is taken or `lifetimeMs` are over. */
export async function createShownOnce(
  store: Store,
  { id, sealed }: { readonly id: string; readonly sealed: string },
  lifetimeMs: number,
): Promise<void> {
  const count = Math.ceil(sealed.length / pieceLength);
  const options = { expireIn: lifetimeMs };
  for (let n = 0; n < count; n++) {
    const piece = sealed.slice(n * pieceLength, (n + 1) * pieceLength);
    await store.kv.set(keys.shownOncePiece(id, String(n)), piece, options);
  }
  await store.kv.set(keys.shownOnce(id), count, options);
}

/** Takes the text out: of any number that race, exactly one gets it. */
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
