import { getHeapStatistics } from "node:v8";
import type { Activity } from "../activity.ts";
import type { Config, Limits } from "../config.ts";
import { BodyMemory } from "../http/body/body_memory.ts";
import { gatewayErrorOf } from "../http/errors.ts";
import { createPrices, ownBudgets, rateOf, remainingMoney } from "../ledger/mod.ts";
import type { Money } from "../money.ts";
import { createState } from "../responses_state/mod.ts";
import { Health, preferenceOf, RetryBudget, systemClock, withChanges } from "../routing/mod.ts";
import type { Directory } from "../store/directory/mod.ts";
import type { RequestLogRow } from "../store/log/mod.ts";
import type { Store } from "../store/mod.ts";
import {
  type CallLog,
  CallTelemetry,
  logFailure,
  type Metrics,
  reportOpened,
} from "../telemetry/mod.ts";
import { ContinuationMemory, providerName, type Send, upstreamsOf } from "../upstreams/mod.ts";
import { CallRecordings } from "./call_recordings.ts";
import { Chains } from "./chains.ts";
import { CacheDoctor } from "./cache_doctor.ts";
import { notifyConnectionChecks } from "./connection_checks.ts";
import type { GatewayDeps } from "./dependencies.ts";
import { identify } from "./identify.ts";
import { RecordWait } from "./record_wait.ts";

interface GatewayParts {
  readonly config: Config;
  readonly store: Store;
  readonly directory: Directory;
  readonly money: Money;
  readonly send: Send;
  readonly metrics: Metrics;
  readonly activity: Activity;
  /** Absent unless it is configured. */
  readonly callLog?: CallLog;
}

/** Creates the gateway with the real clock, real random numbers and the operator's log. */
export function createGateway(parts: GatewayParts): GatewayDeps {
  const { config, store, directory, money, send, metrics, activity, callLog: log } = parts;
  const { webhooks } = money.alerts;
  const health = new Health(config.limits, Date.now, (opened) => {
    reportOpened(opened);
    webhooks.noteOpened(opened);
  });
  webhooks.watchUpstreams(() => health.snapshot());
  metrics.watchBreakers(() => health.snapshot());
  const prices = createPrices(() => directory.models(), () => directory.priceFeed());
  const measures = {
    health,
    rateOf: (model: string) => rateOf(prices, model, Date.now()),
    now: Date.now,
  };
  const telemetry = new CallTelemetry({ metrics, log, placeOf: (row) => placeOf(row, directory) });
  return {
    assertRecording: () => {
      if (store.health.fault === undefined) return;
      metrics.observeStoreRefusal();
      store.health.assertUsable();
    },
    records: new RecordWait(store.health, config.limits.storeWaitMs),
    identify: (call) => activity.afterPause(() => identify(call, directory)),
    upstreams: withChanges(() => upstreamsOf(directory.upstreams()), (id) => health.forget(id)),
    chains: new Chains({
      membersOf: (model) => directory.model(model)?.members,
      budgetsOf: (caller) =>
        remainingMoney(store, caller, { nowMs: Date.now(), timeZone: config.timeZone })
          .catch(() => []),
      now: Date.now,
    }),
    preference: () => preferenceOf(directory.settings().upstreamOrder, measures),
    lists: () => directory.upstreamLists(),
    send,
    limits: config.limits,
    bodies: createBodyMemory(config.limits),
    health,
    retries: new RetryBudget({
      percent: config.limits.retriesPercent,
      running: (id) => health.running(id),
      random: Math.random,
    }),
    clock: systemClock,
    ledger: money.ledger,
    ownBudgets: (caller) =>
      ownBudgets(store, caller, { nowMs: Date.now(), timeZone: config.timeZone }).catch(() => []),
    prices,
    cacheDoctor: new CacheDoctor(),
    capsules: store.secretBox,
    compactionPrompt: () => directory.settings().compactionPrompt || config.compactionPrompt,
    state: createState(store, {
      limits: config.limits,
      storeByDefault: config.storeResponsesByDefault,
      report: logFailure,
    }),
    recordings: new CallRecordings(store, {
      limits: config.limits,
      now: Date.now,
      report: (cause, requestId) => logFailure(gatewayErrorOf(cause), requestId),
    }),
    spans: telemetry.spans,
    observe: (row, finishReasons) => {
      telemetry.observe(row, finishReasons);
      if (row.costNanoUsd) money.alerts.noteSpent(row);
      money.alerts.noteCall(row);
    },
    noteRefused: (spender, limit) => money.alerts.noteRefused(spender, limit),
    notifyChecks: notifyConnectionChecks(directory),
    report: logFailure,
    publicUrl: config.publicUrl,
    random: Math.random,
    memory: new ContinuationMemory(Date.now),
  };
}

/** The vendor and the address of the upstream that a call reached last. */
function placeOf(
  { upstreamId, upstreamFormat }: RequestLogRow,
  directory: Pick<Directory, "upstreams">,
) {
  const upstream = upstreamId === undefined
    ? undefined
    : directory.upstreams().find(({ id }) => id === upstreamId);
  const url = upstreamFormat && upstream?.endpoints[upstreamFormat];
  return upstream && { provider: providerName(upstream), ...(url !== undefined && { url }) };
}

/**
 * Bounds the memory of all request bodies of this isolate to a share of the JavaScript heap, which
 * holds their texts, but never below the maximum size of one body.
 */
function createBodyMemory(limits: Limits): BodyMemory {
  const { heap_size_limit: heapBytes } = getHeapStatistics();
  const least = Math.max(limits.bodyBytesMax, limits.formBytesMax);
  const totalBytes = Math.max(least, heapBytes * limits.bodiesHeapPercent / 100);
  return new BodyMemory({
    totalBytes: Math.floor(totalBytes),
    accountBytes: Math.floor(Math.max(least, totalBytes * limits.accountBodiesPercent / 100)),
    waitMs: limits.bodiesWaitMs,
  });
}
