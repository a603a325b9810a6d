import type { Codec } from "../formats/codec.ts";
import type { EventEncoder } from "../formats/stream.ts";
import type { ServerSentEvent } from "../formats/wire.ts";
import type { Call, ErrorChanges } from "./call.ts";

/**
 * The codec that encodes a call's errors with their changes, in whole answers and in streams. Made
 * only where an error may be sent, because most calls end without one.
 */
export function errorCodecOf({ codec, errors }: Pick<Call, "codec" | "errors">): Codec {
  return errors ? changedCodec(codec, errors) : codec;
}

function changedCodec(codec: Codec, changes: ErrorChanges): Codec {
  return {
    ...codec,
    encodeError: (error, requestId) => {
      const { body, ...wire } = codec.encodeError(changes.word(error), requestId);
      return { ...wire, body: changes.link(body) };
    },
    encodeStreamError: (error, requestId, sent) =>
      codec.encodeStreamError(changes.word(error), requestId, sent)
        .map((event) => linked(event, changes)),
    eventEncoder: (context) => changingEncoder(codec.eventEncoder(context), changes),
  };
}

function changingEncoder(encoder: EventEncoder, changes: ErrorChanges): EventEncoder {
  return {
    push: (event) => {
      if (event.type !== "error") return encoder.push(event);
      const events = encoder.push({ ...event, error: changes.word(event.error) });
      return events.map((one) => linked(one, changes));
    },
  };
}

function linked(event: ServerSentEvent, changes: ErrorChanges): ServerSentEvent {
  return { ...event, data: JSON.stringify(changes.link(JSON.parse(event.data))) };
}
