import {
  type Attributes,
  type AttributeValue,
  context,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from "@opentelemetry/api";
import {
  cacheWriteTokens,
  type FinishReason,
  totalInputTokens,
  totalOutputTokens,
  type Usage,
} from "../canonical/mod.ts";
import type { RequestLogRow } from "../store/log/mod.ts";

/** An ended call: its row, and the facts that the row does not hold. */
interface EndedCall {
  readonly row: RequestLogRow;
  readonly place: CallPlace | undefined;
  readonly finishReasons: readonly FinishReason[];
}

/**
 * Spans of calls by the semantic conventions for generative AI. A span covers a call with all its
 * attempts; the runtime's spans of requests to upstreams are its children. Holds no prompt, no
 * answer, no key and no address of a caller.
 */
export class CallSpans {
  readonly #tracer: Tracer;
  /** The spans of calls in flight, by the id of the call. */
  readonly #open = new Map<string, Span>();

  constructor(tracer: Tracer) {
    this.#tracer = tracer;
  }

  /** Answers a call in its span, which ends with `end`, or with a failure that has no row. */
  async run(id: string, answer: () => Promise<Response>): Promise<Response> {
    const span = this.#tracer.startSpan("call", { kind: SpanKind.CLIENT });
    this.#open.set(id, span);
    let response: Response | undefined;
    try {
      response = await context.with(trace.setSpan(context.active(), span), answer);
      return response;
    } finally {
      if (!response?.ok) this.#fail(id, response?.status ?? 500);
    }
  }

  end({ row, place, finishReasons }: EndedCall): void {
    const span = this.#take(row.id);
    if (!span) return;
    span.updateName(`${operationOf(row)} ${row.model}`);
    setAll(span, callAttributes(row, place));
    setAll(span, answerAttributes(row, finishReasons));
    if (row.errorCode !== undefined) {
      span.setAttribute("error.type", row.errorCode);
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end();
  }

  #fail(id: string, status: number): void {
    const span = this.#take(id);
    span?.setAttribute("error.type", String(status)).setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
  }

  #take(id: string): Span | undefined {
    const span = this.#open.get(id);
    this.#open.delete(id);
    return span;
  }
}

/** One by one, because `coverSpans` sees only single values. */
function setAll(span: Span, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) span.setAttribute(name, value);
  }
}

function callAttributes(row: RequestLogRow, place: CallPlace | undefined): Attributes {
  const url = place?.url === undefined ? undefined : URL.parse(place.url) ?? undefined;
  return {
    "gen_ai.operation.name": operationOf(row),
    "gen_ai.provider.name": providerOf(place),
    "gen_ai.request.model": row.model,
    "gen_ai.request.stream": row.stream || undefined,
    "server.address": url?.hostname,
    "server.port": url && integer(portOf(url)),
    "tessera.request.id": row.id,
    "tessera.key.id": row.keyId,
    "tessera.group.id": row.groupId,
    "tessera.format": row.format,
    "tessera.upstream.id": row.upstreamId,
    "tessera.upstream.format": row.upstreamFormat,
    "tessera.upstream.model": row.upstreamModel,
    "tessera.attempts": integer(row.attempts?.length ?? 0),
    "tessera.outcome": row.outcome,
  };
}

function answerAttributes(
  { stream, firstByteMs, usage, costNanoUsd }: RequestLogRow,
  finishReasons: readonly FinishReason[],
): Attributes {
  return {
    "gen_ai.response.finish_reasons": finishReasons.length > 0
      ? finishReasons.map((reason) => finishWords[reason])
      : undefined,
    "gen_ai.response.time_to_first_chunk": stream && firstByteMs !== undefined
      ? firstByteMs / 1_000
      : undefined,
    ...(usage && usageAttributes(usage)),
    "tessera.cost.usd": costNanoUsd === undefined ? undefined : Number(costNanoUsd) / 1e9,
  };
}

/** Cached and reasoning tokens are part of the totals, as the conventions demand. */
function usageAttributes(usage: Usage): Attributes {
  const written = cacheWriteTokens(usage);
  return {
    "gen_ai.usage.input_tokens": integer(totalInputTokens(usage)),
    "gen_ai.usage.output_tokens": integer(totalOutputTokens(usage)),
    "gen_ai.usage.cache_read.input_tokens": positive(usage.cacheReadTokens),
    "gen_ai.usage.cache_creation.input_tokens": positive(written),
    "gen_ai.usage.reasoning.output_tokens": positive(usage.reasoningTokens),
  };
}

/** Undefined for none: the conventions leave out parts that do not apply. */
function positive(count: number): AttributeValue | undefined {
  return count > 0 ? integer(count) : undefined;
}

/** Deno exports every number as a double and a bigint as an integer, which its types do not know. */
function integer(value: number): AttributeValue {
  return BigInt(value) as unknown as number;
}

function portOf({ port, protocol }: URL): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}

/** The vendor and the address of the upstream that a call reached last. */
export interface CallPlace {
  /** `gen_ai.provider.name`: a well-known value, or the upstream's id. */
  readonly provider: string;
  /** The base URL; absent for a model inside the gateway. */
  readonly url?: string;
}

/** The provider of calls that reached no upstream, and of models inside the gateway. */
const ownProvider = "tessera";

/** Returns the provider's name in OpenTelemetry. */
export function providerOf(place: CallPlace | undefined): string {
  return place?.provider ?? ownProvider;
}

/** The operations with a well-known name; all others keep their own, with underscores. */
const operationNames: Readonly<Record<string, string>> = {
  embed: "embeddings",
  complete: "text_completion",
};

/** `gen_ai.operation.name` of a call, by the format that the upstream was called in. */
export function operationOf(
  { operation, format, upstreamFormat = format }: Pick<
    RequestLogRow,
    "operation" | "format" | "upstreamFormat"
  >,
): string {
  if (operation !== "generate") {
    return operationNames[operation] ?? operation.replaceAll("-", "_");
  }
  return upstreamFormat === "generate-content" ? "generate_content" : "chat";
}

/** The finish reasons in the words of the semantic conventions. */
const finishWords = {
  stop: "stop",
  "stop-sequence": "stop",
  "tool-calls": "tool_call",
  length: "length",
  "context-full": "length",
  "content-filter": "content_filter",
  refusal: "content_filter",
  pause: "pause",
  compaction: "compaction",
} as const satisfies Record<FinishReason, string>;

/**
 * Removes secrets from the addresses in all spans of this isolate: queries (`?key=`), and tokens of
 * links in paths. Deno 2.8.2 writes a request's address into its span before a handler runs, and a
 * span's values cannot be replaced, so the method that sets them is replaced. Does nothing without
 * tracing.
 */
export function coverSpans(): void {
  const span = trace.getTracer("tessera").startSpan("unused"); // never ended, so never exported
  if (!span.isRecording()) return;
  const prototype: Pick<Span, "setAttribute"> = Object.getPrototypeOf(span);
  const { setAttribute } = prototype;
  prototype.setAttribute = function (this: Span, name, value) {
    return setAttribute.call(this, name, typeof value === "string" ? covered(name, value) : value);
  };
}

/** Links of the console, whose path ends in a token. */
const linkToken = /(\/(?:setup|invitation|password)\/)[^/?#]+/;
/** Matches the query of an address within a text, such as an exception's message. */
const query = /(\bhttps?:\/\/[^\s?#"')]*)[?#][^\s"')]*/g;

function covered(name: string, value: string): string {
  if (name === "url.query") return "";
  return value.replace(query, "$1").replace(linkToken, "$1{token}");
}
