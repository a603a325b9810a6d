import { addAuditEntry, type AuditOptions } from "../audit/audit_entry.ts";
import { keys } from "../keys.ts";
import { digestOf } from "../kv/digest.ts";
import { StoreError } from "../kv/error.ts";
import type { Store } from "../kv/store.ts";
import { addStartingCredit } from "./invited.ts";
import type { Invitation } from "./one_time_links.ts";
import { ownedRecords } from "./owned_records.ts";
import { addUser, getUser, type User } from "./user.ts";

/** A user's account at a sign-in provider. Contains no secret. */
export interface Identity {
  /** `identityId` of issuer and subject. */
  readonly id: string;
  readonly issuer: string;
  /** The provider's own, unchanging name of the user. */
  readonly subject: string;
  readonly userId: string;
  /** The id of the provider in the configuration at the last sign-in. */
  readonly provider: string;
  /** The address that the provider last verified. */
  readonly email?: string;
  readonly createdAtMs: number;
  readonly lastUsedAtMs?: number;
}

/** SHA-256 of issuer and subject, in hexadecimal: a provider may be renamed in the configuration. */
export function identityId(issuer: string, subject: string): string {
  return digestOf(JSON.stringify([issuer, subject]));
}

const identities = ownedRecords<Identity>(
  { name: "identity", version: 1 },
  { at: keys.identity, ofUser: keys.identitiesOfUser },
);

export const {
  get: getIdentity,
  list: listIdentities,
  update: updateIdentity,
  remove: deleteIdentity,
} = identities;

/** Returns false if the identity already belongs to a user, or its user changes or does not hold. */
export async function createIdentity(
  store: Store,
  identity: Identity,
  { holds = () => true, audit }: AuditOptions & {
    readonly holds?: (user: User) => boolean;
  } = {},
): Promise<boolean> {
  const entry = await store.kv.get(keys.user(identity.userId));
  const user = await getUser(store, identity.userId);
  if (user === undefined || !holds(user)) return false;
  const operation = identities.add(store.kv.atomic().check(entry), identity);
  return (await addAuditEntry(operation, audit).commit()).ok;
}

/**
 * Creates a user together with the identity, in one commit, which uses up an invitation. Throws
 * `already_exists` if the address or the identity is taken, or the invitation is gone.
 */
export async function createUserOfIdentity(
  store: Store,
  user: User,
  { identity, invitation, audit }: AuditOptions & {
    readonly identity: Identity;
    readonly invitation?: Pick<Invitation, "digest" | "createdBy" | "creditNanoUsd">;
  },
): Promise<void> {
  const operation = identities.add(addUser(store.kv.atomic(), user), identity);
  if (invitation) {
    const entry = await store.kv.get(keys.invitation(invitation.digest));
    if (entry.value === null) throw taken(user);
    operation.check(entry).delete(entry.key);
    await addStartingCredit(store, operation, invitation, user);
  }
  if (!await store.commitChange(addAuditEntry(operation, audit))) throw taken(user);
}

function taken({ email }: User): StoreError {
  return new StoreError("already_exists", `Cannot save user: ${email} already has an account`);
}
