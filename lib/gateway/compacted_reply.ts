import {
  type CanonicalEvent,
  type CanonicalResponse,
  Collector,
  DeliveryReader,
  GatewayError,
  noUsage,
  type Part,
  type SamplingUsage,
  summedTokens,
  type Usage,
} from "../canonical/mod.ts";
import type { Call } from "../http/call.ts";
import { changedRequest, type Decoded } from "../http/decode.ts";
import type { ReadLimits, Reply } from "../http/stream/answer.ts";
import { eventSource } from "../http/stream/converting.ts";
import { answerComplete, type Source } from "../http/stream/source.ts";
import { within } from "../http/timers.ts";
import { sealedItem, type Summary } from "./capsule.ts";
import { type Compacting, triesMax } from "./compaction.ts";
import { countedUsage, estimatedUsage, likelyInputTokens } from "./settled_usage.ts";

interface CompactedCall {
  readonly call: Call;
  /** The caller's request without its wish for a compaction. */
  readonly decoded: Decoded;
  readonly compacting: Compacting;
  /** `sseKeepAliveMs`: the interval of the signs that a summary is being written. */
  readonly limits: ReadLimits & { readonly sseKeepAliveMs: number };
  /** Sends a request to the candidate. */
  readonly ask: (decoded: Decoded) => Promise<Reply>;
  /** Called with true once the answer has started, and with false once its capsule is complete. */
  readonly setFree: (isFree: boolean) => void;
}

/**
 * The reply of a candidate that does not compact itself: its summary, sealed, and the answer that
 * continues from it if the request asks for one. While the summary is written, the capsule's part is
 * open, and an empty delta in each interval shows that it grows. Each summary and the answer are a
 * sampling of the usage. Throws `compaction_failed` if the model writes no summary.
 */
export function compactedReply(call: CompactedCall): Reply {
  const reading = new Reading();
  const events = compactedEvents(call, reading);
  return {
    type: "events",
    source: {
      read: async () => (await events.next()).value ?? undefined,
      cancel: (reason) => reading.leave(reason),
      release: () => reading.leave(answerComplete),
    },
  };
}

/** The replies of the upstream so far. */
interface Progress {
  readonly reading: Reading;
  /** The complete ones. */
  readonly samplings: SamplingUsage[];
  /** The capsule's part, without its value. */
  readonly part: Part;
  /** True once the caller's answer has started. */
  isOpen: boolean;
}

/** The upstream's reply that is being read. */
class Reading {
  #source?: Source<CanonicalEvent>;
  #left?: GatewayError;

  /** Requests the next reply. Throws once the caller has left, even while the reply was awaited. */
  async begin(request: () => Promise<Reply>, limits: ReadLimits): Promise<Source<CanonicalEvent>> {
    if (this.#left) throw this.#left;
    const source = this.#source = eventSource(await request(), limits);
    if (!this.#left) return source;
    source.cancel(this.#left);
    throw this.#left;
  }

  leave(reason: GatewayError): void {
    this.#left = reason;
    this.#source?.cancel(reason);
  }
}

async function* compactedEvents(
  asked: CompactedCall,
  reading: Reading,
): AsyncGenerator<CanonicalEvent, undefined> {
  const { call, decoded, compacting: { wanted, keys } } = asked;
  const made = { id: call.id.replace(/^req_/, ""), isAutomatic: wanted.threshold !== undefined };
  const empty = keys.codec.capsule({ ...made, sealed: "", summary: "" });
  const part: Part = { type: "native", format: call.codec.name, value: empty };
  const progress: Progress = { reading, samplings: [], part, isOpen: false };
  const summary = yield* summaryEvents(asked, progress);
  const value = await sealedItem(summary, keys, made);
  asked.setFree(false);
  yield { type: "part-end", index: 0, patch: { value } };
  yield { type: "usage", usage: usageOf(progress.samplings) };
  if (!wanted.answers) {
    yield { type: "end", endings: [{ finishReason: "compaction" }] };
    return;
  }
  const changes = keys.codec.continued(decoded.wire, summary.text);
  yield* continuedEvents(asked, changedRequest(call.codec, decoded, changes), progress);
}

/**
 * The events up to the capsule's end. Asks for the summary, once more if it is empty: both count. A
 * failure costs nothing: the caller has nothing to continue from.
 */
async function* summaryEvents(
  asked: CompactedCall,
  progress: Progress,
): AsyncGenerator<CanonicalEvent, Summary> {
  try {
    for (let tries = 0; tries < triesMax; tries++) {
      const text = yield* triedSummary(asked, progress);
      if (text !== "") return { text, chain: asked.compacting.chain + 1 };
    }
    throw noSummary();
  } catch (error) {
    const isFree = progress.isOpen && !asked.call.signal.aborted;
    if (isFree) yield { type: "usage", usage: noUsage, counted: true };
    throw error;
  }
}

/**
 * Asks for one summary. The caller's answer starts with the upstream's: until then another
 * candidate can replace it.
 */
async function* triedSummary(
  { ask, limits, setFree, compacting: { asked } }: CompactedCall,
  progress: Progress,
): AsyncGenerator<CanonicalEvent, string> {
  const { samplings } = progress;
  const source = await progress.reading.begin(() => ask(asked), limits);
  const sampling = new Sampling(asked);
  const usageWith = (tokens: Usage) => usageOf([...samplings, { purpose, tokens }]);
  for await (const event of withTicks(source, limits.sseKeepAliveMs)) {
    if (event?.type === "error") throw event.error;
    if (event) sampling.push(event);
    if (event && !progress.isOpen) {
      progress.isOpen = true;
      setFree(true);
      yield* opening(progress.part, usageWith(sampling.estimated()));
    }
    if (!event && progress.isOpen) yield { type: "part-delta", index: 0, text: "" };
    const tokens = sampling.grown();
    if (tokens) yield { type: "usage", usage: usageWith(tokens), counted: true };
  }
  source.release();
  samplings.push({ purpose, tokens: sampling.tokens() });
  return textIn(sampling.response());
}

/** The purpose of a summary's sampling. */
const purpose = "compaction";

function* opening(part: Part, usage: Usage): Generator<CanonicalEvent, undefined> {
  yield { type: "start", id: "", model: "", usage };
  yield { type: "usage", usage, counted: true };
  yield { type: "part-start", index: 0, part };
}

function noSummary(): GatewayError {
  return new GatewayError(
    "compaction_failed",
    "Cannot compact the conversation: the model wrote no summary. It is unchanged. " +
      "Retry, or choose another model",
  );
}

/** The events of an answer up to its end, and undefined once in each interval. */
async function* withTicks(
  source: Source<CanonicalEvent>,
  everyMs: number,
): AsyncGenerator<CanonicalEvent | undefined, undefined> {
  let tickAtMs = performance.now() + everyMs;
  for (let reading = source.read();;) {
    const leftMs = Math.max(0, tickAtMs - performance.now());
    const read = await within(leftMs, reading.then((event) => ({ event })));
    if (performance.now() >= tickAtMs) {
      yield undefined;
      tickAtMs = performance.now() + everyMs;
    }
    if (!read) continue;
    if (!read.event) return;
    yield read.event;
    if (read.event.type === "end") return;
    reading = source.read();
  }
}

function textIn({ alternatives: [first] }: CanonicalResponse): string {
  const { finishReason, parts = [] } = first ?? {};
  if (finishReason === "refusal" || finishReason === "content-filter") return "";
  return parts.map((part) => part.type === "text" ? part.text : "").join("").trim();
}

/**
 * The answer behind the compaction: one part later, and with the usage of both. Its usage so far is
 * estimated as it grows, in case that it breaks off.
 */
async function* continuedEvents(
  { ask, limits }: CompactedCall,
  rest: Decoded,
  { samplings, reading }: Progress,
): AsyncGenerator<CanonicalEvent, undefined> {
  const source = await reading.begin(() => ask(rest), limits);
  const sampling = new Sampling(rest);
  for (let event = await source.read(); event; event = await source.read()) {
    sampling.push(event);
    if (event.type === "end") {
      const tokens = sampling.tokens();
      yield { type: "usage", usage: usageOf([...samplings, { tokens }], tokens) };
      yield event;
      source.release();
      return;
    }
    if (event.type === "start" || event.type === "usage") continue;
    yield "index" in event ? { ...event, index: event.index + 1 } : event;
    const tokens = sampling.grown();
    if (tokens) yield { type: "usage", usage: usageOf([...samplings, { tokens }]), counted: true };
  }
}

/** One reply, as far as it has been read, and its usage. */
class Sampling {
  readonly #asked: Decoded;
  readonly #collector = new Collector();
  readonly #delivery = new DeliveryReader();
  #stated?: Usage;
  #charsNext = 1;

  constructor(asked: Decoded) {
    this.#asked = asked;
  }

  push(event: CanonicalEvent): void {
    if (event.type === "usage") this.#stated = event.usage;
    if (event.type !== "error") this.#collector.push(event);
    this.#delivery.push(event);
    this.#delivery.sent();
  }

  /** An estimate of the usage so far. */
  estimated(): Usage {
    const { delivered } = this.#delivery;
    return estimatedUsage(
      { outcome: "truncated", delivered },
      () => likelyInputTokens(this.#asked),
    );
  }

  /** The same; undefined if the reply has hardly grown since the last one. */
  grown(): Usage | undefined {
    const { chars } = this.#delivery.delivered;
    if (chars < this.#charsNext) return undefined;
    this.#charsNext = chars * 1.1 + 200;
    return this.estimated();
  }

  response(): CanonicalResponse {
    return this.#collector.response();
  }

  /** The usage of the complete reply. Some servers state none. */
  tokens(): Usage {
    const { delivered } = this.#delivery;
    return this.#stated ?? countedUsage({ outcome: "completed", delivered }, this.#asked);
  }
}

function usageOf(samplings: readonly SamplingUsage[], answer?: Usage): Usage {
  return {
    ...summedTokens(samplings.map(({ tokens }) => tokens)),
    hostedToolCalls: answer?.hostedToolCalls ?? {},
    ...(answer?.servedTier !== undefined && { servedTier: answer.servedTier }),
    ...(answer?.servedRegion !== undefined && { servedRegion: answer.servedRegion }),
    samplings,
  };
}
