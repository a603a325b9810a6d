import type { ApiKey } from "../../../lib/store/api_keys/mod.ts";
import { digestOf, matchesPattern } from "../../../lib/store/mod.ts";
import { firstAccountId } from "../../../lib/store/users/mod.ts";
import { idFrom, takenBy, takenName, type TakenNames } from "../identity.ts";
import { type SourceFields, SourceObject } from "../source_object.ts";
import {
  accountIdOf,
  groupWithoutTeam,
  modelsIn,
  noModel,
  type PeopleReading,
} from "./accounts.ts";
import { boundsFields, boundsReasons, type Budgets, readBounds, withBudget } from "./bounds.ts";

/** Everything that a row of keys refers to. */
interface KeyReading extends PeopleReading {
  readonly budgets: Budgets;
  /** Groups by the id of their team. */
  readonly groups: ReadonlyMap<string, string>;
  /** The models of the keys without a team, by account; empty for all. */
  readonly userModels: ReadonlyMap<string, readonly string[]>;
  /** The names that are taken, by account. */
  readonly names: Map<string, TakenNames>;
}

/** The keys of LiteLLM's own dashboard, which sign its users in. */
const dashboardTeam = "litellm-dashboard";

/** A virtual key. Its digest is the same here: SHA-256 of the whole key, in hexadecimal. */
export function readKey(row: SourceFields, reading: KeyReading): ApiKey | undefined {
  const name = String(row.key_alias ?? row.key_name ?? "");
  const owner = { place: "LiteLLM_VerificationToken", name };
  const source = new SourceObject(withBudget(row, reading.budgets), owner, reading.report);
  if (row.team_id === dashboardTeam) {
    reading.report.add(owner, "team_id", "unknown", "a session of LiteLLM's own dashboard");
    return undefined;
  }
  const key = keyOf(source, reading);
  source.finish(keyReasons);
  return key;
}

function keyOf(source: SourceObject, reading: KeyReading): ApiKey | undefined {
  const token = source.text("token");
  if (token === undefined) return source.unknown("token", "the digest is missing");
  const digest = /^[0-9a-f]{64}$/.test(token) ? token : digestOf(token);
  if (digest !== token) source.changed("token", "its digest: the database has it in plain text");
  const { lacks, ...bounds } = readBounds(source);
  if (lacks) source.changed(lacks, "disabled: nothing of it is left");
  const accountId = ownerOf(source, reading);
  const expiresAtMs = source.time("expires");
  const models = modelsOf(source, accountId, reading);
  const isEnabled = mayCall(source);
  return {
    id: idFrom("key", "litellm", digest),
    accountId,
    name: takenName(source, "key_alias", {
      taken: takenBy(accountId, reading.names),
      usual: `litellm ${digest.slice(0, 8)}`,
    }),
    digest,
    ...shownOf(source),
    groupId: groupFor(source, reading),
    enabled: isEnabled && !lacks,
    ...(expiresAtMs !== undefined && { expiresAtMs }),
    ...(models.length > 0 && { models }),
    ...bounds,
    createdAtMs: source.time("created_at") ?? reading.nowMs,
    origin: "console",
  };
}

/** False for a key that may call no model, or whose fields do not say what it may do. */
function mayCall(source: SourceObject): boolean {
  const isBlocked = source.flag("blocked") === true;
  const routes = source.list("allowed_routes");
  const isForModels = routes.length === 0 || routes.some((route) => modelRoute.test(route));
  if (routes.length > 0) {
    source.changed(
      "allowed_routes",
      isForModels ? "each endpoint of its models" : "disabled: none of them calls a model",
    );
  }
  const fields = ["blocked", "expires", "models", "allowed_routes", ...boundsFields];
  return !source.isUnclear(fields, "disabled") && !isBlocked && isForModels;
}

/** A path or a group of paths that call models. */
const modelRoute =
  /llm_api|openai|anthropic|google|completions|responses|messages|embeddings|^(\/v1)?\/?\*$/;

/** A key without a team may use those of its models that its user may use. */
function modelsOf(
  source: SourceObject,
  accountId: string,
  { accessGroups, userModels }: KeyReading,
): readonly string[] {
  const own = modelsIn(source.list("models"), accessGroups);
  const users = userModels.get(accountId) ?? [];
  if (source.text("team_id") !== undefined || users.length === 0) return own;
  if (own.length === 0) return users;
  const common = [...inBoth(own, users), ...inBoth(users, own)];
  return common.length > 0 ? [...new Set(common)] : [noModel];
}

function inBoth(models: readonly string[], others: readonly string[]): readonly string[] {
  return models.filter((model) => others.some((other) => matchesPattern(other, model)));
}

function ownerOf(source: SourceObject, { userModels }: KeyReading): string {
  const user = source.text("user_id");
  const id = user === undefined ? undefined : accountIdOf(user);
  if (id !== undefined && userModels.has(id)) return id;
  if (user !== undefined) {
    source.changed("user_id", "the first administrator: the database has no such user");
  }
  return firstAccountId;
}

/** `sk-…wxyz` is all that LiteLLM keeps of a key. */
function shownOf(source: SourceObject): Pick<ApiKey, "prefix" | "lastFour"> {
  const [, lastFour = "????"] = /^sk-\.{3}(\S{4})$/.exec(source.text("key_name") ?? "") ?? [];
  return { prefix: "sk-", lastFour };
}

function groupFor(source: SourceObject, { groups }: KeyReading): string {
  const team = source.text("team_id");
  const group = team === undefined ? undefined : groups.get(team);
  if (group !== undefined) source.changed("team_id", "the group of the team");
  else if (team !== undefined) source.changed("team_id", "the default group: no such team");
  return group ?? groupWithoutTeam;
}

const keyReasons = {
  ...boundsReasons,
  aliases: "aliases are for all callers",
  config: "settings are the same for all callers",
  permissions: "a key has no permissions beyond its models",
  allowed_cache_controls: "Tessera keeps no answers",
  access_group_ids: "groups are teams here",
  project_id: "LiteLLM's projects are left out",
  agent_id: "Tessera has no agents",
  soft_budget_cooldown: "it is a state of LiteLLM's alerts",
  last_active: "the last use is not known yet",
  rotation_count: "keys are rotated in the console",
  auto_rotate: "keys are rotated in the console",
  rotation_interval: "keys are rotated in the console",
  last_rotation_at: "keys are rotated in the console",
  key_rotation_at: "keys are rotated in the console",
} as const;
