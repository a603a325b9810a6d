import { Collector, isJsonObject, type Part } from "../canonical/mod.ts";
import type { Codec } from "../formats/codec.ts";
import { codecs } from "../formats/mod.ts";
import { SseReader } from "../http/stream/sse.ts";
import type { RequestLogRow } from "../store/log/mod.ts";
import type { RecordedBody, RecordedContent } from "../store/recordings/mod.ts";

/** A piece of a message, as text. */
interface ReadableBlock {
  readonly type: Part["type"];
  /** The name of a tool. */
  readonly name?: string;
  readonly text: string;
}

/** A message of a conversation. */
export interface ReadableMessage {
  /** The part of the call that it belongs to. */
  readonly from: "request" | "answer";
  readonly role: "system" | "user" | "assistant";
  readonly blocks: readonly ReadableBlock[];
}

/** The text of a request or an answer; bytes that are not UTF-8 are replaced. */
export function bodyText({ text }: Pick<RecordedBody, "text">): string {
  return new TextDecoder().decode(text);
}

/**
 * The messages of a recorded call. Empty for endpoints without messages, and for a part that was
 * cut or is in no known form: then only its text can be read.
 */
export function readableMessages(
  { format }: Pick<RequestLogRow, "format">,
  { path, request, answer }: RecordedContent,
): ReadableMessage[] {
  const codec = Object.values(codecs).find(({ name }) => name === format);
  if (!codec) return [];
  return [
    ...orNone(() => request ? messagesOf(codec, path, request) : []),
    ...orNone(() => answer ? answered(partsOf(codec, answer)) : []),
  ];
}

function orNone(read: () => readonly ReadableMessage[]): readonly ReadableMessage[] {
  try {
    return read();
  } catch {
    return []; // cut, refused, or an error: its text is shown
  }
}

function messagesOf(codec: Codec, path: string, recorded: RecordedBody): ReadableMessage[] {
  const body: unknown = JSON.parse(bodyText(recorded));
  if (!isJsonObject(body)) return [];
  const { instructions, turns } = codec.decodeRequest({ path, search: {}, headers: {}, body });
  const system = { role: "system", parts: instructions } as const;
  return [system, ...turns].filter(({ parts }) => parts.length > 0)
    .map(({ role, parts }) => ({ from: "request", role, blocks: parts.map(blockOf) }));
}

function answered(parts: readonly Part[]): ReadableMessage[] {
  if (parts.length === 0) return [];
  return [{ from: "answer", role: "assistant", blocks: parts.map(blockOf) }];
}

function partsOf(codec: Codec, recorded: RecordedBody): readonly Part[] {
  const { text, contentType } = recorded;
  if (contentType.startsWith("text/event-stream")) return streamedParts(codec, eventsIn(text));
  const body: unknown = JSON.parse(bodyText(recorded));
  if (Array.isArray(body)) {
    return streamedParts(codec, body.map((one) => ({ data: JSON.stringify(one) })));
  }
  return codec.decodeResponse(body).alternatives.flatMap(({ parts }) => parts);
}

function eventsIn(text: Uint8Array) {
  const reader = new SseReader({ eventBytesMax: Infinity });
  return [...reader.push(text), ...reader.end()].map(({ event }) => event);
}

/** The parts of a stream, also of one that broke off. */
function streamedParts(codec: Codec, events: ReturnType<typeof eventsIn>): readonly Part[] {
  const decoder = codec.eventDecoder();
  const collector = new Collector();
  let open: number | undefined;
  for (const decoded of events.flatMap((event) => decoder.push(event))) {
    if (decoded.type === "end" || decoded.type === "error") break;
    if (decoded.type === "part-start") open = decoded.index;
    if (decoded.type === "part-end") open = undefined;
    collector.push(decoded);
  }
  if (open !== undefined) collector.push({ type: "part-end", index: open });
  collector.push({ type: "end", endings: [{ finishReason: "stop" }] });
  return collector.response().alternatives.flatMap(({ parts }) => parts);
}

function blockOf(part: Part): ReadableBlock {
  const { type } = part;
  switch (type) {
    case "text":
    case "reasoning":
    case "refusal":
      return { type, text: part.text };
    case "tool-call":
      return { type, name: part.name, text: part.arguments };
    case "tool-result":
      return {
        type,
        ...(part.name !== undefined && { name: part.name }),
        text: part.parts.map((one) => blockOf(one).text).join("\n"),
      };
    case "native":
      return { type, text: part.text ?? JSON.stringify(part.value) };
    case "image":
    case "audio":
    case "video":
    case "file":
      return { type, text: sourceText(part.source) };
    default:
      return type satisfies never;
  }
}

function sourceText(source: Extract<Part, { type: "image" }>["source"]): string {
  switch (source.type) {
    case "base64":
      return source.data.replace(/\]=+$/, "]"); // a codec pads the note about what was left out
    case "url":
      return source.url;
    case "text":
      return source.text;
    case "file-id":
      return source.id;
    default:
      return source satisfies never;
  }
}
