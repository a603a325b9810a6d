import type { GatewayError } from "../canonical/mod.ts";
import type { Codec } from "../formats/codec.ts";
import type { EventEncoder } from "../formats/stream.ts";
import type { ServerSentEvent } from "../formats/wire.ts";
import type { Call } from "./call.ts";

/** The changes of a call's errors on their way to the caller. */
interface ErrorChanges {
  /** Changes an error before it is encoded. */
  readonly word: (error: GatewayError) => GatewayError;
  /** Changes the body of an encoded error. */
  readonly link: (body: unknown) => unknown;
}

/** Wraps a call so that its errors are changed, in whole answers and in streams. */
export function withErrorChanges(call: Call, { word, link }: ErrorChanges): Call {
  const { codec } = call;
  const changed: Codec = {
    ...codec,
    encodeError: (error, requestId) => {
      const { body, ...wire } = codec.encodeError(word(error), requestId);
      return { ...wire, body: link(body) };
    },
    encodeStreamError: (error, requestId, sent) =>
      codec.encodeStreamError(word(error), requestId, sent).map((event) => linked(event, link)),
    eventEncoder: (context) => changingEncoder(codec.eventEncoder(context), { word, link }),
  };
  return { ...call, codec: changed };
}

function changingEncoder(encoder: EventEncoder, { word, link }: ErrorChanges): EventEncoder {
  return {
    push: (event) => {
      if (event.type !== "error") return encoder.push(event);
      const events = encoder.push({ ...event, error: word(event.error) });
      return events.map((one) => linked(one, link));
    },
  };
}

function linked(event: ServerSentEvent, link: ErrorChanges["link"]): ServerSentEvent {
  return { ...event, data: JSON.stringify(link(JSON.parse(event.data))) };
}
