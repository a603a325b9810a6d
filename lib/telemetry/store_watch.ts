import type { Activity } from "../activity.ts";
import {
  adviceOf,
  FileCheck,
  type Store,
  storeFaults,
  type StoreHealth,
  StoreMonitor,
} from "../store/mod.ts";
import { logLine } from "./log.ts";
import type { Metrics } from "./metrics.ts";

interface StoreLimits {
  readonly storeProbeMs: number;
  readonly storeWaitMs: number;
  readonly storeCheckMs: number;
}

interface StoreWatch {
  /** Returns true if the store is healthy and responds at once. */
  isReady(): Promise<boolean>;
  /** Starts the worker that checks the store's file, if it is local. */
  startWorker(): void;
  close(): Promise<void>;
}

/**
 * Probes a store in use at intervals until it is closed, and exports its health and its start-up notices
 * to the log and the metrics.
 */
export function watchStore(
  store: Store,
  { storeProbeMs, storeWaitMs, storeCheckMs }: StoreLimits,
  { metrics, activity }: { readonly metrics: Metrics; readonly activity: Activity },
): StoreWatch {
  const monitor = new StoreMonitor(store, {
    everyMs: storeProbeMs,
    timeoutMs: storeWaitMs,
    activity,
  });
  const check = store.file && new FileCheck(store.file.path, store.health, storeCheckMs);
  const stopReporting = reportStore(store.health);
  metrics.watchStore(store.health);
  for (const notice of store.notices) logLine("warn", notice, { store: store.health.where });
  return {
    isReady: () => monitor.isReady(),
    startWorker: () => void check?.start(),
    close: async () => {
      check?.close();
      await monitor.close();
      stopReporting();
    },
  };
}

/** Logs each change of the store's health once. Returns the function that stops it. */
function reportStore(health: StoreHealth): () => void {
  return health.onChange(({ fault, afterMs }) => {
    if (fault === undefined) {
      const seconds = Math.round((afterMs ?? 0) / 1_000);
      return logLine("info", `The store is available again after ${seconds} s`, {
        store: health.where,
      });
    }
    logLine("error", adviceOf(fault, health.where), {
      code: "store_unavailable",
      fault,
      goesOnByItself: !storeFaults[fault].isLasting,
    });
  });
}
