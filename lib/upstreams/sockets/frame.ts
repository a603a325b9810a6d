import { GatewayError, isJsonObject, type JsonObject } from "../../canonical/mod.ts";
import { sseText } from "../../http/stream/sse.ts";
import { atOnceMax } from "../../json/mod.ts";

/** A frame of an upstream: an event of a response, or an error. */
export interface Frame {
  readonly text: string;
  readonly type: string;
  /** Present for the types that are read here, unless they are too long to parse at once. */
  readonly value?: JsonObject;
}

/** Types whose contents matter to the connection; all others are passed on unread. */
const readTypes: ReadonlySet<string> = new Set([
  "error",
  "response.created",
  "response.output_item.done",
]);

/** Types that end a response. */
const lastTypes: ReadonlySet<string> = new Set([
  "error",
  "response.cancelled",
  "response.completed",
  "response.done",
  "response.failed",
  "response.incomplete",
]);

export function isLast({ type }: Frame): boolean {
  return lastTypes.has(type);
}

/** Reads a frame. Throws `upstream_invalid_response` unless it is a JSON object with a type. */
export function frameOf(text: string): Frame {
  const leading = /^\s*\{\s*"type"\s*:\s*"([\w.]+)"/.exec(text)?.[1];
  if (leading !== undefined && (!readTypes.has(leading) || text.length > atOnceMax)) {
    return { text, type: leading };
  }
  const value = text.length > atOnceMax ? undefined : parsed(text);
  if (!isJsonObject(value) || typeof value.type !== "string") {
    throw new GatewayError(
      "upstream_invalid_response",
      "The upstream sent a WebSocket frame that is not an event",
    );
  }
  return { text, type: value.type, value };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const encoder = new TextEncoder();

/** The frame as a server-sent event. In JSON, line breaks are only between tokens. */
export function eventBytes({ text, type }: Frame): Uint8Array<ArrayBuffer> {
  const event = /^[\w.]+$/.test(type) ? type : undefined;
  return encoder.encode(sseText({ event, data: text.replace(/[\r\n]+/g, " ") }));
}

/** The error that a frame reports instead of an answer, as the response of a POST; else undefined. */
export function refusalIn({ type, value }: Frame): Response | undefined {
  const status = value?.status ?? value?.status_code;
  if (type !== "error" || typeof status !== "number" || !(status >= 400 && status <= 599)) return;
  const error = isJsonObject(value?.error) ? value.error : {};
  const headers = headersIn(error.headers ?? value?.headers);
  headers.set("content-type", "application/json");
  const body = new Blob([JSON.stringify({ error })]); // its stream is one of bytes
  return new Response(body, { status: Math.trunc(status), headers });
}

/** Headers as an object of texts and numbers; others, and invalid ones, are left out. */
function headersIn(said: unknown): Headers {
  const headers = new Headers();
  for (const [name, value] of isJsonObject(said) ? Object.entries(said) : []) {
    try {
      if (typeof value === "string" || typeof value === "number") headers.set(name, `${value}`);
    } catch {
      // not a header
    }
  }
  headers.delete("content-length");
  headers.delete("content-encoding");
  return headers;
}

/** The code of an `error` frame. */
export function errorCodeIn({ type, value }: Frame): string | undefined {
  if (type !== "error") return undefined;
  const said = isJsonObject(value?.error) ? value.error.code : value?.code;
  return typeof said === "string" ? said : undefined;
}
