import { parseArgs, parseEnv } from "node:util";
import { type Config, loadConfig } from "../../lib/config.ts";
import { giveStoreTo, ownerOfStore } from "../../lib/store/file/file_owner.ts";
import { openStore, type Store } from "../../lib/store/mod.ts";
import { ImportRefusal } from "../../lib/store/transfer/mod.ts";
import { addressRule } from "../../lib/upstreams/mod.ts";
import { progressLine } from "../store/progress.ts";
import { findSecret } from "../store/secret_beside.ts";
import { taskWaitMs } from "../store/task_wait.ts";
import { stop } from "../task_end.ts";
import { applyPlan } from "./apply.ts";
import { checkAddresses } from "./check_addresses.ts";
import { existingIn, nothing } from "./existing.ts";
import { FieldReport } from "./field_report.ts";
import type { MigrationPlan, SourceName } from "./plan.ts";
import { printedJson, printedLines } from "./print.ts";
import { resolvePlan } from "./resolve.ts";
import { readTextFile } from "./source_file.ts";
import { readTables } from "./tables/tables.ts";
import { migrationUsages } from "./usage.ts";

const options = {
  "dry-run": { type: "boolean" },
  env: { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean" },
} as const;

/** Runs `deno task import litellm …` or `deno task import new-api …`. */
export async function runMigration(source: SourceName, args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(source, args);
  if (values.help) return console.log(`Usage: ${migrationUsages[source]}`);
  const config = loadConfig(Deno.env.toObject());
  const nowMs = Date.now();
  const report = new FieldReport();
  const reading = { report, nowMs, envFile: values.env };
  const plan = await readers[source](positionals, reading).catch(refuse);
  const isDryRun = values["dry-run"] === true;
  const checked = await checkAddresses(plan.upstreams, addressRule(config));
  const whole = { ...plan, upstreams: checked.upstreams };
  const { lines } = isDryRun
    ? await planned(source, whole, config)
    : await applied(source, whole, { config, nowMs });
  const notices = [...plan.notices, ...checked.notices];
  const result = { source, isDryRun, records: lines, fields: report.lines(), notices };
  console.log(values.json ? printedJson(result) : printedLines(result).join("\n"));
}

function readArguments(source: SourceName, args: readonly string[]) {
  try {
    const read = parseArgs({ args: [...args], options, allowPositionals: true });
    const [least, most] = source === "litellm" ? [1, 2] : [1, 1];
    const count = read.positionals.length;
    if (read.values.help || (count >= least && count <= most)) return read;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  stop(`Usage: ${migrationUsages[source]}`);
}

interface Reading {
  readonly report: FieldReport;
  readonly nowMs: number;
  readonly envFile: string | undefined;
}

const readers: Readonly<
  Record<SourceName, (files: readonly string[], reading: Reading) => Promise<MigrationPlan>>
> = {
  litellm: async ([configFile, database], { envFile, ...reading }) => {
    const [{ readConfigFile }, { liteLlmTables, planLiteLlm }] = await Promise.all([
      import("./litellm/config_file.ts"),
      import("./litellm/plan.ts"),
    ]);
    const config = await readConfigFile(configFile);
    const tables = database === undefined ? new Map() : await readTables(database, liteLlmTables);
    const file = envFile === undefined ? {} : parseEnv(await readTextFile(envFile, envBytesMax));
    const variables = [file, Deno.env.toObject()];
    return planLiteLlm({ config, tables, variables }, reading);
  },
  "new-api": async ([database], reading) => {
    const { newApiTables, planNewApi } = await import("./new_api/plan.ts");
    return planNewApi(await readTables(database, newApiTables), reading);
  },
};

const envBytesMax = 1_000_000;

function refuse(error: unknown): never {
  if (error instanceof ImportRefusal) stop(`Cannot import: ${error.reason}`);
  throw error;
}

/** A dry run changes nothing, and does not even create a store. */
async function planned(source: SourceName, plan: MigrationPlan, config: Config) {
  const { store: location } = config;
  const isMissing = location.type === "file" && !isFile(location.path);
  if (isMissing) return resolvePlan(source, plan, nothing);
  const { secret } = findSecret(config);
  return await withStore(
    config,
    { secret, isAudited: true },
    async (store) => resolvePlan(source, plan, await existingIn(store)),
  );
}

async function applied(
  source: SourceName,
  plan: MigrationPlan,
  { config, nowMs }: { readonly config: Config; readonly nowMs: number },
) {
  const { store: location, secret } = config;
  const owner = location.type === "file" ? ownerOfStore(location.path) : undefined;
  using progress = progressLine("Importing");
  const resolved = await withStore(config, { secret }, async (store) => {
    const found = resolvePlan(source, plan, await existingIn(store));
    await applyPlan(store, found, { source, nowMs, progress });
    return found;
  });
  if (location.type === "file") giveStoreTo(location.path, owner);
  return resolved;
}

async function withStore<Result>(
  { store: location, limits, logRetentionMs }: Config,
  options: { readonly secret?: string; readonly isAudited?: boolean },
  run: (store: Store) => Promise<Result>,
): Promise<Result> {
  const waitMs = taskWaitMs(limits);
  const store = await openStore({ location, logRetentionMs, waitMs, ...options });
  try {
    return await run(store);
  } finally {
    store.close();
  }
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).size > 0;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
