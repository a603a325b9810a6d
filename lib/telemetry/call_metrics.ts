import { Counter, type CounterConfiguration, type Metric, type Registry } from "prom-client";
import { type TokenBucket, tokenBuckets, type Usage } from "../canonical/mod.ts";
import type { RequestLogRow } from "../store/log/mod.ts";
import type { CallSeries } from "./call_labels.ts";

interface HistogramOptions {
  readonly name: string;
  readonly help: string;
  readonly buckets: readonly number[];
  readonly registry: Registry;
}

interface Observed {
  /** The values in each bucket alone; those beyond the last bound are only counted. */
  readonly counts: number[];
  count: number;
  sum: number;
}

type Labels = Readonly<Record<string, string>>;

/** A histogram of every call: plain counts for each set of labels, summed only when it is read. */
export class PlainHistogram {
  readonly #options: HistogramOptions;
  readonly #observed = new Map<Labels, Observed>();

  constructor(options: HistogramOptions) {
    const { name, help, registry } = this.#options = options;
    const metric = {
      name,
      help,
      type: "histogram",
      get: () => ({ ...metric, values: this.#values() }),
    };
    registry.registerMetric(metric as unknown as Metric); // a registry only calls `get`
  }

  /** Shows a set of labels with zeros, before its first value. */
  show(labels: Labels): Observed {
    const counts = this.#options.buckets.map(() => 0);
    const observed = { counts, count: 0, sum: 0 };
    this.#observed.set(labels, observed);
    return observed;
  }

  /** Equal sets of labels must be one object. */
  observe(labels: Labels, value: number): void {
    const { buckets } = this.#options;
    const observed = this.#observed.get(labels) ?? this.show(labels);
    observed.sum += value;
    observed.count++;
    for (let at = 0; at < buckets.length; at++) {
      if (value > buckets[at]) continue;
      observed.counts[at]++;
      return;
    }
  }

  #values() {
    return [...this.#observed].flatMap(([labels, { counts, count, sum }]) => {
      const { name, buckets } = this.#options;
      let below = 0;
      const bounded = buckets.map((le, at) => ({ le, value: below += counts[at] }));
      return [
        ...[...bounded, { le: "+Inf", value: count }].map(({ le, value }) => ({
          metricName: `${name}_bucket`,
          labels: { le, ...labels },
          value,
        })),
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: count },
      ];
    });
  }
}

/** A counter of every call: a plain sum for each set of labels, added up only when it is read. */
class PlainCounts<Label extends string> {
  readonly #sums = new Map<unknown, Map<string, Sum<Label>>>();

  constructor(configuration: CounterConfiguration<Label>) {
    const addSums = (counter: Counter<Label>) => this.#addTo(counter);
    new Counter({
      ...configuration,
      collect() {
        addSums(this);
      },
    });
  }

  /**
   * `owner` and `name` identify the set of labels, which is made for its first count only. Two short
   * look-ups cost less than one by a long name.
   */
  add(owner: unknown, name: string, count: number, labels: () => Record<Label, string>): void {
    const sums = this.#sums.getOrInsertComputed(owner, () => new Map());
    const sum = sums.get(name);
    if (sum) sum.count += count;
    else sums.set(name, { labels: labels(), count });
  }

  #addTo(counter: Counter<Label>): void {
    for (const sums of this.#sums.values()) {
      for (const { labels, count } of sums.values()) counter.inc(labels, count);
    }
    this.#sums.clear();
  }
}

interface Sum<Label extends string> {
  readonly labels: Record<Label, string>;
  count: number;
}

const callLabels = ["format", "model", "upstream", "group"] as const;

const tokenLabels = {
  inputTokens: { direction: "input", type: "uncached" },
  cacheReadTokens: { direction: "input", type: "cache_read" },
  cacheWrite5mTokens: { direction: "input", type: "cache_write" },
  cacheWrite1hTokens: { direction: "input", type: "cache_write" },
  cacheWrite12hTokens: { direction: "input", type: "cache_write" },
  audioInputTokens: { direction: "input", type: "audio" },
  imageInputTokens: { direction: "input", type: "image" },
  outputTokens: { direction: "output", type: "text" },
  reasoningTokens: { direction: "output", type: "reasoning" },
  audioOutputTokens: { direction: "output", type: "audio" },
  imageOutputTokens: { direction: "output", type: "image" },
} as const satisfies Record<TokenBucket, { direction: string; type: string }>;

const nanosPerUsd = 1e9;

/** The metrics of calls: their number, tokens, cost and times. */
export class CallMetrics {
  readonly #requests;
  readonly #tokens;
  readonly #cost;
  readonly #limits;
  readonly #attempts;
  readonly #duration;
  readonly #firstByte;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#requests = new PlainCounts({
      name: "tessera_requests_total",
      help: "Authorized calls, by outcome and status",
      labelNames: [...callLabels, "outcome", "status"],
      registers,
    });
    this.#tokens = new PlainCounts({
      name: "tessera_tokens_total",
      help: "Tokens used, by direction and type",
      labelNames: [...callLabels, "direction", "type"],
      registers,
    });
    this.#cost = new PlainCounts({
      name: "tessera_cost_usd_total",
      help: "Charged amount in US dollars",
      labelNames: callLabels,
      registers,
    });
    this.#limits = new PlainCounts({
      name: "tessera_limit_refusals_total",
      help: "Calls refused by a limit, by limit and group",
      labelNames: ["limit", "group"] as const,
      registers,
    });
    this.#attempts = new PlainCounts({
      name: "tessera_attempts_total",
      help: "Attempts at upstreams, by upstream and result: answered, or the code of the error",
      labelNames: ["upstream", "result"] as const,
      registers,
    });
    this.#duration = new PlainHistogram({
      name: "tessera_request_duration_seconds",
      help: "Time from the request to the end of its answer",
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300],
      registry,
    });
    this.#firstByte = new PlainHistogram({
      name: "tessera_first_byte_seconds",
      help: "Time from the request to the first byte of its answer",
      buckets: [0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30],
      registry,
    });
  }

  observe(row: RequestLogRow, series: CallSeries): void {
    const { outcome, status } = row;
    this.#requests.add(series, `${outcome} ${status}`, 1, () => ({
      ...series.labels,
      outcome,
      status: String(status),
    }));
    this.#duration.observe(series.timed, row.durationMs / 1000);
    if (row.firstByteMs !== undefined) {
      this.#firstByte.observe(series.timed, row.firstByteMs / 1000);
    }
    if (row.usage) this.#addTokens(row.usage, series);
    if (row.costNanoUsd) {
      this.#cost.add(series, "", Number(row.costNanoUsd) / nanosPerUsd, () => series.labels);
    }
    this.#addAttempts(row);
    this.#addRefusal(row, series);
  }

  #addTokens(usage: Usage, series: CallSeries): void {
    for (const bucket of tokenBuckets) {
      if (usage[bucket] === 0) continue;
      this.#tokens.add(series, bucket, usage[bucket], () => ({
        ...series.labels,
        ...tokenLabels[bucket],
      }));
    }
  }

  #addAttempts({ attempts = [] }: RequestLogRow): void {
    for (const { upstreamId, errorCode = "answered" } of attempts) {
      this.#attempts.add(upstreamId, errorCode, 1, () => ({
        upstream: upstreamId,
        result: errorCode,
      }));
    }
  }

  #addRefusal({ refusedBy }: RequestLogRow, { labels: { group } }: CallSeries): void {
    if (!refusedBy) return;
    const { name: limit } = refusedBy;
    this.#limits.add(limit, group, 1, () => ({ limit, group }));
  }
}
