import {
  assertVendorStateFits,
  type CanonicalRequest,
  type GatewayError,
  serviceTierOf,
} from "../canonical/mod.ts";
import type { PriceTerms } from "../formats/billing.ts";
import type { Codec } from "../formats/codec.ts";
import { codecs } from "../formats/mod.ts";
import type { ServerSentEvent } from "../formats/wire.ts";
import type { Decoded } from "../http/decode.ts";
import type { AnswerLimits, Reply, StreamReply, WholeReply } from "../http/stream/answer.ts";
import { answerComplete } from "../http/stream/source.ts";
import {
  type AttemptedCall,
  beforeSending,
  dialectFor,
  outboundOf,
  type Prepared,
} from "./prepare_request.ts";
import { priceRegionOf } from "./price_terms.ts";
import { readAnswer, replyOf, type WholeLimits } from "./reply.ts";
import type { Send, UpstreamAnswer } from "./send.ts";
import type { UpstreamSockets } from "./sockets/mod.ts";
import { surfaceCount } from "./surfaces/count.ts";
import { surfaceOf } from "./surfaces/mod.ts";
import { cloudReply } from "./surfaces/reply.ts";
import { type AnswerInProcess, type Candidate, wireProfiles } from "./upstream.ts";

interface Sender {
  readonly send: Send;
  readonly limits: AnswerLimits;
  /** The connections that are kept for the caller's WebSocket. */
  readonly upstreamSockets?: UpstreamSockets;
}

interface UpstreamResult {
  readonly reply: Reply;
  /**
   * The tier and region from a response header, else from the request. `isPlace`: the region is that
   * of a cloud's endpoint, whatever the answer says.
   */
  readonly served: Pick<PriceTerms, "tier" | "region"> & { readonly isPlace?: true };
}

/**
 * Sends a prepared request, and reads its answer until its kind is known; a whole answer is read to
 * its end. Throws the upstream's refusal.
 */
export async function callUpstream(
  prepared: Prepared,
  asked: AttemptedCall,
  { send, limits, upstreamSockets }: Sender,
): Promise<UpstreamResult> {
  const { candidate: { upstream }, call } = asked;
  const sockets = upstreamSockets && mayUseSocket(prepared, asked) ? upstreamSockets : undefined;
  const answer = await send(prepared.outbound, upstream.timeouts, call.signal, sockets);
  const read = upstream.cloud ? cloudReply : replyOf;
  const reply = forCaller(await read(answer, prepared.codec, limits), prepared, asked);
  return { reply, served: servedAs(prepared, answer, asked.candidate) };
}

/** Returns true if a WebSocket of the upstream may carry this call: a stream in its own format. */
function mayUseSocket(
  { codec }: Prepared,
  { candidate: { upstream }, call, decoded: { envelope, wire } }: AttemptedCall,
): boolean {
  const isServed = upstream.websocket && wireProfiles[codec.name].socketPath === wire.path;
  return isServed === true && codec.name === call.codec.name && envelope.stream;
}

/** The reply, with what its request asks of it: events to hide, hold or rewrite. */
function forCaller(
  reply: StreamReply | WholeReply,
  { codec, rewrite }: Prepared,
  { candidate, call, decoded }: AttemptedCall,
): Reply {
  const isPassedOn = reply.type === "stream" && codec.name === call.codec.name;
  const passed = isPassedOn ? passedStream(reply, decoded, candidate) : reply;
  return rewrite ? { ...passed, rewrite } : passed;
}

/** A stream in the caller's own format, without the events that the caller did not request. */
function passedStream(reply: StreamReply, decoded: Decoded, candidate: Candidate): StreamReply {
  const { statedCost } = reply.codec;
  const hides = hiddenEvents(reply.codec, decoded, candidate);
  const holds = statedCost?.isAsked(decoded.wire.body)
    ? (event: ServerSentEvent) => statedCost.isLast(event)
    : undefined;
  return { ...reply, ...(hides && { hides }), ...(holds && { holds }) };
}

/** The tier and region of the call: a response header wins over the request, and the place of a cloud over both. */
function servedAs(
  { terms: { tier: asked, region }, codec: { name } }: Prepared,
  { headers }: UpstreamAnswer,
  candidate: Candidate,
): UpstreamResult["served"] {
  const header = surfaceOf(candidate.upstream)?.tierHeader ?? wireProfiles[name].servedTierHeader;
  const tier = header === undefined ? asked : serviceTierOf(headers.get(header)) ?? asked;
  const place = priceRegionOf(candidate);
  return place === undefined ? { tier, region } : { tier, region: place, isPlace: true };
}

/** Matches events of a same-format answer that exist only because the gateway requested usage. */
function hiddenEvents(
  codec: Codec,
  { wire, envelope }: Decoded,
  candidate: Candidate,
): ((event: ServerSentEvent) => boolean) | undefined {
  const { meteredStream } = codec;
  const dialect = dialectFor(candidate, codec);
  const isWanted = codec.statedCost?.isAsked(wire.body) ?? false;
  const isAdded = meteredStream?.members(wire.body, dialect) !== undefined;
  if (!envelope.stream || !meteredStream || !isAdded || isWanted) return undefined;
  return (event) => meteredStream.isExtra(event);
}

/** The reply of a model inside the gateway. `ended` aborts when the server stops. */
export function embeddedReply(
  answer: AnswerInProcess,
  asked: AttemptedCall,
  ended: AbortSignal,
): Reply {
  return beforeSending(() => answeredInProcess(answer, asked, ended));
}

function answeredInProcess(
  answer: AnswerInProcess,
  { candidate, call, decoded }: AttemptedCall,
  ended: AbortSignal,
): Reply {
  ended.throwIfAborted();
  assertVendorStateFits(decoded.envelope, undefined);
  const abort = new AbortController();
  const end = () => abort.abort(ended.reason);
  const forget = () => ended.removeEventListener("abort", end); // the signal outlives the call
  const events = answer({ ...decoded.canonical(), model: candidate.upstreamModel }, {
    requestId: call.id,
    signal: AbortSignal.any([abort.signal, call.signal]),
  });
  ended.addEventListener("abort", end);
  const cancel = (reason: GatewayError) => {
    forget();
    abort.abort(reason);
  };
  return {
    type: "events",
    source: {
      read: async () => {
        const next = await events.next();
        if (!next.done) return next.value;
        forget();
        return undefined;
      },
      cancel,
      release: () => cancel(answerComplete),
    },
  };
}

/** The upstream's count of a request's input tokens; undefined if its format has no counter. */
export async function countAtUpstream(
  candidate: Candidate,
  request: CanonicalRequest,
  caller: AbortSignal,
  { send, limits }: { readonly send: Send; readonly limits: WholeLimits },
): Promise<number | undefined> {
  const codec = candidate.format && codecs[candidate.format];
  if (!codec?.tokenCount) return undefined;
  const { upstream, upstreamModel } = candidate;
  const own = codec.tokenCount.encodeRequest(request);
  const ofCloud = upstream.cloud && surfaceCount(upstream, own, upstreamModel);
  const wire = ofCloud ?? own;
  const at = ofCloud?.endpoints
    ? { ...candidate, upstream: { ...upstream, endpoints: ofCloud.endpoints } }
    : candidate;
  const outbound = outboundOf(at, codec, { wire, body: JSON.stringify(wire.body) });
  const inbound = await send(outbound, upstream.timeouts, caller);
  const answer = await readAnswer(inbound, codec, limits);
  return codec.tokenCount.decodeResponse(ofCloud?.answer?.(answer) ?? answer);
}
