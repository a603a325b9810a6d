import { readEmail } from "../../../lib/accounts/mod.ts";
import type { FieldReport } from "../field_report.ts";
import { idFrom, inventedEmail } from "../identity.ts";
import type { PlannedUser } from "../plan.ts";
import { type SourceFields, SourceObject } from "../source_object.ts";
import { boundsReasons, readBounds } from "./bounds.ts";

/** The id of the account of a user of LiteLLM. */
export function accountIdOf(userId: string): string {
  return idFrom("usr", "litellm", userId);
}

/** A user as an account whose spending only budgets limit, as in LiteLLM. */
export function readUser(
  row: SourceFields,
  { report, nowMs }: { readonly report: FieldReport; readonly nowMs: number },
): PlannedUser | undefined {
  const name = String(row.user_email ?? row.user_id ?? "");
  const source = new SourceObject(row, { place: "LiteLLM_UserTable", name }, report);
  const user = userOf(source, nowMs);
  source.finish(userReasons);
  return user;
}

function userOf(source: SourceObject, nowMs: number): PlannedUser | undefined {
  const own = source.text("user_id");
  if (own === undefined) return source.unknown("user_id", "the id is missing");
  const otherEmail = inventedEmail("litellm", source.text("user_alias") ?? own, own);
  const email = readEmail(source.text("user_email") ?? "");
  if (email === undefined) source.changed("user_id", "an address that ends in .invalid");
  const { isSpent, ...bounds } = readBounds(source);
  if (isSpent) source.changed("max_budget", "disabled: its budget is used up");
  return {
    id: accountIdOf(own),
    email: email ?? otherEmail,
    otherEmail,
    role: roleOf(source),
    createdAtMs: source.time("created_at") ?? nowMs,
    enabled: !isSpent,
    spending: "unlimited",
    ...bounds,
  };
}

function roleOf(source: SourceObject): PlannedUser["role"] {
  const role = source.text("user_role");
  if (role === "proxy_admin") {
    source.changed("user_role", "administrator");
    return "administrator";
  }
  if (role !== undefined) source.changed("user_role", "member");
  return "member";
}

const userReasons = {
  ...boundsReasons,
  password: "users set a new one with a link from the console",
  user_alias: "an account has its address only",
  teams: "keys say which group they use",
  team_id: "keys say which group they use",
  models: "groups and keys say which models they may use",
  sso_user_id: "the first sign-in connects the account again",
} as const;
