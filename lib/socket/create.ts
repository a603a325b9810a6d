import { GatewayError, isJsonObject, type JsonObject } from "../canonical/mod.ts";
import { type ReadText, withReadMembers } from "../json/mod.ts";
import { FrameFault } from "./frames.ts";
import type { Create } from "./turn.ts";

/** As the format's vendor. */
export const namedLanesMax = 32;
/** The most calls that wait; many more than an agent has. */
export const waitingMax = 256;
const laneName = /^[A-Za-z0-9_.-]{1,256}$/;

/** The name of the lane of a frame; empty for the default lane. Throws `invalid_stream_id`. */
export function laneIn({ stream_id: name }: JsonObject): string {
  if (name === undefined) return "";
  if (typeof name === "string" && laneName.test(name)) return name;
  const rule = "stream_id must have 1 to 256 letters, digits, '_', '.' or '-'";
  throw new FrameFault("invalid_stream_id", rule, "stream_id");
}

/** A frame as the body of a POST. Throws `invalid_request_error`. */
export function createOf(read: ReadText, release: () => void): Create {
  const { generate: generates, background, prompt_cache_options: caching } = read.body;
  if (generates !== undefined && typeof generates !== "boolean") {
    throw new FrameFault("invalid_request_error", "generate must be true or false", "generate");
  }
  if (background === true) {
    const advice = "background is not available on a WebSocket. Use POST";
    throw new FrameFault("invalid_request_error", advice, "background");
  }
  const prewarm = isJsonObject(caching) && caching.prewarm === true;
  const members = { type: undefined, stream_id: undefined, generate: undefined, stream: true };
  return {
    read: withReadMembers(read, members),
    preparesOnly: prewarm || generates === false,
    steers: [],
    release,
  };
}

export function unknownType(type: unknown): FrameFault {
  const said = typeof type === "string" ? `'${type.slice(0, 100)}'` : "missing";
  const message = `The type of the frame is ${said}. Send response.create or response.steer`;
  return new FrameFault("invalid_request_error", message, "type");
}

export function tooManyLanes(): FrameFault {
  const message =
    `The socket has its ${namedLanesMax} named lanes. Use one of them, or open another socket`;
  return new FrameFault("websocket_stream_limit_reached", message, "stream_id");
}

export function tooOld(): FrameFault {
  const message = "The socket has reached its maximum age. Open another one";
  return new FrameFault("websocket_connection_limit_reached", message);
}

export function stopping(): GatewayError {
  return new GatewayError(
    "shutting_down",
    "The gateway is stopping. Not charged. Open another socket",
  );
}

export function overloaded(): GatewayError {
  return new GatewayError(
    "gateway_overloaded",
    "The gateway has too many calls. Not charged. Retry later",
    {
      retryAfterSeconds: 2,
    },
  );
}

export function tooManyWaiting(): GatewayError {
  const message = `${waitingMax} calls wait on this socket. Not charged. Retry when one has ended`;
  return new GatewayError("rate_limit_exceeded", message, { retryAfterSeconds: 2 });
}
