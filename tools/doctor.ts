import { checkArchive } from "./doctor/archive.ts";
import { type Check, linesOf, skipped } from "./doctor/check.ts";
import { checkClients } from "./doctor/clients.ts";
import { checkClock, type Moment } from "./doctor/clock.ts";
import { checkConfiguration } from "./doctor/configuration.ts";
import { checkDeno } from "./doctor/deno.ts";
import { checkStore } from "./doctor/store.ts";
import { checkUpstreams } from "./doctor/upstreams.ts";
import { stop } from "./task_end.ts";

/**
 * `deno task doctor [BASE_URL] [--json]`: checks Deno, the configuration, the store, its disk, the
 * log's archive, the upstreams, the clock and the address of clients, and shows what to do. Changes nothing. Exits with
 * 1 if a check failed.
 */
const baseUrl = Deno.args.find((argument) => argument !== "--json");
if (Deno.args.some((argument) => /^-/.test(argument) && argument !== "--json")) {
  stop("Usage: deno task doctor [BASE_URL] [--json]");
}
const checks = await allChecks(Deno.env.toObject(), baseUrl);
if (Deno.args.includes("--json")) console.log(JSON.stringify({ checks }));
else for (const line of checks.flatMap(linesOf)) console.log(line);
if (checks.some(({ status }) => status === "failed")) Deno.exit(1);

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
