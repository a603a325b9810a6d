import { applyConfig, mayBeProxy, networkOf } from "./lib/accounts/mod.ts";
import { Activity } from "./lib/activity.ts";
import { provideAdmin } from "./lib/admin/services.ts";
import { type Config, isBehindProxy, loadConfig } from "./lib/config.ts";
import { consolePages } from "./lib/console/mod.ts";
import { createDispatcher } from "./lib/dispatcher.ts";
import { IdempotentCalls } from "./lib/gateway.ts";
import { createCallGateway } from "./lib/gateway/console_call.ts";
import { createGateway } from "./lib/gateway/create.ts";
import { behindProxies } from "./lib/http/behind_proxies.ts";
import { compressing } from "./lib/http/body/compression.ts";
import { crossOrigin } from "./lib/http/cross_origin.ts";
import { isTrustedProxy, trustedProxies } from "./lib/http/forwarded.ts";
import { thrownResponse } from "./lib/http/unreadable.ts";
import { lazy } from "./lib/lazy.ts";
import type { ComposeMail } from "./lib/mail/mod.ts";
import { openMoney } from "./lib/money.ts";
import { PriceRefresh } from "./lib/prices/mod.ts";
import { demandFreeAddress, run } from "./lib/serve.ts";
import { Sockets } from "./lib/socket/mod.ts";
import { unreadArchive } from "./lib/store/archive/mod.ts";
import { Directory } from "./lib/store/directory/mod.ts";
import { expirePages, noteUnexpiring } from "./lib/store/log/mod.ts";
import { openStore, type Store } from "./lib/store/mod.ts";
import {
  CallLog,
  coverSpans,
  logLine,
  Metrics,
  reportBackgroundFailure,
  reportUnlisted,
  RuntimeCheck,
  watchStore,
} from "./lib/telemetry/mod.ts";
import { addressRule, createSend, ListRefresh, withSources } from "./lib/upstreams/mod.ts";

/**
 * Puts Tessera together: config → store → upstreams → gateway → console. `activity` notes every
 * request; `check` runs before the store is opened.
 */
export async function compose(
  env: Record<string, string> = Deno.env.toObject(),
  activity = new Activity(),
  check: (config: Config) => void = () => {},
) {
  coverSpans();
  const config = loadConfig(env);
  check(config);
  const parts = await openParts(config, env, activity);
  const { store, directory, metrics, upstreams, money, gateway } = parts;
  const management = lazy(loadManagement);
  const noteRequest = activity.noteRequest.bind(activity);
  const sockets = config.sockets ? new Sockets({ gateway, noteRequest }) : undefined;
  if (sockets) metrics.watchSockets(() => sockets.counts());
  const answerApi = createDispatcher({
    gateway,
    idempotentCalls: new IdempotentCalls(store, config.limits, Date.now),
    models: () => directory.models(),
    store,
    timeZone: config.timeZone,
    metrics,
    metricsAccess: config.metricsAccess,
    storeHealth: store.health,
    isStoreReady: parts.isStoreReady,
    devices: {
      ...{ store, directory, limits: config.limits, publicUrl: config.publicUrl },
      ...{ timeZone: config.timeZone, now: Date.now, managedSettings: config.managedSettings },
    },
    takeWebhook: money.payments?.webhook,
    now: Date.now,
    crossOrigin: crossOrigin(config.corsOrigins),
    sockets,
    manage: async (request, info) => (await management())(request, info),
    describeManagement: async () => (await import("./lib/management/mod.ts")).describeManagement(),
  });
  const { payments, alerts } = money;
  const runtime = new RuntimeCheck();
  const callGateway = createCallGateway(gateway, directory);
  const { passwords } = provideAdmin({
    ...{ store, directory, config, payments, alerts, callGateway, answerApi, runtime },
    ...{ archive: parts.archive, prices: parts.prices },
    upstreams: { health: gateway.health, ...upstreams },
  });
  const console = consolePages(buildConsole);
  const answerOther = compressing(console.answer);
  const trusted = trustedProxies(config.trustedProxies);
  const answer = behindProxies(config.trustedProxies, {
    api: answerApi,
    other: (request, info) => activity.afterPause(() => answerOther(request, info)),
  });
  return {
    ...{ config, store, directory, gateway, runtime, thrownResponse },
    lists: parts.lists,
    notices: parts.notices,
    networks: {
      of: networkOf,
      mayBeProxy: (address: string) => mayBeProxy(address) || isTrustedProxy(address, trusted),
    },
    fetch: (request: Request, info: Deno.ServeHandlerInfo) => {
      activity.noteRequest(info.completed);
      return answer(request, info);
    },
    loadConsole: console.load,
    startWorkers: () => {
      passwords.start();
      parts.prices.start();
      parts.startWorker();
    },
    close: parts.close,
  };
}

/** Everything below the HTTP edge, opened in the order of dependencies and closed in reverse. */
async function openParts(config: Config, env: Record<string, string>, activity: Activity) {
  const store = await openStore({
    location: config.store,
    secret: config.secret,
    formerSecrets: config.formerSecrets,
    logRetentionMs: config.logRetentionMs,
    waitMs: config.limits.storeWaitMs,
    report: (line) => console.log(line),
  });
  const notices = await applyConfig(store, config);
  const directory = await Directory.load(store, {
    keysMax: config.limits.keysCachedMax,
    unknownKeysMax: config.limits.unknownKeysCachedMax,
    activity,
  });
  const metrics = new Metrics((model) => directory.isConfigured(model)).watchProcess(activity);
  const callLog = config.callLog === "json" ? new CallLog() : undefined;
  const addresses = addressRule(config);
  const { machine } = config;
  const send = withSources(createSend({ dialFirst: !isBehindProxy(env), addresses }), { machine });
  const composeMail = mailComposer(store, config.publicUrl);
  const money = await openMoney(store, config, { send, composeMail, metrics, activity });
  const archive = await openArchive(store, config);
  if (archive) metrics.watchArchive(archive.succeededMs);
  const expiry = archive ?? startExpiry(store);
  const storeWatch = watchStore(store, config.limits, { metrics, activity });
  const parts = { config, store, directory, money, send, metrics, activity, callLog };
  const gateway = createGateway(parts);
  const { limits } = config;
  const lists = new ListRefresh(store, directory, { send, limits, report: reportUnlisted });
  const prices = new PriceRefresh(store, directory, {
    ...{ settings: config.priceFeed, send, activity, report: logLine, now: Date.now },
    retentionMs: limits.alertRetentionDays * 86_400_000,
    onAlert: () => metrics.observeAlert("model.retiring"),
  });
  const close = async () => {
    metrics.close();
    await Promise.all([storeWatch.close(), lists.close(), expiry.close(), prices.close()]);
    await gateway.state.jobs.close();
    await gateway.recordings?.settled();
    await Promise.all([money.close(), directory.close()]);
    await callLog?.close();
    send.endAll();
    store.close();
    store.health.assertUsable(); // a stop during an outage is no clean one
  };
  const upstreams = { send, addresses };
  const { isReady: isStoreReady, startWorker } = storeWatch;
  return {
    ...{ store, notices, directory, metrics, upstreams, money, gateway, lists },
    ...{ isStoreReady, startWorker, prices, archive: archive?.place, close },
  };
}

if (import.meta.main) {
  await run(() => compose(undefined, undefined, demandFreeAddress));
}

/** Gives rows their expiry in the background after the archive was removed from the configuration. */
function startExpiry(store: Store): { close(): Promise<void> } {
  const abort = new AbortController();
  const expiring = expirePages(store, abort.signal).catch(reportBackgroundFailure);
  return {
    close: async () => {
      abort.abort();
      await expiring;
    },
  };
}

/** Imported only if the configuration names an archive. Reports archived days that it does not name. */
async function openArchive(store: Store, { logArchive }: Config) {
  if (!logArchive) {
    const unread = await unreadArchive(store);
    if (unread !== undefined) logLine("warn", unread);
    return undefined;
  }
  await noteUnexpiring(store);
  const { startArchive } = await import("./lib/archive/mod.ts");
  return startArchive(store, logArchive, logLine);
}

/** Imported with the first mail. */
function mailComposer(store: Store, publicUrl: string | undefined): ComposeMail {
  const load = lazy(() => import("./lib/console/mail/compose.ts"));
  return async (notice, reader) =>
    await (await load()).composeMail({ store, publicUrl, nowMs: Date.now() }, notice, reader);
}

/** Imported at its first request: most gateways serve model calls only. */
async function loadManagement() {
  const { createManagementApi } = await import("./lib/management/mod.ts");
  return createManagementApi();
}

/** Imported at the first use only: the API does not wait for the build. */
async function buildConsole(): Promise<void> {
  const { buildWhenStale } = await import("./tools/build.ts");
  const failure = await buildWhenStale();
  if (failure !== undefined) {
    logLine("warn", "The console was built from other sources: serving the old build", {
      reason: failure.message,
    });
  }
}
