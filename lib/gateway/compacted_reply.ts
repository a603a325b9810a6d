import {
  type CanonicalEvent,
  type CanonicalResponse,
  Collector,
  Delivered,
  deliveredBy,
  DeliveryReader,
  GatewayError,
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
import { sealedItem, type Summary } from "./capsule.ts";
import { type Compacting, triesMax } from "./compaction.ts";
import { countedUsage, estimatedUsage, likelyInputTokens } from "./settled_usage.ts";

interface CompactedCall {
  readonly call: Call;
  /** The caller's request without its wish for a compaction. */
  readonly decoded: Decoded;
  readonly compacting: Compacting;
  readonly limits: ReadLimits;
  /** Sends a request to the candidate. */
  readonly ask: (decoded: Decoded) => Promise<Reply>;
}

/**
 * The reply of a candidate that does not compact itself: its summary, sealed, and the answer that
 * continues from it if the request asks for one. Each summary and the answer are a sampling of the
 * usage. Throws `compaction_failed` if the model writes no summary.
 */
export function compactedReply(call: CompactedCall): Reply {
  const reading: Reading = {};
  const events = compactedEvents(call, reading);
  const leave = (reason: GatewayError) => reading.source?.cancel(reason);
  return {
    type: "events",
    source: {
      read: async () => (await events.next()).value ?? undefined,
      cancel: leave,
      release: () => leave(answerComplete),
    },
  };
}

/** The upstream's reply that is being read. */
interface Reading {
  source?: Source<CanonicalEvent>;
}

async function* compactedEvents(
  asked: CompactedCall,
  reading: Reading,
): AsyncGenerator<CanonicalEvent, undefined> {
  const { call, decoded, compacting: { wanted, keys } } = asked;
  const samplings: SamplingUsage[] = [];
  const summary = await summaryOf(asked, samplings, reading);
  const made = { id: call.id.replace(/^req_/, ""), isAutomatic: wanted.threshold !== undefined };
  const value = await sealedItem(summary, keys, made);
  const usage = usageOf(samplings);
  yield { type: "start", id: "", model: "", usage };
  yield* wholePart({ type: "native", format: call.codec.name, value });
  yield { type: "usage", usage };
  if (!wanted.answers) {
    yield { type: "end", endings: [{ finishReason: "compaction" }] };
    return;
  }
  const changes = keys.codec.continued(decoded.wire, summary.text);
  const rest = changedRequest(call.codec, decoded, changes);
  yield* continuedEvents(asked, rest, { samplings, reading });
}

/** Asks for the summary, once more if it is empty: both count. */
async function summaryOf(
  { ask, limits, compacting: { asked, chain } }: CompactedCall,
  samplings: SamplingUsage[],
  reading: Reading,
): Promise<Summary> {
  for (let tries = 0; tries < triesMax; tries++) {
    const source = reading.source = eventSource(await ask(asked), limits);
    const response = await collected(source);
    const tokens = response.usage ?? countedIn(response, asked);
    samplings.push({ purpose: "compaction", tokens });
    const text = textIn(response);
    if (text !== "") return { text, chain: chain + 1 };
  }
  throw new GatewayError(
    "compaction_failed",
    "Cannot compact the conversation: the model wrote no summary. It is unchanged. " +
      "Retry, or choose another model",
  );
}

async function collected(source: Source<CanonicalEvent>): Promise<CanonicalResponse> {
  const collector = new Collector();
  for (let event = await source.read(); event; event = await source.read()) {
    collector.push(event);
    if (event.type === "end") break;
  }
  source.release();
  return collector.response();
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
  { samplings, reading }: { readonly samplings: SamplingUsage[]; readonly reading: Reading },
): AsyncGenerator<CanonicalEvent, undefined> {
  const source = reading.source = eventSource(await ask(rest), limits);
  const collector = new Collector();
  const delivery = new DeliveryReader();
  const estimate = estimateOf(delivery.delivered, rest);
  let stated: Usage | undefined;
  for (let event = await source.read(); event; event = await source.read()) {
    if (event.type !== "error") collector.push(event);
    if (event.type === "usage") stated = event.usage;
    if (event.type === "end") {
      const tokens = stated ?? countedIn(collector.response(), rest);
      yield { type: "usage", usage: usageOf([...samplings, { tokens }], tokens) };
      yield event;
      source.release();
      return;
    }
    if (event.type === "start" || event.type === "usage") continue;
    yield "index" in event ? { ...event, index: event.index + 1 } : event;
    delivery.push(event);
    delivery.sent();
    const tokens = estimate();
    if (tokens) yield { type: "usage", usage: usageOf([...samplings, { tokens }]), counted: true };
  }
}

/** Estimates an answer's usage so far; undefined if it has hardly grown since the last estimate. */
function estimateOf(delivered: Delivered, asked: Decoded): () => Usage | undefined {
  let charsNext = 1;
  return () => {
    if (delivered.chars < charsNext) return undefined;
    charsNext = delivered.chars * 1.1 + 200;
    const result = { outcome: "truncated", delivered } as const;
    return estimatedUsage(result, () => likelyInputTokens(asked));
  };
}

function* wholePart(part: Part): Generator<CanonicalEvent, undefined> {
  yield { type: "part-start", index: 0, part };
  yield { type: "part-end", index: 0 };
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

/** Some servers state no usage. */
function countedIn(response: CanonicalResponse, asked: Decoded): Usage {
  return countedUsage({ outcome: "completed", delivered: deliveredBy(response) }, asked);
}
