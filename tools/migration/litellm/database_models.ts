import { isFields, parsed, type SourceFields } from "../source_object.ts";
import type { Tables } from "../tables/tables.ts";
import { openerFor, openFields } from "./sealed_value.ts";
import type { Variables } from "./variables.ts";

/** Models and credentials that LiteLLM keeps in its database, in the form of its configuration. */
export interface DatabaseModels {
  /** Like rows of `model_list`. */
  readonly rows: readonly SourceFields[];
  readonly credentials: ReadonlyMap<string, SourceFields>;
  readonly notices: readonly string[];
}

/**
 * Opens the models and credentials of the database with the salt key, which is the master key
 * unless `LITELLM_SALT_KEY` is set.
 */
export async function readDatabaseModels(
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
