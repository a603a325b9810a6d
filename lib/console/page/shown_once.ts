import { createShownOnce, takeShownOnce } from "../../store/api_keys/mod.ts";
import { digestOf, newId } from "../../store/mod.ts";
import type { SessionScope } from "../session/state.ts";

const lifetimeMs = 2 * 60 * 1_000;

/**
 * Stores a text that the next page shows once, and that is too large or too secret for a cookie:
 * sealed, bound to the session, for two minutes unless stated otherwise. Returns the id for the
 * page's address, which is useless to other sessions.
 */
export async function keepShownOnce(
  text: string,
  scope: SessionScope,
  keptMs = lifetimeMs,
): Promise<string> {
  const { services: { store }, account: { session } } = scope;
  const id = newId("once");
  const key = keyOf(id, scope);
  const sealed = await store.secretBox.seal(text, contextOf(key));
  await createShownOnce(store, { id: key, owner: session.digest, sealed }, keptMs);
  return id;
}

/**
 * Takes a stored text; undefined if it was taken before, has expired, or belongs to another
 * session.
 */
export async function showOnce(
  id: string | null,
  scope: SessionScope,
): Promise<string | undefined> {
  if (id === null || id.length > 100) return undefined;
  const key = keyOf(id, scope);
  const sealed = await takeShownOnce(scope.services.store, key);
  return sealed && await scope.services.store.secretBox.open(sealed, contextOf(key));
}

function keyOf(id: string, { account: { session } }: SessionScope): string {
  return digestOf(`${id} ${session.digest}`);
}

function contextOf(key: string): string {
  return `shown once ${key}`;
}
