import type { AuditChange } from "../../store/audit/mod.ts";
import type { Settings } from "../../store/catalog/mod.ts";
import { newId, type Store, unlessTaken } from "../../store/mod.ts";
import {
  createIdentity,
  createUserOfIdentity,
  defaultSpending,
  deleteIdentity,
  deletePasswordLink,
  deleteSessions,
  firstAccountId,
  getIdentity,
  getUser,
  getUserByEmail,
  type Identity,
  identityId,
  type Invitation,
  invitedSettings,
  listIdentities,
  listPasskeys,
  updateIdentity,
  updateUser,
  type User,
} from "../../store/users/mod.ts";
import { invitationTo } from "../invitations.ts";
import { resetSecondStep } from "../second_step.ts";
import {
  admissionFault,
  identityWords,
  isAssigned,
  isClaimedByEmail,
  recordRefusal,
  roleByGroups,
  type SsoArrival,
  type SsoRefusal,
} from "./admission.ts";
import type { ProvenIdentity } from "./protocol.ts";

type SsoAdmission =
  | { readonly type: "admitted"; readonly user: User }
  | { readonly type: "refused"; readonly reason: SsoRefusal };

interface At {
  readonly store: Store;
  readonly nowMs: number;
}

interface SignInAt extends At {
  readonly settings: Pick<Settings, "signUp">;
}

/**
 * Returns the user of an identity. Creates or links the account at the first sign-in and takes over
 * the role from the provider's groups, each with its audit entry in the same commit. A refusal is
 * recorded too, at most once an hour.
 */
export async function admitIdentity(
  at: SignInAt,
  arrival: SsoArrival,
): Promise<SsoAdmission> {
  const found = await findUser(at, arrival);
  if (found.type === "admitted") {
    const user = await withRole(at.store, found.user, arrival);
    return { type: "admitted", user };
  }
  const owner = await ownerOf(at.store, arrival.identity);
  await recordRefusal(at.store, arrival, { reason: found.reason, owner });
  return found;
}

/** Adds the identity to a user's account, which its session has proved. */
export async function linkIdentity(
  { store, nowMs }: At,
  arrival: SsoArrival,
  user: User,
): Promise<SsoAdmission> {
  const { provider, identity } = arrival;
  const fault = admissionFault(provider, identity);
  if (fault !== undefined) return refused(fault);
  const owner = await ownerOf(store, identity);
  if (owner !== undefined) return owner.id === user.id ? admitted(user) : refused("taken");
  return await link({ store, nowMs }, arrival, user) ? admitted(user) : refused("taken");
}

/** Returns true if the identity belongs to a user. */
export async function isOwnIdentity(
  store: Store,
  { issuer, subject }: ProvenIdentity,
  userId: string,
): Promise<boolean> {
  return (await getIdentity(store, identityId(issuer, subject)))?.userId === userId;
}

async function findUser(at: SignInAt, arrival: SsoArrival): Promise<SsoAdmission> {
  const { provider, identity } = arrival;
  const fault = admissionFault(provider, identity);
  if (fault !== undefined) return refused(fault);
  const owner = await ownerOf(at.store, identity);
  const admission = owner ? admitted(owner) : await firstSignIn(at, arrival);
  if (admission.type === "admitted" && !admission.user.enabled) return refused("disabled");
  if (owner?.enabled) await noteUse(at, arrival);
  return admission;
}

/** The user of an identity. Deletes what the interrupted deletion of a user left. */
async function ownerOf(
  store: Store,
  { issuer, subject }: ProvenIdentity,
): Promise<User | undefined> {
  const known = await getIdentity(store, identityId(issuer, subject));
  if (known === undefined) return undefined;
  const user = await getUser(store, known.userId);
  if (user === undefined) await deleteIdentity(store, known);
  return user;
}

async function firstSignIn(at: SignInAt, arrival: SsoArrival): Promise<SsoAdmission> {
  const { provider, providers, identity: { email } } = arrival;
  if (email === undefined) return refused("email");
  const isForeign = isAssigned(email, providers) && !isAssigned(email, [provider]);
  if (isForeign) return refused("elsewhere");
  const user = await getUserByEmail(at.store, email);
  if (user !== undefined) return await takeOver(at, arrival, user);
  const invitation = await invitationOf(at, email);
  const mayCreate = provider.createAccounts || invitation !== undefined;
  return mayCreate ? await create(at, arrival, { email, invitation }) : refused("unknown");
}

/** Closed sign-up disables invitations, here as on their own page. */
async function invitationOf(
  { store, nowMs, settings }: SignInAt,
  email: string,
): Promise<Invitation | undefined> {
  return settings.signUp === "closed" ? undefined : await invitationTo(store, email, nowMs);
}

/**
 * Links the member's account that has the identity's e-mail address, if nobody can sign in to the
 * account yet, or the provider is trusted with the address: then it becomes the only way in.
 */
async function takeOver(at: At, arrival: SsoArrival, user: User): Promise<SsoAdmission> {
  const owner = await ownerOf(at.store, arrival.identity);
  if (owner !== undefined) return admitted(owner); // the same first sign-in in another tab
  if (!isClaimedByEmail(user)) return refused("exists");
  const isFree = await isUnclaimed(at.store, user);
  if (!isFree && !isAssigned(user.email, [arrival.provider])) return refused("exists");
  if (!user.enabled) return refused("disabled");
  const current = isFree ? user : await removeFormerSignIn(at.store, arrival, user);
  await deletePasswordLink(at.store, user.id);
  await deleteSessions(at.store, user.id); // also those that an interrupted attempt left
  const isLinked = await link(at, arrival, user, { holds: isClaimedByEmail });
  return isLinked ? admitted(current) : refused("taken");
}

/** Returns true for an account that an administrator created and nobody has used. */
async function isUnclaimed(store: Store, { id, passwordHash }: User): Promise<boolean> {
  if (passwordHash !== undefined) return false;
  const [passkeys, identities] = await Promise.all([
    listPasskeys(store, id),
    listIdentities(store, id),
  ]);
  return passkeys.length === 0 && identities.length === 0;
}

async function link(
  { store, nowMs }: At,
  arrival: SsoArrival,
  user: User,
  { holds }: Pick<Parameters<typeof createIdentity>[2] & object, "holds"> = {},
): Promise<boolean> {
  const changes = [{ field: "identity", after: identityWords(arrival) }];
  const audit = arrival.draft(user, { action: "changed", changes });
  return await createIdentity(store, recordOf(arrival, user.id, nowMs), { holds, audit });
}

/** The settings are those of the invitation. Only the provider's groups make an administrator. */
async function create(
  { store, nowMs }: At,
  arrival: SsoArrival,
  { email, invitation }: { readonly email: string; readonly invitation: Invitation | undefined },
): Promise<SsoAdmission> {
  const id = newId("usr");
  const role = roleByGroups(arrival.provider, arrival.identity) ?? "member";
  const settings = invitation ? invitedSettings(invitation) : { spending: defaultSpending(id) };
  const user: User = { id, email, role, ...settings, createdAtMs: nowMs, enabled: true };
  const changes: AuditChange[] = [
    { field: "role", after: role },
    { field: "identity", after: identityWords(arrival) },
  ];
  const audit = arrival.draft(user, { action: "joined", changes });
  const identity = recordOf(arrival, id, nowMs);
  const saved = await unlessTaken(
    createUserOfIdentity(store, user, { identity, invitation, audit }),
  );
  const present = saved === "taken" ? await ownerOf(store, arrival.identity) : user; // as above
  return present ? admitted(present) : refused("exists");
}

/** The first administrator's role is fixed. */
async function withRole(store: Store, user: User, arrival: SsoArrival): Promise<User> {
  const role = roleByGroups(arrival.provider, arrival.identity);
  if (role === undefined || role === user.role || user.id === firstAccountId) return user;
  const reason = `${arrival.provider.name}: ${arrival.provider.groupsClaim}`;
  const changed = await updateUser(store, user.id, (current) => ({ ...current, role }), {
    audit: (before, after) => {
      if (before.role === after.role) return undefined;
      const changes = [{ field: "role", before: before.role, after: after.role }];
      return arrival.draft(user, { action: "changed", changes, reason });
    },
  });
  return changed ?? user;
}

async function noteUse({ store, nowMs }: At, { provider, identity }: SsoArrival): Promise<void> {
  const { issuer, subject, email } = identity;
  await updateIdentity(store, identityId(issuer, subject), (current) => ({
    ...current,
    ...(email !== undefined && { email }),
    provider: provider.id,
    lastUsedAtMs: nowMs,
  }));
}

function recordOf(
  { provider, identity: { issuer, subject, email } }: SsoArrival,
  userId: string,
  nowMs: number,
): Identity {
  return {
    id: identityId(issuer, subject),
    issuer,
    subject,
    userId,
    provider: provider.id,
    ...(email !== undefined && { email }),
    createdAtMs: nowMs,
    lastUsedAtMs: nowMs,
  };
}

function admitted(user: User): SsoAdmission {
  return { type: "admitted", user };
}

function refused(reason: SsoRefusal): SsoAdmission {
  return { type: "refused", reason };
}

/**
 * Removes every way in to an account whose address nobody has proved until now: the password, the
 * sessions, passkeys and one-time codes, and identities whose provider does not assign the address.
 * Otherwise a stranger who signed up with the address would share the account with its real owner.
 * Returns the user. An interruption leaves an account that the next sign-in links.
 */
async function removeFormerSignIn(
  store: Store,
  { draft, providers }: SsoArrival,
  user: User,
): Promise<User> {
  const changes = [
    ...user.passwordHash === undefined ? [] : [{ field: "password", after: "reset" }],
    { field: "secondStep", after: "reset" },
  ];
  const audit = draft(user, { action: "changed", changes });
  const changed = await updateUser(store, user.id, ({ passwordHash: _, ...kept }) => kept, {
    audit,
  });
  for (const identity of await listIdentities(store, user.id)) {
    const own = providers.filter(({ id }) => id === identity.provider);
    const isProved = identity.email === user.email && isAssigned(user.email, own);
    if (!isProved) await deleteIdentity(store, identity);
  }
  await resetSecondStep(store, user.id);
  return changed ?? user;
}
