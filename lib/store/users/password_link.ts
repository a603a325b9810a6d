import { z } from "zod";
import { addAuditEntry, type AuditOptions } from "../audit/audit_entry.ts";
import { keys } from "../keys.ts";
import { encodeRecord, getRecord, type Kind } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";

/** A one-time right to set one user's password. */
interface PasswordLink {
  /** SHA-256 of the link's token, in hexadecimal. */
  readonly digest: string;
  readonly userId: string;
  /** The id of the administrator. */
  readonly createdBy: string;
  /** The hash of the password when the link was created; once it changes, the link is invalid. */
  readonly passwordHash?: string;
  readonly expiresAtMs: number;
}

const kind: Kind<PasswordLink> = {
  name: "password link",
  version: 1,
  schema: z.object({
    digest: z.string(),
    userId: z.string(),
    createdBy: z.string(),
    passwordHash: z.string().optional(),
    expiresAtMs: z.number(),
  }),
};

/** Stores a link by its digest; the store forgets it when it expires. */
export async function createPasswordLink(
  store: Store,
  link: PasswordLink,
  { nowMs, audit }: AuditOptions & { readonly nowMs: number },
): Promise<void> {
  const expireIn = Math.max(1, link.expiresAtMs - nowMs);
  const operation = store.kv.atomic()
    .set(keys.passwordLink(link.digest), encodeRecord(kind, link), { expireIn });
  await addAuditEntry(operation, audit).commit();
}

/** Returns a link, possibly one that has just expired: Deno KV deletes late. */
export function getPasswordLink(store: Store, digest: string): Promise<PasswordLink | undefined> {
  return getRecord(store, kind, keys.passwordLink(digest));
}

/** Uses up a link. Returns true for only one of any concurrent callers. */
export async function takePasswordLink(store: Store, digest: string): Promise<boolean> {
  const entry = await store.kv.get(keys.passwordLink(digest));
  if (entry.value === null) return false;
  const { ok } = await store.kv.atomic().check(entry).delete(entry.key).commit();
  return ok;
}
