import type { AuditDraft } from "../store/audit/mod.ts";
import { digestOf, type Store } from "../store/mod.ts";
import {
  createInvitation,
  getInvitation,
  getUserByEmail,
  type Invitation,
  type InvitedSettings,
  type LinkMaker,
  listInvitations,
  type MadeBy,
  makerOfInvitation,
  redeemInvitation,
  type User,
} from "../store/users/mod.ts";
import type { AccountDeps } from "./passwords.ts";
import { passwordFault } from "../config/password.ts";
import { may, mayLetIn, mayStillGrant } from "./permissions.ts";
import { newToken } from "./secrets.ts";
import { readEmail } from "./users.ts";

const invitationLifetimeMs = 7 * 24 * 60 * 60 * 1_000;

type InvitationDraft = Pick<Invitation, "email" | "role"> & InvitedSettings;

type InvitationResult =
  | {
    readonly type: "issued";
    readonly invitation: Invitation;
    /** The secret of the link; only its digest is stored. */
    readonly token: string;
  }
  | { readonly type: "invalid"; readonly fault: "email" | "taken" }
  | { readonly type: "forbidden" };

/**
 * Issues a link with which the owner of an e-mail address creates an account. Earlier links stay
 * valid.
 */
export async function issueInvitation(
  store: Store,
  administrator: User,
  draft: InvitationDraft,
  { nowMs, tokenId, audit }: Pick<MadeBy, "tokenId"> & {
    readonly nowMs: number;
    readonly audit?: (email: string) => AuditDraft;
  },
): Promise<InvitationResult> {
  if (!may(administrator, "users:write")) return { type: "forbidden" };
  if (draft.creditNanoUsd !== undefined && !may(administrator, "wallets:write")) {
    return { type: "forbidden" };
  }
  const email = readEmail(draft.email);
  if (email === undefined) return { type: "invalid", fault: "email" };
  if (await getUserByEmail(store, email)) return { type: "invalid", fault: "taken" };
  const token = newToken();
  const expiresAtMs = nowMs + invitationLifetimeMs;
  const { id: createdBy, term } = administrator;
  const made = {
    createdBy,
    ...(term !== undefined && { term }),
    ...(tokenId !== undefined && { tokenId }),
  };
  const invitation = { ...draft, digest: digestOf(token), email, ...made, expiresAtMs };
  await createInvitation(store, invitation, { nowMs, audit: audit?.(email) });
  return { type: "issued", invitation, token };
}

/**
 * Returns the invitation of a token; undefined if it is used, expired or unknown, if the address
 * has an account, or if its maker may no longer let in a user of its role.
 */
export async function openInvitation(
  store: Store,
  token: string,
  nowMs: number,
): Promise<Invitation | undefined> {
  const invitation = await getInvitation(store, digestOf(token));
  if (invitation === undefined || !await holdsNow(store, invitation, nowMs)) return undefined;
  return await getUserByEmail(store, invitation.email) ? undefined : invitation;
}

/**
 * Returns the invitation to an e-mail address that a provider verified, the one that holds longest;
 * undefined if none holds.
 */
export async function invitationTo(
  store: Store,
  email: string,
  nowMs: number,
): Promise<Invitation | undefined> {
  const own = (await listInvitations(store))
    .filter((invitation) => invitation.email === email)
    .sort((a, b) => b.expiresAtMs - a.expiresAtMs);
  for (const invitation of own) {
    if (await holdsNow(store, invitation, nowMs)) return invitation;
  }
  return undefined;
}

async function holdsNow(store: Store, invitation: Invitation, nowMs: number): Promise<boolean> {
  return holds(invitation, await makerOfInvitation(store, invitation), nowMs);
}

function holds(
  { expiresAtMs, role, creditNanoUsd }: Invitation,
  maker: LinkMaker,
  nowMs: number,
): boolean {
  if (creditNanoUsd !== undefined && !mayStillGrant(maker)) return false;
  return expiresAtMs > nowMs && mayLetIn(maker, role, nowMs);
}

/**
 * Creates the account; only one of concurrent calls succeeds. Returns undefined if the invitation
 * is no longer valid or the password is rejected.
 */
export async function acceptInvitation(
  { store, passwords, nowMs }: AccountDeps,
  entered: {
    readonly token: string;
    readonly password: string;
    readonly audit?: (user: User) => AuditDraft;
  },
): Promise<User | undefined> {
  if (passwordFault(entered.password) !== undefined) return undefined;
  if (!await openInvitation(store, entered.token, nowMs)) return undefined;
  const passwordHash = await passwords.hash(entered.password);
  const { token, audit } = entered;
  return await redeemInvitation(store, digestOf(token), {
    passwordHash,
    holds: (invitation, maker) => holds(invitation, maker, nowMs),
    nowMs,
    audit,
  });
}
