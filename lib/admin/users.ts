import {
  issueInvitation,
  issuePasswordLink,
  removeUser,
  resetSecondStep,
} from "../accounts/mod.ts";
import { usdText } from "../canonical/mod.ts";
import { unlessTaken } from "../store/mod.ts";
import {
  createUser,
  deleteInvitation,
  deleteSession,
  deleteSessions,
  firstAccountId,
  type Invitation,
  type InvitedSettings,
  listSessions,
  type Session,
  updateUser,
  type User,
} from "../store/users/mod.ts";
import {
  type ActingState,
  auditChanges,
  type AuditContext,
  auditEntry,
  type AuditWords,
  changesBetween,
  checkedEntry,
  type RecordCheck,
} from "./audit.ts";
import type { BoundsField } from "./bound_names.ts";
import { boundsValues, boundsWords } from "./bounds.ts";

/** The settings of an account that administrators change. */
export type AccountSettings = Pick<User, "role" | "spending" | "budgets" | "limits">;

export type AccountField = "role" | "spending" | BoundsField;

export type AccountValues = Readonly<Record<AccountField, string>>;

export const spendings = ["prepaid", "unlimited"] as const;

/** The form's values for an existing account. */
export function accountValues({ role, spending, ...bounds }: AccountSettings): AccountValues {
  return { role, spending, ...boundsValues(bounds) };
}

/** Creates a user. Returns `taken` if the address has an account. */
export function createAccount(ctx: AuditContext, user: User): Promise<void | "taken"> {
  const changes = changesBetween({}, userWords(user));
  const audit = auditEntry(ctx, { ...factsOf(user), action: "created", changes });
  return unlessTaken(createUser(ctx.state.services.store, user, { audit }));
}

/** Changes a user's settings. Returns undefined if the user is gone. */
export function changeUser(
  ctx: AuditContext,
  user: User,
  change: (current: User) => User,
): Promise<User | undefined> {
  const audit = auditChanges(ctx, { ...factsOf(user), action: "changed" }, userWords);
  return updateUser(ctx.state.services.store, user.id, change, { audit });
}

/** Enables or disables a user; a disabled one is signed out. Returns undefined if the user is gone. */
export async function setUserEnabled(
  ctx: AuditContext,
  user: User,
  { enabled, check }: { readonly enabled: boolean; readonly check?: RecordCheck<User> },
): Promise<User | undefined> {
  const { store } = ctx.state.services;
  const audit = auditEntry(ctx, { ...factsOf(user), action: enabled ? "enabled" : "disabled" });
  const saved = await updateUser(store, user.id, (current) => {
    check?.(current);
    return { ...current, enabled };
  }, { audit });
  if (!enabled) await deleteSessions(store, user.id);
  return saved;
}

/** Deletes a user with all keys, tokens and sessions. Returns false if the user is gone. */
export function deleteAccount(
  ctx: AuditContext,
  user: User,
  check?: RecordCheck<User>,
): Promise<boolean> {
  const audit = checkedEntry(ctx, { ...factsOf(user), action: "deleted" }, check);
  return removeUser(ctx.state.services.store, user.id, { audit });
}

/** Signs a user out everywhere but in one session. */
export async function signOutEverywhere(
  ctx: AuditContext,
  user: User,
  exceptDigest?: string,
): Promise<void> {
  const audit = auditEntry(ctx, { ...factsOf(user), action: "signed-out" });
  await deleteSessions(ctx.state.services.store, user.id, { exceptDigest, audit });
}

/** Ends one session of a user, which `sessionId` names; nothing happens if it has ended. */
export async function signOut(
  ctx: AuditContext,
  user: User,
  { wanted, exceptDigest }: { readonly wanted: string; readonly exceptDigest: string },
): Promise<void> {
  const { store } = ctx.state.services;
  const ended = (await listSessions(store, user.id)).find((one) => sessionId(one) === wanted);
  if (!ended || ended.digest === exceptDigest) return;
  const audit = auditEntry(ctx, { ...factsOf(user), action: "signed-out" });
  await deleteSession(store, ended.digest, { audit });
}

/** Removes a user's one-time codes and passkeys, and ends all sessions but one. */
export async function resetSecondSteps(
  ctx: AuditContext,
  user: User,
  exceptDigest?: string,
): Promise<void> {
  const changes = [{ field: "secondStep", after: "reset" }];
  const audit = auditEntry(ctx, { ...factsOf(user), action: "changed", changes });
  await resetSecondStep(ctx.state.services.store, user.id, { audit, exceptDigest });
}

/** Issues a link with which a user sets a new password. Returns its token. */
export function makePasswordLink(ctx: AuditContext, user: User): Promise<string> {
  const { services: { store }, account, nowMs } = ctx.state;
  const changes = [{ field: "passwordLink", after: "made" }];
  const audit = auditEntry(ctx, { ...factsOf(user), action: "changed", changes });
  const { user: { id: createdBy, term }, token } = account;
  const made = { createdBy, term, tokenId: token?.id };
  return issuePasswordLink(store, { user, ...made, audit }, nowMs);
}

/** Issues an invitation, with its link's token. */
export function invite(
  ctx: AuditContext,
  draft: Pick<Invitation, "email" | "role"> & InvitedSettings,
): ReturnType<typeof issueInvitation> {
  const { services: { store }, account, nowMs } = ctx.state;
  const changes = changesBetween({}, invitationWords(draft));
  const audit = (email: string) => {
    const target = { targetId: email, targetName: email };
    return auditEntry(ctx, { kind: "user", action: "invited", ...target, changes });
  };
  const tokenId = account.token?.id;
  return issueInvitation(store, account.user, draft, { nowMs, tokenId, audit });
}

function invitationWords(
  { role, projectId: project, groupId: group, creditNanoUsd, spending, ...bounds }:
    & Pick<Invitation, "role">
    & InvitedSettings,
): AuditWords {
  const amount = creditNanoUsd === undefined ? undefined : usdText(creditNanoUsd);
  return { role, spending, project, group, amount, ...boundsWords(bounds) };
}

/** Returns true for an account whose first call its empty wallet refuses. */
export function startsEmpty(
  { spending, creditNanoUsd }: Pick<InvitedSettings, "spending" | "creditNanoUsd">,
): boolean {
  return spending === "prepaid" && creditNanoUsd === undefined;
}

/** Revokes an invitation. Returns false if it is gone. */
export function revokeInvitation(
  ctx: AuditContext,
  { digest, email }: Invitation,
): Promise<boolean> {
  const changes = [{ field: "invitation", before: "open" }];
  const facts = { kind: "user", targetId: email, targetName: email, changes } as const;
  const audit = auditEntry(ctx, { ...facts, action: "deleted" });
  return deleteInvitation(ctx.state.services.store, digest, { audit });
}

/** A user in words, for the audit log. */
export function userWords({ role, spending, ...user }: User): AuditWords {
  const { budgetZone, ...bounds } = boundsWords(user);
  return { budgetZone, role, spending, ...bounds };
}

function factsOf({ id, email }: Pick<User, "id" | "email">) {
  return { kind: "user", targetId: id, targetName: email } as const;
}

/** The reason why a user's role and status are fixed; undefined if they can be changed. */
export function fixedFor(
  { id }: User,
  { account }: Pick<ActingState, "account">,
): "first" | "self" | undefined {
  if (id === firstAccountId) return "first";
  return id === account.user.id ? "self" : undefined;
}

/**
 * The name of a session in a form: a prefix of its digest that identifies it within the account.
 */
export function sessionId({ digest }: Pick<Session, "digest">): string {
  return digest.slice(0, 16);
}
