import type { Framing, ServerSentEvent } from "../../formats/wire.ts";
import { noBytes } from "../body/bytes.ts";
import { type SseFrame, sseText } from "./sse.ts";

const text = new TextEncoder();

/** Writes events as bytes. */
export interface Framer {
  frame(event: ServerSentEvent): Uint8Array;
  /** The bytes of an upstream's frame, unchanged for the same framing. */
  pass(frame: SseFrame): Uint8Array;
  close(): Uint8Array;
}

/** A framer for one stream; `begun`: true if events of it were sent already. */
export function framerOf(framing: Framing, begun = false): Framer {
  return framing === "sse" ? sseFramer : jsonArrayFramer(begun);
}

const sseFramer: Framer = {
  frame: (event) => text.encode(sseText(event)),
  pass: ({ bytes }) => bytes,
  close: () => noBytes,
};

/** A JSON array that grows: `[{…},\n{…}]`. */
function jsonArrayFramer(begun: boolean): Framer {
  let opened = begun;
  const frame = ({ data }: ServerSentEvent) => {
    const lead = opened ? ",\n" : "[";
    opened = true;
    return text.encode(lead + data);
  };
  return {
    frame,
    pass: ({ event }) => frame(event),
    close: () => text.encode(opened ? "]" : "[]"),
  };
}
