import { readEmail } from "../../../lib/accounts/mod.ts";
import { idFrom, inventedEmail } from "../identity.ts";
import type { PlannedGrant, PlannedUser } from "../plan.ts";
import { type FieldReport, type SourceFields, SourceObject } from "../source_object.ts";

const enabled = 1;
/** From this role on, new-api's users are administrators. */
const administratorRole = 10;

/** The id of the account of a user of new-api. */
export function accountIdOf(userId: string): string {
  return idFrom("usr", "new-api", userId);
}

/** Everything that a row of users refers to. */
export interface UserReading {
  readonly report: FieldReport;
  readonly nowMs: number;
  readonly quotaPerUnit: number;
}

/** A user with a prepaid balance. */
interface ReadUser {
  readonly user: PlannedUser;
  readonly grant?: PlannedGrant;
}

/** Undefined for a deleted user. */
export function readUser(row: SourceFields, reading: UserReading): ReadUser | undefined {
  const owner = { place: "users", name: String(row.username ?? row.id ?? "") };
  const source = new SourceObject(row, owner, reading.report);
  if (source.text("deleted_at") !== undefined) {
    reading.report.add(owner, "deleted_at", "changed", "left out: the user is deleted");
    return undefined;
  }
  const read = userOf(source, reading);
  source.finish(userReasons);
  return read;
}

function userOf(
  source: SourceObject,
  { nowMs, quotaPerUnit }: UserReading,
): ReadUser | undefined {
  const own = source.text("id");
  if (own === undefined) return source.unknown("id", "the id is missing");
  const id = accountIdOf(own);
  const createdAt = source.number("created_at") ?? 0;
  const user: PlannedUser = {
    id,
    ...addressOf(source, own),
    ...passwordOf(source),
    role: roleOf(source),
    createdAtMs: createdAt > 0 ? createdAt * 1_000 : nowMs,
    enabled: isEnabled(source),
    spending: "prepaid",
  };
  source.changed("group", "the group of the user's keys");
  source.text("group");
  const nanoUsd = nanoOfQuota(source.number("quota") ?? 0, quotaPerUnit);
  source.changed("quota", nanoUsd < 0n ? "a balance of $0: it is below" : "a balance in USD");
  const reason = "Balance in new-api";
  return { user, ...(nanoUsd > 0n && { grant: { accountId: id, nanoUsd, reason } }) };
}

function addressOf(source: SourceObject, own: string): Pick<PlannedUser, "email" | "otherEmail"> {
  const name = source.text("username") ?? own;
  const otherEmail = inventedEmail("new-api", name, own);
  const email = readEmail(source.text("email") ?? "");
  source.changed("username", email ? "users sign in with their address" : invented);
  return { email: email ?? otherEmail, otherEmail };
}

function isEnabled(source: SourceObject): boolean {
  const status = source.number("status") ?? enabled;
  return !source.isUnclear(["status"], "disabled") && status === enabled;
}

const invented = "an address that ends in .invalid: the user has none";

/** Higher costs block the check of passwords for seconds. */
const bcrypt = /^\$2[aby]?\$(0[4-9]|1[0-2])\$[./A-Za-z0-9]{53}$/;

/** The hash stays until the user signs in. */
function passwordOf(source: SourceObject): Pick<PlannedUser, "passwordHash"> {
  const passwordHash = source.text("password");
  if (passwordHash === undefined) return {};
  if (bcrypt.test(passwordHash)) {
    source.changed("password", "hashed with argon2id at the first sign-in");
    return { passwordHash };
  }
  source.unknown("password", "it is not a hash of bcrypt: the user sets a new one with a link");
  return {};
}

function roleOf(source: SourceObject): PlannedUser["role"] {
  const role = source.number("role") ?? 1;
  source.changed("role", role >= administratorRole ? "administrator" : "member");
  return role >= administratorRole ? "administrator" : "member";
}

const signsIn = "the account signs in with its address and password";
const invites = "Tessera has no rewards for invitations";

const userReasons = {
  display_name: "an account has its address only",
  github_id: signsIn,
  discord_id: signsIn,
  oidc_id: signsIn,
  wechat_id: signsIn,
  telegram_id: signsIn,
  linux_do_id: signsIn,
  access_token: "it is a key of new-api's own management API",
  used_quota: "the log starts empty",
  request_count: "the log starts empty",
  aff_code: invites,
  aff_count: invites,
  aff_quota: invites,
  aff_history: invites,
  inviter_id: invites,
  stripe_customer: "payments begin with an empty history",
  auth_version: "sessions end with the move",
  last_login_at: "the last sign-in is not known yet",
  setting: "users choose their settings again",
  remark: "an account has no remark",
} as const;

/** Nano-dollars of a quota, rounded down. */
export function nanoOfQuota(quota: number, quotaPerUnit: number): bigint {
  const perQuota = 1_000_000_000 / quotaPerUnit; // 2,000 for the usual 500,000
  if (Number.isSafeInteger(perQuota)) return BigInt(Math.trunc(quota)) * BigInt(perQuota);
  return BigInt(Math.floor(quota * perQuota));
}
