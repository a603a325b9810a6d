import type { Format } from "../formats.ts";
import { answersOf, type StreamTexts } from "./answers.ts";
import { HttpReader, writeAll } from "./http_reader.ts";
import { takeOrders } from "./lines.ts";

/** The answers that the upstream gives from now on. */
export interface UpstreamOrder {
  /** Whole, or streamed: with an interval between events, or all events at once. */
  readonly answer: "whole" | "paced" | "burst";
  /** The text of a whole answer, in bytes. */
  readonly answerBytes: number;
  /** Events of text of a stream. */
  readonly events: number;
  readonly intervalMs: number;
  readonly isChinese?: boolean;
  /** Answers with this status instead of 200. */
  readonly status?: number;
}

/** Totals since the start. */
export interface UpstreamCounts {
  readonly calls: number;
  readonly events: number;
}

let order: UpstreamOrder = { answer: "whole", answerBytes: 400, events: 1, intervalMs: 0 };
const counts = { calls: 0, events: 0 };
/** The bytes of answers, by format; made again after each order. */
const made = new Map<Format, Uint8Array>();
const encoder = new TextEncoder();

async function answerAll(connection: Deno.TcpConn): Promise<void> {
  using _closed = { [Symbol.dispose]: () => connection.close() };
  connection.setNoDelay(true);
  const reader = new HttpReader(connection);
  for (let message = await reader.next(); message; message = await reader.next()) {
    counts.calls++;
    const format = formatOf(message.head);
    if (order.answer === "paced") await sendPaced(connection, answersOf[format].stream, order);
    else {
      counts.events += order.answer === "burst" ? order.events : 0;
      await writeAll(connection, bytesOf(format));
      if (order.answer === "burst") await writeAll(connection, lastChunk);
    }
  }
}

function formatOf(head: string): Format {
  const [, path = ""] = head.split(" ", 2);
  if (path.startsWith("/v1beta/")) return "generate-content";
  if (path.endsWith("/messages")) return "messages";
  return path.endsWith("/responses") ? "responses" : "chat-completions";
}

function bytesOf(format: Format): Uint8Array {
  const known = made.get(format);
  if (known) return known;
  const { whole, stream } = answersOf[format];
  const bytes = encoder.encode(
    order.answer === "burst"
      ? streamHead + chunked(translated(burstOf(stream, order.events)))
      : wholeAnswer(translated(JSON.stringify(whole("words ".repeat(order.answerBytes / 6))))),
  );
  made.set(format, bytes);
  return bytes;
}

function wholeAnswer(body: string): string {
  return `HTTP/1.1 ${order.status ?? 200} OK\r\ncontent-type: application/json\r\n` +
    `content-length: ${byteLength(body)}\r\n\r\n${body}`;
}

const streamHead = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n" +
  "transfer-encoding: chunked\r\n\r\n";
/** Written by itself, as by servers that end an answer after its last event. */
const lastChunk = encoder.encode("0\r\n\r\n");

function chunked(text: string): string {
  return `${byteLength(text).toString(16)}\r\n${text}\r\n`;
}

function translated(text: string): string {
  return order.isChinese ? text.replaceAll("words ", "一些") : text;
}

function byteLength(text: string): number {
  return encoder.encode(text).length;
}

function burstOf({ opening, events, closing }: StreamTexts, count: number): string {
  const text = events.join("").repeat(count / 2) + (count % 2 === 1 ? events[0] : "");
  return opening.join("") + text + closing.join("");
}

/** Sends an event per interval. Each stream has a phase of its own, as streams of users have. */
async function sendPaced(
  connection: Deno.Conn,
  { opening, events, closing }: StreamTexts,
  { events: count, intervalMs }: UpstreamOrder,
): Promise<void> {
  await writeAll(connection, encoder.encode(streamHead + opening.map(chunked).join("")));
  await elapsed(Math.random() * intervalMs);
  const bytes = events.map((event) => encoder.encode(chunked(translated(event))));
  for (let sent = 0; sent < count; sent++) {
    await elapsed(intervalMs);
    counts.events++;
    await writeAll(connection, bytes[sent % 2]);
  }
  await writeAll(connection, encoder.encode(closing.map(chunked).join("")));
  await writeAll(connection, lastChunk);
}

function elapsed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

// Last, because the declarations above must have run.
if (import.meta.main) {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: Number(Deno.args[0]) });
  console.log("ready");
  void takeOrders((next: UpstreamOrder): UpstreamCounts => {
    order = next;
    made.clear();
    return counts;
  });
  for await (const connection of listener) void answerAll(connection).catch(() => {});
}
