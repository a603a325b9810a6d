import { serveLoopback } from "../fake_upstream.ts";

/** A value of an attribute; a bigint is an integer on the wire, and a number a double. */
type Value = string | number | bigint | boolean | readonly Value[];

export interface CollectedSpan {
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  /** As numbers: 2 is a server's, 3 a client's. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, Value>>;
  /** 2 is an error. */
  readonly status: number;
}

/** One set of attributes of a metric: of a histogram, its count and sum. */
export interface CollectedPoint {
  readonly metric: string;
  readonly attributes: Readonly<Record<string, Value>>;
  readonly count: number;
  readonly sum: number;
}

/** A collector of OpenTelemetry over HTTP that keeps all that it gets. */
export function startCollector() {
  const bodies: { readonly path: string; readonly text: string }[] = [];
  const server = serveLoopback(async (request) => {
    bodies.push({ path: new URL(request.url).pathname, text: await request.text() });
    return Response.json({});
  });
  const of = (path: string) =>
    bodies.filter((body) => body.path === path).map(({ text }) => JSON.parse(text));
  return {
    env: {
      OTEL_DENO: "true",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_ENDPOINT: server.base,
      OTEL_EXPORTER_OTLP_COMPRESSION: "none",
    },
    paths: () => new Set(bodies.map(({ path }) => path)),
    text: () => bodies.map(({ text }) => text).join("\n"),
    spans: () => of("/v1/traces").flatMap(spansIn),
    points: () => of("/v1/metrics").flatMap(pointsIn),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** The wire's JSON, as far as it is read here. */
interface WireValue {
  readonly stringValue?: string;
  readonly boolValue?: boolean;
  readonly intValue?: string | number;
  readonly doubleValue?: number;
  readonly arrayValue?: { readonly values: readonly WireValue[] };
}

type WireAttributes = readonly { readonly key: string; readonly value: WireValue }[];

interface WireSpan {
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes?: WireAttributes;
  readonly status?: { readonly code?: number };
}

interface WirePoint {
  readonly attributes?: WireAttributes;
  readonly count?: string | number;
  readonly sum?: number;
  readonly asDouble?: number;
  readonly asInt?: string | number;
}

interface WireMetric {
  readonly name: string;
  readonly histogram?: { readonly dataPoints: readonly WirePoint[] };
  readonly sum?: { readonly dataPoints: readonly WirePoint[] };
}

interface WireTraces {
  readonly resourceSpans?: readonly {
    readonly scopeSpans?: readonly { readonly spans?: readonly WireSpan[] }[];
  }[];
}

interface WireMetrics {
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics?: readonly { readonly metrics?: readonly WireMetric[] }[];
  }[];
}

function spansIn({ resourceSpans = [] }: WireTraces): CollectedSpan[] {
  return resourceSpans.flatMap(({ scopeSpans = [] }) => scopeSpans)
    .flatMap(({ spans = [] }) => spans)
    .map(({ spanId, parentSpanId = "", name, kind, attributes, status }) => ({
      spanId,
      parentSpanId,
      name,
      kind,
      attributes: valuesOf(attributes),
      status: status?.code ?? 0,
    }));
}

function pointsIn({ resourceMetrics = [] }: WireMetrics): CollectedPoint[] {
  return resourceMetrics.flatMap(({ scopeMetrics = [] }) => scopeMetrics)
    .flatMap(({ metrics = [] }) => metrics)
    .flatMap(({ name, histogram, sum }) =>
      (histogram ?? sum)?.dataPoints.map((point) => ({
        metric: name,
        attributes: valuesOf(point.attributes),
        count: Number(point.count ?? 1),
        sum: Number(point.sum ?? point.asDouble ?? point.asInt ?? 0),
      })) ?? []
    );
}

function valuesOf(attributes: WireAttributes = []): Record<string, Value> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]));
}

function valueOf(
  { stringValue, boolValue, intValue, doubleValue, arrayValue }: WireValue,
): Value {
  if (arrayValue) return arrayValue.values.map(valueOf);
  return stringValue ?? boolValue ?? doubleValue ?? BigInt(intValue ?? 0);
}
