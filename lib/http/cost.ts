import { concatenated } from "../bytes.ts";
import { decimalUsd, type JsonObject } from "../canonical/mod.ts";
import type { StatedCost } from "../formats/codec.ts";
import type { Framing } from "../formats/wire.ts";
import { encodedText } from "./body/slab.ts";
import type { Call } from "./call.ts";
import { type Content, contentText } from "./stream/answer.ts";
import { SseReader, sseText } from "./stream/sse.ts";

/** The result of settling a call. */
export interface Settled {
  /** Absent without a known price. */
  readonly costNanoUsd?: bigint;
}

/** Writes the cost into the answer's usage, if the caller requested that; undefined otherwise. */
export function askedCost({ codec, endpoint }: Call, body: JsonObject): StatedCost | undefined {
  return endpoint.operation === "generate" && codec.statedCost?.isAsked(body)
    ? codec.statedCost
    : undefined;
}

/** Adds `tessera-cost`: USD as a decimal without an exponent, such as `0.000123`. */
export function addCost(headers: Record<string, string>, { costNanoUsd }: Settled): void {
  if (costNanoUsd !== undefined) headers["tessera-cost"] = decimalUsd(costNanoUsd);
}

/** A whole answer with the cost in its usage, every other byte unchanged. */
export function wholeWithCost(
  content: Content,
  { costNanoUsd }: Settled,
  stated: StatedCost | undefined,
): Content {
  if (costNanoUsd === undefined || !stated) return content;
  return stated.state(contentText(content), decimalUsd(costNanoUsd));
}

/** Writes a stream's last bytes after a comment with the cost, and the cost into their usage if requested. */
type CloseWithCost = (terminal: Uint8Array, settled: Settled) => Uint8Array;

/**
 * Writes nothing into streams without comments: other framings than server-sent events, and some
 * formats.
 */
export function closeWithCost(
  { codec }: Pick<Call, "codec">,
  framing: Framing | object,
  stated: StatedCost | undefined,
): CloseWithCost {
  const takesComments = framing === "sse" && codec.takesComments !== false;
  return (terminal, { costNanoUsd }) => {
    if (!takesComments || costNanoUsd === undefined) return terminal;
    const usd = decimalUsd(costNanoUsd);
    const events = stated ? eventsWithCost(terminal, usd, stated) : terminal;
    return concatenated([encodedText(`: tessera-cost ${usd}\n\n`), events]);
  };
}

function eventsWithCost(bytes: Uint8Array, usd: string, stated: StatedCost): Uint8Array {
  const reader = new SseReader({ eventBytesMax: Infinity });
  const frames = [...reader.push(bytes), ...reader.end()];
  return concatenated(frames.map(({ event, bytes }) => {
    if (!event.data.startsWith("{")) return bytes;
    const data = stated.state(event.data, usd);
    return data === event.data ? bytes : encodedText(sseText({ ...event, data }));
  }));
}
