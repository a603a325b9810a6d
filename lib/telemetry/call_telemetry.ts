import {
  type Attributes,
  createNoopMeter,
  type Meter,
  metrics as otel,
  trace,
} from "@opentelemetry/api";
import { type FinishReason, totalInputTokens, totalOutputTokens } from "../canonical/mod.ts";
import type { RequestLogRow } from "../store/log/mod.ts";
import { version } from "../version.ts";
import type { CallSeries } from "./call_labels.ts";
import type { CallLog } from "./call_log.ts";
import { type CallPlace, CallSpans, operationOf, providerOf } from "./call_spans.ts";
import type { Metrics } from "./metrics.ts";

/** Bucket boundaries from the semantic conventions. */
const secondBounds = Array.from({ length: 14 }, (_, at) => 0.01 * 2 ** at);
const tokenBounds = Array.from({ length: 14 }, (_, at) => 4 ** at);
const firstChunkBounds = [
  ...[0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
];

/**
 * Metrics of calls by the semantic conventions for generative AI, for the runtime's exporter. Model,
 * upstream and group have the bounded values of `CallLabels`.
 */
class CallMeter {
  readonly #duration;
  readonly #firstChunk;
  readonly #tokens;
  readonly #cost;

  constructor(meter: Meter) {
    this.#duration = meter.createHistogram("gen_ai.client.operation.duration", {
      description: "Time from the request to the end of its answer",
      unit: "s",
      advice: { explicitBucketBoundaries: secondBounds },
    });
    this.#firstChunk = meter.createHistogram("gen_ai.client.operation.time_to_first_chunk", {
      description: "Time from a streaming request to the first byte of its answer",
      unit: "s",
      advice: { explicitBucketBoundaries: firstChunkBounds },
    });
    this.#tokens = meter.createHistogram("gen_ai.client.token.usage", {
      description: "Tokens of a call",
      unit: "{token}",
      advice: { explicitBucketBoundaries: tokenBounds },
    });
    this.#cost = meter.createCounter("tessera.client.cost", {
      description: "Charged amount",
      unit: "{USD}",
    });
  }

  observe(row: RequestLogRow, { labels }: CallSeries, place: CallPlace | undefined): void {
    const attributes: Attributes = {
      "gen_ai.operation.name": operationOf(row),
      "gen_ai.provider.name": providerOf(place),
      "gen_ai.request.model": labels.model,
      "tessera.format": labels.format,
      "tessera.upstream.id": labels.upstream,
      "tessera.group.id": labels.group,
    };
    const failed = row.errorCode === undefined ? {} : { "error.type": row.errorCode };
    this.#duration.record(row.durationMs / 1_000, { ...attributes, ...failed });
    if (row.stream && row.firstByteMs !== undefined) {
      this.#firstChunk.record(row.firstByteMs / 1_000, attributes);
    }
    this.#addUsage(row, attributes);
  }

  #addUsage({ usage, costNanoUsd }: RequestLogRow, attributes: Attributes): void {
    if (costNanoUsd) this.#cost.add(Number(costNanoUsd) / 1e9, attributes);
    if (!usage) return;
    const tokens = { input: totalInputTokens(usage), output: totalOutputTokens(usage) };
    for (const [type, count] of Object.entries(tokens)) {
      this.#tokens.record(count, { ...attributes, "gen_ai.token.type": type });
    }
  }
}

interface CallTelemetryOptions {
  readonly metrics: Metrics;
  /** Absent unless it is configured. */
  readonly log?: CallLog;
  /** The upstream that a call reached last; undefined if it reached none. */
  readonly placeOf: (row: RequestLogRow) => CallPlace | undefined;
}

/**
 * Reports each ended call to the operator: metrics always, a line in the log of calls if it is
 * configured, and spans and OpenTelemetry's metrics if the runtime exports them.
 */
export class CallTelemetry {
  /** Absent unless the runtime records spans. */
  readonly spans?: CallSpans;
  readonly #meter?: CallMeter;
  readonly #options: CallTelemetryOptions;

  constructor(options: CallTelemetryOptions) {
    this.#options = options;
    const tracer = trace.getTracer("tessera", version);
    const probe = tracer.startSpan("unused"); // never ended, so never exported
    if (probe.isRecording()) this.spans = new CallSpans(tracer);
    const meter = otel.getMeter("tessera", version);
    if (meter !== createNoopMeter()) this.#meter = new CallMeter(meter);
  }

  /** `finishReasons` is called only if calls are traced. */
  observe(row: RequestLogRow, finishReasons?: () => readonly FinishReason[]): void {
    const { metrics, log, placeOf } = this.#options;
    const series = metrics.observe(row);
    log?.add(row);
    if (!this.spans && !this.#meter) return;
    const place = placeOf(row);
    this.#meter?.observe(row, series, place);
    let reasons: readonly FinishReason[] = [];
    try {
      reasons = finishReasons?.() ?? [];
    } finally {
      this.spans?.end({ row, place, finishReasons: reasons });
    }
  }
}
