import type { Config } from "../config.ts";
import { createPrices } from "../ledger/mod.ts";
import type { Money } from "../money.ts";
import { createState } from "../responses_state/mod.ts";
import { Health, systemClock, withChanges } from "../routing/mod.ts";
import type { Store } from "../store/mod.ts";
import type { Directory } from "../store/directory/mod.ts";
import { logFailure, type Metrics, reportOpened } from "../telemetry/mod.ts";
import { ContinuationMemory, type Send, upstreamsOf } from "../upstreams/mod.ts";
import { notifyConnectionChecks } from "./connection_checks.ts";
import { createBodyMemory } from "./body_memory.ts";
import { identify } from "./identify.ts";
import { isStoredInTime } from "./stored_in_time.ts";
import type { GatewayDeps } from "./dependencies.ts";

/** The parts of the gateway. */
interface GatewayParts {
  readonly config: Config;
  readonly store: Store;
  readonly directory: Directory;
  readonly money: Money;
  readonly send: Send;
  readonly metrics: Metrics;
}

/** Creates the gateway with the real clock, real random numbers and the operator's log. */
export function createGateway(parts: GatewayParts): GatewayDeps {
  const { config, store, directory, money, send, metrics } = parts;
  const health = new Health(config.limits, Date.now, reportOpened);
  metrics.watchBreakers(() => health.snapshot());
  return {
    assertRecording: () => {
      if (store.health.fault !== undefined) metrics.observeStoreRefusal();
      store.health.assertUsable();
    },
    isStoredInTime: (stored) => isStoredInTime(stored, store.health, config.limits.storeWaitMs),
    whoCalls: (call) => identify(call, directory),
    upstreams: withChanges(() => upstreamsOf(directory.upstreams()), (id) => health.forget(id)),
    lists: () => directory.upstreamLists(),
    send,
    limits: config.limits,
    bodies: createBodyMemory(config.limits),
    health,
    clock: systemClock,
    ledger: money.ledger,
    prices: createPrices(() => directory.models()),
    state: createState(store, {
      limits: config.limits,
      storeByDefault: config.storeResponsesByDefault,
      report: logFailure,
    }),
    observe: (row) => {
      metrics.observe(row);
      if (row.costNanoUsd) money.alerts.noteSpent(row);
      money.alerts.noteUsage(row);
    },
    noteRefused: (spender, limit) => money.alerts.noteRefused(spender, limit),
    notifyChecks: notifyConnectionChecks(directory),
    report: logFailure,
    publicUrl: config.publicUrl,
    random: Math.random,
    memory: new ContinuationMemory(Date.now),
    onViolations: (format, violations) => metrics.observeViolations(format, violations.length),
  };
}
