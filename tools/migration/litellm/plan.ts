import type { ApiKey } from "../../../lib/store/api_keys/mod.ts";
import type { Group, Model } from "../../../lib/store/catalog/mod.ts";
import { firstAccountId } from "../../../lib/store/users/mod.ts";
import { TakenNames } from "../identity.ts";
import type { MigrationPlan, PlannedUser } from "../plan.ts";
import { type FieldReport, isFields, parsed, type SourceFields } from "../source_object.ts";
import type { Tables } from "../tables/tables.ts";
import { type PeopleReading, readTeam, readUser } from "./accounts.ts";
import type { Budgets } from "./bounds.ts";
import { Variables } from "./config_file.ts";
import { type Deployment, type DeploymentReading, readDeployment } from "./deployments.ts";
import { readKey } from "./keys.ts";
import { masterKeyName, masterKeyOf, openerFor, openFields } from "./secrets.ts";
import { credentialsOf, readSettings } from "./settings.ts";
import { upstreamsOf } from "./upstreams.ts";

/** LiteLLM's configuration, its database and the variables of its environment. */
export interface LiteLlmSource {
  readonly config: SourceFields;
  readonly tables: Tables;
  /** From a file and from our own environment, in the order in which they are asked. */
  readonly variables: readonly SourceFields[];
}

/** The tables of LiteLLM that become records. */
export const liteLlmTables = [
  "LiteLLM_BudgetTable",
  "LiteLLM_TeamTable",
  "LiteLLM_UserTable",
  "LiteLLM_VerificationToken",
  "LiteLLM_ProxyModelTable",
  "LiteLLM_CredentialsTable",
  "LiteLLM_OrganizationTable",
  "LiteLLM_ProjectTable",
  "LiteLLM_EndUserTable",
  "LiteLLM_TeamMembership",
] as const;

/** Plans the records of LiteLLM's configuration and, if given, of its database. */
export async function planLiteLlm(
  { config, tables, variables: sources }: LiteLlmSource,
  { report, nowMs }: { readonly report: FieldReport; readonly nowMs: number },
): Promise<MigrationPlan> {
  const [file, own] = sources;
  const inConfig = config.environment_variables;
  const variables = new Variables([file, isFields(inConfig) ? inConfig : undefined, own]);
  const settings = readSettings(config, { report, variables });
  const database = await readDatabaseModels(tables, variables, settings.masterKey);
  const deployments = readDeployments(config, database, {
    report,
    variables,
    credentials: new Map([...credentialsOf(config), ...database.credentials]),
    ...(settings.totalMs !== undefined && { totalMs: settings.totalMs }),
  });
  const { upstreams, notices } = upstreamsOf(deployments);
  const people = readPeople(tables, { report, nowMs, accessGroups: accessGroupsOf(deployments) });
  return {
    ...people,
    upstreams,
    models: modelsOf(deployments, settings, nowMs),
    grants: [],
    keys: [...masterKeyOf(settings.safeMasterKey, nowMs), ...people.keys],
    notices: [
      ...notices,
      ...database.notices,
      ...missingVariables(variables),
      ...leftTables(tables),
    ],
  };
}

function readDeployments(
  { model_list }: SourceFields,
  database: DatabaseModels,
  reading: Omit<DeploymentReading, "place">,
): readonly Deployment[] {
  const inFile = { ...reading, place: "model_list[]" };
  const inDatabase = { ...reading, place: "LiteLLM_ProxyModelTable" };
  const rows = Array.isArray(model_list) ? model_list : [];
  return [
    ...rows.map((row, at) => readDeployment(row, at, inFile)),
    ...database.rows.map((row, at) => readDeployment(row, at, inDatabase)),
  ].filter((one) => one !== undefined);
}

function missingVariables({ missing }: Variables): readonly string[] {
  return missing.size === 0 ? [] : [
    `These variables are not set: ${
      [...missing].join(", ")
    }. Set them in the file of --env before ` +
    "the import, to take their values over",
  ];
}

interface People {
  readonly groups: readonly Group[];
  readonly users: readonly PlannedUser[];
  readonly keys: readonly ApiKey[];
}

function readPeople(tables: Tables, reading: PeopleReading): People {
  const rows = (name: typeof liteLlmTables[number]) => tables.get(name) ?? [];
  const budgets: Budgets = new Map(
    rows("LiteLLM_BudgetTable").map((row) => [String(row.budget_id), row]),
  );
  const teams = rows("LiteLLM_TeamTable").map((row) => ({ row, group: readTeam(row, reading) }));
  const people = rows("LiteLLM_UserTable").map((row) => readUser(row, reading))
    .filter((one) => one !== undefined);
  const keyReading = {
    ...reading,
    budgets,
    groups: new Map(teams.map(({ row, group }) => [String(row.team_id), group?.id ?? ""])),
    userModels: new Map(people.map(({ user, models }) => [user.id, models])),
    names: new Map([[firstAccountId, new TakenNames([masterKeyName])]]),
  };
  const keys = rows("LiteLLM_VerificationToken").map((row) => readKey(row, keyReading));
  return {
    groups: teams.map(({ group }) => group).filter((one) => one !== undefined),
    users: people.map(({ user }) => user),
    keys: keys.filter((one) => one !== undefined),
  };
}

/** The models of each access group of `model_info`. */
function accessGroupsOf(
  deployments: readonly Deployment[],
): ReadonlyMap<string, readonly string[]> {
  const pairs = deployments.flatMap(({ accessGroups, model }) =>
    accessGroups.map((group) => ({ group, id: model.id }))
  );
  return new Map(
    [...Map.groupBy(pairs, ({ group }) => group)].map((
      [group, found],
    ) => [group, found.map(({ id }) => id)]),
  );
}

/**
 * Records of the models with facts, of which the first deployment of a name decides, and of virtual
 * ones: those with fallbacks, and aliases, which have the members of their model.
 */
function modelsOf(
  deployments: readonly Deployment[],
  { aliases, fallbacks }: Pick<ReturnType<typeof readSettings>, "aliases" | "fallbacks">,
  createdAtMs: number,
): readonly Model[] {
  const models = new Map<string, Model>();
  for (const { model: { id }, facts } of deployments) {
    const members = fallbacks.membersOf(id);
    const isPlain = Object.keys(facts).length === 0 && !members;
    if (isPlain || models.has(id) || id.includes("*")) continue;
    models.set(id, { id, ...facts, ...(members && { members }), createdAtMs, origin: "console" });
  }
  const served = new Set(deployments.map(({ model: { id } }) => id));
  for (const [id, target] of aliases) {
    if (served.has(id)) continue;
    const members = fallbacks.membersOf(target) ?? [{ model: target }];
    models.set(id, { id, members, createdAtMs, origin: "console" });
  }
  return [...models.values()];
}

/** Rows that need work by hand. */
function leftTables(tables: Tables): readonly string[] {
  const lines = {
    LiteLLM_OrganizationTable: "organizations have no counterpart",
    LiteLLM_ProjectTable: "projects are left out",
    LiteLLM_EndUserTable: "budgets of end users have no counterpart",
    LiteLLM_TeamMembership: "budgets of team members are left out: give their keys budgets",
  };
  return Object.entries(lines).flatMap(([name, why]) => {
    const rows = tables.get(name) ?? [];
    const isMembers = name === "LiteLLM_TeamMembership";
    const count = rows.filter((row) => !isMembers || row.budget_id != null).length;
    return count === 0 ? [] : [`${name} (${count}): ${why}`];
  });
}

/** Models and credentials that LiteLLM keeps in its database, in the form of its configuration. */
interface DatabaseModels {
  /** Like rows of `model_list`. */
  readonly rows: readonly SourceFields[];
  readonly credentials: ReadonlyMap<string, SourceFields>;
  readonly notices: readonly string[];
}

/**
 * Opens the models and credentials of the database with the salt key, which is the master key
 * unless `LITELLM_SALT_KEY` is set.
 */
async function readDatabaseModels(
  tables: Tables,
  variables: Variables,
  masterKey: string | undefined,
): Promise<DatabaseModels> {
  const saltKey = variables.get("LITELLM_SALT_KEY") ?? masterKey;
  const models = await openAll(tables.get("LiteLLM_ProxyModelTable"), "litellm_params", saltKey);
  const values = await openAll(
    tables.get("LiteLLM_CredentialsTable"),
    "credential_values",
    saltKey,
  );
  const sealed = models.sealed + values.sealed;
  return {
    rows: models.rows,
    credentials: new Map(
      values.rows.map((row) => [String(row.credential_name), partOf(row.credential_values)]),
    ),
    notices: sealed === 0 ? [] : [
      `${sealed} models and credentials in the database stay sealed: set LITELLM_SALT_KEY, or the ` +
      "variable of master_key, in the file of --env",
    ],
  };
}

/** The rows that could be opened, and the number of the others. */
async function openAll(
  rows: readonly SourceFields[] = [],
  field: string,
  saltKey: string | undefined,
): Promise<{ readonly rows: readonly SourceFields[]; readonly sealed: number }> {
  const open = saltKey === undefined ? () => Promise.resolve(undefined) : openerFor(saltKey);
  const opened = await Promise.all(rows.map(async (row) => {
    const { fields, sealed } = await openFields(partOf(row[field]), open);
    return sealed.length > 0 ? undefined : { ...row, [field]: fields };
  }));
  const found = opened.filter((row) => row !== undefined);
  return { rows: found, sealed: rows.length - found.length };
}

/** An object, or JSON of one. */
function partOf(value: unknown): SourceFields {
  const object = typeof value === "string" ? parsed(value) : value;
  return isFields(object) ? object : {};
}
