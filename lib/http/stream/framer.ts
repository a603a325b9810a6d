import { noBytes } from "../../bytes.ts";
import type { Framing, ServerSentEvent } from "../../formats/wire.ts";
import { encodedText } from "../body/slab.ts";
import { type SseFrame, sseText } from "./sse.ts";

/** Writes events as text or bytes. */
export interface Framer {
  text(event: ServerSentEvent): string;
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
  text: sseText,
  frame: (event) => encodedText(sseText(event)),
  pass: ({ bytes }) => bytes,
  close: () => noBytes,
};

/** A JSON array that grows: `[{…},\n{…}]`. */
function jsonArrayFramer(begun: boolean): Framer {
  let opened = begun;
  const text = ({ data }: ServerSentEvent) => {
    const lead = opened ? ",\n" : "[";
    opened = true;
    return lead + data;
  };
  const frame = (event: ServerSentEvent) => encodedText(text(event));
  return {
    text,
    frame,
    pass: ({ event }) => frame(event),
    close: () => encodedText(opened ? "]" : "[]"),
  };
}
