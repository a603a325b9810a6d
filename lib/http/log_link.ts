import { isJsonObject } from "../canonical/mod.ts";
import type { Codec } from "../formats/codec.ts";
import type { EventEncoder } from "../formats/stream.ts";
import type { ServerSentEvent } from "../formats/wire.ts";
import type { Call } from "./call.ts";

interface LogLink {
  /** The console's address; default: the API's address. */
  readonly publicUrl?: string;
  /** Returns true once the call has a row to link to. */
  readonly isLogged: () => boolean;
}

/** Adds a link to the call's page to an error's body. */
type Link = (body: unknown) => unknown;

/**
 * Wraps a call so that its errors link to its row in the log: as `error.log_url`, in whole answers
 * and streams.
 */
export function withLogLink(call: Call, { publicUrl, isLogged }: LogLink): Call {
  const logUrl = () => `${publicUrl ?? call.url.origin}/console/log/${call.id}`;
  const link: Link = (body) => isLogged() ? linked(body, logUrl()) : body;
  return { ...call, codec: linking(call.codec, link) };
}

function linking(codec: Codec, link: Link): Codec {
  return {
    ...codec,
    encodeError: (error, requestId) => {
      const { body, ...wire } = codec.encodeError(error, requestId);
      return { ...wire, body: link(body) };
    },
    encodeStreamError: (error, requestId, sent) =>
      codec.encodeStreamError(error, requestId, sent).map((event) => linkedEvent(event, link)),
    eventEncoder: (context) => linkingEncoder(codec.eventEncoder(context), link),
  };
}

function linkingEncoder(encoder: EventEncoder, link: Link): EventEncoder {
  return {
    push: (event) => {
      const events = encoder.push(event);
      return event.type === "error" ? events.map((one) => linkedEvent(one, link)) : events;
    },
  };
}

function linkedEvent(event: ServerSentEvent, link: Link): ServerSentEvent {
  return { ...event, data: JSON.stringify(link(JSON.parse(event.data))) };
}

/** Every format's errors have an object `error`; an event without one is not the error itself. */
function linked(body: unknown, logUrl: string): unknown {
  if (!isJsonObject(body) || !isJsonObject(body.error)) return body;
  return { ...body, error: { ...body.error, log_url: logUrl } };
}
