import { readEmail } from "../../../lib/accounts/mod.ts";
import { defaultGroupId, type Group } from "../../../lib/store/catalog/mod.ts";
import { idFrom, inventedEmail, nameFrom } from "../identity.ts";
import type { PlannedUser } from "../plan.ts";
import { type FieldReport, type SourceFields, SourceObject } from "../source_object.ts";
import { boundsFields, boundsReasons, readBounds } from "./bounds.ts";

/** Names that mean all models. */
const wholeNames = new Set(["all-proxy-models", "all-team-models", "*"]);
export const noModel = "no-default-models";

/** The models that a list names, with access groups replaced by theirs; empty for all. */
export function modelsIn(
  names: readonly string[],
  accessGroups: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  if (names.some((name) => wholeNames.has(name))) return [];
  return [...new Set(names.flatMap((name) => accessGroups.get(name) ?? [name]))];
}

/** Everything that a row of teams or of users refers to. */
export interface PeopleReading {
  readonly report: FieldReport;
  readonly nowMs: number;
  /** The models of each access group. */
  readonly accessGroups: ReadonlyMap<string, readonly string[]>;
}

/** A team as a group: its models, and the limits of all its keys together. */
export function readTeam(
  row: SourceFields,
  { report, accessGroups }: PeopleReading,
): Group | undefined {
  const id = typeof row.team_id === "string" ? row.team_id : "";
  const name = typeof row.team_alias === "string" ? row.team_alias : id;
  const team = new SourceObject(row, { place: "LiteLLM_TeamTable", name }, report);
  const group = groupOf(team, accessGroups);
  team.finish(teamReasons);
  return group;
}

function groupOf(
  team: SourceObject,
  accessGroups: ReadonlyMap<string, readonly string[]>,
): Group | undefined {
  const own = team.text("team_id");
  if (own === undefined) return team.unknown("team_id", "the id is missing");
  const alias = team.text("team_alias");
  const { lacks, ...bounds } = readBounds(team);
  const models = modelsIn(team.list("models"), accessGroups);
  const isBlocked = team.flag("blocked") === true;
  if (isBlocked) team.changed("blocked", "a group without models");
  if (lacks) team.changed(lacks, "a group without models: nothing of it is left");
  const isUnclear = team.isUnclear(
    ["blocked", "models", ...boundsFields],
    "a group without models",
  );
  return {
    // names of teams are not unique
    id: alias === undefined
      ? nameFrom("litellm", own)
      : nameFrom("litellm", alias, `${alias} ${own}`),
    models: isBlocked || lacks || isUnclear ? [noModel] : models.length > 0 ? models : ["*"],
    formats: ["*"],
    priceRatio: 1,
    allowUnpriced: true, // LiteLLM serves models without a price
    ...bounds,
    origin: "console",
  };
}

/** The group of keys without a team. */
export const groupWithoutTeam = defaultGroupId;

const teamReasons = {
  ...boundsReasons,
  members: "keys say who uses a group",
  members_with_roles: "keys say who uses a group",
  admins: "only administrators manage groups",
  team_member_permissions: "only administrators manage groups",
  created_at: "a group has no date",
  model_id: "aliases are for all callers",
} as const;

/** The id of the account of a user of LiteLLM. */
export function accountIdOf(userId: string): string {
  return idFrom("usr", "litellm", userId);
}

/** A user, and the models that the user's keys without a team may use; empty for all. */
interface ReadUser {
  readonly user: PlannedUser;
  readonly models: readonly string[];
}

/** A user as an account whose spending only budgets limit, as in LiteLLM. */
export function readUser(
  row: SourceFields,
  { report, nowMs, accessGroups }: PeopleReading,
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
