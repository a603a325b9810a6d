import { defaultGroupId, type Group } from "../../../lib/store/catalog/mod.ts";
import type { FieldReport } from "../field_report.ts";
import { nameFrom } from "../identity.ts";
import { type SourceFields, SourceObject } from "../source_object.ts";
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

/** A team as a group: its models, and the limits of all its keys together. */
export function readTeam(
  row: SourceFields,
  { report, accessGroups }: {
    readonly report: FieldReport;
    readonly accessGroups: ReadonlyMap<string, readonly string[]>;
  },
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
