import { isJsonObject } from "../canonical/mod.ts";
import type { Codec, EventEncoder, ServerSentEvent } from "../formats/codec.ts";
import type { Call } from "./call.ts";

/**
 * A call whose errors also say where its row in the log is shown: as `error.log_url`, whole or
 * within a stream. The address is `publicUrl`'s, else the one that was called.
 */
export function withLogLink(call: Call, publicUrl: string | undefined): Call {
  const logUrl = `${publicUrl ?? call.url.origin}/console/log/${call.id}`;
  return { ...call, codec: linking(call.codec, logUrl) };
}

function linking(codec: Codec, logUrl: string): Codec {
  return {
    ...codec,
    encodeError: (error, requestId) => {
      const { body, ...wire } = codec.encodeError(error, requestId);
      return { ...wire, body: linked(body, logUrl) };
    },
    encodeStreamError: (error, requestId) =>
      codec.encodeStreamError(error, requestId).map((event) => linkedEvent(event, logUrl)),
    eventEncoder: (context) => linkingEncoder(codec.eventEncoder(context), logUrl),
  };
}

function linkingEncoder(encoder: EventEncoder, logUrl: string): EventEncoder {
  return {
    push: (event) => {
      const events = encoder.push(event);
      return event.type === "error" ? events.map((one) => linkedEvent(one, logUrl)) : events;
    },
  };
}

function linkedEvent(event: ServerSentEvent, logUrl: string): ServerSentEvent {
  return { ...event, data: JSON.stringify(linked(JSON.parse(event.data), logUrl)) };
}

/** Every format's errors have an object `error`; an event without one is not the error itself. */
function linked(body: unknown, logUrl: string): unknown {
  if (!isJsonObject(body) || !isJsonObject(body.error)) return body;
  return { ...body, error: { ...body.error, log_url: logUrl } };
}
