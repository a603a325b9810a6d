import { type Config, ConfigError, isBehindProxy, loadConfig } from "../lib/config.ts";
import { catalogs } from "../lib/console/i18n/mod.ts";
import { listUpstreams, type UpstreamRecord } from "../lib/store/catalog/mod.ts";
import type { Store } from "../lib/store/mod.ts";
import { noticesDisconnects, testedDeno } from "../lib/telemetry/runtime_check.ts";
import {
  addressRule,
  type ConnectionReport,
  createSend,
  testConnection,
  withSources,
} from "../lib/upstreams/mod.ts";
import { checkArchive } from "./doctor/archive.ts";
import { type Check, failed, linesOf, ok, skipped, warning } from "./doctor/check.ts";
import { checkClients } from "./doctor/clients.ts";
import { checkStore } from "./doctor/store.ts";
import { stop } from "./task.ts";

/** Runs all checks and prints them. Returns false if one failed. */
export async function runDoctor(
  baseUrl: string | undefined,
  { json }: { readonly json: boolean },
): Promise<boolean> {
  const checks = await allChecks(Deno.env.toObject(), baseUrl);
  if (json) console.log(JSON.stringify({ checks }));
  else for (const line of checks.flatMap(linesOf)) console.log(line);
  return !checks.some(({ status }) => status === "failed");
}

async function allChecks(
  env: Readonly<Record<string, string>>,
  baseUrl: string | undefined,
): Promise<Check[]> {
  const before = present();
  const deno = await checkDeno();
  const { checks, config } = checkConfiguration(env);
  if (config === undefined) {
    return [deno, ...checks, skipped("other checks", "they need a valid configuration")];
  }
  const store = await checkStore(config);
  const upstreams = await checkUpstreams(config, store.records, env);
  const archive = await checkArchive(config, store.records);
  store.records?.close();
  const { isInUse = false, isMissing } = store;
  const key = env.KEY;
  return [
    deno,
    ...checks,
    ...store.checks,
    ...archive,
    ...upstreams.checks,
    checkClock(upstreams.clocksAheadMs, { before, now: present() }),
    ...await checkClients(config, { isInUse, isMissing, baseUrl, key }),
  ];
}

function present(): Moment {
  return { wallMs: Date.now(), steadyMs: performance.now() };
}

const name = "deno";
const remedy = `Start the gateway with \`npx -y deno@${testedDeno} task start\``;

/** Compares the running Deno with the tested one, and checks that it notices disconnected clients. */
export async function checkDeno(
  version: string = Deno.version.deno,
  probe: () => Promise<boolean> = () => noticesDisconnects({ bodyBytes: 20_000, waitMs: 1_000 }),
): Promise<Check> {
  if (!await probe()) {
    return failed(name, `Deno ${version} does not notice clients that disconnect`, remedy);
  }
  if (version === testedDeno) return ok(name, version);
  return warning(name, `${version} runs, and ${testedDeno} is the tested version`, remedy);
}

const { connection } = catalogs.en.upstreamWords;

/** The checks of all upstreams, and by how much each server's clock is ahead. */
interface CheckedUpstreams {
  readonly checks: readonly Check[];
  readonly clocksAheadMs: readonly number[];
}

/**
 * Tests each credential of each enabled upstream as the console does, by listing the models, which
 * no vendor charges.
 */
export async function checkUpstreams(
  config: Config,
  records: Store | undefined,
  env: Readonly<Record<string, string>>,
): Promise<CheckedUpstreams> {
  const upstreams = await enabledUpstreams(config, records);
  if (upstreams.length === 0) {
    const detail = "none is enabled: only the built-in model, tessera-echo, answers";
    return { checks: [skipped("upstreams", detail)], clocksAheadMs: [] };
  }
  const { machine } = config;
  const reach = { dialFirst: !isBehindProxy(env), addresses: addressRule(config) };
  const send = withSources(createSend(reach), { machine });
  try {
    const tests = upstreams.flatMap(byCredential);
    const reports = await Promise.all(tests.map(({ upstream }) => testConnection(upstream, send)));
    return {
      checks: tests.map(({ name }, at) => checkOf(name, reports[at])),
      clocksAheadMs: reports.flatMap(({ clockAheadMs = [] }) => clockAheadMs),
    };
  } finally {
    send.endAll();
  }
}

/** Declared ones as the next start declares them, and those of the console. */
async function enabledUpstreams(
  { upstreams: declared }: Config,
  records: Store | undefined,
): Promise<UpstreamRecord[]> {
  const stored = records === undefined ? [] : await listUpstreams(records);
  const ids = new Set(declared.map(({ id }) => id));
  const added = stored.filter(({ id, origin }) => origin === "console" && !ids.has(id));
  const all = [
    ...declared.map((upstream) => ({ ...upstream, origin: "config" as const })),
    ...added,
  ];
  return all.filter(({ enabled }) => enabled);
}

interface Test {
  readonly name: string;
  readonly upstream: UpstreamRecord;
}

function byCredential(upstream: UpstreamRecord): Test[] {
  const { id, credentials } = upstream;
  const name = `upstream ${id}`;
  if (credentials.length < 2) return [{ name, upstream }];
  return credentials.map((credential, at) => ({
    name: `${name}, credential ${at + 1}`,
    upstream: { ...upstream, credentials: [credential] },
  }));
}

function checkOf(name: string, report: ConnectionReport): Check {
  const { state, url, status, said, models, suggestedBaseUrl, tookMs } = report;
  if (state === "ok") return ok(name, `${url} lists ${models} models in ${tookMs} ms`);
  const answer = [status && `status ${status}`, said].filter(Boolean).join(": ");
  const detail = `${url ?? "no request"}${answer && `, ${answer}`}`;
  const advice = suggestedBaseUrl ? `. ${suggestedBaseUrl} answers: use it as the base URL` : "";
  return (report.isReady ? warning : failed)(name, detail, connection[state] + advice);
}

/** Reads the configuration; undefined if it is invalid, in which case no gateway can start. */
export function checkConfiguration(
  env: Readonly<Record<string, string>>,
): { readonly checks: readonly Check[]; readonly config?: Config } {
  const source = env.TESSERA_CONFIG ?? "the environment";
  try {
    return { checks: [ok("configuration", `${source} is valid`)], config: loadConfig(env) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const remedy = `Correct it in ${source}; docs/reference/configuration.md has every field`;
    return { checks: error.faults.map((fault) => failed("configuration", fault, remedy)) };
  }
}

/** Date headers have whole seconds, and answers take time. */
const aheadMsGood = 5_000;
/** Signed webhooks are refused beyond five minutes. */
const aheadMsMax = 60_000;
const jumpMsMax = 1_000;
const clockRemedy = "Synchronize this machine's clock, for example with `timedatectl set-ntp true`";

/** A moment on the two clocks of this machine. */
export interface Moment {
  readonly wallMs: number;
  readonly steadyMs: number;
}

/**
 * Compares the clock with those of servers, by the median, and with the steady clock since `before`.
 */
export function checkClock(
  clocksAheadMs: readonly number[],
  { before, now }: { readonly before: Moment; readonly now: Moment },
): Check {
  const jumpMs = now.wallMs - before.wallMs - (now.steadyMs - before.steadyMs);
  if (Math.abs(jumpMs) > jumpMsMax) {
    return warning("clock", `it jumped by ${seconds(jumpMs)} during these checks`, clockRemedy);
  }
  const aheadMs = clocksAheadMs.toSorted((a, b) => a - b).at(clocksAheadMs.length >> 1);
  if (aheadMs === undefined) return skipped("clock", "no upstream reported its time");
  const off = Math.abs(aheadMs);
  if (off <= aheadMsGood) return ok("clock", "it agrees with the upstreams' clocks");
  const detail = `it is ${seconds(off)} ${
    aheadMs > 0 ? "behind" : "ahead of"
  } the upstreams' clocks`;
  return (off > aheadMsMax ? failed : warning)("clock", detail, clockRemedy);
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1_000)} s`;
}

/**
 * `deno task doctor [BASE_URL] [--json]`: checks Deno, the configuration, the store, its disk, the
 * log's archive, the upstreams, the clock and the address of clients, and shows what to do. Changes nothing. Exits with
 * 1 if a check failed.
 */
if (import.meta.main) {
  const baseUrl = Deno.args.find((argument) => argument !== "--json");
  if (Deno.args.some((argument) => /^-/.test(argument) && argument !== "--json")) {
    stop("Usage: deno task doctor [BASE_URL] [--json]");
  }
  if (!await runDoctor(baseUrl, { json: Deno.args.includes("--json") })) Deno.exit(1);
}
