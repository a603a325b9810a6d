import { HttpError } from "fresh";
import { maySignInLocally } from "../../accounts/mod.ts";
import { boundsOfSubject } from "../../admin/effective_bounds.ts";
import type { FormFaults } from "../../admin/fault_text.ts";
import type { FaultCode } from "../../admin/faults.ts";
import { type AccountValues, accountValues, fixedFor } from "../../admin/users.ts";
import type { EffectiveBounds } from "../../ledger/mod.ts";
import { subjects } from "../../store/usage/mod.ts";
import { getUser, listSessions, type Session, type User } from "../../store/users/mod.ts";
import { readRecordingState, type RecordingState } from "../calls/recordings.ts";
import { type KeyListRow, keyRowsOf } from "../keys/key_list.ts";
import { readSubjectUsage, type SteppedUsage } from "../keys/subject_usage.ts";
import type { Flash } from "../page/flash.ts";
import { longestPeriod, type PeriodSpan, spanOf } from "../page/period.ts";
import { recordAt, tryLoad } from "../page/reading.ts";
import type { AccountState } from "../session/state.ts";
import { linkedIdentities, type LinkedIdentity } from "../sign_in/linked_identities.ts";
import type { AccountFaults } from "./account_form.ts";
import { readUserRow, type SeenUserRow } from "./user_list.ts";

export const fundsKinds = ["grant", "add", "take"] as const;
type FundsKind = typeof fundsKinds[number];

/** The values of the form that changes a balance, and its faults. */
export interface FundsFormData {
  readonly balanceNanoUsd: bigint;
  /** New for each rendered form, so that a repeated post changes the balance only once. */
  readonly intent: string;
  readonly kind?: FundsKind;
  readonly amount?: string;
  readonly reason?: string;
  readonly faults?: FormFaults<"amount" | "reason", FaultCode<"user">>;
}

/** The data of the page of one user. */
export interface UserPageData {
  readonly row: SeenUserRow;
  /** The result of the last change of a key, or the user that was just disabled. */
  readonly flash?: Flash;
  /** Undefined values could not be read. */
  readonly keys?: readonly KeyListRow[];
  /** By key. */
  readonly usage?: SteppedUsage;
  readonly recording: RecordingState;
  readonly bounds?: EffectiveBounds;
  readonly sessions?: readonly Session[];
  /** The session of the administrator who reads the page. */
  readonly hereDigest: string;
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

/** The user in the address. */
export const userAt = recordAt(getUser);

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
export async function userPageData(
  user: User,
  state: AccountState,
  span: PeriodSpan = spanOf(longestPeriod, state),
): Promise<UserPageData> {
  const row = await readUserRow(state.services.store, user, state.nowMs);
  const { balanceNanoUsd } = row;
  return {
    row,
    ...await usedBy(user, state, span),
    recording: await readRecordingState(state, { accountId: user.id }),
    hereDigest: state.account.session.digest,
    identities: await linkedIdentities(state.services, user.id),
    isLocal: maySignInLocally(user, state.services.localSignIn),
    fixed: fixedFor(user, state),
    values: accountValues(user),
    funds: { balanceNanoUsd, intent: crypto.randomUUID() },
  };
}

/** The usage of a user and the limits on it. */
async function usedBy(
  user: User,
  state: AccountState,
  span: PeriodSpan,
): Promise<Pick<UserPageData, "keys" | "usage" | "bounds" | "sessions">> {
  const { services: { store }, nowMs } = state;
  const { id } = user;
  const parts = { dimension: "key", scope: id } as const;
  const [keys, usage, bounds, sessions] = await Promise.all([
    tryLoad(keyRowsOf(state, id)),
    tryLoad(readSubjectUsage(store, { whole: subjects.account(id), parts }, { span, nowMs })),
    tryLoad(boundsOfSubject({ type: "account", account: user }, state)),
    tryLoad(listSessions(store, id)),
  ]);
  return { keys, usage, bounds, sessions };
}

/** A new invitation, shown once after the form is posted. */
export interface IssuedInvitation {
  readonly email: string;
  readonly link: string;
  /** True if an e-mail with the link is on its way. */
  readonly mailed: boolean;
}
