import { applyConfig } from "./lib/accounts/mod.ts";
import { isBehindProxy, loadConfig } from "./lib/config.ts";
import { consolePages, provideConsole } from "./lib/console/mod.ts";
import { createDispatcher, thrownResponse } from "./lib/dispatcher.ts";
import { createCallGateway } from "./lib/gateway/console_call.ts";
import { createGateway } from "./lib/gateway/create.ts";
import { compressing } from "./lib/http/body/compression.ts";
import { behindProxies } from "./lib/http/behind_proxies.ts";
import { crossOrigin } from "./lib/http/cross_origin.ts";
import { openMoney } from "./lib/money.ts";
import { startSealing } from "./lib/responses_state/mod.ts";
import { run } from "./lib/serve.ts";
import { openStore } from "./lib/store/mod.ts";
import { Directory } from "./lib/store/directory/mod.ts";
import {
  coverSpans,
  Metrics,
  reportBackgroundFailure,
  reportUnlisted,
  RuntimeCheck,
  watchStore,
} from "./lib/telemetry/mod.ts";
import { addressRule, createSend, ListRefresh } from "./lib/upstreams/mod.ts";

/** Puts Tessera together: config → store → upstreams → gateway → console. */
export async function compose(env: Record<string, string> = Deno.env.toObject()) {
  coverSpans();
  const config = loadConfig(env);
  const store = await openStore({
    location: config.store,
    secret: config.secret,
    logRetentionMs: config.limits.logRetentionDays * 24 * 60 * 60_000,
  });
  const notices = await applyConfig(store, config);
  const directory = await Directory.load(store, {
    keysMax: config.limits.keysCachedMax,
    unknownKeysMax: config.limits.unknownKeysCachedMax,
  });
  const metrics = new Metrics().watchProcess();
  const addresses = addressRule(config);
  const send = createSend({ dialFirst: !isBehindProxy(env), addresses });
  const money = await openMoney(store, config, { send, metrics });
  const storeWatch = watchStore(store, config.limits, metrics);
  const gateway = createGateway({ config, store, directory, money, send, metrics });
  const sealing = startSealing(gateway.state, reportBackgroundFailure);
  const answerApi = createDispatcher({
    gateway,
    models: () => directory.models(),
    metrics,
    storeHealth: store.health,
    takeWebhook: money.payments?.webhook,
    now: Date.now,
    crossOrigin: crossOrigin(config.corsOrigins),
  });
  const lists = new ListRefresh(store, directory, {
    send,
    limits: config.limits,
    report: reportUnlisted,
  });
  const upstreams = { health: gateway.health, send, addresses };
  const callGateway = createCallGateway(gateway, directory);
  const { payments, alerts } = money;
  const runtime = new RuntimeCheck();
  provideConsole({
    store,
    directory,
    config,
    payments,
    alerts,
    upstreams,
    callGateway,
    answerApi,
    runtime,
  });
  const console = consolePages();
  return {
    config,
    store,
    directory,
    lists,
    gateway,
    notices,
    runtime,
    fetch: behindProxies(config.trustedProxies, {
      api: answerApi,
      other: compressing(console.answer),
    }),
    thrownResponse,
    loadConsole: console.load,
    close: async () => {
      metrics.close();
      await Promise.all([storeWatch.close(), sealing.close(), lists.close()]);
      await gateway.state.jobs.close();
      await Promise.all([money.close(), directory.close()]);
      store.close();
      store.health.assertUsable(); // a stop during an outage is no clean one
    },
  };
}

if (import.meta.main) await run(() => compose());
