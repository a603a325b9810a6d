import { Counter, type CounterConfiguration, Gauge, Histogram, Registry } from "prom-client";
import { totalInputTokens, totalOutputTokens } from "../canonical/mod.ts";
import type { RequestLogRow } from "../store/log/mod.ts";
import { storeFaultNames, type StoreHealth } from "../store/mod.ts";
import { watchProcess } from "./process_metrics.ts";

const breakerStates = ["closed", "half-open", "cooling", "open"] as const;

/** The current state of a breaker. */
interface BreakerState {
  readonly upstreamId: string;
  readonly state: typeof breakerStates[number];
}

/**
 * The metrics at `/metrics`, in Prometheus' text format. Labels come from closed sets: no keys, and
 * no model names that callers made up.
 */
export class Metrics {
  readonly #registry = new Registry();
  #process?: ReturnType<typeof watchProcess>;
  readonly #requests = new PlainCounts({
    name: "tessera_requests_total",
    help: "Authorized calls, by format, outcome and status",
    labelNames: ["format", "outcome", "status"] as const,
    registers: [this.#registry],
  });
  readonly #tokens = new PlainCounts({
    name: "tessera_tokens_total",
    help: "Tokens used, by direction",
    labelNames: ["direction"] as const,
    registers: [this.#registry],
  });
  readonly #duration = new Histogram({
    name: "tessera_request_duration_seconds",
    help: "Time from the request to the end of its answer",
    labelNames: ["format"] as const,
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300],
    registers: [this.#registry],
  });
  readonly #firstByte = new Histogram({
    name: "tessera_first_byte_seconds",
    help: "Time from the request to the first byte of its answer",
    labelNames: ["format"] as const,
    buckets: [0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30],
    registers: [this.#registry],
  });
  readonly #violations = new Counter({
    name: "tessera_stream_violations_total",
    help: "Sampled streams that violated their dialect's protocol, by format",
    labelNames: ["format"] as const,
    registers: [this.#registry],
  });
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

  readonly #attempts = new PlainCounts({
    name: "tessera_attempts_total",
    help: "Attempts at upstreams, by upstream and result: answered, or the code of the error",
    labelNames: ["upstream", "result"] as const,
    registers: [this.#registry],
  });

  readonly #storeRefusals = new Counter({
    name: "tessera_store_refused_total",
    help: "Calls refused because the store could not record them",
    registers: [this.#registry],
  });

  get contentType(): string {
    return this.#registry.contentType;
  }

  observe(row: RequestLogRow): void {
    const { format, outcome, status } = row;
    this.#requests.add(`${format} ${outcome} ${status}`, 1, () => ({
      format,
      outcome,
      status: String(status),
    }));
    this.#duration.observe({ format: row.format }, row.durationMs / 1000);
    if (row.firstByteMs !== undefined) {
      this.#firstByte.observe({ format: row.format }, row.firstByteMs / 1000);
    }
    for (const { upstreamId, errorCode = "answered" } of row.attempts ?? []) {
      this.#attempts.add(`${upstreamId} ${errorCode}`, 1, () => ({
        upstream: upstreamId,
        result: errorCode,
      }));
    }
    if (!row.usage) return;
    const { usage } = row;
    this.#tokens.add("input", totalInputTokens(usage), () => ({ direction: "input" }));
    this.#tokens.add("output", totalOutputTokens(usage), () => ({ direction: "output" }));
  }

  observeViolations(format: string, count: number): void {
    this.#violations.inc({ format }, count);
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

  /** Exports the store's current fault, and the number of ended calls that wait to be recorded. */
  watchStore(health: Pick<StoreHealth, "fault" | "pending">): void {
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
  }

  /** Counts the breakers of each upstream by state, when the metrics are read. */
  watchBreakers(breakers: () => readonly BreakerState[]): void {
    new Gauge({
      name: "tessera_upstream_breakers",
      help:
        "Breakers of upstreams, their credentials and their models, by upstream and state: closed, half-open, cooling, open",
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

  /** Exports the event loop's delay and the memory of the process, until it is closed. */
  watchProcess(): this {
    this.#process = watchProcess(this.#registry);
    return this;
  }

  close(): void {
    this.#process?.stop();
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}

/** A counter of every call: a plain sum for each set of labels, added up only when it is read. */
class PlainCounts<Label extends string> {
  readonly #sums = new Map<string, { readonly labels: Record<Label, string>; count: number }>();

  constructor(configuration: CounterConfiguration<Label>) {
    const addSums = (counter: Counter<Label>) => this.#addTo(counter);
    new Counter({
      ...configuration,
      collect() {
        addSums(this);
      },
    });
  }

  /** `name` identifies the set of labels, which is made for its first count only. */
  add(name: string, count: number, labels: () => Record<Label, string>): void {
    const sum = this.#sums.get(name);
    if (sum) sum.count += count;
    else this.#sums.set(name, { labels: labels(), count });
  }

  #addTo(counter: Counter<Label>): void {
    for (const { labels, count } of this.#sums.values()) counter.inc(labels, count);
    this.#sums.clear();
  }
}
