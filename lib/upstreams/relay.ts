import { lenientText } from "../bytes.ts";
import {
  Delivered,
  type FormatName,
  GatewayError,
  isJsonObject,
  type JsonObject,
  type Usage,
} from "../canonical/mod.ts";
import { codecs, statesPrice, withoutPrice } from "../formats/mod.ts";
import type { ServerSentEvent } from "../formats/wire.ts";
import type { Call } from "../http/call.ts";
import { errorCodecOf } from "../http/errors.ts";
import type { Relayed } from "../http/relayed.ts";
import type { Answer, AnswerLimits, ReadLimits } from "../http/stream/answer.ts";
import { beginWith } from "../http/stream/begin_answer.ts";
import { BinaryStream, RelayedStream } from "../http/stream/relayed_stream.ts";
import type { StreamResult, Transcoder } from "../http/stream/transcoder.ts";
import { beforeSending, outboundOf } from "./prepare_request.ts";
import { dialectOf, relayedBaseUrl } from "./presets/mod.ts";
import { refusalOf } from "./refusal.ts";
import { readAll, readLate } from "./reply.ts";
import type { Outbound, Send, UpstreamAnswer } from "./send.ts";
import { ofCloud } from "./surfaces/at_cloud.ts";
import { cloudRefusal } from "./surfaces/errors.ts";
import type { Candidate } from "./upstream.ts";
import { withoutCredentials } from "./upstream_words.ts";

interface RelayOptions {
  readonly send: Send;
  readonly limits: AnswerLimits;
}

/** The formats whose base URLs may serve relayed endpoints, best first. */
const relayFormats = ["chat-completions", "responses"] as const;

/** The candidate at its relay address; undefined if it has none. */
export function relayCandidate(candidate: Candidate): Candidate | undefined {
  const { upstream } = candidate;
  const own = relayedBaseUrl(upstream);
  if (own !== undefined) {
    const endpoints = { ...upstream.endpoints, [relayFormats[0]]: own };
    return { ...candidate, format: relayFormats[0], upstream: { ...upstream, endpoints } };
  }
  const format = relayFormats.find((name) => upstream.endpoints[name] !== undefined);
  return format && { ...candidate, format };
}

/**
 * Passes a call through to one candidate, changing only a mapped model, and streams the bytes of
 * its answer. Throws its refusal, or `endpoint_not_served` if the upstream lacks the endpoint.
 */
export async function relayTo(
  candidate: Candidate,
  call: Call,
  relayed: Relayed,
  { send, limits }: RelayOptions,
): Promise<Answer> {
  const { upstream, format = relayFormats[0] } = candidate;
  const passed: Passed = { candidate, call, relayed, format, limits };
  try {
    const outbound = beforeSending(() => outboundFor(passed));
    const inbound = await send(outbound, upstream.timeouts, call.signal);
    if (inbound.status !== 200) throw await refusedBy(inbound, passed);
    return await answerOf(inbound, passed);
  } catch (thrown) {
    throw withoutCredentials(thrown, upstream.credentials);
  }
}

interface Passed {
  readonly candidate: Candidate;
  readonly call: Call;
  readonly relayed: Relayed;
  readonly format: FormatName;
  readonly limits: RelayOptions["limits"];
}

function outboundFor(passed: Passed): Outbound {
  const { candidate, relayed, format } = passed;
  const { body, envelope, wire } = relayed;
  const isMapped = candidate.upstreamModel !== envelope.model;
  const text = body.with({
    ...(isMapped && { model: candidate.upstreamModel }),
    ...usageMembers(passed),
    ...relayed.sets,
  });
  const at = ofCloud(candidate, codecs[format], wire);
  const outbound = outboundOf(candidate, codecs[format], { wire: at ?? wire, body: text });
  if (body.contentType === "application/json") return outbound; // the default
  return { ...outbound, headers: { "content-type": body.contentType, ...outbound.headers } };
}

/** Members that make a stream report its usage if the caller did not request it. */
function usageMembers({ candidate, relayed, call }: Passed): JsonObject | undefined {
  const { meteredStream, name } = call.codec;
  if (!relayed.endpoint.metersOnRequest) return undefined;
  return meteredStream?.members(relayed.wire.body, dialectOf(candidate.upstream, name));
}

/** The upstream's refusal; a missing endpoint blames neither the upstream nor the caller. */
async function refusedBy(inbound: UpstreamAnswer, passed: Passed): Promise<GatewayError> {
  const { candidate, relayed, call } = passed;
  const ofCloud = candidate.upstream.cloud && cloudRefusal;
  const refusal = await refusalOf(inbound, call.codec, ofCloud);
  const isUnknown = inbound.status === 404 && !refusal.message.includes(candidate.upstreamModel);
  return isUnknown || missing.has(inbound.status) ? endpointNotServed(relayed, refusal) : refusal;
}

/** Statuses other than 404 that mean a missing endpoint. */
const missing: ReadonlySet<number> = new Set([405, 501]);

/** The error if no upstream of the model has the endpoint. */
export function endpointNotServed(
  { endpoint, envelope }: Pick<Relayed, "endpoint" | "envelope">,
  cause?: GatewayError,
): GatewayError {
  return new GatewayError(
    "endpoint_not_served",
    `No upstream of model '${envelope.model}' serves POST ${endpoint.path}: it is relayed only to upstreams with an OpenAI-compatible URL that serve it`,
    { cause, ...(cause?.upstreamStatus && { upstreamStatus: cause.upstreamStatus }) },
  );
}

async function answerOf(inbound: UpstreamAnswer, passed: Passed): Promise<Answer> {
  const contentType = inbound.headers.get("content-type") ?? "application/json";
  try {
    if (/^text\/event-stream/i.test(contentType)) {
      return await streamed(inbound, "sse", { transcoder: eventsOf(passed), ...passed.limits });
    }
    const isBytes = passed.relayed.endpoint.answers === "bytes" &&
      !/^(application\/json|text\/)/i.test(contentType);
    if (isBytes) {
      const transcoder = new BinaryStream();
      return await streamed(inbound, { contentType }, { transcoder, ...passed.limits });
    }
    return await wholeAnswer(inbound, contentType, passed);
  } catch (error) {
    inbound.cancel(error instanceof GatewayError ? error : unread(error));
    throw error;
  }
}

type StreamAnswer = Extract<Answer, { type: "stream"; kind: "bytes" }>;

async function streamed(
  inbound: UpstreamAnswer,
  framing: StreamAnswer["framing"],
  { transcoder, answerTailMs }: ReadLimits & { readonly transcoder: Transcoder<Uint8Array> },
): Promise<Answer> {
  return { kind: "bytes", framing, ...await beginWith(inbound, transcoder, answerTailMs) };
}

function eventsOf(passed: Passed): RelayedStream {
  const { relayed: { endpoint }, call, limits } = passed;
  const codec = errorCodecOf(call);
  const { meteredStream } = codec;
  const hides = usageMembers(passed) && meteredStream &&
    ((event: ServerSentEvent) => meteredStream.isExtra(event));
  return new RelayedStream({ endpoint, codec, requestId: call.id, limits, hides });
}

async function wholeAnswer(
  inbound: UpstreamAnswer,
  contentType: string,
  { relayed: { endpoint }, call: { codec }, limits }: Passed,
): Promise<Answer> {
  const isText = endpoint.answers === "text" && !/json/i.test(contentType);
  const { bytes, body } = isText
    ? await readText(inbound, limits)
    : await readLate(inbound, limits, (late) => !!endpoint.words && !isJsonObject(late.usage));
  if (isJsonObject(body.error)) throw codec.decodeError({ status: 502, headers: {}, body });
  const usage = (endpoint.usage ?? codec.usageReader.usage)(body);
  return {
    type: "whole",
    content: statesPrice(body) ? withoutPrice(lenientText(bytes)) : bytes,
    contentType,
    result: resultOf(usage, () => endpoint.words?.(body)),
  };
}

async function readText(
  inbound: UpstreamAnswer,
  { answerBytesMax }: AnswerLimits,
): Promise<Awaited<ReturnType<typeof readLate>>> {
  const bytes = await readAll(inbound, answerBytesMax);
  return { bytes, body: { text: new TextDecoder().decode(bytes) } };
}

/** Reads the answer's text only if its usage is missing or doubtful: it may be a long member, not parsed yet. */
function resultOf(usage: Usage | undefined, words: () => string | undefined): StreamResult {
  const outcome = "completed";
  return usage
    ? { outcome, usage, said: () => deliveredOf(words()) }
    : { outcome, delivered: deliveredOf(words()) };
}

function deliveredOf(words: string | undefined): Delivered {
  const delivered = new Delivered();
  if (words === undefined || words === "") delivered.addMedium();
  else delivered.answer.add(words);
  return delivered;
}

function unread(cause: unknown): GatewayError {
  return new GatewayError("upstream_invalid_response", "Cannot read the upstream's response", {
    cause,
  });
}
