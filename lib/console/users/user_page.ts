import { HttpError } from "fresh";
import type { UserPageData } from "../../../components/users/UserPage.tsx";
import { firstAccountId, getUser, type User } from "../../store/users/mod.ts";
import { accountValues } from "./account_form.ts";
import type { AccountState } from "../session/state.ts";
import { userRow } from "./user_rows.ts";

/** The user that an address names. Throws `HttpError` with 404 where there is none. */
export async function userAt(id: string, { services }: AccountState): Promise<User> {
  const user = id.length <= 100 ? await getUser(services.store, id) : undefined;
  if (user === undefined) throw new HttpError(404);
  return user;
}

/** Why a user's role and status stay as they are; undefined where they may be changed. */
export function fixedFor({ id }: User, { account }: AccountState): "first" | "self" | undefined {
  if (id === firstAccountId) return "first";
  return id === account.user.id ? "self" : undefined;
}

/** What the page of a user shows, but for what a form brought back. */
export async function userPageData(user: User, state: AccountState): Promise<UserPageData> {
  const row = await userRow(state.services.store, user, state.nowMs);
  const { balanceNanoUsd } = row;
  return {
    row,
    fixed: fixedFor(user, state),
    values: accountValues(user),
    funds: { balanceNanoUsd, intent: crypto.randomUUID() },
  };
}

/** An invitation as the page shows it that follows the form: once. */
export interface IssuedInvitation {
  readonly email: string;
  readonly link: string;
}
