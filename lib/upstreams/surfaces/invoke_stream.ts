import { Buffer } from "node:buffer";
import { lenientText } from "../../bytes.ts";
import { GatewayError, type JsonObject } from "../../canonical/mod.ts";
import { objectIn } from "../../formats/wire_value.ts";
import type { Source } from "../../http/stream/source.ts";
import type { UpstreamAnswer } from "../send.ts";
import { damaged, type EventFrame, FrameReader } from "./event_stream.ts";
import { withoutAccounts } from "./errors.ts";

const contentType = "application/vnd.amazon.eventstream";

/** Returns true if an answer is a binary event stream. */
export function isEventStream({ status, headers }: Pick<UpstreamAnswer, "status" | "headers">) {
  return status === 200 && (headers.get("content-type") ?? "").startsWith(contentType);
}

/**
 * The vendor's events in a binary stream of Bedrock's InvokeModel, as server-sent events. An
 * exception becomes the vendor's `error` event, so that it is never taken for an end.
 */
export function asServerSentEvents(
  inbound: Source<Uint8Array>,
  eventBytesMax: number,
): Source<Uint8Array> {
  const reader = new FrameReader(frameBytesFor(eventBytesMax));
  return {
    cancel: (reason) => inbound.cancel(reason),
    release: () => inbound.release(),
    read: async () => {
      try {
        return await nextEvents(inbound, reader);
      } catch (thrown) {
        if (thrown instanceof GatewayError) inbound.cancel(thrown);
        throw thrown;
      }
    },
  };
}

async function nextEvents(
  inbound: Source<Uint8Array>,
  reader: FrameReader,
): Promise<Uint8Array | undefined> {
  for (let chunk = await inbound.read(); chunk; chunk = await inbound.read()) {
    const text = reader.push(chunk).map(serverSentEvent).join("");
    if (text !== "") return encoder.encode(text);
  }
  reader.end();
  return undefined;
}

const encoder = new TextEncoder();

/** A frame holds an event in base64, headers and padding. */
function frameBytesFor(eventBytesMax: number): number {
  return Math.ceil(eventBytesMax / 3) * 4 + 64 * 1024;
}

/** The server-sent event of a frame; empty for a frame that means nothing. */
function serverSentEvent({ headers, payload }: EventFrame): string {
  switch (headers[":message-type"]) {
    case "event":
      return headers[":event-type"] === "chunk" ? eventIn(payload) : "";
    case "exception":
      return failure(headers[":exception-type"] ?? "", messageIn(payload));
    case "error":
      return failure(headers[":error-code"] ?? "", headers[":error-message"] ?? "");
    default:
      throw damaged("an event has no type");
  }
}

/** Members that Bedrock adds to events: counts, which the vendor's own have, and its guardrail's acts. */
const added = "amazon-bedrock-";

function eventIn(payload: Uint8Array): string {
  const { bytes } = neededObject(lenientText(payload));
  if (typeof bytes !== "string") throw damaged("an event has no content");
  const text = Buffer.from(bytes, "base64").toString();
  const event = neededObject(text);
  if (typeof event.type !== "string" || !/^\w+$/.test(event.type)) return "";
  const isAsItWas = !text.includes(added) && !/[\r\n]/.test(text);
  const data = isAsItWas ? text : JSON.stringify(ofVendor(event));
  return `event: ${event.type}\ndata: ${data}\n\n`;
}

function ofVendor(event: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(event).filter(([name]) => !name.startsWith(added)));
}

function neededObject(text: string): JsonObject {
  const value = objectIn(text);
  if (value !== undefined) return value;
  throw damaged("an event is not a JSON object");
}

/** An exception without words is one nevertheless. */
function messageIn(payload: Uint8Array): string {
  const { message, Message } = objectIn(lenientText(payload)) ?? {};
  return [message, Message].find((text) => typeof text === "string") ?? "";
}

/** The vendor's types of errors, by Bedrock's exceptions. */
const typeOf: ReadonlyMap<string, string> = new Map([
  ["throttlingException", "rate_limit_error"],
  ["validationException", "invalid_request_error"],
  ["modelTimeoutException", "timeout_error"],
  ["serviceUnavailableException", "overloaded_error"],
]);

function failure(exception: string, message: string): string {
  const said = withoutAccounts(message) || `The upstream's stream ended with ${exception}`;
  const error = { type: typeOf.get(exception) ?? "api_error", message: said };
  return `event: error\ndata: ${JSON.stringify({ type: "error", error })}\n\n`;
}
