import { createNoopMeter, metrics as otel, trace } from "@opentelemetry/api";
import type { FinishReason } from "../canonical/mod.ts";
import type { RequestLogRow } from "../store/log/mod.ts";
import type { CallLog } from "./call_log.ts";
import { CallMeter } from "./call_meter.ts";
import { CallSpans } from "./call_spans.ts";
import type { CallPlace } from "./gen_ai.ts";
import type { Metrics } from "./metrics.ts";

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
    const tracer = trace.getTracer("tessera");
    const probe = tracer.startSpan("unused"); // never ended, so never exported
    if (probe.isRecording()) this.spans = new CallSpans(tracer);
    const meter = otel.getMeter("tessera");
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
