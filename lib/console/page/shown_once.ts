import { digestOf, newId, type Store } from "../../store/mod.ts";
import { createShownOnce, takeShownOnce } from "../../store/api_keys/mod.ts";

/** The session that may read it: the one that wrote it. */
interface ShownTo {
  readonly store: Store;
  readonly sessionDigest: string;
}

const lifetimeMs = 2 * 60 * 1_000;

/**
 * Stores a text that the next page shows once, and that is too large or too secret for a cookie:
 * sealed, bound to the session, for two minutes unless stated otherwise. Returns the id for the
 * page's address, which is useless to other sessions.
 */
export async function keepShownOnce(
  text: string,
  to: ShownTo,
  keptMs = lifetimeMs,
): Promise<string> {
  const id = newId("once");
  const key = keyOf(id, to);
  const sealed = await to.store.secretBox.seal(text, contextOf(key));
  await createShownOnce(to.store, { id: key, owner: to.sessionDigest, sealed }, keptMs);
  return id;
}

/**
 * Takes a stored text; undefined if it was taken before, has expired, or belongs to another
 * session.
 */
export async function showOnce(id: string | null, to: ShownTo): Promise<string | undefined> {
  if (id === null || id.length > 100) return undefined;
  const key = keyOf(id, to);
  const sealed = await takeShownOnce(to.store, key);
  return sealed && await to.store.secretBox.open(sealed, contextOf(key));
}

function keyOf(id: string, { sessionDigest }: ShownTo): string {
  return digestOf(`${id} ${sessionDigest}`);
}

function contextOf(key: string): string {
  return `shown once ${key}`;
}
