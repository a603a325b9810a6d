import {
  type CanonicalEvent,
  type CanonicalResponse,
  Collector,
  type Delivered,
  deliveredBy,
  type FinishReason,
  GatewayError,
  isJsonObject,
  type JsonObject,
  totalInputTokens,
  totalOutputTokens,
  type Usage,
} from "../../canonical/mod.ts";
import type { Codec } from "../../formats/codec.ts";
import { bodyWithoutPrice, fittedAnswer, statesPrice, withoutPrice } from "../../formats/mod.ts";
import type { AnswerReader } from "../../formats/state_codec.ts";
import { isLong, longJson, withMembers } from "../../json/mod.ts";
import { Pace } from "../../pace.ts";
import {
  type Answer,
  type AnswerOptions,
  type Content,
  contentText,
  contextOf,
  type ReadLimits,
  type Reply,
  type WholeBody,
} from "./answer.ts";
import { decodedWhole, eventSource } from "./converting.ts";
import type { Source } from "./source.ts";
import type { StreamResult } from "./transcoder.ts";

/** The whole answer to a caller, from any kind of reply. */
export function beginWhole(reply: Reply, options: AnswerOptions): Answer | Promise<Answer> {
  const { codec } = options.call;
  return reply.type === "whole" && reply.codec.name === codec.name
    ? passedThrough(codec, reply, options.reader)
    : converted(reply, options);
}

function converted(reply: Reply, options: AnswerOptions): Answer | Promise<Answer> {
  const whole = folded(reply, options.limits);
  return whole instanceof Promise
    ? whole.then((late) => convertedOf(late, options))
    : convertedOf(whole, options, reply.type === "whole" ? reply.content.length : undefined);
}

function convertedOf(
  { response, counted }: Folded,
  options: AnswerOptions,
  likelyLength?: number,
): Answer | Promise<Answer> {
  const { codec } = options.call;
  options.onWhole?.(response);
  const context = contextOf(options);
  const fitted = fittedAnswer(response, codec, context.request);
  const body = codec.encodeResponse(fitted.response, context);
  const changes = options.reader?.whole(body);
  const stated = changes ? { ...body, ...changes } : body;
  const result = wholeResult(response);
  const noted = fitted.notes.length > 0 && { notes: fitted.notes };
  const answerWith = (content: Content): Answer => ({
    type: "whole",
    content,
    result: counted || noted ? { ...result, ...(counted && { counted }), ...noted } : result,
  });
  return isLong(stated)
    ? longJson(stated, new Pace(), likelyLength).then(answerWith)
    : answerWith(JSON.stringify(stated));
}

/** The same content, unless the answer must report its stored state. */
function restated(reply: WholeBody, reader: AnswerReader): WholeBody {
  const changes = reader.whole(reply.body);
  if (Object.keys(changes).length === 0) return reply;
  const content = withMembers(contentText(reply.content), changes);
  return { body: { ...reply.body, ...changes }, content };
}

/** Reads the text of the answer only if it must be counted. */
function wholeResult(response: CanonicalResponse): StreamResult {
  const { usage, alternatives } = response;
  return {
    outcome: "completed",
    finishReasons: () => finishReasonsOf(response),
    ...(usage && { usage }),
    ...(isStated(usage)
      ? { said: () => deliveredBy(response) }
      : { delivered: deliveredBy(response) }),
    ...(alternatives.some(({ promptBlocked }) => promptBlocked) && { promptBlocked: true }),
  };
}

function passedThrough(codec: Codec, reply: WholeBody, reader?: AnswerReader): Answer {
  const usage = codec.usageReader.usage(reply.body);
  const shown = statesPrice(reply.body) ? unpriced(reply) : reply;
  const { content, body } = reader ? restated(shown, reader) : shown;
  // Nearly every answer states its usage. An answer without it, or with an error, may be a failure
  // with status 200.
  if (!usage || isJsonObject(body.error)) {
    return { type: "whole", content, result: wholeResult(codec.decodeResponse(body)) };
  }
  return { type: "whole", content, result: statedResult(codec, body, usage) };
}

/** The same answer without the price that the upstream stated. */
function unpriced({ content, body }: WholeBody): WholeBody {
  return { content: withoutPrice(contentText(content)), body: bodyWithoutPrice(body) };
}

function statedResult(codec: Codec, body: JsonObject, usage: Usage): StreamResult {
  const finishReasons = () => readable(codec, body)?.finishReasons ?? [];
  const promptBlocked = codec.usageReader.promptBlocked?.(body) ?? false;
  const delivered = isStated(usage) ? undefined : readable(codec, body)?.delivered;
  const result = { outcome: "completed", usage, finishReasons, promptBlocked } as const;
  return delivered
    ? { ...result, delivered }
    : { ...result, said: () => readable(codec, body)?.delivered };
}

interface Readable {
  readonly delivered: Delivered;
  readonly finishReasons: readonly FinishReason[];
}

/** The content of an answer, if it can be decoded: the answer is sent in any case. */
function readable(codec: Codec, body: JsonObject): Readable | undefined {
  try {
    const response = codec.decodeResponse(body);
    return { delivered: deliveredBy(response), finishReasons: finishReasonsOf(response) };
  } catch (error) {
    if (error instanceof GatewayError) return undefined;
    throw error;
  }
}

function finishReasonsOf({ alternatives }: CanonicalResponse): readonly FinishReason[] {
  return alternatives.map(({ finishReason }) => finishReason);
}

/** True if both counts are positive: zero tokens for an existing answer are a missing count. */
function isStated(usage: Usage | undefined): boolean {
  return usage !== undefined && totalInputTokens(usage) > 0 && totalOutputTokens(usage) > 0;
}

/** A whole answer; `counted`: true if the gateway counted its usage. */
interface Folded {
  readonly response: CanonicalResponse;
  readonly counted: boolean;
}

/** A stream although JSON was requested is collected into one answer. */
function folded(reply: Reply, limits: ReadLimits): Folded | Promise<Folded> {
  return reply.type === "whole" && !reply.rewrite
    ? { response: decodedWhole(reply.codec, reply.body), counted: false }
    : foldedSource(eventSource(reply, limits));
}

/** Stops at the stated end: an upstream may keep its connection open long after it. */
async function foldedSource(source: Source<CanonicalEvent>): Promise<Folded> {
  const collector = new Collector();
  let counted = false;
  for (let event = await source.read(); event; event = await source.read()) {
    collector.push(event);
    if (event.type === "usage") counted = event.counted ?? false;
    if (event.type === "end") break;
  }
  source.release();
  return { response: collector.response(), counted };
}
