import { applyConfig } from "./lib/accounts/mod.ts";
import { loadConfig } from "./lib/config.ts";
import { consolePages, provideConsole } from "./lib/console/mod.ts";
import { createDispatcher } from "./lib/dispatcher.ts";
import { createPayments } from "./lib/funds/mod.ts";
import type { Gateway } from "./lib/gateway.ts";
import { createPrices, Ledger } from "./lib/ledger/mod.ts";
import { Health, systemClock } from "./lib/routing/mod.ts";
import { run } from "./lib/serve.ts";
import { Directory, openStore, pingStore } from "./lib/store/mod.ts";
import { logLine, Metrics, reportFailure, reportUpkeep } from "./lib/telemetry/mod.ts";
import { ContinuationMemory, createSend, upstreamsOf } from "./lib/upstreams/mod.ts";

const dayMs = 86_400_000;

/** Puts Tessera together: config → store → upstreams → gateway → console. */
export async function compose(env: Record<string, string> = Deno.env.toObject()) {
  const config = loadConfig(env);
  const store = await openStore({
    location: config.store,
    secret: config.secret,
    logRetentionMs: config.limits.logRetentionDays * dayMs,
  });
  const told = await applyConfig(store, config);
  const directory = await Directory.load(store, {
    keysMax: config.limits.keysCachedMax,
    unknownKeysMax: config.limits.unknownKeysCachedMax,
  });
  const metrics = new Metrics();
  const ledger = await Ledger.open(store, {
    timeZone: config.timeZone,
    moneyWaitMs: config.limits.moneyWaitMs,
    now: Date.now,
    onError: reportUpkeep,
  });
  const gateway: Gateway = {
    directory,
    upstreams: () => upstreamsOf(directory.upstreams()),
    send: createSend({ dialFirst: !("HTTP_PROXY" in env || "HTTPS_PROXY" in env) }),
    limits: config.limits,
    health: new Health(config.limits, Date.now),
    clock: systemClock,
    ledger,
    prices: createPrices(() => directory.models()),
    observe: (row) => metrics.observe(row),
    report: reportFailure,
    random: Math.random,
    memory: new ContinuationMemory(Date.now),
    onViolations: (format, violations) => metrics.observeViolations(format, violations.length),
  };
  const payments = createPayments(store, config, logLine);
  const dispatch = createDispatcher({
    gateway,
    models: () => directory.models(),
    metrics,
    checkStore: () => pingStore(store),
    takeWebhook: payments?.webhook,
    now: Date.now,
  });
  provideConsole({ store, directory, config, payments });
  payments?.start();
  const console = consolePages();
  return {
    config,
    store,
    gateway,
    told,
    fetch: (request: Request, info: Deno.ServeHandlerInfo) =>
      dispatch(request, info) ?? console.answer(request, info),
    loadConsole: console.load,
    close: async () => {
      await Promise.all([payments?.close(), ledger.close(), directory.close()]);
      store.close();
    },
  };
}

if (import.meta.main) await run(() => compose());
