import { z } from "zod";
import { keys } from "./keys.ts";
import { decodeRecord, encodeRecord, type Kind } from "./record.ts";
import type { Store } from "./store.ts";

/** A form that was posted and waits until its sender has proved who it is. */
export interface HeldForm {
  /** SHA-256 of the token by which it is asked for, in hexadecimal. */
  readonly digest: string;
  /** What was posted, sealed: there may be a secret in it. */
  readonly sealed: string;
}

const kind: Kind<HeldForm> = {
  name: "held form",
  version: 1,
  schema: z.object({ digest: z.string(), sealed: z.string() }),
};

/** The store forgets it after `lifetimeMs`. */
export async function createHeldForm(
  store: Store,
  form: HeldForm,
  lifetimeMs: number,
): Promise<void> {
  await store.kv.set(keys.heldForm(form.digest), encodeRecord(kind, form), {
    expireIn: lifetimeMs,
  });
}

/** Takes it out: of any number that race, exactly one gets it. */
export async function takeHeldForm(store: Store, digest: string): Promise<HeldForm | undefined> {
  const entry = await store.kv.get(keys.heldForm(digest));
  if (entry.value === null) return undefined;
  const { ok } = await store.kv.atomic().check(entry).delete(entry.key).commit();
  return ok ? decodeRecord(kind, entry.value) : undefined;
}
