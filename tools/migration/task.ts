import { parseArgs, parseEnv } from "node:util";
import { type Config, loadConfig } from "../../lib/config.ts";
import type { UpstreamRecord } from "../../lib/store/catalog/mod.ts";
import { isEmptyFile } from "../../lib/store/file/store_file.ts";
import { giveStoreTo, ownerOfStore } from "../../lib/store/file/store_files.ts";
import { ImportRefusal } from "../../lib/store/transfer/mod.ts";
import {
  AddressError,
  type AddressRule,
  addressRule,
  assertUpstreamAddress,
} from "../../lib/upstreams/mod.ts";
import { findSecret } from "../store/copied_store.ts";
import { counted, progressLine, stop, withStore } from "../task.ts";
import { applyPlan } from "./apply.ts";
import { type MigrationPlan, migrationUsages, type SourceName, sourceNames } from "./plan.ts";
import { existingIn, nothing, type RecordLine, resolvePlan } from "./resolve.ts";
import { type FieldLine, FieldReport, type Outcome } from "./source_object.ts";
import { readTables, readTextFile } from "./tables/tables.ts";

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
  const isMissing = location.type === "file" && isEmptyFile(location.path);
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

/** The upstreams, and a line for each address that cannot be called now. */
interface CheckedUpstreams {
  readonly upstreams: readonly UpstreamRecord[];
  readonly notices: readonly string[];
}

/**
 * Applies the rule that the console's form applies to addresses. An upstream whose address is not
 * allowed is disabled instead of refused; one whose name does not resolve now is only reported.
 */
async function checkAddresses(
  upstreams: readonly UpstreamRecord[],
  rule: AddressRule,
): Promise<CheckedUpstreams> {
  const faults = new Map<string, Promise<AddressError | undefined>>();
  const faultOf = (url: string) => {
    const fault = faults.get(url) ?? addressFault(url, rule);
    faults.set(url, fault);
    return fault;
  };
  const checked = await Promise.all(upstreams.map(async (upstream) => {
    const found = await Promise.all(Object.values(upstream.endpoints).map(faultOf));
    return { upstream, fault: found.find((one) => one !== undefined) };
  }));
  return {
    upstreams: checked.map(({ upstream, fault }) =>
      fault && !fault.isUnknown ? { ...upstream, enabled: false } : upstream
    ),
    notices: checked.flatMap(({ upstream: { id }, fault }) =>
      fault === undefined ? [] : [`${id}${fault.isUnknown ? "" : " is disabled"}: ${fault.message}`]
    ),
  };
}

async function addressFault(url: string, rule: AddressRule): Promise<AddressError | undefined> {
  try {
    await assertUpstreamAddress(url, rule);
    return undefined;
  } catch (error) {
    if (error instanceof AddressError) return error;
    throw error;
  }
}

/** The result of an import, or of its dry run. */
interface MigrationResult {
  readonly source: SourceName;
  readonly isDryRun: boolean;
  readonly records: readonly RecordLine[];
  readonly fields: readonly FieldLine[];
  readonly notices: readonly string[];
}

/** More records of a kind are counted only; JSON has them all. */
const namesMax = 20;

const nouns = {
  group: "group",
  model: "model price",
  upstream: "upstream",
  user: "user",
  grant: "balance",
  key: "API key",
} as const satisfies Record<RecordLine["kind"], string>;

/** The result as lines of text. */
function printedLines(result: MigrationResult): string[] {
  const kinds = Object.keys(nouns) as RecordLine["kind"][]; // the table's own keys
  return [
    ...kinds.flatMap((kind) => recordLines(kind, result)),
    ...fieldLines(result.fields),
    ...section("To do", result.notices.map(printable)),
    "",
    summary(result),
  ];
}

/** The result as one JSON object, with snake_case names. */
function printedJson(
  { source, isDryRun, records, fields, notices }: MigrationResult,
): string {
  return JSON.stringify({ source, dry_run: isDryRun, records, fields, notices }, null, 2);
}

function recordLines(kind: RecordLine["kind"], { records, isDryRun }: MigrationResult): string[] {
  const own = records.filter((record) => record.kind === kind);
  const created = own.filter(({ result }) => result === "created");
  if (own.length === 0) return [];
  const verb = isDryRun ? "to create" : "created";
  const present = own.length - created.length;
  const rest = created.length - namesMax;
  return [
    `${counted(created.length, nouns[kind])} ${verb}${present > 0 ? `, ${present} present` : ""}`,
    ...created.slice(0, namesMax).map(({ name, detail }) =>
      `  ${printable(name)}${detail ? ` (${printable(detail)})` : ""}`
    ),
    ...(rest > 0 ? [`  … and ${rest.toLocaleString("en")} more`] : []),
  ];
}

const outcomes: Readonly<Record<Outcome, string>> = {
  taken: "taken",
  changed: "changed",
  unknown: "not known",
};

function fieldLines(fields: readonly FieldLine[]): string[] {
  const byPlace = Map.groupBy(fields, ({ place }) => place);
  return [...byPlace].flatMap(([place, lines]) => section(place, lines.map(fieldLine)));
}

function fieldLine({ field, outcome, how, count, examples }: FieldLine): string {
  const names = examples.length === 0
    ? ""
    : ` [${examples.map(printable).join(", ")}${count > examples.length ? ", …" : ""}]`;
  const times = count > 1 ? ` ×${count.toLocaleString("en")}` : "";
  const reason = how === undefined ? "" : `: ${how}`;
  return `${printable(field).padEnd(28)} ${outcomes[outcome]}${times}${reason}${names}`;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", title, ...lines.map((line) => `  ${line}`)];
}

function summary({ source, isDryRun, records, fields }: MigrationResult): string {
  const created = records.filter(({ result }) => result === "created").length;
  const counts = (Object.keys(outcomes) as Outcome[]).map((outcome) => { // the table's own keys
    const count = fields.filter((line) => line.outcome === outcome).length;
    return `${count} ${outcomes[outcome]}`;
  });
  const verb = isDryRun ? "Would create" : "Created";
  return `${verb} ${counted(created, "record")} from ${sourceNames[source]}; fields: ${
    counts.join(", ")
  }`;
}

/** Names of others may hold control characters, which would steer the terminal. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, "\ufffd").slice(0, 300);
}
