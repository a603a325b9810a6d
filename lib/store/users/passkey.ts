import { addAuditEntry, type AuditOptions } from "../audit/audit_entry.ts";
import { keys } from "../keys.ts";
import type { Store } from "../kv/store.ts";
import { ownedRecords } from "./owned_records.ts";

/** A passkey, which WebAuthn calls a credential. It contains no secret. */
export interface Passkey {
  /** SHA-256 of the credential's id, in hexadecimal. */
  readonly id: string;
  /** In base64url, as browsers write it. */
  readonly credentialId: string;
  readonly userId: string;
  /** The host that it was made for; it signs in to no other. */
  readonly rpId: string;
  /** In COSE, as base64url. */
  readonly publicKey: string;
  /** The authenticator's signature counter; always 0 if it does not count. */
  readonly counter: number;
  readonly transports: readonly string[];
  /** The owner's name for it. */
  readonly name: string;
  /** True if it is synced between devices. */
  readonly isSynced: boolean;
  readonly createdAtMs: number;
  readonly lastUsedAtMs?: number;
}

const passkeys = ownedRecords<Passkey>(
  { name: "passkey", version: 1 },
  { at: keys.passkey, ofUser: keys.passkeysOfUser },
);

export const {
  get: getPasskey,
  list: listPasskeys,
  update: updatePasskey,
  remove: deletePasskey,
} = passkeys;

/** Returns false if the credential is already registered, to any user. */
export async function createPasskey(
  store: Store,
  passkey: Passkey,
  { audit }: AuditOptions = {},
): Promise<boolean> {
  const operation = passkeys.add(store.kv.atomic(), passkey);
  return (await addAuditEntry(operation, audit).commit()).ok;
}
