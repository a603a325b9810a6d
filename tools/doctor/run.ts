import { checkArchive } from "./archive.ts";
import { type Check, linesOf, skipped } from "./check.ts";
import { checkClients } from "./clients.ts";
import { checkClock, type Moment } from "./clock.ts";
import { checkConfiguration } from "./configuration.ts";
import { checkDeno } from "./deno.ts";
import { checkStore } from "./store.ts";
import { checkUpstreams } from "./upstreams.ts";

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
