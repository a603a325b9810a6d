import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Activity } from "../activity.ts";
import type { RequestLogRow } from "../store/log/mod.ts";
import { storeFaultNames, type StoreHealth } from "../store/mod.ts";
import { CallLabels, type CallSeries } from "./call_labels.ts";
import { CallMetrics, PlainHistogram } from "./call_metrics.ts";

const breakerStates = ["closed", "half-open", "cooling", "open"] as const;

interface BreakerState {
  readonly upstreamId: string;
  readonly state: typeof breakerStates[number];
}

/**
 * The metrics at `/metrics`, in Prometheus' text format. Labels come from bounded sets: no keys, and
 * no model names that callers made up.
 */
export class Metrics {
  readonly #registry = new Registry();
  #stopProcess?: ReturnType<typeof watchProcess>;
  readonly #labels: CallLabels;
  readonly #calls = new CallMetrics(this.#registry);
  readonly #alerts = new Counter({
    name: "tessera_alerts_total",
    help: "Alerts raised, by type",
    labelNames: ["type"] as const,
    registers: [this.#registry],
  });
  readonly #deliveries = new Counter({
    name: "tessera_alert_deliveries_total",
    help: "Attempts to send an alert by webhook, by outcome",
    labelNames: ["outcome"] as const,
    registers: [this.#registry],
  });

  readonly #storeRefusals = new Counter({
    name: "tessera_store_refused_total",
    help: "Calls refused because the store could not record them",
    registers: [this.#registry],
  });

  /** `isConfigured` is true for models that an operator named: they have labels from the start. */
  constructor(isConfigured: (model: string) => boolean = () => false) {
    this.#labels = new CallLabels(isConfigured);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Counts an ended call. Returns its labels. */
  observe(row: RequestLogRow): CallSeries {
    const series = this.#labels.of(row);
    this.#calls.observe(row, series);
    return series;
  }

  /**
   * Counts alerts and their deliveries from zero: Prometheus sees no rate in a series that appears
   * with its first value.
   */
  watchAlerts(types: readonly string[], outcomes: readonly string[]): void {
    for (const type of types) this.#alerts.inc({ type }, 0);
    for (const outcome of outcomes) this.#deliveries.inc({ outcome }, 0);
  }

  /** `type` is one of a closed set, such as `budget.threshold_reached`. */
  observeAlert(type: string): void {
    this.#alerts.inc({ type });
  }

  /** `delivered`, `failed` or `abandoned`. */
  observeAlertDelivery(outcome: string): void {
    this.#deliveries.inc({ outcome });
  }

  /** Counts a call that was refused because the store is unavailable. */
  observeStoreRefusal(): void {
    this.#storeRefusals.inc();
  }

  /**
   * Exports the store's current fault, the number of ended calls that wait to be recorded, and the
   * time of each commit.
   */
  watchStore(health: Pick<StoreHealth, "fault" | "pending" | "pool" | "onCommit">): void {
    const commits = new PlainHistogram({
      name: "tessera_store_commit_seconds",
      help: "Time of a commit to the store",
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registry: this.#registry,
    });
    const unlabelled = {};
    commits.show(unlabelled);
    health.onCommit((ms) => commits.observe(unlabelled, ms / 1000));
    new Gauge({
      name: "tessera_store_fault",
      help: `1 while the store is unavailable, by fault: ${storeFaultNames.join(", ")}`,
      labelNames: ["fault"] as const,
      registers: [this.#registry],
      collect() {
        for (const fault of storeFaultNames) this.set({ fault }, Number(fault === health.fault));
      },
    });
    new Gauge({
      name: "tessera_store_pending_calls",
      help: "Ended calls waiting to be recorded",
      registers: [this.#registry],
      collect() {
        this.set(health.pending);
      },
    });
    new Gauge({
      name: "tessera_store_commits",
      help: "Commits on PostgreSQL: running, waiting for a connection, and (in total) repeated",
      labelNames: ["state"] as const,
      registers: [this.#registry],
      collect() {
        this.reset();
        for (const [state, count] of Object.entries(health.pool?.() ?? {})) {
          this.set({ state }, count);
        }
      },
    });
  }

  /** Exports the end of the last run of the log's archive that had no error. */
  watchArchive(succeededMs: () => number): void {
    new Gauge({
      name: "tessera_archive_success_timestamp_seconds",
      help: "Unix time of the last run of the log's archive without an error, or of the start",
      registers: [this.#registry],
      collect() {
        this.set(succeededMs() / 1_000);
      },
    });
  }

  /** Counts the breakers of each upstream by state, when the metrics are read. */
  watchBreakers(breakers: () => readonly BreakerState[]): void {
    new Gauge({
      name: "tessera_upstream_breakers",
      help:
        "Circuits of upstreams, their credentials and their models, by upstream and state: closed, half-open, cooling, open",
      labelNames: ["upstream", "state"] as const,
      registers: [this.#registry],
      collect() {
        this.reset();
        for (const { upstreamId: upstream, state } of breakers()) {
          for (const each of breakerStates) {
            this.inc({ upstream, state: each }, Number(each === state));
          }
        }
      },
    });
  }

  /** Exports the number of open WebSockets, of callers and to upstreams. */
  watchSockets(open: () => Readonly<Record<"caller" | "upstream", number>>): void {
    new Gauge({
      name: "tessera_sockets",
      help: "Open WebSockets of callers, and those to upstreams that are kept for them",
      labelNames: ["peer"] as const,
      registers: [this.#registry],
      collect() {
        for (const [peer, count] of Object.entries(open())) this.set({ peer }, count);
      },
    });
  }

  /** Exports the event loop's delay and the memory of the process, until it is closed. */
  watchProcess(activity: Activity): this {
    this.#stopProcess = watchProcess(this.#registry, activity);
    return this;
  }

  close(): void {
    this.#stopProcess?.();
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}

const everyMs = 50;
/** Limits the samples after a machine has slept for hours. */
const samplesMax = 1_000;

/**
 * Measures the event loop's delay with a timer while there are requests, and the memory of the
 * process when metrics are read. Returns the function that stops the timer.
 */
function watchProcess(registry: Registry, activity: Activity): () => void {
  watchMemory(registry);
  watchOpenFiles(registry);
  return watchEventLoop(registry, activity);
}

function watchEventLoop(registry: Registry, activity: Activity): () => void {
  const lag = new Histogram({
    name: "tessera_event_loop_lag_seconds",
    help: "Delay of the event loop, which delays every answer in progress",
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  });
  let lastAt = performance.now();
  return activity.every(everyMs, (isResumed) => {
    const now = performance.now();
    const lateMs = isResumed ? [] : missedBy(now - lastAt - everyMs); // a pause is no delay
    for (const ms of lateMs) lag.observe(ms / 1_000);
    lastAt = now;
  });
}

/** The delay of a sample, and of each sample that was missed meanwhile. */
export function missedBy(lateMs: number): readonly number[] {
  const delays: number[] = [];
  for (let ms = Math.max(0, lateMs); ms >= 0 && delays.length < samplesMax; ms -= everyMs) {
    delays.push(ms);
  }
  return delays;
}

function watchMemory(registry: Registry): void {
  new Gauge({
    name: "tessera_memory_bytes",
    help: "Memory of the process: resident, heap in use, whole heap, and external buffers",
    labelNames: ["kind"] as const,
    registers: [registry],
    collect() {
      const { rss, heapUsed, heapTotal, external } = Deno.memoryUsage();
      this.set({ kind: "rss" }, rss);
      this.set({ kind: "heap_used" }, heapUsed);
      this.set({ kind: "heap_total" }, heapTotal);
      this.set({ kind: "external" }, external);
    },
  });
}

/**
 * Exports open files, most of which are connections, under the names of Prometheus' own clients.
 * Linux only.
 */
function watchOpenFiles(registry: Registry): void {
  new Gauge({
    name: "process_open_fds",
    help: "Open files and connections of the process",
    registers: [registry],
    collect() {
      const open = openFiles();
      if (open !== undefined) this.set(open);
    },
  });
}

function openFiles(): number | undefined {
  try {
    return [...Deno.readDirSync("/proc/self/fd")].length;
  } catch {
    return undefined;
  }
}
