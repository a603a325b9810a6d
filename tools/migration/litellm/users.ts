import { readEmail } from "../../../lib/accounts/mod.ts";
import type { FieldReport } from "../field_report.ts";
import { idFrom, inventedEmail } from "../identity.ts";
import type { PlannedUser } from "../plan.ts";
import { type SourceFields, SourceObject } from "../source_object.ts";
import { boundsFields, boundsReasons, readBounds } from "./bounds.ts";
import { modelsIn, noModel } from "./teams.ts";

/** The id of the account of a user of LiteLLM. */
export function accountIdOf(userId: string): string {
  return idFrom("usr", "litellm", userId);
}

interface UserReading {
  readonly report: FieldReport;
  readonly nowMs: number;
  readonly accessGroups: ReadonlyMap<string, readonly string[]>;
}

/** A user, and the models that the user's keys without a team may use; empty for all. */
export interface ReadUser {
  readonly user: PlannedUser;
  readonly models: readonly string[];
}

/** A user as an account whose spending only budgets limit, as in LiteLLM. */
export function readUser(
  row: SourceFields,
  { report, nowMs, accessGroups }: UserReading,
): ReadUser | undefined {
  const name = String(row.user_email ?? row.user_id ?? "");
  const source = new SourceObject(row, { place: "LiteLLM_UserTable", name }, report);
  const user = userOf(source, nowMs);
  const models = modelsIn(source.list("models"), accessGroups);
  source.changed("models", "the models of the user's keys without a team");
  const isUnclear = source.isUnclear(["models"], "no model for the user's keys without a team");
  source.finish(userReasons);
  return user && { user, models: isUnclear ? [noModel] : models };
}

function userOf(source: SourceObject, nowMs: number): PlannedUser | undefined {
  const own = source.text("user_id");
  if (own === undefined) return source.unknown("user_id", "the id is missing");
  const otherEmail = inventedEmail("litellm", source.text("user_alias") ?? own, own);
  const email = readEmail(source.text("user_email") ?? "");
  if (email === undefined) source.changed("user_id", "an address that ends in .invalid");
  const { lacks, ...bounds } = readBounds(source);
  if (lacks) source.changed(lacks, "disabled: nothing of it is left");
  const isUnclear = source.isUnclear(boundsFields, "disabled");
  return {
    id: accountIdOf(own),
    email: email ?? otherEmail,
    otherEmail,
    role: roleOf(source),
    createdAtMs: source.time("created_at") ?? nowMs,
    enabled: !lacks && !isUnclear,
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
  sso_user_id: "the first sign-in connects the account again",
} as const;
