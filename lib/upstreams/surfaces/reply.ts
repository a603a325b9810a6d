import type { Codec } from "../../formats/codec.ts";
import type { AnswerLimits, StreamReply, WholeReply } from "../../http/stream/answer.ts";
import { refusalOf } from "../refusal.ts";
import { replyOf } from "../reply.ts";
import type { UpstreamAnswer } from "../send.ts";
import { cloudRefusal } from "./errors.ts";
import { asServerSentEvents, isEventStream } from "./invoke_stream.ts";

/** Classifies a cloud's answer as stream or whole, like `replyOf`. Throws its refusal. */
export async function cloudReply(
  inbound: UpstreamAnswer,
  codec: Codec,
  limits: AnswerLimits,
): Promise<StreamReply | WholeReply> {
  if (inbound.status !== 200) throw await refusalOf(inbound, codec, cloudRefusal);
  if (!isEventStream(inbound)) return await replyOf(inbound, codec, limits);
  return { type: "stream", codec, source: asServerSentEvents(inbound, limits.eventBytesMax) };
}
