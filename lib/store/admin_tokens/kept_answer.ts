import { keys } from "../keys.ts";
import { readInBatches } from "../kv/engine.ts";
import type { Store } from "../kv/store.ts";

/** The identity of a request with an idempotency key. */
export interface RequestMark {
  readonly tokenId: string;
  /** The digest of the idempotency key. */
  readonly keyDigest: string;
  /** The digest of method, address and body. */
  readonly requestDigest: string;
}

interface KnownRequest {
  readonly requestDigest: string;
  /** The number of pieces of the sealed answer; absent while the request is in work. */
  readonly pieces?: number;
  readonly expiresAtMs: number;
}

/** The answer to an earlier request with the same idempotency key. */
type KeptAnswer =
  | { readonly type: "new" | "in_work" | "other_request" }
  | { readonly type: "answered"; readonly text: string };

const keptMs = 24 * 60 * 60 * 1_000;
/** A value takes 64 KiB; the sealed text is ASCII. */
const pieceLength = 60_000;

/** Marks a request as in work. Returns `new` to only one of any concurrent callers. */
export async function beginRequest(
  store: Store,
  { tokenId, keyDigest, requestDigest }: RequestMark,
  nowMs: number,
): Promise<KeptAnswer> {
  const key = keys.keptAnswer(tokenId, keyDigest);
  for (;;) {
    const entry = await store.kv.get<KnownRequest>(key);
    const known = entry.value;
    if (known !== null && known.expiresAtMs > nowMs) {
      if (known.requestDigest !== requestDigest) return { type: "other_request" };
      if (known.pieces === undefined) return { type: "in_work" };
      return { type: "answered", text: await readAnswer(store, key, known.pieces) };
    }
    const mark: KnownRequest = { requestDigest, expiresAtMs: nowMs + keptMs };
    const { ok } = await store.kv.atomic().check(entry).set(key, mark, { expireIn: keptMs })
      .commit();
    if (ok) return { type: "new" };
  }
}

/** Keeps the answer, sealed, for a day from now. */
export async function keepAnswer(
  store: Store,
  { tokenId, keyDigest, requestDigest }: RequestMark,
  { text, nowMs }: { readonly text: string; readonly nowMs: number },
): Promise<void> {
  const key = keys.keptAnswer(tokenId, keyDigest);
  const sealed = await store.secretBox.seal(text, contextOf(key));
  const pieces = Math.ceil(sealed.length / pieceLength);
  for (let at = 0; at < pieces; at++) {
    const piece = sealed.slice(at * pieceLength, (at + 1) * pieceLength);
    await store.kv.set(pieceKey(key, at), piece, { expireIn: keptMs });
  }
  const known: KnownRequest = { requestDigest, pieces, expiresAtMs: nowMs + keptMs };
  await store.kv.set(key, known, { expireIn: keptMs });
}

/** Forgets a request that changed nothing, so that it can be sent again. */
export async function forgetRequest(
  store: Store,
  { tokenId, keyDigest }: RequestMark,
): Promise<void> {
  await store.kv.delete(keys.keptAnswer(tokenId, keyDigest));
}

async function readAnswer(store: Store, key: Deno.KvKey, pieces: number): Promise<string> {
  const pieceKeys = Array.from({ length: pieces }, (_, at) => pieceKey(key, at));
  const entries = await readInBatches(store.kv, pieceKeys);
  return await store.secretBox.open(
    entries.map(({ value }) => String(value)).join(""),
    contextOf(key),
  );
}

function pieceKey([, tokenId, keyDigest]: Deno.KvKey, at: number): Deno.KvKey {
  return keys.keptAnswerPiece(String(tokenId), String(keyDigest), String(at));
}

function contextOf(key: Deno.KvKey): string {
  return `kept answer ${key.join(" ")}`;
}
