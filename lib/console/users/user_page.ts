import { HttpError } from "fresh";
import { maySignInLocally } from "../../accounts/mod.ts";
import { firstAccountId, getUser, type User } from "../../store/users/mod.ts";
import type { AccountState, ActingState } from "../session/state.ts";
import { linkedIdentities, type LinkedIdentity } from "../sign_in/linked_identities.ts";
import { type AccountFaults, type AccountValues, accountValues } from "./account_form.ts";
import { type UserRow, userRow } from "./user_list.ts";

export const fundsKinds = ["grant", "add", "take"] as const;
type FundsKind = typeof fundsKinds[number];

/** The values of the form that changes a balance, with its errors in the language of the page. */
export interface FundsFormData {
  readonly balanceNanoUsd: bigint;
  /** New for each rendered form, so that a repeated post changes the balance only once. */
  readonly intent: string;
  readonly kind?: FundsKind;
  readonly amount?: string;
  readonly reason?: string;
  readonly faults?: Readonly<Partial<Record<"amount" | "reason", string>>>;
}

/** The data of the page of one user. */
export interface UserPageData {
  readonly row: UserRow;
  /** The user's accounts at sign-in providers. */
  readonly identities: readonly LinkedIdentity[];
  /** True if the user may sign in by password. */
  readonly isLocal: boolean;
  /** The reason why role and status cannot be changed; absent if they can. */
  readonly fixed?: "first" | "self";
  readonly values: AccountValues;
  readonly faults?: AccountFaults;
  readonly funds: FundsFormData;
}

/** The user in the address. Throws `HttpError` with 404 if there is none. */
export async function userAt(id: string, { services }: AccountState): Promise<User> {
  const user = id.length <= 100 ? await getUser(services.store, id) : undefined;
  if (user === undefined) throw new HttpError(404);
  return user;
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
 * The user in the address, whose role and status can be changed. Throws `HttpError` with 404 if
 * there is none.
 */
export async function changeableUser(id: string, state: AccountState): Promise<User> {
  const user = await userAt(id, state);
  if (fixedFor(user, state)) throw new HttpError(404);
  return user;
}

/** The data of a user's page, except for a posted form. */
export async function userPageData(user: User, state: AccountState): Promise<UserPageData> {
  const row = await userRow(state.services.store, user, state.nowMs);
  const { balanceNanoUsd } = row;
  return {
    row,
    identities: await linkedIdentities(state.services, user.id),
    isLocal: maySignInLocally(user, state.services.localSignIn),
    fixed: fixedFor(user, state),
    values: accountValues(user),
    funds: { balanceNanoUsd, intent: crypto.randomUUID() },
  };
}

/** A new invitation, shown once after the form is posted. */
export interface IssuedInvitation {
  readonly email: string;
  readonly link: string;
}
